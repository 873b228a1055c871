"""Flushes that are owed: one small file a transcript, until somebody has done it.

SessionEnd has a second and a half, PreCompact may be killed half-way, and the compaction summary is written after
the last hook of a compaction. So the debt is written down first; the detached drain, the service at the next prompt
or the next SessionStart pays it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass

from memory_plugin.memory.files import read_bytes, try_lock, write_whole
from memory_plugin.memory.flush import Receipt, flush_transcript
from memory_plugin.memory.log import log

FOLDER = "spool"
LOCK = "spool.lock"


@dataclass(frozen=True, slots=True)
class Job:
    """A transcript to flush, why, and the project folder in case the transcript names none."""

    transcript: str
    trigger: str
    project: str | None = None


def add(state: str, job: Job) -> None:
    """Owe a flush, durably."""
    write_whole(_path(state, job.transcript), json.dumps(asdict(job)).encode())


def owed(state: str, transcript: str) -> bool:
    """Whether a flush of this transcript is owed."""
    return os.path.exists(_path(state, transcript))


def pay(state: str, job: Job) -> Receipt | None:
    """Flush now; what fails stays owed and goes to the log."""
    try:
        receipt = flush_transcript(job.transcript, trigger=job.trigger, project=job.project, state=state)
    except FileNotFoundError as error:
        log(f"flush of {job.transcript}: {error}")
        if os.path.exists(job.transcript):
            return None
        receipt = None  # the client has deleted the transcript: nothing is left to flush
    except OSError as error:
        log(f"flush of {job.transcript} put off: {error}")
        return None
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_path(state, job.transcript))
    return receipt


def drain(state: str) -> list[Receipt]:
    """Pay everything that is owed, newest first, unless another process is at it."""
    receipts, tried = list[Receipt](), set[str]()
    held = try_lock(os.path.join(state, LOCK))
    if held is None:
        return receipts
    with held:
        while waiting := [path for path in _waiting(state) if path not in tried]:
            tried.add(waiting[0])
            job = _job(waiting[0])
            if job is None:
                with contextlib.suppress(OSError):
                    os.unlink(waiting[0])
            elif receipt := pay(state, job):
                receipts.append(receipt)
    return receipts


def count(state: str) -> int:
    """How many flushes are owed."""
    return len(_waiting(state))


def _path(state: str, transcript: str) -> str:
    name = hashlib.sha256(os.path.abspath(transcript).encode(errors="surrogateescape")).hexdigest()[:24]
    return os.path.join(state, FOLDER, f"{name}.json")


def _waiting(state: str) -> list[str]:
    try:
        entries = [entry for entry in os.scandir(os.path.join(state, FOLDER)) if entry.name.endswith(".json")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    times: dict[str, float] = {}
    for entry in entries:
        with contextlib.suppress(FileNotFoundError):  # paid meanwhile
            times[entry.path] = entry.stat().st_mtime
    return sorted(times, key=lambda path: -times[path])


def _job(path: str) -> Job | None:
    try:
        job = Job(**json.loads(read_bytes(path)))
    except (ValueError, TypeError, OSError):
        return None
    return job if isinstance(job.transcript, str) and isinstance(job.trigger, str) else None
