"""What makes a keyword weigh little or much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.index.terms import Term
from memory_plugin.index.vocabulary import Vocabulary


def vocabulary(*rows: str) -> Vocabulary:
    counted = Vocabulary()
    counted.add(rows)
    return counted


def term(*forms: str, rare: bool = False) -> Term:
    return Term(forms, rare)


def test_a_term_weighs_less_the_more_rows_have_it() -> None:
    counted = vocabulary("a b", "a c", "a d", "a b")
    assert 1 >= counted.weight("c") > counted.weight("b") > counted.weight("a") > 0
    assert counted.weight("unknown") == 0


@pytest.mark.parametrize("rows", [1, 3, 100, 10_000])
def test_a_term_of_one_row_weighs_about_one_in_a_small_memory_and_in_a_large_one(rows: int) -> None:
    counted = vocabulary("needle", *["hay"] * (rows - 1))
    assert counted.weight("needle") == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("share", [2, 10, 50, 200])
def test_what_the_same_share_of_rows_has_weighs_the_same_in_a_large_memory_and_in_a_larger_one(share: int) -> None:
    smaller, larger = (
        vocabulary(*["common"] * (rows // share), *["other"] * (rows - rows // share)) for rows in (1_000, 20_000)
    )
    assert larger.weight("common") == pytest.approx(smaller.weight("common"), abs=0.03)


def test_a_term_with_several_forms_weighs_what_its_commonest_does_and_an_identifier_more() -> None:
    counted = vocabulary("base bas", "bas")
    assert counted.term_weight(term("base", "bas", "unknown")) == counted.weight("bas")
    assert counted.term_weight(term("base", rare=True)) == 1.5 * counted.weight("base")


def test_the_rarest_terms_are_searched_for() -> None:
    counted = vocabulary("a b", "a c", "a d", "a b")
    assert counted.known([term("a"), term("x"), term("b"), term("c")], 2) == [term("c"), term("b")]


def test_a_row_scores_by_what_it_has_and_a_short_one_higher() -> None:
    counted = vocabulary("a b", "a b c d e f g h", "x")
    terms = [term("a"), term("b"), term("y")]
    short, long = counted.score(terms, "a b"), counted.score(terms, "a b c d e f g h")
    assert short[0] > long[0] > 0
    assert short[1] == long[1] == [term("a"), term("b")]
    assert counted.score(terms, "x") == (0, [])
    assert Vocabulary().score(terms, "") == (0, [])


_ROWS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join), max_size=8)


@given(_ROWS, _ROWS)
def test_what_is_taken_out_again_leaves_no_trace(kept: list[str], removed: list[str]) -> None:
    counted = vocabulary(*kept, *removed)
    counted.remove(removed)
    assert counted == vocabulary(*kept)
