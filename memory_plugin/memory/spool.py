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
import stat
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from memory_plugin.memory import settings, watermark
from memory_plugin.memory.files import read_bytes, sweep, try_lock, write_whole
from memory_plugin.memory.log import log

if TYPE_CHECKING:
    from memory_plugin.memory.flush import Receipt

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
    """Flush now. What fails stays owed and goes to the log; so does what came to be owed again meanwhile.

    Where capture is off by now, the transcript is passed by unread.
    """
    path = _path(state, job.transcript)
    debt = _stamp(path)
    receipt: Receipt | None = None
    try:
        if not settings.load(job.project)[0].capture.enabled:
            watermark.pass_by(state, job.transcript)
        else:
            # Imported here: it is most of what a hook would import, and the end of a session only owes.
            from memory_plugin.memory.flush import flush_transcript

            receipt = flush_transcript(job.transcript, trigger=job.trigger, project=job.project, state=state)
    except Exception as error:  # one transcript that cannot be flushed must not keep others waiting
        log(f"flush of {job.transcript} put off: {type(error).__name__}: {error}")
        if not _is_gone(job.transcript):
            return None
    if debt is not None and _stamp(path) == debt:
        with contextlib.suppress(OSError):
            os.unlink(path)
    return receipt


def drain(state: str, folder: str | None = None, project: str | None = None) -> list[Receipt]:
    """Pay everything that is owed, newest first, then catch up on a folder's transcripts, unless another process is
    at it: that one sees what is added until it lets go of the lock."""
    receipts: list[Receipt] = []
    tried = set[tuple[str, int, int]]()
    while folder or any(debt not in tried for debt in _waiting(state)):
        held = try_lock(os.path.join(state, LOCK))
        if held is None:
            break
        with held:
            for name in (FOLDER, watermark.FOLDER):
                sweep(os.path.join(state, name))
            receipts += _pay_waiting(state, tried)
            for transcript, _ in watermark.unflushed(folder, state) if folder and os.path.isdir(folder) else ():
                receipts += filter(None, [_caught_up(state, transcript, project)])
                receipts += _pay_waiting(state, tried)  # a session that ends now need not wait for old ones
        folder = None
    return receipts


def is_drained(state: str) -> bool:
    """Whether a process is flushing what is owed at this moment."""
    held = try_lock(os.path.join(state, LOCK))
    if held is not None:
        held.close()
    return held is None


def catch_up(state: str, folder: str, project: str | None, most: int) -> bool:
    """Flush a folder's transcripts, newest first, while they come to at most so many bytes; whether all are done."""
    for transcript, size in watermark.unflushed(folder, state):
        most -= size
        if most < 0:
            return False
        _caught_up(state, transcript, project)
    return True


def _caught_up(state: str, transcript: str, project: str | None) -> Receipt | None:
    """Flush a transcript that no event of its own did, unless capture was off when one last came."""
    if watermark.read(state, transcript).off:
        with contextlib.suppress(OSError):
            watermark.pass_by(state, transcript)
        return None
    return pay(state, Job(transcript, "catch-up", project))


def _pay_waiting(state: str, tried: set[tuple[str, int, int]]) -> list[Receipt]:
    receipts: list[Receipt] = []
    while waiting := [debt for debt in _waiting(state) if debt not in tried]:
        tried.add(waiting[0])
        path = waiting[0][0]
        job = _job(path)
        if job is None:
            log(f"{path} names no flush: removed")
            with contextlib.suppress(OSError):
                os.unlink(path)
        elif receipt := pay(state, job):
            receipts.append(receipt)
    return receipts


def count(state: str) -> int:
    """How many flushes are owed."""
    return len(_waiting(state))


def pending(state: str) -> int:
    """How many bytes of transcript the flushes that are owed would read."""
    total = 0
    for path, _, _ in _waiting(state):
        with contextlib.suppress(OSError):
            if job := _job(path):
                total += watermark.pending(state, job.transcript)
    return total


def _path(state: str, transcript: str) -> str:
    name = hashlib.sha256(os.path.abspath(transcript).encode(errors="surrogateescape")).hexdigest()[:24]
    return os.path.join(state, FOLDER, f"{name}.json")


def _stamp(path: str) -> tuple[str, int, int] | None:
    """What tells one debt from a later one for the same transcript, which is a new file of the same name."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (path, found.st_mtime_ns, found.st_ino)


def _waiting(state: str) -> list[tuple[str, int, int]]:
    """The stamps of all debts, newest first."""
    folder = os.path.join(state, FOLDER)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    stamps = [stamp for name in names if (stamp := _stamp(os.path.join(folder, name)))]
    return sorted(stamps, key=lambda stamp: -stamp[1])


def _is_gone(transcript: str) -> bool:
    """Whether there is nothing to flush, now or later: no file, or no plain one."""
    try:
        return not stat.S_ISREG(os.stat(transcript).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return True
    except OSError:
        return False


def _job(path: str) -> Job | None:
    try:
        job = Job(**json.loads(read_bytes(path)))
    except (ValueError, TypeError, OSError, RecursionError):
        return None
    texts = (job.transcript, job.trigger, job.project if job.project is not None else "")
    return job if all(isinstance(text, str) for text in texts) else None
