"""The daily snapshot: made while nobody asks anything, and all snapshots read through once a week."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from memory_plugin.memory import clock, retention, settings, snapshots
from memory_plugin.memory.contents import contents
from memory_plugin.memory.files import write_whole
from memory_plugin.memory.snapshots import PlaceError, Snapshot, Store
from memory_plugin.service.idle import IdleWork, noted, week_of

DONE_NAME = "backups.json"  # in the state folder: the day and the ISO week that were done last, and what went wrong
LEAST_FREE = 256 << 20  # bytes: on a disk with less, what is said must be written first
LONGEST_BEHIND = 3 * 86_400.0  # seconds
_AGAIN = 3600.0  # seconds after a failure: a disk may be plugged in again
_log = logging.getLogger(__name__)


class Backups(IdleWork):
    """A thread that makes a snapshot of the memory home once a local day. Methods may be called from any thread."""

    def __init__(self, home: str, state: str, idle_seconds: Callable[[], float]) -> None:
        super().__init__("backup", idle_seconds)
        self.home, self.state = home, state
        self._not_before = 0.0

    def status(self) -> dict[str, Any]:
        """When it looked last, and what went wrong then."""
        return done(self.state)

    def do_if_due(self) -> bool:
        """Make today's snapshot, unless nothing changed; whether there was anything to do."""
        today = clock.today()
        before, week = done(self.state), week_of(today)
        if not settings.load()[0].backup.enabled or not os.path.isdir(self.home):
            return False
        if before.get("day") == f"{today}" or time.monotonic() < self._not_before:
            return False
        # Written first: one at which the process is killed is not tried again and again.
        self._note({**before, "day": f"{today}", "problem": "the last one was not finished"})
        try:
            problem = self._back_up(weekly=before.get("week") != week)
        except (PlaceError, OSError) as error:
            self._not_before = time.monotonic() + _AGAIN
            self._note({**before, "problem": str(error)})
            _log.warning("no snapshot: %s", error)
        else:
            self._note({"day": f"{today}", "week": week, "problem": problem})
        return True

    def _back_up(self, *, weekly: bool) -> str:
        """Make a snapshot, read all of them if `weekly`; what is wrong with them, or ""."""
        store = Store(snapshots.place(self.state))
        if name := store.unfinished():
            return f"the restore of {name} was not finished; `memory-plugin backup restore` does it"
        if not contents(self.home).files and not store.snapshots():
            return ""
        with store.locked():
            system = os.statvfs(store.folder)
            if system.f_bavail * system.f_frsize < LEAST_FREE:
                raise OSError(f"less than {LEAST_FREE >> 20} MB are free where {store.folder} lies")
            made, new = store.make(self.home, retention.DAILY, thorough=weekly)
            store.prune()
            problems = store.verify().problems if weekly else ()
        _log.info("snapshot %s%s", made.name, "" if new else " still holds what there is")
        return f"{len(problems)} files in snapshots are damaged; see `memory-plugin backup verify`" if problems else ""

    def _note(self, what: Mapping[str, str]) -> None:
        content = {name: value for name, value in what.items() if value}
        write_whole(os.path.join(self.state, DONE_NAME), json.dumps(content).encode())


def done(state: str) -> dict[str, str]:
    """What was noted of the last look: `day`, `week`, `problem`, each only if there is one."""
    return noted(os.path.join(state, DONE_NAME), "day", "week", "problem")


def standing(home: str, state: str) -> dict[str, Any]:
    """How the snapshots of a home are, as data, whether the service runs or not.

    last: the name of the latest, "" without; size: bytes in all; looked: the day on which the service looked last;
    behind: whether something that is in no snapshot has been there for LONGEST_BEHIND seconds; problem: what is wrong,
    in a sentence, with `step`, what to do about it.
    """
    found: dict[str, Any] = {"enabled": settings.load()[0].backup.enabled, "last": "", "count": 0, "size": 0}
    try:
        store = Store(snapshots.place(state))
        made = store.snapshots()
        files = contents(home).files if os.path.isdir(home) else {}
    except (PlaceError, OSError) as error:
        return {**found, "problem": str(error), "step": "mount it, or change backup.folder in the settings"}
    of_home = [each for each in made if each.home == home and not each.problem]
    note, last = done(state), of_home[0] if of_home else None
    changed = {inside: each.st_mtime for inside, each in files.items() if _is_new(inside, each.st_mtime_ns, last)}
    problem, step = "", "`memory-plugin backup create` makes one now"
    if unfinished := store.unfinished():
        problem, step = f"the restore of {unfinished} was not finished", "`memory-plugin backup restore` does it"
    elif any(each.problem for each in made):
        problem, step = "a snapshot cannot be read", "`memory-plugin backup verify` says which"
    elif note.get("problem"):
        problem = note["problem"]
    return {
        **found,
        "folder": store.folder,
        "count": len(made),
        "last": last.name if last else "",
        "size": snapshots.size_of(made),
        "looked": note.get("day", ""),
        "behind": min(changed.values(), default=time.time()) < time.time() - LONGEST_BEHIND,
        "problem": problem,
        "step": step,
    }


def _is_new(inside: str, mtime_ns: int, last: Snapshot | None) -> bool:
    known = last.files.get(inside) if last else None
    return known is None or known.mtime_ns not in (0, mtime_ns)
