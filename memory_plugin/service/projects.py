"""The projects that this machine's conversations were in: where each lies and which memory is its own."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterator

from memory_plugin.index.sources import PROJECT_FILES, Project
from memory_plugin.memory import places
from memory_plugin.memory.files import read_bytes, write_whole

NAME = "projects.json"  # in the state folder
_MOST = 200
_log = logging.getLogger(__name__)
_DAY = 86_400.0
_LARGEST = 1 << 20


class Projects:
    """The known projects, kept in a file; may be used from several threads."""

    def __init__(self, state: str) -> None:
        self._path = os.path.join(state, NAME)
        self._lock = threading.Lock()
        self._known = _read(self._path)
        self._looks: dict[str, tuple[object, ...]] = {}

    def known(self) -> tuple[Project, ...]:
        """All projects whose folder still exists, the latest first."""
        with self._lock:
            latest = sorted(self._known.items(), key=lambda item: -item[1][1])
        return tuple(Project(folder, namespace) for folder, (namespace, _) in latest if os.path.isdir(folder))

    def visit(self, folder: str, namespace: str) -> bool:
        """Note that a conversation is in this folder; True when its Markdown isn't as it was at the last visit."""
        with self._lock:
            before = self._known.get(folder)
            self._known[folder] = (namespace, time.time())
            if before is None or before[0] != namespace or time.time() - before[1] > _DAY:
                try:
                    self._write()
                except OSError as error:  # a full disk forgets the project at the next start, no more
                    _log.warning("projects not written down: %s", error)
            look = tuple(_look(folder))
            changed = self._looks.get(folder) != look
            self._looks[folder] = look
            return changed

    def _write(self) -> None:
        latest = sorted(self._known.items(), key=lambda item: -item[1][1])[:_MOST]
        self._known = dict(latest)
        rows = [{"folder": folder, "namespace": name, "seen": round(seen)} for folder, (name, seen) in latest]
        write_whole(self._path, json.dumps(rows, indent=1).encode() + b"\n")


def memory_folder(folder: str) -> str:
    """Where the client keeps its own memory of a project."""
    return os.path.join(places.client_folder(), "projects", places.client_slug(folder), "memory")


def _look(folder: str) -> Iterator[object]:
    """What changes when a project's Markdown does: a few `stat` calls, so it can be asked at each prompt."""
    for path in [*(os.path.join(folder, name) for name, _ in PROJECT_FILES), memory_folder(folder)]:
        try:
            stat = os.stat(path)
            yield path, stat.st_mtime_ns, stat.st_size
            if not os.path.isdir(path):
                continue
            with os.scandir(path) as entries:
                yield from sorted((entry.name, entry.stat().st_mtime_ns) for entry in entries)
        except OSError:
            yield path


def _read(path: str) -> dict[str, tuple[str, float]]:
    try:
        rows = json.loads(read_bytes(path, _LARGEST))
        return {str(row["folder"]): (str(row["namespace"]), float(row["seen"])) for row in rows}
    except (OSError, ValueError, TypeError, KeyError):
        return {}
