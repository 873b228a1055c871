"""The log of what went wrong in a hook: bounded, and never itself a reason to fail."""

from __future__ import annotations

import contextlib
import os
import time

from memory_plugin.memory import places
from memory_plugin.memory.files import note_down

LOG_NAME = os.path.join("logs", "hooks.log")  # in the state folder
LARGEST_LOG = 512 * 1024  # bytes; the file before it is kept as `.1`


def log(message: str) -> None:
    """Append one line with the time to the log; says nothing when that can't be done."""
    with contextlib.suppress(Exception):
        path = os.path.join(places.state_folder(), LOG_NAME)
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(message.split())[:2000]}\n"
        note_down(path, line.encode("utf-8", errors="backslashreplace"), LARGEST_LOG)
