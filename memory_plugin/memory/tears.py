"""What a crash, a full disk or a sync tool tore: fact files that end in the middle of a line, events that are no JSON.

We write such files whole or not at all; others do not. The events hold every fact that was captured, with its words, so
what a torn file has lost is put back from them. A file that was cut exactly at the end of a line looks like one whose
last lines were deleted, and is taken for that.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from memory_plugin.memory import events, journal
from memory_plugin.memory.fact import Fact, line_id
from memory_plugin.memory.files import read_bytes, write_whole
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.places import TOPICS_FOLDER

HAND = "hand"  # the source of a fact that somebody wrote into a file
_HEADING = re.compile(r"##?( ([0-9][0-9:-]{0,9}( .*)?)?)?")  # "# 2026-11-30", "## 14:32 session end", cut anywhere


@dataclass(frozen=True, slots=True)
class Tear:
    """A fact file that was torn. line: what is left of its last line; lost: the facts that are to be put back there."""

    path: str
    namespace: str
    line: str
    lost: tuple[Fact, ...]


def last_line(content: bytes) -> str:
    """What stands behind the last line break; "" in a file that ends as ours do."""
    return content[content.rfind(b"\n") + 1 :].decode("utf-8", errors="ignore")


def is_torn(line: str, missing: Collection[Fact]) -> bool:
    """Whether a last line without its break is what is left of a heading of ours, or of a line of these facts.

    missing: the facts that were captured and that no other line of the files holds. A person's own line has no comment
    of ours to be cut.
    """
    if not line or line_id(line) or line.rstrip().endswith("-->"):
        return False
    if missing and _HEADING.fullmatch(line):
        return True
    heads = [f"- **{fact.category}** {fact.text}" for fact in missing if fact.source != HAND]
    return any(
        head.startswith(line) or (line.startswith(f"{head} ") and _is_comment(line[len(head) :])) for head in heads
    )


def _is_comment(rest: str) -> bool:
    """Whether this begins as our comment does."""
    rest = rest.strip()
    return "<!-- m:".startswith(rest) or rest.startswith("<!-- m:")


def tears(home: str) -> list[Tear]:
    """The fact files of a home that were torn, each with what it has lost. OSError when the home cannot be read."""
    found, of_namespace = list[Tear](), dict[str, dict[str, Fact]]()
    for (namespace, identity), entry in Ledger(home).refresh().entries.items():
        if entry.fact.text and not entry.retracted and not entry.purged:
            of_namespace.setdefault(namespace, {})[identity] = entry.fact
    for namespace, facts in of_namespace.items():
        folder = os.path.join(home, namespace)
        files = journal.fact_files(folder)
        stand = set[str]().union(*(_ids_in(path, namespace) for path in files))
        missing = {identity: fact for identity, fact in facts.items() if identity not in stand}
        for path in files if missing else ():
            line = last_line(read_bytes(path, journal.LARGEST_FILE))
            if is_torn(line, list(missing.values())):
                lost = [fact for fact in missing.values() if _stood_in(path, fact)]
                found.append(Tear(path, namespace, line, tuple(sorted(lost, key=lambda fact: (fact.day, fact.at)))))
    return found


def _ids_in(path: str, namespace: str) -> set[str]:
    """The ids of the facts whose lines stand whole in a file."""
    lines = journal.text_of(path).split("\n")
    return journal.ids_of(lines if line_id(lines[-1]) else lines[:-1], namespace)


def _stood_in(path: str, fact: Fact) -> bool:
    name = os.path.basename(path)[:-3]
    is_topic = os.path.basename(os.path.dirname(path)) == TOPICS_FOLDER
    return fact.category == name if is_topic else fact.day == name


def mend(home: str, now: str) -> list[str]:
    """Put back what torn files have lost, and take torn lines out of the events; a sentence for each file.

    now: the time of day, for the heading. OSError when the home cannot be read or written.
    """
    if not os.path.isdir(home):
        return []
    done = list[str]()
    with journal.locked(home):
        for path, lines in torn_events(home):
            before = read_bytes(path)
            whole = [line for line in before.split(b"\n") if line.strip() and _is_event(line)]
            write_whole(path, b"".join(line + b"\n" for line in whole), expected=before)
            done.append(f"{path}: took out {lines} torn line{'s' * (lines > 1)}")
        return done + put_back(home, now)


def put_back(home: str, now: str) -> list[str]:
    """Write into torn files again what they have lost; a sentence for each. The caller holds the home's lock."""
    done = list[str]()
    for tear in tears(home):
        _put_back(home, tear, now)
        done.append(f"{tear.path}: put back {len(tear.lost)} fact{'s' * (len(tear.lost) != 1)} of its torn end")
    return done


def _put_back(home: str, tear: Tear, now: str) -> None:
    def without_rest(content: bytes) -> bytes:
        return content[: content.rfind(b"\n") + 1] if last_line(content) == tear.line else content

    journal.edit(tear.path, without_rest)
    folder = os.path.join(home, tear.namespace)
    if os.path.basename(os.path.dirname(tear.path)) == TOPICS_FOLDER:
        for fact in tear.lost:
            journal.add_to_topic(folder, os.path.basename(tear.path)[:-3], fact)
    else:
        journal.append_facts(folder, os.path.basename(tear.path)[:-3], tear.lost, f"{now} put back", again=True)


def torn_events(home: str) -> Iterator[tuple[str, int]]:
    """The files of events that hold lines which are none, and how many."""
    for path in events.paths(home):
        torn = sum(not _is_event(line) for line in read_bytes(path).split(b"\n") if line.strip())
        if torn:
            yield path, torn


def _is_event(line: bytes) -> bool:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict)
