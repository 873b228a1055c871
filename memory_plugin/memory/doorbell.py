"""What every hook does first: forward standard input to the resident service, print the answer.

The prompt's hook is nothing else. The others see to it themselves, in `hooks`, when no service does.

Only `os`, `_socket`, `_signal`, `time` and `places` are imported: before every prompt, each further import is time
that the user waits. (`json` and `socket` together would cost as much as the interpreter's own start; `from __future__`
is a file to find and to read, too.)
"""

import _signal  # type: ignore[import-not-found]  # not in typeshed
import _socket
import os
import time

from memory_plugin import __version__
from memory_plugin.memory import places

WITHIN = "MEMORY_PLUGIN_WITHIN"  # set in a client that this plugin itself runs: no hook does anything there
DEADLINE = 2.0  # seconds: all that the prompt's hook has, and what the others wait for the service
ASK_AGAIN_AFTER = 30.0  # seconds of silence after a service that did not answer
LARGEST_INPUT = 2_000_000  # bytes; no prompt is that long
PROMPT, COMPACTION = "prompt", "pre_compact"  # as the service knows them
_FAIR = 1.6  # seconds; the service itself gives up a little earlier, so one that had as long hangs
_PRINTING = 1.0  # seconds, for a pipe that nobody empties
_LARGEST_ANSWER = 200_000


class Refused(Exception):
    """The service isn't there, is just ending, or what listens is not ours."""


class Hung(Exception):
    """A hook waited for this service in vain, now or a moment ago."""


class Late(BaseException):
    """The alarm rang: no `except Exception` on the way holds it up."""


def answer_prompt() -> None:
    """Read the prompt hook's input, ask the service, print what it says; never takes over two seconds."""
    try:
        _ring_after(DEADLINE)
        event, size = standard_input()
        if event and size <= LARGEST_INPUT and not os.environ.get(WITHIN):
            _print(PROMPT, _ask(PROMPT, event))
    except (places.NoHomeError, Hung):
        pass
    except Refused:
        _start_service()
    except Late:
        _log(f"{PROMPT}: no input within the deadline")
    except Exception as error:
        _log(f"{PROMPT}: {type(error).__name__}: {error}")


def answer(hook: str, deadline: float, patience: float = DEADLINE) -> None:
    """Do what another hook is for within `deadline` seconds: by the service, if it does it within `patience` seconds,
    else in this process."""
    started = time.monotonic()
    try:
        _ring_after(deadline)
        event, size = standard_input()
    except Late:
        _log(f"{hook}: no input within the deadline")
        return
    if os.environ.get(WITHIN):
        return
    try:
        if event and size <= LARGEST_INPUT and _is_answered(hook, event, patience):
            return
    except Late:  # while something else was noted down
        pass
    from memory_plugin.memory.hooks import run

    run(hook, event, size, started + deadline - time.monotonic())


def _is_answered(hook: str, event: bytes, patience: float) -> bool:
    """Whether the service did what the hook is for; then its answer is printed. The working folder stays as it is."""
    here = None
    try:
        here = os.open(os.curdir, os.O_RDONLY)
        _ring_after(patience)
        printed = _ask(hook, event)
        _signal.setitimer(_signal.ITIMER_REAL, _PRINTING)
        return _print(hook, printed)
    except (places.NoHomeError, Refused, Hung):
        return False
    except Exception as error:
        _log(f"{hook}: not asked of the service: {type(error).__name__}: {error}")
        return False
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        if here is not None:
            os.fchdir(here)
            os.close(here)


def _ring_after(seconds: float) -> None:
    """Have Late raised in so many seconds, whatever is being done then."""
    _signal.signal(_signal.SIGALRM, _ring)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _ring(*_: object) -> None:
    raise Late


def _leave(*_: object) -> None:
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


def _ask(hook: str, event: bytes) -> bytes:
    """The service's whole answer. Raises Refused when there is none to be had, Hung when none came or is to be waited
    for. Changes the working folder."""
    head = (
        f"POST /hook/{hook} HTTP/1.1\r\nhost: memory-plugin\r\nconnection: close\r\n"
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
        marked = _is_marked(listening)
        left = _signal.getitimer(_signal.ITIMER_REAL)[0]  # from here on the time is the service's
        try:
            connection.connect(places.SOCKET_NAME)
            connection.sendall(head.encode("ascii") + event)
            while size < _LARGEST_ANSWER and (part := connection.recv(1 << 16)):
                parts.append(part)
                size += len(part)
            _signal.signal(_signal.SIGALRM, _leave)  # what is being printed is not begun anew
        except Late:
            _give_up_on(hook, listening, left > _FAIR)
            raise Hung from None
    except (FileNotFoundError, ConnectionError):
        raise Refused from None
    finally:
        connection.close()
    if not parts:
        raise Refused
    if marked:
        os.unlink(places.HUNG_NAME)
    return b"".join(parts)


def _is_marked(listening: os.stat_result) -> bool:
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


def _give_up_on(hook: str, listening: os.stat_result, had_its_time: bool) -> None:
    """Note that the service did not answer, and if it had its time start a new one, which ends the one that hangs."""
    _log(f"{hook}: no answer within the deadline")
    if had_its_time:
        mark = os.open(places.HUNG_NAME, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.write(mark, _named(listening))
        os.close(mark)
        _start_service()


def _named(listening: os.stat_result) -> bytes:
    """What tells one service's socket from the next one's."""
    return b"%d %d" % (listening.st_ino, listening.st_mtime_ns)


def escape(path: str) -> str:
    """A path as a header may hold it: percent-encoded wherever it isn't plain ASCII."""
    return "".join(chr(byte) if 32 < byte < 127 and byte != 37 else f"%{byte:02X}" for byte in os.fsencode(path))


def _print(hook: str, answer: bytes) -> bool:
    """Print the body of a 200; whether the service did what the hook is for. A torn body would reach the model as
    plain text, so its length and its end are looked at."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 204 "):
        return True
    length = head.lower().partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0]
    # The client puts what is printed before a compaction into its prompt for the summary, JSON too.
    is_right_kind = body.startswith(b"{") is (hook != COMPACTION)
    if head.startswith(b"HTTP/1.1 200 ") and length == b"%d" % len(body) and body.endswith(b"\n") and is_right_kind:
        standard_output(body)
        return True
    if not head.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 ")):  # 503: it is left to the hook itself
        _log(f"{hook}: the service answered {head[:60]!r}")
    return False


def _start_service() -> None:
    from memory_plugin.memory import starter

    starter.start_service()


def _log(problem: str) -> None:
    from memory_plugin.memory.log import log

    log(problem)
