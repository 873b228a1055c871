"""MEMORY.md: one line for each of the best facts of a namespace, in a block of ours between two markers.

The user's own lines around it, valid or not, stay as they are, byte for byte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory_plugin.memory.fact import CATEGORIES, Fact, clean
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.journal import LARGEST_FILE, edit, read_facts
from memory_plugin.memory.places import MEMORY_FILE

MARK_START = "<!-- memory-plugin:start -->"
MARK_END = "<!-- memory-plugin:end -->"
LONGEST_POINTER = 150  # characters
MOST_LINES = 200  # of MEMORY.md, the user's own included
FEWEST_POINTERS = 40  # however long the user's own part is
POINTER_IMPORTANCE = 0.6

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


def point_to(facts: Iterable[Fact]) -> list[Pointer]:
    """The pointers that facts deserve."""
    return [
        Pointer(fact.id, fact.category, fact.text, fact.day, f"{fact.day}.md")
        for fact in facts
        if fact.importance >= POINTER_IMPORTANCE
    ]


def update(folder: str, title: str, new: Iterable[Pointer]) -> None:
    """Bring MEMORY.md's block up to date: new pointers in, those whose fact is gone out, the best ones kept.

    The user's own text is not touched; a line of theirs inside the block is moved below it. A pointer goes when its
    file no longer holds its id, and says what its fact says now. OSError when the file cannot be read or written.
    """
    new = list(new)
    edit(os.path.join(folder, MEMORY_FILE), lambda before: _with_pointers(before, folder, clean(title), new))


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


def read(folder: str) -> list[Pointer]:
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


def path_of(folder: str, file: str) -> str | None:
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
        path, namespace = path_of(folder, pointer.file), os.path.basename(folder)
        try:
            held[pointer.file] = {fact.id: fact for _, fact in read_facts(path, namespace)} if path else {}
        except OSError:
            held[pointer.file] = None  # what can't be read now is not gone
    facts = held[pointer.file]
    if facts is None:
        return pointer
    fact = facts.get(pointer.id)
    return replace(pointer, category=fact.category, text=clean(fact.text)) if fact else None
