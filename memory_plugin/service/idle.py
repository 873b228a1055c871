"""A thread that now and then looks whether something is due, and does it while nobody asks anything."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date

from memory_plugin.memory.files import read_bytes

LOOK_EVERY = 30.0  # seconds
_log = logging.getLogger(__name__)


class IdleWork(ABC):
    """Begins to look with `start`, ends with `stop`. Methods may be called from any thread.

    `idle_seconds` says for how long nobody has asked anything; it works once that is `quiet` seconds.
    """

    def __init__(self, name: str, idle_seconds: Callable[[], float], quiet: float) -> None:
        self._idle_seconds, self._quiet = idle_seconds, quiet
        self._problem = ""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to look now and then whether something is due."""
        self._thread.start()

    def stop(self) -> None:
        """End after the step that is being done; returns at once."""
        self._stopping.set()

    @abstractmethod
    def do_if_due(self) -> bool:
        """Do what is due now; whether anything was."""

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_EVERY):
            try:
                if self._idle_seconds() >= self._quiet:
                    self.do_if_due()
            except Exception as error:
                self._problem = f"the {self._thread.name} failed: {error}"
                _log.exception("%s failed", self._thread.name)


def noted(path: str, *names: str) -> dict[str, str]:
    """What a note of what was done last says under these names; what is torn says nothing, so that it is due."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        found = json.loads(read_bytes(path))
        return {name: found[name] for name in names if isinstance(found.get(name), str)}
    return {}


def week_of(day: date) -> str:
    """The ISO week of a day, `2026-W49`."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"
