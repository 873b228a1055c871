"""Questions about a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from memory_plugin.index.occasions import occasion
from tests.index.test_succession import BLANK

TODAY = date(2026, 11, 30)  # a Monday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did we finish on the 14th?", "2026-11-14", "2026-11-14"),
        ("what did we decide last Tuesday?", "2026-11-24", "2026-11-24"),
        ("qu'est-ce qu'on a fait hier ?", "2026-11-29", "2026-11-29"),
        ("qu'a-t-on décidé le 3 novembre ?", "2026-11-03", "2026-11-03"),
        ("what happened last week?", "2026-11-23", "2026-11-29"),
        ("what did we do about billing in October?", "2026-10-01", "2026-10-31"),
    ],
)
def test_the_days_that_a_question_names(question: str, first: str, last: str) -> None:
    found = occasion(question, TODAY)
    assert found
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize("question", ["which port did we choose?", "what is due next Friday?", "", "is 3.11.14 out?"])
def test_a_question_that_names_no_day_that_has_begun(question: str) -> None:
    assert occasion(question, TODAY) is None


@pytest.mark.parametrize(
    ("question", "names_one"),
    [
        ("what did we finish on the 14th?", False),
        ("what happened yesterday?", False),
        ("qu'est-ce qu'on a décidé hier ?", False),
        ("what did we decide about the cache on the 14th?", True),
        ("qu'a-t-on dit de la facturation le 3 novembre ?", True),
    ],
)
def test_whether_the_question_names_a_subject_too(question: str, names_one: bool) -> None:
    found = occasion(question, TODAY)
    assert found
    assert bool(found.about) is names_one


@pytest.mark.parametrize(
    ("fields", "inside"),
    [
        ({"date": "2026-11-14"}, True),
        ({"date": "2026-11-13"}, False),
        ({"date": "2026-11-01", "until": "2026-11-14"}, True),
        ({"date": "2026-11-01", "seen": "2026-11-14"}, True),
        ({"date": "2026-11-15", "text": "We released 1.4 yesterday (2026-11-14)."}, True),
        ({"date": "2026-11-15", "text": "See report-2026-11-14-final."}, False),
    ],
)
def test_a_chunk_is_of_its_own_days_and_of_those_that_it_names(fields: dict[str, str], inside: bool) -> None:
    found = occasion("what did we finish on the 14th?", TODAY)
    assert found
    chunk = replace(BLANK, **{"date": "", **fields})  # type: ignore[arg-type]
    assert found.holds(chunk) is inside
