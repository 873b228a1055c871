"""Facts of one day, and the log that holds them."""

from __future__ import annotations

from pathlib import Path

from memory_plugin.memory.fact import CATEGORIES, Candidate, Fact, make

DAY = "2026-11-30"


def fact(text: str, category: str = "decision", day: str = DAY) -> Fact:
    """A fact of a day, as a flush makes it."""
    importance = CATEGORIES[category][1]
    return make(Candidate(text, category, "decided", "project", text, importance, 0.7), "shop-1", day, "14:32", "s#e")


def log_of(folder: Path, day: str = DAY) -> Path:
    """Where a day's log stands in a namespace's folder."""
    return folder / f"{day}.md"
