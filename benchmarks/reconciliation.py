"""Is a change of mind seen, and are two facts left two? `python -m benchmarks.reconciliation [--fit]`

Pairs of facts, and tasks with what was said later. "dev" and "more" are what the tables and weights were made with;
"forms" are made from sixteen patterns; "held out" was written without a look at them. Columns: of the updates, how many
were found (superseded or contradicted); of the pairs with nothing between them, how many were merged in any way; of
those that say the same, how many were taken for it, and how many for a change; of the tasks, how many were told right;
of strangers (facts of two pairs), how many were merged. `--fit` measures the weights on all but the held-out pairs, and
writes memory_plugin/index/weights.py.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.centring import centre_of
from memory_plugin.index.evidence import evidence
from memory_plugin.index.reconciliation import Verdict, compare, related_by_words
from memory_plugin.index.task_evidence import task_evidence
from memory_plugin.index.weighing import BIAS, READINGS
from memory_plugin.memory.fact import Fact, fact_id

DATA = Path(__file__).with_name("data") / "reconciliation.json"
HELD_OUT = DATA.with_name("reconciliation_held_out.json")  # not to be read while the tables are worked on
WEIGHTS = Path(__file__).parents[1] / "memory_plugin" / "index" / "weights.py"
STRANGERS = 1500
TASK_STRANGERS = 150
_FORMS = 0.4  # what a pair made from a pattern counts beside one that somebody wrote
# Rules often note a fact under another category than a person would: of each change and repeat there is a copy.
_RENAMED = 0.25
_TAKEN_FOR = {
    "preference": "procedure",
    "procedure": "decision",
    "decision": "project",
    "project": "reference",
    "reference": "project",
    "constraint": "decision",
    "habit": "event",
    "goal": "decision",
    "health": "event",
    "identity": "event",
    "relationship": "project",
    "lesson": "project",
    "event": "decision",
}
_TRIES = 40
_NOTHING = 0.02  # of the strangers drawn that share no word, as many are kept
_BY_NEARNESS = ("near", "very_near", "far", "change_near", "kind_near")
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
    parser.add_argument("--parts", default="dev,more,held_out", help="which parts of the data (%(default)s)")
    arguments = parser.parse_args()
    near = embedded()
    if arguments.fit:
        fit(near)
        return
    names = ("found", "merged", "same", "changed", "tasks", "strangers")
    print(" " * 24 + "".join(f"{name:>11}" for name in names))
    for part in arguments.parts.split(","):
        for who, how in (("built-in", near), ("words", by_words)):
            print(f"{part:10}{who:14}" + "".join(f"{value:11.3f}" for value in rates(part, how).values()))


def embedded() -> Near:
    """Nearness by the built-in embedder."""
    embedder = BuiltinEmbedder()
    centre = centre_of(embedder)

    def near(pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        rows = dict(zip(texts, centre.of_notes(embedder.documents(texts)), strict=True)) if texts else {}
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
    for name, pairs, weights, ridge in training(parts):
        nearness = near([(pair.old.text, pair.new.text) for pair in pairs])
        rows = [features(name, pair, each) for pair, each in zip(pairs, nearness, strict=True)]
        truths = [READINGS[name].index(pair.truth) if pair.truth in READINGS[name] else 0 for pair in pairs]
        for suffix, left_out in (("", ()), ("_by_words", _BY_NEARNESS)):
            names = [each for each in rows[0] if each not in left_out]
            matrix = np.array([[row[each] for each in names] for row in rows])
            fitted = logistic(matrix, np.array(truths), np.array(weights), len(READINGS[name]), ridge)
            groups = [pair.old.text + pair.new.text for pair in pairs]
            shown = cross_validated(matrix, np.array(truths), np.array(weights), len(READINGS[name]), ridge, groups)
            _print_cross(name + suffix, pairs, shown)
            tables[name + suffix] = dict(zip([BIAS, *names], [fitted[-1], *fitted[:-1]], strict=True))
    WEIGHTS.write_text(_module(tables), "utf-8")


def training(parts: Sequence[str]) -> list[tuple[str, list[Pair], list[float], float]]:
    """Of each model its name, its pairs with their weights, and how strongly large weights are held down."""
    pairs = [pair for part in parts for pair in pairs_of(part)]
    tasks = [pair for part in parts for pair in tasks_of(part)]
    others = strangers(tasks, TASK_STRANGERS)
    still = [Pair(each.old, each.new, "open") for each in others]
    open_tasks = [each for each in tasks if each.truth != "reopened"]
    closed = [Pair(each.old, each.new, each.truth if each.truth == "reopened" else "closed") for each in tasks]
    shut = [Pair(each.old, each.new, "closed") for each in others]
    more = strangers(pairs, STRANGERS)
    renamed = [
        Pair(each.old, replace(each.new, category=_TAKEN_FOR[each.new.category]), each.truth)
        for each in pairs
        if each.truth in ("update", "same")
    ]
    worth = [_FORMS if part == "forms" else 1.0 for part in parts for _ in pairs_of(part)]
    worth += [0.5] * len(more) + [_RENAMED] * len(renamed)
    return [
        ("pair", pairs + more + renamed, worth, 1.0),
        ("task", open_tasks + still, [1.0] * len(open_tasks) + [0.5] * len(still), 1.0),
        (
            "closed",
            closed + shut,
            [2.0 if each.truth == "reopened" else 1.0 for each in closed] + [0.5] * len(shut),
            1.0,
        ),
    ]


def features(model: str, pair: Pair, nearness: float | None) -> dict[str, float]:
    """The features that a model reads."""
    if model == "pair":
        return evidence(pair.old, pair.new, nearness)
    return task_evidence(pair.old.text, pair.new.text, nearness)


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
