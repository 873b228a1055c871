"""The transcripts that were never flushed: which there are, how many, and about how long they will take."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_plugin.cli.shared import counted
from memory_plugin.memory import places, settings, watermark
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.transcript import working_folder

# Measured on the 2 cores of a small machine (`python -m benchmarks.flush`); real ones are faster.
_MEGABYTES_A_SECOND = 20
_VECTOR_SECONDS_A_MEGABYTE = 8  # about 17 chunks of conversation


@dataclass(frozen=True, slots=True)
class Waiting:
    """A transcript, the bytes of it that were never flushed, and the folder its session started in ("": unknown)."""

    path: str
    size: int
    folder: str


def client_projects() -> list[str]:
    """The folders in which the client keeps transcripts, one a project."""
    try:
        entries = list(os.scandir(os.path.join(places.client_folder(), "projects")))
    except OSError:
        return []
    return sorted(entry.path for entry in entries if entry.is_dir())


def waiting(folders: Sequence[str], left_out: Sequence[str] = ()) -> list[Waiting]:
    """What was never flushed of the transcripts in these folders, the newest first over all of them.

    Without those where capture is off, and those of the projects left out, each named by its folder, its name or its
    namespace.
    """
    state, found = places.state_folder(), list[Waiting]()
    for folder in folders:
        for path, size in watermark.unflushed(folder, state):
            started_in = working_folder(path) or ""
            if _is_left_out(folder, started_in, left_out) or not settings.load(started_in)[0].capture.enabled:
                continue
            found.append(Waiting(path, size, started_in))
    return sorted(found, key=lambda each: -_modified(each.path))


def estimate(found: Sequence[Waiting]) -> str:
    """What there is to read and about how long it takes, in a sentence or two."""
    size = sum(each.size for each in found) / 1e6
    projects = len({each.folder for each in found})
    reading, meaning = _time(size / _MEGABYTES_A_SECOND), _time(size * _VECTOR_SECONDS_A_MEGABYTE)
    return (
        f"{counted(len(found), 'transcript')} of {counted(projects, 'project')}, {size:.1f} MB, the newest first: "
        f"about {reading} to read. Search by keywords follows at once, by meaning in the background "
        f"(with the built-in model about {meaning}). It may be stopped at any time: the next run goes on from there."
    )


def _is_left_out(client_folder: str, started_in: str, left_out: Sequence[str]) -> bool:
    if not left_out:
        return False
    names = set(_names(client_folder, started_in))
    folders = [os.path.abspath(os.path.expanduser(name)) for name in left_out if os.sep in name]
    return not names.isdisjoint(left_out) or any(_is_inside(started_in, folder) for folder in folders)


def _names(client_folder: str, started_in: str) -> Iterator[str]:
    yield os.path.basename(client_folder)
    if started_in:
        namespace = namespace_of(started_in)
        yield from (namespace.name, namespace.identity, os.path.basename(started_in.rstrip(os.sep)))
        yield os.path.basename(namespace.identity)


def _is_inside(folder: str, other: str) -> bool:
    return bool(folder) and os.path.join(folder, "").startswith(os.path.join(other, ""))


def _time(seconds: float) -> str:
    if seconds < 90:
        return counted(max(round(seconds), 1), "second")
    return counted(round(seconds / 60), "minute") if seconds < 5400 else counted(round(seconds / 3600), "hour")


def _modified(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:  # removed meanwhile
        return 0.0
