"""What `doctor --fix` does: each thing that can be mended without asking, and what was done in a sentence."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator

from memory_plugin.memory import clock, flush, places, spool, tears
from memory_plugin.memory.files import sweep
from memory_plugin.memory.log import LOG_NAME
from memory_plugin.service import client, control

_DRAIN_SECONDS, _DRAIN_POLL = 30.0, 0.1
_ENDING_SECONDS = 3.0
_MEND_SECONDS = 600.0  # every file is compared with its rows


def mend() -> Iterator[str]:
    """Mend folders, files, service, index and debts, in the order in which they depend on each other."""
    home, state = places.memory_home(), places.state_folder()
    yield from _folders(home, state)
    try:
        yield from tears.mend(home, f"{clock.now():%H:%M}")
        if os.path.isdir(home):
            flush.tidy_pointers(home)
    except OSError as error:
        yield f"the memory home cannot be mended: {error}"
    for folder in _folders_of(home):
        sweep(folder)
    yield from _service()
    yield from _owed(state)
    yield from _log(state)


def _folders(home: str, state: str) -> Iterator[str]:
    for folder in (home, state):
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(os.stat(folder).st_mode)
            if mode & stat.S_IRWXU != stat.S_IRWXU and os.path.isdir(folder):
                os.chmod(folder, mode | stat.S_IRWXU)
                yield f"{folder} may be written again"


def _folders_of(home: str) -> Iterator[str]:
    """The home and what is in it, where a process that was killed may have left a file that is not whole."""
    for folder, names, _ in os.walk(home):
        names[:] = [name for name in names if name != ".git"]
        yield folder


def _owed(state: str) -> Iterator[str]:
    """Flush what is owed, once no service hangs that may hold the lock; another process that is at it is waited for."""
    owed, end = spool.count(state), time.monotonic() + _DRAIN_SECONDS
    facts = 0
    while waiting := spool.count(state):
        facts += sum(len(receipt.facts) for receipt in spool.drain(state))
        if (spool.count(state) == waiting and not spool.is_drained(state)) or time.monotonic() > end:
            break
        time.sleep(_DRAIN_POLL)
    if owed:
        yield f"flushed {owed - spool.count(state)} of {owed} owed conversations: {facts} new facts"


def _service() -> Iterator[str]:
    before = control.status()
    if before["running"] and "pid" not in before:
        yield "ended the service, which did not answer" if control.stop() else "the service cannot be ended"
    for again in (True, False):
        try:
            if not control.ensure_started(60.0):
                yield "the service does not start; its log says why"
                return
            done = client.call("/mend", {}, timeout=_MEND_SECONDS)
            break
        except (client.ServiceError, OSError) as error:
            # One that was ended by a damaged index is followed by one that makes it anew.
            if not again or not _has_ended():
                yield f"the index cannot be mended: {error}"
                return
    if control.status().get("pid") != before.get("pid"):
        yield "started the service"
    if changed := {name: done[name] for name in ("added", "updated", "removed") if done[name]}:
        yield "index: " + ", ".join(f"{count} {name}" for name, count in changed.items())


def _has_ended() -> bool:
    """Whether no service is left; one that was just ended by a fault may take a moment to go."""
    end = time.monotonic() + _ENDING_SECONDS
    while control.status()["running"]:
        if time.monotonic() > end:
            return False
        time.sleep(_DRAIN_POLL)
    return True


def _log(state: str) -> Iterator[str]:
    path = os.path.join(state, LOG_NAME)
    with contextlib.suppress(FileNotFoundError):
        os.replace(path, f"{path}.1")
        yield f"what went wrong in hooks is now in {path}.1"
