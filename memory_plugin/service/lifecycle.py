"""The resident process from start to end: one a state folder, detached, bounded, leaving nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import json
import logging
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from memory_plugin import __version__
from memory_plugin.memory import places, settings
from memory_plugin.memory.files import PRIVATE_FILE, make_folder, read_bytes, try_lock, write_whole
from memory_plugin.service import allocation, channel, installation
from memory_plugin.service.footprint import memory_in_use

if TYPE_CHECKING:
    from memory_plugin.service.library import Library
    from memory_plugin.service.server import QuietServer

LOCK_NAME = "service.lock"  # all three in the state folder
INFORMATION_NAME = "service.json"
LOG_NAME = os.path.join("logs", "service.log")
_LARGEST_LOG = 1 << 20
_DAY = 86_400.0
_LOCK_SECONDS, _LOCK_POLL = 5.0, 0.05
# Seconds after which a thread that computes lets another go on. With Python's own five milliseconds, what reads thirty
# files for a hook while the service reconciles gives way thirty times, and takes twice as long.
_SWITCH_AFTER = 0.001
_HUNG_AFTER = 10.0  # seconds without an answer to a hello, which costs a service that is well a millisecond
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """When the service ends by itself: seconds without a request, bytes of memory, seconds since its start.

    hung: seconds that the service before it may leave a hello unanswered before it is ended.
    """

    idle: float
    memory: int
    age: float = _DAY
    check_every: float = 10.0
    hung: float = _HUNG_AFTER


def run(limits: Limits | None = None) -> None:
    """Be the service of this state folder, detached from whoever called; does not return.

    A second one for the same folder ends as soon as the first one answers, having loaded no library; a first one that
    listens and does not answer is killed, and the second takes its place.
    """
    _detach()
    os.umask(0o077)  # libraries make files too
    state = places.state_folder()
    make_folder(state)
    lock = _lock_of_a_service_that_ends(state, limits.hung if limits else _HUNG_AFTER)
    if lock is None:
        os._exit(0)
    status = 1
    allocation.share_arenas()
    try:
        _redirect_streams(state)
        # Read by OpenMP as it loads: with its default, waiting threads spin and take the processor from others.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        sys.setswitchinterval(_SWITCH_AFTER)
        installed = installation.current()
        listener = channel.listen(state)
        write_information(state, installed)
        asyncio.run(_serve(listener, state, installed, limits or _limits()))
        status = 0
    except BaseException:
        _log.exception("the service failed")
    finally:
        _leave(state, lock)
        # Not sys.exit: a thread that still embeds would be waited for. What it writes is atomic, and derived.
        os._exit(status)


def take_lock(state: str) -> IO[bytes] | None:
    """The service's lock as an open stream, or None when another process has it."""
    path = os.path.join(state, LOCK_NAME)
    while (lock := try_lock(path)) is not None:
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), os.stat(path)):
                return lock
        lock.close()  # its last holder removed the file as it left: this is the lock of nothing
    return None


def _lock_of_a_service_that_ends(state: str, patience: float) -> IO[bytes] | None:
    """The lock, or None when its holder answers; one that was killed or is about to end holds it a little longer."""
    deadline = time.monotonic() + patience + _LOCK_SECONDS
    while (lock := take_lock(state)) is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), channel.connect(state, patience) as connection:
            try:
                if channel.answers(connection, patience):
                    with contextlib.suppress(OSError):
                        os.unlink(os.path.join(state, places.HUNG_NAME))
                    return None
            except TimeoutError:
                _end_hung(connection)
        time.sleep(_LOCK_POLL)
    return lock


def _end_hung(connection: socket.socket) -> None:
    """Kill the service at the other end, which has not answered. What it writes is atomic, or made again.

    Its id comes from the connection, not from a file: a number that was given to another process meanwhile would be
    the number of one that does not listen here.
    """
    process = channel.listener_pid(connection)
    if process is None:
        return
    with contextlib.suppress(BlockingIOError):
        connection.setblocking(False)
        connection.recv(1)
        return  # it answered after all, or is gone: another starter was quicker
    os.kill(process, signal.SIGKILL)


def information(state: str) -> dict[str, Any]:
    """What the running service wrote of itself: pid, started (seconds since 1970), version, root, home; or {}."""
    try:
        found = json.loads(read_bytes(os.path.join(state, INFORMATION_NAME)))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_information(state: str, installed: installation.Installation) -> None:
    """Write down what runs here."""
    content = {
        "pid": os.getpid(),
        "started": round(time.time(), 3),
        "version": __version__,
        "root": installed.root,
        "home": installed.home,
        "settings": installed.settings,
        "python": sys.executable,
    }
    write_whole(os.path.join(state, INFORMATION_NAME), json.dumps(content, indent=1).encode() + b"\n")


def _detach() -> None:
    """Leave the caller: another session, no parent that waits, none of its open files."""
    with contextlib.suppress(OSError):  # it leads a session already
        os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(3, 1024)


def _redirect_streams(state: str) -> None:
    path = os.path.join(state, LOG_NAME)
    make_folder(os.path.dirname(path))
    _rotate(path)
    root = logging.getLogger()
    root.handlers[:] = [logging.StreamHandler(sys.stderr)]
    root.handlers[0].setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.setLevel(logging.WARNING)
    logging.getLogger("memory_plugin").setLevel(logging.INFO)
    faulthandler.enable()  # native code that ends this process leaves in the log where it was


def _rotate(path: str) -> None:
    """Point the standard streams at the log, at a new one when it has grown too long."""
    with contextlib.suppress(OSError):
        if os.path.getsize(path) > _LARGEST_LOG:
            os.replace(path, path + ".1")
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(log)
    os.close(nothing)


def _limits() -> Limits:
    service = settings.load()[0].service
    return Limits(idle=service.idle_minutes * 60.0, memory=service.memory_limit_mb << 20)


async def _serve(listener: Any, state: str, installed: installation.Installation, limits: Limits) -> None:
    # Only who holds the lock pays for these imports.
    from memory_plugin.service.app import create
    from memory_plugin.service.library import Library
    from memory_plugin.service.server import QuietServer

    library = Library(state, installed)
    server = QuietServer(create(library, lambda: server.stop()))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)
    _log.info("version %s serves %s, process %d", __version__, installed.home, os.getpid())
    library.start()
    socket_file = os.stat(places.SOCKET_NAME)
    watchman = asyncio.create_task(_watch_limits(server, library, socket_file, installed, limits))
    try:
        await server.serve(sockets=[listener])
    finally:
        _remove(os.path.join(state, places.SOCKET_NAME), socket_file)
        watchman.cancel()
        await loop.run_in_executor(None, library.stop)


async def _watch_limits(
    server: QuietServer,
    library: Library,
    socket_file: os.stat_result,
    installed: installation.Installation,
    limits: Limits,
) -> None:
    state = places.state_folder()
    started = time.monotonic()
    while True:
        await asyncio.sleep(limits.check_every)
        reason = None
        if not _same_file(os.path.join(state, places.SOCKET_NAME), socket_file):
            reason = "its state folder or socket is gone"
        elif installed.is_outdated():
            reason = "the plugin on disk is another"
        elif memory_in_use() > limits.memory:
            reason = f"it holds {memory_in_use() >> 20} MB of memory, more than service.memory_limit_mb"
        elif time.monotonic() - started > limits.age:
            reason = "it has run for a day"
        elif library.idle_seconds() > limits.idle:
            reason = "nobody asked anything for service.idle_minutes"
        if reason:
            _log.info("ends because %s", reason)
            server.stop()
            return
        library.look_after_index()
        if os.fstat(2).st_size > _LARGEST_LOG:
            _rotate(os.path.join(state, LOG_NAME))


def _same_file(path: str, known: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), known)
    except OSError:
        return False


def _remove(path: str, known: os.stat_result) -> None:
    """Remove a file if it is the known one: another service may have made its own in a folder made anew."""
    if _same_file(path, known):
        with contextlib.suppress(OSError):
            os.unlink(path)


def _leave(state: str, lock: IO[bytes]) -> None:
    """Remove what says that a service runs; the lock last, while it is still held."""
    if information(state).get("pid") == os.getpid():
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(state, INFORMATION_NAME))
    _remove(os.path.join(state, LOCK_NAME), os.fstat(lock.fileno()))
    lock.close()
