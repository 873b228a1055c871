"""What a session starts with: the standing notes of the project and of `global`, straight from the Markdown.

No index is needed. Few files are read whatever their number: two MEMORY.md, the files that their best pointers name,
what the review concluded, and after a compaction the last two daily logs and the tasks.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memory_plugin.memory import excerpt, journal, pointers
from memory_plugin.memory.fact import LONGEST_TEXT, SEVERE, label, source_of
from memory_plugin.memory.frame import Note, frame, note_line
from memory_plugin.memory.journal import Held
from memory_plugin.memory.log import log
from memory_plugin.memory.places import GLOBAL_NAMESPACE, MEMORY_FILE, TOPICS_FOLDER
from memory_plugin.memory.redaction import redact, redact_lines

MOST_NOTES = 30
MOST_GLOBAL_NOTES = 10  # of them, from what holds in every project
MOST_TASKS = 12  # of a namespace
MOST_OF_A_CONVERSATION = 15  # after its compaction, besides its tasks
MOST_PATTERNS = 6  # of a namespace
MOST_FILES = 40  # read of a namespace for what its pointers name
_MOST_OWN_LINES = 40
_SECTIONS = (
    ("## Standing", ("identity", "relationship", "preference", "constraint", "habit", "health", "lesson")),
    ("## Decided and learnt", ("decision", "procedure", "reference", "project", "event")),
)
_OF_A_CONVERSATION = ("decision", "preference", "constraint", "lesson")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Briefing:
    """The context to inject ("" for none) and the ids of the notes in it."""

    text: str
    ids: tuple[str, ...]


def brief(home: str, namespace: str, *, limit: int, today: date, session: str | None = None) -> Briefing:
    """The briefing of a namespace, at most `limit` UTF-16 units.

    Severe lessons come first, then open tasks, then the rest by what it is worth; nothing that holds no longer.
    `session` is given after a compaction: its own open tasks come before those of others, then its decisions, since
    the summary may have dropped them.
    """
    shelves = [pointers.Shelf(os.path.join(home, name)) for name in (GLOBAL_NAMESPACE, namespace)]
    everywhere = list(_pointed(shelves[0], _named(shelves[0], today), today, MOST_GLOBAL_NOTES))
    room, named = MOST_NOTES - sum(not _is_severe(each) for each in everywhere), _named(shelves[1], today)
    here = list(_pointed(shelves[1], named, today, room))
    own = list(_of_session(shelves[1], named, session, today)) if session else []
    facts = sorted([*here, *everywhere], key=lambda each: -pointers.worth(each.fact, today))
    groups = [
        ("## Learnt the hard way", [each for each in facts if _is_severe(each)]),
        ("## This conversation, before it was compacted", own),
        ("## Open tasks", [each for each in facts if each.fact.is_open_task]),
        *((heading, [each for each in facts if each.fact.category in names]) for heading, names in _SECTIONS),
    ]
    noted: list[tuple[str, list[Note]]] = [(heading, list(map(_note, held))) for heading, held in groups]
    lines = itertools.chain(_own_lines(home, ""), _own_lines(shelves[1].folder, namespace))
    noted.append((f"## From {MEMORY_FILE}", list(itertools.islice(lines, _MOST_OWN_LINES))))
    noted.append(("## Patterns", [_note(each) for shelf in shelves for each in _patterns(shelf, today)]))
    for shelf in shelves:
        for file, error in shelf.problems.items():
            log(f"briefing without {os.path.join(shelf.folder, file)}: {error}")
    return _framed(noted, limit)


def _framed(groups: Iterable[tuple[str, list[Note]]], limit: int) -> Briefing:
    lines: list[str] = []
    ids: dict[str, str] = {}
    for heading, notes in groups:
        lines.append(heading)
        for note in notes:
            line = note_line(note)
            if line not in ids:
                ids[line] = note.id
                lines.append(line)
    text = frame(lines, limit)
    shown = set(text.split("\n"))
    return Briefing(text, tuple(identity for line, identity in ids.items() if line in shown and identity))


def _named(shelf: pointers.Shelf, today: date) -> list[pointers.Pointer]:
    """The pointers of a MEMORY.md that are not stale, severe lessons and pinned ones first."""
    with _passed_by(shelf.folder):
        fresh = [each for each in pointers.read(shelf.folder) if not pointers.is_stale(each, today)]
        return sorted(fresh, key=lambda each: (not each.severity, not each.pinned))
    return []


def _pointed(shelf: pointers.Shelf, named: list[pointers.Pointer], today: date, most: int) -> Iterator[Held]:
    """The best facts as they stand now that a MEMORY.md points to: severe lessons all of them, some of the tasks."""
    tasks = others = 0
    for pointer in named:
        is_task = pointer.category == "goal"
        enough = others >= most or (is_task and tasks >= MOST_TASKS)
        far = pointer.file not in shelf and len(shelf) >= MOST_FILES
        if (enough or far) and not pointer.severity:
            continue
        held = shelf.find(pointer)
        if held and held.fact.status == "active" and not pointers.is_stale(held.fact, today):
            tasks += is_task
            others += not _is_severe(held)
            yield held


def _of_session(shelf: pointers.Shelf, named: list[pointers.Pointer], session: str, today: date) -> Iterator[Held]:
    """What a conversation itself brought up and holds: its open tasks, then its decisions and the like."""
    # a day's log may be ahead of `today` by a time zone, but what is dated years ahead is somebody's plan
    latest = f"{today + timedelta(days=1)}.md"
    names = list[str]()
    with _passed_by(shelf.folder), contextlib.suppress(FileNotFoundError, NotADirectoryError):
        names = sorted(each for each in os.listdir(shelf.folder) if journal.is_day_file(each) and each <= latest)
    logs = names[:-3:-1]
    tasks = [each.file for each in named if each.category == "goal"]
    origin = source_of(session, "")
    found = [
        held
        for file in dict.fromkeys((*logs, *tasks, f"{TOPICS_FOLDER}/goal.md"))
        if f"src={origin}" in shelf.text(file)
        for held in shelf.facts(file).values()
        if held.fact.source.startswith(origin) and held.fact.status == "active"
    ]
    yield from (each for each in found if each.fact.is_open_task)
    others = [each for each in found if each.fact.category in _OF_A_CONVERSATION and each.file in logs]
    others = [each for each in others if not _is_severe(each)]
    yield from sorted(others, key=lambda each: -pointers.worth(each.fact, today))[:MOST_OF_A_CONVERSATION]


def _patterns(shelf: pointers.Shelf, today: date) -> list[Held]:
    """What the weekly review concluded, the surest first."""
    held = shelf.facts(f"{TOPICS_FOLDER}/{pointers.WORLDVIEW}.md").values()
    good = [each for each in held if each.fact.status == "active" and not pointers.is_stale(each.fact, today)]
    return sorted(good, key=lambda each: -pointers.worth(each.fact, today))[:MOST_PATTERNS]


def _is_severe(held: Held) -> bool:
    return held.fact.severity in SEVERE


def _own_lines(folder: str, namespace: str) -> Iterator[Note]:
    """The user's own list items and sentences of a MEMORY.md; headings and comments say nothing by themselves."""
    place = os.path.join(namespace, MEMORY_FILE) if namespace else MEMORY_FILE
    text = ""
    with _passed_by(folder):
        text = redact_lines(pointers.read_own_text(folder))
        text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.strip().lstrip("-*+ ").strip()
        if len(words) >= 8 and not words.startswith(("#", "~~", "---", "```", "|")):
            yield Note("", words[:300], "", "", f"{place}#L{number}")


@contextlib.contextmanager
def _passed_by(path: str) -> Iterator[None]:
    """What can't be read is left out of the briefing, which goes on without it."""
    try:
        yield
    except OSError as error:
        log(f"briefing without {path}: {error}")


def _note(held: Held) -> Note:
    fact, place = held.fact, f"{held.namespace}/{held.file}#L{held.line}"
    return Note(
        fact.id,
        excerpt.beginning(redact(held.words), LONGEST_TEXT),
        label(fact.category, fact.severity),
        fact.day,
        place,
    )
