"""What people did to the Markdown by hand, told by comparing it with the events, and recorded as events.

A line struck through or deleted takes its fact back, a line that stands again restores it, other words correct it, and
a line that somebody wrote is a fact of theirs. The Markdown is never changed here, but for the pointers of MEMORY.md.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memory_plugin.memory import clock, events, journal, pointers, tears
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import RELATIONS, Fact, clean, fact_id
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.journal import Line
from memory_plugin.memory.ledger import Entry, Key, Ledger
from memory_plugin.memory.places import GLOBAL_NAMESPACE
from memory_plugin.memory.redaction import redact

SOURCE = tears.HAND
_PROJECT = re.compile(r"-[0-9a-f]{8}")  # how a project's namespace ends
_SETTLE = 0.2  # seconds: an editor that empties a file and then fills it looks for a moment like one that deletes
_YOUNG_NS = 2_000_000_000  # a file saved twice within its clock's step keeps its time
_LONGEST_TEXT = 2000  # characters of a line by hand that its event holds
_REWORDED = 0.5  # of its groups of three letters that a line keeps when it is the same line with other words
_MOST_COMPARED = 2500  # pairs of lines: of more at once it is not told which became which
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Page:
    """What the fact files of one namespace hold. lines: those of topic files first, then the days', oldest first.

    whole: all of it could be read, so what is not there is gone. files: their names. witnessed: ids that stand in a
    sync tool's copy of such a file: what the other machine wrote may stand there alone. cut: the last lines of files
    that do not end with a line's break, which an editor leaves, or what tore them.
    """

    lines: tuple[Line, ...]
    whole: bool = True
    files: frozenset[str] = frozenset()
    witnessed: frozenset[str] = frozenset()
    cut: tuple[str, ...] = ()


def differences(namespace: str, entries: Mapping[str, Entry], page: Page) -> list[Event]:
    """The events that make the entries of a namespace, by id, equal to what its files say."""
    stands: dict[str, Line] = {}
    struck: dict[str, Line] = {}
    torn = _torn(entries, page)
    for line in page.lines:
        if not (torn and _is_rest(line, page)):  # the rest of a line, which nobody wrote so
            (struck if line.struck else stands).setdefault(line.fact.id, line)
    found = list[Event]()
    for identity, line in stands.items():
        entry = entries.get(identity)
        if entry is None or (entry.purged and not line.ours):
            fact = line.fact if line.ours else replace(line.fact, source=SOURCE, text=_words(line))
            fact = replace(fact, text=_told(fact.text), day=fact.day or f"{clock.today():%Y-%m-%d}")
            how = "found in the file" if line.ours else "written by hand"
            found.append({**events.captured(fact, namespace, "", ""), "how": how})
        elif not entry.purged:
            if entry.retracted:
                found.append(events.event("restored", namespace, identity, how="by hand: the line stands again"))
            found += _changes(namespace, entry.fact, line)
    for identity, entry in entries.items():
        if identity in stands or entry.retracted or entry.purged or not entry.fact.text:
            continue
        if identity in struck:
            found.append(events.event("retracted", namespace, identity, how="by hand: line struck through"))
        elif page.whole and not torn and identity not in page.witnessed:
            found.append(_gone(namespace, entry.fact, page.files))
    return found


def _torn(entries: Mapping[str, Entry], page: Page) -> bool:
    """Whether a file was torn: what is not there was not deleted by anybody, and `doctor --fix` puts it back."""
    if not page.cut:
        return False
    stand = {line.fact.id for line in page.lines if not _is_rest(line, page)}
    held = [entry.fact for entry in entries.values() if not entry.retracted and not entry.purged]
    missing = [fact for fact in held if fact.text and fact.id not in stand]
    return any(tears.is_torn(cut, missing) for cut in page.cut)


def _is_rest(line: Line, page: Page) -> bool:
    """Whether this is the last line of a file that ends without a line's break, and has no comment of ours."""
    return not line.ours and any(line.fact.text in cut for cut in page.cut)


def _gone(namespace: str, fact: Fact, files: frozenset[str]) -> Event:
    """The line is nowhere any more."""
    what = "line deleted" if f"{fact.day}.md" in files or fact.source == SOURCE else "file or line deleted"
    return events.event("retracted", namespace, fact.id, how=f"by hand: {what}")


def rewordings(found: Iterable[Event], entries: Mapping[Key, Entry]) -> dict[Key, str]:
    """Of facts by hand that are gone, what they became: one without our comment that was given other words looks so.

    Compares every one that is gone with every one that was written, unless that is more than _MOST_COMPARED pairs.
    """
    gone, written = dict[Key, frozenset[str]](), list[tuple[Event, frozenset[str]]]()
    for each in found:
        entry = entries.get(_key(each))
        if each["event"] == "retracted" and entry and entry.fact.source == SOURCE:
            gone[_key(each)] = _groups(entry.fact.text)
        elif each["event"] == "captured" and each["source"] == SOURCE:
            written.append((each, _groups(each["text"])))
    if len(gone) * len(written) > _MOST_COMPARED:
        return {}
    became = dict[Key, str]()
    for key, groups in gone.items():
        others = [(_likeness(groups, other), each["id"]) for each, other in written if each["namespace"] == key[0]]
        likeness, identity = max(others, default=(0.0, ""))
        if likeness >= _REWORDED:
            became[key] = identity
    return became


def _told_as_edits(found: list[Event], became: Mapping[Key, str]) -> list[Event]:
    """The events, with what a line that is gone became if that was written, too."""
    written = {_key(each) for each in found if each["event"] == "captured"}
    told = list[Event]()
    for each in found:
        by = became.get(_key(each), "") if each["event"] == "retracted" else ""
        edited = {"by": by, "how": f"by hand: line edited, now {by}"}
        told.append({**each, **edited} if (each["namespace"], by) in written else each)
    return told


def _groups(text: str) -> frozenset[str]:
    """The groups of three letters that a text is made of."""
    return frozenset(text[start : start + 3] for start in range(max(len(text) - 2, 1)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _key(each: Event) -> Key:
    return str(each["namespace"]), str(each["id"])


def _changes(namespace: str, was: Fact, line: Line) -> Iterator[Event]:
    """What was edited in a line: its words, its kind, or what its comment says."""
    now = line.fact
    said = now.text if line.ours else _words(line)
    # One by hand that a command has marked as ours since is known by all its words still.
    reworded = was.text not in {text for words in (now.text, _words(line)) for text in (words, _told(words))}
    details: dict[str, Any] = {}
    if now.category != was.category and (line.ours or now.category != "project"):
        details["category"] = now.category
    if line.ours:
        details |= _edited(was, now)
    if reworded or details:
        text = _told(said) if reworded else was.text
        details |= {"before": was.text, "alias": fact_id(namespace, said)} if reworded else {}
        yield _event("corrected", namespace, was.id, text=text, how="by hand", **details)
    if line.ours or was.status != "active":
        yield from _status(namespace, was, now)
    if now.pinned != was.pinned:
        yield events.event("pinned" if now.pinned else "unpinned", namespace, was.id, how="by hand")
    if line.ours and (f"{now.confidence:.2f}", now.support, now.seen) != (
        f"{was.confidence:.2f}", was.support, was.seen):  # fmt: skip
        values = {"confidence": now.confidence, "support": now.support, "seen": now.seen}
        yield _event("confirmed", namespace, was.id, how="by hand", **values)


def _edited(was: Fact, now: Fact) -> dict[str, Any]:
    """What a comment says of a fact that has no event of its own."""
    found: dict[str, Any] = {}
    if f"{now.importance:.2f}" != f"{was.importance:.2f}":
        found["importance"] = now.importance
    if now.severity != was.severity:
        found["severity"] = now.severity
    for relation in RELATIONS:
        if set(getattr(now, relation)) != set(getattr(was, relation)):
            found[relation] = list(getattr(now, relation))
    return found


def _status(namespace: str, was: Fact, now: Fact) -> Iterator[Event]:
    if now.status == "active":
        if was.status != "active":
            yield events.event("reopened", namespace, was.id, how="by hand")
    elif (now.status, now.reason, now.until, now.by) != (was.status, was.reason, was.until, was.by):
        details = {"reason": now.reason, "until": now.until, "by": now.by}
        yield _event(now.status, namespace, was.id, how="by hand", **details)


def _event(kind: str, namespace: str, identity: str, **details: Any) -> Event:
    """An event with all its details, since what was taken out of a line is one too."""
    return {**events.event(kind, namespace, identity), **details}


def _words(line: Line) -> str:
    """All that a list item says."""
    return clean(f"{line.fact.text} {line.more}") if line.more else line.fact.text


def _told(text: str) -> str:
    return redact(text)[:_LONGEST_TEXT]


@dataclass(slots=True)
class _Read:
    stamp: Stamp
    lines: list[Line] = field(default_factory=list)
    whole: bool = True
    cut: str = ""


class Observer:
    """Sees what people do in a memory home by hand. One thread at a time; keeps what it read, by file times."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._ledger = Ledger(home)
        self._read: dict[str, _Read] = {}
        self._seen: dict[str, Stamp] = {}
        self._said = set[str]()

    def look(self) -> list[Event]:
        """Record what was done by hand since the last time, under the home's lock; the events appended.

        Costs a look at the files' times when nothing was. A home that is not there says nothing; OSError when the
        events cannot be read or written.
        """
        stamps = self._stamps()
        if stamps is None or (stamps == self._seen and stamps):
            return []
        found = {_told_by(each): each for each in self._differences()}
        # What was recorded and differs all the same cannot be said this way: once is enough.
        self._said &= set(found)
        due = {key: each for key, each in found.items() if key not in self._said}
        new = self._record(due) if due else []
        now = time.time_ns()
        self._seen = stamps if not new and all(now - stamp[0] > _YOUNG_NS for stamp in stamps.values()) else {}
        return new

    def _record(self, wanted: Mapping[str, Event]) -> list[Event]:
        """Append those of the events that are still due after a moment."""
        became = rewordings(wanted.values(), self._ledger.entries)
        time.sleep(_SETTLE)
        with journal.locked(self.home):
            due = {_told_by(each): each for each in self._differences()}
            new = _told_as_edits([each for key, each in due.items() if key in wanted], became)
            events.append(self.home, new)
            self._said.update(key for key in due if key in wanted)
            for namespace in {str(each["namespace"]) for each in new}:
                with contextlib.suppress(OSError):
                    pointers.rebuild(os.path.join(self.home, namespace), namespace, clock.today())
        return new

    def _differences(self) -> list[Event]:
        names = self._namespaces()
        entries: dict[str, dict[str, Entry]] = {name: {} for name in names}
        for (namespace, identity), entry in self._ledger.refresh().entries.items():
            entries.setdefault(namespace, {})[identity] = entry
        return [
            each
            for namespace, held in entries.items()
            if _is_folder_name(namespace) and (page := self._page(namespace)) is not None
            for each in differences(namespace, held, page)
        ]

    def _namespaces(self) -> list[str]:
        """The folders of the home that are ours to follow: a vault's own daily notes are not."""
        with os.scandir(self.home) as found:
            names = sorted(entry.name for entry in found if entry.is_dir())
        return [name for name in names if name == GLOBAL_NAMESPACE or _PROJECT.fullmatch(name[-9:])]

    def _page(self, namespace: str) -> Page | None:
        """What stands in a namespace's files; None when its folder can't be listed."""
        folder = os.path.join(self.home, namespace)
        try:
            if os.path.islink(folder):
                os.stat(folder)  # a link to a disk that is not there
            files = journal.fact_files(folder)
            copies = journal.copies(folder)
        except OSError:
            return None
        read = [self._lines(path, namespace) for path in files]
        kept = {os.path.relpath(path, folder) for path in files}
        witnessed = {
            line.fact.id
            for path in copies
            for line in self._lines(path, namespace).lines
            if line.ours and not line.struck
        }
        lines = tuple(line for each in read for line in each.lines)
        cut = tuple(each.cut for each in read if each.cut)
        return Page(lines, all(each.whole for each in read), frozenset(kept), frozenset(witnessed), cut)

    def _lines(self, path: str, namespace: str) -> _Read:
        """A file's lines, read again only when its times changed."""
        stamp = _stamp(path)
        known = self._read.get(path)
        if known and known.stamp == stamp and time.time_ns() - stamp[0] > _YOUNG_NS:
            return known
        read = _Read(stamp)
        try:
            content = read_bytes(path, journal.LARGEST_FILE)
            read.cut = tears.last_line(content)
            read.whole = content[:2] not in _UTF16 and 0 <= stamp[1] <= journal.LARGEST_FILE
            read.lines = list(_written(journal.read_lines(path, namespace)))
        except OSError:
            read.whole = False
        self._read[path] = read
        return read

    def _stamps(self) -> dict[str, Stamp] | None:
        """The times of all that is compared, None when the home is not there."""
        try:
            folders = [os.path.join(self.home, name) for name in self._namespaces()]
            files = [path for folder in folders for path in (*journal.fact_files(folder), *journal.copies(folder))]
            return {path: _stamp(path) for path in (*folders, *files, *events.paths(self.home))}
        except OSError:
            return None


def _written(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that are facts: ours, and those of a hand that do not stand below another."""
    return (line for line in lines if line.is_fact)


def _is_folder_name(namespace: str) -> bool:
    return bool(namespace) and not namespace.startswith(".") and os.sep not in namespace and "\0" not in namespace


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return (0, -1, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _told_by(event: Event) -> str:
    return repr(sorted((name, value) for name, value in event.items() if name not in ("at", "day", "time")))
