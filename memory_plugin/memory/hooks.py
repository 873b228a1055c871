"""What each hook does, behind one entry that never fails: exit 0 and a log line, whatever happens.

This runs in the resident service, which has all of it in memory, when there is one that answers (`doorbell`); else in
the hook's own process. The prompt's hook is in `doorbell` alone: it has no time for these imports.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from memory_plugin.memory import clock, injected, places, settings, spool, starter, watermark
from memory_plugin.memory.doorbell import LARGEST_INPUT, standard_output
from memory_plugin.memory.files import read_bytes, write_whole
from memory_plugin.memory.log import log
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.spool import Job
from memory_plugin.memory.transcript import client_version, path_in

CATCH_UP_AT_ONCE = 1_000_000  # bytes of transcript; what is more is left to a process of its own
CATCH_UP_SECONDS = 5.0
_RING_AGAIN_AFTER = 1.0
_LEAST = 0.1  # seconds, whatever came before: a timer of none never rings
SET_UP_AGAIN_AFTER = 86_400  # seconds
_SET_UP_STARTED = "set-up-started"


class Helper(Protocol):
    """What a hook does by other processes."""

    def drain(self, folder: str = "", project: str = "") -> None:
        """Have whatever is owed flushed, then the transcripts of a folder, without waiting for it."""

    def wake(self, state: str) -> str:
        """See to it that there is a service; what the user should know of it."""


class OutOfTime(BaseException):
    """The alarm rang: no `except Exception` on the way holds it up."""


@dataclass(frozen=True, slots=True)
class Event:
    """The fields of a hook's input that are used; all may be empty."""

    session: str
    transcript: str
    project: str
    source: str
    trigger: str


def run(name: str, raw: bytes, size: int, deadline: float) -> None:
    """Do what a hook is for in this process and end it with 0, before `deadline` seconds are over.

    raw is the hook's input, or its beginning when its `size` in bytes is more than is read. A hook yields its answer
    as it grows; the last one is printed when the hook is done, fails or runs out of time.
    """
    answer = ""
    try:
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, max(deadline, _LEAST), _RING_AGAIN_AFTER)
        _stand_somewhere()
        if size > LARGEST_INPUT:
            log(f"standard input is {size} bytes long; at most {LARGEST_INPUT} are read")
        event = read_event(raw, os.environ.get("CLAUDE_PROJECT_DIR", ""), os.getcwd())
        if event:
            for so_far in HOOKS[name](event, Starting()):
                answer = so_far
    except OutOfTime:
        signal.setitimer(signal.ITIMER_REAL, 0)
        log(f"{name}: not done within its deadline; what is owed is done later")
    except BaseException as error:
        log(f"{name}: {type(error).__name__}: {error}")
    try:
        signal.setitimer(signal.ITIMER_REAL, _RING_AGAIN_AFTER)  # for a pipe that nobody empties
        standard_output(answer.encode())
    except BaseException as error:
        log(f"{name}: nothing printed: {type(error).__name__}: {error}")
    os._exit(0)  # no flush of a closed stream, no exit handler can change the code


def read_event(raw: bytes, project: str, here: str) -> Event | None:
    """The hook's input, or None (and a log line) when it isn't one JSON object.

    project: the folder that the client was started in, "" when it does not say; here: the hook's working folder, which
    stands for what the input does not name, and from which its relative paths are meant.
    """
    try:
        found = json.loads(raw.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        log(f"standard input is no JSON object ({len(raw)} bytes)")
        return None
    transcript = path_in(found, "transcript_path")
    return Event(
        session=_string(found, "session_id"),
        transcript=_path(os.path.expanduser(transcript), here) if transcript else "",
        project=_path(project or path_in(found, "cwd"), here),
        source=_string(found, "source"),
        trigger=_string(found, "trigger"),
    )


def session_start(event: Event, helper: Helper) -> Iterator[str]:
    """Catch up on what was never flushed, wake the service, and print the briefing."""
    state = places.state_folder()
    chosen, problems = settings.load(event.project)
    compacted = event.source == "compact"
    messages: list[str] = [_home_problem(), *(f"settings: {problem}" for problem in problems[:1])]
    if compacted or (event.source == "resume" and _loses_contexts(event.transcript)):
        with _going_on("session_start"):
            injected.reset(event.session)
    if not chosen.capture.enabled:
        _pass_by(event.transcript)
    elif not compacted:
        with _going_on("catch-up"), _at_most(CATCH_UP_SECONDS):
            _catch_up(state, event, helper)
    yield _answer("SessionStart", "", messages)
    text = ""
    if chosen.briefing.enabled:
        with _going_on("briefing"):
            from memory_plugin.memory.briefing import brief  # here, for the other hooks have no need of it

            namespace = namespace_of(event.project).name
            briefing = brief(
                places.memory_home(),
                namespace,
                limit=chosen.briefing.max_characters,
                today=clock.today(),
                session=event.session if compacted else None,
            )
            text = briefing.text
            if text:
                count = sum(line.startswith("- ") for line in text.split("\n"))
                messages.insert(0, f"{count} note{'s' if count > 1 else ''} from earlier conversations")
                yield _answer("SessionStart", text, messages)
                injected.record(event.session, briefing.ids, "SessionStart", namespace)
    with _going_on("service"):
        messages.append(helper.wake(state))
    yield _answer("SessionStart", text, messages)


def pre_compact(event: Event, helper: Helper) -> Iterator[str]:
    """Flush, leave word that a summary is to be read, and print what is asked of it."""
    chosen, _ = settings.load(event.project)
    if not event.transcript:
        return
    if not chosen.capture.enabled:
        _pass_by(event.transcript)
        return
    if chosen.compaction.ask_for_facts:
        from memory_plugin.memory.summary import INSTRUCTION  # as much as a flush needs

        yield INSTRUCTION + "\n"
    state = places.state_folder()
    job = Job(event.transcript, f"compaction ({event.trigger or 'unknown'})", event.project)
    with _going_on("pre_compact"):
        spool.add(state, job)
    try:
        spool.pay(state, job)
    except OutOfTime:
        helper.drain()  # it goes on from where this one got to
        raise
    with _going_on("pre_compact"):
        spool.add(state, Job(event.transcript, "summary", event.project))


def session_end(event: Event, helper: Helper) -> Iterator[str]:
    """Owe the flush and leave it to a process that outlives the client."""
    chosen, _ = settings.load(event.project)
    if not chosen.capture.enabled:
        _pass_by(event.transcript)
    elif event.transcript and os.path.exists(event.transcript):
        spool.add(places.state_folder(), Job(event.transcript, "session end", event.project))
        helper.drain()
    yield ""


def _pass_by(transcript: str) -> None:
    """What was said while capture was off is not caught up on when it is on again."""
    with _going_on("capture is off"):
        if transcript:
            watermark.pass_by(places.state_folder(), transcript)


HOOKS: dict[str, Callable[[Event, Helper], Iterator[str]]] = {
    "session_start": session_start,
    "pre_compact": pre_compact,
    "session_end": session_end,
}


def _catch_up(state: str, event: Event, helper: Helper) -> None:
    if _home_problem():
        return
    folder = os.path.dirname(event.transcript)
    done = True
    if event.transcript and os.path.isdir(folder):
        try:
            done = False
            done = spool.catch_up(state, folder, event.project, CATCH_UP_AT_ONCE)
        finally:
            if not done:
                helper.drain(folder, event.project)
    if done and spool.count(state):
        helper.drain()


class Starting:
    """The helper of a hook that does its work in its own process: it starts others."""

    def drain(self, folder: str = "", project: str = "") -> None:
        """Start a detached process that flushes; it needs nothing but this interpreter."""
        start_drain(folder, project)

    def wake(self, state: str) -> str:
        """Start the service, or the set-up that must come before it."""
        if is_set_up():
            if not starter.service_listens():
                starter.start_service()
            return ""
        started = os.path.join(state, _SET_UP_STARTED)
        with contextlib.suppress(OSError):
            if 0 <= time.time() - os.stat(started).st_mtime < SET_UP_AGAIN_AFTER:
                return (
                    "set-up is not finished; until then no prompt is answered from memory "
                    "(memory-plugin doctor says more)"
                )
        with contextlib.suppress(OSError):
            write_whole(started, b"")
        launcher = os.path.join(places.PLUGIN_ROOT, "bin", "memory-plugin")
        starter.run_detached(["/bin/sh", launcher, "service", "start"], starter.PACKAGE_PREFIXES)
        return "setting up search in the background (once, about 0.6 GB); facts are being kept already"


def start_drain(folder: str = "", project: str = "") -> int | None:
    """Start a detached process that flushes whatever is owed, then the transcripts of a folder; its id, or None."""
    script = os.path.join(places.PLUGIN_ROOT, "hooks", "drain.py")
    return starter.run_detached([sys.executable, "-I", "-S", "-X", "utf8", script, folder, project])


def is_set_up() -> bool:
    """Whether the environment is the one that this version of the plugin wants; the launcher makes it anew if not."""
    python = starter.interpreter()
    if python is None:
        return False
    wanted = read_bytes(os.path.join(places.PLUGIN_ROOT, "requirements.lock"))
    return read_bytes(os.path.join(os.path.dirname(os.path.dirname(python)), "requirements.lock")) == wanted


def _loses_contexts(transcript: str) -> bool:
    """Whether the client that resumes drops what hooks had injected: seen in 2.0.77 and 2.1.76, not in 1.0, 2.1.150."""
    return (2, 0) <= client_version(transcript) < (2, 1, 150)


def _home_problem() -> str:
    home = places.memory_home()
    if os.path.exists(home) and not os.path.isdir(home):
        return f"nothing can be kept: {home} is not a folder"
    if os.path.isdir(home) and not os.access(home, os.W_OK | os.X_OK):
        return f"nothing can be kept: {home} is not writable"
    return ""


def _answer(name: str, context: str, messages: list[str]) -> str:
    answer: dict[str, Any] = {}
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": context}
    if message := "; ".join(filter(None, messages)):
        answer["systemMessage"] = f"memory-plugin: {message}"
    return json.dumps(answer) + "\n" if answer else ""


def _ring(*_: object) -> None:
    raise OutOfTime


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Give a part of a hook only some of the time that the whole has."""
    if signal.getsignal(signal.SIGALRM) is not _ring:  # no deadline is kept here
        yield
        return
    left = signal.setitimer(signal.ITIMER_REAL, seconds, _RING_AGAIN_AFTER)[0]
    started = time.monotonic()
    try:
        yield
    except OutOfTime:
        log(f"not done after {seconds} s; the rest is done later")
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(left - time.monotonic() + started, 0.1), _RING_AGAIN_AFTER)


@contextlib.contextmanager
def _going_on(what: str) -> Iterator[None]:
    """A part that fails leaves the others to do theirs."""
    try:
        yield
    except Exception as error:
        log(f"{what}: {type(error).__name__}: {error}")


def _stand_somewhere() -> None:
    """Leave a working folder that is no more: every relative path would raise."""
    try:
        os.getcwd()
    except OSError:
        os.chdir(os.sep)


def _path(path: str, here: str) -> str:
    return os.path.normpath(os.path.join(here, path))


def _string(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""
