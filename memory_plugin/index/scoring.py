"""From what two searches found to one order: relevance, what a fact is worth, diversity. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.embedding import Vectors
from memory_plugin.index.languages import language_of
from memory_plugin.index.rows import Former, Row
from memory_plugin.index.terms import Term
from memory_plugin.index.vocabulary import Vocabulary
from memory_plugin.memory.fact import CATEGORIES

# All of these are measured by `python -m benchmarks.calibration` and `python -m benchmarks.recall`.
VECTOR_SHARE = 0.5
# Where words say less: a note in another language than the prompt cannot have them, and of a script without spaces the
# terms are pairs of letters, of which many meet by chance.
WORDLESS_VECTOR_SHARE = 0.7
# In the unit of the embedder's own centre (see centring): 1 is a pair that belongs together.
VECTOR_FULL = 1.3
# Summed weights of the matching terms at which a keyword score is one half: one word in common is not enough.
KEYWORD_HALF = 1.5
LEAST_SEARCH_SCORE = 0.15
IMPORTANCE_EXPONENT = 0.1
CONFIDENCE_EXPONENT = 0.1
RECENCY_FLOOR = 0.85
DIVERSITY = 0.3
ALIKE = 0.92
FEW = 500  # notes among which the bars below were measured, and up to which they stand as they are
_EACH_TENFOLD = 0.09


@dataclass(frozen=True, slots=True)
class Bar:
    """What a note must reach to be put before a model. least: its score; clear: the best note's score.

    nearest: how near it must be (in the embedder's unit) with no, one or more terms in common with the prompt. words:
    how many terms it must have in common where there is no vector to compare; 0: two, or one that is rare.
    """

    least: float
    clear: float
    nearest: tuple[float, float, float]
    words: int = 0

    def wanted(self, matched: int, *, compared: bool) -> float:
        """How near a note must be with so many terms in common; without a vector, how many of these it needs."""
        return self.nearest[min(matched, 2)] if compared else self.words or 2

    def raised(self, times: float) -> Bar:
        """The bar, so many times as high."""
        none, one, more = (each * times for each in self.nearest)
        return Bar(self.least * times, self.clear * times, (none, one, more), self.words)


UNASKED = Bar(0.29, 0.35, (0.84, 0.5, 0.3))
ASKED = Bar(0.14, 0.14, (0.4, 0.25, 0.2))  # the prompt asks for what was said or settled before
PERHAPS_ASKED = Bar(0.2, 0.21, (0.55, 0.33, 0.22))  # or for something that anybody may be asked
# Of a conversation, where much is said of everything, more must agree; without a vector it takes a question about what
# was said, and many words of it.
UNASKED_TALK = Bar(0.36, 0.4, (0.9, 0.58, 0.42), words=99)
ASKED_TALK = Bar(0.15, 0.15, (0.4, 0.25, 0.2), words=3)
PERHAPS_ASKED_TALK = Bar(0.27, 0.28, (0.59, 0.4, 0.28), words=5)


def growth(notes: int) -> float:
    """How many times as high as among FEW a bar must be where so many notes are searched; 1 up to FEW.

    None of them may have to do with a prompt, and yet the best of many fits it better than the best of a few: the
    largest of n chance values grows with the logarithm of n. `python -m benchmarks.scale` measures it.
    """
    return 1 + _EACH_TENFOLD * math.log10(max(notes, FEW) / FEW)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a prompt as the searches see it: its terms, its centred vector (None: keyword only), its language."""

    terms: Sequence[Term]
    vector: Vectors | None
    language: str = "english"


@dataclass(frozen=True, slots=True)
class Hit:
    """A row and how well it answers: score, vector and keyword on 0 to 1; vector None without one.

    sure: whether the raw evidence reaches the bar: nearness, the cosine in the embedder's unit, and matched, the terms
    in common. former: what the row's fact replaced. beside: what of its score it has from a better hit near it.
    """

    row: Row
    score: float
    vector: float | None
    keyword: float
    sure: bool
    former: tuple[Former, ...] = ()
    nearness: float | None = None
    matched: Sequence[Term] = ()
    beside: float = 0.0


def hit(
    row: Row, passages: Sequence[Passage], unit: float, vocabulary: Vocabulary, today: date, bar: Bar = UNASKED
) -> Hit:
    """Score one row by the passage that it answers best; unit: what the embedder's cosines are measured by."""
    value = worth(row.chunk, today)
    hits = [_passage_hit(row, passage, unit, vocabulary, value, bar) for passage in passages]
    return max(hits, key=lambda each: (each.sure, each.score))


def _passage_hit(row: Row, passage: Passage, unit: float, vocabulary: Vocabulary, value: float, bar: Bar) -> Hit:
    strength, matched = vocabulary.score(passage.terms, row.terms)
    keyword = strength**2 / (strength**2 + KEYWORD_HALF**2)
    if passage.vector is None or row.vector is None:
        agrees = len(matched) > 1 or any(term.rare for term in matched)
        sure = len(matched) >= bar.words if bar.words else agrees
        return Hit(row, keyword * value, None, keyword, sure, (), None, matched)
    nearness = float(row.vector @ passage.vector) / unit
    vector = min(max(nearness / VECTOR_FULL, 0.0), 1.0)
    language = language_of(row.chunk.text)
    share = VECTOR_SHARE if language == passage.language != "unspaced" else WORDLESS_VECTOR_SHARE
    relevance = share * vector + (1 - share) * keyword
    sure = nearness >= bar.nearest[min(len(matched), 2)]
    return Hit(row, relevance * value, vector, keyword, sure, (), nearness, matched)


def worth(chunk: Chunk, today: date) -> float:
    """What a chunk counts for whatever the prompt, 0 to 1: its importance, confidence and age."""
    return float(chunk.importance**IMPORTANCE_EXPONENT * chunk.confidence**CONFIDENCE_EXPONENT * recency(chunk, today))


def recency(chunk: Chunk, today: date) -> float:
    """1 for today, half-way to its floor after the category's lifetime; always 1 for what never goes stale."""
    lifetime = CATEGORIES[chunk.category][0] if chunk.category in CATEGORIES else None
    if lifetime is None or not (chunk.seen or chunk.date):
        return 1.0
    try:
        age = max((today - date.fromisoformat(chunk.seen or chunk.date)).days, 0)
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


def diverse(hits: Sequence[Hit], wanted: int) -> tuple[list[Hit], list[Hit], dict[str, float]]:
    """Maximal marginal relevance: the hits worth having together, best first, and those that say the same as one; by
    each hit's key, what its likeness to one that was chosen before it took of its score."""
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
    return chosen, repeats, {each.row.key: DIVERSITY * each.score * closest[each.row.key] for each in hits}
