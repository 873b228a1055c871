"""From what two searches found to one order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

from memory_plugin.index.chunks import Chunk, Source, chunks
from memory_plugin.index.embedding import Vectors
from memory_plugin.index.rows import Row, key_of
from memory_plugin.index.scoring import (
    ASKED,
    ASKED_TALK,
    DIVERSITY,
    FEW,
    RECENCY_FLOOR,
    UNASKED,
    VECTOR_FULL,
    Bar,
    Hit,
    Passage,
    diverse,
    growth,
    hit,
    likeness,
    recency,
    worth,
)
from memory_plugin.index.terms import index_terms, query_terms
from memory_plugin.index.vocabulary import Vocabulary

TODAY = date(2026, 12, 1)
TEXTS = [
    "We index with LanceDB.",
    "Backups run at three.",
    "Backups are checked on Monday.",
    "The office is in Lyon.",
    "Call getCustomerById first.",
]


def row(text: str, vector: Vectors | None = None, **changes: object) -> Row:
    (chunk,) = chunks(f"- {text}", Source("/home/project/notes.md", "project", "log"))
    chunk = replace(chunk, **changes)  # type: ignore[arg-type]
    return Row(key_of(chunk), chunk, index_terms(chunk.text), vector)


def vocabulary() -> Vocabulary:
    counted = Vocabulary()
    counted.add(index_terms(text) for text in TEXTS)
    return counted


def ask(text: str, prompt: str, cosine: float | None = None, bar: Bar = UNASKED, **changes: object) -> Hit:
    vector = None if cosine is None else np.array([cosine, (1 - cosine**2) ** 0.5], np.float32)
    query = None if cosine is None else np.array([1, 0], np.float32)
    return hit(row(text, vector, **changes), [Passage(query_terms(prompt), query)], 0.5, vocabulary(), TODAY, bar)


@pytest.mark.parametrize("cosine", [None, -1.0, 0.0, 0.3, 0.75, 1.0])
@pytest.mark.parametrize("prompt", ["", "backups", "backups three", "LanceDB getCustomerById backups run three"])
def test_every_figure_lies_between_0_and_1(prompt: str, cosine: float | None) -> None:
    found = ask(TEXTS[1], prompt, cosine)
    figures = [found.score, found.keyword, *([] if found.vector is None else [found.vector])]
    assert all(0 <= figure <= 1 for figure in figures)
    assert found.score <= worth(found.row.chunk, TODAY)


def test_vector_and_keyword_count_for_the_same_in_relevance() -> None:
    found = ask(TEXTS[1], "backups run", 0.6)
    assert found.vector == pytest.approx(0.6 / 0.5 / VECTOR_FULL)
    relevance = found.score / worth(found.row.chunk, TODAY)
    assert relevance == pytest.approx(0.5 * (found.vector or 0) + 0.5 * found.keyword)


def test_without_a_vector_the_keyword_score_stands_alone() -> None:
    found = ask(TEXTS[1], "backups run")
    assert found.vector is None
    assert found.score / worth(found.row.chunk, TODAY) == pytest.approx(found.keyword)


def test_two_rare_words_in_common_say_more_than_one_and_a_rare_word_more_than_a_common_one() -> None:
    two = ask(TEXTS[1], "backups three").keyword
    rare = ask(TEXTS[1], "three").keyword
    common = ask(TEXTS[1], "backups").keyword
    assert two > rare > common > 0


@pytest.mark.parametrize(
    ("text", "prompt", "cosine", "sure"),
    [
        (TEXTS[1], "backups", None, False),
        (TEXTS[1], "backups three", None, True),
        (TEXTS[4], "getCustomerById", None, True),
        (TEXTS[1], "", 0.3, False),
        (TEXTS[1], "", 0.45, True),
        (TEXTS[1], "backups", 0.2, False),
        (TEXTS[1], "backups", 0.25, True),
        (TEXTS[1], "backups three", 0.1, False),
        (TEXTS[1], "backups three", 0.15, True),
    ],
)
def test_the_less_words_in_common_the_nearer_a_note_must_be(
    text: str, prompt: str, cosine: float | None, sure: bool
) -> None:
    assert ask(text, prompt, cosine).sure is sure


def test_a_prompt_that_asks_for_the_memory_gets_a_note_that_is_less_near() -> None:
    assert not ask(TEXTS[1], "", 0.25).sure
    assert ask(TEXTS[1], "", 0.25, ASKED).sure
    assert not ask(TEXTS[1], "", 0.15, ASKED).sure


def test_of_several_passages_the_one_that_is_answered_best_counts() -> None:
    passages = [Passage(query_terms(prompt), None) for prompt in ("the office", "backups run at three", "")]
    alone = ask(TEXTS[1], "backups run at three")
    assert hit(row(TEXTS[1]), passages, 1.0, vocabulary(), TODAY) == alone


@pytest.mark.parametrize(
    ("category", "day", "expected"),
    [
        ("identity", "1999-01-01", 1.0),
        ("lesson", "1999-01-01", 1.0),
        ("", "1999-01-01", 1.0),
        ("goal", "", 1.0),
        ("goal", "not a day", 1.0),
        ("goal", "2026-12-01", 1.0),
        ("goal", "2027-12-01", 1.0),
        ("goal", "2026-11-17", (1 + RECENCY_FLOOR) / 2),
        ("goal", "1999-01-01", RECENCY_FLOOR),
    ],
)
def test_recency_halves_with_each_lifetime_down_to_its_floor(category: str, day: str, expected: float) -> None:
    assert recency(row(TEXTS[0], category=category, date=day).chunk, TODAY) == pytest.approx(expected)


@pytest.mark.parametrize(
    "change", [{"importance": 0.2}, {"confidence": 0.2}, {"category": "goal", "date": "2020-01-01"}]
)
def test_what_is_less_important_less_sure_or_older_is_worth_less(change: dict[str, Any]) -> None:
    chunk: Chunk = row(TEXTS[0]).chunk
    assert worth(row(TEXTS[0], **change).chunk, TODAY) < worth(chunk, TODAY)


def test_rows_are_alike_by_id_by_terms_or_by_vector() -> None:
    east, north = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    assert likeness(row(TEXTS[0], id="same"), row(TEXTS[1], id="same")) == 1
    assert likeness(row("We index with LanceDB!"), row(TEXTS[0])) == 1
    assert likeness(row(TEXTS[0], east), row(TEXTS[1], east)) == 1
    assert likeness(row(TEXTS[0], east), row(TEXTS[1], north)) == 0


def test_of_two_that_say_the_same_the_better_is_kept() -> None:
    hits = [ask(text, "backups run three") for text in ("Backups run at three!", TEXTS[1], TEXTS[2])]
    chosen, repeats, _ = diverse(hits, 3)
    assert [len(chosen), len(repeats)] == [2, 1]
    assert repeats[0].row.chunk.text in ("Backups run at three!", TEXTS[1])


def test_something_different_goes_before_more_of_the_same() -> None:
    vectors = [np.array(each, np.float32) for each in ([1, 0], [0.9, 0.436], [0, 1])]
    hits = [
        replace(ask(text, ""), row=row(text, vector), score=score)
        for text, vector, score in zip(TEXTS, vectors, (0.9, 0.8, 0.7), strict=False)
    ]
    assert [each.score for each in diverse(hits, 2)[0]] == [0.9, 0.7]
    assert diverse(hits, 0)[:2] == ([], [])
    assert diverse([], 4) == ([], [], {})


def test_what_likeness_to_a_better_one_takes_is_told_of_each() -> None:
    vectors = [np.array(each, np.float32) for each in ([1, 0], [0.8, 0.6], [0, 1])]
    hits = [
        replace(ask(text, ""), row=row(text, vector), score=score)
        for text, vector, score in zip(TEXTS, vectors, (0.9, 0.8, 0.2), strict=False)
    ]
    _, _, taken = diverse(hits, 2)
    assert [taken[each.row.key] for each in hits] == pytest.approx([0, DIVERSITY * 0.8 * 0.8, DIVERSITY * 0.2 * 0.6])


@pytest.mark.parametrize("cosine", [-0.9, 0.1, 0.95])
def test_the_evidence_is_kept_as_it_was_found(cosine: float) -> None:
    found = ask(TEXTS[1], "backups three office", cosine)
    assert found.nearness == pytest.approx(cosine / 0.5)
    assert [term.forms[0] for term in found.matched] == ["backup", "three"]
    assert ask(TEXTS[1], "backups").nearness is None


@pytest.mark.parametrize(
    ("bar", "matched", "compared", "wanted"),
    [
        (UNASKED, 0, True, UNASKED.nearest[0]),
        (UNASKED, 1, True, UNASKED.nearest[1]),
        (UNASKED, 9, True, UNASKED.nearest[2]),
        (UNASKED, 9, False, 2),
        (ASKED_TALK, 9, False, 3),
        (ASKED, 2, True, ASKED.nearest[2]),
    ],
)
def test_a_bar_says_what_it_wants(bar: Bar, matched: int, compared: bool, wanted: float) -> None:
    assert bar.wanted(matched, compared=compared) == wanted


def test_a_bar_is_raised_in_all_that_it_asks_of_a_note() -> None:
    assert Bar(0.25, 0.5, (1.0, 0.75, 0.25), words=3).raised(1.5) == Bar(0.375, 0.75, (1.5, 1.125, 0.375), 3)


@pytest.mark.parametrize(
    ("text", "language", "share"),
    [
        ("The office is in Lyon.", "english", 0.5),
        ("The office is in Lyon.", "french", 0.7),
        ("Le bureau est à Lyon.", "french", 0.5),
        ("Le bureau est à Lyon.", "english", 0.7),
        ("事務所はリヨンにあります", "unspaced", 0.7),
        ("事務所はリヨンにあります", "english", 0.7),
    ],
)
def test_nearness_counts_for_more_where_words_say_less(text: str, language: str, share: float) -> None:
    vector = np.array([0.5, 0.5], np.float32)
    found = hit(row(text, vector), [Passage(query_terms("Lyon"), vector, language)], 0.5, vocabulary(), TODAY)
    relevance = found.score / worth(found.row.chunk, TODAY)
    assert relevance == pytest.approx(share * (found.vector or 0) + (1 - share) * found.keyword)
    assert found.vector != found.keyword


def test_a_bar_stands_as_it_is_among_few_notes() -> None:
    assert {growth(notes) for notes in (0, 1, 60, FEW)} == {1.0}


@pytest.mark.parametrize("notes", [FEW, 3 * FEW, 10_000, 100_000])
def test_each_tenfold_of_notes_raises_a_bar_by_the_same(notes: int) -> None:
    step = growth(10 * FEW) - 1
    assert 0.05 < step < 0.15
    assert growth(10 * notes) - growth(notes) == pytest.approx(step)
