"""Notes beside one that answers: what was said in one breath is about one thing, so they strengthen each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_plugin.index.conditions import one_of, quoted
from memory_plugin.index.rows import Row
from memory_plugin.index.scoring import Hit

_LOOKED_AT = 3  # of the best hits
# What of a hit's score its neighbour gains, one line away and two, of what it lacks itself; measured by
# `python -m benchmarks.recall`.
_SHARES = (0.5, 0.4)


def beside(hits: Sequence[Hit]) -> str:
    """The condition on rows that stand near the best hits (at least one) in their files."""
    reach, best = len(_SHARES), [each.row.chunk for each in hits[:_LOOKED_AT]]
    near = " OR ".join(
        f"(path = {quoted(each.path)} AND end_line >= {each.line - reach} AND line <= {each.end_line + reach})"
        for each in best
    )
    # Of a condition with "or" LanceDB asks no index; so the files come first.
    return f"{one_of('path', dict.fromkeys(each.path for each in best))} AND ({near})"


def strengthened(hits: Sequence[Hit]) -> list[Hit]:
    """The hits (given with the best first), each with its share of the best one near it; best first."""
    best = hits[:_LOOKED_AT]
    gained = [(1 - each.score) * max((_share(each.row, other) for other in best), default=0.0) for each in hits]
    moved = [replace(each, score=each.score + more, beside=more) for each, more in zip(hits, gained, strict=True)]
    return sorted(moved, key=lambda each: (-each.score, each.row.key))


def _share(row: Row, best: Hit) -> float:
    chunk, other = row.chunk, best.row.chunk
    distance = max(other.line - chunk.end_line, chunk.line - other.end_line)
    if chunk.path != other.path or not 1 <= distance <= len(_SHARES):
        return 0.0
    return _SHARES[distance - 1] * best.score
