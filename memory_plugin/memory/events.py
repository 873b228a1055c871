"""The append-only record of what happened to each fact: one JSON line an event, a file a host and month.

The Markdown says what is believed now; the events say how it came to be so, and which facts were ever captured:
a line that the user deleted is not written again.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from memory_plugin.memory import files
from memory_plugin.memory.fact import Fact, slug
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.places import EVENTS_FOLDER

_ID = re.compile(rb'"id":"([0-9a-z]+)"')


def captured(fact: Fact, namespace: str, transcript: str, flush: str) -> dict[str, Any]:
    """The event of a fact's first capture."""
    return {
        "event": "captured",
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "namespace": namespace,
        **asdict(fact),
        "transcript": transcript,
        "flush": flush,
    }


def append(home: str, events: Iterable[dict[str, Any]]) -> None:
    """Append events durably to this host's file of the month."""
    lines = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events]
    if lines:
        path = os.path.join(home, EVENTS_FOLDER, f"{host()}-{time.strftime('%Y-%m')}.jsonl")
        files.append(path, "\n".join(lines).encode("utf-8", errors="replace"))


def known_ids(home: str) -> set[str]:
    """The ids of all facts that any host ever captured."""
    return {found.decode() for path in _files(home) for found in _ID.findall(read_bytes(path))}


def read(home: str) -> Iterator[dict[str, Any]]:
    """All events, file by file in the order written; torn lines are passed by."""
    for path in _files(home):
        for line in read_bytes(path).splitlines():
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event


def host() -> str:
    """This machine's name, as a file name holds it."""
    name = os.uname().nodename
    return slug(name) if name else "host"


def _files(home: str) -> list[str]:
    folder = os.path.join(home, EVENTS_FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except FileNotFoundError:
        return []
    return [os.path.join(folder, name) for name in names]
