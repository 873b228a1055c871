"""Bringing the index to what the files say, touching only what changed: text first, vectors after."""

from __future__ import annotations

import codecs
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_plugin.index.chunks import CHUNKING, Chunk, Source, chunks
from memory_plugin.index.conversations import conversation_chunks
from memory_plugin.index.embedding import Embedder, EmbedderUnavailable
from memory_plugin.index.manifest import Entry
from memory_plugin.index.sources import Discovery, Found, Roots, discover
from memory_plugin.index.table import Index

LARGEST_FILE = 2_000_000  # bytes; a larger one is no memory
_BATCH_FILES = 200
_BATCH_BYTES = 2_000_000
# A file changed again within its clock's step keeps size and time; so young a file is hashed once more next time.
_YOUNG_NS = 2_000_000_000

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

# Called with ("text" or "vectors", how many are done, of how many).
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, in chunks; unchanged counts files. problems: a sentence each."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    embedded: int = 0
    problems: tuple[str, ...] = ()


def sync(
    index: Index, roots: Roots, embedder: Embedder | None = None, on_progress: Progress | None = None
) -> SyncReport:
    """Bring the index to what the files say; with an embedder, embed what has no vector yet too.

    Raises IndexDamaged when the index breaks on the way: it is then empty, and syncing again fills it.
    An embedder that is away is a problem in the report, not an error.
    """
    build = index.build
    discovery = discover(roots)
    report = _sync_text(index, discovery, on_progress)
    index.optimize_if_due()
    if index.build == build:  # else another thread found it damaged meanwhile
        index.stale = False
    if embedder is None:
        return report
    try:
        done = embed_all(index, embedder, on_progress)
    except EmbedderUnavailable as error:
        return replace(report, problems=(*report.problems, str(error)))
    return replace(report, embedded=done)


def embed_all(index: Index, embedder: Embedder, on_progress: Progress | None = None) -> int:
    """Embed whatever has no vector yet: how many. Raises EmbedderUnavailable with what is done kept."""
    index.use(embedder.identity)
    total, done = index.missing(), 0
    while count := index.embed_missing(embedder):
        done += count
        if on_progress:
            on_progress("vectors", done, max(total, done))
    index.optimize_if_due()
    return done


def _sync_text(index: Index, discovery: Discovery, on_progress: Progress | None) -> SyncReport:
    known = index.files()
    problems = list(discovery.problems)
    gone = [path for path in known if path not in discovery.files and not _unlisted(path, discovery)]
    looked_at = [found for path, found in discovery.files.items() if _may_differ(found, known.get(path))]
    added = updated = removed = changed = done = 0
    untouched = not gone and not looked_at
    for batch in _batches(looked_at):
        read = [each for found in batch if (each := _read(found, problems))]
        same = [entry for entry, _ in read if _unchanged(entry, known.get(entry.path))]
        index.touch_files(same)
        new = [(entry, text) for entry, text in read if entry not in same]
        if new or gone:
            # What moved from one file to another keeps its vector, so what is gone goes with the first batch.
            counts = _write(index, new, gone, discovery)
            added, updated, removed = added + counts[0], updated + counts[1], removed + counts[2]
            changed, gone = changed + len(new), []
        done += len(batch)
        if on_progress:
            on_progress("text", done, len(looked_at))
    if gone:
        removed += index.replace_files(gone, [], [])[2]
    now = known if untouched else index.files()
    problems += [entry.problem for entry in now.values() if entry.problem]
    return SyncReport(added, updated, removed, len(discovery.files) - changed, 0, tuple(problems))


def _write(
    index: Index, new: Sequence[tuple[Entry, str]], gone: Sequence[str], discovery: Discovery
) -> tuple[int, int, int]:
    found = [chunk for entry, text in new for chunk in _cut(text, discovery.files[entry.path].source)]
    paths = [entry.path for entry, _ in new]
    return index.replace_files([*paths, *gone], found, [entry for entry, _ in new])


def _cut(text: str, source: Source) -> list[Chunk]:
    talk = conversation_chunks(text, source) if source.role == "history" else None
    return chunks(text, source) if talk is None else talk


def _unlisted(path: str, discovery: Discovery) -> bool:
    """Whether a file may still be there, in a folder that could not be listed (a disk that is away, say)."""
    return any(path.startswith(prefix) for prefix in discovery.unreadable)


def _may_differ(found: Found, entry: Entry | None) -> bool:
    return entry is None or (found.size, found.mtime_ns, _kind(found)) != (entry.size, entry.mtime_ns, entry.kind)


def _unchanged(entry: Entry, before: Entry | None) -> bool:
    return before is not None and (entry.hash, entry.kind) == (before.hash, before.kind)


def _kind(found: Found) -> str:
    source = found.source
    return f"{CHUNKING} {source.role} {'resident ' if source.resident else ''}{source.namespace}"


def _batches(files: Iterable[Found]) -> Iterator[list[Found]]:
    """The files in groups of bounded number and size."""
    batch, size = list[Found](), 0
    for found in files:
        if batch and (len(batch) == _BATCH_FILES or size + found.size > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(found)
        size += min(found.size, LARGEST_FILE)
    if batch:
        yield batch


def _read(found: Found, problems: list[str]) -> tuple[Entry, str] | None:
    """What to note of a file and its text, empty when it is nothing to index; None when it can't be read now."""
    path = found.source.path
    entry = Entry(path, found.size, found.mtime_ns, "", _kind(found))
    if found.size > LARGEST_FILE:
        return entry._replace(hash="large", problem=f"{path}: larger than {LARGEST_FILE // 10**6} MB, not indexed"), ""
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        problems.append(f"{path}: cannot be read ({error.strerror or error})")
        return None
    if time.time_ns() - found.mtime_ns < _YOUNG_NS:
        entry = entry._replace(mtime_ns=-1)
    entry = entry._replace(hash=hashlib.sha256(content).hexdigest())
    text = _decoded(content)
    return (entry, text) if text is not None else (entry._replace(problem=f"{path}: not text, not indexed"), "")


def _decoded(content: bytes) -> str | None:
    """The text, whatever is not UTF-8 in it replaced; None for something binary."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    return None if b"\0" in content else content.decode("utf-8", "replace")
