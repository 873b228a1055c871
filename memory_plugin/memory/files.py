"""Durable writes and the lock around them: a file is there whole or not at all, private to the user."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from typing import IO

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
WRITING = ".writing-"  # how the name of a file begins that is not whole yet
_ABANDONED_AFTER = 3600  # seconds
_CANNOT_SYNC = frozenset((errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM))


def make_folder(folder: str) -> None:
    """Create a folder and its parents, the new ones for the user alone."""
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process may make it at the same moment
            os.mkdir(each, PRIVATE_FOLDER)
        if not os.path.isdir(each):
            raise NotADirectoryError(20, "a file stands where a folder is needed", each)


def sync_folder(folder: str) -> None:
    """Make a rename or a new name in the folder durable, where the system can."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:  # some network and FUSE file systems have no such thing
        if error.errno not in _CANNOT_SYNC:
            raise


class ChangedMeanwhile(OSError):
    """Somebody else wrote the file after it was read: read it again."""


def write_whole(path: str, content: bytes, expected: bytes | None = None, *, sync_name: bool = True) -> None:
    """Replace a file's content at once and durably; a link's target is replaced, its mode kept.

    A file that its owner made read-only stays as it is: PermissionError. With `expected`, the content that `content`
    was made from, a file that holds something else by now stays as it is: ChangedMeanwhile. Without `sync_name` the
    caller makes the new name durable by `sync_folder`: of many files, once a folder.
    """
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    make_folder(folder)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "read-only", path)
    # `tempfile` would cost every hook the import of random and shutil
    temporary = os.path.join(folder, WRITING + os.urandom(8).hex())
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(temporary, os.stat(path).st_mode & 0o777)
        if expected is not None and read_bytes(path) != expected:
            raise ChangedMeanwhile(errno.EBUSY, "changed meanwhile", path)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if sync_name:
        sync_folder(folder)


def append(path: str, lines: bytes) -> None:
    """Append whole lines durably, the last without its end; a torn line that a crash left is closed off first."""
    make_folder(os.path.dirname(path))
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        torn = size > 0 and _byte_before_end(descriptor, size) != b"\n"
        rest = (b"\n" if torn else b"") + lines + b"\n"
        while rest:  # a disk that fills up takes a part, and refuses the next
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def note_down(path: str, line: bytes, largest: int) -> None:
    """Append a line at once, without syncing it: for what is no loss. Beyond so many bytes the file begins anew, and
    what it held is kept as `.1`. Raises OSError."""
    make_folder(os.path.dirname(path))
    with contextlib.suppress(OSError):
        if os.path.getsize(path) > largest:
            os.replace(path, path + ".1")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def sweep(folder: str) -> None:
    """Remove what a process that was killed in the middle of write_whole left in a folder, once it is an hour old."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(WRITING):
                with contextlib.suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED_AFTER:
                        os.unlink(entry.path)


def _byte_before_end(descriptor: int, size: int) -> bytes:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1)


def read_bytes(path: str, limit: int | None = None) -> bytes:
    """A file's bytes (at most `limit`), or nothing when it isn't there."""
    try:
        with open(path, "rb") as stream:
            return stream.read() if limit is None else stream.read(limit)
    except (FileNotFoundError, NotADirectoryError):
        return b""


@contextlib.contextmanager
def lock(path: str) -> Iterator[IO[bytes]]:
    """Hold an exclusive lock on a file until the block ends; the system frees it when a process dies."""
    make_folder(os.path.dirname(path))
    with _open_lock(path) as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield stream


def try_lock(path: str) -> IO[bytes] | None:
    """The lock as an open stream (close it to free it), or None when another process holds it."""
    make_folder(os.path.dirname(path))
    stream = _open_lock(path)
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stream.close()
        return None
    return stream


def _open_lock(path: str) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE_FILE), "ab")
