"""Removing a fact's words from everything that is ours: the one thing that is really deleted.

    files of the home ─▶ state ─▶ snapshots ─▶ a `purged` event ─▶ other events that quote it ─▶ its own ─▶ (the index)

In this order a purge that was killed is finished by doing it again: until the last step something still tells the
words, and the `purged` event, which holds only the fact's id, keeps them from being captured again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from memory_plugin.memory import amendments, contents, events, journal, pointers, snapshots, wording
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import clean, fact_id, line_id, parse_line
from memory_plugin.memory.files import WRITING, read_bytes
from memory_plugin.memory.journal import Held
from memory_plugin.memory.patterns import SOURCE, is_pattern
from memory_plugin.memory.places import EVENTS_FOLDER, HISTORY_FOLDER
from memory_plugin.memory.snapshots import Entry, Store

_LARGEST = 64 << 20  # bytes of a file that is looked into
_TELLING = 12  # characters of a single word that is not just any
_TELLING_BELOW = 4  # words of a line below it: "- kind: note" says nothing of the fact alone
_DERIVED = frozenset(("index.lance", "tiktoken"))  # folders of the state that are no text
_FOREIGN = frozenset((".git", ".hg", ".svn"))  # folders of the home that no purge can rewrite
_OURS = (".md", ".jsonl")  # how the names of files end that a fact of ours may stand in


@dataclass(frozen=True, slots=True)
class Target:
    """What is to go: the ids of the fact and of its former words, all its wordings; and the transcripts it is from.

    patterns: the ids of what the review concluded from it, often in its words; it concludes anew from what is left.
    """

    ids: frozenset[str]
    wordings: tuple[str, ...]
    transcripts: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()

    @property
    def going(self) -> frozenset[str]:
        """The ids of all lines and events that go."""
        return self.ids | self.patterns


@dataclass(slots=True)
class Traces:
    """Where a fact stands. lines, notes: `path#Lline`; lines are ours and go, notes are the user's own and stay.

    events, state: paths with how many lines of each go or are masked; snapshots: paths with how many files of each are
    amended, 0 where nobody can say what it holds, and it goes; others: ids of facts that hold the same words, or
    stand on it, each with its place; transcripts: the client's; repository: the git repository that keeps the home's
    past, or ""; unread: files that could not be looked into.
    """

    lines: list[str] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)
    state: dict[str, int] = field(default_factory=dict)
    snapshots: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    transcripts: list[str] = field(default_factory=list)
    repository: str = ""
    unread: list[str] = field(default_factory=list)

    @property
    def ours(self) -> list[str]:
        """Everything that a purge is to remove: nothing of it is left behind one that succeeded."""
        return [*self.lines, *self.events, *self.state, *self.snapshots]


def target(home: str, held: Held) -> Target:
    """What to purge for a fact: its words now and all that it ever said by the events, with the ids of all of these."""
    held = _as_written(held)
    # The first line of an item by hand that is known by all its words ("- kind: note") says nothing of it alone.
    texts = {held.words if journal.is_whole_item(held) else held.fact.text}
    for each in events.read(home):
        if each.get("id") == held.fact.id:
            texts |= {str(each[name]) for name in ("text", "before") if each.get(name)}
    texts.discard("")
    ids = {held.fact.id, *(fact_id(held.namespace, text) for text in texts)}
    telling = [text for text in texts if len(wording.words_of(text)) > 1 or len(text) >= _TELLING]
    telling += {text for text in _said_below(held) if len(wording.words_of(text)) >= _TELLING_BELOW} - texts
    transcripts = {
        str(each["transcript"]) for each in events.read(home) if each.get("id") in ids and "transcript" in each
    }
    wordings = tuple(sorted(telling, key=lambda text: (-len(text), text)))
    concluded = frozenset(_concluded(home, held.namespace, ids))
    return Target(frozenset(ids), wordings, frozenset(transcripts), concluded)


def _as_written(held: Held) -> Held:
    """The fact with its words as they stand in its file, secrets and all; as it is where it stands no more."""
    with contextlib.suppress(OSError):
        for line in journal.lines_in(journal.text_of(held.path), held.path, held.namespace):
            if line.fact.id == held.fact.id:
                return replace(held, fact=replace(held.fact, text=line.fact.text), more=line.more)
    return held


def of_ids(ids: Iterable[str]) -> Target:
    """What to purge of facts whose words nobody knows any more: what stands under their ids."""
    return Target(frozenset(ids), ())


def without(wanted: Target, path: str, home: str, content: bytes) -> bytes:
    """What a file of a home holds without what is to go; the file itself need not be there. Pure."""
    if not wanted.ids or not path.endswith(_OURS):
        return content
    if _is_of_events(path):
        return _without_events(wanted, True, True, content)
    return _without_lines(path, home, wanted, content) if _stands_in(path, home, content, wanted) else content


def _said_below(held: Held) -> Iterator[str]:
    """What the fact's list item goes on in: a conversation may hold one line of it and not the others."""
    lines = journal.text_of(held.path).split("\n") if held.more else []
    if 0 < held.line <= len(lines):
        yield held.more
        yield from map(clean, lines[held.line : journal.item_end(lines, held.line - 1) + 1])


def _concluded(home: str, namespace: str, ids: set[str]) -> Iterator[str]:
    """The patterns that stand, or ever stood, on one of some facts."""
    lines = [*amendments.held_in(home, [namespace]), *amendments.taken_back_in(home, [namespace])]
    yield from (each.fact.id for each in lines if is_pattern(each.fact) and ids.intersection(each.fact.supports))
    said = [each for each in events.read(home) if each.get("namespace") == namespace]
    patterns = {str(each.get("id")) for each in said if each.get("source") == SOURCE}
    for each in said:
        if str(each.get("id")) in patterns and ids.intersection(map(str, each.get("supports") or ())):
            yield str(each["id"])


def look(home: str, state: str, wanted: Target) -> Traces:
    """Where the fact stands; nothing is changed."""
    traces, paths = Traces(repository=_repository(home)), _paths(home)
    for path, text in _texts(paths, home, wanted, traces.unread):
        if _is_history(path, home):
            numbers = {text.count("\n", 0, start) + 1 for start, _ in wording.kept_in_page(text, wanted.wordings)}
            traces.lines += [f"{path}#L{number}" for number in sorted(numbers)]
            continue
        own = _own(path, home, text, wanted)
        for number, line in enumerate(text.split("\n")):
            place = f"{path}#L{number + 1}"
            if number in own:
                traces.lines.append(place)
            elif wording.holds(line, wanted.wordings):
                _note(traces, line, place)
            elif any(identity in line for identity in wanted.ids):
                fact = parse_line(line.rstrip("\r"), "", "")
                if fact and wanted.ids.intersection(fact.supports):
                    traces.others[fact.id] = place
    for path in _event_files(home, paths):
        changed = sum(after != line for line, after in _events(read_bytes(path), wanted, own=True, others=True))
        if changed:
            traces.events[path] = changed
    for path in _state_files(state):
        changed = sum(after != line for line, after in _masked_lines(read_bytes(path, _LARGEST), wanted))
        if changed:
            traces.state[path] = changed
    _look_at_snapshots(home, state, wanted, traces)
    traces.transcripts = sorted(filter(os.path.isfile, wanted.transcripts))
    return traces


def _look_at_snapshots(home: str, state: str, wanted: Target, traces: Traces) -> None:
    """Which snapshots hold it. Many hold the same file: each content is looked into once."""
    holds = dict[tuple[str, str], bool]()
    for store in _stores(state, traces.unread):
        for snapshot in store.snapshots():
            for inside, entry in snapshot.files.items():
                if (inside, entry.digest) not in holds:
                    holds[inside, entry.digest] = _is_held(store, entry, os.path.join(home, inside), home, wanted)
            count = sum(holds[inside, entry.digest] for inside, entry in snapshot.files.items())
            if count or snapshot.problem:
                traces.snapshots[os.path.join(store.folder, f"{snapshot.name}.json")] = count


def _is_held(store: Store, entry: Entry, path: str, home: str, wanted: Target) -> bool:
    """Whether a content in the snapshots holds it, or is damaged, so that nobody can say."""
    try:
        content = store.content(entry)
    except snapshots.DamagedError:
        return True
    return without(wanted, path, home, content) != content


def _stores(state: str, missing: list[str]) -> list[Store]:
    """Where snapshots lie; `missing` gains the place that is not there now."""
    try:
        return snapshots.stores(state)
    except snapshots.PlaceError as error:
        missing.append(f"the backups: {error}")
    return []


def _note(traces: Traces, line: str, place: str) -> None:
    """A line that holds the words and is not the fact's own: another fact's, its pointer, or one of the user's."""
    if identity := line_id(line):
        traces.others[identity] = place
    elif pointed := pointers.parsed(f"{pointers.MARK_START}\n{line}\n{pointers.MARK_END}".encode(errors="replace")):
        traces.others.setdefault(pointed[0].id, place)
    else:
        traces.notes.append(place)


def run(home: str, state: str, namespace: str, wanted: Target) -> Traces:
    """Remove it from the home and the state, under the home's lock; what is left of it then, which ought to be nothing
    of ours. The index is the service's to clean.

    Raises OSError when something cannot be written: what was not reached yet is done by calling again.
    """
    paths = _paths(home)
    # a vault may be large: read before anybody has to wait
    holding = [path for path, _ in _texts(paths, home, wanted, [])]
    masked = [path for path in _state_files(state) if _is_masked(path, wanted)]
    stores = _stores(state, [])
    with contextlib.ExitStack() as stack:
        for store in stores:  # until the home is clean, no other snapshot of it is made
            stack.enter_context(store.locked())
            store.amend(lambda inside, content: without(wanted, os.path.join(home, inside), home, content))
        stack.enter_context(journal.locked(home))
        for path in holding:
            if os.path.basename(path).startswith(WRITING):
                with contextlib.suppress(FileNotFoundError):  # else a process that was killed left it
                    os.unlink(path)
            else:
                journal.edit(path, partial(_without_lines, path, home, wanted))
        for path in masked:
            _mask_file(path, wanted)
        places = {(namespace, identity) for identity in wanted.ids}
        known = {(each.get("event"), each.get("namespace"), each.get("id")) for each in events.read(home)}
        places |= {(str(name), str(each)) for _, name, each in known if each in wanted.ids and isinstance(name, str)}
        events.append(
            home,
            [events.event("purged", *place) for place in sorted(places) if ("purged", *place) not in known],
        )
        for own, others in ((False, True), (True, False)):
            for path in _event_files(home, paths):
                journal.edit(path, partial(_without_events, wanted, own, others))
    return look(home, state, wanted)


def mask_state(state: str, wanted: Target) -> None:
    """Mask the words in the state once more, when the index holds them no longer: a prompt that was answered meanwhile
    may have met them. Raises OSError."""
    for path in _state_files(state):
        _mask_file(path, wanted)


def _paths(home: str) -> list[str]:
    """The files of the home that a fact of ours may stand in, and those that a process of ours left half written."""
    found = list[str]()
    for folder, names in contents.walk(home, _FOREIGN.__contains__):
        ours = (name for name in names if name.endswith(_OURS) or name.startswith(WRITING))
        found += [path for path in (os.path.join(folder, name) for name in ours) if os.path.isfile(path)]
    return found


def _inside(path: str, home: str) -> list[str]:
    return os.path.relpath(path, home).split(os.sep)


def _is_history(path: str, home: str) -> bool:
    """Whether a file is a conversation that we keep."""
    return path.endswith(".md") and HISTORY_FOLDER in _inside(path, home)[1:-1]


def _event_files(home: str, paths: list[str]) -> list[str]:
    """This home's files of events, and the copies of them that a sync tool keeps."""
    kept = [path for path in paths if _is_of_events(path) and path.endswith(".jsonl")]
    return list(dict.fromkeys([*events.paths(home), *kept]))


def _is_of_events(path: str) -> bool:
    return os.path.basename(os.path.dirname(path)) == EVENTS_FOLDER and not os.path.basename(path).startswith(WRITING)


def _texts(paths: list[str], home: str, wanted: Target, unread: list[str]) -> Iterator[tuple[str, str]]:
    """Those of some files, the events aside, that hold an id or the words, with their text; `unread` gains the rest."""
    for path in paths:
        if _is_of_events(path):
            continue
        try:
            content = read_bytes(path, _LARGEST + 1)
        except OSError:
            unread.append(path)
            continue
        if len(content) > _LARGEST:
            unread.append(path)
            continue
        if _stands_in(path, home, content, wanted):
            yield path, _text(content)


def _stands_in(path: str, home: str, content: bytes, wanted: Target) -> bool:
    """Whether a file holds an id or the words."""
    if any(identity.encode() in content for identity in wanted.going):
        return True
    stands = wording.kept_in_page if _is_history(path, home) else wording.holds
    return bool(stands(_text(content), wanted.wordings))


def _text(content: bytes) -> str:
    return content.decode("utf-8", errors="surrogateescape")


def _own(path: str, home: str, text: str, wanted: Target) -> set[int]:
    """The lines of a file, from 0, that are the fact's own, with what is indented below its list item."""
    own, lines = set[int](), text.removeprefix("\ufeff").split("\n")
    for number in range(len(lines)):
        if _is_ours(path, home, lines, number, wanted):
            end = journal.item_end(lines, number) if journal.is_fact_file(path) else number
            own.update(range(number, end + 1))
    return own


def _is_ours(path: str, home: str, lines: list[str], number: int, wanted: Target) -> bool:
    """Whether a line is the fact's own: its line or its pointer."""
    if not path.endswith(".md"):
        return False
    line = lines[number].rstrip("\r")
    if line_id(line) in wanted.going or _points_to(line, wanted):
        return True
    return journal.is_fact_file(path) and journal.identity(lines, number, _inside(path, home)[0]) in wanted.ids


def _points_to(line: str, wanted: Target) -> bool:
    return line.startswith("- **") and any(line.endswith(f" {identity})") for identity in wanted.ids)


def _without_lines(path: str, home: str, wanted: Target, before: bytes) -> bytes:
    content = _text(before)
    if _is_history(path, home):
        after = wording.masked_at(content, wording.kept_in_page(content, wanted.wordings))
    else:
        own = _own(path, home, content, wanted)
        after = "\n".join(line for number, line in enumerate(content.split("\n")) if number not in own)
    return after.encode("utf-8", errors="surrogateescape")


def _events(content: bytes, wanted: Target, *, own: bool, others: bool) -> Iterator[tuple[bytes, bytes | None]]:
    """The lines of a file of events, each with what is to stand in its place (None: nothing)."""
    for line in content.split(b"\n"):
        after: bytes | None = line
        found = next(events.parse(line), None)
        if found is None:
            torn = _text(line)
            if own and line and (wording.holds(torn, wanted.wordings) or any(each in torn for each in wanted.patterns)):
                after = None
        elif found.get("id") in wanted.going:
            if own and found.get("event") != "purged":
                after = None
        elif (
            others
            and isinstance(found.get("how"), str)
            and wording.masked(found["how"], wanted.wordings) != found["how"]
        ):
            after = _dumped({**found, "how": wording.masked(found["how"], wanted.wordings)})
        yield line, after


def _dumped(event: Event) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")


def _without_events(wanted: Target, own: bool, others: bool, before: bytes) -> bytes:
    found = [after for _, after in _events(before, wanted, own=own, others=others)]
    return b"\n".join(line for line in found if line is not None)


def _state_files(state: str) -> Iterator[str]:
    """The files of the state folder that are text."""
    stores = (os.path.join(state, snapshots.FOLDER), *(store.folder for store in _stores(state, [])))
    kept = set(map(os.path.realpath, stores))
    for folder, below, names in os.walk(state):
        texts = (name for name in below if name not in _DERIVED)
        below[:] = sorted(name for name in texts if os.path.realpath(os.path.join(folder, name)) not in kept)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and 0 < os.path.getsize(path) <= _LARGEST:
                yield path


def _masked_lines(content: bytes, wanted: Target) -> Iterator[tuple[bytes, bytes]]:
    """The lines of a file, JSON or not, each with the words masked."""
    for line in content.split(b"\n"):
        after = text = _text(line)
        try:
            found = json.loads(line) if line[:1] in (b"{", b"[") else None
        except (ValueError, RecursionError):
            found = None
        if found is None:
            after = wording.masked(text, wanted.wordings)
        elif (masked := _masked_entry(found, wanted)) != found:
            after = json.dumps(masked)
        yield line, after.encode("utf-8", errors="surrogateescape")


def _masked_entry(found: Any, wanted: Target) -> Any:
    """What is to stand for an entry of JSON."""
    if isinstance(found, dict) and isinstance(found.get("considered"), list) and _tells(found, wanted):
        return {**found, "prompt": wording.MASK, "considered": []}  # as memory.accounts keeps them
    return _without_stems(_walked(found, lambda each: wording.masked(each, wanted.wordings)), wanted)


def _tells(account: dict[str, Any], wanted: Target) -> bool:
    """Whether a prompt met the fact, or its account holds the words or, where it is cut, a part of them."""
    notes = [each for each in account["considered"] if isinstance(each, dict)]
    said = [str(account.get("prompt", "")), *(str(each.get("text", "")) for each in notes)]
    return any(str(each.get("id")) in wanted.going for each in notes) or any(
        wording.kept_in_page(each, wanted.wordings) for each in said
    )


def _is_masked(path: str, wanted: Target) -> bool:
    return any(after != line for line, after in _masked_lines(read_bytes(path, _LARGEST), wanted))


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
    said = [word for each in wanted.wordings for word in wording.words_of(each)]
    counted = progress.get("words")
    kept = [
        row
        for row in (counted if isinstance(counted, list) else ())
        if not (isinstance(row, list) and row and any(word.startswith(str(row[0])) for word in said))
    ]
    return {**found, "progress": {**progress, "words": kept}} if "words" in progress else found


def _repository(home: str) -> str:
    """The git repository that the home lies in, or ""."""
    folder = os.path.realpath(home)
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        if os.path.dirname(folder) == folder:
            return ""
        folder = os.path.dirname(folder)
