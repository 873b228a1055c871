"""The review by itself: while nobody asks anything, once a local day, and its weekly part once a week."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from typing import Any

from memory_plugin.memory import clock, injected, pointers, review
from memory_plugin.memory.files import write_whole
from memory_plugin.memory.ledger import Ledger
from memory_plugin.service.idle import IdleWork, noted, week_of

DONE_NAME = "review.json"  # in the state folder: the day and the ISO week that were reviewed last
QUIET_SECONDS = 180.0  # nobody asked anything for so long: the snapshot of the day is made before
_log = logging.getLogger(__name__)


class Reviewing(IdleWork):
    """A thread that reviews the memory home when a day or a week is due. Methods may be called from any thread."""

    def __init__(self, home: str, state: str, idle_seconds: Callable[[], float]) -> None:
        super().__init__("review", idle_seconds, QUIET_SECONDS)
        self.home, self.state = home, state
        self._steps = 0

    def status(self) -> dict[str, Any]:
        """When the last reviews were, how much the last one did, and what stood in its way."""
        return {**_done(self.state), "steps": self._steps, "problem": self._problem}

    def do_if_due(self) -> bool:
        """Review what is due today; whether anything was. What cannot be read or written waits for the next day."""
        today = clock.today()
        done, week = _done(self.state), week_of(today)
        weekly = done.get("week") != week
        if done.get("day") == f"{today}" or not os.path.isdir(self.home):
            return False
        # Written first: a review that fails or is killed is not tried again and again, its weekly part once a day.
        self._note({**done, "day": f"{today}"})
        self._problem, self._steps = "", 0
        ledger = Ledger(self.home).refresh()
        used = injected.used()
        for namespace in pointers.namespaces_of(self.home):
            if self._stopping.is_set():
                break
            try:
                steps = review.plan(self.home, [namespace], ledger, today, used=used, weekly=weekly)
                review.apply(self.home, steps, today)
            except OSError as error:
                self._problem = f"{namespace} is not reviewed: {error}"
                _log.warning("%s", self._problem)
            else:
                self._steps += len(steps)
        else:
            self._note({"day": f"{today}", "week": week})
        _log.info("reviewed %s%s: %d steps", today, ", the week too" if weekly else "", self._steps)
        return True

    def _note(self, done: dict[str, str]) -> None:
        write_whole(os.path.join(self.state, DONE_NAME), json.dumps(done).encode())


def _done(state: str) -> dict[str, str]:
    return noted(os.path.join(state, DONE_NAME), "day", "week")
