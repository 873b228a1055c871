"""A fact and its line of Markdown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory.fact import (
    CATEGORIES,
    CONFIDENCE_STATED,
    DEFAULT_IMPORTANCE,
    PREDICATES,
    Candidate,
    Fact,
    clean,
    fact_id,
    format_line,
    make,
    parse_line,
    slug,
    source_of,
    strike,
    strike_below,
    unstrike,
    unstrike_below,
)

CANDIDATE = Candidate("We index with LanceDB.", "decision", "decided", "project", "LanceDB index", 0.8, 0.7)
FACT = make(CANDIDATE, "shop-1", "2026-11-30", "14:32", "1f3a9c00#4be10000")


def test_the_line_reads_as_the_design_shows() -> None:
    assert format_line(FACT) == (
        f"- **decision** We index with LanceDB. <!-- m:{FACT.id} project decided lancedb-index imp=0.80 conf=0.70"
        " at=14:32 src=1f3a9c00#4be10000 -->"
    )


@given(
    text=st.text(max_size=400),
    category=st.sampled_from(sorted(CATEGORIES)),
    predicate=st.sampled_from(sorted(PREDICATES)),
    subject=st.text(max_size=40),
    thing=st.text(max_size=40),
    importance=st.integers(0, 100),
    confidence=st.integers(0, 100),
    at=st.sampled_from(["", "00:00", "23:59"]),
    session=st.text(max_size=40),
    entry=st.text(max_size=40),
)
def test_what_is_written_is_read_back(
    text: str,
    category: str,
    predicate: str,
    subject: str,
    thing: str,
    importance: int,
    confidence: int,
    at: str,
    session: str,
    entry: str,
) -> None:
    candidate = Candidate(text, category, predicate, subject, thing, importance / 100, confidence / 100)
    fact = make(candidate, "shop-1", "2026-11-30", at, source_of(session, entry))
    line = format_line(fact)
    assert "\n" not in line
    assert line.isprintable() or "\u200d" not in line
    assert parse_line(line, "shop-1", "2026-11-30") == (fact if fact.text else None)


@given(st.text())
def test_cleaning_is_done_once_for_all(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("one\ntwo\r\n three\u2028four", "one two three four"),
        ("nul\0 and \x1b[31m colour", "nul and [31m colour"),
        ("a --> b <!-- c", "a --› b ‹!-- c"),
        ("\u202eright to left\u2069", "right to left"),
        ("half a pair \ud83d", "half a pair"),
        ("~~gone~~", "gone"),
        ("~~~~", ""),
        ("~~one~~ and two", "~~one~~ and two"),
        ("été 日本語 👩‍💻", "été 日本語 👩‍💻"),
    ],
)
def test_text_becomes_one_harmless_line(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    "other",
    ["we index with lancedb", "We  index, with LanceDB!", "**We** index with “LanceDB”", "Ｗe index with LanceDB."],
)
def test_the_same_words_are_the_same_fact(other: str) -> None:
    assert fact_id("shop-1", other) == FACT.id


@pytest.mark.parametrize(
    ("one", "two"),
    [("Use C.", "Use C++."), ("Use C++.", "Use C#."), ("Port 80", "Port 8 0"), ("👍", "👎"), ("日本", "本日")],
)
def test_other_words_are_another_fact(one: str, two: str) -> None:
    assert fact_id("shop-1", one) != fact_id("shop-1", two)


def test_the_same_words_in_two_projects_are_two_facts() -> None:
    assert fact_id("shop-2", FACT.text) != FACT.id


def test_a_fact_moves_with_its_comment_not_with_its_text() -> None:
    edited = format_line(FACT).replace("LanceDB", "Qdrant")
    parsed = parse_line(edited, "shop-1", "2026-11-30")
    assert parsed == replace(FACT, text="We index with Qdrant.")


@pytest.mark.parametrize("bullet", ["- ", "* ", "+ ", "   - "])
def test_a_line_written_by_hand_is_a_fact_with_defaults(bullet: str) -> None:
    assert parse_line(f"{bullet}Call Zoë about the lease", "shop-1", "2026-11-30") == Fact(
        id=fact_id("shop-1", "Call Zoë about the lease"),
        text="Call Zoë about the lease",
        category="project",
        predicate="is",
        subject="project",
        object="-",
        importance=DEFAULT_IMPORTANCE,
        confidence=CONFIDENCE_STATED,
        day="2026-11-30",
        at="",
        source="",
    )


def test_a_category_written_by_hand_brings_its_importance() -> None:
    fact = parse_line("- **preference** Tabs, not spaces", "shop-1", "")
    assert fact is not None
    assert (fact.category, fact.importance, fact.text) == ("preference", 0.8, "Tabs, not spaces")


def test_bold_words_that_are_no_category_are_text() -> None:
    fact = parse_line("- **careful** with the lock", "shop-1", "")
    assert fact is not None
    assert (fact.category, fact.text) == ("project", "**careful** with the lock")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "prose",
        "# heading",
        "-no space",
        "- ",
        "-",
        "    - code",
        "- ~~struck~~",
        "- ~~**decision** struck with its category~~ <!-- m:7k2m9q -->",
        "- **decision** ~~struck~~ <!-- m:7k2m9q -->",
        "- <!-- m:7k2m9q project is - -->",
        "1. numbered",
    ],
)
def test_what_is_no_fact(line: str) -> None:
    assert parse_line(line, "shop-1", "2026-11-30") is None


def test_a_line_of_blanks_costs_no_more_than_its_length() -> None:
    line = "  a" + " " * 300_000 + "b"  # for ever, if each blank were tried as the end
    assert unstrike_below(strike_below(line)) == line


@pytest.mark.parametrize("named", ["subject", "object"])
@pytest.mark.parametrize("pinned", [False, True])
def test_a_fact_about_something_called_pin_is_pinned_only_if_it_says_so(named: str, pinned: bool) -> None:
    about: dict[str, Any] = {named: "pin"}
    fact = replace(FACT, **about, pinned=pinned)
    assert parse_line(format_line(fact), "shop-1", FACT.day) == fact


@pytest.mark.parametrize(
    "rest", ["pin project decided x imp=0.80", "project decided x pin", "pin", "project pin decided x"]
)
def test_a_hand_may_write_pin_anywhere_in_the_comment(rest: str) -> None:
    fact = parse_line(f"- **decision** Yes <!-- m:7k2m9q {rest} -->", "shop-1", "")
    assert fact is not None
    assert fact.pinned


def test_a_pattern_may_stand_on_hundreds_of_facts() -> None:
    fact = replace(FACT, supports=tuple(fact_id("shop-1", str(number)) for number in range(1000)))
    assert parse_line(format_line(fact), "shop-1", FACT.day) == fact


def test_what_a_hand_wrote_behind_the_comment_is_struck_with_it_and_comes_back() -> None:
    line = f"{format_line(FACT)} see also the wiki"
    assert parse_line(strike(line), "shop-1", "") is None
    assert unstrike(strike(line)) == line


@pytest.mark.parametrize(
    ("written", "importance"),
    [("imp=nan", 0.8), ("imp=inf", 1.0), ("imp=-3", 0.0), ("imp=much", 0.8), ("", 0.8), ("imp", 0.8)],
)
def test_numbers_that_a_hand_broke_fall_back(written: str, importance: float) -> None:
    fact = parse_line(f"- **decision** Yes <!-- m:7k2m9q project decided x {written} -->", "shop-1", "")
    assert fact is not None
    assert (fact.id, fact.importance) == ("7k2m9q", importance)


@pytest.mark.parametrize(
    "line", ["- a" + " " * 200_000 + "b", "- " + "<!-- m:7k2m9q " * 20_000, "- **" + "a" * 200_000]
)
def test_a_monstrous_line_is_read_in_time_proportional_to_it(line: str) -> None:
    assert parse_line(line, "shop-1", "") is not None  # a quadratic reading would take minutes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The LanceDB index, v2!", "the-lancedb-index-v2"),
        ("", "-"),
        ("🙂", "-"),
        ("日本語 の 検索", "日本語-の-検索"),
        ("a" * 99, "a" * 60),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    assert slug(text) == expected


@pytest.mark.parametrize(
    ("session", "entry", "source"),
    [
        ("6d9ab8bf-1c2d", "64bd35a6-77", "6d9ab8bf#64bd35a6"),
        ("a --> b", "x\ny z", "a_--__b#x_y_z".replace("--", "_-")),
        ("", "", "#"),
    ],
)
def test_a_source_can_stand_in_a_comment(session: str, entry: str, source: str) -> None:
    assert source_of(session, entry) == source


@pytest.mark.parametrize(
    ("line", "struck"),
    [
        ("  more on it\r", "  ~~more on it~~\r"),
        ("\t- below it", "\t- ~~below it~~"),
        ("  1. first ", "  1. ~~first~~ "),
    ],
)
def test_what_an_item_goes_on_in_is_struck_and_comes_back(line: str, struck: str) -> None:
    assert strike_below(line) == struck
    assert strike_below(struck) == struck
    assert unstrike_below(struck) == line


@pytest.mark.parametrize("line", ["  ", "\r", "  ```sh", "  ~~~", "  ~~gone~~ by now"])
def test_what_has_no_words_to_strike_stays(line: str) -> None:
    assert strike_below(line) == unstrike_below(line) == line
