"""A life of the index alone: filled, damaged, opened and searched, in a process of its own, which the damage may end.

Run as `python -m benchmarks.faults.indexing FOLDER SEED` by `files.table_corrupted`, and once more when it was ended.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
from pathlib import Path

from benchmarks.faults.scene import expect
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import FOLDER, Index, IndexDamaged
from memory_plugin.index.terms import query_terms
from tests.support.damage import corrupt
from tests.support.words_embedder import WordsEmbedder


def live(folder: Path, chance: random.Random) -> None:
    """Fill an index and damage it, while it is open or after; then what a service and `doctor --fix` do."""
    embedder = WordsEmbedder() if chance.random() < 0.5 else None
    before, state = folder / "before", str(folder / "state")
    if before.exists():
        with Index.open(state) as index:
            _check(index, folder, embedder)
        return
    with Index.open(state) as index:
        _fill(index, folder, embedder)
        index.optimize()
        before.write_text(json.dumps(_contents(index)))
        if chance.random() < 0.5:
            corrupt(folder / "state" / FOLDER, chance)
            _check(index, folder, embedder)
            return
    corrupt(folder / "state" / FOLDER, chance)
    with Index.open(state) as index:
        _check(index, folder, embedder)


def _fill(index: Index, folder: Path, embedder: WordsEmbedder | None) -> None:
    """As the service does: what a sync meets is made good by the next one."""
    for _ in range(4):
        with contextlib.suppress(Exception):
            sync(index, Roots(str(folder / "home")), embedder)
            if not index.stale:
                return
    expect(False, "the index stays damaged")


def _contents(index: Index) -> list[str]:
    return sorted(row.chunk.text for row in index.by_filter("line >= 0", 10_000))


def _check(index: Index, folder: Path, embedder: WordsEmbedder | None) -> None:
    with contextlib.suppress(Exception):  # a prompt in between is silent then
        index.by_keyword(query_terms("value7"), "", 5)
        index.by_vector(WordsEmbedder().query("value7"), "", 5)
    _fill(index, folder, embedder)
    with contextlib.suppress(IndexDamaged):
        index.distrust()  # `doctor --fix`, for bytes that turned over without anybody noticing
    _fill(index, folder, embedder)
    expect(_contents(index) == json.loads((folder / "before").read_text()), "it does not hold what the files say")
    for word in ("value7", "value64", "mailer"):
        expect(index.by_keyword(query_terms(word), "", 5), f"{word} is not found")
    if embedder:
        expect(index.missing() == 0, "vectors are missing")
        expect(index.by_vector(embedder.query("value7"), "", 5), "nothing is near")


if __name__ == "__main__":
    live(Path(sys.argv[1]), random.Random(sys.argv[2]))
