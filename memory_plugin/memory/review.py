"""The review: facts that proved themselves move to their topic's file, MEMORY.md is brought up to date, and once a week
what several weeks say alike becomes a line of the worldview.

`plan` looks and changes nothing, `apply` does what a plan says. The same facts give the same plan, and a plan that was
applied leaves nothing to do.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from memory_plugin.memory import amendments, events, journal, patterns, pointers
from memory_plugin.memory.fact import CATEGORIES, Fact
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Entry, Ledger
from memory_plugin.memory.log import log
from memory_plugin.memory.patterns import FEWEST_CONVERSATIONS, FEWEST_FACTS, is_pattern
from memory_plugin.memory.places import MEMORY_FILE, TOPICS_FOLDER
from memory_plugin.memory.pointers import WORLDVIEW

PROVED_BY_SUPPORT = 2  # times that a fact was said
PROVED_BY_USE = 2  # conversations in which it answered a prompt
BY = "review"  # how the events name who did it
Used = Mapping[str, Collection[str]]  # by a fact's id: those conversations


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, in the words of a person: what ("moved to topics/decision.md") and why ("said 3 times").

    kind: promote | arrange | leave | pointers | conclude | revise | archive; a step `leave` says what the step
    `pointers` of its namespace takes out of MEMORY.md. text is what the fact says, "" for a step about a file. held is
    the fact as it stands (of `arrange`, any of its file), after the fact to write, file the topic file it moves to,
    sessions those that used it.
    """

    kind: str
    namespace: str
    what: str
    why: str
    text: str = ""
    held: Held | None = None
    after: Fact | None = None
    file: str = ""
    sessions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}: {self.why}" + (f" — {self.text}" if self.text else "")


def plan(
    home: str, namespaces: Iterable[str], ledger: Ledger, today: date, *, used: Used | None = None, weekly: bool = False
) -> list[Step]:
    """What the review of some namespaces has to do; with `weekly`, of their worldview too.

    The ledger is as fresh as its last refresh; `used` is what injected.used() gives. OSError when a file cannot be
    read.
    """
    steps = list[Step]()
    for namespace in namespaces:
        held = list(journal.all_held(os.path.join(home, namespace)))
        promoted = list(_promoted(held, used or {}))
        steps += [*promoted, *_arranged(held), *_pointed(home, namespace, held, promoted, today)]
        if weekly:
            known = {identity: each for (name, identity), each in ledger.entries.items() if name == namespace}
            steps += _worldview(namespace, held, known, today)
    return steps


def apply(home: str, steps: Iterable[Step], today: date) -> None:
    """Do what a plan says; what a hand took away in the meantime is passed by. OSError when the home cannot be
    written; what was done by then is done whole."""
    for step in steps:
        with contextlib.suppress(LookupError):
            _apply(home, step, today)


def _apply(home: str, step: Step, today: date) -> None:
    folder, how = os.path.join(home, step.namespace), f"{BY}: {step.why}"
    match step:
        case Step(kind="promote", held=Held() as held, after=Fact() as after):
            if step.sessions:
                with journal.locked(home):
                    used = events.event("used", step.namespace, after.id, sessions=step.sessions)
                    events.append(home, [used])
            amendments.promote(home, held, os.path.basename(step.file)[: -len(".md")], how=how)
        case Step(kind="arrange", held=Held() as held):
            _arrange(home, held)
        case Step(kind="pointers"):
            with journal.locked(home):
                pointers.rebuild(folder, step.namespace, today)
        case Step(kind="conclude", after=Fact() as after):
            amendments.conclude(home, step.namespace, WORLDVIEW, after, how=how)
        case Step(kind="revise", held=Held() as held, after=Fact() as after):
            if held.fact.status != "active":
                amendments.reopen(home, held, how=how)
            amendments.revise(home, held, after, how=how)
            _arrange(home, held)
        case Step(kind="archive", held=Held() as held):
            amendments.archive(home, held, "dropped", how=how)
            _arrange(home, held)


def _arrange(home: str, held: Held) -> None:
    with journal.locked(home):
        journal.arrange(held.path, held.namespace)


def _promoted(held: Iterable[Held], used: Used) -> Iterator[Step]:
    """The facts of daily logs that belong into a topic file: proved, or there already by a move that was cut short."""
    topics = dict[str, str]()
    for each in held:
        fact, in_topic = each.fact, each.file.startswith(TOPICS_FOLDER)
        if fact.status != "active" or not (fact.source or fact.pinned):  # a line that the user wrote stays his
            continue
        if in_topic:
            topics.setdefault(fact.id, each.file)
            continue
        why = "it stands there already" if fact.id in topics else _proof(fact, used)
        if why:
            file = topics.setdefault(fact.id, f"{TOPICS_FOLDER}/{fact.category}.md")
            sessions = tuple(sorted(used.get(fact.id, ()))) if why.startswith("used") else ()
            yield Step("promote", each.namespace, f"moved to {file}", why, fact.text, each, fact, file, sessions)


def _proof(fact: Fact, used: Used) -> str:
    """By what a fact has proved itself; "" when by nothing yet."""
    conversations = len(used.get(fact.id, ()))
    if fact.pinned:
        return "pinned"
    if fact.support >= PROVED_BY_SUPPORT:
        return f"said {fact.support} times"
    return f"used in {conversations} conversations" if conversations >= PROVED_BY_USE else ""


def _arranged(held: Iterable[Held]) -> Iterator[Step]:
    """The topic files in which what holds and what held stand in each other's place."""
    for path, each in {each.path: each for each in held if each.file.startswith(TOPICS_FOLDER)}.items():
        content = read_bytes(path)
        if journal.arranged(content, each.namespace) != content:
            why = "what holds no longer stands below “Earlier”"
            yield Step("arrange", each.namespace, f"{each.file} put in order", why, held=each)


def _pointed(home: str, namespace: str, held: Iterable[Held], promoted: Iterable[Step], today: date) -> Iterator[Step]:
    """What changes in MEMORY.md, with the reason why each pointer leaves it."""
    folder = os.path.join(home, namespace)
    moved = {step.held: step.file for step in promoted if step.held}
    held = [replace(each, path=os.path.join(folder, moved[each])) if each in moved else each for each in held]
    try:
        before = read_bytes(os.path.join(folder, MEMORY_FILE))
    except OSError as error:  # the facts are moved and concluded all the same
        log(f"{namespace}: {MEMORY_FILE} not reviewed: {error}")
        return
    after = pointers.rebuilt(before, held, namespace, today)
    if after == before:
        return
    facts = {each.fact.id: each.fact for each in held}
    old = {pointer.id: pointer for pointer in pointers.parsed(before)}
    new = {pointer.id for pointer in pointers.parsed(after)}
    for pointer in (old[identity] for identity in old if identity not in new):
        why = _why_it_leaves(facts.get(pointer.id), today)
        yield Step("leave", namespace, f"taken out of {MEMORY_FILE}", why, pointer.text)
    more = len(new - old.keys())
    why = f"{more} more to point to" if more else "its words, places and order are those of the facts"
    yield Step("pointers", namespace, f"{MEMORY_FILE} brought up to date", why)


def _why_it_leaves(fact: Fact | None, today: date) -> str:
    if fact is None:
        return "it stands nowhere any more"
    if fact.status != "active":
        since = f" since {fact.until}" if fact.until else ""
        return f"{fact.reason or fact.status}{since}{f', by {fact.by}' if fact.by else ''}"
    if pointers.is_stale(fact, today):
        return f"not said since {fact.last_seen}; a {fact.category} is fresh for {CATEGORIES[fact.category][0]} days"
    return "others are worth more" if pointers.is_listed(fact, today) else "of little weight"


def _worldview(namespace: str, held: Collection[Held], known: Mapping[str, Entry], today: date) -> Iterator[Step]:
    """What the weeks say alike now; what was concluded before and stands on too little by now."""
    concluded = {each.fact.id: each for each in held if is_pattern(each.fact)}
    said = {each.fact.id: each.fact for each in held if not is_pattern(each.fact)}
    taken_back = [each.fact for each in known.values() if is_pattern(each.fact) and each.fact.id not in concluded]
    sessions = {identity: entry.sessions for identity, entry in known.items()}
    for pattern in patterns.find(said.values(), sessions):
        new = patterns.fact_of(pattern, namespace, f"{today}")
        old = next((each for each in concluded.values() if _is_same(each.fact, new)), None)
        if old:
            del concluded[old.fact.id]
            yield from _revised(old, new, known.get(old.fact.id))
        elif new.id not in known and not any(_is_same(each, new) for each in taken_back):
            yield Step("conclude", namespace, f"concluded in {TOPICS_FOLDER}/{WORLDVIEW}.md", _ground(new), new.text,
                       after=new)  # fmt: skip
    for each in concluded.values():
        standing = [said[identity] for identity in each.fact.supports if identity in said]
        standing = [fact for fact in standing if fact.status == "active"]
        few = len(standing) < FEWEST_FACTS or len(patterns.conversations(standing, sessions)) < FEWEST_CONVERSATIONS
        if each.fact.status == "active" and few and not each.fact.pinned:
            why = f"only {len(standing)} of the {len(each.fact.supports)} facts it stands on hold"
            yield Step("archive", namespace, "no longer concluded", why, each.fact.text, each)


def _revised(old: Held, new: Fact, entry: Entry | None) -> Iterator[Step]:
    """The pattern as more or other facts say it; in the words of the user when he put it into his own."""
    fact = old.fact
    after = replace(
        fact,
        text=fact.text if entry is None or _is_theirs(fact, entry) else new.text,
        status="active",
        reason="",
        until="",
        by="",
        confidence=new.confidence,
        support=new.support,
        seen=new.last_seen if new.last_seen != fact.day else "",
        supports=new.supports,
    )
    if after != fact:
        yield Step("revise", old.namespace, "concluded anew", _ground(new), after.text, old, after)


def _is_theirs(fact: Fact, entry: Entry) -> bool:
    corrections = (each for each in entry.history if each.get("event") == "corrected")
    return fact.text != entry.fact.text or any(not str(each.get("how", "")).startswith(BY) for each in corrections)


def _is_same(left: Fact, right: Fact) -> bool:
    """Whether two patterns stand on half of the same facts."""
    shared = set(left.supports) & set(right.supports)
    return left.id == right.id or len(shared) * 2 >= max(min(len(left.supports), len(right.supports)), 1)


def _ground(pattern: Fact) -> str:
    return f"it stands on {len(pattern.supports)} facts from {pattern.support} conversations"
