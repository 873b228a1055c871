"""The fact that a command is about: looked up as a person names it, in the project's memory and the global one."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import click

from memory_plugin.cli.shared import memory_home, namespace
from memory_plugin.memory import amendments, clock, excerpt, journal, naming, places, pointers
from memory_plugin.memory.fact import LONGEST_TEXT
from memory_plugin.memory.journal import Held
from memory_plugin.service import client

Command = TypeVar("Command", bound=Callable[..., Any])
_MOST_LISTED = 12
_NOTE_ID = re.compile(r"(?=[a-z]*[0-9])[0-9a-z]{8,12}")  # eight characters for a fact, twelve for other text
_TALK = ("episode", "exchange")
_LOOK_SECONDS = 5.0
_SYNC_SECONDS = 10.0


class SeveralFit(click.ClickException):
    """Several facts fit what was given: nothing is done."""

    exit_code = 2


def fact_argument(command: Command) -> Command:
    """Adds FACT: an id, the beginning of one, or words."""
    return click.argument("fact", nargs=-1, required=True)(command)


def namespaces(project: str | None) -> list[str]:
    """Where facts are looked for: the project's namespace, then `global`."""
    return [namespace(project).name, places.GLOBAL_NAMESPACE]


def standing(wanted: str, project: str | None) -> Held:
    """The fact that stands and is meant: the only one that fits, or the only active one.

    Raises ClickException when none fits, with what to do; SeveralFit with the list.
    """
    home, names = memory_home(), namespaces(project)
    found = amendments.find(home, wanted, names)
    if not found:
        if held := named_elsewhere(wanted, project):
            return held
        if gone := amendments.find_taken_back(home, wanted, names):
            raise click.ClickException(
                f"it was taken back: {gone[0].words}\n`memory-plugin restore {gone[0].fact.id}` lets it stand again"
            )
        raise nothing_fits(wanted)
    return only(found)


def named_elsewhere(wanted: str, project: str | None) -> Held | None:
    """The fact whose text, too long for one note, was cut into several, one of which is named by its id.

    None where the index knows no such note, or can't be asked since the service does not run. Raises ClickException for
    a note that no command changes, with where it stands.
    """
    wanted = wanted.strip().lower()
    if not _NOTE_ID.fullmatch(wanted):
        return None
    try:
        answer = client.call("/note", {"id": wanted, "project": namespace(project).root}, timeout=_LOOK_SECONDS)
    except client.ServiceError:
        return None
    if len(answer["notes"]) != 1:
        return None
    (note,) = answer["notes"]
    home, names, path = memory_home(), namespaces(project), str(note["path"])
    around = [each for each in amendments.held_in(home, names) if _is_around(each, path, int(note["line"]))]
    if around:
        return around[-1]
    files = (file for name in names for file in journal.fact_files(os.path.join(home, name)))
    if note["kind"] == "fact" and any(map(partial(_is_same, path), files)):  # it was taken back just now
        return None
    place = f"{path}#L{note['line']}"
    if note["kind"] in _TALK:
        raise click.ClickException(f"{note['id']} is what was said in a conversation, no fact; it stands in {place}")
    raise click.ClickException(
        f"{note['id']} is a note of your own, which no command changes: change it where it stands, {place}\n"
        "(commands change the facts in the logs, one a day, and in topics/)"
    )


def _is_around(held: Held, path: str, line: int) -> bool:
    """Whether a line of a file is one of a fact's list item."""
    if held.line > line or not _is_same(path, held.path):
        return False
    return line - 1 <= journal.item_end(journal.text_of(held.path).split("\n"), held.line - 1)


def _is_same(path: str, other: str) -> bool:
    return os.path.basename(path) == os.path.basename(other) and os.path.realpath(path) == os.path.realpath(other)


def nothing_fits(wanted: str) -> click.ClickException:
    """Says that no fact is meant, and how one is named."""
    return click.ClickException(
        f"no fact of this project or the global memory fits “{wanted}”; name it by its id or some of its words"
        " (`memory-plugin search` shows what there is)"
    )


def only(found: Sequence[Held]) -> Held:
    """The one fact that is meant among those that fit. Raises SeveralFit."""
    active = [each for each in found if each.fact.status == "active"]
    if len(found) == 1 or len(active) == 1:
        return (active or found)[0]
    raise SeveralFit("several facts fit; name one by its id, or by more of its words:\n" + listed(found))


def listed(found: Sequence[Held]) -> str:
    """Facts one a line: id, day, kind, text, and whether it holds everywhere."""
    lines = [
        f"  {each.fact.id}  {each.fact.day}  {each.fact.category}: {excerpt.beginning(each.words, LONGEST_TEXT)}"
        + (f"  ({each.fact.status})" if each.fact.status != "active" else "")
        + ("  (of every project)" if each.namespace == places.GLOBAL_NAMESPACE else "")
        for each in found[:_MOST_LISTED]
    ]
    return "\n".join([*lines, *([f"  and {len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else [])])


def replaced_by(held: Held, project: str | None) -> list[Held]:
    """What a fact has replaced or contradicted: it does not hold again when that fact goes."""
    standing = amendments.held_in(memory_home(), namespaces(project))
    found = {each.fact.id: each for each in standing if each.fact.by == held.fact.id}
    return [each for each in found.values() if each.fact.status in ("superseded", "contradicted")]


def told_replaced(replaced: Sequence[Held]) -> list[str]:
    """What a person whose fact is gone may want back, and how."""
    told = [f"  {each.words}\n  `memory-plugin undo {each.fact.id}` lets it hold again" for each in replaced]
    return ["What it had replaced does not hold again:", *told] if told else []


def fitting(held: Sequence[Held], wanted: str) -> list[Held]:
    """Those of some facts that a person means."""
    return naming.fitting(held, wanted)


def where(held: Held) -> str:
    """The place of a fact's line, as an editor opens it."""
    return f"{held.path}#L{held.line}"


@contextlib.contextmanager
def amending(held: Held) -> Iterator[str]:
    """Around what changes a fact: gives the home; MEMORY.md and, where the service runs, recall follow at once.

    Raises ClickException for what the home refuses.
    """
    home = memory_home()
    try:
        yield home
        with journal.locked(home):
            pointers.rebuild(os.path.join(home, held.namespace), held.namespace, clock.today())
    except LookupError as error:
        raise click.ClickException(f"{error.args[0]}; somebody has just changed it: try again") from error
    except OSError as error:
        raise click.ClickException(f"the memory home cannot be written: {error}") from error
    tell_service()


def tell_service() -> bool:
    """Have the service, if it runs, look at the files now; whether it did."""
    try:
        client.call("/sync", {}, timeout=_SYNC_SECONDS)
    except client.ServiceError:
        return False
    return True
