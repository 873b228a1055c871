"""Who has the index open: one process at a time; and whether the one before it came to close it.

There is damage at which LanceDB ends the process instead of raising an error (a length that no memory holds, say). No
process sees its own such end, and each next one would open the same files and end as well. So the lock's file says
"open" for as long as the index is: who finds that said by a process that is gone has the files looked at first.
"""

from __future__ import annotations

import contextlib
import os
from typing import IO

from memory_plugin.memory.files import try_lock

_OPEN = b"open\n"


class Lease:
    """The lock on an index, held until it is given back. left_open: who held it before ended without giving it back."""

    def __init__(self, lock: IO[bytes]) -> None:
        self._lock = lock
        self.left_open = os.fstat(lock.fileno()).st_size > 0
        if not self.left_open:
            with contextlib.suppress(OSError):  # on a full disk the index is read all the same
                os.write(lock.fileno(), _OPEN)

    @classmethod
    def take(cls, path: str) -> Lease | None:
        """The lease, or None while another process has it."""
        lock = try_lock(path)
        return None if lock is None else cls(lock)

    def fileno(self) -> int:
        """The lock's descriptor: a process that inherits it holds the lease as well, until it ends."""
        return self._lock.fileno()

    def give_back(self) -> None:
        """Let another process have the index, which is closed and needs no look."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._lock.fileno(), 0)
        self._lock.close()
