"""The log of what went wrong in a hook: bounded, and never itself a reason to fail."""

from __future__ import annotations

import contextlib
import os
import time

from memory_plugin.memory import places
from memory_plugin.memory.files import note_down

LARGEST_LOG = 512 * 1024  # bytes; the file before it is kept as `.1`


def log(message: str, name: str = "hooks.log") -> None:
    """Append one line with the time to a log in the state folder; says nothing when that can't be done."""
    with contextlib.suppress(Exception):
        path = os.path.join(places.state_folder(), "logs", name)
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(message.split())[:2000]}\n"
        note_down(path, line.encode("utf-8", errors="backslashreplace"), LARGEST_LOG)
