"""The Unix socket between the service and its clients: one a state folder, for its user alone."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterator

from memory_plugin.memory.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folder
from memory_plugin.memory.places import HUNG_NAME, SOCKET_NAME

# sockaddr_un.sun_path holds 108 bytes on Linux and 104 elsewhere, its closing NUL included.
_LONGEST_PATH = 103
_WAITING = 64  # connections that may wait to be accepted
_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2  # macOS and the BSDs: <sys/un.h>
_HELLO = b"GET /hello HTTP/1.1\r\nhost: memory-plugin\r\nconnection: close\r\n\r\n"


def listen(folder: str) -> socket.socket:
    """The listening socket of a state folder, in place of whatever a dead service left there.

    The caller holds the service's lock. Changes the working directory to the folder, so that any path will do.
    """
    make_folder(folder)
    os.chmod(folder, PRIVATE_FOLDER)
    os.chdir(folder)
    for name in (SOCKET_NAME, HUNG_NAME):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o777 & ~PRIVATE_FILE)
    try:
        listener.bind(SOCKET_NAME)
    finally:
        os.umask(before)
    listener.listen(_WAITING)
    return listener


def connect(folder: str, timeout: float | None) -> socket.socket:
    """A connection to the service of a state folder. Raises OSError when nobody listens there."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout)
    try:
        with _short_path(folder) as path:
            connection.connect(path)
        if not is_own(connection):
            raise PermissionError(1, "another user's process listens there", os.path.join(folder, SOCKET_NAME))
    except OSError:
        connection.close()
        raise
    return connection


def answers(connection: socket.socket, timeout: float) -> bool:
    """Whether the service at the other end says anything; False when it ends. TimeoutError when it does neither."""
    connection.settimeout(timeout)
    connection.sendall(_HELLO)
    return connection.recv(1) != b""


@contextlib.contextmanager
def _short_path(folder: str) -> Iterator[str]:
    path = os.path.join(folder, SOCKET_NAME)
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        yield SOCKET_NAME
    finally:
        os.fchdir(before)
        os.close(before)


def is_own(connection: socket.socket) -> bool:
    """Whether the process at the other end belongs to this user."""
    return peer_uid(connection) == os.getuid()


def peer_uid(connection: socket.socket) -> int | None:
    """The user id of the process at the other end, or None where the system won't tell."""
    try:
        if sys.platform == "linux":
            return _linux_credentials(connection)[1]
        credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, struct.calcsize("2I"))
        return int(struct.unpack("2I", credentials)[1])
    except (OSError, struct.error):
        return None


def listener_pid(connection: socket.socket) -> int | None:
    """The process that listens at the other end, as the system knows it; None where it won't tell.

    While the connection stands, so does that process: the number is nobody else's.
    """
    try:
        if sys.platform == "linux":
            process = _linux_credentials(connection)[0]
        else:
            process = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)
    except (OSError, struct.error):
        return None
    return process if process > 1 else None


def _linux_credentials(connection: socket.socket) -> tuple[int, int, int]:
    """Process, user and group at the other end: `struct ucred` of unix(7)."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process, user, group = struct.unpack("3i", credentials)
    return process, user, group
