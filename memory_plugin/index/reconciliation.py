"""What a new fact says of an old one: nothing, the same, more of the same, that it has changed, that a task is done.

Small embeddings cannot tell "the API listens on 8080" and "the API listens on 9090" from "the API is written in Go":
all three are near each other. So most of the evidence is in the words (see `evidence`), and nearness is one feature of
many, measured with both texts embedded as documents, in the unit of `centring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory_plugin.index.ending import ending
from memory_plugin.index.evidence import Rarity, evidence, usual
from memory_plugin.index.replacement import holds_several, renamed, replacement
from memory_plugin.index.task_evidence import task_evidence
from memory_plugin.index.weighing import strongest, weigh
from memory_plugin.index.wording import LEAST, found_in, read
from memory_plugin.memory.fact import CLOSED_FOR, Fact, fact_id

# How sure it must be, 0 to 1, that two facts have to do with each other: two that somebody holds side by side, and one
# among all the facts of a project, nearly all of which have nothing to do with it.
RELATED, RELATED_AMONG_MANY = 0.70, 0.85
# So sure it is when the new one says that a value of the old one has made way.
REPLACED = 0.95
# Among many, what the two share must be rare there (1: in no other fact), or they must be very near.
_ANCHOR, _VERY_NEAR = 0.5, 1.3
TASK_SURE, REOPENED_SURE = 0.55, 0.6
# Among many facts: the part of a task or of the report of its end that the other names too, the kinds of fact that
# hold such a report, and how many words that say something it has at most: whoever tells more tells a story.
_NAMED, _REPORTS, _REPORTED_WORDS = 0.34, frozenset({"event", "decision", "project", "goal", "lesson"}), 25
# One at a time of these, many of those, when both facts carry the predicate; "is" is what a fact has that no rule knew.
ONE_AT_A_TIME = frozenset({"named", "located", "requires", "prefers", "runs", "builds", "tests", "deploys"})
MANY_AT_A_TIME = frozenset({"uses", "has", "knows", "did", "learnt", "fixes", "causes", "fails", "avoids"})
CHANGES = frozenset({"supersedes", "contradicts", "amends"})  # the verdicts by which an old fact gives way
UNSAID = frozenset({"project", "-", ""})  # subjects that name nothing
_SAME_SUBJECT, _ONE, _MANY = 0.5, 0.3, -0.3  # in the logarithm of the odds
_REPORTED = 3
LASTING = frozenset({"event", "lesson", "goal"})  # what happened and was learnt stays so; a task is told by its state
# Of what a task or a lesson says, what another one must say too to take its place.
_SAME_OBJECT, _SAME_CAUSE = 0.5, 0.3
_LONG, _NEAREST, _NEAR_TASK = 22, 1.9, 1.4  # words that say something; in the unit of index.centring
_NOT_FAR = 0.3  # of a task and the report of its end, in the unit of index.centring
_SAID_AGAIN = 0.5  # of what a fact says, among many, what its repetition must say too
_REASONS = {
    "subject": "same subject",
    "topic": "same topic",
    "shared": "words in common",
    "unit": "another number of the same thing",
    "number": "another number",
    "kind": "another value of the same kind",
    "value": "another value of the same thing",
    "names": "another name",
    "path": "another place",
    "clean": "nothing else differs",
    "anew": "words of change",
    "change": "words of change",
    "gone": "the old one is said to be over",
    "corrected": "words of correction",
    "near": "near in meaning",
    "very": "near in meaning",
    "anchor": "words in common that are rare here",
    "anchors": "words in common that are rare here",
    "anchored": "words in common that are rare here",
    "done": "words of completion",
    "dropped": "words of giving up",
    "again": "words of relapse",
    "object": "same object",
    "all": "same object",
    "last": "same object",
    "verb": "same action",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a new fact says of an old one.

    kind: unrelated, repeats, refines (says the same and more), supersedes, contradicts (it never was so), closes (a
    task, for `reason`: done or dropped) or reopens; amends is a change of one of several things that the old one says,
    which holds apart from that. strength: 0 to 1. how: a phrase for a person. value: that of the old one which made
    way, or of what it was one, "" when no word names it.
    """

    kind: str
    strength: float
    how: str
    reason: str = ""
    value: str = ""


def compare(old: Fact, new: Fact, nearness: float | None, rarity: Rarity | None = None) -> Verdict:
    """What `new` says of `old`.

    nearness: see above; None when no embedder is there. rarity: of words among the facts of the project in which `old`
    was found; None for two facts that are held side by side, then less is wanted.
    """
    if fact_id("", old.text) == fact_id("", new.text):
        return Verdict("repeats", 1.0, "the same words")
    if old.category == "goal":
        verdict = _of_task(old, new, nearness, rarity)
        if verdict.kind != "unrelated" or old.status == "archived":
            return verdict
    return _of_fact(old, new, nearness, rarity)


def related_by_words(left: str, right: str) -> int:
    """About how many words that say something two texts have in common; quick."""
    return len(_keys(left) & _keys(right))


@lru_cache(maxsize=20_000)
def _keys(text: str) -> frozenset[str]:
    """What two words of one meaning mostly share: a concept's name, or the beginning of a stem."""
    return frozenset(word.root[:LEAST] for word in read(text).content)


def _of_task(old: Fact, new: Fact, nearness: float | None, rarity: Rarity | None) -> Verdict:
    found = task_evidence(old.text, new.text, nearness)
    closed = old.status == "archived" and old.reason in CLOSED_FOR
    report = new.category in _REPORTS and len(read(new.text).content) <= _REPORTED_WORDS
    near = nearness is None or nearness >= _NOT_FAR
    told = ending(old.text, new.text, rarity) if rarity and report and near and not closed else ""
    if told:
        return Verdict("closes", REPLACED, f"{_REASONS[told]}, same object, {_nearness(nearness)}", told)
    model, sure = ("closed", REOPENED_SURE) if closed else ("task", TASK_SURE)
    odds = weigh(model, found, vectors=nearness is not None)
    reading = max(list(odds)[1:], key=lambda each: odds[each])
    if odds[reading] < sure or not (rarity is None or _names_the_task(old, new, found, reading, rarity)):
        return Verdict("unrelated", odds[next(iter(odds))], "")
    how = _how(strongest(model, found, reading, vectors=nearness is not None), nearness)
    if closed:
        return Verdict("reopens", odds[reading], how)
    return Verdict("closes", odds[reading], how, reading)


def _names_the_task(old: Fact, new: Fact, found: Mapping[str, float], reading: str, rarity: Rarity) -> bool:
    """Whether, among many facts, one that is no rule or plan says the word of its end and names the very thing."""
    said = {"done": max(found["done"], found["past"]), "dropped": max(found["dropped"], found["gone"]), "reopened": 1.0}
    task, later = read(old.text).content, read(new.text).content
    shared = {word.root: rarity(word.root) for word in task if found_in(word, later)}
    parts = [
        sum(shared.values()) / (sum({word.root: rarity(word.root) for word in each}.values()) or 1.0)
        for each in (task, later)
    ]
    named = max(parts) >= _NAMED and max(shared.values(), default=0.0) >= _ANCHOR
    least = _REPORTED_WORDS if new.category in _REPORTS else 0
    return bool(named and said[reading] and least and len(later) <= least)


def _of_fact(old: Fact, new: Fact, nearness: float | None, rarity: Rarity | None) -> Verdict:
    found, vectors = evidence(old, new, nearness, rarity or usual), nearness is not None
    value = replacement(old.text, new.text, nearness, rarity or usual)
    if value and new.category != "goal" and _may_be_replaced(old, found):
        how = f"another value for “{value}”, {_nearness(nearness)}"
        return Verdict("amends" if holds_several(old.text) else "supersedes", REPLACED, how, value=value)
    if (
        new.category != "goal"
        and old.category not in LASTING
        and (name := renamed(old.text, new.text, rarity or usual))
    ):
        return Verdict("amends", REPLACED, f"another name for “{name}”, {_nearness(nearness)}", value=name)
    odds = weigh("pair", found, vectors=vectors)
    related = 1 - odds["unrelated"]
    related = related * (lift := 2.0 ** _by_structure(old, new)) / (related * lift + odds["unrelated"])
    again = _says_nothing_new(found)
    related = max(related, RELATED_AMONG_MANY) if again else related
    if related < (RELATED if rarity is None else RELATED_AMONG_MANY) or not (rarity is None or _anchored(found)):
        return Verdict("unrelated", 1 - related, "")
    reading = "update" if odds["update"] >= odds["same"] else "same"
    if again or (_same_value(found) and found.get("near", 0.0) >= _VERY_NEAR):
        reading = "same"
    how = _how(strongest("pair", found, reading, vectors=vectors), nearness)
    if reading == "same":
        if not _of_one_kind(old, new) or not (rarity is None or _says_it_again(old, new, found)):
            return Verdict("unrelated", 1 - related, "")
        return Verdict("refines" if _says_more(old, new) else "repeats", related, how)
    if not _may_change(old, new, found):
        return Verdict("unrelated", 1 - related, "")
    if rarity is not None and holds_several(old.text):
        return Verdict("amends", related, how)
    return Verdict("contradicts" if found["corrected"] else "supersedes", related, how)


def _may_be_replaced(old: Fact, found: Mapping[str, float]) -> bool:
    """Whether a value of a fact can make way: not that of a task, and of what happened only a figure."""
    return old.category != "goal" and not (old.category == "event" and found["happened"] and not found["number_same"])


def _anchored(found: Mapping[str, float]) -> bool:
    """Whether something ties just these two together, and not any two facts of the project."""
    return found["anchor"] >= _ANCHOR or found.get("near", 0.0) >= _VERY_NEAR


def _same_value(found: Mapping[str, float]) -> bool:
    """Whether both name the same value and no other, and neither denies it: then nothing has changed."""
    return bool(found["type_same"]) and not found["corrected"] and not found["gone"] and not _differ(found)


def _differ(found: Mapping[str, float]) -> bool:
    """Whether one names a value of a kind of which the other names another, or denies what the other says."""
    values = ("type_differs", "kind", "kind_besides", "names", "number_differs", "path_differs", "negation_differs")
    return any(found[each] for each in values)


def _says_nothing_new(found: Mapping[str, float]) -> bool:
    """Whether all that the new one says stands in the old one."""
    near = found.get("near", _VERY_NEAR) >= _VERY_NEAR
    return near and found["shared_new"] == 1 and not found["change"] and not _differ(found)


def _says_it_again(old: Fact, new: Fact, found: Mapping[str, float]) -> bool:
    """Whether, among many facts, the new one says most of the old one; long ones and tasks must be nearer for it."""
    long = any(len(read(each.text).content) > _LONG for each in (old, new))
    nearest = _NEAREST if long else _NEAR_TASK if old.category == "goal" else 0.0
    return found["anchored_old"] >= _SAID_AGAIN and found.get("near", nearest) >= nearest


def _of_one_kind(old: Fact, new: Fact) -> bool:
    """Whether both are still to be done, or neither."""
    return (old.category == "goal") == (new.category == "goal")


def _may_change(old: Fact, new: Fact, found: Mapping[str, float]) -> bool:
    """Whether a fact of the one's kind can take the place of one of the other's.

    What happened stays so, a task ends when it is done or dropped, and a cause is not undone by another trouble's: only
    words of correction, or another value in the same words, reach them.
    """
    if not _of_one_kind(old, new) or _same_value(found):
        return False
    corrected = any(found[each] > 0 for each in ("corrected", "only_number", "only_name", "only_owner"))
    if old.category == "event" and (found["happened"] or new.category != "event"):
        return corrected
    if old.category == "goal":
        return bool(corrected or found["anchored_old"] >= _SAME_OBJECT)
    if old.category == "lesson":
        return bool(corrected or (new.category == "lesson" and found["anchored_old"] >= _SAME_CAUSE))
    return True


def _by_structure(old: Fact, new: Fact) -> float:
    """What subject and predicate say, where the rules that found the facts knew any."""
    lift = _SAME_SUBJECT if old.subject == new.subject and old.subject not in UNSAID else 0.0
    if old.predicate == new.predicate:
        lift += _ONE * (old.predicate in ONE_AT_A_TIME) + _MANY * (old.predicate in MANY_AT_A_TIME)
    return lift


def _says_more(old: Fact, new: Fact) -> bool:
    """Whether the new words hold what the old ones hold, and something besides."""
    before, after = read(old.text).content, read(new.text).content
    more = sum(not found_in(word, before) for word in after)
    less = sum(not found_in(word, after) for word in before)
    return more > less and more > 1


def _how(names: list[str], nearness: float | None) -> str:
    """The evidence as a phrase."""
    reasons = dict.fromkeys(_REASONS[first] for name in names if (first := name.split("_")[0]) in _REASONS)
    return ", ".join([*list(reasons)[:_REPORTED], _nearness(nearness)])


def _nearness(nearness: float | None) -> str:
    return "no vectors" if nearness is None else f"nearness {nearness:.2f}"
