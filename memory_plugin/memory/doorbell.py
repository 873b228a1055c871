"""What the prompt hook does: forward standard input to the resident service, print the answer.

Only `os`, `_socket`, `_signal` and `places` are imported: before every prompt, each further import is time that the
user waits. (`json` and `socket` together would cost as much as the interpreter's own start.)
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # not in typeshed
import _socket
import os

from memory_plugin import __version__
from memory_plugin.memory import places

WITHIN = "MEMORY_PLUGIN_WITHIN"  # set in a client that this plugin itself runs: no hook does anything there
DEADLINE = 2.0  # seconds, for everything
LARGEST_INPUT = 2_000_000  # bytes; no prompt is that long
_LARGEST_ANSWER = 200_000


class Refused(Exception):
    """The service isn't there, is just ending, or what listens is not ours."""


def answer_prompt() -> None:
    """Read the hook's input, ask the service, print what it says; never raises, never takes over two seconds."""
    try:
        _signal.signal(_signal.SIGALRM, _out_of_time)
        _signal.setitimer(_signal.ITIMER_REAL, DEADLINE)
        event, size = standard_input()
        if event and size <= LARGEST_INPUT and not os.environ.get(WITHIN):
            _print(_ask(event))
    except places.NoHomeError:
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
    """The service's whole answer. Raises Refused when there is none to be had."""
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
        if os.stat(places.SOCKET_NAME).st_uid != os.getuid():
            raise Refused
        connection.connect(places.SOCKET_NAME)
        connection.sendall(head.encode("ascii") + event)
        while size < _LARGEST_ANSWER and (part := connection.recv(1 << 16)):
            parts.append(part)
            size += len(part)
    except (FileNotFoundError, ConnectionError):
        raise Refused from None
    if not parts:
        raise Refused
    return b"".join(parts)


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
