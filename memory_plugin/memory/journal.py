"""Facts in the user's Markdown: the day's log and the topic files.

Files are handled as bytes. Only the lines of facts are written, changed and moved, each with what its list item goes
on in: whatever else stands in them, valid or not, stays.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memory_plugin.memory.fact import Fact, clean, fact_id, format_line, line_id, parse_line, unstrike
from memory_plugin.memory.files import ChangedMeanwhile, lock, read_bytes, write_whole
from memory_plugin.memory.log import log
from memory_plugin.memory.places import EVENTS_FOLDER, TOPICS_FOLDER
from memory_plugin.memory.redaction import redact_lines

LOCK = os.path.join(EVENTS_FOLDER, "lock")  # in the memory home: held by whoever writes there
_TRIES = 10  # against an editor that saves while we write
EARLIER = "## Earlier"  # in a topic file: heads what holds no longer
LARGEST_FILE = 4 << 20  # bytes read of one Markdown file

_MARK = b"\xef\xbb\xbf"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CONFLICT_COPY = re.compile(r"(?i)\.sync-conflict-|conflicted copy|\([^)]*conflict[^)]*\)| \([0-9]+\)\.md$")
_FACT_ID = re.compile(rb"<!--\s{0,9}m:([0-9a-z]{4,16})\b")


@dataclass(frozen=True, slots=True)
class Held:
    """A fact, and where it stands: a namespace, a file, a line from 1. more: what its list item goes on in, on one
    line."""

    fact: Fact
    namespace: str
    path: str
    line: int
    more: str = ""

    @property
    def words(self) -> str:
        """All that it says, on one line."""
        return f"{self.fact.text} {self.more}".rstrip()

    @property
    def file(self) -> str:
        """The file as a pointer names it: relative to the namespace's folder."""
        return os.path.relpath(self.path, self.folder).replace(os.sep, "/")

    @property
    def folder(self) -> str:
        """The namespace's folder."""
        folder = os.path.dirname(self.path)
        return os.path.dirname(folder) if os.path.basename(folder) == TOPICS_FOLDER else folder


@dataclass(frozen=True, slots=True)
class Line:
    """A line that holds a fact. number: from 1; struck: it is struck through; ours: it bears our comment.

    below: it is part of another list item, or of a block of code. more: what its list item goes on in, on one line.
    """

    number: int
    fact: Fact
    struck: bool
    ours: bool
    below: bool
    more: str = ""

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact of its own: what a person wrote below another says more of that one."""
        return self.ours or not self.below


def day_file(folder: str, day: str) -> str:
    """The path of a day's log in a namespace's folder. ValueError for what is no day (YYYY-MM-DD)."""
    if not _DAY.fullmatch(day):
        raise ValueError(f"not a day: {day!r}")
    return os.path.join(folder, f"{day}.md")


def is_day_file(name: str) -> bool:
    """Whether a file name is a daily log's."""
    return name.endswith(".md") and bool(_DAY.fullmatch(name[:-3]))


def is_topic_file(name: str) -> bool:
    """Whether a file name is a topic file's, and not the copy that a sync tool made of one."""
    return name.endswith(".md") and not _CONFLICT_COPY.search(name)


def is_fact_file(path: str) -> bool:
    """Whether a path is that of a daily log, a topic file, or a sync tool's copy of one."""
    folder, name = os.path.split(path)
    in_topics = os.path.basename(folder) == TOPICS_FOLDER
    return name.endswith(".md") and (in_topics or bool(_DAY.match(name)))


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
        return _under_heading(before, day, heading, map(format_line, new))

    facts = list(facts)
    edit(path, appended)
    return new


def append_lines(folder: str, day: str, lines: Iterable[str], heading: str) -> None:
    """Add lines to a day's log under one heading, durably, as they are. OSError when the file cannot be written."""
    lines = list(lines)
    edit(day_file(folder, day), lambda before: _under_heading(before, day, heading, lines))


def _under_heading(before: bytes, day: str, heading: str, lines: Iterable[str]) -> bytes:
    """A day's log with lines under a heading at its end."""
    added = [f"## {clean(heading)}", "", *lines, ""]
    if not before.strip():
        added = [f"# {day}", "", *added]
    elif not before.endswith(b"\n"):
        added = ["", "", *added]
    elif not before.endswith(b"\n\n"):
        added = ["", *added]
    return before + _encoded(added, b"")


def edit(path: str, change: Callable[[bytes], bytes]) -> None:
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


@contextlib.contextmanager
def locked(home: str) -> Iterator[None]:
    """Hold the lock under which everything in the home is written."""
    with lock(os.path.join(home, LOCK)):
        yield


def fact_files(folder: str) -> list[str]:
    """The files of a namespace that hold facts: its topic files, then its daily logs, the oldest first."""
    topics = os.path.join(folder, TOPICS_FOLDER)
    found = [os.path.join(topics, name) for name in _names(topics) if is_topic_file(name)]
    return found + [os.path.join(folder, name) for name in _names(folder) if is_day_file(name)]


def copies(folder: str) -> list[str]:
    """The copies of a namespace's fact files that a sync tool made in a conflict, and notes named like a daily log."""
    topics = os.path.join(folder, TOPICS_FOLDER)
    found = [os.path.join(topics, name) for name in _names(topics) if _CONFLICT_COPY.search(name)]
    dated = [name for name in _names(folder) if _DAY.match(name) and not is_day_file(name)]
    return [path for path in (*found, *(os.path.join(folder, name) for name in dated)) if path.endswith(".md")]


def topic_file(folder: str, topic: str) -> str:
    """The path of a namespace's topic file: a category, or what the review concludes."""
    return os.path.join(folder, TOPICS_FOLDER, f"{topic}.md")


def standing(folder: str) -> dict[str, Fact]:
    """The facts that stand in a namespace's files, by id."""
    return {held.fact.id: held.fact for held in all_held(folder)}


def all_held(folder: str) -> Iterator[Held]:
    """The facts that stand in a namespace's files, and where. A file that cannot be read is passed by, and logged."""
    namespace = os.path.basename(folder)
    for path in fact_files(folder):
        try:
            found = list(held_by(path, namespace))
        except OSError as error:
            log(f"passed by: {error}")
            continue
        yield from found


def held_by(path: str, namespace: str) -> Iterator[Held]:
    """The facts that stand in a daily log or topic file. OSError as read_lines."""
    for line in read_lines(path, namespace):
        if line.is_fact and not line.struck:
            yield Held(line.fact, namespace, path, line.number, line.more)


def is_whole_item(held: Held) -> bool:
    """Whether the fact is all that its list item says, on however many lines, as one is that a person wrote."""
    return bool(held.more) and fact_id(held.namespace, held.words) == held.fact.id


def read_facts(path: str, namespace: str) -> Iterator[tuple[int, Fact]]:
    """The facts that stand in a daily log or topic file with their line numbers, from 1. OSError as read_lines."""
    return ((line.number, line.fact) for line in read_lines(path, namespace) if line.is_fact and not line.struck)


def text_of(path: str) -> str:
    """What a Markdown file says, at most LARGEST_FILE bytes of it. OSError when it cannot be read."""
    return read_bytes(path, LARGEST_FILE).decode("utf-8-sig", errors="replace")


def fact_in(text: str, path: str, namespace: str, identity: str) -> Held | None:
    """The fact of this id in a file's text if its line bears our comment: much quicker than reading them all."""
    place = text.find(f"m:{identity} ")
    if place < 0:
        return None
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = text[start : end if end >= 0 else len(text)].rstrip("\r")
    fact = parse_line(line, namespace, _day_of(path))
    if not fact or fact.id != identity:
        return None
    indented, below = _indentation(line) + 2, list[str]()
    while end >= 0:
        after, end = end + 1, text.find("\n", end + 1)
        following = text[after : end if end >= 0 else len(text)].rstrip("\r")
        if following.strip() and not _goes_on(following, indented):
            break
        below.append(following)
    return Held(fact, namespace, path, text.count("\n", 0, start) + 1, clean(" ".join(below)))


def read_lines(path: str, namespace: str) -> Iterator[Line]:
    """The lines of a daily log or topic file that hold facts, struck through or not. OSError when it cannot be read.

    What they say is without secrets, and none is private; they are known by the words that stand in the file.
    """
    text = text_of(path)
    lines, shown = ([line.rstrip("\r") for line in each.split("\n")] for each in (text, redact_lines(text)))
    for line in lines_in(text, path, namespace):
        first, end = line.number - 1, item_end(lines, line.number - 1) + 1 if line.more else line.number
        if lines[first:end] == shown[first:end]:
            yield line
        elif said := parse_line(unstrike(shown[first]), namespace, ""):  # else it is private
            yield replace(line, fact=replace(line.fact, text=said.text), more=clean(" ".join(shown[first + 1 : end])))


def lines_in(text: str, path: str, namespace: str) -> Iterator[Line]:
    """The lines that hold facts in the text of a daily log or topic file, which need not be there; secrets and all."""
    day = _day_of(path)
    fenced, last = False, -1  # the index of the last line of the item above
    lines = [line.rstrip("\r") for line in text.split("\n")]
    for number, line in enumerate(lines):
        struck = False
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        fact = parse_line(line, namespace, day)
        if not fact and "~~" in line:
            struck, fact = True, parse_line(unstrike(line), namespace, day)
        if fact:
            below, end = fenced or number <= last, item_end(lines, number)
            last = max(last, end)
            more = clean(" ".join(lines[number + 1 : end + 1]))
            if more:
                fact = replace(fact, id=_named(fact, lines, number, namespace))
            yield Line(number + 1, fact, struck, bool(line_id(line)), below, more)


def ids_in(path: str, namespace: str) -> set[str]:
    """The ids of the facts whose lines stand in a file, struck through or not. OSError when it cannot be read."""
    return ids_of(text_of(path).split("\n"), namespace)


def ids_of(lines: Sequence[str], namespace: str) -> set[str]:
    """The ids of the facts that these lines hold, struck through or not."""
    return {identity(lines, number, namespace) for number in range(len(lines))} - {""}


def item_end(lines: Sequence[str], first: int) -> int:
    """The index of the last line of the list item that begins at `first`: it goes on in what is indented below it.

    A line of ours in there is a fact of its own, and ends it.
    """
    last, indented = first, _indentation(lines[first]) + 2
    for number in range(first + 1, len(lines)):
        if lines[number].strip():
            if not _goes_on(lines[number], indented):
                break
            last = number
    return last


def _goes_on(line: str, indented: int) -> bool:
    """Whether a line that says something belongs to the item above, whose text is indented so far."""
    return _indentation(line) >= indented and not line_id(line)


def _indentation(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())


def edit_lines(
    path: str,
    namespace: str,
    changes: Mapping[str, Callable[[str], str | None]],
    below: Callable[[str], str | None] = lambda line: line,
) -> set[str]:
    """Put another line in the place of those facts' lines, or none (None); every other byte stays as it is.

    `changes` are by id; each is called with the line as it stands, without its break. Where it puts another line, each
    that the item goes on in is what `below` makes of it; where none, they go too. Returns the ids that were found.
    OSError when the file cannot be written; then nothing is.
    """
    found = set[str]()

    def changed(before: bytes) -> bytes:
        found.clear()
        lines, kept = _lines(before), list[str]()
        number = 0
        while number < len(lines):
            line, end = lines[number].rstrip("\r"), number + 1
            named = identity(lines, number, namespace)
            if named in changes:
                found.add(named)
                end = item_end(lines, number) + 1
                after = changes[named](line)
                if after is not None:
                    kept.append(after + "\r" * lines[number].endswith("\r"))
                    rest = map(below, lines[number + 1 : end]) if after != line else lines[number + 1 : end]
                    kept += (each for each in rest if each is not None)
            else:
                kept.append(lines[number])
            number = end
        return _encoded(kept, before)

    edit(path, changed)
    return found


def add_to_topic(folder: str, topic: str, fact: Fact, below: Iterable[str] = ()) -> str:
    """Write a fact into a topic file, above what held earlier, unless its line stands there; the file's path.

    A line of it that is struck through gives its place to the new one. `below` are the lines that its item goes on in.
    """
    path, namespace = topic_file(folder, topic), os.path.basename(folder)
    item = [format_line(fact, dated=True), *below]

    def added(before: bytes) -> bytes:
        lines = _lines(before) if before.strip() else [f"# {topic.capitalize()}", "", ""]
        ours = [number for number in range(len(lines)) if identity(lines, number, namespace) == fact.id]
        if any(parse_line(lines[number].rstrip("\r"), namespace, "") for number in ours):
            return before
        for number in reversed(ours):
            if parse_line(unstrike(lines[number].rstrip("\r")), namespace, ""):
                del lines[number : item_end(lines, number) + 1]
        start, _ = _earlier(lines)
        now = _appended(lines[:start], item)
        return _encoded([*now, *(lines[start:] or ([] if now[-1] == "" else [""]))], before)

    edit(path, added)
    return path


def move_to_topic(held: Held, topic: str) -> str:
    """Move a fact's item from where it stands into a topic file; the path of that file. It is never in neither.

    LookupError when its line is struck through or gone by now, or cannot be read again where it went.
    """
    lines = [line.rstrip("\r") for line in _lines(read_bytes(held.path))]
    named = (number for number in range(len(lines)) if identity(lines, number, held.namespace) == held.fact.id)
    facts = ((number, parse_line(lines[number], held.namespace, _day_of(held.path))) for number in named)
    found = next(((number, fact) for number, fact in facts if fact), None)
    if found is None:
        raise LookupError(f"{held.fact.id} stands no more in {held.path}")
    number, fact = found[0], replace(found[1], id=held.fact.id)
    path = add_to_topic(os.path.dirname(held.path), topic, fact, lines[number + 1 : item_end(lines, number) + 1])
    if all(each.id != fact.id for _, each in read_facts(path, held.namespace)):
        raise LookupError(f"{fact.id} cannot be read in {path}, and stays where it is")
    edit_lines(held.path, held.namespace, {fact.id: lambda line: None})
    return path


def arrange(path: str, namespace: str) -> None:
    """Put the facts of a topic file that hold no longer below its heading "Earlier", and those that do above it.

    Any other line, and the order of the facts, stay as they are. OSError when the file cannot be read or written.
    """
    edit(path, lambda before: arranged(before, namespace))


def arranged(before: bytes, namespace: str) -> bytes:
    """A topic file's content as `arrange` leaves it."""
    lines = _lines(before)
    start, end = _earlier(lines)
    now, earlier, rest = (list(_items(part)) for part in (lines[:start], lines[start:end], lines[end:]))
    ended = [item for item in now + rest if _holds(item, namespace) is False]
    again = [item for item in earlier if _holds(item, namespace) is True]
    if not ended and not again:
        return before
    above = _appended(_joined(item for item in now if item not in ended), _joined(again))
    below = _appended(_joined(item for item in earlier if item not in again) or [EARLIER, "", ""], _joined(ended))
    if not any(line.strip() for line in below[1:]):
        below = []
    if below and above and above[-1].strip():
        above.append("")
    while above[-2:] == ["", ""]:
        del above[-1]
    return _encoded([*above, *below, *_joined(item for item in rest if item not in ended)], before)


def _items(lines: list[str]) -> Iterator[list[str]]:
    """Each line of ours with those that its item goes on in, and any other line alone."""
    number = 0
    while number < len(lines):
        end = item_end(lines, number) + 1 if line_id(lines[number]) else number + 1
        yield lines[number:end]
        number = end


def _joined(items: Iterable[list[str]]) -> list[str]:
    return [line for item in items for line in item]


def _earlier(lines: list[str]) -> tuple[int, int]:
    """Where the section "Earlier" of a topic file begins and ends; both beyond the last line when there is none."""
    start = next((number for number, line in enumerate(lines) if line.rstrip() == EARLIER), len(lines))
    headings = (number for number in range(start + 1, len(lines)) if lines[number].startswith(("# ", "## ")))
    return start, next(headings, len(lines))


def _holds(item: list[str], namespace: str) -> bool | None:
    """Whether the fact of an item of ours holds; None for any other line."""
    line = item[0].rstrip("\r")
    fact = parse_line(line, namespace, "") if line_id(line) else None
    return fact.status == "active" if fact else None


def _appended(lines: list[str], more: list[str]) -> list[str]:
    """The lines with more list items after the last that says something; the blank ones behind it stay behind."""
    if not more:
        return lines
    last = next((number for number in reversed(range(len(lines))) if lines[number].strip()), -1)
    in_list = last >= 0 and lines[last].lstrip()[:1] in ("-", "*", "+")
    gap = [] if in_list or last < 0 else [""]
    return [*lines[: last + 1], *gap, *more, *(lines[last + 1 + len(gap) :] or [""])]


def identity(lines: Sequence[str], number: int, namespace: str) -> str:
    """The id of the fact that the line of this index holds, struck through or not; "" when it holds none.

    One by hand is known by all the words of its list item: many may begin alike ("- kind: note").
    """
    line = lines[number].rstrip("\r")
    named = line_id(line)
    if named or not line.lstrip().startswith(("-", "*", "+")):
        return named
    fact = parse_line(unstrike(line), namespace, "")
    return _named(fact, lines, number, namespace) if fact else ""


def _named(fact: Fact, lines: Sequence[str], first: int, namespace: str) -> str:
    """The id of a fact whose list item begins at this index."""
    last = first if line_id(lines[first]) else item_end(lines, first)
    return fact_id(namespace, "\n".join([fact.text, *lines[first + 1 : last + 1]])) if last > first else fact.id


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _day_of(path: str) -> str:
    day = os.path.basename(path)[:-3]
    return day if _DAY.fullmatch(day) else ""


def _lines(content: bytes) -> list[str]:
    """The lines of a file, from which `_encoded` makes every byte again; without the mark that some editors put first,
    behind which a list item could not be told."""
    return content.removeprefix(_MARK).decode("utf-8", errors="surrogateescape").split("\n")


def _encoded(lines: Iterable[str], before: bytes) -> bytes:
    """The file that holds these lines, marked as it was before."""
    content = "\n".join(lines).encode("utf-8", errors="surrogateescape")
    return _MARK + content if before.startswith(_MARK) else content
