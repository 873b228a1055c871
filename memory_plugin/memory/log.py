"""The log of what went wrong in a hook: bounded, and never itself a reason to fail."""

from __future__ import annotations

import contextlib
import os
import time

from memory_plugin.memory import places
from memory_plugin.memory.files import PRIVATE_FILE, make_folder

LARGEST_LOG = 512 * 1024  # bytes; the file before it is kept as `.1`


def log(message: str, name: str = "hooks.log") -> None:
    """Append one line with the time to a log in the state folder; says nothing when that can't be done."""
    with contextlib.suppress(Exception):
        folder = os.path.join(places.state_folder(), "logs")
        make_folder(folder)
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if os.path.getsize(path) > LARGEST_LOG:
                os.replace(path, path + ".1")
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(message.split())[:2000]}\n"
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
        try:
            os.write(descriptor, line.encode("utf-8", errors="backslashreplace"))
        finally:
            os.close(descriptor)
