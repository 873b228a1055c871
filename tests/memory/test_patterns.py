"""What counts as a pattern, and what does not."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from memory_plugin.memory.fact import LONGEST_TEXT, Candidate, Fact, format_line, make, parse_line
from memory_plugin.memory.patterns import Pattern, fact_of, find, is_pattern, sentence

DAYS = ("2026-11-02", "2026-11-09", "2026-11-17", "2026-11-24")


def fact(text: str, day: str = DAYS[0], session: str = "aaaa", category: str = "preference") -> Fact:
    return make(Candidate(text, category, "prefers", "user", text, 0.8, 0.7), "shop-1", day, "09:00", f"{session}#1")


def said(*texts: str, category: str = "preference") -> list[Fact]:
    """Each text in a conversation and a week of its own."""
    return [fact(text, day, f"{day[-2:]}aa", category) for text, day in zip(texts, DAYS, strict=False)]


COMMITS = said(
    "Please keep commits small, one change each.",
    "I want small commits.",
    "Make the commits smaller: one change a commit.",
)


def test_what_three_conversations_say_alike_is_a_pattern() -> None:
    assert find(COMMITS, {}) == [Pattern(tuple(COMMITS), ("small", "commits"), 3, "2026-11-02", "2026-11-17")]


@pytest.mark.parametrize(
    ("texts", "category"),
    [
        (("No mocks in tests.", "Never mock in the tests.", "Avoid mocking in tests, use real files."), "constraint"),
        (
            (
                "The nightly export failed: disk full.",
                "Nightly export failed on Tuesday.",
                "The nightly export failed because of a lock.",
            ),
            "event",
        ),
        (
            ("Réponses courtes s'il te plaît.", "Je veux une réponse courte.", "Donne des réponses courtes."),
            "preference",
        ),
    ],
)
def test_patterns_of_several_kinds_and_languages(texts: tuple[str, ...], category: str) -> None:
    [found] = find(said(*texts, category=category), {})
    assert [each.text for each in found.facts] == list(texts)


@pytest.mark.parametrize(
    ("texts", "category"),
    [
        # they merely speak of the same thing
        (
            (
                "The staging server runs on port 8080.",
                "The staging server needs a VPN.",
                "We moved the staging server to Frankfurt.",
            ),
            "decision",
        ),
        # one word in common
        (("Use tabs.", "Tabs in Makefiles.", "Close unused tabs."), "preference"),
        # some want what others refuse
        (("Small commits.", "No small commits, please.", "Small commits."), "preference"),
        # only words that everybody uses
        (("I always want you to use it.", "I want you to always use this.", "You always use what I want."), "habit"),
        # kinds of which each is a thing of its own
        (("Ship small commits.", "Ship the small commits.", "Ship small commits again."), "goal"),
        (("Lena owns billing code.", "Lena owns the billing code.", "Billing code is Lena's."), "relationship"),
    ],
)
def test_what_is_no_pattern(texts: tuple[str, ...], category: str) -> None:
    assert find(said(*texts, category=category), {}) == []


def test_never_from_fewer_than_three_conversations() -> None:
    assert find(COMMITS[:2], {}) == []
    for sessions in (("a", "a", "a"), ("a", "a", "b"), ("a", "b", ""), ("a", "", "")):
        facts = [replace(each, source=f"{s}#1") for each, s in zip(COMMITS, sessions, strict=True)]
        assert find(facts, {}) == []
        # that its facts were heard elsewhere too does not make three of them
        assert find(facts, {each.id: frozenset("cde") for each in facts}) == []


@pytest.mark.parametrize(("last", "count"), [("2026-11-15", 0), ("2026-11-16", 1)])
def test_never_from_less_than_two_weeks(last: str, count: int) -> None:
    assert len(find([*COMMITS[:2], replace(COMMITS[2], day=last)], {})) == count


@pytest.mark.parametrize("marks", [{"status": "superseded"}, {"status": "archived"}, {"source": "review"}])
def test_only_what_was_said_and_holds_counts(marks: dict[str, str]) -> None:
    assert find([*COMMITS[:2], replace(COMMITS[2], **marks)], {}) == []  # type: ignore[arg-type]


def test_conversations_that_said_it_again_are_counted_too() -> None:
    [found] = find(COMMITS, {COMMITS[0].id: frozenset({"02aa", "bbbb", "cccc"})})
    assert found.conversations == 5


def test_a_word_that_most_facts_have_joins_nothing() -> None:
    # the project's name, and what it is about, stand in every second fact
    filling = [
        fact(f"Ledger invoices get rule number{number}x{number}.", DAYS[number % 4], f"s{number}")
        for number in range(40)
    ]
    assert (
        find([*filling, *said("Ledger invoices in blue.", "Ledger invoices twice.", "Ledger invoices sorted.")], {})
        == []
    )


def test_the_order_of_the_facts_changes_nothing_and_none_is_used_twice() -> None:
    facts = [
        *COMMITS,
        *said("No mocks in tests.", "Never mock in the tests.", "Avoid mocking in tests.", category="constraint"),
        *said("Small mocks.", "Commits in tests.", "Tests of commits.", "Small tests."),
    ]
    expected = find(facts, {})
    assert len(expected) == 2
    for seed in range(10):
        mixed = random.Random(seed).sample(facts, len(facts))
        assert find(mixed, {}) == expected
    used = [identity for pattern in expected for identity in pattern.ids]
    assert len(used) == len(set(used))


def test_a_fact_that_says_much_else_is_left_out() -> None:
    other = fact("Small commits aside, the billing importer reads ledgers from an archive at night.", DAYS[3], "zzzz")
    [found] = find([*COMMITS, other], {})
    assert found.ids == tuple(each.id for each in COMMITS)


def test_the_sentence_says_how_often_since_when_and_what() -> None:
    [found] = find(COMMITS, {})
    assert sentence(found) == (
        "3 conversations since 2026-11-02 came back to small, commits; most plainly: I want small commits."
    )


def test_a_long_sentence_is_cut_to_what_a_line_holds() -> None:
    long = tuple(replace(each, text="small commits " * 20) for each in COMMITS)
    text = sentence(Pattern(long, ("small", "commits"), 3, DAYS[0], DAYS[2]))
    assert len(text) <= LONGEST_TEXT
    assert text.endswith("small…") or text.endswith("commits…")


def test_a_pattern_as_a_fact_is_read_back_from_its_line() -> None:
    [found] = find(COMMITS, {})
    concluded = fact_of(found, "shop-1", "2026-11-30")
    assert is_pattern(concluded)
    assert not any(map(is_pattern, COMMITS))
    assert (concluded.supports, concluded.support, concluded.seen) == (found.ids, 3, "2026-11-17")
    assert parse_line(format_line(concluded, dated=True), "shop-1", "") == concluded


def test_it_is_the_surer_the_more_it_stands_on_and_stays_the_same_pattern() -> None:
    [found] = find(COMMITS, {})
    more = [*COMMITS, fact("Small commits!", DAYS[3], "dddd")]
    [grown] = find(more, {})
    before, after = (fact_of(each, "shop-1", "2026-11-30") for each in (found, grown))
    assert (before.confidence, after.confidence, before.id == after.id) == (0.7, 0.75, True)
    many = replace(grown, facts=tuple(replace(COMMITS[0], id=f"x{number}") for number in range(40)))
    assert fact_of(many, "shop-1", "2026-11-30").confidence == 0.95
