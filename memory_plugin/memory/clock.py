"""What time it is: the system's clock, or the moment that a file holds, so that a month can be lived in a minute."""

from __future__ import annotations

import contextlib
import os
from datetime import date, datetime

VARIABLE = "MEMORY_PLUGIN_CLOCK"  # names a file with an ISO 8601 time; for tests


def now() -> datetime:
    """The moment, in local time with its offset."""
    path = os.environ.get(VARIABLE)
    if path:
        with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii") as stream:
            return datetime.fromisoformat(stream.read().strip()).astimezone()
    return datetime.now().astimezone()


def today() -> date:
    """The local day."""
    return now().date()
