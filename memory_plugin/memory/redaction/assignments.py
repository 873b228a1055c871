"""Values that are called a secret where they stand: `DB_PASSWORD=…`, "token": "…", "the password is …"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.redaction.secrecy import (
    is_mixed,
    is_phrase,
    is_placeholder,
    is_random,
    is_reference,
    is_word,
    says_nothing,
)

Span = tuple[int, int]

# Names, each with letters that it begins with: the engine finds those several times faster than one pattern of all, and
# few texts hold any. What a strong one names may be a plain word, too.
_Names = tuple[tuple[str, Pattern], ...]
_STRONG: _Names = (
    (
        "pass",
        Pattern(
            r"pass(?:(?:word|wd|[ _-]?phrase|code|wort)(?![a-z])|(?<![a-z0-9]pass)(?![a-z])"
            r"|(?:(?<=mot.de.pass)|(?<=mots.de.pass)|(?<=motdepass)|(?<=phrase.de.pass))e(?![a-z]))"
        ),
    ),
    ("pw", Pattern(r"pw(?<![a-z0-9]pw)d?(?![a-z])")),
    ("mdp", Pattern(r"mdp(?<![a-z]mdp)(?![a-z])")),
    ("phrase", Pattern(r"phrase(?: secrète|(?<=(?:seed|llet|very) phrase)(?!s))")),
    ("mnemonic", Pattern("mnemonic")),
    ("kennwort", Pattern("kennwort")),
)
_WEAK: _Names = (
    ("secret", Pattern(r"secret(?:[ _-]?(?:access)?[ _-]?key)?")),
    ("token", Pattern("token")),
    ("key", Pattern("key")),
    ("cred", Pattern("credentials?")),
    ("jeton", Pattern("jeton")),
    ("cle_", Pattern("cle_(?:api|secrete)")),
    ("auth", Pattern(r"auth(?:(?<=_auth)(?![a-z])|(?<=\"auth)(?=\"))")),
    ("psk", Pattern("psk")),
)
# Looked for only where a text has such letters.
_STRONG_WITH_ACCENTS = tuple((name, Pattern(name)) for name in ("contraseña", "hasło", "пароль"))
_WEAK_WITH_ACCENTS = (("clé", Pattern(r"clé(?: (?:d['’]?\s?)?api| secrète| privée)")),)
# Scripts that part no words: a value in Latin letters right after the name.
_UNPARTED = Pattern(
    r"(?:密码|密碼|口令|暗証番号|パスワード|비밀번호)\s?(?:是|为|為|は|가|는|:|：|=)\s?(?P<value>[!-~]{4,80})"
)
_SUFFIX = (
    r"(?:[ _-](?:base|value|text|prod(?:uction)?|staging|dev|test|live|main|root|admin|db|api|wi-?fi|wlan|vpn|ssh|smtp"
    r"|ftp|\d{1,2})(?![a-z]))?"
)
_CLOSED = r"\\{0,3}[\"'`*»”\])]{0,3}(?:\s?\([^()\n]{1,40}\))?"
_BETWEEN = (
    r"(?:\s?:\s?[a-z_&][\w\[\]|.? ]{0,30}(?:\s=(?!=)\s?|=(?=[\"']))"  # password: str = …
    r"|,?\s{1,20}\\?[\"']?value\\?[\"']?\s{0,3}[:=]\s{0,3}"  # name: PASSWORD, value: …
    r"|(?P<sign>\s{0,20}(?:[:=]{1,3}>?|：|->|→|\|)\s{0,20})"
    r"|(?:\s{1,20}|(?=['’]s\s))(?P<spoken>is|are|est|c['’]est|ist|lautet|es|was|était|becomes|remains|reste|sera|to|à|en|auf"
    r"|['’]s)"
    r"(?:\s(?:now|still|just|simply|currently|set to|désormais|maintenant|toujours|simplement|jetzt))?(?:\s?:)?\s{1,20}"
    r"|(?:(?<=[\"'])\s{0,3},\s{0,3}|\s?\(\s?)(?=[\"'])"  # ("password", "…"), set_password("…")
    r"|(?P<element>>)"
    r"|(?P<beside>\s))"
)
_AFTER = Pattern(_SUFFIX + _CLOSED + _BETWEEN + r"(?:\*{1,2}\s?)?(?:[rbfu](?=[\"']))?(?P<quote>\\{0,3}[\"'`]|[«“]\s?)?")
# "the password of the staging server is …", "we set the password for Anna to …", "the password changed from … to …"
_FARTHER = Pattern(
    r"\s(?:(?:of|for|to|on|in|at|from|de|du|des|pour|sur|von|für|changed|was|has|a été)\s|d['’])[^\n=:]{0,60}?"
    r"(?:\s(?P<spoken>is|est|ist|to|en|à|auf)(?:\snow|\sdésormais)?\s|(?P<sign>\s?[:=]\s))(?P<quote>[\"'`]|[«“]\s?)?"
)
# "hunter22 is the password", "with hunter22 as password": what stands before the name
_BEFORE = Pattern(
    r"(?:\A|[\s\"'`(«“])(?P<value>[^\s\"'`,;()<>«»“”]{5,80})[\"'`»”]? (?:is|as|est|comme|ist|als) "
    r"(?:(?:the|my|our|your|its|a|le|la|mon|ma|notre|das|mein) )?(?:[^\W\d]{1,20} )?\Z"
)
_OF_A_KEY = Pattern(
    r"(?:api|access|secret|private|sign(?:ing)?|encrypt(?:ion)?|master|app|application|session|account|shared|storage"
    r"|auth|licen[cs]e|deploy|webhook|consumer|client|service|role|admin|root|aes|hmac|jwt|cookie|crypto|fernet"
    r"|integration|openai|anthropic|aws|azure|gcp|google|maps|mistral|cohere|gemini|datadog|project|write)[ _-]?\Z"
)
_OF_NO_SECRET = Pattern(
    r"(?<![a-z])(?:public|cache|sort|primary|foreign|partition|routing|registry|idempotency|max|min|num|count|next|page)"
    r"[ _-]?\Z"
)
_MADE_SO = Pattern(r"\b(?:re)?set|chang|updat|rotat|switch|mis |mets|met |d[ée]fini|pass[ée] |ge[äs]")
_DECLARES = Pattern(r"(?:\b(?:const|let|var|val|string|char|auto|if|while|and|or|not)|,)\s\Z")
_LONG_ENOUGH = Pattern(r"[^\s\"'`,;<>|]{20}")
_VALUE = Pattern(r"[^\s\"'`,;<>|]{1,2000}")
_QUOTED = {quote: Pattern(rf"(?:\\.|[^\n\\{quote}]){{1,2000}}(?={quote})") for quote in "\"'`"}
_ESCAPED = Pattern(r"[^\n\\\"'`]{1,2000}(?=\\)")
_CLOSES = {"«": "»", "“": "”"}
_ENDS = Pattern(
    r"[.,;:!?)\]}*\"'`»”]{0,5}(?:\s*(?:\n|\Z)|\s*[|#;]|\s(?:and|or|but|so|for|on|et|ou|mais|pour|sur|und|user|login|host"
    r"|port|dbname)\b)|[.,;!?)&]\s?"
)
_LINE_ENDS = Pattern(r"[ \t\r]{0,20}(?:\n|\Z)")
_TRAILING = ".,:;!?)]}>*\\"
_OF_A_USER = Pattern(r"\b(?:user|login|log in|account|ssh|compte|utilisateur)\b")
_SHORT_NAMES = frozenset(("pass", "pwd", "pw", "psk"))


@dataclass(frozen=True, slots=True)
class _Said:
    """How a text calls a value a secret. name: in small letters; strong: a plain word may be it; kind, sign: what
    stands between the two; line: what stands before the name on its line; constant: the name is one of a variable's
    in capitals."""

    name: str
    strong: bool
    kind: str
    sign: str
    quoted: bool
    line: str
    constant: bool


def spans(text: str, folded: str) -> list[Span]:
    """Where the values lie that a text calls secrets. folded: the text in small letters, of the same length."""
    found = list[Span]()
    strong, weak = _STRONG, _WEAK
    if not folded.isascii():
        strong, weak = strong + _STRONG_WITH_ACCENTS, weak + _WEAK_WITH_ACCENTS
        found += [value.span("value") for value in _UNPARTED.compiled.finditer(folded)]
    for names in (strong, weak):
        for literal, pattern in names:
            if literal in folded:
                for name in pattern.compiled.finditer(folded):
                    if span := _around(text, folded, name, strong=names is strong):
                        found.append(span)
    return found


def _around(text: str, folded: str, name: re.Match[str], *, strong: bool) -> Span | None:
    """Where the value lies that is called so, after the name or before it."""
    start, end = name.span()
    if folded[end : end + 1].isalpha():  # "tokens", "keyboard"
        return None
    before = folded[max(start - 100, 0) : start]
    if name[0] == "key" and not _OF_A_KEY.search(before[-14:]) and not _is_constant(text, start):
        return None
    if _OF_NO_SECRET.search(before[-14:]):
        return None
    for pattern in (_AFTER, _FARTHER):
        found = pattern.match(folded, end)
        if found:
            groups = found.groupdict()
            kinds = ("spoken", "sign", "element", "beside")
            said = _Said(
                name=name[0],
                strong=strong,
                kind=next((kind for kind in kinds if groups.get(kind) is not None), "listed"),
                sign=groups.get("sign") or "",
                quoted=bool(found["quote"]),
                line=text[max(text.rfind("\n", 0, start) + 1, start - 100) : start],
                constant=_is_constant(text, start),
            )
            if span := _named(text, found, said):
                return span
    if before[-1:] == " " and (found := _BEFORE.search(before)):
        at = start - len(before) + found.start("value")
        bare = text[at : at + len(found["value"])].rstrip(_TRAILING)
        if is_mixed(bare) and "//" not in bare and not is_placeholder(bare) and not is_reference(bare):
            return at, at + len(bare)
    return None


def _is_constant(text: str, start: int) -> bool:
    """Whether a name that begins here is in capitals, as that of an environment variable is: `MAPS_KEY=`."""
    return text[start : start + 3].isupper() and not text[start - 1 : start].islower()


def _named(text: str, found: re.Match[str], said: _Said) -> Span | None:
    """Where the value lies that a name leads to, if it is a secret."""
    if not _may_lead(said, found):
        return None
    quote = (found["quote"] or "").strip()
    span = _value(text, found.end(), quote)
    if span and not quote and ("phrase" in said.name or said.name == "mnemonic" or said.line[-7:].endswith("phrase ")):
        span = is_phrase(text, span[0]) or span
    if span is None or (said.kind == "element" and not text.startswith("</", span[1])):
        return None
    return span if _is_secret(text, span, said) else None


def _may_lead(said: _Said, found: re.Match[str]) -> bool:
    if said.kind == "beside":  # `--password …`, `login ada password …`
        option = said.line.rpartition(" ")[2].startswith("--")
        if not said.strong and not option:  # `aws configure set aws_secret_access_key …`
            return _LONG_ENOUGH.match(found.string, found.end()) is not None
        return option or said.name != "pass" or _OF_A_USER.search(said.line.lower()) is not None
    if said.kind == "spoken" and said.name == "pass":  # "the second pass is …"
        return False
    if said.kind == "spoken" and found["spoken"] in ("to", "à", "en", "auf"):
        return _MADE_SO.search(said.line[-50:].lower() + found[0]) is not None
    return True


def _value(text: str, at: int, quote: str) -> Span | None:
    """Where the value lies that begins here, without what ends the sentence around it."""
    found = None
    if quote in _CLOSES:
        end = text.find(_CLOSES[quote], at, at + 200)
        return (at, at + len(text[at:end].rstrip())) if end > at and "\n" not in text[at:end] else None
    if quote:
        found = _QUOTED[quote].match(text, at) if len(quote) == 1 else _ESCAPED.match(text, at)
    if found:
        return found.span()
    found = _VALUE.match(text, at)
    bare = found[0].rstrip(_TRAILING) if found else ""
    return (at, at + len(bare)) if bare else None


def _is_secret(text: str, span: Span, said: _Said) -> bool:
    value = text[slice(*span)]
    if is_placeholder(value) or (not said.quoted and is_reference(value)):
        return False
    if re.search(r"\s", value):
        told = said.kind == "spoken" and re.search(r"\d", value) is not None
        phrase = "phrase" in said.name and says_nothing(value)
        return said.strong and (told or phrase or is_phrase(value, 0) == (0, len(value)))
    if value.isdecimal():
        least = 6 if said.kind == "beside" else 4
        return said.strong and said.name not in _SHORT_NAMES and len(value) >= least
    declared = (said.name == "pass" and said.constant and said.line[-1:] != "_") or (
        text[span[1] : span[1] + 1] == ";" and value.isidentifier()
    )
    if declared and said.sign.strip() == ":" and not said.quoted:  # PASS: TestSomething; privateKey: SomeType;
        return False
    if is_mixed(value):
        if said.kind == "beside" and "](" in value:  # a link
            return False
        if said.kind == "beside" and not (value.isalnum() or is_random(value)):
            return False
        return said.strong or len(value) <= 24 or said.quoted or is_random(value)
    return is_word(value) and _may_be_a_word(text, span, said, value)


def _may_be_a_word(text: str, span: Span, said: _Said, value: str) -> bool:
    """Whether a plain word is the secret, not what is said or declared of it."""
    joined = "=" in said.sign and not said.sign[:1].isspace() and not said.sign[-1:].isspace()
    if not said.strong:
        named = said.name.startswith(("secret", "token")) and value.isalpha() and len(value) >= 6
        return named and ((said.constant and joined) or (said.name == "secret" and said.quoted and said.kind == "sign"))
    if said.kind == "beside":
        return said.line.endswith("--") or ("phrase" in said.name and value.count("-") >= 2)
    if said.name in _SHORT_NAMES and said.kind == "spoken":
        return False
    if said.kind == "listed" and said.line.rstrip("\"'`")[-1:] != "(":  # one of many words, not define("…", "…")
        return False
    if "|" in said.sign or "→" in said.sign or ">" in said.sign.replace("=>", ""):
        return False
    if said.quoted or said.kind == "element" or (said.constant and joined):
        return True
    if "=" in said.sign:
        alone = "(" not in said.line and not _DECLARES.search(said.line.lower())
        return (joined and said.line.count("(") <= said.line.count(")")) or (
            alone and _LINE_ENDS.match(text, span[1]) is not None
        )
    declared = value[0].isupper() and text[span[1] : span[1] + 1] in (";", ",", ")", "=")
    return not declared and _ENDS.match(text, span[1]) is not None
