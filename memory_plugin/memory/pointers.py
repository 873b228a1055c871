"""MEMORY.md: one line for each of the best facts of a namespace, in a block of ours between two markers.

    - **critical lesson** Never run the migration twice: it drops … ([2026-11-30](2026-11-30.md) 7k2m9qab)

The day is the one the fact was last said on. The user's own lines around the block, valid or not, stay as they are,
byte for byte.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from memory_plugin.memory import excerpt
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, DEFAULT_CATEGORY, SEVERE, Fact, clean
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.journal import LARGEST_FILE, Held, all_held, edit, fact_in, held_by, text_of
from memory_plugin.memory.places import MEMORY_FILE, TOPICS_FOLDER
from memory_plugin.memory.redaction import redact, redact_blocks

MARK_START = "<!-- memory-plugin:start -->"
MARK_END = "<!-- memory-plugin:end -->"
LONGEST_POINTER = 150  # characters
MOST_LINES = 200  # of MEMORY.md, the user's own included
FEWEST_POINTERS = 40  # however long the user's own part is
POINTER_IMPORTANCE = 0.6
WORLDVIEW = "worldview"  # the topic of what the weekly review concludes; the briefing shows it, no pointer does
# What stands above all that is weighed: a fact's worth is at most 1 without them.
_SEVERITY_WORTH = {"critical": 5.0, "high": 3.0}
_PINNED_WORTH = 1.5
_TASK_WORTH = 0.5

_POINTER = re.compile(
    r"- \*\*(?P<pinned>pinned )?(?:(?P<severity>high|critical) )?(?P<category>[a-z]+)\*\* (?P<text>.*)"
    r" \(\[(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2}|undated)\]\((?P<file>[^)\0]*)\) (?P<id>[0-9a-z]+)\)"
)
_UNDATED = "undated"  # so is a line that a person wrote into a topic file
_QUOTED = {"%": "%25", " ": "%20", "(": "%28", ")": "%29"}  # what would end a link
_LONGEST_POINTER_READ = 600  # characters: what is longer is no line of ours


@dataclass(frozen=True, slots=True)
class Pointer:
    """A line of MEMORY.md: the start of a fact's text, and the file that holds it (relative to the namespace).

    day is when the fact was last said; severity is that of a severe lesson, else "".
    """

    id: str
    category: str
    text: str
    day: str
    file: str
    severity: str = ""
    pinned: bool = False


def worth(fact: Fact, today: date) -> float:
    """What a fact counts for whatever is asked: importance by confidence by recency, which halves in each lifetime of
    its category. Above that come open tasks, what is pinned and severe lessons, in this order."""
    lifetime, age = CATEGORIES[fact.category][0], _age(fact.last_seen, today)
    recency = 0.5 ** (age / lifetime) if lifetime and age > 0 else 1.0
    above = _SEVERITY_WORTH.get(fact.severity, 0.0) + _PINNED_WORTH * fact.pinned + _TASK_WORTH * fact.is_open_task
    return fact.importance * fact.confidence * recency + above


def is_stale(fact: Fact | Pointer, today: date) -> bool:
    """Whether it was not said for longer than its category lives: it stays on disk and can be found, but no session
    starts with it. What is pinned never goes stale."""
    lifetime = CATEGORIES.get(fact.category, (None, 0.0))[0]
    seen = fact.day if isinstance(fact, Pointer) else fact.last_seen
    return lifetime is not None and not fact.pinned and _age(seen, today) > lifetime


def is_listed(fact: Fact, today: date) -> bool:
    """Whether a fact deserves a pointer: it holds, is fresh, and of some weight."""
    weighty = fact.importance >= POINTER_IMPORTANCE or fact.pinned or fact.support > 1
    return fact.status == "active" and weighty and not is_stale(fact, today)


def point_to(fact: Fact, file: str, words: str = "") -> Pointer:
    """The pointer to a fact that stands in a file; `words` are all that its list item says, where that is more."""
    severity = fact.severity if fact.severity in SEVERE else ""
    text = redact(clean(words or fact.text))
    return Pointer(fact.id, fact.category, text, fact.last_seen, file, severity, fact.pinned)


def update(folder: str, title: str, new: Iterable[Fact], today: date) -> None:
    """Bring MEMORY.md's block up to date: pointers to these facts of the daily logs in, those whose fact is gone or
    holds no longer out, the best ones kept.

    The user's own text is not touched; a line of theirs inside the block is moved below it. OSError when the file
    cannot be read or written.
    """
    fresh = [(worth(fact, today), point_to(fact, f"{fact.day}.md")) for fact in new if is_listed(fact, today)]

    def updated(before: bytes) -> bytes:
        if is_torn(before):  # which lines it has lost is not known
            return rebuilt(before, list(all_held(folder)), title, today)
        found = {pointer.id: pointer for pointer in parsed(before)}
        for _, pointer in fresh:
            found.setdefault(pointer.id, pointer)
        shelf = Shelf(folder)
        weighed = [each for pointer in found.values() if (each := _weighed(pointer, shelf, today))]
        return with_pointers(before, title, weighed)

    edit(os.path.join(folder, MEMORY_FILE), updated)


def rebuild(folder: str, title: str, today: date) -> None:
    """Make MEMORY.md's block anew from the facts that stand in the namespace's files, as `update` would have left it.

    Facts that had no room before may come back. A file without our block gets one only if there is something to say.
    OSError when a file cannot be read or written.
    """
    held = list(all_held(folder))
    edit(os.path.join(folder, MEMORY_FILE), lambda before: rebuilt(before, held, title, today))


def rebuilt(before: bytes, held: Iterable[Held], title: str, today: date) -> bytes:
    """MEMORY.md as it should be when these are all the facts of its namespace."""
    listed: dict[str, tuple[float, Pointer]] = {}
    for each in held:
        if is_listed(each.fact, today) and each.file != f"{TOPICS_FOLDER}/{WORLDVIEW}.md":
            listed.setdefault(each.fact.id, (worth(each.fact, today), point_to(each.fact, each.file, each.words)))
    start, end = _block(before)
    return with_pointers(before, title, list(listed.values())) if listed or start != end else before


def with_pointers(before: bytes, title: str, weighed: Sequence[tuple[float, Pointer]]) -> bytes:
    """MEMORY.md with the best of these pointers, each with its worth, in its block."""
    start, end = _block(before)
    strays = [line for line in _parse_block(before[start:end])[1] if not _is_rest(line, before, weighed)]
    own = before[:start] + before[end:]
    room = max(MOST_LINES - own.count(b"\n") - len(strays) - 4, FEWEST_POINTERS)
    lines = [line for line in map(format_pointer, best(weighed, room)) if len(line) <= LONGEST_POINTER]
    block = "\n".join([MARK_START, *lines, MARK_END]).encode()
    block = b"\n".join([block, *strays])
    if is_torn(before) and not before[end:]:
        block += b"\n"
    if strays and before[end:] and not before[end:].startswith(b"\n"):
        block += b"\n"
    if not before.strip():
        return f"# Memory of {clean(title)}\n\n".encode() + block + b"\n"
    if start == end:
        return before + (b"\n" if before.endswith(b"\n") else b"\n\n") + block + b"\n"
    return before[:start] + block + before[end:]


def _is_rest(line: bytes, text: bytes, weighed: Iterable[tuple[float, Pointer]]) -> bool:
    """Whether the last line of a file is what is left of a pointer or marker of ours that was torn."""
    ours = (MARK_END, *(format_pointer(pointer) for _, pointer in weighed))
    return text.endswith(b"\n" + line) and any(each.encode().startswith(line) for each in ours)


def best(weighed: Iterable[tuple[float, Pointer]], most: int) -> list[Pointer]:
    """The pointers that are worth most, the newest first among equals."""
    ranked = sorted(weighed, key=lambda each: (-round(each[0], 6), _descending(each[1].day), each[1].id))
    return [pointer for _, pointer in ranked[:most]]


def read(folder: str) -> list[Pointer]:
    """The pointers of a namespace's MEMORY.md, in the file's order. OSError when it cannot be read."""
    return parsed(read_bytes(os.path.join(folder, MEMORY_FILE), LARGEST_FILE))


def parsed(content: bytes) -> list[Pointer]:
    """The pointers in a MEMORY.md's content, in its order."""
    return _parse_block(content[slice(*_block(content))])[0]


def read_own_text(folder: str) -> str:
    """What the user wrote into a namespace's MEMORY.md, our block left blank. OSError when it cannot be read.

    A second block, which a merge may leave, is no text of theirs either.
    """
    return own_text(read_bytes(os.path.join(folder, MEMORY_FILE), LARGEST_FILE))


def own_text(text: bytes) -> str:
    """What the user wrote into a MEMORY.md of this content, as `read_own_text`."""
    start, end = _block(text)
    blank = b"\n" * text.count(b"\n", start, end)
    own = (text[:start] + blank + text[end:]).decode("utf-8-sig", errors="replace")
    return "\n".join("" if _pointer(line.rstrip("\r")) else line for line in own.split("\n"))


def namespaces_of(home: str) -> list[str]:
    """The namespaces of a memory home: its folders that hold a block or a fact of ours, not the user's own notes."""
    with os.scandir(home) as entries:
        names = sorted(each.name for each in entries if each.is_dir(follow_symlinks=False) and each.name[0] != ".")
    return [name for name in names if _is_ours(os.path.join(home, name))]


def _is_ours(folder: str) -> bool:
    start = end = 0
    with contextlib.suppress(OSError):  # a folder of that name, or one that may not be read: its facts tell
        start, end = _block(read_bytes(os.path.join(folder, MEMORY_FILE), LARGEST_FILE))
    return start != end or any(held.fact.source for held in all_held(folder))


def is_torn(content: bytes) -> bool:
    """Whether a MEMORY.md's block begins and has no end; the next flush or review makes it whole."""
    return MARK_START.encode() in content and MARK_END.encode() not in content


def path_of(folder: str, file: str) -> str | None:
    """The path of a pointer's file, None when it would lie outside the namespace's folder."""
    path = os.path.normpath(os.path.join(folder, file))
    return path if path.startswith(folder + os.sep) else None


def format_pointer(pointer: Pointer) -> str:
    """The pointer's line, at most LONGEST_POINTER characters."""
    severity = f"{pointer.severity} " if pointer.severity else ""
    head, tail = (
        f"- **{'pinned ' * pointer.pinned}{severity}{pointer.category}** ",
        f" ([{pointer.day or _UNDATED}]({_quoted(pointer.file)}) {pointer.id})",
    )
    room = max(LONGEST_POINTER - len(head) - len(tail), 1)
    return head + excerpt.beginning(pointer.text, room) + tail


def _quoted(file: str) -> str:
    return "".join(_QUOTED.get(each, each) for each in file)


def _unquoted(link: str) -> str:
    for each, quoted in reversed(_QUOTED.items()):
        link = link.replace(quoted, each)
    return link


def _age(day: str, today: date) -> int:
    """Days since then; 0 when it is no day."""
    try:
        return (today - date.fromisoformat(day)).days
    except ValueError:
        return 0


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
    if not found:
        return None
    return Pointer(
        id=found["id"],
        category=found["category"],
        text=found["text"],
        day="" if found["day"] == _UNDATED else found["day"],
        file=_unquoted(found["file"]),
        severity=found["severity"] or "",
        pinned=bool(found["pinned"]),
    )


def _block(text: bytes) -> tuple[int, int]:
    """Where our block begins and ends, markers included; both at the end when there is none.

    Of one whose end was torn off, what is still ours: pointers, and at the file's end a line without its break.
    """
    end = text.rfind(MARK_END.encode())
    start = text.rfind(MARK_START.encode(), 0, end) if end >= 0 else -1
    if start >= 0:
        return start, end + len(MARK_END)
    start = text.rfind(MARK_START.encode())
    if start < 0 or end >= 0:
        return len(text), len(text)
    end = start + len(MARK_START)
    for line in text[end:].split(b"\n")[1:]:
        following = end + 1 + len(line)
        if following < len(text) and not _pointer(line.decode("utf-8", errors="replace").rstrip("\r")):
            break
        end = following
    return start, end


class Shelf:
    """The facts of a namespace's files, each read once and only when a pointer asks for it.

    problems: the files that could not be read.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.problems: dict[str, OSError] = {}
        self._texts: dict[str, str] = {}
        self._facts: dict[str, dict[str, Held]] = {}

    def __len__(self) -> int:
        """How many files were asked for."""
        return len(self._texts)

    def __contains__(self, file: str) -> bool:
        """Whether a file was read already."""
        return file in self._texts

    def find(self, pointer: Pointer) -> Held | None:
        """The fact that a pointer means: where it says, else in its category's topic file, to which it may have been
        moved since. None when it stands in neither."""
        for file in (pointer.file, f"{TOPICS_FOLDER}/{pointer.category}.md"):
            text, path, namespace = self.text(file), self._path(file), os.path.basename(self.folder)
            held = fact_in(text, path, namespace, pointer.id) if text else None
            if held or (text and (held := self.facts(file).get(pointer.id))):
                return held
        return None

    def facts(self, file: str) -> dict[str, Held]:
        """The facts of a file of the namespace, by id; none when it cannot be read."""
        path, namespace = self._path(file), os.path.basename(self.folder)
        if file not in self._facts:
            self._facts[file] = {}
            with contextlib.suppress(OSError):
                if self.text(file):
                    self._facts[file] = {held.fact.id: held for held in held_by(path, namespace)}
        return self._facts[file]

    def text(self, file: str) -> str:
        """What a file of the namespace says, without what is private; nothing when it cannot be read or lies
        elsewhere."""
        if file not in self._texts:
            self._texts[file] = ""
            try:
                if path := self._path(file):
                    self._texts[file] = redact_blocks(text_of(path))
            except OSError as error:
                self.problems[file] = error
        return self._texts[file]

    def _path(self, file: str) -> str:
        return path_of(self.folder, file) or ""


def _weighed(pointer: Pointer, shelf: Shelf, today: date) -> tuple[float, Pointer] | None:
    """The pointer as its fact stands now, with its worth; None when it is to go."""
    held = shelf.find(pointer)
    if held:
        listed = is_listed(held.fact, today)
        return (worth(held.fact, today), point_to(held.fact, held.file, held.words)) if listed else None
    if pointer.file not in shelf.problems:
        return None
    return worth(_unread(pointer), today), pointer  # what can't be read now is not gone


def _unread(pointer: Pointer) -> Fact:
    """What can be told of a fact by its pointer alone."""
    category = pointer.category if pointer.category in CATEGORIES else DEFAULT_CATEGORY
    return Fact(
        id=pointer.id,
        text=pointer.text,
        category=category,
        predicate="is",
        subject="-",
        object="-",
        importance=CATEGORIES[category][1],
        confidence=CONFIDENCE_STATED,
        day=pointer.day,
        at="",
        source="",
        severity=pointer.severity,
        pinned=pointer.pinned,
    )
