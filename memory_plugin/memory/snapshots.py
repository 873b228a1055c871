"""Snapshots of the memory home: what it held at a moment, each content kept once, whatever process is killed when.

    <folder>                              default <state>/backups
      2026-12-01-045221.json              a snapshot: the hash of all that follows its first line, then its files
      objects/ab/cdef…                    a file's content under its SHA-256, as it is: `cat` shows it
      lock, unfinished                    who writes; a restore that was not finished

Objects are written first, the snapshot that names them last; what is pruned goes the other way round. So every
snapshot that is there is whole, and a kill leaves at worst objects that the next pruning removes.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timezone
from typing import Any

from memory_plugin.memory import clock, journal, places, retention, settings
from memory_plugin.memory.contents import LARGEST, Contents, contents
from memory_plugin.memory.files import WRITING, lock, read_bytes, sync_folder, write_whole

FOLDER = "backups"  # in the state folder, unless the settings name another
BY_HAND, BEFORE_RESTORE, BEFORE_IMPORT, EXPORTED = "by hand", "before a restore", "before an import", "exported"
_FORMAT = 1
_OBJECTS, _LOCK, _UNFINISHED = "objects", "lock", "unfinished"
_NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-[0-9]{6}(?:-[0-9]+)?")
_HASH = re.compile(r"[0-9a-f]{64}")
_YOUNG_NS = 2_000_000_000  # a file saved twice within its clock's step keeps its time


class DamagedError(Exception):
    """What a snapshot names is missing, or not what was written."""


class PlaceError(Exception):
    """The folder for snapshots cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a snapshot: its content's SHA-256, its size in bytes, when it was changed (ns; 0: just then)."""

    digest: str
    size: int
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a home held. name: its local time; moment: the same in UTC, to the microsecond, since they are put in order
    by it and several may be of one second; kind: what it was made for.

    files: by their paths from the home; left_out: what was there and was not taken, with the reason. problem: why
    nothing of it can be read, else "".
    """

    name: str
    moment: str = ""
    kind: str = retention.DAILY
    home: str = ""
    files: Mapping[str, Entry] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(each.size for each in self.files.values())

    @property
    def day(self) -> date:
        """The local day on which it was made."""
        try:
            return date.fromisoformat(self.name[:10])
        except ValueError:  # no such day: somebody else's name
            return date.min


@dataclass(frozen=True, slots=True)
class Verified:
    """files: contents that were read; size: their bytes; problems: a sentence for each that is not what it was."""

    files: int
    size: int
    problems: Sequence[str]


def place(state: str) -> str:
    """The folder of the snapshots: in a state folder, or the one of the settings. PlaceError when that cannot be it."""
    chosen = settings.load()[0].backup.folder
    if not chosen:
        return os.path.join(state, FOLDER)
    folder = os.path.abspath(os.path.expanduser(chosen))
    if not os.path.isabs(os.path.expanduser(chosen)):
        raise PlaceError(f"backup.folder must be an absolute path, not {chosen!r}")
    if places.is_inside(state, folder):
        raise PlaceError(f"backup.folder must be a folder of its own, and {folder} holds the state folder")
    if not os.path.isdir(folder):  # never made here: it would lie where its disk ought to be mounted
        raise PlaceError(f"backup.folder names {folder}, which is not there: mount its disk, or make the folder")
    if places.is_inside(state, folder):
        raise PlaceError(f"backup.folder must be a folder of its own, and {folder} holds the state folder")
    if not os.path.isdir(os.path.dirname(folder)):
        raise PlaceError(f"{os.path.dirname(folder)} is not there: backup.folder names it: is the disk of it mounted?")
    return folder


def stores(state: str) -> list[Store]:
    """Where snapshots may lie: their folder, and the one in the state folder that was theirs before the settings named
    another. PlaceError as `place`."""
    now, before = place(state), os.path.join(state, FOLDER)
    return [Store(now), *([Store(before)] if before != now and os.path.isdir(before) else [])]


class Store:
    """The snapshots in a folder. What writes wants `locked` around it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._unsynced = set[str]()  # folders with contents whose names may not be on the disk yet

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock under which snapshots are made, amended and pruned; taken before the home's, never after."""
        with lock(os.path.join(self.folder, _LOCK)):
            yield

    def snapshots(self) -> list[Snapshot]:
        """Every snapshot, the latest first; one that cannot be read says why."""
        try:
            names = [name[:-5] for name in os.listdir(self.folder) if name.endswith(".json")]
        except FileNotFoundError:
            return []
        found = [self._snapshot(name) for name in names if _NAME.fullmatch(name)]
        return sorted(found, key=lambda each: (each.moment or each.name, each.name), reverse=True)

    def content(self, entry: Entry) -> bytes:
        """A file's content as it was. DamagedError when it is that no longer, OSError when it cannot be read."""
        path = self._object(entry.digest)
        if not os.path.exists(path):
            raise DamagedError("its content is missing")
        content = read_bytes(path, entry.size + 1)
        if hashlib.sha256(content).hexdigest() != entry.digest:
            raise DamagedError(f"its content is not what was written; what is left of it is {path}")
        return content

    def make(self, home: str, kind: str, *, thorough: bool = False) -> tuple[Snapshot, bool]:
        """A snapshot of the home as it is, and whether it is new: where nothing changed, the last one stands for it.

        Files whose size and time are those of the last snapshot are not read again; all are when `thorough`, and their
        contents compared with those that are kept. The home's lock is held for a look at the files, so that no fact is
        seen halfway between two. OSError when the home cannot be listed, or there is no room.
        """
        if places.is_inside(self.folder, home):
            raise PlaceError(f"snapshots cannot lie in the home itself: {self.folder}")
        last = next((each for each in self.snapshots() if each.home == home and not each.problem), None)
        known = last.files if last and not thorough else {}
        try:
            files, left_out = self._taken(home, known)
            if last and _digests(files) == _digests(last.files) and left_out == last.left_out:
                return last, False
            return self._written(home, kind, files, left_out), True
        except OSError as error:
            with contextlib.suppress(OSError):
                self.collect()  # what was written of it fills a disk for nothing
            if error.errno == errno.ENOSPC:
                raise OSError(error.errno, error.strerror, self.folder) from error
            raise

    def keep(self, content: bytes) -> Entry:
        """Have a content among the objects; durably, once a snapshot is written that names it."""
        digest = hashlib.sha256(content).hexdigest()
        path = self._object(digest)
        if read_bytes(path, len(content) + 1) != content or not os.path.exists(path):
            write_whole(path, content, sync_name=False)
            self._unsynced.add(os.path.dirname(path))
        return Entry(digest, len(content))

    def prune(self) -> list[str]:
        """Remove the snapshots that are not to be kept, then the contents that no other has; their names."""
        found = self.snapshots()
        home = next((each.home for each in found if not each.problem), "")
        made = [
            retention.Made(each.name, each.moment or each.name, each.day, each.kind, each.home or home)
            for each in found
        ]
        keep = retention.kept(made)
        going = [each.name for each in found if each.name not in keep]
        self._remove(going)
        self.collect()
        return going

    def verify(self) -> Verified:
        """Read everything, and compare it with what was written. OSError when the folder cannot be listed."""
        found, wrong = self.snapshots(), dict[str, str]()
        problems = [f"{each.name} cannot be read: {each.problem}" for each in found if each.problem]
        sizes = _distinct(found)
        for digest, size in sizes.items():
            try:
                self.content(Entry(digest, size))
            except (DamagedError, OSError) as error:
                wrong[digest] = str(error)
        for each in found:
            for inside, entry in each.files.items():
                if entry.digest in wrong:
                    problems.append(f"{each.name}, {inside}: {wrong[entry.digest]}")
        return Verified(len(sizes), sum(sizes.values()), problems)

    def amend(self, change: Callable[[str, bytes], bytes]) -> None:
        """Put what `change` makes of each file's path and content in its place, in every snapshot, and remove what was.

        A snapshot that cannot be read is removed, and a content that is not what was written is left out of its own:
        nobody can say what they hold. Done again, it completes one that was killed.
        """
        found = self.snapshots()
        self._remove([each.name for each in found if each.problem])
        amended = dict[tuple[str, str], Entry | None]()
        for each in found:
            files, left_out = dict(each.files), dict(each.left_out)
            for inside, entry in each.files.items():
                key = (inside, entry.digest)
                if key not in amended:
                    amended[key] = self._amended(inside, entry, change)
                now = amended[key]
                if now is None:
                    del files[inside]
                    left_out[inside] = "damaged"
                elif now.digest != entry.digest:
                    files[inside] = now
            if files != each.files:
                self._write(replace(each, files=files, left_out=left_out))
        self.collect()

    def collect(self) -> None:
        """Remove the contents that no snapshot names, and what killed processes left; none while a snapshot cannot be
        read, since nobody knows what it names."""
        found = self.snapshots()
        named = None if any(each.problem for each in found) else set(_distinct(found))
        for folder, below, names in os.walk(self.folder):
            if folder == self.folder:
                below[:] = [_OBJECTS]  # what else lies there is not ours
            for name in names:
                digest = os.path.basename(folder) + name
                unnamed = named is not None and _HASH.fullmatch(digest) and digest not in named
                if name.startswith(WRITING) or (unnamed and folder != self.folder):
                    os.unlink(os.path.join(folder, name))

    @contextlib.contextmanager
    def restoring(self, snapshot: Snapshot) -> Iterator[None]:
        """Around a restore: until it is finished, `unfinished` tells which one it was."""
        path = os.path.join(self.folder, _UNFINISHED)
        write_whole(path, snapshot.name.encode())
        yield
        os.unlink(path)

    def unfinished(self) -> str:
        """The name of the snapshot that was being restored when the process was killed or the disk was full, or ""."""
        return read_bytes(os.path.join(self.folder, _UNFINISHED), 64).decode(errors="replace")

    @property
    def _objects(self) -> str:
        return os.path.join(self.folder, _OBJECTS)

    def _object(self, digest: str) -> str:
        return os.path.join(self._objects, digest[:2], digest[2:])

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, f"{name}.json")

    def _taken(self, home: str, known: Mapping[str, Entry]) -> tuple[dict[str, Entry], dict[str, str]]:
        """The files of a home as they are at one moment, and what was left out."""
        before, files = contents(home), dict[str, Entry]()
        unread = dict[str, str]()
        for inside, status in before.files.items():
            entry = known.get(inside)
            same = entry is not None and (entry.size, entry.mtime_ns) == (status.st_size, status.st_mtime_ns)
            if entry is not None and same and self._has(entry):
                files[inside] = entry
            else:
                self._take(home, inside, status, files, unread)
        with journal.locked(home):
            now = contents(home)
            changed = [inside for inside, status in now.files.items() if not _is_same(before, inside, status)]
            read = {inside: _read(os.path.join(home, inside)) for inside in changed}
        for inside, content in read.items():
            if isinstance(content, bytes):
                files[inside] = self._stamped(content, now.files[inside])
            else:
                unread[inside] = content
        files = {inside: files[inside] for inside in now.files if inside in files}
        return files, {**now.left_out, **{inside: why for inside, why in unread.items() if inside not in files}}

    def _take(
        self, home: str, inside: str, status: os.stat_result, files: dict[str, Entry], unread: dict[str, str]
    ) -> None:
        content = _read(os.path.join(home, inside))
        if isinstance(content, bytes):
            files[inside] = self._stamped(content, status)
        else:
            unread[inside] = content

    def _stamped(self, content: bytes, status: os.stat_result) -> Entry:
        young = time.time_ns() - status.st_mtime_ns < _YOUNG_NS
        return replace(self.keep(content), mtime_ns=0 if young else status.st_mtime_ns)

    def _has(self, entry: Entry) -> bool:
        try:
            return os.path.getsize(self._object(entry.digest)) == entry.size
        except OSError:
            return False

    def _written(self, home: str, kind: str, files: dict[str, Entry], left_out: dict[str, str]) -> Snapshot:
        now = clock.now()
        moment, name = f"{now.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%S.%fZ}", f"{now:%Y-%m-%d-%H%M%S}"
        number = 2
        while os.path.exists(self._path(name)):
            name, number = f"{now:%Y-%m-%d-%H%M%S}-{number}", number + 1
        made = Snapshot(name, moment, kind, home, files, left_out)
        self._write(made)
        return made

    def _write(self, snapshot: Snapshot) -> None:
        content = {
            "format": _FORMAT,
            "moment": snapshot.moment,
            "kind": snapshot.kind,
            "home": snapshot.home,
            "files": {inside: [each.digest, each.size, each.mtime_ns] for inside, each in snapshot.files.items()},
            "left_out": dict(snapshot.left_out),
        }
        while self._unsynced:
            sync_folder(self._unsynced.pop())
        body = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        write_whole(self._path(snapshot.name), hashlib.sha256(body).hexdigest().encode() + b"\n" + body)

    def _snapshot(self, name: str) -> Snapshot:
        try:
            head, _, body = read_bytes(self._path(name)).partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != head:
                raise ValueError("it was cut or changed")
            return _parsed(name, json.loads(body))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            return Snapshot(name, problem=str(error))

    def _amended(self, inside: str, entry: Entry, change: Callable[[str, bytes], bytes]) -> Entry | None:
        try:
            before = self.content(entry)
        except DamagedError:
            return None
        after = change(inside, before)
        return entry if after == before else self.keep(after)

    def _remove(self, names: Sequence[str]) -> None:
        for name in names:
            os.unlink(self._path(name))
        if names:
            sync_folder(self.folder)


def _parsed(name: str, found: Any) -> Snapshot:
    """ValueError, KeyError or TypeError when it is no snapshot of ours."""
    if found["format"] != _FORMAT:
        raise ValueError("another version wrote it")
    files = {str(inside): Entry(str(what[0]), int(what[1]), int(what[2])) for inside, what in found["files"].items()}
    for inside, entry in files.items():
        if not _HASH.fullmatch(entry.digest) or {"", ".", ".."}.intersection(inside.split("/")) or "\0" in inside:
            raise ValueError(f"it names a file outside of the home: {inside!r}")
    return Snapshot(name, str(found["moment"]), str(found["kind"]), str(found["home"]), files, dict(found["left_out"]))


def size_of(found: Sequence[Snapshot]) -> int:
    """Bytes that the contents of some snapshots take."""
    return sum(_distinct(found).values())


def _distinct(found: Sequence[Snapshot]) -> dict[str, int]:
    """The size of each content that some snapshots name, by its hash."""
    return {entry.digest: entry.size for each in found for entry in each.files.values()}


def _digests(files: Mapping[str, Entry]) -> dict[str, str]:
    return {inside: entry.digest for inside, entry in files.items()}


def _is_same(before: Contents, inside: str, status: os.stat_result) -> bool:
    known = before.files.get(inside)
    return known is not None and _stamp(known) == _stamp(status)


def _stamp(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ino


def _read(path: str) -> bytes | str:
    """A file's content, or why there is none."""
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        return error.strerror or str(error)
    return content if len(content) <= LARGEST else f"larger than {LARGEST >> 20} MB"
