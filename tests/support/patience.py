"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0  # seconds; nothing is expected to take long, but a busy machine may


def eventually(holds: Callable[[], object], seconds: float = PATIENCE, every: float = 0.05) -> bool:
    """Whether this comes true in time, asked so often."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True
