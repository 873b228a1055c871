"""From what two searches found to one order: relevance, what a fact is worth, diversity. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.embedding import Vectors
from memory_plugin.index.rows import Row
from memory_plugin.index.terms import Term
from memory_plugin.index.vocabulary import Vocabulary
from memory_plugin.memory.fact import CATEGORIES

VECTOR_SHARE = 0.7
# Centred cosines (see centring): measured by benchmarks/calibration.py.
VECTOR_FLOOR, VECTOR_CEILING = 0.10, 0.50
# Summed weights of the matching terms at which a keyword score is one half.
KEYWORD_HALF = 1.5
LEAST_SCORE = 0.3
IMPORTANCE_EXPONENT = 0.15
CONFIDENCE_EXPONENT = 0.15
RECENCY_FLOOR = 0.8
DIVERSITY = 0.3
ALIKE = 0.92


@dataclass(frozen=True, slots=True)
class Hit:
    """A row and how well it answers: vector, keyword, relevance and score on 0 to 1; vector None without one.

    matched: which of the prompt's terms it has; cosine: the centred one, raw.
    """

    row: Row
    score: float
    relevance: float
    vector: float | None
    keyword: float
    cosine: float
    matched: tuple[Term, ...]


def hit(row: Row, prompt: Vectors | None, terms: Sequence[Term], vocabulary: Vocabulary, today: date) -> Hit:
    """Score one row against a prompt's vector (None: keyword only) and terms."""
    strength, matched = vocabulary.score(terms, row.terms)
    keyword = strength / (strength + KEYWORD_HALF)
    cosine, vector = 0.0, None
    if prompt is not None and row.vector is not None:
        cosine = float(row.vector @ prompt)
        vector = min(max((cosine - VECTOR_FLOOR) / (VECTOR_CEILING - VECTOR_FLOOR), 0.0), 1.0)
    relevance = keyword if vector is None else VECTOR_SHARE * vector + (1 - VECTOR_SHARE) * keyword
    return Hit(row, relevance * worth(row.chunk, today), relevance, vector, keyword, cosine, tuple(matched))


def worth(chunk: Chunk, today: date) -> float:
    """What a chunk counts for whatever the prompt, 0 to 1: its importance, confidence and age."""
    return float(chunk.importance**IMPORTANCE_EXPONENT * chunk.confidence**CONFIDENCE_EXPONENT * recency(chunk, today))


def recency(chunk: Chunk, today: date) -> float:
    """1 for today, half-way to its floor after the category's lifetime; always 1 for what never goes stale."""
    lifetime = CATEGORIES[chunk.category][0] if chunk.category in CATEGORIES else None
    if lifetime is None or not chunk.date:
        return 1.0
    try:
        age = max((today - date.fromisoformat(chunk.date)).days, 0)
    except ValueError:
        return 1.0
    return float(RECENCY_FLOOR + (1 - RECENCY_FLOOR) * 0.5 ** (age / lifetime))


def likeness(left: Row, right: Row) -> float:
    """How much two rows say the same, 0 to 1: by their vectors, else by the terms they share."""
    if left.chunk.id == right.chunk.id:
        return 1.0
    ours, theirs = set(left.terms.split()), set(right.terms.split())
    shared = len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0
    if left.vector is None or right.vector is None:
        return shared
    return max(shared, float(left.vector @ right.vector))


def diverse(hits: Sequence[Hit], wanted: int) -> tuple[list[Hit], list[Hit]]:
    """Maximal marginal relevance: the hits worth having together, best first, and those that say the same as one."""
    left = sorted(hits, key=lambda each: (-each.score, each.row.key))
    chosen: list[Hit] = []
    repeats: list[Hit] = []
    closest = dict.fromkeys((each.row.key for each in left), 0.0)
    while left and len(chosen) < wanted:
        best = max(left, key=lambda each: each.score - DIVERSITY * each.score * closest[each.row.key])
        left.remove(best)
        chosen.append(best)
        for each in left:
            closest[each.row.key] = max(closest[each.row.key], likeness(best.row, each.row))
        repeats += [each for each in left if closest[each.row.key] >= ALIKE]
        left = [each for each in left if closest[each.row.key] < ALIKE]
    return chosen, repeats
