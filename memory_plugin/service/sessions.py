"""What the hooks of a session's start, compaction and end leave to the service, which has everything in memory that a
process of their own would first have to import.

It does exactly what they would have done (`memory.hooks`), as durably, before it answers. What takes longer than a hook
waits is left to the hook.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Executor

from memory_plugin.memory import hooks, spool, watermark

MOST_AT_ONCE = 1_000_000  # bytes of transcript; more would hold up the prompts of others


class Declined(Exception):
    """The hook is to do it in its own process."""


class Sessions:
    """Hooks other than the prompt's, answered. Methods may be called from any thread; `executor` runs what can wait."""

    def __init__(self, state: str, executor: Executor) -> None:
        self._state = state
        self._executor = executor

    def answer(self, hook: str, body: bytes, project: str) -> str:
        """Do what a hook is for; what it prints. Raises Declined.

        body: its standard input; project: the folder that its client was started in, or "".
        """
        event = hooks.read_event(body, project, "")
        if event is None:
            return ""
        if not os.path.isabs(event.project) or (event.transcript and not os.path.isabs(event.transcript)):
            raise Declined  # where the hook stands is not known here
        if hook == "session_start" and not hooks.is_set_up():
            raise Declined  # it begins the set-up
        if hook == "pre_compact" and _pending(self._state, event.transcript) > MOST_AT_ONCE:
            raise Declined
        answer = ""
        for so_far in hooks.HOOKS[hook](event, self):
            answer = so_far
        return answer

    def drain(self, folder: str = "", project: str = "") -> None:
        """Have whatever is owed flushed, in another process if it is much or if there is a folder to look through."""
        if folder or spool.pending(self._state) > MOST_AT_ONCE:
            process = hooks.start_drain(folder, project)
            if process is not None:  # else it stays a zombie
                threading.Thread(target=os.waitpid, args=(process, 0), name="drain", daemon=True).start()
        else:
            self._executor.submit(spool.drain, self._state)

    def wake(self, state: str) -> str:
        """Nothing: the service is awake."""
        return ""


def _pending(state: str, transcript: str) -> int:
    return watermark.pending(state, transcript) if os.path.isfile(transcript) else 0
