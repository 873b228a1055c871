"""Questions to Markdown that people keep: whether the file that answers is found, by keyword alone.

With the built-in model it is minutes of work: `python -m benchmarks.markdown`; docs/measured.md has its figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.markdown import (
    Found,
    Question,
    ask,
    lay_out,
    markdown_folder,
    placed,
    questions,
    share_prompted,
    share_within,
)
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from tests.support.words_embedder import WordsEmbedder

FOLDER = markdown_folder()
# Floors, under what is reached by keyword alone (.913 and .827), for a tie that falls otherwise.
WITHIN_FIVE = 0.90
PROMPTED = 0.80

needs_the_files = pytest.mark.skipif(
    FOLDER is None, reason="no real Markdown here (MEMORY_PLUGIN_DATA names its folder's parent)"
)
FILES = {
    "bakery/.notes/Rye bread.md": "---\nflour: rye\nhours: 18\n---\n",
    "bakery/2026-11-30.md": "# 2026-11-30\n\n- The oven was repaired by Giulia.\n",
    "garden/tools.md": "# Tools\n\nThe scythe hangs behind the shed.\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    for name, text in FILES.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lay_out(tmp_path / "files", tmp_path / "home")
    with Index.open(str(tmp_path / "state")) as opened:
        sync(opened, Roots(str(tmp_path / "home")), WordsEmbedder())
        yield opened


@pytest.mark.parametrize("embedder", [WordsEmbedder(), None], ids=["vectors", "keywords"])
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("bakery/.notes/Rye bread.md", "How many hours does the rye bread need?"),
        ("bakery/2026-11-30.md", "Who repaired the oven?"),
        ("garden/tools.md", "Where do we keep the scythe, behind the shed?"),
    ],
)
def test_the_file_of_each_question_is_found_in_a_hidden_folder_too(
    index: Index, tmp_path: Path, embedder: WordsEmbedder | None, file: str, text: str
) -> None:
    found = ask(Question(file, text), index, embedder, tmp_path / "home")
    assert (found.place, found.prompted, found.first) == (1, True, placed(file))


def test_a_file_that_does_not_answer_has_no_place(index: Index, tmp_path: Path) -> None:
    found = ask(Question("garden/tools.md", "Who repaired the oven?"), index, None, tmp_path / "home")
    assert (found.place, found.prompted) == (0, False)


def test_shares_count_places_within_a_depth() -> None:
    found = [Found(Question("a/b.md", "?"), place, place == 1, "") for place in (0, 1, 5, 6)]
    assert [share_within(found, depth) for depth in (1, 5, 10)] == [0.25, 0.5, 0.75]
    assert share_prompted(found) == 0.25


def test_there_are_a_hundred_and_fifty_questions_each_with_a_file() -> None:
    asked = questions()
    assert len({each.text for each in asked}) == len(asked) == 150
    assert all(each.file.endswith(".md") and each.namespace in each.file and each.text for each in asked)


@needs_the_files
def test_the_right_file_is_among_the_first_notes_of_a_search_by_keyword_alone(tmp_path: Path) -> None:
    assert FOLDER is not None
    home = tmp_path / "home"
    lay_out(FOLDER, home)
    asked = questions()
    assert [each.file for each in asked if not (home / placed(each.file)).is_file()] == []
    with Index.open(str(tmp_path / "state")) as opened:
        report = sync(opened, Roots(str(home)))
        assert report.problems == ()
        found = [ask(each, opened, None, home) for each in asked]
    assert share_within(found, 5) >= WITHIN_FIVE, [each.question.text for each in found if not 0 < each.place <= 5]
    assert share_prompted(found) >= PROMPTED


@needs_the_files
def test_no_file_with_text_is_without_a_chunk(tmp_path: Path) -> None:
    assert FOLDER is not None
    home = tmp_path / "home"
    lay_out(FOLDER, home)
    with Index.open(str(tmp_path / "state")) as opened:
        sync(opened, Roots(str(home)))
        written = [str(path) for path in home.rglob("*.md") if path.read_bytes().strip()]
        known = {row.chunk.path for row in opened.rows_of(written)}
    assert sorted(set(written) - known) == []
