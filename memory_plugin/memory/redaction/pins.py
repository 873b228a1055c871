"""PINs and codes, by what they are called: "my PIN is 4821", « le code de la porte : 48B21 »."""

from __future__ import annotations

import re

from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.redaction.secrecy import bare

Span = tuple[int, int]

_NUMBER_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|eleven|twelve|thirteen|double|triple|z[ée]ro|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize"
    r"|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|cent|mille|et"
    r"|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
)
# "my PIN is 4821", « le code PIN est quatre huit deux un », "OTP: 482193"
_NUMBERS = tuple(
    (literal, Pattern(literal + rest))
    for literal, rest in (
        ("pin", r"(?:[ -]?(?:code|number|nummer))?(?![\w-])"),
        ("otp", r"(?:[ -]?code)?(?![\w-])"),
        ("cv", r"[vc]2?(?![\w-])"),
        ("digicode", ""),
        ("combination", r" (?:of|for|to) (?:the |my |our )?(?:safe|lock|locker|padlock|vault|door)(?!\w)"),
        (
            "code",
            r"s?(?P<of> (?:pin|secret|d['’]accès|de (?:la porte|la carte|sécurité|l['’]alarme|vérification|confirmation"
            r"|déverrouillage)|du (?:portail|coffre)|2fa|sms|puk))?(?![\w-])",
        ),
    )
)
_NUMBER = Pattern(
    r"(?:\s(?:of|for|to|on|de|du|des|pour|sur)\s[^\n=:.]{1,40}?)?"
    r"(?P<sign>\s?[:=]\s{0,3}|\s(?:is|are|was|est|sont|était|ist)\s(?:now\s|set to\s)?|\s)[\"'`*]{0,3}"
    rf"(?P<value>\d(?:[ -]?\d){{2,9}}(?![\w.:/-]*\w)|{_NUMBER_WORD}(?:[ ,-]{{1,2}}{_NUMBER_WORD}){{2,9}}(?!\w)"
    r"|(?=[a-z-]{0,40}\d)[0-9a-z]{4,8}(?:-[0-9a-z]{4,8}){0,7}(?!\w))"
)
_BEFORE_A_CODE = re.compile(
    r"(?:door|gate|alarm|access|entry|security|unlock|safe|lock|recovery|backup|verification|one-time|sms|2fa|mfa|totp|pin"
    r"|pass|digi)(?:['’]s)?[ -]?\Z"
)


def spans(text: str, folded: str) -> list[Span]:
    """Where numbers lie that a text calls a PIN. folded: the text in small letters, of the same length."""
    spans = list[Span]()
    for literal, name in _NUMBERS:
        if literal in folded:
            for named in name.compiled.finditer(folded):
                if _names_one(folded, literal, named) and (found := _NUMBER.match(folded, named.end())):
                    value, span = bare(text, found)
                    if _is_pin(text, literal, named, found, value):
                        spans.append(span)
    return spans


def _names_one(folded: str, literal: str, named: re.Match[str]) -> bool:
    start = named.start()
    if literal != "code":
        return not folded[max(start - 1, 0) : start].strip(" \n\t\"'`(*:")
    return named["of"] is not None or _BEFORE_A_CODE.search(folded[max(start - 14, 0) : start]) is not None


def _is_pin(text: str, literal: str, name: re.Match[str], found: re.Match[str], value: str) -> bool:
    start, named = name.start(), name[0]
    digits = sum(map(str.isdecimal, value))
    if not digits:
        return True  # said in words
    if found["sign"].isspace() and not (
        literal == "code" or (literal in ("pin", "otp") and (text[start].isupper() or " " in named))
    ):
        return False  # "PIN 4821" and "pin code 4821" are one, "pin 4821" may be a part's
    if not value.replace(" ", "").replace("-", "").isdecimal():
        return literal == "code" and digits >= 2 and any(map(str.isalpha, value))
    return digits >= 4 or (digits == 3 and literal.startswith("cv"))
