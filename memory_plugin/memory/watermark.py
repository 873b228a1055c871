"""How far each transcript has been flushed, and what extraction must remember to go on from there.

Expendable: without it the transcript is read again from its start, and every fact is known already by its id.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from memory_plugin.memory.files import read_bytes, write_whole

FOLDER = "watermarks"
_HEAD = 1024  # bytes of the file's head that must be the same


@dataclass(frozen=True, slots=True)
class Watermark:
    """offset is in bytes; head is a digest of the transcript's first bytes, which tells a rewritten file."""

    transcript: str
    offset: int = 0
    head: str = ""
    head_length: int = 0
    progress: dict[str, Any] = field(default_factory=dict)
    open_tools: dict[str, str] = field(default_factory=dict)
    queued: list[int] = field(default_factory=list)
    delivered: list[str] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    off: bool = False


def read(state: str, transcript: str) -> Watermark:
    """The watermark of a transcript; at its start when there is none, or when the file is not the same any more."""
    try:
        found = json.loads(read_bytes(_path(state, transcript)))
        mark = Watermark(**found)
    except (OSError, ValueError, TypeError, RecursionError):
        return Watermark(transcript)
    return mark if _is_sound(mark) and _is_of(mark, transcript) else Watermark(transcript)


def _is_sound(mark: Watermark) -> bool:
    """Whether a mark that was read has the types that were written."""
    return (
        type(mark.offset) is int
        and type(mark.head_length) is int
        and mark.offset >= 0
        and mark.head_length == min(mark.offset, _HEAD)
        and isinstance(mark.progress, dict)
        and isinstance(mark.open_tools, dict)
        and all(isinstance(name, str) for name in mark.open_tools.values())
        and isinstance(mark.queued, list)
        and all(type(offset) is int and offset >= 0 for offset in mark.queued)
        and isinstance(mark.calls, dict)
        and all(type(offset) is int and offset >= 0 for offset in mark.calls.values())
        and type(mark.off) is bool
        and isinstance(mark.delivered, list)
        and all(isinstance(digest, str) for digest in mark.delivered)
    )


def _is_of(mark: Watermark, transcript: str) -> bool:
    try:
        grown = mark.offset <= os.path.getsize(transcript)
        return mark.transcript == transcript and grown and mark.head == _digest(transcript, mark.head_length)
    except OSError:
        return False


def write(state: str, mark: Watermark) -> None:
    """Keep a watermark, durably."""
    length = min(mark.offset, _HEAD)
    whole = {**asdict(mark), "head_length": length, "head": _digest(mark.transcript, length)}
    write_whole(_path(state, mark.transcript), json.dumps(whole, separators=(",", ":")).encode())


def pass_by(state: str, transcript: str) -> None:
    """Count a transcript as flushed up to its end, unread, and what comes after as said while capture was off.

    The transcript need not exist yet. Raises OSError when the state folder cannot be written.
    """
    end = os.path.getsize(transcript) if os.path.exists(transcript) else 0
    write(state, replace(read(state, transcript), offset=end, queued=[], calls={}, off=True))


def pending(state: str, transcript: str) -> int:
    """How many bytes of a transcript were never flushed."""
    return max(os.path.getsize(transcript) - read(state, transcript).offset, 0)


def unflushed(folder: str, state: str) -> Iterator[tuple[str, int]]:
    """The transcripts of a client's project folder with bytes that were never flushed, newest first.

    `agent-*.jsonl`, where 2.0 keeps a subagent's, holds nothing that the user or the assistant said to each other.
    """
    times: dict[str, float] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".jsonl") and not entry.name.startswith("agent-"):
                with contextlib.suppress(OSError):  # removed meanwhile
                    if entry.is_file():
                        times[os.path.abspath(entry.path)] = entry.stat().st_mtime
    for path in sorted(times, key=lambda each: -times[each]):
        with contextlib.suppress(OSError):
            if waiting := pending(state, path):
                yield path, waiting


def _path(state: str, transcript: str) -> str:
    name = hashlib.sha256(transcript.encode(errors="surrogateescape")).hexdigest()[:24]
    return os.path.join(state, FOLDER, f"{name}.json")


def _digest(transcript: str, length: int) -> str:
    return hashlib.sha256(read_bytes(transcript, length)).hexdigest()[:16] if length else ""
