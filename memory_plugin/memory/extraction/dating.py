"""The days that a fact speaks of, written out: a "yesterday" says nothing in a month."""

from __future__ import annotations

from datetime import date, timedelta

from memory_plugin.memory.dates import named_days
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT
from memory_plugin.memory.extraction.tense import looks_ahead

# What happened, is to happen or was so from a day on. A rule or habit ("no deploys on Friday") means every such day.
_DATED = frozenset({"event", "goal", "decision", "project", "reference", "relationship", "lesson", "constraint"})
_LASTING = frozenset({"constraint", "lesson", "reference"})


def dated(text: str, category: str, today: date | None) -> str:
    """A fact's text with the ISO date after each day that it names ("We released 1.4 yesterday (2026-11-13)").

    A day that its sentence neither looks back nor ahead to stays as it is, for it may be of any week. A stretch is
    written as ISO 8601 does, "2026-11" or "2026-11-16/2026-11-22". today is the day on which it was said; without one
    the text stays as it is.
    """
    if today is None or category not in _DATED:
        return text
    for start, end, first, last in reversed(named_days(text, today, looks_ahead)):
        named = text[start:end]
        written = _written(first, last)
        bare = not any(character.isdigit() for character in named) and named.lower().endswith("day")
        if not written or written in text or (category in _LASTING and (first != last or (bare and first > today))):
            continue
        if text[end : end + 2] in ("'s", "’s"):
            end += 2
        if len(text) + len(written) + 3 <= STATEMENT_LIMIT:
            text = f"{text[:end]} ({written}){text[end:]}"
    return text


def _written(first: date, last: date) -> str:
    """The stretch as ISO 8601; nothing for a year, which its name says already."""
    if first == last:
        return first.isoformat()
    if first.day == 1 and (last + timedelta(1)).day == 1:
        return f"{first:%Y-%m}" if last - first < timedelta(31) else ""
    return f"{first.isoformat()}/{last.isoformat()}"
