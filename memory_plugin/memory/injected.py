"""Which notes a conversation has already been given: one small file a session, emptied by a compaction.

A note is shown once in a conversation until a compaction took it away. Several processes write here (the hooks'
and the service's), each whole lines only; a lost line costs a repeated note, so nothing is synced to disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memory_plugin.memory import places
from memory_plugin.memory.files import PRIVATE_FILE, make_folder, read_bytes

FOLDER = "injections"  # in the state folder
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_KEPT_DAYS = 30
_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
_LARGEST = 4 << 20


def record(session: str, notes: Iterable[str], event: str, namespace: str = "") -> None:
    """Note down the ids of what `event` (the hook's name) has just put before the model."""
    shown = list(notes)
    if shown:
        _append(session, {"at": _now(), "event": event, "namespace": namespace, "notes": shown})


def shown(session: str) -> frozenset[str]:
    """The ids that stand in the conversation now: recorded since its last compaction."""
    found: set[str] = set()
    for line in read_bytes(_path(session), _LARGEST).splitlines():
        with contextlib.suppress(ValueError, TypeError, AttributeError):  # a torn line
            entry = json.loads(line)
            if entry.get("event") == "reset":
                found.clear()
            found.update(str(each) for each in entry.get("notes", ()))
    return frozenset(found)


def used() -> dict[str, set[str]]:
    """By a note's id, the conversations of the last weeks in which a prompt was answered with it, shortened as a
    fact's source names them."""
    found: dict[str, set[str]] = {}
    folder = os.path.join(places.state_folder(), FOLDER)
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(folder)):
            for line in read_bytes(os.path.join(folder, name), _LARGEST).splitlines():
                with contextlib.suppress(ValueError, TypeError, AttributeError):  # a torn line
                    entry = json.loads(line)
                    if entry.get("event") == "UserPromptSubmit":
                        for note in entry.get("notes", ()):
                            found.setdefault(str(note), set()).add(name[:8])
    return found


def latest(namespace: str | None = None) -> dict[str, dict[str, Any]]:
    """By hook, the last thing of the last weeks that it put before a model, in a namespace or anywhere: `at` (ISO
    8601), `time` (seconds since 1970), `notes` (how many)."""
    found = dict[str, dict[str, Any]]()
    folder = os.path.join(places.state_folder(), FOLDER)
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for name in os.listdir(folder):
            for line in read_bytes(os.path.join(folder, name), _LARGEST).splitlines():
                with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError):  # a torn line
                    entry = json.loads(line)
                    event, moment = entry["event"], datetime.strptime(entry["at"], _FORMAT).timestamp()
                    is_newer = event not in found or moment >= found[event]["time"]
                    if entry.get("notes") and namespace in (None, entry["namespace"]) and is_newer:
                        found[event] = {"at": entry["at"], "time": moment, "notes": len(entry["notes"])}
    return found


def reset(session: str) -> None:
    """Forget what was shown: the conversation is compacted, so every note may come again."""
    if os.path.exists(_path(session)):
        _append(session, {"at": _now(), "event": "reset"})


def prune(days: float = _KEPT_DAYS) -> int:
    """Remove the files of conversations without an injection for so many days; returns how many."""
    folder = os.path.join(places.state_folder(), FOLDER)
    oldest = time.time() - days * 86_400
    removed = 0
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.stat().st_mtime < oldest:
                    os.unlink(entry.path)
                    removed += 1
    return removed


def _path(session: str) -> str:
    name = session if _PLAIN_NAME.fullmatch(session) else hashlib.sha256(session.encode(errors="replace")).hexdigest()
    return os.path.join(places.state_folder(), FOLDER, f"{name}.jsonl")


def _append(session: str, entry: dict[str, object]) -> None:
    path = _path(session)
    make_folder(os.path.dirname(path))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
    try:
        # The break before the line closes off one that a crash tore.
        os.write(descriptor, b"\n" + json.dumps(entry).encode() + b"\n")
    finally:
        os.close(descriptor)


def _now() -> str:
    return time.strftime(_FORMAT)
