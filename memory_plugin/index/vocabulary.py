"""How many rows hold each term: what makes a keyword weigh little or much, kept in memory beside the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from memory_plugin.index.terms import Term

# Okapi BM25's usual constants; short notes differ little in length for a reason, so length counts for half as usual.
_SATURATION = 1.2
_LENGTH_SHARE = 0.4
# A memory of three notes says nothing of which words are common: as many more without any of them are supposed.
_UNSEEN_ROWS = 50
# In more rows than these a word is no rarer for it: else what one row in a hundred has would weigh less the larger a
# memory grows, and a note that answers would fall under the bar.
_MOST_ROWS = 1000
# An identifier that both have is seldom chance.
_RARE_BONUS = 1.5


@dataclass(slots=True)
class Vocabulary:
    """Counts over all rows of the table, exact after every write: the rows, their terms in all, the rows that have
    each term."""

    rows: int = 0
    length: int = 0
    rows_with: Counter[str] = field(default_factory=Counter)

    def add(self, rows: Iterable[str]) -> None:
        """Count rows, each given as its terms joined by spaces."""
        for terms in rows:
            split = terms.split()
            self.rows += 1
            self.length += len(split)
            self.rows_with.update(set(split))

    def remove(self, rows: Iterable[str]) -> None:
        """Take rows out of the count again."""
        for terms in rows:
            split = terms.split()
            self.rows -= 1
            self.length -= len(split)
            for term in set(split):
                self.rows_with[term] -= 1
                if self.rows_with[term] <= 0:
                    del self.rows_with[term]

    def knows(self, form: str) -> bool:
        """Whether any row has it."""
        return form in self.rows_with

    def weight(self, form: str) -> float:
        """Inverse document frequency, 0 to 1: 1 for a term that hardly a row has, near 0 for one in most rows.

        Divided by its largest value among up to _MOST_ROWS, so that a table of ten facts and one of a hundred thousand
        are on one scale.
        """
        having = self.rows_with.get(form, 0)
        if not having:
            return 0.0
        rows = self.rows + _UNSEEN_ROWS
        rarest = math.log(1 + (min(rows, _MOST_ROWS) - 0.5) / 1.5)
        return min(math.log(1 + (rows - having + 0.5) / (having + 0.5)) / rarest, 1.0)

    def known(self, terms: Iterable[Term], most: int) -> list[Term]:
        """The terms that some row has, the rarest first, at most so many."""
        found = [term for term in terms if any(self.knows(form) for form in term.forms)]
        return sorted(found, key=lambda term: -self.term_weight(term))[:most]

    def term_weight(self, term: Term) -> float:
        """The weight of a term, 0 to 1.5: that of its commonest form, since any of them will do."""
        weights = [self.weight(form) for form in term.forms if self.knows(form)]
        return min(weights, default=0.0) * (_RARE_BONUS if term.rare else 1.0)

    def score(self, terms: Iterable[Term], row: str) -> tuple[float, list[Term]]:
        """BM25 of a row (its terms joined by spaces) with these weights, and which of the terms it has."""
        counts = Counter(row.split())
        average = self.length / self.rows if self.rows else 1.0
        length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * sum(counts.values()) / max(average, 1.0)
        score, matched = 0.0, []
        for term in terms:
            count = max(counts[form] for form in term.forms)
            if count:
                matched.append(term)
                score += self.term_weight(term) * count * (_SATURATION + 1) / (count + _SATURATION * length)
        return score, matched
