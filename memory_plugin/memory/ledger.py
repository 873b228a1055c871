"""What the events say of every fact: what it is believed to be now, and how it came to be so.

`fold` is a pure function of the events, in the order of their times; the same events give the same facts on every
machine.
"""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from memory_plugin.memory import events
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import (
    ARCHIVED_FOR,
    CATEGORIES,
    RELATIONS,
    SEVERITIES,
    STATUSES,
    Fact,
    fact_id,
    session_of,
)

Key = tuple[str, str]  # namespace, id
_TEXTS = frozenset(each.name for each in fields(Fact) if each.type == "str")
_LISTS = frozenset(RELATIONS)
_DAY = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2})?")
_DAYS = ("day", "seen", "until")
_CHOICES = {
    "category": (*CATEGORIES,),
    "severity": ("", *SEVERITIES),
    "status": STATUSES,
    "reason": ("", *ARCHIVED_FOR),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact as the events say it is. retracted: its line was taken out or struck; purged: nothing of it is kept.

    apart: the ids of facts that it must not be merged with again. heard: sessions that said it again in the same
    words and are not counted yet, each with its event. history: its events, oldest first.
    """

    fact: Fact
    retracted: bool = False
    purged: bool = False
    reconciled: bool = False
    apart: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    heard: tuple[Event, ...] = ()
    history: tuple[Event, ...] = ()


def fold(found: Iterable[Event], entries: dict[Key, Entry] | None = None) -> dict[Key, Entry]:
    """The entries after these events, which come in the order of their times; `entries` are those before."""
    entries = {} if entries is None else entries
    for each in found:
        if each.get("event") == "reconciled":
            _mark_reconciled(each, entries)
            continue
        key = _text(each, "namespace"), _text(each, "id")
        if key[1]:
            after = _applied(each, entries.get(key))
            if after is not None:
                entries[key] = replace(after, history=(*after.history, each))
    return entries


def _mark_reconciled(each: Event, entries: dict[Key, Entry]) -> None:
    ids = each.get("ids")
    for identity in ids if isinstance(ids, list) else ():
        key = _text(each, "namespace"), str(identity)
        if key in entries:
            entries[key] = replace(entries[key], reconciled=True)


def _applied(each: Event, before: Entry | None) -> Entry | None:
    """The entry after one event; None when the event says nothing that can be used."""
    kind = each.get("event")
    if kind == "captured":
        return _captured(each, before)
    if before is None:
        # A purge takes the capture away with it, and stays so that the words are not captured again.
        return Entry(_fact(each), purged=True) if kind == "purged" else None
    fact = before.fact
    match kind:
        case "heard":
            # What was said were the words of its id: they make no fact surer that was corrected or taken back.
            gone = before.retracted or before.purged or fact_id(_text(each, "namespace"), fact.text) != fact.id
            session = _text(each, "session")
            known = (
                gone or session in before.sessions or any(_text(other, "session") == session for other in before.heard)
            )
            return before if known else replace(before, heard=(*before.heard, each))
        case "confirmed":
            session = _text(each, "session")
            heard = tuple(other for other in before.heard if _text(other, "session") != session)
            sessions = before.sessions | ({session} if session else set())
            return replace(before, fact=_with(fact, each), heard=heard, sessions=sessions)
        case "superseded" | "contradicted" | "archived":
            return replace(before, fact=_with(replace(fact, status=str(kind), reason=""), each))
        case "reopened" | "undone":
            active = _with(replace(fact, status="active", reason="", until="", by=""), each)
            other = _text(each, "other")
            if kind == "undone" and each.get("role") == "winner":  # the fact that had taken the other's place
                left: dict[str, Any] = {name: _without(getattr(fact, name), other) for name in RELATIONS}
                active = _with(replace(fact, **left), each)
            return replace(before, fact=active, apart=before.apart | ({other} if other else set()))
        case "related":
            return replace(before, fact=_related(fact, each))
        case "corrected":
            reworded = replace(fact, object=_text(each, "object") or fact.object)
            return replace(before, fact=_with(reworded, each), retracted=False)
        case "retracted":
            return replace(before, retracted=True)
        case "restored":
            return replace(before, retracted=False)
        case "pinned" | "unpinned":
            return replace(before, fact=replace(fact, pinned=kind == "pinned"))
        case "purged":
            return replace(before, fact=replace(fact, text="", object="-"), purged=True, history=())
    return before


def _captured(each: Event, before: Entry | None) -> Entry:
    """A first capture, or one by the user's hand of what was retracted before."""
    fact = _fact(each)
    if before is None:
        return Entry(fact, sessions=frozenset({session_of(fact)}))
    if before.fact.text and not before.retracted and not before.purged:
        return before  # two machines captured the same: the first stands
    return replace(before, fact=fact, retracted=False, purged=False, reconciled=False)


def _fact(each: Event) -> Fact:
    blank = Fact("", "", "project", "is", "project", "-", 0.6, 0.7, "", "", "")
    return _with(blank, {**each, "at": _text(each, "time")}, every=True)


def _with(fact: Fact, each: Event, *, every: bool = False) -> Fact:
    """The fact with what an event says of its fields; those that it cannot have are passed by."""
    found: dict[str, Any] = {name: each[name] for name in _TEXTS if isinstance(each.get(name), str)}
    if not every:
        for name in ("id", "day", "source", "at", "object", "subject"):
            found.pop(name, None)
    for name in ("importance", "confidence"):
        value = each.get(name)
        if isinstance(value, (int, float)) and 0 <= value <= 1:
            found[name] = float(value)
    if isinstance(each.get("support"), int):
        found["support"] = max(each["support"], 1)
    if isinstance(each.get("pinned"), bool):
        found["pinned"] = each["pinned"]
    for name in _LISTS:
        if isinstance(each.get(name), (list, tuple)):
            found[name] = tuple(map(str, each[name]))
    wrong = [name for name in _DAYS if name in found and not _DAY.fullmatch(found[name])]
    wrong += [name for name, known in _CHOICES.items() if name in found and found[name] not in known]
    return replace(fact, **{name: value for name, value in found.items() if name not in wrong})


def _related(fact: Fact, each: Event) -> Fact:
    relation, other = _text(each, "relation"), _text(each, "other")
    if relation not in _LISTS or not other or other in getattr(fact, relation):
        return fact
    more: dict[str, Any] = {relation: (*getattr(fact, relation), other)}
    return replace(fact, **more)


def _without(ids: tuple[str, ...], other: str) -> tuple[str, ...]:
    return tuple(each for each in ids if each != other)


def _text(each: Event, name: str) -> str:
    value = each.get(name)
    return value if isinstance(value, str) else ""


@dataclass(slots=True)
class _File:
    """How far a file of events was read, and the events read from it with their times."""

    size: int
    inode: int
    read: list[tuple[str, Event]]


class Ledger:
    """The entries of a memory home, kept up to date by reading only what is new."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.entries: dict[Key, Entry] = {}
        self._files: dict[str, _File] = {}
        self._latest = ""

    def refresh(self) -> Ledger:
        """Read what was appended since the last time; raises OSError when a file cannot be read."""
        new, again = list[tuple[str, Event]](), False
        paths = events.paths(self.home)
        for path in paths:
            status = os.stat(path)
            known = self._files.get(path)
            if known and (known.inode != status.st_ino or status.st_size < known.size):
                known, again = None, True
            if known and known.size == status.st_size:
                continue
            new += self._read(path, status.st_ino, known)
        again = again or any(path not in paths for path in self._files)
        self._files = {path: each for path, each in self._files.items() if path in paths}
        new.sort(key=lambda each: each[0])
        if again or (new and new[0][0] < self._latest):
            self.entries = fold(each for _, each in self._in_order())
            self._latest = max((time for file in self._files.values() for time, _ in file.read[-1:]), default="")
        elif new:
            fold((each for _, each in new), self.entries)
            self._latest = new[-1][0]
        return self

    def _read(self, path: str, inode: int, known: _File | None) -> list[tuple[str, Event]]:
        """The events of a file's whole lines beyond what is known of it."""
        known = known or _File(0, inode, [])
        with open(path, "rb") as stream:
            stream.seek(known.size)
            content = stream.read()
        whole = content[: content.rfind(b"\n") + 1]
        latest, found = known.read[-1][0] if known.read else "", list[tuple[str, Event]]()
        for each in events.parse(whole):
            # A clock that was set back does not change the order of one machine's events.
            latest = max(latest, _text(each, "at"))
            found.append((latest, each))
        self._files[path] = _File(known.size + len(whole), inode, known.read + found)
        return found

    def _in_order(self) -> Iterator[tuple[str, Event]]:
        return heapq.merge(*(file.read for file in self._files.values()), key=lambda each: each[0])
