"""Whole stretches of the history, as the command line shows them: what came before, what after, when, where, and how it
ended."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from memory_plugin.memory import history
from memory_plugin.memory.history import Stretch
from memory_plugin.memory.pages import Section
from memory_plugin.memory.redaction import redact


def around(sources: Iterable[tuple[str, float]], limit: int) -> list[dict[str, Any]]:
    """The stretches that these places (`path#Lline`, with a score) lie in, each once, in the order given."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for source, score in sources:
        path, _, line = source.rpartition("#L")
        stretch = _at(path, int(line))
        if stretch and (path, stretch.section.line) not in found:
            found[path, stretch.section.line] = _plain(stretch, score)
            if len(found) == limit:
                break
    return list(found.values())


def of_days(home: str, namespaces: Sequence[str], days: tuple[str, str], limit: int) -> list[dict[str, Any]]:
    """The exchanges of some days, in the order in which they took place, at most so many."""
    paths = [
        path
        for conversation in history.conversations(home, namespaces)
        for path in conversation.paths
        if days[0] <= history.day_of(path) <= days[1]
    ]
    found: list[tuple[str, str, Stretch]] = []
    for path in paths:
        for stretch in history.stretches(path):
            if stretch.section.kind == "exchange":
                found.append((stretch.page.day, stretch.section.time, stretch))
    found.sort(key=lambda each: each[:2])
    return [_plain(stretch, 1.0) for _, _, stretch in found[:limit]]


def _at(path: str, line: int) -> Stretch | None:
    try:
        return history.stretch_at(path, line)
    except OSError:
        return None


def _plain(stretch: Stretch, score: float) -> dict[str, Any]:
    section, page = stretch.section, stretch.page
    return {
        "kind": section.kind,
        "day": page.day,
        "time": section.time,
        "until": section.last,
        "title": section.title,
        "project": page.about("project"),
        "namespace": os.path.basename(os.path.dirname(os.path.dirname(stretch.path))),
        "session": page.about("session"),
        "ended": history.how_ended(stretch.path, page),
        "file": stretch.path,
        "line": section.line,
        "before": _told(stretch, stretch.before()),
        "text": _told(stretch, section),
        "after": _told(stretch, stretch.after()),
        "facts": section.facts,
        "score": round(score, 4),
    }


def _told(stretch: Stretch, section: Section | None) -> str:
    return redact(history.markdown(stretch, section)) if section else ""
