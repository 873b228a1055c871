"""Secrets that run over several lines: what was marked private, and private keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_plugin.memory.extraction.pattern import Pattern

Span = tuple[int, int]

_PRIVATE_TAG = Pattern(r"<(/?)\s{0,3}private\s{0,3}>", re.I)
_NAMED = r"-{4,5} ?%s [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_KEY = Pattern(rf"{_NAMED % 'BEGIN'}.*?(?:{_NAMED % 'END'}|\Z)", re.S)
_KEY_END = Pattern(_NAMED % "END")
_KEY_LINES = Pattern(r"(?:(?:\A|\s|\\n)[A-Za-z0-9+/=]{16,100}){1,200}(?:\s|\\n){0,3}\Z")
_LONGEST_KEY = 20_000  # characters
_PUTTY = Pattern(r"(?<=Private-Lines: )[0-9]{1,4}(?:\s{1,2}[A-Za-z0-9+/=]{8,}){1,200}|(?<=Private-MAC: )[a-f0-9]{40,}")


def private(text: str) -> list[Span]:
    """Where what was marked private lies, with its tags: up to the tag that belongs to it, else to the text's end.

    A closing tag that nothing opens ends what began in a part that is not here, so what stands before it goes. A tag in
    backticks that has no other is spoken of, and neither opens nor closes anything.
    """
    tags = list(_PRIVATE_TAG.compiled.finditer(text))
    alone = {tag.start() for tag in _without_another(tags) if _is_spoken_of(text, tag)}
    found, start, depth = list[Span](), 0, 0
    for tag in tags:
        if tag.start() in alone:
            continue
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth <= 1:
            found.append((start if depth else 0, tag.end()))
            depth = 0
        else:
            depth -= 1
    return [*found, (start, len(text))] if depth else found


def keys(text: str) -> list[Span]:
    """Where private keys lie: from their first line to their last, to the text's end where that is missing, and from
    the first that is left where a cut took their beginning."""
    found = list(_keys(text)) if "PRIVATE KEY" in text else []
    return found + [each.span() for each in _PUTTY.compiled.finditer(text)] if "Private-" in text else found


def _keys(text: str) -> Iterator[Span]:
    at = 0
    for key in _KEY.compiled.finditer(text):
        yield from _headless(text, at, key.start())
        yield key.span()
        at = key.end()
    yield from _headless(text, at, len(text))


def _headless(text: str, at: int, stop: int) -> Iterator[Span]:
    for end in _KEY_END.compiled.finditer(text, at, stop):
        lines = _KEY_LINES.search(text[max(end.start() - _LONGEST_KEY, at) : end.start()])
        yield end.start() - len(lines[0]) if lines else end.start(), end.end()
        at = end.end()


def _is_spoken_of(text: str, tag: re.Match[str]) -> bool:
    return text[max(tag.start() - 1, 0) : tag.start()] == "`" == text[tag.end() : tag.end() + 1]


def _without_another(tags: list[re.Match[str]]) -> list[re.Match[str]]:
    """The tags that open what nothing closes, or close what nothing opened."""
    opened, alone = list[re.Match[str]](), list[re.Match[str]]()
    for tag in tags:
        if not tag[1]:
            opened.append(tag)
        elif opened:
            opened.pop()
        else:
            alone.append(tag)
    return alone + opened
