"""How far the flushes' receipts have been read by a model, and what that cost today; one small file in the state.

The receipts are the queue: each flush adds one, durably, with the stretch of transcript that it read.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from memory_plugin.memory import clock
from memory_plugin.memory.files import read_bytes, write_whole
from memory_plugin.memory.flush import RECEIPTS, Receipt

NAME = "distilled.json"
_NEVER = "0001-01-01"


@dataclass(frozen=True, slots=True)
class Cursor:
    """receipts: byte offset of the first one that is not done; transcript: how far its stretch is done, in bytes (0:
    from its start); failures: how often the model's answer to what comes next was of no use; since: what was said
    before is none of the model's business ("": nothing is read); day, tokens: the cost of one local day."""

    receipts: int = 0
    transcript: int = 0
    failures: int = 0
    since: str = ""
    day: str = ""
    tokens: int = 0

    def spent(self) -> int:
        """The tokens of today."""
        return self.tokens if self.day == clock.today().isoformat() else 0

    def spending(self, tokens: int) -> Cursor:
        """With so many tokens more (or fewer) on today's account."""
        return replace(self, day=clock.today().isoformat(), tokens=max(self.spent() + tokens, 0))


def read(state: str) -> Cursor | None:
    """The cursor, or None before there is one."""
    try:
        cursor = Cursor(**json.loads(read_bytes(os.path.join(state, NAME))))
        datetime.fromisoformat(cursor.since or _NEVER)
        numbers = (cursor.receipts, cursor.transcript, cursor.failures, cursor.tokens)
        sound = all(type(number) is int and number >= 0 for number in numbers) and isinstance(cursor.day, str)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return cursor if sound else None


def write(state: str, cursor: Cursor) -> None:
    """Keep the cursor, durably."""
    write_whole(os.path.join(state, NAME), json.dumps(asdict(cursor)).encode())


def begin(state: str) -> Cursor:
    """The cursor, begun where it was not: at the present end, so that no old conversation is read."""
    cursor, size = read(state) or Cursor(), _size(state)
    if not cursor.since:
        cursor = Cursor(size, since=clock.now().isoformat(), day=cursor.day, tokens=cursor.tokens)
        write(state, cursor)
    if cursor.receipts > size:  # the receipts were made anew: all of these are younger than the cursor
        cursor = replace(cursor, receipts=0, transcript=0, failures=0)
    return cursor


def end(state: str) -> None:
    """Read nothing more: the next `begin` begins at what is the end then. The account of the day stays."""
    cursor = read(state)
    if cursor is not None and cursor.since:
        write(state, Cursor(day=cursor.day, tokens=cursor.tokens))


def waiting(state: str, cursor: Cursor) -> Iterator[tuple[Receipt | None, int]]:
    """The receipts from the cursor on, each with the offset after it; None for a line that is none.

    A last line without its line break is still being written.
    """
    with contextlib.suppress(FileNotFoundError), open(os.path.join(state, RECEIPTS), "rb") as stream:
        stream.seek(cursor.receipts)
        after = cursor.receipts
        while (line := stream.readline()).endswith(b"\n"):
            after += len(line)
            yield _receipt(line), after


def _receipt(line: bytes) -> Receipt | None:
    try:
        found = Receipt(**json.loads(line))
    except (ValueError, TypeError, RecursionError):  # a torn line
        return None
    texts = (found.transcript, found.session, found.namespace)
    sound = all(isinstance(text, str) for text in texts) and type(found.start) is int and type(found.end) is int
    return found if sound else None


def _size(state: str) -> int:
    try:
        return os.path.getsize(os.path.join(state, RECEIPTS))
    except FileNotFoundError:
        return 0
