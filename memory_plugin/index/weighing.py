"""How likely each of a few readings of a pair is, from its features: a logistic model whose weights stand in `weights`.

`python -m benchmarks.reconciliation --fit` measures them anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from memory_plugin.index.weights import WEIGHTS

# The readings of a model: the first is that there is nothing between the two.
READINGS = {
    "pair": ("unrelated", "update", "same"),
    "task": ("open", "done", "dropped"),
    "closed": ("closed", "reopened"),
}
BIAS = ""  # the weight that every pair gets


def weigh(model: str, found: Mapping[str, float], *, vectors: bool) -> dict[str, float]:
    """The probability of each reading by one of the models; `vectors`: whether the features know the nearness."""
    sums = [0.0, *_sums(model, found, vectors)]
    highest = max(sums)
    shares = [math.exp(each - highest) for each in sums]
    return {reading: share / sum(shares) for reading, share in zip(READINGS[model], shares, strict=True)}


def strongest(model: str, found: Mapping[str, float], reading: str, *, vectors: bool) -> list[str]:
    """The names of the features that speak for a reading, the one that says most first."""
    table, index = _table(model, vectors), READINGS[model].index(reading) - 1
    said = {name: table[name][index] * value for name, value in found.items() if name in table}
    return sorted((name for name, value in said.items() if value > 0), key=lambda name: (-said[name], name))


def _sums(model: str, found: Mapping[str, float], vectors: bool) -> list[float]:
    table = _table(model, vectors)
    sums = list(table[BIAS])
    for name, value in found.items():
        for index, weight in enumerate(table.get(name, ())):
            sums[index] += weight * value
    return sums


def _table(model: str, vectors: bool) -> Mapping[str, tuple[float, ...]]:
    return WEIGHTS[model if vectors else f"{model}_by_words"]
