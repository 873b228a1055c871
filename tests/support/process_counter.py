"""Count the processes that a command starts, with ptrace(2): none is missed, however short-lived (Linux only).

    python tests/support/process_counter.py REPORT COMMAND…

runs the command on the same standard streams, exits as it does, and writes a JSON list to REPORT: how many
processes the command itself started, how many those started, and so on, as of the moment it ended. What outlives
the command is let go.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections import Counter

# From <sys/ptrace.h> and <linux/wait.h>. Threads are "clone" events, which are not asked for.
TRACEME, CONT, SETOPTIONS, GETEVENTMSG = 0, 7, 0x4200, 0x4201
EVENTS_OF_FORK_AND_VFORK = 1 << 1 | 1 << 2
WAIT_FOR_ALL = 0x40000000

_ptrace = ctypes.CDLL(None, use_errno=True).ptrace
_ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_ptrace.restype = ctypes.c_long


def run(command: list[str]) -> tuple[int, list[int]]:
    """Run it; its exit status as a shell tells it, and the number of processes started at each depth below it.

    Raises OSError where tracing is not allowed.
    """
    main = os.fork()
    if main == 0:
        _request(TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        os.execvp(command[0], command)
    os.waitpid(main, WAIT_FOR_ALL)
    _request(SETOPTIONS, main, EVENTS_OF_FORK_AND_VFORK)
    _request(CONT, main)
    depth = {main: 0}
    early = set[int]()
    while True:
        process, status = os.waitpid(-1, WAIT_FOR_ALL)
        if os.WIFSTOPPED(status):
            if process not in depth:
                early.add(process)  # a new process may be seen before its parent's event tells whose it is
                continue
            forwarded = os.WSTOPSIG(status)
            if status >> 16:
                new = _message(process)
                depth[new] = depth[process] + 1
                if new in early:
                    early.remove(new)
                    _request(CONT, new)
            if forwarded in (signal.SIGTRAP, signal.SIGSTOP):
                forwarded = 0  # ours: an event, an exec, or the first stop of a new process
            _request(CONT, process, forwarded)
        elif process == main:
            counts = Counter(depth.values())
            return os.waitstatus_to_exitcode(status), [counts[level] for level in range(1, len(counts))]


def _request(request: int, process: int, data: int = 0) -> None:
    if _ptrace(request, process, None, data) < 0 and ctypes.get_errno() != 3:  # ESRCH: killed meanwhile
        raise OSError(ctypes.get_errno(), "ptrace")


def _message(process: int) -> int:
    value = ctypes.c_ulong()
    _ptrace(GETEVENTMSG, process, None, ctypes.addressof(value))
    return value.value


if __name__ == "__main__":
    exit_status, started = run(sys.argv[2:])
    with open(sys.argv[1], "w", encoding="utf-8") as report:
        json.dump(started, report)
    sys.exit(exit_status)
