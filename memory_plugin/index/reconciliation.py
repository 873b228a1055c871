"""What a new fact says of an old one: nothing, the same, more of the same, that it has changed, that a task is done.

Small embeddings cannot tell "the API listens on 8080" and "the API listens on 9090" from "the API is written in Go":
all three are near each other. So most of the evidence is in the words (see `evidence`), and nearness is one feature of
many, measured with both texts embedded as documents, in the unit of `centring`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memory_plugin.index.evidence import evidence
from memory_plugin.index.task_evidence import task_evidence
from memory_plugin.index.weighing import strongest, weigh
from memory_plugin.index.wording import LEAST, found_in, read
from memory_plugin.memory.fact import Fact, fact_id

# How sure it must be, 0 to 1, that two facts have to do with each other; surer, where hardly a word joins them: in a
# memory of hundreds of facts most are strangers to a new one, far more than among the pairs that the weights come from.
RELATED, LOOSELY_RELATED = 0.75, 0.84
_JOINED_WORDS, _JOINED_NEARNESS = 2, 1.0
TASK_SURE, REOPENED_SURE = 0.55, 0.6
# One at a time of these, many of those, when both facts carry the predicate; "is" is what a fact has that no rule knew.
ONE_AT_A_TIME = frozenset({"named", "located", "requires", "prefers", "runs", "builds", "tests", "deploys"})
MANY_AT_A_TIME = frozenset({"uses", "has", "knows", "did", "learnt", "fixes", "causes", "fails", "avoids"})
UNSAID = frozenset({"project", "-", ""})  # subjects that name nothing
_SAME_SUBJECT, _ONE, _MANY = 0.5, 0.3, -0.3  # in the logarithm of the odds
_REPORTED = 3
_CLOSED_FOR = ("done", "dropped")
_REASONS = {
    "subject": "same subject",
    "topic": "same topic",
    "shared": "words in common",
    "first": "same topic",
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
    "reason": "a reason is given",
    "near": "near in meaning",
    "very": "near in meaning",
    "same": "same category",
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
    task, for `reason`: done or dropped) or reopens. strength: 0 to 1. how: a phrase for a person.
    """

    kind: str
    strength: float
    how: str
    reason: str = ""


def compare(old: Fact, new: Fact, nearness: float | None) -> Verdict:
    """What `new` says of `old`. nearness: see above; None when no embedder is there."""
    if fact_id("", old.text) == fact_id("", new.text):
        return Verdict("repeats", 1.0, "the same words")
    if old.category == "goal":
        verdict = _of_task(old, new, nearness)
        if verdict.kind != "unrelated" or old.status == "archived":
            return verdict
    return _of_fact(old, new, nearness)


def related_by_words(left: str, right: str) -> int:
    """About how many words that say something two texts have in common; quick."""
    return len(_keys(left) & _keys(right))


@lru_cache(maxsize=20_000)
def _keys(text: str) -> frozenset[str]:
    """What two words of one meaning mostly share: a concept's name, or the beginning of a stem."""
    return frozenset(word.root[:LEAST] for word in read(text).content)


def _of_task(old: Fact, new: Fact, nearness: float | None) -> Verdict:
    found = task_evidence(old.text, new.text, nearness)
    closed = old.status == "archived" and old.reason in _CLOSED_FOR
    model, sure = ("closed", REOPENED_SURE) if closed else ("task", TASK_SURE)
    odds = weigh(model, found, vectors=nearness is not None)
    reading = max(list(odds)[1:], key=lambda each: odds[each])
    if odds[reading] < sure:
        return Verdict("unrelated", odds[next(iter(odds))], "")
    how = _how(strongest(model, found, reading, vectors=nearness is not None), nearness)
    if closed:
        return Verdict("reopens", odds[reading], how)
    return Verdict("closes", odds[reading], how, reading)


def _of_fact(old: Fact, new: Fact, nearness: float | None) -> Verdict:
    found, vectors = evidence(old, new, nearness), nearness is not None
    odds = weigh("pair", found, vectors=False)
    if vectors:  # the mean of both models errs less than either
        odds = {reading: (odds[reading] + more) / 2 for reading, more in weigh("pair", found, vectors=True).items()}
    related = 1 - odds["unrelated"]
    related = related * (lift := 2.0 ** _by_structure(old, new)) / (related * lift + odds["unrelated"])
    joined = related_by_words(old.text, new.text) >= _JOINED_WORDS or (nearness or 0.0) >= _JOINED_NEARNESS
    if related < (RELATED if joined else LOOSELY_RELATED):
        return Verdict("unrelated", 1 - related, "")
    reading = "update" if odds["update"] >= odds["same"] else "same"
    how = _how(strongest("pair", found, reading, vectors=vectors), nearness)
    if reading == "update":
        return Verdict("contradicts" if found["corrected"] else "supersedes", related, how)
    return Verdict("refines" if _says_more(old, new) else "repeats", related, how)


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
    near = "no vectors" if nearness is None else f"nearness {nearness:.2f}"
    return ", ".join([*list(reasons)[:_REPORTED], near])
