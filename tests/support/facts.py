"""Facts written into a memory home as a flush writes them."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memory_plugin.memory import amendments, events, journal
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger

NAMESPACE = "harbour-0a1b2c3d"


def fact(text: str, *, namespace: str = NAMESPACE, **values: Any) -> Fact:
    """A fact as extraction makes it, said in a session of its own unless told otherwise."""
    what = {"category": "project", "predicate": "is", "subject": "project", "object": "-"}
    what |= {name: values.pop(name) for name in list(values) if name in what}
    when = {"day": values.pop("day", "2026-11-02"), "at": values.pop("at", "10:00")}
    source = values.pop("source", f"{zlib.crc32(text.encode()) % 10**8:08d}#e1")
    return make(Candidate(text, importance=0.6, confidence=0.7, **what, **values), namespace, source=source, **when)


def capture(home: Path, facts: Iterable[Fact], namespace: str = NAMESPACE) -> list[Fact]:
    """Write facts into the day's log and the events, each under a heading of its own."""
    written = list(facts)
    for each in written:
        journal.append_facts(os.path.join(home, namespace), each.day, [each], f"{each.at} test")
    events.append(str(home), [events.captured(each, namespace, "transcript.jsonl", "f1") for each in written])
    return written


def held(home: Path, identity: str, namespace: str = NAMESPACE) -> Held:
    """The fact as its line says it is."""
    return amendments.find(str(home), identity, [namespace])[0]


def in_events(home: Path, identity: str, namespace: str = NAMESPACE) -> Fact:
    """The fact as the events say it is."""
    return Ledger(str(home)).refresh().entries[namespace, identity].fact
