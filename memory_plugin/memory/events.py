"""The append-only record of what happened to each fact: one JSON line an event, a file a host and month.

The Markdown says what is believed now; the events say how it came to be so, and which facts were ever captured:
a line that the user deleted is not written again. `ledger` reads them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import timezone
from typing import Any

from memory_plugin.memory import clock, files
from memory_plugin.memory.fact import DEFAULTS, Fact, slug
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.places import EVENTS_FOLDER
from memory_plugin.memory.redaction import redact

Event = dict[str, Any]
KINDS = (
    *("captured", "heard", "confirmed", "reconciled", "superseded", "contradicted", "related", "undone"),
    *("archived", "reopened", "corrected", "retracted", "restored", "purged"),
    *("pinned", "unpinned", "promoted", "used"),
)
# `alias` is the id of other words for the fact: those of a correction.
_KNOWN = re.compile(rb'"(?:id|alias)":"([0-9a-z]+)"')
_SAID_IN = re.compile(rb'"(?:session":"|source":")([\w.-]{1,8})[#"]', re.ASCII)


def event(kind: str, namespace: str, identity: str, **details: Any) -> Event:
    """An event that happens now to the fact with this id; empty details are left out. ValueError unless of KINDS."""
    if kind not in KINDS:
        raise ValueError(f"not a kind of event: {kind}")
    moment = clock.now()
    return {
        "event": kind,
        "at": moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "day": f"{moment:%Y-%m-%d}",
        "namespace": namespace,
        **({"id": identity} if identity else {}),
        **{name: value for name, value in details.items() if value not in ("", None, (), [])},
    }


def captured(fact: Fact, namespace: str, transcript: str, flush: str) -> Event:
    """The event of a fact's first capture, with all of it that is not the usual."""
    what = {name: value for name, value in asdict(fact).items() if name not in DEFAULTS or value != DEFAULTS[name]}
    time = what.pop("at")
    return {**event("captured", namespace, fact.id), **what, "time": time, "transcript": transcript, "flush": flush}


def append(home: str, events: Iterable[Event]) -> None:
    """Append events durably to this host's file of the month."""
    lines = [json.dumps(_masked(event), ensure_ascii=False, separators=(",", ":")) for event in events]
    if lines:
        path = os.path.join(home, EVENTS_FOLDER, f"{host()}-{clock.now():%Y-%m}.jsonl")
        files.append(path, "\n".join(lines).encode("utf-8", errors="replace"))


def _masked(event: Event) -> Event:
    """The event without secrets, which may stand in what a person wrote into a file, now or before."""
    return event | {name: redact(event[name]) for name in ("text", "before", "how") if event.get(name)}


def known_sessions(home: str) -> dict[str, set[str]]:
    """The ids of all facts that any host ever captured, and those of the words that people corrected them to; of each
    the sessions that said it. A torn line makes nothing known: what it was to record is recorded again."""
    known: dict[str, set[str]] = {}
    for path in paths(home):
        for line in read_bytes(path).splitlines():
            if not line.endswith(b"}"):
                continue
            for identity in _KNOWN.findall(line):
                known.setdefault(identity.decode(), set()).update(map(bytes.decode, _SAID_IN.findall(line)))
    return known


def read(home: str) -> Iterator[Event]:
    """All events, file by file in the order written; torn lines are passed by."""
    for path in paths(home):
        yield from parse(read_bytes(path))


def parse(content: bytes) -> Iterator[Event]:
    """The events of a file's whole lines; torn lines are passed by."""
    for line in content.splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def host() -> str:
    """This machine's name, as a file name holds it."""
    name = os.uname().nodename
    return slug(name) if name else "host"


def paths(home: str) -> list[str]:
    """The files of events, of all hosts and months."""
    folder = os.path.join(home, EVENTS_FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except FileNotFoundError:
        return []
    return [os.path.join(folder, name) for name in names]
