"""How long the service took for each hook: what a hook costs beside that is its process."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

KEPT = 200  # of each hook, the last ones


class Timings:
    """Seconds by the name of a hook. For one thread."""

    def __init__(self) -> None:
        self._seconds: dict[str, deque[float]] = {}

    @contextlib.contextmanager
    def measured(self, hook: str) -> Iterator[None]:
        """Around what is done for a hook, also when it fails."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._seconds.setdefault(hook, deque(maxlen=KEPT)).append(time.perf_counter() - started)

    def status(self) -> dict[str, Any]:
        """For each hook: answered (how many are kept), median_ms, p95_ms, and milliseconds, the newest last."""
        return {hook: _told(list(seconds)) for hook, seconds in self._seconds.items()}


def _told(seconds: list[float]) -> dict[str, Any]:
    milliseconds = [round(each * 1000, 2) for each in seconds]
    return {
        "answered": len(milliseconds),
        "median_ms": round(statistics.median(milliseconds), 2),
        "p95_ms": sorted(milliseconds)[int(len(milliseconds) * 0.95)],
        "milliseconds": milliseconds,
    }
