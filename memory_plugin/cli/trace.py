"""The history of a fact: what was believed when, what replaced it and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime

import click

from memory_plugin.cli.naming import fact_argument, named_elsewhere, namespaces, nothing_fits, only, where
from memory_plugin.cli.shared import json_option, memory_home, print_json, project_option
from memory_plugin.memory import amendments, naming
from memory_plugin.memory.events import Event
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Entry, Ledger

_MIRRORED = frozenset(("supersedes", "contradicts"))  # relations whose other side has an event of its own


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened to a fact: day YYYY-MM-DD, time HH:MM (local), what, its words then, and why."""

    day: str
    time: str
    event: str
    said: str
    text: str
    source: str
    how: str
    by: str


@dataclass(frozen=True, slots=True)
class Traced:
    """A fact of a history. state: how it stands; since, until: the days it was believed; place: `path#Lline` or "".

    stands_on: what a pattern was concluded from, `id: text` each.
    """

    id: str
    text: str
    category: str
    state: str
    since: str
    until: str
    place: str
    steps: tuple[Step, ...]
    stands_on: tuple[str, ...] = ()


def history(home: str, wanted: str, names: list[str], project: str | None = None) -> list[Traced]:
    """The fact that a person means with all that it replaced and that replaced it, the oldest first.

    Facts that were taken back are among them; of one that was purged only that it was. Raises ClickException when
    none fits, or several of different histories.
    """
    entries = {identity: entry for (name, identity), entry in Ledger(home).refresh().entries.items() if name in names}
    stands = {each.fact.id: each for each in reversed(list(amendments.held_in(home, names)))}
    gone = {each.fact.id: each for each in amendments.taken_back_in(home, names)}
    known = {**gone, **stands}
    facts = {**{identity: entry.fact for identity, entry in entries.items()}, **{i: h.fact for i, h in known.items()}}
    found = [each.fact.id for each in naming.fitting(known.values(), wanted)]
    if not found and (purged := entries.get(wanted.strip().lower())) and purged.purged:
        found = [purged.fact.id or wanted.strip().lower()]
    if not found and (held := named_elsewhere(wanted, project)):
        found = [held.fact.id]
    if not found:
        raise nothing_fits(wanted)
    chain = _chain(found[0], facts, entries)
    if not chain.issuperset(found):
        chain = _chain(only([known[each] for each in found]).fact.id, facts, entries)
    traced = [_traced(identity, stands.get(identity), gone, entries) for identity in chain]
    traced = [
        replace(each, stands_on=tuple(f"{id_}: {facts[id_].text}" for id_ in facts[each.id].supports if id_ in facts))
        for each in traced
    ]
    return sorted(traced, key=lambda each: (each.since, each.until or "9", each.id))


def _chain(start: str, facts: Mapping[str, Fact], entries: Mapping[str, Entry]) -> set[str]:
    """The ids of all facts that one reaches by what replaced, repeated, contradicted or closed it, either way."""
    near: dict[str, set[str]] = {}
    for one, other in _links(facts, entries):
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    found, waiting = {start}, [start]
    while waiting:
        new = near.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return {each for each in found if each in facts}


def _links(facts: Mapping[str, Fact], entries: Mapping[str, Entry]) -> Iterator[tuple[str, str]]:
    for identity, fact in facts.items():
        for other in (fact.by, *fact.supersedes, *fact.contradicts):
            if other:
                yield identity, other
    for identity, entry in entries.items():
        for each in entry.history:
            if each.get("event") in ("superseded", "contradicted", "archived", "retracted") and each.get("by"):
                yield identity, str(each["by"])


def _traced(identity: str, held: Held | None, gone: Mapping[str, Held], entries: Mapping[str, Entry]) -> Traced:
    entry = entries.get(identity)
    known = held or gone.get(identity) or (entry and Held(entry.fact, "", "", 0)) or _unknown(identity)
    fact = known.fact
    steps = list(_steps(fact, entry))
    if held is None:
        state = "purged" if entry and entry.purged else "taken back"
        until = next((each.day for each in reversed(steps) if each.event in ("retracted", "purged")), "")
        place = where(gone[identity]) if identity in gone and gone[identity].line else ""
    else:
        state, until, place = _state(fact), fact.until, where(held)
    return Traced(identity, known.words, fact.category, state, fact.day, until, place, tuple(steps))


def _unknown(identity: str) -> Held:
    return Held(Fact(identity, "", "project", "is", "project", "-", 0.6, 0.7, "", "", ""), "", "", 0)


def _state(fact: Fact) -> str:
    by = f" by {fact.by}" if fact.by else ""
    match fact.status, fact.reason:
        case "active", _:
            return "still to be done" if fact.category == "goal" else "holds"
        case "superseded", _:
            return f"replaced{by}"
        case "contradicted", _:
            return f"contradicted{by}"
        case _, "repeat":
            return f"says the same as {fact.by or 'another'}"
        case _, reason:
            return f"{reason or 'archived'}{by}"


def _steps(fact: Fact, entry: Entry | None) -> Iterator[Step]:
    """What happened to a fact by the events, else by its line."""
    happened = sorted(map(_step, _told(entry.history if entry else ())), key=lambda each: (each.day, each.time))
    if not any(each.event in ("captured", "purged") for each in happened):
        yield Step(fact.day, fact.at, "captured", "first said", fact.text, fact.source, "", "")
    yield from happened
    if fact.status != "active" and not any(each.event == fact.status for each in happened):
        yield Step(fact.until, "", fact.status, _state(fact), "", "", "", fact.by)


def _told(found: Iterable[Event]) -> Iterator[Event]:
    """The events that tell a person something, each once."""
    before: tuple[object, ...] = ()
    for each in found:
        mirrored = each.get("event") == "related" and each.get("relation") in _MIRRORED
        same = tuple(each.get(name) for name in ("event", "by", "text", "until", "other", "session", "support"))
        if each.get("event") not in ("heard", "reconciled") and not mirrored and same != before:
            yield each
        before = same


def _step(each: Event) -> Step:
    kind = str(each.get("event"))
    day, time = (str(each.get("day", "")), str(each.get("time", ""))) if kind == "captured" else _moment(each)
    return Step(
        day=day,
        time=time,
        event=kind,
        said=_said(each, kind),
        text=str(each.get("text", "")),
        source=str(each.get("source") or each.get("session") or ""),
        how=str(each.get("how", "")),
        by=str(each.get("by") or each.get("other") or ""),
    )


def _moment(each: Event) -> tuple[str, str]:
    """The local day and time of an event."""
    try:
        local = datetime.fromisoformat(str(each.get("at")).replace("Z", "+00:00")).astimezone()
    except (ValueError, OverflowError, OSError):
        return str(each.get("day", "")), ""
    return str(each.get("day") or f"{local:%Y-%m-%d}"), f"{local:%H:%M}"


def _said(each: Event, kind: str) -> str:
    """What an event says, as a person would."""
    by, other = each.get("by") or "another", each.get("other") or "another"
    match kind:
        case "captured":
            return "first said"
        case "confirmed":
            return f"said again ({each.get('support', 2)} times in all)"
        case "superseded":
            return f"replaced by {by}"
        case "contradicted":
            return f"contradicted by {by}"
        case "archived" if each.get("reason") == "repeat":
            return f"found to say the same as {by}"
        case "archived":
            return f"{each.get('reason') or 'archived'}{f' by {by}' if each.get('by') else ''}"
        case "reopened":
            return "holds again, or is open again"
        case "corrected":
            return "corrected"
        case "retracted":
            return "taken back"
        case "restored":
            return "stands again"
        case "promoted":
            return f"moved to {each.get('file', 'a topic file')}"
        case "related":
            return f"{each.get('relation', 'related')} {other}"
        case "undone":
            return f"parted from {other}, for good"
        case "used":
            return "proved useful in other conversations"
    return kind


@click.command()
@fact_argument
@project_option
@json_option
def trace(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Show what was believed when, and why not.

    The history of a fact with all that it replaced and that replaced it, also of one that was taken back.

    \b
    Examples:
      memory-plugin trace the staging port
      memory-plugin trace 7k2m9qab --json
    """
    found = history(memory_home(), " ".join(fact), namespaces(project), project)
    if as_json:
        print_json({"facts": [asdict(each) for each in found]})
        return
    click.echo("\n\n".join(map(told, found)))


def told(traced: Traced) -> str:
    """A fact's history for a person."""
    believed = (
        f"{traced.since or 'some day'} – {traced.until}" if traced.until else f"since {traced.since or 'some day'}"
    )
    head = f"{traced.id}  {traced.text or '(its words are gone)'}"
    lines = [head, f"          {traced.category}, {traced.state}; believed {believed}"]
    if traced.place:
        lines.append(f"          {traced.place}")
    if traced.stands_on:
        lines += ["  stands on", *(f"    {each}" for each in traced.stands_on)]
    return "\n".join([*lines, *(f"  {_told_step(each)}" for each in traced.steps)])


def _told_step(step: Step) -> str:
    source = f" (session {step.source.split('#')[0]})" if "#" in step.source else ""
    source = source or (f" ({step.source})" if step.source else "")
    words = f": “{step.text}”" if step.text else ""
    why = f" – {step.how}" if step.how else ""
    return f"{step.day or '          '} {step.time or '     '}  {step.said}{words}{source}{why}"
