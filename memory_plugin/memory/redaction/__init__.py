"""Masking what has the shape of a secret, before it is written and again before it is injected.

    what runs over lines (blocks) ─▶ forms of their own (shapes) ─▶ values by their names (assignments), below them
    (tables), beside a user's name (pairs), numbers (pins), what a command is given (commands)

Whether a value is one, or a placeholder, code, or a word, is for `secrecy` to say.
"""

from __future__ import annotations

from collections.abc import Iterable

from memory_plugin.memory.redaction import assignments, blocks, commands, pairs, pins, shapes, tables
from memory_plugin.memory.redaction.secrecy import MASK

__all__ = ["MASK", "redact", "redact_blocks", "redact_lines"]

_MOST_ROUNDS = 5
_SHORTEST = 8  # characters that a name and a secret take
_CAPITALS = {ord(each): each.lower() for each in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def redact(text: str) -> str:
    """The text with secrets masked and `<private>…</private>` left out."""
    return _redacted(text, keep_lines=False)


def redact_lines(text: str) -> str:
    """The same with every line where it was: as many breaks stay as there were in what is masked or left out."""
    return _redacted(text, keep_lines=True)


def redact_blocks(text: str) -> str:
    """The text without what is private and without private keys alone, with every line where it was.

    Next to nothing where there are none: a file is read this way when few of its lines are used, each masked then.
    """
    return _without_blocks(text, keep_lines=True)


def _redacted(text: str, *, keep_lines: bool) -> str:
    if len(text) < _SHORTEST:
        return text
    for _ in range(_MOST_ROUNDS):
        masked = _masked_once(_without_blocks(text, keep_lines=keep_lines))
        if masked is text or masked == text:
            break
        text = masked  # a mask may lay bare the shape of what stood right beside it
    return text


def _without_blocks(text: str, *, keep_lines: bool) -> str:
    if "private" not in text.lower():
        return text
    for kind, instead in ((blocks.private, " "), (blocks.keys, MASK)):
        if spans := kind(text):
            text = _replaced(text, spans, instead, keep_lines=keep_lines)
    return text


def _masked_once(text: str) -> str:
    folded = text.lower()
    masked = shapes.masked(text, folded)
    if masked is not text:
        text, folded = masked, masked.lower()
    if len(folded) != len(text):  # a few capitals have two small letters
        folded = text.translate(_CAPITALS)
    found = [span for kind in (assignments, tables, pairs, pins, commands) for span in kind.spans(text, folded)]
    return _replaced(text, found, MASK) if found else text


def _replaced(text: str, spans: Iterable[tuple[int, int]], instead: str, *, keep_lines: bool = False) -> str:
    parts, at = list[str](), 0
    for start, end in sorted(spans):
        if start >= at:
            breaks = text.count("\n", start, end) if keep_lines else 0
            parts += [text[at:start], instead, "\n" * breaks]
        at = max(at, end)
    return "".join([*parts, text[at:]])
