"""A user's name and a password beside each other: "credentials: admin / hunter22", root:toor2024."""

from __future__ import annotations

import re

from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.redaction.secrecy import bare, is_given, is_mixed, is_word

Span = tuple[int, int]

# What leads to a pair, each with letters that it begins with.
_CUES = tuple(
    (literal, Pattern(literal + rest))
    for literal, rest in (
        ("log", r"[ -]?ins?\b"),
        ("cred", r"(?:s|entials?)?\b"),
        ("identifiant", r"s?\b"),
        ("account", r"s?\b"),
        ("compte", r"s?\b"),
        ("user", r"(?:names?|s)?\b(?:\s?/\s?pass(?:word|wd)?\b)?"),
        ("utilisateur", r"s?\b"),
        ("wifi", r"\b"),
    )
)
_OF_A_USER = ("user", "util")
_GAP = r"(?P<gap>[^\n/|:=]{0,40}?)"
_SIGN = r"(?P<sign>\s?[:=]\s?|\s(?:is|are|est|sont|as|with|avec|en tant que|ist|mit)\s|\s)[\"'`(*]{0,3}"
_TWO = (
    r"(?P<user>[\w.@+-]{2,40})[\"'`*]{0,3}(?P<between>\s?[/|]\s?|\s(?:and|et|with|avec|und|mit)\s|:)[\"'`*]{0,3}"
    r"(?P<value>[^\s\"'`,;/|<>()]{4,80})"
)
# "credentials: admin / hunter22", "log in as ada with Winter2024!"
_PAIR = Pattern(_GAP + _SIGN + _TWO)
_PAIR_AT_ONCE = Pattern(_SIGN + _TWO)
_GIVEN = r"(?P<value>[^\s\"'`,;/|<>()]{5,80})"
# "ada@example.com / Tr0ub4dor", "ada / Tr0ub4dor to log in"
_SLASH = Pattern(rf" / {_GIVEN}(?P<use>\s(?:to|for|pour)\s(?:log|sign|connect|se connecter))?")
_ADDRESS = Pattern(r"[\w.+-]@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}\Z")
_NAME = Pattern(r"(?:\A|[^\w/.@:-])[\w.+-]{2,40}\Z")
# "admin / Tr0ub4dor", root:toor2024
_KNOWN_USERS = tuple(
    (name, Pattern(rf"{name}(?<![\w/.@:-]{name})(?:istrator|istrateur)?(?:\s/\s|:){_GIVEN}(?!@)"))
    for name in ("admin", "root")
)
_HYPHENATED = re.compile(
    r"[a-z]+(?:[-_](?:[a-z]+|\d+)){2,}|[a-z]+[-_]\d+(?:[-_][a-z]+)+|[\w-]+\.(?:com|org|net|io|md|py|js|ts)", re.I
)


def spans(text: str, folded: str) -> list[Span]:
    """Where passwords lie that stand beside a user's name. folded: the text in small letters, of the same length."""
    spans = list[Span | None]()
    for literal, cue in _CUES:
        if literal in folded:
            for lead in cue.compiled.finditer(folded):
                of_a_user = literal.startswith(_OF_A_USER) and "/" not in lead[0]
                pair = (_PAIR_AT_ONCE if of_a_user else _PAIR).match
                if found := pair(folded, lead.end()):
                    spans.append(_of_a_pair(text, found, of_a_user=of_a_user))
    beside = list[re.Match[str]]()
    if " / " in folded:
        for found in _SLASH.compiled.finditer(folded):
            before = folded[max(found.start() - 200, 0) : found.start()]
            if _ADDRESS.search(before) or (found["use"] and _NAME.search(before)):
                beside.append(found)
    for literal, known in _KNOWN_USERS:
        if literal in folded:
            beside += known.compiled.finditer(folded)
    for found in beside:
        value, span = bare(text, found)
        if is_mixed(value) and is_given(value):
            spans.append(span)
    return [span for span in spans if span]


def _of_a_pair(text: str, found: re.Match[str], *, of_a_user: bool) -> Span | None:
    value, span = bare(text, found)
    if not is_given(value):
        return None
    named = not found["sign"].isspace()
    if is_mixed(value) and not _HYPHENATED.fullmatch(value):
        return span if named or found["between"] != ":" else None
    if named and found["between"].strip() in ("/", "|", ":") and not of_a_user:
        known = is_word(value) or value.casefold() == found["user"]
        if known and not re.match(r"[^\s.,;)!\"'`]", text[span[1] : span[1] + 1]):
            return span
    return None
