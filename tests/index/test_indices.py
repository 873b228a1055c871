"""The indices of a large table: the same rows are found with them as without, whatever is written, and none stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memory_plugin.index import indices
from memory_plugin.index.chunks import Chunk, Source, chunks
from memory_plugin.index.neighbours import beside
from memory_plugin.index.scoring import Hit
from memory_plugin.index.table import Index
from tests.support.words_embedder import WordsEmbedder

EMBEDDER = WordsEmbedder(dimension=1024)
WORDS = "harbour ferry ticket cabin anchor lantern rudder compass galley mast".split()
PROJECT = "namespace IN ('project') AND kind = 'fact'"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """An index for which a hundred rows are many."""
    monkeypatch.setattr(indices, "MANY", 100)
    with Index.open(str(tmp_path / "state")) as opened:
        yield opened


def notes(first: int, last: int, namespace: str = "project") -> list[Chunk]:
    lines = [
        f"- Note {number}: the {WORDS[number % 10]} of thing{number} and the {WORDS[number // 10 % 10]}.\n"
        for number in range(first, last)
    ]
    return chunks("".join(lines), Source(f"/home/{namespace}/{first}.md", namespace, "log"))


def write(index: Index, *new: Chunk) -> None:
    index.replace([], new)
    while index.embed_missing(EMBEDDER, 500):
        pass


def nearest(index: Index, text: str, where: str = PROJECT, limit: int = 5) -> list[str]:
    assert index.centre is not None
    return [row.chunk.text for row in index.by_vector(index.centre.of_prompt(EMBEDDER.query(text)), where, limit)]


def exactly(index: Index, text: str, where: str = PROJECT, limit: int = 5) -> bool:
    """Whether the search finds rows as near as the nearest of all rows that meet the condition."""
    assert index.centre is not None
    vector = index.centre.of_prompt(EMBEDDER.query(text))
    found, every = (
        sorted(float(row.vector @ vector) for row in rows if row.vector is not None and row.vector.any())
        for rows in (index.by_vector(vector, where, limit), index.by_filter(where, 10_000))
    )
    # Which of several that are almost equally near comes last is a matter of rounding.
    return len(found) == limit and bool(np.allclose(found, every[-limit:], atol=0.02)) and found[-1] == every[-1]


def kinds(index: Index) -> dict[str, str]:
    """The kind of each column's index."""
    return {
        "vector" if each.columns[0].startswith("vector_") else each.columns[0]: each.index_type
        for each in index._table.list_indices()
    }


def parts(index: Index) -> int:
    return int(index._table.index_stats(f"{index._column}_idx").num_indices)


def test_a_small_table_has_none_but_that_of_its_words(index: Index) -> None:
    write(index, *notes(0, 99))
    index.optimize()
    assert kinds(index) == {"terms": "FTS"}


def test_a_large_table_has_them_once_it_is_optimized(index: Index) -> None:
    write(index, *notes(0, 100))
    assert kinds(index) == {"terms": "FTS"}
    index.optimize()
    filters = {"kind": "Bitmap", "namespace": "Bitmap", "resident": "Bitmap", "path": "BTree"}
    assert kinds(index) == {"terms": "FTS", "vector": "IvfSq", **filters}


def test_rows_without_a_vector_do_not_count(index: Index) -> None:
    index.replace([], notes(0, 200))
    index.optimize()
    index.embed_missing(EMBEDDER, 99)
    index.optimize()
    assert kinds(index) == {"terms": "FTS"}


def test_the_same_rows_are_found_as_without(index: Index) -> None:
    write(index, *notes(0, 300), *notes(300, 400, "other"))
    asked = [f"thing{number} {WORDS[number % 7]}" for number in range(0, 400, 13)]
    index.optimize()
    assert "IvfSq" in kinds(index).values()
    assert all(exactly(index, text, where) for text in asked for where in (PROJECT, "namespace IN ('other')"))


def test_what_is_written_later_is_found_at_once_and_after_the_next_optimize(index: Index) -> None:
    write(index, *notes(0, 150))
    index.optimize()
    write(index, *notes(5000, 5020, "new"))
    for _ in range(2):
        assert exactly(index, "thing5007", "namespace IN ('new')")
        assert exactly(index, "thing5007", "resident = false")
        assert len(index.by_filter("namespace IN ('new')", 100)) == 20
        index.optimize()


def test_what_stands_beside_a_hit_is_read_by_the_index_of_paths(index: Index) -> None:
    write(index, *notes(0, 150), *notes(200, 300))
    index.optimize()
    write(index, *notes(400, 420))  # which no index has yet
    best = [row for row in index.by_filter("", 1000) if "thing5 " in row.chunk.text or "thing405 " in row.chunk.text]
    where = f"({beside([Hit(row, 1.0, None, 0.0, True) for row in best])}) AND {PROJECT}"
    found = sorted(int(row.chunk.text.split("thing")[1].split()[0]) for row in index.by_filter(where, 50))
    assert found == [3, 4, 5, 6, 7, 403, 404, 405, 406, 407]
    plan = index._table.search().where(where).select(["whole"]).explain_plan()
    assert "ScalarIndexQuery" in plan
    assert "path" in plan.split("ScalarIndexQuery")[1]


def test_what_is_removed_is_found_no_more(index: Index) -> None:
    write(index, *notes(0, 150))
    index.optimize()
    gone = [row for row in index.by_filter("", 1000) if "thing77 " in row.chunk.text]
    index.replace(gone, [])
    for _ in range(2):
        assert not any("thing77 " in text for text in nearest(index, "thing77", "", 10))
        index.optimize()


def test_a_text_with_nothing_in_it_and_rows_still_to_be_embedded_do_no_harm(index: Index) -> None:
    write(index, *notes(0, 150), *chunks("!!! ???\n", Source("/home/project/b.md", "project")))
    index.replace([], notes(200, 230, "later"))
    index.optimize()
    assert "IvfSq" in kinds(index).values()
    assert exactly(index, "thing42")
    index.embed_missing(EMBEDDER, 500)
    assert exactly(index, "thing207", "resident = false")


def test_an_index_of_many_parts_is_made_anew(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indices, "MOST_PARTS", 3)
    write(index, *notes(0, 150))
    most = 0
    for number in range(1, 7):
        write(index, *notes(1000 * number, 1000 * number + 20))
        index.optimize()
        most = max(most, parts(index))
        assert exactly(index, f"thing{1000 * number + 3}")
    assert most <= 3


def test_another_embedder_has_an_index_of_its_own(index: Index) -> None:
    write(index, *notes(0, 150))
    index.optimize()
    other = WordsEmbedder("other", dimension=512)
    assert index.use(other.identity)
    assert "IvfSq" not in kinds(index).values()
    while index.embed_missing(other, 500):
        pass
    index.optimize()
    assert "IvfSq" in kinds(index).values()
    assert not index.stale or index.count() == 150


def test_nothing_of_a_removed_row_is_left_after_scrubbing(index: Index) -> None:
    write(index, *notes(0, 150), *notes(0, 1, "secretive"))
    index.optimize()
    gone = index.by_filter("namespace = 'secretive'", 10)
    assert gone
    index.replace(gone, [])
    index.scrub()
    assert parts(index) == 1
    assert index._table.index_stats(f"{index._column}_idx").num_indexed_rows == index.count()
    files = [file for file in Path(index.folder).rglob("*") if file.is_file()]
    assert [file for file in files if b"secretive" in file.read_bytes()] == []
    assert exactly(index, "thing5")
