"""Removing a fact's words from everything that is ours: the one thing that is really deleted.

    files of the home ─▶ state ─▶ a `purged` event ─▶ other events that quote it ─▶ its own events ─▶ (the index)

In this order a purge that was killed is finished by doing it again: until the last step something still tells the
words, and the `purged` event, which holds only the fact's id, keeps them from being captured again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from memory_plugin.memory import events, journal
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import fact_id, line_id, parse_line
from memory_plugin.memory.files import WRITING, lock, read_bytes
from memory_plugin.memory.journal import Held
from memory_plugin.memory.places import EVENTS_FOLDER, HISTORY_FOLDER

MASK = "[purged]"
_LARGEST = 64 << 20  # bytes of a file that is looked into
_TELLING = 12  # characters of a single word that is not just any
_DERIVED = frozenset(("index.lance", "tiktoken"))  # folders of the state that are no text
_FOREIGN = frozenset((".git", ".hg", ".svn"))  # folders of the home that no purge can rewrite


@dataclass(frozen=True, slots=True)
class Target:
    """What is to go: the ids of the fact and of its former words, all its wordings; and the transcripts it is from."""

    ids: frozenset[str]
    wordings: tuple[str, ...]
    transcripts: frozenset[str] = frozenset()


@dataclass(slots=True)
class Traces:
    """Where a fact stands. lines, notes: `path#Lline`; lines are ours and go, notes are the user's own and stay.

    events, state: paths with how many lines of each go or are masked; others: ids of facts that hold the same words, or
    stand on it, each with its place; transcripts: the client's; repository: the git repository that keeps the home's
    past, or "".
    """

    lines: list[str] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)
    state: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    transcripts: list[str] = field(default_factory=list)
    repository: str = ""


def target(home: str, held: Held) -> Target:
    """What to purge for a fact: its words now and all that it ever said by the events, with the ids of all of these."""
    texts = {held.fact.text}
    for each in events.read(home):
        if each.get("id") == held.fact.id:
            texts |= {str(each[name]) for name in ("text", "before") if each.get(name)}
    texts.discard("")
    ids = {held.fact.id, *(fact_id(held.namespace, text) for text in texts)}
    telling = [text for text in texts if len(_words(text)) > 1 or len(text) >= _TELLING]
    transcripts = {
        str(each["transcript"]) for each in events.read(home) if each.get("id") in ids and "transcript" in each
    }
    return Target(frozenset(ids), tuple(sorted(telling, key=lambda text: (-len(text), text))), frozenset(transcripts))


def look(home: str, state: str, wanted: Target) -> Traces:
    """Where the fact stands; nothing is changed."""
    traces = Traces(repository=_repository(home))
    for path, text in _texts(home, wanted):
        if os.path.basename(os.path.dirname(path)) == EVENTS_FOLDER:
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            place = f"{path}#L{number}"
            if _is_ours(path, home, line, wanted):
                traces.lines.append(place)
            elif _holds(line, wanted):
                _note(traces, line, place)
            elif any(identity in line for identity in wanted.ids):
                fact = parse_line(line.rstrip("\r"), "", "")
                if fact and wanted.ids.intersection(fact.supports):
                    traces.others[fact.id] = place
    for path in events.paths(home):
        changed = sum(after != line for line, after in _events(read_bytes(path), wanted, own=True, others=True))
        if changed:
            traces.events[path] = changed
    for path in _state_files(state):
        changed = sum(after != line for line, after in _masked_lines(read_bytes(path, _LARGEST), wanted))
        if changed:
            traces.state[path] = changed
    traces.transcripts = sorted(filter(os.path.isfile, wanted.transcripts))
    return traces


def _note(traces: Traces, line: str, place: str) -> None:
    """A line that holds the words and is not the fact's own."""
    if identity := line_id(line):
        traces.others[identity] = place
    else:
        traces.notes.append(place)


def run(home: str, state: str, namespace: str, wanted: Target) -> None:
    """Remove it from the home and the state, under the home's lock. The index is the service's to clean.

    Raises OSError when something cannot be written: what was not reached yet is done by calling again.
    """
    with lock(os.path.join(home, journal.LOCK)):
        for path, _ in _texts(home, wanted):
            if os.path.basename(path).startswith(WRITING):
                os.unlink(path)  # left by a process that was killed
            elif os.path.basename(os.path.dirname(path)) != EVENTS_FOLDER:
                journal.edit(path, partial(_without_lines, path, home, wanted))
        for path in _state_files(state):
            _mask_file(path, wanted)
        places = {(namespace, identity) for identity in wanted.ids}
        known = {(each.get("event"), each.get("namespace"), each.get("id")) for each in events.read(home)}
        places |= {(str(name), str(each)) for _, name, each in known if each in wanted.ids and isinstance(name, str)}
        events.append(
            home,
            [events.event("purged", *place) for place in sorted(places) if ("purged", *place) not in known],
        )
        for own, others in ((False, True), (True, False)):
            for path in events.paths(home):
                journal.edit(path, partial(_without_events, wanted, own, others))


def _texts(home: str, wanted: Target) -> Iterator[tuple[str, str]]:
    """The files of the home that hold an id or the words, with their text."""
    ids = [identity.encode() for identity in wanted.ids]
    for folder, below, names in os.walk(home):
        below[:] = sorted(name for name in below if name not in _FOREIGN)
        for name in sorted(names):
            path = os.path.join(folder, name)
            content = b""
            if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) <= _LARGEST:
                with contextlib.suppress(OSError):
                    content = read_bytes(path)
            text = content.decode("utf-8", errors="surrogateescape")
            if any(each in content for each in ids) or _holds(text, wanted):
                yield path, text


def _is_ours(path: str, home: str, line: str, wanted: Target) -> bool:
    """Whether a line is the fact's own: its line, its pointer, or a conversation that we keep."""
    if not path.endswith(".md"):
        return False
    line = line.rstrip("\r")
    if line_id(line) in wanted.ids or _points_to(line, wanted):
        return True
    inside = os.path.relpath(path, home).split(os.sep)
    if HISTORY_FOLDER in inside[1:-1]:
        return _holds(line, wanted)
    return journal.is_fact_file(path) and journal.identity(line, inside[0]) in wanted.ids


def _points_to(line: str, wanted: Target) -> bool:
    return line.startswith("- **") and any(line.endswith(f" {identity})") for identity in wanted.ids)


def _without_lines(path: str, home: str, wanted: Target, before: bytes) -> bytes:
    kept = list[bytes]()
    for line in before.split(b"\n"):
        text = line.decode("utf-8", errors="surrogateescape")
        if not _is_ours(path, home, text, wanted):
            kept.append(line)
        elif HISTORY_FOLDER in os.path.relpath(path, home).split(os.sep):
            kept.append(_masked(text, wanted).encode("utf-8", errors="surrogateescape"))
    return b"\n".join(kept)


def _events(content: bytes, wanted: Target, *, own: bool, others: bool) -> Iterator[tuple[bytes, bytes | None]]:
    """The lines of a file of events, each with what is to stand in its place (None: nothing)."""
    for line in content.split(b"\n"):
        after: bytes | None = line
        found = next(events.parse(line), None)
        if found is None:
            torn = line.decode("utf-8", errors="surrogateescape")
            if own and line and (_holds(torn, wanted) or _masked(torn, wanted) != torn):
                after = None
        elif found.get("id") in wanted.ids:
            if own and found.get("event") != "purged":
                after = None
        elif others and isinstance(found.get("how"), str) and _masked(found["how"], wanted) != found["how"]:
            after = _dumped({**found, "how": _masked(found["how"], wanted)})
        yield line, after


def _dumped(event: Event) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


def _without_events(wanted: Target, own: bool, others: bool, before: bytes) -> bytes:
    found = [after for _, after in _events(before, wanted, own=own, others=others)]
    return b"\n".join(line for line in found if line is not None)


def _state_files(state: str) -> Iterator[str]:
    """The files of the state folder that are text."""
    for folder, below, names in os.walk(state):
        below[:] = sorted(name for name in below if name not in _DERIVED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path) and 0 < os.path.getsize(path) <= _LARGEST:
                yield path


def _masked_lines(content: bytes, wanted: Target) -> Iterator[tuple[bytes, bytes]]:
    """The lines of a file, JSON or not, each with the words masked."""
    for line in content.split(b"\n"):
        after = text = line.decode("utf-8", errors="surrogateescape")
        try:
            found = json.loads(line) if line[:1] in (b"{", b"[") else None
        except (ValueError, RecursionError):
            found = None
        if found is None:
            after = _masked(text, wanted)
        elif (masked := _without_stems(_walked(found, lambda each: _masked(each, wanted)), wanted)) != found:
            after = json.dumps(masked)
        yield line, after.encode("utf-8", errors="surrogateescape")


def _mask_file(path: str, wanted: Target) -> None:
    """Mask the words where they stand: whoever has the file open, as the service its log, goes on writing to it."""
    before = read_bytes(path, _LARGEST)
    after = b"\n".join(line for _, line in _masked_lines(before, wanted))
    if after != before:
        with open(path, "r+b") as stream:
            stream.write(after)
            stream.truncate()


def _walked(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_walked(each, change) for each in value]
    if isinstance(value, dict):
        return {name: _walked(each, change) for name, each in value.items()}
    return value


def _without_stems(found: Any, wanted: Target) -> Any:
    """A transcript's watermark without the stems of the fact's words, which extraction counts."""
    progress = found.get("progress") if isinstance(found, dict) else None
    if not isinstance(progress, dict) or found.get("transcript") not in wanted.transcripts:
        return found
    said = [word for each in wanted.wordings for word in _words(each)]
    counted = progress.get("words")
    kept = [
        row
        for row in (counted if isinstance(counted, list) else ())
        if not (isinstance(row, list) and row and any(word.startswith(str(row[0])) for word in said))
    ]
    return {**found, "progress": {**progress, "words": kept}} if "words" in progress else found


def _words(text: str) -> list[str]:
    return re.findall(r"\w+[+#]*", unicodedata.normalize("NFKC", text).casefold())


def _holds(text: str, wanted: Target) -> bool:
    """Whether the words stand in a text, whatever their case and what is between them."""
    said = f" {' '.join(_words(text))} "
    return any(f" {' '.join(words)} " in said for each in wanted.wordings if (words := _words(each)))


def _masked(text: str, wanted: Target) -> str:
    for each in wanted.wordings:
        if words := re.findall(r"\w+", each):
            pattern = r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)"
            text = re.sub(pattern, MASK, text, flags=re.IGNORECASE)
    return text


def _repository(home: str) -> str:
    """The git repository that the home lies in, or ""."""
    folder = os.path.realpath(home)
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        if os.path.dirname(folder) == folder:
            return ""
        folder = os.path.dirname(folder)
