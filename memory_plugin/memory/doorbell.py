"""What the prompt hook does: forward standard input to the resident service, print the answer.

Only `os`, `_socket`, `_signal`, `time` and `places` are imported: before every prompt, each further import is time
that the user waits. (`json` and `socket` together would cost as much as the interpreter's own start.)
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # not in typeshed
import _socket
import os
import time

from memory_plugin import __version__
from memory_plugin.memory import places

WITHIN = "MEMORY_PLUGIN_WITHIN"  # set in a client that this plugin itself runs: no hook does anything there
DEADLINE = 2.0  # seconds, for everything
ASK_AGAIN_AFTER = 30.0  # seconds of silence after a service that did not answer
LARGEST_INPUT = 2_000_000  # bytes; no prompt is that long
_FAIR = 1.6  # seconds; the service itself gives up a little earlier, so one that had as long hangs
_LARGEST_ANSWER = 200_000


class Refused(Exception):
    """The service isn't there, is just ending, or what listens is not ours."""


class Hung(Exception):
    """A prompt waited for this service in vain a moment ago."""


def answer_prompt() -> None:
    """Read the hook's input, ask the service, print what it says; never raises, never takes over two seconds."""
    try:
        _signal.signal(_signal.SIGALRM, _out_of_time)
        _signal.setitimer(_signal.ITIMER_REAL, DEADLINE)
        event, size = standard_input()
        if event and size <= LARGEST_INPUT and not os.environ.get(WITHIN):
            _print(_ask(event))
    except (places.NoHomeError, Hung):
        pass
    except Refused:
        _start_service()
    except Exception as error:
        _log(f"{type(error).__name__}: {error}")


def _out_of_time(*_: object) -> None:
    _log("no answer within the deadline")
    os._exit(0)


def standard_input() -> tuple[bytes, int]:
    """Standard input, or its beginning when it is longer than LARGEST_INPUT, and how long it is in bytes.

    It is read to its end all the same, so that the writer is not cut off.
    """
    parts, size = [], 0
    while part := os.read(0, 1 << 16):
        size += len(part)
        if size <= LARGEST_INPUT:
            parts.append(part)
    return b"".join(parts), size


def standard_output(raw: bytes) -> None:
    """Write all of it, however little a pipe takes at once. Raises OSError when the reader is gone."""
    while raw:
        raw = raw[os.write(1, raw) :]


def _ask(event: bytes) -> bytes:
    """The service's whole answer. Raises Refused when there is none to be had, Hung when none is to be waited for."""
    head = (
        "POST /hook/prompt HTTP/1.1\r\nhost: memory-plugin\r\nconnection: close\r\n"
        f"memory-plugin-version: {__version__}\r\n"
        f"memory-plugin-home: {escape(places.memory_home())}\r\n"
        f"memory-plugin-settings: {escape(places.settings_file())}\r\n"
        f"claude-project-dir: {escape(os.environ.get('CLAUDE_PROJECT_DIR', ''))}\r\n"
        f"content-length: {len(event)}\r\n\r\n"
    )
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    parts, size = list[bytes](), 0
    try:
        # The path of a Unix socket is at most about a hundred bytes long; relative to its folder it always fits.
        os.chdir(places.state_folder())
        listening = os.stat(places.SOCKET_NAME)
        if listening.st_uid != os.getuid():
            raise Refused
        marked = _marked(listening)
        _give_up_on(listening)
        connection.connect(places.SOCKET_NAME)
        connection.sendall(head.encode("ascii") + event)
        while size < _LARGEST_ANSWER and (part := connection.recv(1 << 16)):
            parts.append(part)
            size += len(part)
    except (FileNotFoundError, ConnectionError):
        raise Refused from None
    if not parts:
        raise Refused
    if marked:
        os.unlink(places.HUNG_NAME)
    return b"".join(parts)


def _marked(listening: os.stat_result) -> bool:
    """Whether there is word of a service that hung; Hung when it is this one, and it was a moment ago.

    Only the first prompt waits in vain: until a new service has taken over, or this one answers again, those that
    follow are silent at once.
    """
    try:
        mark = os.open(places.HUNG_NAME, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        age = time.time() - os.fstat(mark).st_mtime
        if 0 <= age < ASK_AGAIN_AFTER and os.read(mark, 100) == _named(listening):
            raise Hung
    finally:
        os.close(mark)
    return True


def _give_up_on(listening: os.stat_result) -> None:
    """From here on the deadline is the service's: when it passes, that is noted, and a new service is started, which
    ends the one that hangs."""
    left = _signal.getitimer(_signal.ITIMER_REAL)[0]

    def give_up(*_: object) -> None:
        try:
            _log("no answer within the deadline")
            if left > _FAIR:
                mark = os.open(places.HUNG_NAME, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.write(mark, _named(listening))
                _start_service()
        finally:
            os._exit(0)

    _signal.signal(_signal.SIGALRM, give_up)


def _named(listening: os.stat_result) -> bytes:
    """What tells one service's socket from the next one's."""
    return b"%d %d" % (listening.st_ino, listening.st_mtime_ns)


def escape(path: str) -> str:
    """A path as a header may hold it: percent-encoded wherever it isn't plain ASCII."""
    return "".join(chr(byte) if 32 < byte < 127 and byte != 37 else f"%{byte:02X}" for byte in os.fsencode(path))


def _print(answer: bytes) -> None:
    """Print the body of a 200. A torn one would reach the model as plain text, so its end is looked at."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 200 ") and body.startswith(b"{") and body.endswith(b"}\n"):
        standard_output(body)
    elif not head.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 204 ")):
        _log(f"the service answered {head[:60]!r}")


def _start_service() -> None:
    from memory_plugin.memory import starter

    starter.start_service()


def _log(problem: str) -> None:
    from memory_plugin.memory.log import log

    log(f"user_prompt_submit: {problem}")
