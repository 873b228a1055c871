"""Starting and stopping the service from another process, and asking whether it runs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import Any

from memory_plugin.memory import places, starter
from memory_plugin.memory.files import make_folder, try_lock
from memory_plugin.service import client, lifecycle

_POLL = 0.05
_START_AGAIN = 2.0  # seconds; a starter can lose against a service that is about to end
_ENDS_BY_ITSELF = 6.0


def ensure_started(timeout: float = 15.0) -> bool:
    """Whether a service for this plugin, home and settings answers within `timeout` seconds; starts one if need be."""
    make_folder(places.state_folder())
    deadline = time.monotonic() + timeout
    next_start = 0.0
    while True:
        running = _answers()
        if running:
            return True
        now = time.monotonic()
        if now >= deadline:
            return False
        if running is False:
            stop(max(0.0, deadline - now))
        elif now >= next_start:
            _start()
            next_start = now + _START_AGAIN
        time.sleep(_POLL)


def stop(timeout: float = 15.0) -> bool:
    """End the service: asked, then told, then killed. False when none ran."""
    state = places.state_folder()
    if not _is_held(state):
        return False
    with contextlib.suppress(client.ServiceError):
        client.call("/stop", {}, timeout=2.0)
    deadline = time.monotonic() + timeout
    for number, patience in ((None, _ENDS_BY_ITSELF), (signal.SIGTERM, _ENDS_BY_ITSELF), (signal.SIGKILL, timeout)):
        process = lifecycle.information(state).get("pid")
        if number is not None and isinstance(process, int) and process > 1 and _is_held(state):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)
        until = min(time.monotonic() + patience, deadline) if number != signal.SIGKILL else time.monotonic() + 2.0
        while time.monotonic() < until:
            if not _is_held(state):
                return True
            time.sleep(_POLL)
    return not _is_held(state)


def status() -> dict[str, Any]:
    """What the service says of itself, with `running`; when it isn't there or doesn't answer, `problem` says so."""
    try:
        return {"running": True, **client.call("/status", timeout=10.0)}
    except client.NotRunningError as error:
        return {"running": False, "problem": str(error)}
    except client.ServiceError as error:
        return {"running": _is_held(places.state_folder()), "problem": str(error)}


def _answers() -> bool | None:
    """True: ours answers. False: one answers for another version, home or settings. None: nobody does."""
    try:
        return bool(client.call("/hello", timeout=5.0)["yours"])
    except (client.ServiceError, KeyError):
        return None


def _is_held(state: str) -> bool:
    path = os.path.join(state, lifecycle.LOCK_NAME)
    if not os.path.exists(path):
        return False
    lock = try_lock(path)
    if lock is not None:
        lock.close()
    return lock is None


def _start() -> None:
    # The starting process forks and ends at once, so waiting for it leaves no zombie behind.
    process = starter.start(starter.interpreter() or sys.executable, ("service", "run"))
    if process is not None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)
