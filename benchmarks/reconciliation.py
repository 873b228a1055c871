"""Is a change of mind seen, and are two facts left two? `python -m benchmarks.reconciliation [--fit] [--real]`

Pairs of facts, and tasks with what was said later. "dev" and "more" are what the tables and weights were made with;
"forms" are made from sixteen patterns; "held out" was written without a look at them. Columns: of the updates, how many
were found (superseded or contradicted); of the pairs with nothing between them, how many were merged in any way; of
those that say the same, how many were taken for it, and how many for a change; of the tasks, how many were told right;
of strangers (facts of two pairs), how many were merged. At full scale each new fact meets all facts of its part, as it
meets those of a project, and only the surest verdict counts: of the updates, how many replaced the right one; of a new
fact, how often it replaced, and how often it repeated or closed, another than it should.

`--real` reconciles what a flush keeps of the real transcripts, conversation by conversation, and prints every verdict,
for a person to judge. `--fit` measures the weights on dev, more, forms and those transcripts (where they are), and
writes memory_plugin/index/weights.py: the features that stand there keep their place.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.centring import centre_of
from memory_plugin.index.evidence import Rarity, evidence, usual
from memory_plugin.index.rarity import rarity_among
from memory_plugin.index.reconciliation import Verdict, compare, related_by_words
from memory_plugin.index.task_evidence import task_evidence
from memory_plugin.index.weighing import BIAS, READINGS
from memory_plugin.index.weights import WEIGHTS
from memory_plugin.memory.fact import Fact, fact_id
from memory_plugin.memory.flush import flush_transcript
from memory_plugin.memory.ledger import Ledger
from tests.support.data import data_folder

DATA = Path(__file__).with_name("data") / "reconciliation.json"
HELD_OUT = DATA.with_name("reconciliation_held_out.json")  # not to be read while the tables are worked on
WRITTEN = Path(__file__).parents[1] / "memory_plugin" / "index" / "weights.py"
STRANGERS = 400
TASK_STRANGERS = 150
_FORMS = 0.4  # what a pair made from a pattern counts beside one that somebody wrote
# Each new fact meets so many others, which count so much each; those of real conversations count more.
_NEAREST, _STRANGER, _REAL = 20, 0.05, 0.15
_TRIES = 40
_NOTHING = 0.02  # of the strangers drawn that share no word, as many are kept
_BATCH = 32
_BY_NEARNESS = ("near", "very_near", "far", "change_near")
Near = Callable[[Sequence[tuple[str, str]]], list[float | None]]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two facts and what is between them: update, same, unrelated, or what became of the task."""

    old: Fact
    new: Fact
    truth: str


def main() -> None:
    """Print the table, or fit the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="measure the weights anew first")
    parser.add_argument("--real", action="store_true", help="print what becomes of the real transcripts' facts")
    parser.add_argument("--parts", default="dev,more,held_out", help="which parts of the data (%(default)s)")
    arguments = parser.parse_args()
    near = embedded()
    if arguments.fit:
        fit(near)
        return
    if arguments.real:
        print_real(near)
        return
    names = ("found", "merged", "same", "changed", "tasks", "strangers", *AT_SCALE)
    print(" " * 24 + "".join(f"{name:>11}" for name in names))
    for part in arguments.parts.split(","):
        for who, how in (("built-in", near), ("words", by_words)):
            found = rates(part, how) | at_full_scale(part, how)
            print(f"{part:10}{who:14}" + "".join(f"{value:11.3f}" for value in found.values()))


def embedded() -> Near:
    """Nearness by the built-in embedder."""
    embedder = BuiltinEmbedder()
    centre = centre_of(embedder)

    rows: dict[str, Matrix] = {}

    def near(pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        texts = [text for text in dict.fromkeys(text for pair in pairs for text in pair) if text not in rows]
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            rows.update(zip(batch, centre.of_notes(embedder.documents(batch)), strict=True))
        return [float(rows[left] @ rows[right]) / centre.unit for left, right in pairs]

    return near


def by_words(pairs: Sequence[tuple[str, str]]) -> list[float | None]:
    """No nearness at all."""
    return [None] * len(pairs)


def rates(part: str, near: Near) -> dict[str, float]:
    """The figures of one part of the data, 0 to 1."""
    pairs = [pair for pair in pairs_of(part) if pair.truth in ("update", "same", "unrelated")]
    tasks = tasks_of(part)
    verdicts = judged(pairs, near)
    kinds = {truth: [v.kind for p, v in zip(pairs, verdicts, strict=True) if p.truth == truth] for truth in _TRUTHS}
    found = [_outcome(pair, verdict) == pair.truth for pair, verdict in zip(tasks, judged(tasks, near), strict=True)]
    others = [verdict.kind for verdict in judged(strangers(pairs, STRANGERS), near)]
    return {
        "found": _share(kind in _CHANGED for kind in kinds["update"]),
        "merged": _share(kind != "unrelated" for kind in kinds["unrelated"]),
        "same": _share(kind in ("repeats", "refines") for kind in kinds["same"]),
        "changed": _share(kind in _CHANGED for kind in kinds["same"]),
        "tasks": _share(found),
        "strangers": _share(kind != "unrelated" for kind in others),
    }


_TRUTHS = ("update", "same", "unrelated")
_CHANGED = ("supersedes", "contradicts")


def judged(pairs: Sequence[Pair], near: Near) -> list[Verdict]:
    """What is made of each pair."""
    nearness = near([(pair.old.text, pair.new.text) for pair in pairs])
    return [compare(pair.old, pair.new, each) for pair, each in zip(pairs, nearness, strict=True)]


AT_SCALE = ("replaced", "wrong", "wrong same")
_MEETS = 40  # facts that the worker looks at closely


@dataclass(frozen=True, slots=True)
class Meeting:
    """A new fact and one that it meets among all others; truth: what is between them, "stranger" by default."""

    pair: Pair
    nearness: float | None
    rarity: Rarity


def meetings(part: str, near: Near, most: int = _MEETS) -> list[list[Meeting]]:
    """For each new fact of a part, those of all its facts that the worker would look at."""
    pairs = [*pairs_of(part), *tasks_of(part)]
    facts = list({each.text: each for pair in pairs for each in (pair.old, pair.new)}.values())
    return [_met(pair, facts, near, most) for pair in pairs]


def _met(pair: Pair, facts: Sequence[Fact], near: Near, most: int) -> list[Meeting]:
    others = [each for each in facts if each.text not in (pair.new.text, pair.old.text)] + [pair.old]
    nearness, rarity = near([(each.text, pair.new.text) for each in others]), rarity_of(facts)
    ranked = sorted(
        (-(close or 0.0) - related_by_words(pair.new.text, other.text), number)
        for number, (other, close) in enumerate(zip(others, nearness, strict=True))
    )[:most]
    return [
        Meeting(
            Pair(others[number], pair.new, pair.truth if others[number] is pair.old else "stranger"),
            nearness[number],
            rarity,
        )
        for _, number in ranked
    ]


_RARITIES: dict[int, Rarity] = {}


def rarity_of(facts: Sequence[Fact]) -> Rarity:
    """How rare words are among these facts, measured once."""
    key = hash(tuple(each.text for each in facts))
    if key not in _RARITIES:
        _RARITIES[key] = rarity_among(each.text for each in facts) or usual
    return _RARITIES[key]


def at_full_scale(part: str, near: Near) -> dict[str, float]:
    """How a new fact fares among all facts of its part."""
    found, wrong, same = list[bool](), list[bool](), list[bool]()
    for met in meetings(part, near):
        verdicts = [(compare(each.pair.old, each.pair.new, each.nearness, each.rarity), each.pair) for each in met]
        said = [each for each in verdicts if each[0].kind != "unrelated"]
        verdict, pair = max(said, key=lambda each: each[0].strength) if said else (None, None)
        changed = verdict is not None and verdict.kind in _CHANGED
        right = pair is not None and pair.truth not in ("stranger", "unrelated")
        if any(each.pair.truth == "update" for each in met):
            found.append(changed and right)
        wrong.append(changed and not right)
        same.append(verdict is not None and not changed and not right)
    return dict(zip(AT_SCALE, (_share(found), _share(wrong), _share(same)), strict=True))


def real_facts() -> list[tuple[str, list[Fact]]]:
    """By namespace, what a flush keeps of the real transcripts, in the order in which it was said; [] without them."""
    folder = data_folder()
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted((folder / "transcripts").rglob("*.jsonl")) if folder else ():
            flush_transcript(str(path), trigger="benchmark", project="/nowhere", home=scratch, state=f"{scratch}/state")
        entries = Ledger(scratch).refresh().entries if folder else {}
    found: dict[str, list[Fact]] = {}
    for (namespace, _), entry in entries.items():
        found.setdefault(namespace, []).append(entry.fact)
    return [(name, sorted(facts, key=lambda each: (each.day, each.at))) for name, facts in found.items()]


def print_real(near: Near) -> None:
    """Reconcile the real facts in order; print each verdict that would be acted on, and how many there are."""
    count, kinds = 0, Counter[str]()
    for _, facts in real_facts():
        count += len(facts)
        standing = list[Fact]()
        for new in facts:
            met = _met(Pair(new, new, "new"), standing, near, _MEETS)[:-1] if standing else []
            met = [each for each in met if each.pair.old is not new]
            verdicts = [(compare(each.pair.old, new, each.nearness, each.rarity), each.pair.old) for each in met]
            said = [each for each in verdicts if each[0].kind not in ("unrelated", "reopens")]
            if said:
                verdict, old = max(said, key=lambda each: each[0].strength)
                kinds[verdict.kind] += 1
                print(f"{verdict.kind} {verdict.reason} {verdict.strength:.2f} {verdict.how}")
                print(f"    {old.category}: {old.text}\n    {new.category}: {new.text}")
                standing.remove(old)
            standing.append(new)
    print(count, "facts;", ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()))


def _outcome(pair: Pair, verdict: Verdict) -> str:
    """The verdict on a task, as the data names it."""
    return verdict.reason if verdict.kind == "closes" else "reopened" if verdict.kind == "reopens" else "open"


def pairs_of(part: str) -> list[Pair]:
    """The pairs of facts of one part of the data."""
    data = _data(part)
    found = [
        Pair(_fact(each["category_old"], each["old"]), _fact(each["category_new"], each["new"]), truth)
        for truth, name in (("update", "updates"), ("same", "same"))
        for each in data[name]
    ]
    return found + [
        Pair(_fact(each["category_a"], each["a"]), _fact(each["category_b"], each["b"]), "unrelated")
        for each in data["unrelated"]
    ]


def _data(part: str) -> dict[str, list[dict[str, str]]]:
    path = HELD_OUT if part == "held_out" else DATA
    found: dict[str, list[dict[str, str]]] = json.loads(path.read_text("utf-8"))[part]
    return found


def tasks_of(part: str) -> list[Pair]:
    """The tasks of one part of the data; those that were reopened had been done."""
    data = _data(part)["tasks"]
    return [
        Pair(_fact("goal", each["task"], done=each["outcome"] == "reopened"), _fact("event", each["later"]), truth)
        for each in data
        if (truth := each["outcome"])
    ]


def strangers(pairs: Sequence[Pair], number: int) -> list[Pair]:
    """Facts of two pairs each, which have nothing to do with each other, though most share a word."""
    chance = random.Random(0)
    drawn = list[Pair]()
    for _ in range(_TRIES * number if len(pairs) > 1 else 0):
        left, right = chance.sample(pairs, 2)
        if len(drawn) < number and (related_by_words(left.old.text, right.new.text) or chance.random() < _NOTHING):
            drawn.append(Pair(left.old, right.new, "stranger"))
    return drawn


def _fact(category: str, text: str, *, done: bool = False) -> Fact:
    status, reason = ("archived", "done") if done else ("active", "")
    return Fact(fact_id("benchmark", text), text, category, "is", "project", "-", 0.6, 0.7, "2026-11-02", "10:00",
                "a#b", status=status, reason=reason)  # fmt: skip


def _share(found: Iterable[bool]) -> float:
    answers = list(found)
    return sum(answers) / len(answers) if answers else 0.0


def fit(near: Near, parts: Sequence[str] = ("dev", "more", "forms")) -> None:
    """Fit all models and write their weights."""
    tables = {}
    for name, met, weights in training(parts, near):
        rows = [features(name, each) for each in met]
        truths = np.array([max(0, _reading(name, each.pair.truth)) for each in met])
        groups = [each.pair.new.text for each in met]
        for suffix, left_out in (("", ()), ("_by_words", _BY_NEARNESS)):
            names = [each for each in WEIGHTS[name] if each != BIAS and each not in left_out]
            matrix = np.array([[row[each] for each in names] for row in rows])
            arguments = (matrix, truths, np.array(weights), len(READINGS[name]), 1.0)
            fitted = logistic(*arguments)
            _print_cross(name + suffix, [each.pair for each in met], cross_validated(*arguments, groups))
            tables[name + suffix] = dict(zip([BIAS, *names], [fitted[-1], *fitted[:-1]], strict=True))
    WRITTEN.write_text(_module(tables), "utf-8")


def _reading(model: str, truth: str) -> int:
    return READINGS[model].index(truth) if truth in READINGS[model] else 0


def training(parts: Sequence[str], near: Near) -> list[tuple[str, list[Meeting], list[float]]]:
    """Of each model its name, what it is shown, and what each row counts."""
    tasks = [pair for part in parts for pair in tasks_of(part)]
    others = strangers(tasks, TASK_STRANGERS)
    still = [Pair(each.old, each.new, "open") for each in others]
    open_tasks = [each for each in tasks if each.truth != "reopened"]
    closed = [Pair(each.old, each.new, each.truth if each.truth == "reopened" else "closed") for each in tasks]
    shut = [Pair(each.old, each.new, "closed") for each in others]
    twice = [2.0 if each.truth == "reopened" else 1.0 for each in closed]
    return [
        ("pair", *_shown(parts, near)),
        ("task", _alone(open_tasks + still, near), [1.0] * len(open_tasks) + [0.5] * len(still)),
        ("closed", _alone(closed + shut, near), twice + [0.5] * len(shut)),
    ]


def _shown(parts: Sequence[str], near: Near) -> tuple[list[Meeting], list[float]]:
    """The pairs, each by itself and among all facts of its part, and whatever else a new fact meets there."""
    met, weights = list[Meeting](), list[float]()
    for part in parts:
        worth, alone = (_FORMS if part == "forms" else 1.0), _alone(pairs_of(part), near)
        among = [each for meeting in meetings(part, near, _NEAREST) for each in meeting]
        among = [each for each in among if each.pair.truth in (*_TRUTHS, "stranger")]
        met += alone + among
        weights += [worth] * len(alone)
        weights += [worth * (_STRANGER if each.pair.truth == "stranger" else 1.0) for each in among]
    for _, facts in real_facts():
        for number, new in enumerate(facts[1:], 1):
            real = _met(Pair(new, new, "new"), facts[:number], near, _NEAREST)
            real = [each for each in real if each.pair.old.text != new.text]
            met += real
            weights += [_REAL] * len(real)
    return met, weights


def _alone(pairs: Sequence[Pair], near: Near) -> list[Meeting]:
    nearness = near([(pair.old.text, pair.new.text) for pair in pairs])
    return [Meeting(pair, each, usual) for pair, each in zip(pairs, nearness, strict=True)]


def features(model: str, met: Meeting) -> dict[str, float]:
    """The features that a model reads."""
    if model == "pair":
        return evidence(met.pair.old, met.pair.new, met.nearness, met.rarity)
    return task_evidence(met.pair.old.text, met.pair.new.text, met.nearness)


def logistic(matrix: Matrix, truths: Any, weights: Matrix, readings: int, ridge: float) -> Matrix:
    """Weights of shape (features + 1, readings - 1), relative to the first reading, by Newton's method."""
    rows = np.hstack([matrix, np.ones((len(matrix), 1))])
    features, others = rows.shape[1], readings - 1
    wanted, fitted = np.eye(readings)[truths][:, 1:], np.zeros((features, others))
    held = np.full(features, ridge)
    held[-1] = 1e-6
    for _ in range(12):
        shown = _softmax(np.hstack([np.zeros((len(rows), 1)), rows @ fitted]))[:, 1:]
        slope = rows.T @ ((shown - wanted) * weights[:, None]) + held[:, None] * fitted
        bend = np.zeros((others * features, others * features))
        for one in range(others):
            for other in range(others):
                mass = weights * (shown[:, one] * (one == other) - shown[:, one] * shown[:, other])
                block = (rows * mass[:, None]).T @ rows + (one == other) * np.diag(held)
                bend[one * features : (one + 1) * features, other * features : (other + 1) * features] = block
        step = np.linalg.solve(bend, slope.T.reshape(-1)).reshape(others, features).T
        fitted -= step
        if np.abs(step).max() < 1e-4:
            break
    return fitted


def cross_validated(
    matrix: Matrix, truths: Any, weights: Matrix, readings: int, ridge: float, groups: Sequence[str]
) -> Matrix:
    """The probabilities of each row by a model that has seen none of its group, ten times over."""
    known = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    fold = np.random.default_rng(1).permutation(len(known))[[known[group] for group in groups]] % 10
    shown = np.zeros((len(truths), readings))
    for number in range(10):
        test, rest = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        fitted = logistic(matrix[rest], truths[rest], weights[rest], readings, ridge)
        sums = np.hstack([matrix[test], np.ones((len(test), 1))]) @ fitted
        shown[test] = _softmax(np.hstack([np.zeros((len(test), 1)), sums]))
    return shown


def _print_cross(name: str, pairs: Sequence[Pair], shown: Matrix) -> None:
    """What the fit can be expected to do on pairs that it has not seen."""
    readings = READINGS[name.removesuffix("_by_words")]
    if readings[0] != "unrelated":
        right = _share(readings[int(row.argmax())] == pair.truth for pair, row in zip(pairs, shown, strict=True))
        print(f"{name:16} right {right:.3f}")
        return
    for threshold in (0.6, 0.65, 0.7, 0.75, 0.8):
        related = {truth: [] for truth in _TRUTHS}  # type: dict[str, list[bool]]
        written = next((number for number, pair in enumerate(pairs) if pair.truth == "stranger"), len(pairs))
        for pair, row in zip(pairs[:written], shown[:written], strict=True):
            change = bool(row[1] >= row[2]) if pair.truth == "update" else True
            related[pair.truth].append(bool(1 - row[0] >= threshold) and change)
        rates = "  ".join(f"{truth} {_share(each):.3f}" for truth, each in related.items())
        print(f"{name:16} {threshold:.2f}  {rates}")


def _softmax(sums: Matrix) -> Matrix:
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    result: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return result


def _module(tables: dict[str, dict[str, Matrix]]) -> str:
    lines = [
        '"""The weights of `weighing`, as `python -m benchmarks.reconciliation --fit` wrote them: of each model and',
        'feature, how much it speaks for each reading but the first."""',
        "",
        "WEIGHTS: dict[str, dict[str, tuple[float, ...]]] = {",
    ]
    for name, table in tables.items():
        lines.append(f'    "{name}": {{')
        for feature, row in table.items():
            values = ", ".join(f"{value:.2f}" for value in row) + ("," if len(row) == 1 else "")
            lines.append(f'        "{feature}": ({values}),')
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    main()
