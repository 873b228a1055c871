"""The daily snapshot: made while nobody asks anything, and all snapshots read through once a week."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from typing import Any

from memory_plugin.memory import clock, retention, settings, snapshots
from memory_plugin.memory.contents import contents
from memory_plugin.memory.files import write_whole
from memory_plugin.memory.snapshots import PlaceError, Snapshot, Store
from memory_plugin.service.idle import IdleWork, noted, week_of

DONE_NAME = "backups.json"  # in the state folder: the day and the ISO week that were done last, and what went wrong
QUIET_SECONDS = 120.0  # nobody asked anything for so long
LEAST_FREE = 256 << 20  # bytes: on a disk with less, what is said must be written first
LONGEST_BEHIND = 3 * 86_400.0  # seconds
_AGAIN = 3600.0  # seconds after a failure: a disk may be plugged in again
_log = logging.getLogger(__name__)


class Backups(IdleWork):
    """A thread that makes a snapshot of the memory home once a local day. Methods may be called from any thread."""

    def __init__(self, home: str, state: str, idle_seconds: Callable[[], float]) -> None:
        super().__init__("backup", idle_seconds, QUIET_SECONDS)
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
        note(self.state, day=f"{today}", problem="the last one was not finished")
        try:
            self._back_up(weekly=before.get("week") != week)
        except (PlaceError, OSError) as error:
            self._not_before = time.monotonic() + _AGAIN
            note(self.state, day=before.get("day", ""), problem=str(error))
            _log.warning("no snapshot: %s", error)
        else:
            note(self.state, week=week, problem="")
        return True

    def _back_up(self, *, weekly: bool) -> None:
        """Make a snapshot; read all of them if `weekly`, and note what is damaged."""
        store = Store(snapshots.place(self.state))
        if store.unfinished():
            raise OSError("half a restore is no memory to keep")
        if not contents(self.home).files and not store.snapshots():
            return
        with store.locked():
            system = os.statvfs(store.folder)
            if system.f_bavail * system.f_frsize < LEAST_FREE:
                raise OSError(f"less than {LEAST_FREE >> 20} MB are free where {store.folder} lies")
            made, new = store.make(self.home, retention.DAILY, thorough=weekly)
            store.prune()
            _log.info("snapshot %s%s", made.name, "" if new else " still holds what there is")
            if weekly:
                note(self.state, damage=f"{len(store.verify().problems) or ''}")


def done(state: str) -> dict[str, str]:
    """What was noted last, each only if there is any: the `day` and the ISO `week` that were done, the `problem` that
    stood in the way, and how many files in snapshots were damaged (`damage`)."""
    return noted(os.path.join(state, DONE_NAME), "day", "week", "problem", "damage")


def note(state: str, **what: str) -> None:
    """Change what is noted; "" for what is no more. OSError when it cannot be written."""
    content = {name: value for name, value in {**done(state), **what}.items() if value}
    write_whole(os.path.join(state, DONE_NAME), json.dumps(content).encode())


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
        return {**found, "problem": str(error), "step": "do that, or change backup.folder in the settings"}
    of_home = [each for each in made if each.home == home and not each.problem]
    last_look, last = done(state), of_home[0] if of_home else None
    changed = {inside: each.st_mtime for inside, each in files.items() if _is_new(inside, each.st_mtime_ns, last)}
    problem, step = "", "`memory-plugin backup create` makes one now"
    if unfinished := store.unfinished():
        problem, step = f"the restore of {unfinished} was not finished", "`memory-plugin backup restore` does it"
    elif any(each.problem for each in made):
        problem, step = "a snapshot cannot be read", "`memory-plugin backup verify` says which"
    elif last_look.get("damage"):
        problem = f"{last_look['damage']} files in snapshots are damaged"
        step = "`memory-plugin backup verify` says which; `memory-plugin backup create` keeps anew what is still there"
    elif last_look.get("problem"):
        problem = last_look["problem"]
    return {
        **found,
        "folder": store.folder,
        "count": len(made),
        "last": last.name if last else "",
        "size": snapshots.size_of(made),
        "looked": last_look.get("day", ""),
        "behind": min(changed.values(), default=time.time()) < time.time() - LONGEST_BEHIND,
        "problem": problem,
        "step": step,
    }


def _is_new(inside: str, mtime_ns: int, last: Snapshot | None) -> bool:
    known = last.files.get(inside) if last else None
    return known is None or known.mtime_ns not in (0, mtime_ns)
