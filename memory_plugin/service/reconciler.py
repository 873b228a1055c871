"""One pass of reconciliation: what each new fact says of the older ones, written into their lines and the events.

Everything done can be done again: a fact is marked as reconciled last, and what was done to it before a crash is seen
in its status, its relations or the sessions that count for it. The order is that of what was said, so two machines
that share a home come to the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from memory_plugin.index.rarity import rarity_among
from memory_plugin.index.reconciliation import CHANGES, Verdict, compare, related_by_words
from memory_plugin.index.replacement import holds_several, restates
from memory_plugin.memory import amendments, events, journal
from memory_plugin.memory.fact import CLOSED_FOR, Fact, session_of
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Entry, Key, Ledger
from memory_plugin.memory.places import GLOBAL_NAMESPACE

# Of a project's facts, those that may take the place of one that holds everywhere: they are about the person.
PERSONAL = frozenset({"identity", "preference", "habit", "health", "relationship"})
_RECENT = timedelta(days=30)  # for so long a finished task may turn out not to be
_CANDIDATES = 40  # of the older facts, the nearest ones that are looked at closely
_MARK_EVERY = 20  # facts looked at before they are marked as such
_NEAR = 0.35  # in the unit of index.centring: what is farther and has no word in common is never related
# The nearness of one text to others, None for each when there are no vectors.
Nearness = Callable[[str, Sequence[str]], Sequence[float | None]]


@dataclass(slots=True)
class Report:
    """What a pass did. looked_at: facts compared; changed: facts amended; problems: a sentence each."""

    looked_at: int = 0
    changed: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Stand:
    """A fact that stands in the Markdown: where, whether its line is ours, and what the events know of it."""

    held: Held
    ours: bool
    entry: Entry | None
    order: tuple[str, str, int]

    @property
    def fact(self) -> Fact:
        return self.held.fact


def waiting(ledger: Ledger) -> list[Key]:
    """The facts that were not reconciled yet, or were heard again since, in the order in which they were said."""
    entries = ledger.entries.items()
    keys = [key for key, entry in entries if _waits(entry)]
    place = {key: number for number, key in enumerate(ledger.entries)}
    return sorted(keys, key=lambda key: (_said(ledger.entries[key].fact), place[key]))


def _waits(entry: Entry) -> bool:
    if entry.retracted or entry.purged:
        return False
    return bool(entry.heard) or (not entry.reconciled and entry.fact.status == "active")


def _said(fact: Fact) -> tuple[str, str]:
    return fact.day, fact.at


class Reconciler:
    """Reconciles the facts of a memory home. Not for several threads at once."""

    def __init__(
        self, home: str, nearness: Nearness, today: date, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        self._home = home
        self._nearness = nearness
        self._today = today
        self._stopping = stopping
        self._ledger = Ledger(home)
        self._places: dict[Key, int] = {}
        self._standing: dict[str, dict[str, _Stand]] = {}
        self._report = Report()

    def run(self, ledger: Ledger) -> Report:
        """Reconcile whatever waits. OSError when the home cannot be read or written; what was done stays done."""
        self._ledger, self._report, self._standing = ledger, Report(), {}
        self._places = {key: number for number, key in enumerate(ledger.entries)}
        done: dict[str, list[str]] = {}
        for namespace, identity in waiting(ledger):
            if self._stopping():
                break
            self._one(namespace, identity)
            self._report.looked_at += 1
            done.setdefault(namespace, []).append(identity)
            if len(done[namespace]) >= _MARK_EVERY:
                self._mark(namespace, done.pop(namespace))
        for namespace, identities in done.items():
            self._mark(namespace, identities)
        ledger.refresh()
        return self._report

    def _mark(self, namespace: str, identities: list[str]) -> None:
        with journal.locked(self._home):
            events.append(self._home, [events.event("reconciled", namespace, "", ids=identities)])

    def _one(self, namespace: str, identity: str) -> None:
        """Reconcile one fact, if it still stands."""
        stand = self._stands(namespace).get(identity)
        entry = self._ledger.entries[namespace, identity]
        try:
            if stand and entry.heard:
                self._heard(stand, entry)
                stand = self._stands(namespace).get(identity)
            if stand and not entry.reconciled and stand.fact.status == "active":
                self._compare(stand)
        except LookupError as error:  # its line was taken out meanwhile
            self._report.problems.append(str(error))

    def _stands(self, namespace: str) -> dict[str, _Stand]:
        """The facts that stand in a namespace, by id."""
        if namespace not in self._standing:
            found: dict[str, _Stand] = {}
            for path in journal.fact_files(os.path.join(self._home, namespace)):
                for line in journal.read_lines(path, namespace):
                    if line.struck or line.below or line.fact.id in found:
                        continue
                    key = (namespace, line.fact.id)
                    place = self._places.get(key, len(self._places))  # what was written since the pass began is later
                    order = (*_said(line.fact), place)
                    held = Held(line.fact, namespace, path, line.number, line.more)
                    found[line.fact.id] = _Stand(held, line.ours, self._ledger.entries.get(key), order)
            self._standing[namespace] = found
        return self._standing[namespace]

    def _changed(self, *stands: _Stand) -> None:
        """Have what was amended read again."""
        self._report.changed += 1
        for stand in stands:
            self._standing.pop(stand.held.namespace, None)
        self._ledger.refresh()

    # --- said again in the same words

    def _heard(self, stand: _Stand, entry: Entry) -> None:
        """A fact that was said again: surer once a session; one that was over holds again."""
        by_session = {str(event.get("session", "")): event for event in reversed(entry.heard)}
        for event in reversed(by_session.values()):
            session, seen = str(event.get("session", "")), str(event.get("seen", "")) or stand.fact.last_seen
            fact = stand.fact
            if fact.status != "active" and fact.reason != "repeat" and seen >= fact.until and _after_end(entry, event):
                self._again(stand, seen)
                stand = self._stands(stand.held.namespace).get(fact.id, stand)
            holder = self._stand_of(stand, fact.by) if fact.reason == "repeat" else None
            for each in filter(None, (stand, holder)):
                if each.ours:
                    amendments.confirm(self._home, each.held, seen=seen, session=session, how="said again")
            self._changed(*filter(None, (stand, holder)))

    def _again(self, stand: _Stand, seen: str) -> None:
        """What was done, dropped or replaced was said again since: it holds, and what replaced it does not."""
        replacing = self._stand_of(stand, stand.fact.by) if stand.fact.reason not in CLOSED_FOR else None
        amendments.reopen(self._home, stand.held, how="said again", seen=seen)
        if replacing and replacing.ours and replacing.fact.status == "active":
            how = "the earlier one was said again"
            amendments.replaced(self._home, replacing.held, stand.held, relation="supersedes", how=how, until=seen)
        self._changed(stand, *filter(None, (replacing,)))

    def _stand_of(self, stand: _Stand, identity: str) -> _Stand | None:
        """A fact by its id, in the namespace of another or the one that holds everywhere."""
        for namespace in dict.fromkeys((stand.held.namespace, GLOBAL_NAMESPACE)):
            if identity in self._stands(namespace):
                return self._stands(namespace)[identity]
        return None

    # --- compared with the others

    def _compare(self, stand: _Stand) -> None:
        """Find what the fact says of the others, or they of it, and do so."""
        others = list(self._others(stand))
        texts = [other.fact.text for other in others]
        near = self._nearness(stand.fact.text, texts)
        ranked = list[tuple[float, int]]()
        for number, (text, nearness) in enumerate(zip(texts, near, strict=True)):
            shared = related_by_words(stand.fact.text, text)
            if shared or (nearness or 0.0) >= _NEAR:
                ranked.append((-(nearness or 0.0) - shared, number))
        chosen = sorted(ranked)[:_CANDIDATES]
        rarity = rarity_among([stand.fact.text, *texts])
        facts, tasks = list[tuple[Verdict, _Stand]](), list[tuple[Verdict, _Stand]]()
        for _, number in chosen:
            other = others[number]
            old, new = sorted((stand, other), key=lambda each: each.order)
            verdict = compare(old.fact, new.fact, near[number], rarity)
            if verdict.kind == "unrelated" or not _may(verdict, old, new):
                continue
            (tasks if verdict.kind in ("closes", "reopens") else facts).append((verdict, other))
        for found in (tasks, facts):
            self._act(stand, found)

    def _others(self, stand: _Stand) -> Iterator[_Stand]:
        """What may be compared with a fact: what holds, tasks that were closed not long ago; never the same entry."""
        apart = stand.entry.apart if stand.entry else frozenset[str]()
        for namespace in dict.fromkeys((stand.held.namespace, GLOBAL_NAMESPACE)):
            for identity, other in self._stands(namespace).items():
                if identity == stand.fact.id or identity in apart:
                    continue
                if other.entry and (other.entry.retracted or stand.fact.id in other.entry.apart):
                    continue
                settled = other.entry is None or other.entry.reconciled or other.order < stand.order
                if settled and (other.fact.status == "active" or self._closed_lately(other.fact)):
                    yield other

    def _closed_lately(self, fact: Fact) -> bool:
        if fact.category != "goal" or fact.status != "archived" or fact.reason not in CLOSED_FOR:
            return False
        return fact.until >= f"{self._today - _RECENT:%Y-%m-%d}"

    def _act(self, stand: _Stand, found: list[tuple[Verdict, _Stand]]) -> None:
        """Do what the surest verdict says, and the same to those others that say the same as its fact."""
        found.sort(key=lambda each: (-each[0].strength, each[1].order))
        if not found:
            return
        best, first = found[0]
        restated = [each for each in self._restating(best, stand, first) if each not in (one for _, one in found)]
        self._do(best, stand, first)
        for other in restated:
            kind = "amends" if holds_several(other.fact.text) else best.kind
            self._do(replace(best, kind=kind), stand, other)
        for verdict, other in found[1:]:
            same = _kindred(verdict, best) and (verdict.value == best.value != "" or self._says_the_same(other, first))
            if same and self._stands(stand.held.namespace).get(stand.fact.id, stand).fact.status == "active":
                self._do(verdict, stand, other)

    def _restating(self, verdict: Verdict, stand: _Stand, first: _Stand) -> list[_Stand]:
        """What was said in the same conversation as a fact whose value makes way, and gives the same value."""
        if verdict.kind not in CHANGES or not verdict.value or first.order > stand.order:
            return []
        return [
            other
            for other in self._others(stand)
            if other.held.namespace == first.held.namespace
            and other.fact.id != first.fact.id
            and session_of(other.fact) == session_of(first.fact) != session_of(stand.fact)
            and restates(verdict.value, first.fact.text, other.fact.text)
            and _may(verdict, other, stand)
        ]

    def _says_the_same(self, stand: _Stand, other: _Stand) -> bool:
        old, new = sorted((stand, other), key=lambda each: each.order)
        near = self._nearness(old.fact.text, [new.fact.text])[0]
        return compare(old.fact, new.fact, near).kind in ("repeats", "refines")

    def _do(self, verdict: Verdict, stand: _Stand, other: _Stand) -> None:
        old, new = sorted((stand, other), key=lambda each: each.order)
        how = f"in the words of {new.fact.id}: {verdict.how}"
        match verdict.kind:
            case "repeats":
                self._repeat(old, new, how)
            case "refines":
                self._refine(old, new, how)
            case "supersedes" | "contradicts":
                self._replace(old, new, verdict.kind, how)
            case "amends" if new.ours:
                amendments.relate(self._home, new.held, "contradicts", old.fact.id, how)
            case "closes" if old.ours:
                amendments.archive(self._home, old.held, verdict.reason, how=how, until=new.fact.day, by=new.fact.id)
            case "reopens" if old.ours:
                amendments.reopen(self._home, old.held, how=how, seen=new.fact.day)
        self._changed(old, new)

    def _repeat(self, old: _Stand, new: _Stand, how: str) -> None:
        """The older one stands, surer if another conversation said it; the newer one points to it."""
        session = session_of(new.fact)
        counted = old.entry is not None and session in old.entry.sessions
        if old.ours and session != session_of(old.fact) and not counted:
            amendments.confirm(self._home, old.held, seen=new.fact.day, how=how, session=session)
        if new.ours:
            amendments.archive(self._home, new.held, "repeat", how=how, until=new.fact.day, by=old.fact.id)

    def _refine(self, old: _Stand, new: _Stand, how: str) -> None:
        """The newer one says more and takes over what the older one had earned."""
        if not (old.ours and new.ours):
            self._repeat(old, new, how)
            return
        if old.fact.id not in new.fact.supports:
            amendments.relate(self._home, new.held, "supports", old.fact.id, how)
            if session_of(new.fact) != session_of(old.fact):
                amendments.confirm(self._home, new.held, seen=new.fact.day, how=how, carried=old.fact)
        amendments.archive(self._home, old.held, "repeat", how=how, until=new.fact.day, by=new.fact.id)

    def _replace(self, old: _Stand, new: _Stand, relation: str, how: str) -> None:
        if old.ours and not old.fact.pinned:
            amendments.replaced(self._home, old.held, new.held, relation=relation, how=how, by_hand=not new.ours)
        elif new.ours:  # what a person wrote or pinned is theirs to change
            amendments.relate(self._home, new.held, relation, old.fact.id, how)


def _after_end(entry: Entry, event: Mapping[str, object]) -> bool:
    """Whether something was heard after the fact had ended, in the order of its events."""
    ends = ("superseded", "contradicted", "archived")
    last = max((number for number, each in enumerate(entry.history) if each.get("event") in ends), default=-1)
    return any(each is event or each == event for each in entry.history[last + 1 :])


def _may(verdict: Verdict, old: _Stand, new: _Stand) -> bool:
    """Whether the verdict may be acted on, given who said both and where."""
    if old.held.namespace == GLOBAL_NAMESPACE != new.held.namespace and new.fact.category not in PERSONAL:
        return False
    if old.held.namespace != GLOBAL_NAMESPACE == new.held.namespace and old.fact.category not in PERSONAL:
        return False
    if verdict.kind == "closes" and new.fact.category == "goal":
        return False
    in_one_breath = old.fact.source == new.fact.source != ""
    return not (in_one_breath and verdict.kind in (*CHANGES, "closes", "reopens"))


def _kindred(one: Verdict, other: Verdict) -> bool:
    return (one.kind, one.reason) == (other.kind, other.reason) or {one.kind, other.kind} <= CHANGES
