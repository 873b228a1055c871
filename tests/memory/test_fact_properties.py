"""Whatever a fact says: its line is read back as it was written, and so are the lines that are made of it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from memory_plugin.memory.fact import (
    Fact,
    clean,
    format_line,
    line_id,
    parse_line,
    restate,
    strike,
    strike_below,
    unstrike,
    unstrike_below,
)
from tests.support.strategies import DAY, NAMESPACE, days, facts, letters, text


@given(fact=facts(), day=days)
def test_a_fact_in_whatever_state_is_read_back(fact: Fact, day: str) -> None:
    assert parse_line(format_line(fact), NAMESPACE, DAY) == fact
    dated = replace(fact, day=day)
    assert parse_line(format_line(dated, dated=True), NAMESPACE, DAY) == dated
    assert format_line(fact).isprintable() or not format_line(fact).isascii()


@given(line=text | st.text(letters).map("- {}".format))
def test_any_line_is_a_fact_or_none_and_never_an_error(line: str) -> None:
    found = parse_line(line, NAMESPACE, DAY)
    assert found is None or (found.text and parse_line(format_line(found), NAMESPACE, DAY) is not None)
    for change in (strike, unstrike, strike_below, unstrike_below):
        assert "\n" in line or "\n" not in change(line)


@given(fact=facts(), other=facts(), tail=st.just("") | text.map(clean))
def test_a_line_made_to_say_something_else_says_it_and_then_again_what_it_said(
    fact: Fact, other: Fact, tail: str
) -> None:
    line = format_line(fact) + (f" {tail}" if tail else "")
    before = parse_line(line, NAMESPACE, DAY)
    assume(before is not None and before.id == fact.id)
    assert before is not None
    after = replace(other, id=fact.id)
    changed = restate(line, after)
    assert parse_line(changed, NAMESPACE, DAY) == after
    assert parse_line(restate(changed, before), NAMESPACE, DAY) == before
    only_marked = restate(line, replace(after, text=before.text, category=before.category))
    assert parse_line(only_marked, NAMESPACE, DAY) == replace(after, text=before.text, category=before.category)


@given(fact=facts(), tail=st.just("") | text.map(clean), ours=st.booleans())
def test_a_line_that_is_struck_says_nothing_and_stands_again_as_it_was(fact: Fact, tail: str, ours: bool) -> None:
    line = format_line(fact) + (f" {tail}" if tail else "") if ours else f"- {fact.text}"
    assume(parse_line(line, NAMESPACE, DAY) is not None)
    struck = strike(line)
    assert parse_line(struck, NAMESPACE, DAY) is None
    assert line_id(struck) == line_id(line)
    assert unstrike(struck) == line


@given(
    line=text.map(clean).filter(lambda each: "~" not in each), indented=st.sampled_from(["  ", "    - ", "\t", "  1. "])
)
def test_what_stands_below_a_struck_line_stands_again_as_it_was(line: str, indented: str) -> None:
    assert unstrike_below(strike_below(indented + line)) == indented + line
