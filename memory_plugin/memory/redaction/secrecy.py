"""Whether a value that stands where a secret may stand is one, or a placeholder, code, a word of a sentence."""

from __future__ import annotations

import math
import re
from collections import Counter

MASK = "[masked]"
TRAILING = ".,:;!?)]}>*\\"  # what may end the sentence around a value

# What stands in examples, templates and code instead of a value.
_PLACEHOLDER = re.compile(
    r"<.*|\[.*|\{.*|\(.*|!\w.*|\$[{(].*|\$\$?[A-Za-z_]\w*\}?|%\{.*|%[A-Z_]+%|%\w{1,2}|&[a-z]+;|[*•x.·_?-]{3,}|[:=].*"
    r"|your[_-].*|my[_-](?:secret|password|token|api|key).*|change[_-]?me\d?|replace[_-]?me|example(?:[_-]?(?:value|key|token|secret|password)\w*)?|sample.*|dummy.*"
    r"|placeholder.*|insert[_-].*|enter[_-].*|redacted.*|null|none|nil|undefined|true|false|todo|tbd|n/a|foo|bar|baz"
    r"|https?://[^\s@]*|#(?:[0-9a-f]{3}){1,2}",
    re.I,
)
# A call, an index, a type; an attribute, a variable that is named for what it holds; where the value lies.
_CODE = re.compile(
    r"&?[A-Za-z_$][\w.:$?!-]*(?:[(\[{<]|->|=>).*|[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+|(?:env|op|vault|secret|arn"
    r"|ref|file|keyring|awssm|ssm):.*|@[\w./]+"
)
_NAME_OF_ONE = re.compile(
    r"(?:[a-z_-]{0,60}(?:pass(?:word|wd|phrase|code|e?wort)|secrets?|tokens?|credentials?|jeton|mdp|contraseña|senha"
    r"|kennwort|(?:api|access|private|public|encryption|signing|auth|ssh|license|db|my|user|new|old)_?(?:pass|key|pwd?))"
    r"|(?:[a-z]{1,20}[_-]){0,4}(?:pass|pwd?|keys?|creds?|value|hash|field|input|param|arg|file|path|env|var|str|string"
    r"|name|ref))"
    r"(?:[_-]?(?:v?\d|hash|file|path|env|var|str|string|value|field|input|name|ref|id|key|type|s))?"
)
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w./@~-]*|[\w.@-]+(?:/[\w.@-]+){2,}/?|[\w.@/-]{1,200}\.[a-z]{1,5}|[A-Z]:\\.*")
_ONE_SLASH = re.compile(r"[\w.@-]*/[\w.@-]*")
_VERSION = re.compile(
    r"[v^~>=<]*\d+(?:\.\d+)+(?:[-+.]?[a-z]\w*(?:\.\d+)?)?|\d{4}-\d\d-\d\d.*|v\d{1,3}|\d+(?:\.\d+)?(?:[a-z]{1,3}|%)?",
    re.I,
)
_TECHNICAL = re.compile(
    r"(?:(?:sha|md|base|utf|argon|oauth|rs|es|hs|ps|aes|rsa|ed|pbkdf|http|ec|s|x|tls|ipv|iso|rfc|cl|web|win|log|e2|i18|k8|p|h|"
    r"level|step|line|column|page|issue|port|role|user|room|item|type|phase|part|day|week|q)[-_]?\d{1,5}[a-z]{0,5}"
    r"|(?:u?int|float|big\w?int)\d{1,3}\w{0,8}|argon2(?:id?)?|oauth2?|bcrypt|scrypt|pbkdf2|1password|2fa"
    r"|e2e|i18n|l10n|k8s|a11y|c\+\+|utf-8|base64url|cl100k\w*)(?:-[a-z]{2,12}){0,3}|gpt-?\d.*",
    re.I,
)
# Words that say something of a password where the password itself might stand: types, states, labels, what comes next.
_SAID_OF_ONE = frozenset(
    """
    str string text bytes int integer number bool boolean char varchar object any unknown void never array list dict
    map type enum uuid date option optional required mandatory missing empty blank valid invalid wrong correct
    incorrect right good bad weak strong short long longer shorter safe unsafe secure insecure secret public private
    plain plaintext clear cleartext default same different unique new old current previous temporary permanent static
    dynamic random hash hashed salted encrypted masked hidden visible shown stored saved kept sent set unset known
    unknown given read written lost forgotten found gone made built changed unchanged reset rotated expired revoked
    leaked exposed compromised disabled enabled protected generated ignored accepted rejected denied refused checked
    verified validated needed used unused reused supplied provided provisioned available unavailable ready fine okay
    enough here there below above elsewhere nowhere everywhere somewhere inside outside now later soon today tomorrow
    already still always often sometimes again only just also too very not no yes on off in at by with without for
    from to of the a an this that these those it its his her their our your my mine yours what whatever which who
    where when why how if unless because since until while and or but so as than then else both either neither all any
    each every some none field column property attribute parameter argument value variable header prompt page screen
    form box label input option options flag flags
    manager policy rule rules hint reset login username user email name file flow grant bearer
    refresh access authentication authorization auth basic digest cookie session json yaml xml html forbidden allowed
    pending active inactive deprecated obsolete legacy internal external local remote global shared common
    confidential sensitive password passwd passphrase passcode passwort kennwort contraseña senha wachtwoord token key
    credentials obligatoire requis requise facultatif optionnel manquant manquante vide faux fausse incorrecte
    correcte juste bon bonne mauvais mauvaise faible fort forte court courte trop très pas plus moins non oui ici là
    dans sur sous chez par pour avec sans selon comme que qui quoi dont où le la les un une des du de au aux ce cet
    cette ces celui celle mon ma mes ton ta tes son sa ses notre votre leur toujours jamais encore déjà maintenant
    bientôt demain seulement aussi nouveau nouvelle ancien ancienne inconnu inconnue perdu perdue connu connue valide
    invalide expiré périmé chiffré haché stocké enregistré gardé unique différent identique nécessaire possible
    impossible public publique privé secrète erforderlich falsch richtig leer ungültig gültig zu nicht im auf der die
    das ein eine sicher unsicher
    """.split()
)
_STATE = re.compile(r".*(?:ed|ing|able|ible|less|ful|ous|ive|ised|ized|ly|ée?s?|oire|ique|ant|ante|ment|iert|lich|bar)")
_JOINING = frozenset(
    "in of to out up down case wide time date based side end free friendly proof level like style type only".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:[-_.'’][^\W\d_]+)*")
_JOINT = re.compile(r"[-_.'’ ]")
_PHRASE = re.compile(r"[^\W\d]{2,12}(?:[ -][^\W\d]{2,12}){3,23}(?=[.,;!?)\"'`]|\s*\n|\s*\Z)")
_LITTLE_WORD = re.compile(
    r"\b(?:the|of|in|to|a|is|are|and|or|by|for|with|from|on|at|that|we|you|i|it|as|not|must|should|can|your|my|our|le|la|les"
    r"|de|du|des|un|une|dans|et|pour|sur|est|que|qui|vous|nous|par|der|die|das|und|ist)\b",
    re.I,
)
_NOT_A_PASSWORD = frozenset(
    "password passwords logout register signup sign-up admin user token role group wheel read write edit view".split()
)


def is_placeholder(value: str) -> bool:
    """Whether a value stands for one that is not told."""
    return _PLACEHOLDER.fullmatch(value) is not None


def is_reference(value: str) -> bool:
    """Whether a value that is not in quotes is code which gets it, or the name of a variable that holds it."""
    return bool(_CODE.fullmatch(value) or (not value.isupper() and _NAME_OF_ONE.fullmatch(value)))


def is_random(value: str) -> bool:
    """Shannon entropy above 3 bits a character with a digit or both cases: no word of a language reaches it."""
    counts = Counter(value)
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    varied = bool(re.search(r"\d", value)) or (value.lower() != value and value.upper() != value)
    return entropy > 3.0 and varied


def is_mixed(value: str) -> bool:
    """Digits or symbols among letters, as a password has and a word, a path, a version or a format's name has not."""
    if re.fullmatch(r"[A-Za-z0-9+/=_-]{30,}", value) and is_random(value):  # base 64 holds slashes, as an AWS key does
        return True
    if len(value) < 5 or any(each.fullmatch(value) for each in (_PATH, _VERSION, _TECHNICAL)):
        return False
    if _ONE_SLASH.fullmatch(value) and not is_random(value):
        return False
    mixed = bool(re.search(r"\d", value)) and bool(re.search(r"[^\W\d_]", value))
    return mixed or bool(re.search(r"[!@#$%^&*+=?~]", value) and re.search(r"\w\w", value))


def is_word(value: str) -> bool:
    """Whether a value without digits can be a password, not what a sentence says of one."""
    bare = value.casefold()
    if len(bare) < 4 or not _WORD.fullmatch(bare) or bare in _SAID_OF_ONE or _NAME_OF_ONE.fullmatch(bare):
        return False
    parts = _JOINT.split(bare)
    if any(_STATE.fullmatch(part) for part in parts):
        return False
    if len(parts) == 1:
        return True
    said = sum(part in _SAID_OF_ONE for part in parts)
    # not "read-only", "out-of-date"
    return said <= (len(parts) > 2 or "." in bare) and not any(part in _JOINING for part in parts)


def says_nothing(value: str) -> bool:
    """Whether words that stand in quotes are no sentence and no label: "open sesame", not "Enter it here"."""
    words = value.casefold().split()
    said = any(word in _SAID_OF_ONE or _STATE.fullmatch(word) for word in words)
    return not said and all(map(_WORD.fullmatch, words)) and not _LITTLE_WORD.search(value)


def is_phrase(text: str, at: int) -> tuple[int, int] | None:
    """Where a phrase of words lies that begins here and makes no sentence, as one that stands for a key does."""
    found = _PHRASE.match(text, at)
    words = _JOINT.split(found[0].casefold()) if found else []
    said = sum(word in _SAID_OF_ONE for word in words)
    if found is None or said > 1 or _LITTLE_WORD.search(found[0]) or _STATE.fullmatch(words[0]):
        return None
    return found.span()


def bare(text: str, found: re.Match[str]) -> tuple[str, tuple[int, int]]:
    """A pattern's `value` without what ends the sentence around it, and where it lies in the text."""
    start, end = found.span("value")
    while start < end and text[start] in "\"'":
        start += 1
    while start < end and text[end - 1] in TRAILING + "\"'":
        end -= 1
    return text[start:end], (start, end)


def is_given(value: str) -> bool:
    """Whether a value is one, no placeholder, code or name of one."""
    return bool(value) and not (is_placeholder(value) or is_reference(value) or value.casefold() in _NOT_A_PASSWORD)
