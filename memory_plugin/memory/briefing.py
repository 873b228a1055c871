"""What a session starts with: the standing notes of the project and of `global`, straight from the Markdown.

No index is needed. Few files are read whatever their number: two MEMORY.md, the files that their best pointers name,
and after a compaction the last two daily logs.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memory_plugin.memory import journal, pointers
from memory_plugin.memory.fact import CATEGORIES, Fact, source_of
from memory_plugin.memory.frame import Note, frame, note_line
from memory_plugin.memory.log import log
from memory_plugin.memory.places import GLOBAL_NAMESPACE, MEMORY_FILE

MOST_NOTES = 30
MOST_GLOBAL_NOTES = 10  # of them, from what holds in every project
_MOST_OWN_LINES = 40
_SECTIONS = (
    ("## Standing", ("identity", "relationship", "preference", "constraint", "habit", "health", "lesson")),
    ("## Open", ("goal",)),
    ("## Decided and learnt", ("decision", "procedure", "reference", "project", "event")),
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Briefing:
    """The context to inject ("" for none) and the ids of the notes in it."""

    text: str
    ids: tuple[str, ...]


def brief(home: str, namespace: str, *, limit: int, today: date, session: str | None = None) -> Briefing:
    """The briefing of a namespace, at most `limit` UTF-16 units.

    `session` is given after a compaction: its own open tasks and decisions come first, since the summary may have
    dropped them.
    """
    folder = os.path.join(home, namespace)
    groups: list[tuple[str, list[Note]]] = []
    if session:
        groups.append(
            ("## This conversation, before it was compacted", list(_of_session(folder, namespace, session, today)))
        )
    everywhere = list(_pointed(os.path.join(home, GLOBAL_NAMESPACE), GLOBAL_NAMESPACE, today, MOST_GLOBAL_NOTES))
    facts = [*everywhere, *_pointed(folder, namespace, today, MOST_NOTES - len(everywhere))]
    for heading, categories in _SECTIONS:
        groups.append((heading, [_note(fact, place) for place, fact in facts if fact.category in categories]))
    own = itertools.islice(itertools.chain(_own_lines(home, ""), _own_lines(folder, namespace)), _MOST_OWN_LINES)
    groups.append((f"## From {MEMORY_FILE}", list(own)))
    return _framed(groups, limit)


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


def _pointed(folder: str, namespace: str, today: date, most: int) -> Iterator[tuple[str, Fact]]:
    """The facts as they stand now that a MEMORY.md's best pointers name, with `path#Lline`; the stale left out."""
    best = list[pointers.Pointer]()
    with _passed_by(folder):
        fresh = [each for each in pointers.read(folder) if not _stale(each.category, each.day, today)]
        best = pointers.best(fresh, most)
    found: dict[str, tuple[str, Fact]] = {}
    for file in {pointer.file: None for pointer in best}:
        path = pointers.path_of(folder, file)
        if path:
            with _passed_by(path):
                for number, fact in journal.read_facts(path, namespace):
                    found[fact.id] = (f"{namespace}/{file}#L{number}", fact)
    return (found[pointer.id] for pointer in best if pointer.id in found)


def _of_session(folder: str, namespace: str, session: str, today: date) -> Iterator[Note]:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    # a day's log may be ahead of `today` by a time zone, but what is dated years ahead is somebody's plan
    latest = f"{today + timedelta(days=1)}.md"
    origin = source_of(session, "")
    for name in sorted((name for name in names if journal.is_day_file(name) and name <= latest), reverse=True)[:2]:
        facts = list[tuple[int, Fact]]()
        with _passed_by(name):
            facts = list(journal.read_facts(os.path.join(folder, name), namespace))
        for number, fact in facts:
            ours = fact.source.startswith(origin)
            if ours and fact.category in ("goal", "decision", "preference", "constraint", "lesson"):
                yield _note(fact, f"{namespace}/{name}#L{number}")


def _own_lines(folder: str, namespace: str) -> Iterator[Note]:
    """The user's own list items and sentences of a MEMORY.md; headings and comments say nothing by themselves."""
    place = os.path.join(namespace, MEMORY_FILE) if namespace else MEMORY_FILE
    text = ""
    with _passed_by(folder):
        text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), pointers.read_own_text(folder))
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


def _note(fact: Fact, place: str) -> Note:
    return Note(fact.id, fact.text, fact.category, fact.day, place)


def _stale(category: str, day: str, today: date) -> bool:
    """Past its category's lifetime: it stays on disk and can be found, but no session starts with it."""
    lifetime = CATEGORIES.get(category, (None, 0.0))[0]
    try:
        age = (today - date.fromisoformat(day)).days
    except ValueError:
        return False
    return lifetime is not None and age > lifetime
