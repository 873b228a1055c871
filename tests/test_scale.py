"""The benchmark of large memories, on small ones: what it writes, what it asks, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.filling import OWN, Filling, Prepared, real_texts
from benchmarks.scale import Hybrid, Measured, Questions, ask, better, grow, table
from memory_plugin.index.table import Index
from tests.support.words_embedder import WordsEmbedder

CORE = [
    "- **reference** The staging server listens on port 8443.\n",
    "- **preference** Always use pnpm, never npm, in the web folder.\n",
    "- **identity** Maya approves schema changes of the catalogue.\n",
]
PLACES = "museum lighthouse orchard bakery theatre quarry vineyard aquarium castle".split()
QUESTIONS = Questions(
    [
        ("which port does the staging server listen on?", "The staging server listens on port 8443."),
        ("who approves schema changes of the catalogue?", "Maya approves schema changes of the catalogue."),
        ("use pnpm in the web folder", "Always use pnpm, never npm, in the web folder."),
        ("which colour has the kitchen?", "The kitchen is green."),
    ],
    ["hello there, how are you?", "tell me a joke"],
)


@pytest.fixture(scope="module")
def filling() -> Filling:
    texts = [
        f"The {one} beyond the {other} opened in {1900 + number}. Visitors came by boat."
        for number, (one, other) in enumerate((one, other) for one in PLACES for other in PLACES if one != other)
    ]
    return Filling(texts[:60], WordsEmbedder().documents(texts[:60]))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, filling: Filling) -> list[Measured]:
    folder, embedder = str(tmp_path_factory.mktemp("scale")), WordsEmbedder()
    prepared, found = Prepared(embedder.identity, {}, embedder), []
    for size in (80, 400):
        with Index.open(folder) as index:
            grow(index, size, CORE, filling, prepared)
        found.append(ask(folder, QUESTIONS, prepared, rounds=1))
    return found


@pytest.fixture
def index(tmp_path: Path, filling: Filling) -> Iterator[Index]:
    embedder = WordsEmbedder()
    with Index.open(str(tmp_path)) as opened:
        grow(opened, 100, CORE, filling, Prepared(embedder.identity, {}, embedder))
        yield opened


def test_there_are_real_texts_without_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_DATA", str(tmp_path / "absent"))
    texts = real_texts(10_000)
    assert len(texts) == len(set(texts)) > 500
    assert real_texts(10_000) == texts
    assert set(real_texts(10_000, frozenset(texts[:3]))) == set(texts[3:])


def test_texts_of_the_data_folder_are_taken_where_there_are_any(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "markdown" / "someone"
    folder.mkdir(parents=True)
    first, second = "The ferry leaves at nine from the old harbour.", "Tickets are sold on board, in cash."
    folder.joinpath("a.md").write_text(f"# Ferry\n\n{first}\n\n- {second} Children\n  travel free.\n", "utf-8")
    monkeypatch.setenv("MEMORY_PLUGIN_DATA", str(tmp_path))
    assert sorted(real_texts(10)) == sorted([first, f"- {second} Children travel free."])


def test_any_number_of_chunks_is_made_each_another(filling: Filling) -> None:
    made = [filling.chunk(number) for number in range(2000)]
    assert len({chunk.text for chunk in made}) == len({chunk.id for chunk in made}) == 2000
    assert [chunk.text for chunk in made[:60]] == list(filling.texts)
    own = [chunk for chunk in made if chunk.namespace == OWN]
    assert len(own) == 1000
    assert sum(chunk.kind == "exchange" for chunk in own) == 250
    assert made == [filling.chunk(number) for number in range(2000)]


@pytest.mark.parametrize("number", [0, 59, 60, 1234])
def test_a_vector_is_that_of_the_text_or_near_it(filling: Filling, number: int) -> None:
    vector, own = filling.vector(number), filling.vectors[number % 60]
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)
    assert vector.dtype == np.float32
    assert (filling.vector(number) == vector).all()
    near = float(vector @ own)
    assert near == pytest.approx(1, abs=1e-4) if number < 60 else 0.7 < near < 0.999


def test_the_prepared_embedder_asks_the_other_once_for_what_it_does_not_know() -> None:
    behind = WordsEmbedder()
    given = behind.query("given")
    prepared = Prepared(behind.identity, {"a": given}, behind)
    rows = prepared.documents(["a", "b", "b"])
    assert (rows[0] == given).all()
    assert (rows[1] == rows[2]).all()
    assert prepared.documents(["b"]).shape == (1, 256)
    assert behind.seen == ["b"]
    assert (prepared.query("a") == behind.query("a")).all()  # a question is not the text that reads the same
    with pytest.raises(LookupError):
        Prepared(behind.identity, {}).documents(["unknown"])


def test_a_grown_memory_has_the_size_that_was_asked_for_all_of_it_embedded(index: Index, filling: Filling) -> None:
    assert (index.count(), index.missing()) == (100, 0)
    embedder = WordsEmbedder()
    grow(index, 250, CORE, filling, Prepared(embedder.identity, {}, embedder))
    assert (index.count(), index.missing()) == (250, 0)
    assert len(index.by_filter("id LIKE 'filling%'", 1000)) == 247


def test_lancedbs_own_query_finds_notes_of_the_project_alone(index: Index) -> None:
    rows = Hybrid(index)(QUESTIONS.prompts[0], WordsEmbedder())
    assert rows[0].chunk.text == "The staging server listens on port 8443."
    assert {(row.chunk.namespace, row.chunk.kind == "exchange") for row in rows} == {(OWN, False)}


def test_answers_and_costs_are_told_for_each_size(measured: list[Measured]) -> None:
    small, large = measured
    assert [each.size for each in measured] == [80, 400]
    assert list(small.shown[:3]) == [0, 0, 0]
    assert small.shown[3] is None
    assert len(small.answers) == len(large.answers) == 6
    assert small.quiet == large.quiet == 1
    for each in measured:
        assert 0 < each.rows < each.size
        assert all(cost.cpu > 0 and cost.wall > 0 for cost in (each.prompt, each.search, each.hybrid, each.first))
        assert each.disk > 0


def test_the_table_compares_every_size_with_the_smallest(measured: list[Measured]) -> None:
    lines = table(measured)
    assert lines[0].split() == ["chunks", "80", "400"]
    cells = {line[:34].strip(): line[34:].split() for line in lines}
    assert cells["the note needed is shown"][0] == "0.75"
    assert cells["... or not, as in the smallest"][0] == cells["... times the smallest"][0] == "1.00"
    assert all(len(row) == 2 for row in cells.values())


@pytest.mark.parametrize(
    ("now", "same"),
    [
        ({"a": 0.8, "b": 0.5}, True),
        ({"b": 0.9, "a": 0.8}, True),
        ({"new": 0.9, "a": 0.8}, True),
        ({"a": 0.8, "new": 0.6, "b": 0.5}, True),
        ({"a": 0.8, "new": 0.4}, False),
        ({"a": 0.8, "b": 0.5, "new": 0.3}, False),
        ({"a": 0.8}, False),
        ({"new": 0.9}, False),
        ({}, False),
    ],
)
def test_only_notes_that_fit_better_may_take_the_place_of_others(now: dict[str, float], same: bool) -> None:
    assert better(now, {"a": 0.7, "b": 0.5}) is same


def test_where_nothing_was_shown_nothing_fits_better() -> None:
    assert better({}, {})
    assert not better({"new": 0.9}, {})
