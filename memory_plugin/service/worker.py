"""A thread that works when it is asked to, and whoever waits for it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Worker(ABC):
    """Begins with `start`, works after each `request`, ends with `stop`. Methods may be called from any thread."""

    def __init__(self, name: str) -> None:
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; nothing happens before the first `request`."""
        self._thread.start()

    def stop(self) -> None:
        """End after what is being done; returns at once."""
        self._stopping.set()
        self._wanted.set()

    def request(self) -> None:
        """Have whatever is new worked on soon; returns at once."""
        self._done.clear()
        self._wanted.set()

    def wait(self, timeout: float) -> bool:
        """Wait for what was requested, for so many seconds at most; whether it is done, or can't be."""
        return self._done.wait(timeout)

    @abstractmethod
    def _run(self) -> None:
        """Work whenever `_wanted` is set, until `_stopping` is; set `_done` when nothing is wanted any more."""
