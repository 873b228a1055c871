"""Damage of an index: any at all, and that at which LanceDB raises no error, but ends the process."""

from __future__ import annotations

import contextlib
import random
import re
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


def claim_too_much(content: bytearray) -> None:
    """Make the content of a Lance file such that whoever reads it asks for 64 GB, and is ended by LanceDB's abort."""
    content[_COUNT] = b"\xff\xff\xff\xff"


def end_whoever_searches(folder: Path) -> None:
    """Make an index's files of words such that they end whoever reads them."""
    for path in folder.glob("chunks.lance/_indices/*/*.lance"):
        content = bytearray(path.read_bytes())
        claim_too_much(content)
        path.write_bytes(content)


def corrupt(folder: Path, chance: random.Random) -> None:
    """A random file of an index is cut, deleted, has one or forty wrong bytes, or asks for too much memory."""
    path = chance.choice(sorted((path for path in folder.rglob("*") if path.is_file()), key=_place))
    content = bytearray(path.read_bytes())
    kind = chance.choice(("cut", "deleted", "one byte", "forty bytes", "too much"))
    if kind == "deleted":
        path.unlink()
        return
    if kind == "too much" and path.suffix == ".lance":
        claim_too_much(content)
    elif kind == "cut":
        del content[chance.randrange(len(content) + 1) :]
    elif content:
        for _ in range(1 if kind == "one byte" else 40):
            content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)


def _place(path: Path) -> tuple[str, int]:
    """The same for the same file of each run with a seed: LanceDB's names are random, when it writes them is not."""
    return re.sub("[0-9a-f-]{9,}", "", str(path)), path.stat().st_mtime_ns
