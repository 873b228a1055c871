"""What each hook does, behind one entry that never fails: exit 0 and a log line, whatever happens.

The prompt hook is apart, in `doorbell`: it has no time for these imports.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from memory_plugin.memory import injected, places, settings, spool, starter
from memory_plugin.memory.briefing import brief
from memory_plugin.memory.flush import unflushed
from memory_plugin.memory.log import log
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.spool import Job
from memory_plugin.memory.summary import INSTRUCTION

LARGEST_INPUT = 2_000_000  # bytes; the client sends a few hundred
CATCH_UP_AT_ONCE = 1_000_000  # bytes of transcript; what is more is left to a process of its own
SET_UP_AGAIN_AFTER = 86_400  # seconds
_SET_UP_STARTED = "set-up-started"


@dataclass(frozen=True, slots=True)
class Event:
    """The fields of a hook's input that are used; all may be empty."""

    session: str
    transcript: str
    project: str
    source: str
    trigger: str


def run(name: str, deadline: float) -> None:
    """Run a hook by its event's name and end the process with 0, before `deadline` seconds are over."""
    try:
        signal.signal(signal.SIGALRM, lambda *_: _give_up(name))
        signal.setitimer(signal.ITIMER_REAL, deadline)
        event = read_event(_standard_input())
        if event:
            _print(HOOKS[name](event))
    except BaseException as error:
        log(f"{name}: {type(error).__name__}: {error}")
    os._exit(0)  # no flush of a closed stream, no exit handler can change the code


def read_event(raw: bytes) -> Event | None:
    """The hook's input, or None (and a log line) when it isn't one JSON object."""
    try:
        found = json.loads(raw.decode("utf-8", errors="replace")) if raw.strip() else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        log(f"standard input is no JSON object: {raw[:80]!r}")
        return None
    project = os.environ.get("CLAUDE_PROJECT_DIR") or _string(found, "cwd") or os.getcwd()
    transcript = _string(found, "transcript_path")
    return Event(
        session=_string(found, "session_id"),
        transcript=os.path.abspath(os.path.expanduser(transcript)) if transcript else "",
        project=os.path.abspath(project),
        source=_string(found, "source"),
        trigger=_string(found, "trigger"),
    )


def session_start(event: Event) -> str:
    """Catch up on what was never flushed, wake the service, and print the briefing."""
    state = places.state_folder()
    chosen, problems = settings.load(event.project)
    compacted = event.source == "compact"
    if compacted:
        injected.reset(event.session)
    elif chosen.capture.enabled:
        _catch_up(state, event)
    messages = [_wake(state), *(["settings: " + problems[0]] if problems else []), _home_problem()]
    text = ""
    if chosen.briefing.enabled:
        namespace = namespace_of(event.project).name
        briefing = brief(
            places.memory_home(),
            namespace,
            limit=chosen.briefing.max_characters,
            today=date.today(),
            session=event.session if compacted else None,
        )
        text = briefing.text
        if text:
            injected.record(event.session, briefing.ids, "SessionStart", namespace)
            messages.insert(0, f"{text.count(chr(10) + '- ')} notes from earlier conversations")
    return _answer("SessionStart", text, "; ".join(message for message in messages if message))


def pre_compact(event: Event) -> str:
    """Flush, leave word that a summary is to be read, and print what is asked of it."""
    chosen, _ = settings.load(event.project)
    if not chosen.capture.enabled or not event.transcript:
        return ""
    state = places.state_folder()
    job = Job(event.transcript, f"compaction ({event.trigger or 'unknown'})", event.project)
    try:
        spool.add(state, job)
        spool.pay(state, job)
        spool.add(state, Job(event.transcript, "summary", event.project))
    except OSError as error:
        log(f"pre_compact: {error}")
    return INSTRUCTION + "\n" if chosen.compaction.ask_for_facts else ""


def session_end(event: Event) -> str:
    """Owe the flush and leave it to a process that outlives the client."""
    chosen, _ = settings.load(event.project)
    if chosen.capture.enabled and event.transcript and os.path.exists(event.transcript):
        spool.add(places.state_folder(), Job(event.transcript, "session end", event.project))
        start_drain()
    return ""


def start_drain() -> None:
    """Start a detached process that flushes whatever is owed; it needs nothing but this interpreter."""
    script = os.path.join(places.PLUGIN_ROOT, "hooks", "drain.py")
    starter.run_detached([sys.executable, "-I", "-S", "-X", "utf8", script])


HOOKS: dict[str, Callable[[Event], str]] = {
    "session_start": session_start,
    "pre_compact": pre_compact,
    "session_end": session_end,
}


def _catch_up(state: str, event: Event) -> None:
    folder = os.path.dirname(event.transcript)
    waiting = list(unflushed(folder, state)) if event.transcript and os.path.isdir(folder) else []
    at_once = 0
    for transcript, size in waiting:
        job = Job(transcript, "catch-up", event.project)
        at_once += size
        if at_once <= CATCH_UP_AT_ONCE:
            spool.pay(state, job)
        else:
            spool.add(state, job)
    if spool.count(state):
        start_drain()


def _wake(state: str) -> str:
    """Start the service, or the set-up that must come before it; what the user should know of it."""
    if starter.interpreter():
        if not starter.service_listens():
            starter.start_service()
        return ""
    started = os.path.join(state, _SET_UP_STARTED)
    with contextlib.suppress(OSError):
        if time.time() - os.stat(started).st_mtime < SET_UP_AGAIN_AFTER:
            return (
                "set-up is not finished; until then no prompt is answered from memory (memory-plugin doctor says more)"
            )
    with contextlib.suppress(OSError):
        os.makedirs(state, 0o700, exist_ok=True)
        with open(started, "w", encoding="utf-8"):
            pass
    launcher = os.path.join(places.PLUGIN_ROOT, "bin", "memory-plugin")
    starter.run_detached(["/bin/sh", launcher, "service", "start"])
    return "setting up search in the background (once, about 0.6 GB); facts are being kept already"


def _home_problem() -> str:
    home = places.memory_home()
    if os.path.exists(home) and not os.path.isdir(home):
        return f"nothing can be kept: {home} is not a folder"
    if os.path.isdir(home) and not os.access(home, os.W_OK | os.X_OK):
        return f"nothing can be kept: {home} is not writable"
    return ""


def _answer(name: str, context: str, message: str) -> str:
    answer: dict[str, Any] = {}
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": context}
    if message:
        answer["systemMessage"] = f"memory-plugin: {message}"
    return json.dumps(answer) + "\n" if answer else ""


def _give_up(name: str) -> None:
    log(f"{name}: not done within its deadline; what is owed is done later")
    os._exit(0)


def _standard_input() -> bytes:
    """Standard input to its end, or nothing when it is too long: the writer is never cut off."""
    parts, size = [], 0
    while part := os.read(0, 1 << 16):
        size += len(part)
        if size <= LARGEST_INPUT:
            parts.append(part)
    return b"".join(parts) if size <= LARGEST_INPUT else b""


def _print(text: str) -> None:
    raw = text.encode()
    while raw:
        raw = raw[os.write(1, raw) :]


def _string(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""
