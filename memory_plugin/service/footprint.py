"""How much of the machine the service takes."""

from __future__ import annotations

import resource
import sys


def memory_in_use() -> int:
    """Bytes of this process in memory now; the most there ever were, where the system has no /proc."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10
