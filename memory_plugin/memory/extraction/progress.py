"""What extraction remembers of a conversation: a few numbers, the words it turns on, what was kept."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_plugin.memory.extraction.words import words as words_of

OFFER_LIMIT = 600
RECENT_LIMIT = 400
TOLD_LIMIT = 420
ASKED_LIMIT = 240
# Bounds of what is remembered, so that a conversation of any length costs at most some 6 KB of JSON.
_WORDS_LIMIT = 240
_LINES_LIMIT = 160


@dataclass(frozen=True, slots=True)
class Progress:
    """said and kept are characters since the conversation began; turn counts the assistant's messages since the
    user's last.

    noted is how many of the characters kept the user did not state, valued how many named a value. usual is the running
    mean of what a line was worth. offer is the question the assistant asked last, with its options, told the end of
    what it said last; asked is how the user's last message ended. recent holds the sentences said last, for one that
    says "it". aside: the user last asked for something of the moment. words maps the stems heard most to (times heard,
    times kept). lines are checksums of the lines kept last.
    """

    said: int = 0
    kept: int = 0
    turn: int = 0
    noted: int = 0
    usual: float = 0.0
    offer: str = ""
    recent: str = ""
    aside: bool = False
    words: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    lines: tuple[int, ...] = ()
    told: str = ""
    asked: str = ""
    valued: int = 0

    def to_json(self) -> dict[str, Any]:
        """A dictionary of plain values, a few KB at most."""
        return {
            "said": self.said,
            "kept": self.kept,
            "turn": self.turn,
            "noted": self.noted,
            "usual": self.usual,
            "offer": self.offer,
            "told": self.told,
            "asked": self.asked,
            "valued": self.valued,
            "recent": self.recent,
            "aside": self.aside,
            "words": [[stem, heard, kept] for stem, (heard, kept) in self.words.items()],
            "lines": base64.b64encode(struct.pack(f"<{len(self.lines)}I", *self.lines)).decode("ascii"),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Progress:
        """What to_json wrote; whatever is missing or damaged starts over."""
        usual = stored.get("usual")
        return cls(
            said=_count(stored.get("said")),
            kept=_count(stored.get("kept")),
            turn=_count(stored.get("turn")),
            noted=_count(stored.get("noted")),
            usual=float(usual) if isinstance(usual, (int, float)) and 0 <= usual < 1e9 else 0.0,
            offer=_text(stored.get("offer"))[:OFFER_LIMIT],
            told=_text(stored.get("told"))[-TOLD_LIMIT:],
            valued=_count(stored.get("valued")),
            asked=_text(stored.get("asked"))[-ASKED_LIMIT:],
            recent=_text(stored.get("recent"))[-RECENT_LIMIT:],
            aside=stored.get("aside") is True,
            words=_words(stored.get("words")),
            lines=_lines(stored.get("lines")),
        )


def most_heard(words: Mapping[str, tuple[int, int]]) -> Mapping[str, tuple[int, int]]:
    """At most _WORDS_LIMIT of the words: those heard most, the later ones first among equals."""
    if len(words) <= _WORDS_LIMIT:
        return words
    kept_words = dict(words)
    surplus = len(words) - _WORDS_LIMIT
    for stem, counts in words.items():  # nearly always enough: the oldest of those heard once
        if counts[0] < 2:
            del kept_words[stem]
            surplus -= 1
            if not surplus:
                return kept_words
    latest_first = list(words.items())[::-1]
    kept = {stem for stem, _ in sorted(latest_first, key=lambda item: -item[1][0])[:_WORDS_LIMIT]}
    return {stem: counts for stem, counts in words.items() if stem in kept}


def with_line(lines: tuple[int, ...], text: str) -> tuple[int, ...]:
    """The lines kept, with one more; the oldest are forgotten."""
    return (*lines, checksum(text))[-_LINES_LIMIT:]


def checksum(text: str) -> int:
    """A number that two lines share when they hold the same words, whatever the case and the marks between them."""
    letters = "".join(words_of(text)) if text.isascii() else "".join(filter(str.isalnum, text.casefold()))
    return zlib.crc32(letters.encode("utf-8", "replace"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else 0


def _words(stored: object) -> dict[str, tuple[int, int]]:
    rows: Sequence[object] = stored if isinstance(stored, list) else ()
    words: dict[str, tuple[int, int]] = {}
    for row in rows[:_WORDS_LIMIT]:
        if isinstance(row, list) and len(row) == 3 and isinstance(row[0], str):
            words[row[0][:8]] = (_count(row[1]), _count(row[2]))
    return words


def _lines(stored: object) -> tuple[int, ...]:
    if not isinstance(stored, str):
        return ()
    try:
        packed = base64.b64decode(stored, validate=True)[: 4 * _LINES_LIMIT]
    except ValueError:
        return ()
    return struct.unpack(f"<{len(packed) // 4}I", packed[: len(packed) // 4 * 4])
