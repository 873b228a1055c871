"""What the C library keeps of memory that nobody uses any more: glibc's allocator, elsewhere nothing is done.

LanceDB's threads and Python's allocate with malloc. With its default, each new thread gets an arena of its own, up to
eight for each processor, and what is freed in one serves no other; what a sync or an embedding freed stays with the
process.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_ARENAS = 2


def share_arenas() -> None:
    """Have all threads that begin from now on allocate from two arenas."""
    if (library := _c_library()) is not None:
        library.mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return to the system what was freed: some milliseconds, after something large."""
    if (library := _c_library()) is not None:
        library.malloc_trim(0)


def _c_library() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
