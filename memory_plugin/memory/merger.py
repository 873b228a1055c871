"""Taking another machine's memory in: what is new comes, what is here stays as it is, and nothing is doubled.

A fact is known by its id, in a line or an event of this home, as everywhere. One that is known here (taken back or
purged, too) stays as it is here, and nothing that the other machine says of it is taken over. One that is not comes
with its line and its events, and the service compares it with what is known as it does with any other.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memory_plugin.memory import archive, clock, events, journal, pages, pointers, purge
from memory_plugin.memory.archive import ArchiveError
from memory_plugin.memory.contents import contents, is_unsafe, leads_out
from memory_plugin.memory.files import make_folder, read_bytes, write_whole
from memory_plugin.memory.journal import Line
from memory_plugin.memory.ledger import Key, Ledger
from memory_plugin.memory.places import EVENTS_FOLDER, HISTORY_FOLDER, MEMORY_FILE, TOPICS_FOLDER
from memory_plugin.memory.snapshots import BEFORE_IMPORT, Entry, Snapshot, Store

LEAST_FREE = 64 << 20  # bytes that unpacking leaves on a disk
_OURS = re.compile(r"# .*|## (?:[0-9]{2}:[0-9]{2}\b.*|Earlier)")  # headings in files of facts


@dataclass(slots=True)
class Imported:
    """What came in. before: the snapshot of what was here, None when there was nothing.

    facts: new ones; known: how many were here already; files: new ones; grown: those here that go on there; beside:
    notes that say something else here, each with the file that it came into; kept: conversations that do; events: how
    many; purged: facts that were purged there and stand here; refused: what was not taken, with the reason.
    """

    before: Snapshot | None = None
    facts: list[str] = field(default_factory=list)
    known: int = 0
    files: list[str] = field(default_factory=list)
    grown: list[str] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    events: int = 0
    purged: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def changed(self) -> bool:
        """Whether anything came in."""
        return bool(self.facts or self.files or self.grown or self.beside or self.events)


def take_in(store: Store, home: str, path: str) -> Imported:
    """Merge an archive into a home, having made a snapshot of the home.

    The archive is read to its end before anything is merged. Raises ArchiveError when it cannot be taken, and OSError
    when the home cannot be written: done again, it goes on.
    """
    with store.locked():
        files = dict[str, Entry]()

        def keep(inside: str, content: bytes) -> None:
            system = os.statvfs(store.folder)
            if system.f_bavail * system.f_frsize < LEAST_FREE + len(content):
                raise ArchiveError(f"there is no room to unpack it where {store.folder} lies")
            files[inside] = store.keep(content)

        try:
            refused = archive.read(path, keep)
            make_folder(home)
            before = store.make(home, BEFORE_IMPORT)[0] if contents(home).files else None
            with journal.locked(home):
                merger = _Merger(home, lambda inside: store.content(files[inside]))
                merger.merge(files)
        finally:
            store.collect()
    merger.done.before, merger.done.refused = before, {**refused, **merger.done.refused}
    return merger.done


class _Merger:
    """Merges files into a home; whoever uses it holds the home's lock."""

    def __init__(self, home: str, read: Callable[[str], bytes]) -> None:
        self.home, self.done = home, Imported()
        self._read = read
        entries = Ledger(home).refresh().entries
        self._gone = {key for key, entry in entries.items() if entry.purged}
        self._purged = purge.of_ids(identity for _, identity in self._gone)
        self._known = set(entries) | _standing(home)
        self._namespaces = {namespace for namespace, _ in self._known}

    def merge(self, files: Iterable[str]) -> None:
        """Take in whatever is new in these files."""
        passable = list[str]()
        for inside in sorted(files):
            if leads_out(inside, self.home):
                self.done.refused[inside] = "a link of yours stands in its way"
            else:
                passable.append(inside)
        for wanted, take in (
            (_is_of_facts, self._take_facts),  # lines first, then events, as everywhere
            (_is_note, self._take_other),
            (_is_of_events, self._take_events),
        ):
            known = set(self._known)
            for inside in filter(wanted, passable):
                try:
                    take(inside, known)
                except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
                    self.done.refused[inside] = f"something of yours stands in its way: {error.strerror}"

    def _take_facts(self, inside: str, known: set[Key]) -> None:
        path, namespace = self._path(inside), inside.split("/")[0]
        content = purge.without(self._purged, path, self.home, self._read(inside))
        text = content.decode("utf-8-sig", errors="surrogateescape")
        lines = [line.rstrip("\r") for line in text.split("\n")]
        found = [line for line in journal.lines_in(text, path, namespace) if line.is_fact]
        new = [line for line in found if (namespace, line.fact.id) not in known]
        self.done.known += len(found) - len(new)
        self.done.facts += [line.fact.id for line in new if not line.struck]
        known.update((namespace, line.fact.id) for line in new)
        if len(new) == len(found) and not os.path.lexists(path):
            self._write(inside, content)
            return
        if TOPICS_FOLDER in inside.split("/"):
            topic = os.path.basename(path)[:-3]
            for line in new:
                if not line.struck:
                    below = lines[line.number : _end(lines, line)]
                    journal.add_to_topic(os.path.join(self.home, namespace), topic, line.fact, below)
            if new:
                journal.arrange(path, namespace)
        elif new:
            items = [each for line in new for each in lines[line.number - 1 : _end(lines, line)]]
            folder, day = os.path.split(path)
            journal.append_lines(folder, day[:-3], items, f"{clock.now():%H:%M} imported")
        self._take_prose(inside, lines, found)

    def _take_prose(self, inside: str, lines: list[str], found: list[Line]) -> None:
        """What somebody wrote between the facts of a file that is here, too, if it says anything that this one does
        not."""
        items = {number for line in found for number in range(line.number - 1, _end(lines, line))}
        here = read_bytes(self._path(inside)).decode("utf-8-sig", errors="surrogateescape").splitlines()
        said = [line for number, line in enumerate(lines) if number not in items and not _OURS.fullmatch(line)]
        if set(filter(str.strip, said)) - set(here):
            namespace = inside.split("/")[0]
            text = "\n".join(said).strip("\n") + "\n"
            self._put_beside(inside, f"{namespace}/{os.path.basename(inside)}", _encoded(text))

    def _take_other(self, inside: str, _: set[Key]) -> None:
        path = self._path(inside)
        content = purge.without(self._purged, path, self.home, self._read(inside))
        if not os.path.lexists(path):
            self._write(inside, content)
            return
        here = read_bytes(path)
        if _is_memory(inside):
            own = pointers.own_text(content)
            if set(filter(str.strip, own.splitlines())) - set(pointers.own_text(here).splitlines()):
                self._put_beside(inside, inside, _encoded(own.strip("\n") + "\n"))
        elif here.startswith(content):
            return
        elif not os.path.islink(path) and _goes_on(inside, here, content):
            write_whole(path, content, expected=here)
            self.done.grown.append(inside)
        elif _is_history(inside):
            if not _goes_on(inside, content, here):
                self.done.kept.append(inside)
        else:
            self._put_beside(inside, inside, content)

    def _take_events(self, inside: str, known: set[Key]) -> None:
        here = {line for path in events.paths(self.home) for line in read_bytes(path).split(b"\n")}
        taken = [line for line in self._read(inside).split(b"\n") if line not in here and self._is_wanted(line, known)]
        if not taken:
            return
        content = b"\n".join(taken) + b"\n"
        if os.path.lexists(self._path(inside)):  # this machine, or another that is known here: one writer a file
            inside = f"{EVENTS_FOLDER}/imported-{_short(content)}.jsonl"
        write_whole(self._path(inside), content)
        self.done.events += len(taken)

    def _is_wanted(self, line: bytes, known: set[Key]) -> bool:
        each = next(events.parse(line), None)
        namespace = each.get("namespace") if each else None
        if each is None or not isinstance(namespace, str) or "/" in namespace or is_unsafe(namespace):
            return False
        if each.get("event") == "reconciled":
            # Where there is something to compare with, the service compares anew.
            return namespace not in self._namespaces
        key = namespace, str(each.get("id"))
        if key in known and each.get("event") == "purged" and key not in self._gone:
            self.done.purged.append(key[1])
        return bool(each.get("id")) and key not in known

    def _write(self, inside: str, content: bytes) -> None:
        write_whole(self._path(inside), content)
        self.done.files.append(inside)

    def _put_beside(self, inside: str, place: str, content: bytes) -> None:
        """Write what is said there and not here into a note of its own; once."""
        folder, _, name = place.rpartition("/")
        beside = f"{folder}/imported-{_short(content)}-{name}".lstrip("/")
        if not os.path.lexists(self._path(beside)):
            write_whole(self._path(beside), content)
            self.done.beside[inside] = beside

    def _path(self, inside: str) -> str:
        return os.path.join(self.home, inside)


def _standing(home: str) -> set[Key]:
    """The facts whose lines stand in a home, struck through or not."""
    with os.scandir(home) as found:
        names = [entry.name for entry in found if entry.is_dir() and not entry.name.startswith(".")]
    return {
        (name, identity)
        for name in names
        for path in journal.fact_files(os.path.join(home, name))
        for identity in journal.ids_in(path, name)
    }


def _is_of_events(inside: str) -> bool:
    return inside.startswith(f"{EVENTS_FOLDER}/")


def _is_of_facts(inside: str) -> bool:
    match inside.split("/"):
        case [_, name]:
            return journal.is_day_file(name)
        case [_, folder, name]:
            return folder == TOPICS_FOLDER and journal.is_topic_file(name)
    return False


def _is_note(inside: str) -> bool:
    return not _is_of_facts(inside) and not _is_of_events(inside)


def _is_memory(inside: str) -> bool:
    return inside.count("/") <= 1 and os.path.basename(inside) == MEMORY_FILE


def _is_history(inside: str) -> bool:
    return inside.split("/")[1:2] == [HISTORY_FOLDER]


def _goes_on(inside: str, here: bytes, there: bytes) -> bool:
    """Whether what is there says all that is here, and then more."""
    if not _is_history(inside):
        return there.startswith(here)
    ours, theirs = (pages.parse(each.decode("utf-8", errors="replace"), "") for each in (here, there))
    return (
        ours is not None
        and theirs is not None
        and ours.about("session") == theirs.about("session")
        and theirs.body.startswith(ours.body.rstrip("\n"))
    )


def _end(lines: list[str], line: Line) -> int:
    """The index behind the last line of a fact's item."""
    return journal.item_end(lines, line.number - 1) + 1


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")
