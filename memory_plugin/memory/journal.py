"""Writing facts into the user's Markdown: the day's log, and the pointers of MEMORY.md.

Files are handled as bytes and only ever gain lines of ours: whatever else stands in them, valid or not, stays.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memory_plugin.memory.fact import (
    CATEGORIES,
    Fact,
    clean,
    fact_id,
    format_line,
    line_id,
    parse_line,
)
from memory_plugin.memory.files import ChangedMeanwhile, read_bytes, write_whole
from memory_plugin.memory.places import EVENTS_FOLDER, MEMORY_FILE, TOPICS_FOLDER

LOCK = os.path.join(EVENTS_FOLDER, "lock")  # in the memory home: held by whoever writes there
MARK_START = "<!-- memory-plugin:start -->"
MARK_END = "<!-- memory-plugin:end -->"
LONGEST_POINTER = 150  # characters
MOST_LINES = 200  # of MEMORY.md, the user's own included
FEWEST_POINTERS = 40  # however long the user's own part is
POINTER_IMPORTANCE = 0.6
_TRIES = 10  # against an editor that saves while we write
LARGEST_FILE = 4 << 20  # bytes read of one Markdown file

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FACT_ID = re.compile(rb"<!--\s{0,9}m:([0-9a-z]{4,16})\b")
_POINTER = re.compile(
    r"- \*\*(?P<category>[a-z]+)\*\* (?P<text>.*)"
    r" \(\[(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})\]\((?P<file>[^)\0]*)\) (?P<id>[0-9a-z]+)\)"
)
_LONGEST_POINTER_READ = 600  # characters: what is longer is no line of ours


@dataclass(frozen=True, slots=True)
class Pointer:
    """A line of MEMORY.md: the start of a fact's text, and the file that holds it (relative to the namespace)."""

    id: str
    category: str
    text: str
    day: str
    file: str


@dataclass(frozen=True, slots=True)
class Held:
    """A fact, and where it stands: a namespace, a file, a line from 1."""

    fact: Fact
    namespace: str
    path: str
    line: int

    @property
    def file(self) -> str:
        """The file as a pointer names it: relative to the namespace's folder."""
        name = os.path.basename(self.path)
        in_topics = os.path.basename(os.path.dirname(self.path)) == TOPICS_FOLDER
        return f"{TOPICS_FOLDER}/{name}" if in_topics else name


def day_file(folder: str, day: str) -> str:
    """The path of a day's log in a namespace's folder."""
    return os.path.join(folder, f"{day}.md")


def is_day_file(name: str) -> bool:
    """Whether a file name is a daily log's."""
    return name.endswith(".md") and bool(_DAY.fullmatch(name[:-3]))


def append_facts(folder: str, day: str, facts: Iterable[Fact], heading: str, *, again: bool = False) -> list[Fact]:
    """Add facts to a day's log under one heading, durably; those that it holds, struck through or not, are left out.

    `again` leaves none out. Returns the facts written. OSError when the file cannot be written; then nothing is.
    """
    path, new = day_file(folder, day), list[Fact]()

    def appended(before: bytes) -> bytes:
        held = set() if again else {found.decode() for found in _FACT_ID.findall(before)}
        new[:] = {fact.id: fact for fact in facts if fact.id not in held}.values()
        if not new:
            return before
        lines = [f"## {clean(heading)}", "", *map(format_line, new), ""]
        if not before.strip():
            lines = [f"# {day}", "", *lines]
        elif not before.endswith(b"\n"):
            lines = ["", "", *lines]
        elif not before.endswith(b"\n\n"):
            lines = ["", *lines]
        return before + "\n".join(lines).encode()

    facts = list(facts)
    _edit(path, appended)
    return new


def _edit(path: str, change: Callable[[bytes], bytes]) -> None:
    """Write what `change` makes of a file's content; once more if an editor saved it in the meantime."""
    for tries_left in reversed(range(_TRIES)):
        before = read_bytes(path)
        after = change(before)
        try:
            if after != before:
                write_whole(path, after, expected=before)
            return
        except ChangedMeanwhile:
            if not tries_left:
                raise


def fact_files(folder: str) -> list[str]:
    """The files of a namespace that hold facts: its topic files, then its daily logs, the oldest first."""
    topics = os.path.join(folder, TOPICS_FOLDER)
    found = [os.path.join(topics, name) for name in _names(topics) if name.endswith(".md")]
    return found + [os.path.join(folder, name) for name in _names(folder) if is_day_file(name)]


def topic_file(folder: str, topic: str) -> str:
    """The path of a namespace's topic file: a category, or what the review concludes."""
    return os.path.join(folder, TOPICS_FOLDER, f"{topic}.md")


def standing(folder: str) -> dict[str, Fact]:
    """The facts that stand in a namespace's files, by id."""
    return {held.fact.id: held.fact for held in all_held(folder)}


def all_held(folder: str) -> Iterator[Held]:
    """The facts that stand in a namespace's files, and where."""
    namespace = os.path.basename(folder)
    for path in fact_files(folder):
        for number, fact in read_facts(path, namespace):
            yield Held(fact, namespace, path, number)


def read_facts(path: str, namespace: str) -> Iterator[tuple[int, Fact]]:
    """The facts of a daily log or topic file with their line numbers, from 1. OSError when it cannot be read."""
    day = _day_of(path)
    text = read_bytes(path, LARGEST_FILE).decode("utf-8-sig", errors="replace")
    for number, line in enumerate(text.split("\n"), start=1):
        fact = parse_line(line.rstrip("\r"), namespace, day)
        if fact:
            yield number, fact


def ids_in(path: str, namespace: str) -> set[str]:
    """The ids of the facts whose lines stand in a file, struck through or not. OSError when it cannot be read."""
    text = read_bytes(path, LARGEST_FILE).decode("utf-8-sig", errors="replace")
    return {_identity(line.rstrip("\r"), namespace, _day_of(path)) for line in text.split("\n")} - {""}


def edit_lines(path: str, namespace: str, changes: Mapping[str, Callable[[str], str | None]]) -> set[str]:
    """Put another line in the place of those facts' lines, or none (None); every other byte stays as it is.

    `changes` are by id; each is called with the line as it stands, without its break. Returns the ids that were
    found. OSError when the file cannot be written; then nothing is.
    """
    found = set[str]()

    def changed(before: bytes) -> bytes:
        found.clear()
        lines = before.split(b"\n")
        kept = list[bytes]()
        for line in lines:
            text = line.decode("utf-8", errors="surrogateescape")
            identity = _identity(text.rstrip("\r"), namespace, _day_of(path))
            if identity not in changes:
                kept.append(line)
                continue
            found.add(identity)
            after = changes[identity](text.rstrip("\r"))
            if after is not None:
                kept.append((after + "\r" * text.endswith("\r")).encode("utf-8", errors="surrogateescape"))
        return b"\n".join(kept)

    _edit(path, changed)
    return found


def move_to_topic(held: Held, topic: str) -> str:
    """Move a fact's line from where it stands into a topic file; the path of that file. It is never in neither."""
    folder = os.path.dirname(held.path)
    path = topic_file(folder, topic)

    def added(before: bytes) -> bytes:
        if held.fact.id.encode() in _FACT_ID.findall(before):
            return before
        line = format_line(held.fact, dated=True).encode()
        title = f"# {topic.capitalize()}\n\n".encode()
        return (before.rstrip(b"\n") + b"\n" if before.strip() else title) + line + b"\n"

    _edit(path, added)
    edit_lines(held.path, held.namespace, {held.fact.id: lambda line: None})
    return path


def _identity(line: str, namespace: str, day: str) -> str:
    """The id of the fact that a line holds, struck through or not; "" when it holds none."""
    identity = line_id(line)
    if identity or not line.lstrip().startswith(("-", "*", "+")):
        return identity
    fact = parse_line(line, namespace, day)
    return fact_id(namespace, fact.text) if fact else ""


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _day_of(path: str) -> str:
    day = os.path.basename(path)[:-3]
    return day if _DAY.fullmatch(day) else ""


def point_to(facts: Iterable[Fact]) -> list[Pointer]:
    """The pointers that facts deserve."""
    return [
        Pointer(fact.id, fact.category, fact.text, fact.day, f"{fact.day}.md")
        for fact in facts
        if fact.importance >= POINTER_IMPORTANCE
    ]


def update_pointers(folder: str, title: str, new: Iterable[Pointer]) -> None:
    """Bring MEMORY.md's block up to date: new pointers in, those whose fact is gone out, the best ones kept.

    The user's own text is not touched; a line of theirs inside the block is moved below it. A pointer goes when its
    file no longer holds its id, and says what its fact says now. OSError when the file cannot be read or written.
    """
    new = list(new)
    _edit(os.path.join(folder, MEMORY_FILE), lambda before: _with_pointers(before, folder, clean(title), new))


def _with_pointers(before: bytes, folder: str, title: str, new: list[Pointer]) -> bytes:
    start, end = _block(before)
    found, strays = _parse_block(before[start:end])
    pointers = {pointer.id: pointer for pointer in [*found, *new]}
    held: dict[str, dict[str, Fact] | None] = {}
    kept = [current for pointer in pointers.values() if (current := _current(pointer, folder, held))]
    own = before[:start] + before[end:]
    room = max(MOST_LINES - own.count(b"\n") - 4, FEWEST_POINTERS)
    block = "\n".join([MARK_START, *map(format_pointer, best(kept, room)), MARK_END]).encode()
    block = b"\n".join([block, *strays])
    if strays and before[end:] and not before[end:].startswith(b"\n"):
        block += b"\n"
    if not before.strip():
        return f"# Memory of {title}\n\n".encode() + block + b"\n"
    if start == end:
        return before + (b"\n" if before.endswith(b"\n") else b"\n\n") + block + b"\n"
    return before[:start] + block + before[end:]


def read_pointers(folder: str) -> list[Pointer]:
    """The pointers of a namespace's MEMORY.md, in the file's order. OSError when it cannot be read."""
    text = read_bytes(os.path.join(folder, MEMORY_FILE), LARGEST_FILE)
    start, end = _block(text)
    return _parse_block(text[start:end])[0]


def read_own_text(folder: str) -> str:
    """What the user wrote into a namespace's MEMORY.md, our block left blank. OSError when it cannot be read.

    A second block, which a merge may leave, is no text of theirs either.
    """
    text = read_bytes(os.path.join(folder, MEMORY_FILE), LARGEST_FILE)
    start, end = _block(text)
    blank = b"\n" * text.count(b"\n", start, end)
    own = (text[:start] + blank + text[end:]).decode("utf-8-sig", errors="replace")
    return "\n".join("" if _pointer(line.rstrip("\r")) else line for line in own.split("\n"))


def pointed_path(folder: str, file: str) -> str | None:
    """The path of a pointer's file, None when it would lie outside the namespace's folder."""
    path = os.path.normpath(os.path.join(folder, file))
    return path if path.startswith(folder + os.sep) else None


def best(pointers: Iterable[Pointer], most: int) -> list[Pointer]:
    """The pointers that matter most by category and then by date, in the order newest first."""
    ranked = sorted(
        pointers, key=lambda each: (-CATEGORIES.get(each.category, (0, 0.5))[1], _descending(each.day), each.id)
    )
    return sorted(ranked[:most], key=lambda each: (_descending(each.day), each.category, each.id))


def format_pointer(pointer: Pointer) -> str:
    """The pointer's line, at most LONGEST_POINTER characters."""
    head, tail = f"- **{pointer.category}** ", f" ([{pointer.day}]({pointer.file}) {pointer.id})"
    room = max(LONGEST_POINTER - len(head) - len(tail), 1)
    text = (
        pointer.text if len(pointer.text) <= room else pointer.text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    )
    return head + text + tail


def _descending(day: str) -> int:
    return -int(day.replace("-", "") or 0)


def _parse_block(block: bytes) -> tuple[list[Pointer], list[bytes]]:
    """The pointers of our block, and the lines in it that are not ours."""
    pointers, strays = list[Pointer](), list[bytes]()
    for line in block.removeprefix(MARK_START.encode()).removesuffix(MARK_END.encode()).split(b"\n"):
        pointer = _pointer(line.decode("utf-8", errors="replace").rstrip("\r"))
        if pointer:
            pointers.append(pointer)
        elif line.strip() not in (b"", MARK_END.encode()):
            strays.append(line)
    return pointers, strays


def _pointer(line: str) -> Pointer | None:
    found = _POINTER.fullmatch(line) if line.startswith("- **") and len(line) <= _LONGEST_POINTER_READ else None
    return Pointer(found["id"], found["category"], found["text"], found["day"], found["file"]) if found else None


def _block(text: bytes) -> tuple[int, int]:
    """Where our block begins and ends, markers included; both at the end when there is none whole."""
    end = text.rfind(MARK_END.encode())
    start = text.rfind(MARK_START.encode(), 0, end) if end >= 0 else -1
    return (start, end + len(MARK_END)) if start >= 0 else (len(text), len(text))


def _current(pointer: Pointer, folder: str, held: dict[str, dict[str, Fact] | None]) -> Pointer | None:
    """The pointer as its fact stands now, None when its file no longer holds it; files are read once, into `held`."""
    if pointer.file not in held:
        path, namespace = pointed_path(folder, pointer.file), os.path.basename(folder)
        try:
            held[pointer.file] = {fact.id: fact for _, fact in read_facts(path, namespace)} if path else {}
        except OSError:
            held[pointer.file] = None  # what can't be read now is not gone
    facts = held[pointer.file]
    if facts is None:
        return pointer
    fact = facts.get(pointer.id)
    return replace(pointer, category=fact.category, text=clean(fact.text)) if fact else None
