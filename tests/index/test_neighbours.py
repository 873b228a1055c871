"""Notes beside one that answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory_plugin.index.chunks import Source, chunks
from memory_plugin.index.neighbours import beside, strengthened
from memory_plugin.index.recall import recall
from memory_plugin.index.rows import Row, key_of
from memory_plugin.index.scoring import Hit
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.index.terms import index_terms
from tests.support.recalling import NOW


def hit(text: str, score: float, line: int = 1, path: str = "/home/project/log.md", end_line: int = 0) -> Hit:
    (chunk,) = chunks(f"- {text}", Source(path, "project", "log"))
    chunk = replace(chunk, line=line, end_line=end_line or line)
    return Hit(Row(key_of(chunk), chunk, index_terms(text), None), score, None, score, True)


def scores(*hits: Hit) -> dict[str, float]:
    return {each.row.chunk.text: round(each.score, 3) for each in strengthened(hits)}


@pytest.mark.parametrize(
    ("line", "gained"), [(9, 0.0), (10, 0.4), (11, 0.5), (12, 0.0), (13, 0.5), (14, 0.4), (15, 0.0)]
)
def test_a_note_gains_of_a_better_one_the_nearer_it_stands_and_of_what_it_lacks(line: int, gained: float) -> None:
    assert scores(hit("best", 1.0, 12), hit("other", 0.2, line))["other"] == pytest.approx(0.2 + 0.8 * gained)


def test_a_note_of_several_lines_is_near_by_its_first_and_last_one() -> None:
    found = scores(hit("best", 1.0, 10, end_line=14), hit("after", 0.1, 15), hit("before", 0.1, 6, end_line=8))
    assert (found["after"], found["before"]) == (0.55, 0.46)


def test_a_note_of_another_file_gains_nothing() -> None:
    assert scores(hit("best", 1.0, 12), hit("other", 0.1, 13, path="/home/project/other.md"))["other"] == 0.1


def test_of_two_neighbours_the_better_one_counts_and_the_worse_one_helps_the_better() -> None:
    assert scores(hit("best", 0.8, 5), hit("good", 0.5, 7), hit("between", 0.2, 6)) == {
        "best": 0.84,  # .2 is what it lacks, and .4 the share of "good", two lines away
        "good": 0.66,
        "between": 0.52,
    }


def test_only_the_best_hits_strengthen_others() -> None:
    best = [hit(f"best {number}", 0.9, 100 * number) for number in range(1, 4)]
    found = scores(*best, hit("fourth", 0.8, 801), hit("beside the fourth", 0.1, 802))
    assert found["beside the fourth"] == 0.1


def test_what_a_hit_gained_is_told_and_the_best_come_first() -> None:
    found = strengthened([hit("best", 0.6, 5), hit("far", 0.3, 50), hit("near", 0.2, 6)])
    assert [each.row.chunk.text for each in found] == ["best", "near", "far"]
    assert [round(each.beside, 3) for each in found] == [0.04, 0.24, 0.0]


def test_no_hits_strengthen_nothing() -> None:
    assert strengthened([]) == []


def test_what_stands_beside_is_asked_for_by_its_file_first() -> None:
    asked = beside([hit("one", 0.9, 5), hit("two", 0.8, 9), hit("three", 0.7, 2, path="/home/it's/other.md")])
    assert asked.startswith("path IN ('/home/project/log.md', '/home/it''s/other.md') AND (")
    assert asked.endswith("(path = '/home/it''s/other.md' AND end_line >= 0 AND line <= 4))")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    folder = tmp_path / "home" / "it's a project"
    folder.mkdir(parents=True)
    folder.joinpath("2026-11-30.md").write_text(
        "# Monday\n\n- Mireille asked what the orchard robot should be called.\n- It is to be Walnut.\n"
        + "".join(f"- The meeting about topic {number} was short.\n" for number in range(60)),
        "utf-8",
    )
    with Index.open(str(tmp_path / "state")) as opened:
        sync(opened, Roots(str(tmp_path / "home")), None)
        yield opened


def asked(index: Index, *, for_prompt: bool) -> list[str]:
    prompt = "what is the orchard robot called"
    found = recall(prompt, index=index, embedder=None, namespaces=(), now=NOW, for_prompt=for_prompt)
    return [note.text for note in found.notes]


def test_the_answer_that_shares_no_word_is_found_beside_its_question(index: Index) -> None:
    assert asked(index, for_prompt=False)[:2] == [
        "Mireille asked what the orchard robot should be called.",
        "It is to be Walnut.",
    ]


def test_what_stands_beside_but_has_too_little_in_common_is_not_put_before_a_model(index: Index) -> None:
    assert asked(index, for_prompt=True) == ["Mireille asked what the orchard robot should be called."]
