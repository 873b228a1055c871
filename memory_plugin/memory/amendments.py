"""What people, the review and the reconciliation do to a fact that stands: each in its line first, then as an event.

Nothing is deleted but by `purge`: a fact that is no longer believed keeps its line, with the reason in its comment, and
one that a person takes back is struck through. Every function takes the home's lock, finds the line again under it,
and raises OSError when the home cannot be written, LookupError when the fact stands nowhere any more.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from memory_plugin.memory import clock, events, journal, naming, places
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import (
    CATEGORIES,
    RELATIONS,
    Fact,
    clean,
    fact_id,
    line_id,
    parse_line,
    restate,
    slug,
    strike,
    strike_below,
    unstrike,
    unstrike_below,
)
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Entry, Key, Ledger
from memory_plugin.memory.log import log
from memory_plugin.memory.redaction import redact

CONFIRMATION = 0.05
MOST_CONFIDENCE = 0.99


def find(home: str, wanted: str, namespaces: Collection[str]) -> list[Held]:
    """The facts that a person means: by id, by the beginning of one, else by words (see `naming`).

    Active ones come before the others; those that were taken back are not among them.
    """
    return naming.fitting(held_in(home, namespaces), wanted)


def held_in(home: str, namespaces: Collection[str]) -> Iterator[Held]:
    """The facts that stand in some namespaces."""
    for namespace in namespaces:
        yield from journal.all_held(os.path.join(home, namespace))


def find_taken_back(home: str, wanted: str, namespaces: Collection[str]) -> list[Held]:
    """The facts that a person means among those that were struck through or deleted and can be restored.

    A deleted one has line 0, in the log of its day.
    """
    return naming.fitting(taken_back_in(home, namespaces), wanted)


def taken_back_in(home: str, namespaces: Collection[str]) -> Iterator[Held]:
    """The facts of some namespaces that were struck through or deleted; a deleted one has line 0."""
    for namespace in namespaces:
        yield from _taken_back(home, namespace)


def _taken_back(home: str, namespace: str) -> Iterator[Held]:
    folder = os.path.join(home, namespace)
    struck, here, whole = list[Held](), set[str](), True
    for path in journal.fact_files(folder):
        try:
            lines = list(journal.read_lines(path, namespace))
        except OSError as error:
            log(f"passed by: {error}")
            whole = False
            continue
        for line in lines:
            if line.struck and line.is_fact:
                struck.append(Held(line.fact, namespace, path, line.number, line.more))
            elif line.is_fact:
                here.add(line.fact.id)
    struck = [each for each in struck if each.fact.id not in here]
    yield from struck
    if not whole:  # what is nowhere else may stand there
        return
    here.update(each.fact.id for each in struck)
    for (name, identity), entry in Ledger(home).refresh().entries.items():
        if name == namespace and identity not in here and not entry.purged and entry.fact.text:
            yield Held(entry.fact, namespace, journal.day_file(folder, entry.fact.day or _today()), 0)


def confirm(home: str, held: Held, *, seen: str, how: str, session: str = "", carried: Fact | None = None) -> Fact:
    """The fact was said once more: surer by CONFIRMATION, and one more support.

    `carried` is a fact whose place it takes because it says the same and more: its confidence and support go over.
    """

    def surer(fact: Fact) -> Fact:
        before = max(fact.confidence, carried.confidence if carried else 0.0)
        confidence = round(min(before + CONFIRMATION, max(MOST_CONFIDENCE, before)), 2)
        latest = max(seen, fact.last_seen)
        support = fact.support + (carried.support if carried else 1)
        return replace(fact, confidence=confidence, support=support, seen=latest if latest != fact.day else fact.seen)

    def said(fact: Fact) -> Event:
        return _event(
            held,
            "confirmed",
            confidence=fact.confidence,
            support=fact.support,
            seen=fact.seen,
            session=session,
            how=how,
        )

    return _amend(home, held, surer, said)


def replaced(
    home: str, old: Held, new: Held, *, relation: str, how: str, until: str = "", by_hand: bool = False
) -> None:
    """`new` has taken the place of `old` (relation "supersedes"), or says the contrary ("contradicts").

    `by_hand`: the line of `new` is the user's own, and stays as it is.
    """
    until = until or new.fact.day or _today()
    status = "superseded" if relation == "supersedes" else "contradicted"
    if not by_hand:
        relate(home, new, relation, old.fact.id, how)
    _amend(home, old, lambda fact: replace(fact, status=status, until=until, by=new.fact.id, reason=""),
           lambda _: _event(old, status, until=until, by=new.fact.id, how=how))  # fmt: skip


def relate(home: str, held: Held, relation: str, other: str, how: str) -> Fact:
    """The fact stands in a relation (one of fact.RELATIONS) to another one, by its id."""
    return _amend(home, held, lambda fact: _with_relation(fact, relation, other),
                  lambda _: _event(held, "related", relation=relation, other=other, how=how))  # fmt: skip


def archive(home: str, held: Held, reason: str, *, how: str, until: str = "", by: str = "") -> Fact:
    """The fact is done, dropped, or repeats another (one of fact.ARCHIVED_FOR)."""
    until = until or _today()
    return _amend(home, held, lambda fact: replace(fact, status="archived", reason=reason, until=until, by=by),
                  lambda _: _event(held, "archived", reason=reason, until=until, by=by, how=how))  # fmt: skip


def reopen(home: str, held: Held, *, how: str, seen: str = "") -> Fact:
    """What was done, dropped or replaced holds again."""

    def again(fact: Fact) -> Fact:
        return replace(fact, status="active", reason="", until="", by="", seen=seen or fact.seen)

    return _amend(home, held, again, lambda _: _event(held, "reopened", how=how, seen=seen))


def correct(home: str, held: Held, text: str, *, how: str = "by command") -> Fact:
    """The fact says something else from now on; its new words are not captured as another fact.

    Where it is all that a list item says, they take the place of the whole item; what a person wrote below a line of
    ours stays.
    """
    text, whole = clean(text), journal.is_whole_item(held)

    def corrected(fact: Fact) -> Fact:
        return replace(fact, text=text, object=slug(text))

    def said(fact: Fact) -> Event:
        before = replace(held.fact, text=redact(held.words)) if whole else held.fact
        return correction(before, fact, held.namespace, how)

    return _amend(home, held, corrected, said, _gone if whole else _as_it_is)


def correction(before: Fact, after: Fact, namespace: str, how: str) -> Event:
    """The event of other words for a fact."""
    alias = fact_id(namespace, after.text)
    category = after.category if after.category != before.category else ""
    words = {"text": after.text, "before": before.text, "alias": alias, "object": after.object}
    return events.event("corrected", namespace, before.id, **words, category=category, how=how)


def recast(home: str, held: Held, *, category: str = "", severity: str = "", how: str = "by command") -> Fact:
    """The fact is of another kind, or weighs otherwise, than it was taken for; "" leaves either as it is."""

    def otherwise(fact: Fact) -> Fact:
        kind = category or fact.category
        weight = fact.importance if kind == fact.category else CATEGORIES[kind][1]
        severe = severity or (fact.severity if kind == fact.category else "")
        return replace(fact, category=kind, importance=weight, severity=severe)

    def said(fact: Fact) -> Event:
        what = _event(held, "corrected", text=fact.text, category=fact.category, importance=fact.importance, how=how)
        return {**what, "severity": fact.severity}

    return _amend(home, held, otherwise, said)


def conclude(home: str, namespace: str, topic: str, fact: Fact, *, how: str) -> None:
    """Write a fact that nobody said, but that follows from others, into a topic file. It needs no reconciliation."""
    with journal.locked(home):
        journal.add_to_topic(os.path.join(home, namespace), topic, fact)
        captured = {**events.captured(fact, namespace, "", ""), "how": how}
        events.append(home, [captured, events.event("reconciled", namespace, "", ids=[fact.id])])


def revise(home: str, held: Held, after: Fact, *, how: str) -> Fact:
    """What follows from others follows otherwise now: its words, how sure it is, and the facts that it stands on."""

    def revised(fact: Fact) -> Fact:
        return replace(
            fact,
            text=after.text,
            confidence=after.confidence,
            support=after.support,
            seen=after.seen,
            supports=after.supports,
        )

    def said(fact: Fact) -> Event:
        values = {"confidence": fact.confidence, "support": fact.support, "seen": fact.seen, "supports": fact.supports}
        return {**correction(held.fact, fact, held.namespace, how), **values}

    return _amend(home, held, revised, said)


def retract(home: str, held: Held, *, how: str = "by command") -> None:
    """Take the fact back: its line is struck through, and its words are not captured again."""
    with journal.locked(home):
        _edit(_found(held), lambda line, _: strike(line), strike_below, by_hand=True)
        events.append(home, [_event(held, "retracted", how=how)])


def restore(home: str, held: Held, *, how: str = "by command") -> None:
    """Let a fact stand again that was struck through, or deleted: that one comes back to the log of its day."""
    with journal.locked(home):
        try:
            _edit(_found(held), lambda line, _: unstrike(line), unstrike_below, by_hand=True)
        except LookupError:
            folder, day = os.path.join(home, held.namespace), held.fact.day or _today()
            journal.append_facts(folder, day, [held.fact], f"{clock.now():%H:%M} restored", again=True)
        events.append(home, [_event(held, "restored", how=how)])


def pin(home: str, held: Held, *, pinned: bool) -> Fact:
    """A pinned fact stays in MEMORY.md and in the briefing, however old."""
    return _amend(home, held, lambda fact: replace(fact, pinned=pinned),
                  lambda _: _event(held, "pinned" if pinned else "unpinned"))  # fmt: skip


def promote(home: str, held: Held, topic: str = "", *, how: str = "by command") -> str:
    """Move the fact from its daily log to a topic file (its category's); the file as a pointer names it."""
    topic = topic or held.fact.category
    file = f"{places.TOPICS_FOLDER}/{topic}.md"
    with journal.locked(home):
        where = _found(held)
        if where.file != file:
            journal.move_to_topic(where, topic)
            events.append(home, [_event(held, "promoted", file=file, how=how)])
    return file


def undo(home: str, held: Held, others: Collection[Held], *, how: str = "by command") -> list[Held]:
    """Take back what a reconciliation did to a fact, whichever side it was on, and keep the two apart from now on.

    `others` are the facts among which its counterparts stand. Returns those that hold again.
    """
    entries = Ledger(home).refresh().entries
    sides = [pair for other in others for pair in ((held, other), (other, held))]
    pairs = {
        (loser.fact.id, winner.fact.id): (loser, winner) for loser, winner in sides if _lost(loser, winner, entries)
    }
    for loser, winner in pairs.values():
        _part(home, loser, winner, entries, how=how)
    return [loser for loser, _ in pairs.values()]


def _lost(loser: Held, winner: Held, entries: Mapping[Key, Entry]) -> bool:
    """Whether one fact made way for the other, by its line or its events, or was parted from it by half: a process that
    was killed in between has left the winner's part undone."""
    lost, won = (entries.get((each.namespace, each.fact.id), Entry(each.fact)) for each in (loser, winner))
    by_half = winner.fact.id in lost.apart and loser.fact.id not in won.apart
    return winner.fact.id in (loser.fact.by, lost.fact.by) or by_half


def _part(home: str, loser: Held, winner: Held, entries: Mapping[Key, Entry], *, how: str) -> None:
    """The loser first: killed in between, the winner keeps what it was given until this is done again, and nothing is
    taken from it twice."""
    made_way, stays = (entries.get((each.namespace, each.fact.id), Entry(each.fact)) for each in (loser, winner))
    other, was_given = loser.fact.id, stays.fact.support
    merged = [each for each in made_way.history if each.get("event") == "archived" and each.get("by") == winner.fact.id]
    reason = loser.fact.reason or (str(merged[-1].get("reason")) if merged else "")
    repeated = reason == "repeat" and other not in stays.apart

    def without(fact: Fact) -> Fact:
        # A line that is below its events has been changed already, by a process that was killed before it said so.
        if repeated and fact.support > loser.fact.support and fact.support >= was_given:
            confidence = round(fact.confidence - CONFIRMATION, 2)
            fact = replace(fact, confidence=confidence, support=fact.support - loser.fact.support)
        left: dict[str, Any] = {
            name: tuple(each for each in getattr(fact, name) if each != other) for name in RELATIONS
        }
        return replace(fact, **left)

    def won(fact: Fact) -> Event:
        values = {"confidence": fact.confidence, "support": fact.support}
        return _event(winner, "undone", other=other, role="winner", how=how, **values)

    def lost(_: Fact) -> Event:
        return _event(loser, "undone", other=winner.fact.id, how=how)

    _amend(home, loser, lambda each: replace(each, status="active", reason="", until="", by=""), lost)
    _amend(home, winner, without, won)


def _as_it_is(line: str) -> str:
    return line


def _gone(_: str) -> None:
    return None


def _amend(
    home: str,
    held: Held,
    change: Callable[[Fact], Fact],
    said: Callable[[Fact], Event],
    below: Callable[[str], str | None] = _as_it_is,
) -> Fact:
    """Change a fact's line, then say so in the events; the fact as it stands now."""
    after: Fact | None = None

    def changed(line: str, dated: bool) -> str:
        nonlocal after
        before = parse_line(line, held.namespace, held.fact.day)
        if before is None:  # struck through
            return line
        after = change(replace(before, id=held.fact.id))
        return restate(line, after, dated=dated)

    with journal.locked(home):
        where = _found(held)
        _edit(where, changed, below)
        if after is None:
            raise LookupError(f"{held.fact.id} is struck through")
        events.append(home, [said(after)])
    return after


def _edit(
    where: Held,
    change: Callable[[str, bool], str | None],
    below: Callable[[str], str | None] = _as_it_is,
    *,
    by_hand: bool = False,
) -> None:
    """Change the fact's line, and first its doubles: in a sync tool's copies, and where a person pasted it.

    `change` is called with a line and whether it says its day itself, `below` with each line that its item goes on in.
    by_hand: also where a person wrote the same words without our comment.
    LookupError when the fact has just gone.
    """
    wanted = where.fact.id
    for path in [*journal.copies(where.folder), *journal.fact_files(where.folder)]:
        with contextlib.suppress(OSError):
            if path != where.path and (by_hand or wanted.encode() in read_bytes(path, journal.LARGEST_FILE)):
                doubled = partial(_change_double, wanted, change, _is_topic(path), by_hand)
                journal.edit_lines(path, where.namespace, {wanted: doubled}, below)
    if wanted not in journal.edit_lines(
        where.path, where.namespace, {wanted: lambda line: change(line, _is_topic(where.path))}, below
    ):
        raise LookupError(f"{wanted} stands nowhere any more")


def _change_double(
    wanted: str, change: Callable[[str, bool], str | None], dated: bool, by_hand: bool, line: str
) -> str | None:
    return change(line, dated) if by_hand or line_id(line) == wanted else line


def _is_topic(path: str) -> bool:
    return os.path.basename(os.path.dirname(path)) == places.TOPICS_FOLDER


def _found(held: Held) -> Held:
    """The fact as it stands now, and where: in the file it was found in, else in another of its namespace."""
    for path in [held.path, *journal.fact_files(held.folder)]:
        with contextlib.suppress(OSError):
            if held.fact.id in journal.ids_in(path, held.namespace):
                standing = dict(journal.read_facts(path, held.namespace)).values()
                now = next((fact for fact in standing if fact.id == held.fact.id), held.fact)
                return replace(held, path=path, fact=now)
    raise LookupError(f"{held.fact.id} stands nowhere any more")


def _with_relation(fact: Fact, relation: str, other: str) -> Fact:
    known = getattr(fact, relation)
    more: dict[str, Any] = {relation: known if other in known else (*known, other)}
    return replace(fact, **more)


def _event(held: Held, kind: str, **details: Any) -> Event:
    return events.event(kind, held.namespace, held.fact.id, **details)


def _today() -> str:
    return f"{clock.today():%Y-%m-%d}"
