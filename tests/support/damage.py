"""Damage of an index at which LanceDB does not raise an error, but ends the process."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

_COUNT = slice(-16, -12)  # of a Lance file: how many buffers it says it has, for each of which LanceDB takes memory
_ADDRESSES = 1 << 35  # bytes; less than what so many buffers want, so that no machine is large enough to give it


@contextlib.contextmanager
def memory_of_any_machine() -> Iterator[None]:
    """This process and what it starts may not have more addresses than a machine of ordinary size has memory."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def end_whoever_searches(folder: Path) -> None:
    """Make an index's files of words such that whoever reads one asks for 64 GB, and is ended by LanceDB's abort."""
    for path in folder.glob("chunks.lance/_indices/*/*.lance"):
        content = bytearray(path.read_bytes())
        content[_COUNT] = b"\xff\xff\xff\xff"
        path.write_bytes(content)
