"""What else `doctor` looks at on the disk: who may read and write there, room, a lock that somebody keeps."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import time

from memory_plugin.cli.finding import Finding
from memory_plugin.memory import journal
from memory_plugin.memory.files import try_lock

LOW_DISK = 1 << 30  # bytes
_LONGEST_HELD = 3.0  # seconds; whoever writes holds the lock for a fraction of one
_STEP = 0.1


def disk(*folders: str) -> Finding:
    """The least room on the disks of some folders, which need not exist."""
    free = min(map(free_bytes, folders))
    if free < LOW_DISK:
        return Finding(
            "WARN", "disk", f"{free >> 20} MB free", "make room: a flush on a full disk is put off, not lost"
        )
    return Finding("OK", "disk", f"{free >> 30} GB free")


def free_bytes(folder: str) -> int:
    """The room on the disk where a folder is, or would be made."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return shutil.disk_usage(folder).free


def permissions(home: str, state: str) -> Finding:
    """Whether anybody but the user may write what is remembered, or read the state."""
    for folder, mode, who in ((home, 0o022, "written"), (state, 0o077, "read")):
        with contextlib.suppress(FileNotFoundError):
            found = os.stat(folder)
            if found.st_uid != os.getuid():
                return Finding("WARN", "access", f"{folder} is not yours", f"take it: sudo chown -R $USER {folder}")
            if stat.S_IMODE(found.st_mode) & mode:
                step = f"chmod {'go-w' if who == 'written' else 'go-rwx'} {folder}"
                return Finding("WARN", "access", f"{folder} may be {who} by others", step)
    return Finding("OK", "access", "yours alone to write")


def locks(home: str) -> Finding:
    """Whether somebody keeps the home's lock, so that nothing can be written."""
    path, until = os.path.join(home, journal.LOCK), time.monotonic() + _LONGEST_HELD
    try:
        while os.path.exists(path):
            if held := try_lock(path):
                held.close()
                break
            if time.monotonic() > until:
                step = f"see who: `fuser {path}`; end that process if it hangs"
                return Finding("WARN", "locks", f"a process has held {path} for {_LONGEST_HELD:.0f} s", step)
            time.sleep(_STEP)
    except OSError as error:  # a home that cannot be written is told of above
        return Finding("OK", "locks", f"not tried: {error.strerror}")
    return Finding("OK", "locks", "free")
