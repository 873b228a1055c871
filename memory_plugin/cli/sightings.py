"""Whether Claude Code runs the hooks: when each was last seen at work, by what it left in the state folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime

from memory_plugin.cli.finding import Finding
from memory_plugin.memory import accounts, flush, injected, places

_LATE = 86_400  # seconds that a conversation may go on without a hook before it is odd
_HOOKS = {"SessionStart": "session start", "UserPromptSubmit": "prompt"}
_TRIGGERS = {"catch-up": "session start", "compaction": "compaction", "session end": "session end"}


def last_seen(state: str) -> dict[str, float]:
    """When each hook last left a trace, in seconds since 1970; a session's start without any notes leaves none."""
    found = dict[str, float]()
    for hook, moment in _traces(state):
        found[hook] = max(moment, found.get(hook, 0.0))
    return found


def _traces(state: str) -> Iterator[tuple[str, float]]:
    for receipt in flush.receipts(state):
        if hook := _TRIGGERS.get(receipt.trigger.partition(" (")[0]):
            with contextlib.suppress(ValueError):
                yield hook, datetime.fromisoformat(receipt.at).timestamp()
    for event, entry in injected.latest().items():
        if event in _HOOKS:
            yield _HOOKS[event], entry["time"]
    with contextlib.suppress(OSError):
        yield "prompt", os.path.getmtime(os.path.join(state, accounts.FILE))


def last_conversation() -> float:
    """When Claude Code last wrote a conversation down, in seconds since 1970; 0 when it never did."""
    latest = 0.0
    folder = os.path.join(places.client_folder(), "projects")
    with contextlib.suppress(OSError), os.scandir(folder) as projects:
        for project in projects:
            with contextlib.suppress(OSError), os.scandir(project.path) as files:
                latest = max([latest, *(each.stat().st_mtime for each in files if each.name.endswith(".jsonl"))])
    return latest


def hooks(state: str) -> Finding:
    """Whether the hooks run, as far as can be told."""
    try:
        seen, held = last_seen(state), last_conversation()
    except OSError as error:
        return Finding("FAIL", "hooks", f"their traces cannot be read: {error}", "move that away, or make it readable")
    if not seen:
        step = "run `memory-plugin setup`, then start a new session and say something"
        return Finding("WARN", "hooks", "none was ever seen at work", step)
    newest = sorted(seen, key=lambda each: -seen[each])
    text = "last seen " + ", ".join(f"{shown(seen[each])} ({each})" for each in newest)
    if held > max(seen.values()) + _LATE:
        step = "start a new session, which loads them; `/hooks` in it lists those that are loaded"
        return Finding("WARN", "hooks", f"{text}; but Claude Code held a conversation {shown(held)}", step)
    return Finding("OK", "hooks", text)


def shown(moment: float) -> str:
    """A moment for a person, to the minute, local."""
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}"
