"""The whole memory in one file for another machine: a tar.gz with a table of contents, read as if a stranger made it.

    memory-plugin.json                    the table: each file with its SHA-256
    memory/MEMORY.md                      the files, as they lie in the home
    memory/.events/laptop-2026-11.jsonl

Nothing is unpacked to where an archive says. A reader gets each file's path, which is one of the memory's, and its
content, which is what the table says; links, devices and whatever leads elsewhere are refused, and so is an archive
that grows too large for its own size.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import tarfile
import zlib
from collections.abc import Callable
from datetime import datetime
from typing import IO, Any

from memory_plugin.memory.contents import LARGEST, is_unsafe
from memory_plugin.memory.files import PRIVATE_FILE, WRITING, sync_folder
from memory_plugin.memory.snapshots import Snapshot, Store

TABLE, FOLDER = "memory-plugin.json", "memory/"
_FORMAT = 1
_MOST_FILES = 100_000
_MOST_BYTES = 8 << 30  # unpacked
_MOST_TIMES, _LEAST = 200, 64 << 20  # how many times its own size an archive may grow to, and from where on it matters
_LARGEST_HEADER = 1 << 20
_MOST_REFUSED = 1000  # that are told by name


class ArchiveError(Exception):
    """A file is no archive of a memory, is damaged, or too large; the text says which."""


def write(store: Store, snapshot: Snapshot, path: str) -> int:
    """Write a snapshot into an archive, at once and durably, for the user alone; its bytes.

    FileExistsError when something is there; OSError when it cannot be written, DamagedError as `Store.content`.
    """
    if os.path.lexists(path):
        raise FileExistsError(17, "there is something already", path)
    folder = os.path.dirname(os.path.abspath(path))
    temporary = os.path.join(folder, WRITING + os.urandom(8).hex())
    try:
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as stream:
            with tarfile.open(fileobj=stream, mode="w:gz", format=tarfile.PAX_FORMAT, compresslevel=6) as tar:
                _fill(tar, store, snapshot)
            stream.flush()
            os.fsync(stream.fileno())
            size = stream.tell()
        os.rename(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    sync_folder(folder)
    return size


def _fill(tar: tarfile.TarFile, store: Store, snapshot: Snapshot) -> None:
    moment = int(datetime.fromisoformat(snapshot.moment.replace("Z", "+00:00")).timestamp())
    files = {inside: entry.digest for inside, entry in snapshot.files.items()}
    table = {"format": _FORMAT, "made": snapshot.moment, "files": files}
    _add(tar, TABLE, json.dumps(table, indent=0).encode(), moment)
    for inside, entry in snapshot.files.items():
        _add(tar, FOLDER + inside, store.content(entry), moment)


def _add(tar: tarfile.TarFile, name: str, content: bytes, moment: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = len(content), moment, PRIVATE_FILE
    tar.addfile(member, io.BytesIO(content))


def read(path: str, take: Callable[[str, bytes], None]) -> dict[str, str]:
    """Give each file of an archive, its path in the home and its content, to `take`; what was refused, and why.

    Raises ArchiveError, perhaps after some were taken, and OSError when the archive cannot be read.
    """
    most = min(_MOST_BYTES, max(os.path.getsize(path) * _MOST_TIMES, _LEAST))
    with open(path, "rb") as packed:
        unpacked: Any = _Bounded(packed, most)
        try:
            with tarfile.open(fileobj=unpacked, mode="r:") as tar:
                return _members(tar, take)
        except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, ValueError, OverflowError) as error:
            raise ArchiveError(f"{path} is no archive of a memory, or it was cut: {error}") from error


def _members(tar: tarfile.TarFile, take: Callable[[str, bytes], None]) -> dict[str, str]:
    files, refused = dict[str, str](), dict[str, str]()
    known, count = False, 0
    while (member := tar.next()) is not None:
        tar.members.clear()  # type: ignore[attr-defined]  # else each is kept until the end
        count += 1
        if count > _MOST_FILES:
            raise ArchiveError(f"it holds more than {_MOST_FILES} files")
        if not known:
            files, known = _table(tar, member), True
            continue
        inside = member.name.removeprefix(FOLDER)
        reason = _objection(member, inside, files)
        if reason and len(refused) < _MOST_REFUSED:
            refused[member.name] = reason
        if not reason:
            content = _content(tar, member)
            if hashlib.sha256(content).hexdigest() != files.pop(inside):
                raise ArchiveError(f"{inside!a} is not what was written: the archive is damaged")
            take(inside, content)
    if not known:
        raise ArchiveError("there is nothing in it")
    if missing := [inside for inside in files if FOLDER + inside not in refused]:
        raise ArchiveError(f"it was cut: {len(missing)} of its files are missing")
    return refused


def _objection(member: tarfile.TarInfo, inside: str, files: dict[str, str]) -> str:
    """Why a member is not taken, or ""."""
    if not member.isreg() or member.issparse():
        return "not a file"
    if not member.name.startswith(FOLDER) or is_unsafe(inside):
        return "not a path in a memory"
    if member.size > LARGEST:
        return f"larger than {LARGEST >> 20} MB"
    return "" if inside in files else "not in the table of contents, or there twice"


def _table(tar: tarfile.TarFile, member: tarfile.TarInfo) -> dict[str, str]:
    """Each file's hash. ArchiveError unless this member is a table of ours."""
    none = ArchiveError("it is no archive that `memory-plugin export` made")
    if member.name != TABLE or not member.isreg() or member.issparse() or member.size > LARGEST:
        raise none
    try:
        found = json.loads(_content(tar, member))
        if found["format"] != _FORMAT:
            raise ArchiveError("another version of memory-plugin made it: update this one")
        return {str(inside): str(digest) for inside, digest in found["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise none from error


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(member)
    assert stream is not None  # it is a file
    return stream.read()


class _Bounded:
    """What a gzip file holds, to be read forwards, never more than so many bytes of it, and none of it at once.

    `tarfile` reads headers of any length that they claim.
    """

    def __init__(self, packed: IO[bytes], most: int) -> None:
        self._stream = gzip.GzipFile(fileobj=packed)
        self._most = most

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= LARGEST + _LARGEST_HEADER:
            raise ArchiveError("a file in it is too large")
        self._check(self._stream.tell() + size)
        return self._stream.read(size)

    def seek(self, place: int) -> int:
        self._check(place)
        return self._stream.seek(place)

    def tell(self) -> int:
        return self._stream.tell()

    def _check(self, place: int) -> None:
        if place > self._most:
            raise ArchiveError(f"it would unpack to more than {self._most >> 20} MB, which no memory of its size does")
