"""What the documents say of the code is what the code says."""

from __future__ import annotations

import re

import pytest

from memory_plugin.memory import patterns, pointers, review
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, CONFIDENCE_STATED, SEVERITIES, STATUSES, parse_line
from tests.support.data import REPOSITORY

FACTS = (REPOSITORY / "docs" / "facts.md").read_text(encoding="utf-8")
LINES = FACTS.split("\n")


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the table below a heading row."""
    start = LINES.index(heading) + 2
    end = next(number for number in range(start, len(LINES)) if not LINES[number].startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in LINES[start:end]]


def test_the_table_of_categories_is_that_of_the_code() -> None:
    written = [row[:3] for row in rows_of("| category | fresh for | weight | for example |")]
    assert written == [
        [category, f"{days} days" if days else "always", str(importance)]
        for category, (days, importance) in CATEGORIES.items()
    ]


def test_every_category_has_an_example() -> None:
    assert all(
        len(row) == 4 and row[3].endswith(".") for row in rows_of("| category | fresh for | weight | for example |")
    )


@pytest.mark.parametrize("line", [line for line in LINES if re.match(r"- \*\*\w+\*\* .*<!-- m:", line)])
def test_every_fact_that_is_shown_is_one(line: str) -> None:
    fact = parse_line(line, "bookings", "2026-11-30")
    assert fact
    assert fact.id in line
    assert fact.category in line


def test_every_pointer_that_is_shown_is_one() -> None:
    shown = [line for line in LINES if line.startswith("- **") and "](" in line]
    block = "\n".join([pointers.MARK_START, *shown, pointers.MARK_END])
    assert len(pointers.parsed(block.encode())) == len(shown) == 2
    assert max(map(len, shown)) <= pointers.LONGEST_POINTER


@pytest.mark.parametrize(
    "figure",
    [
        f"{CONFIDENCE_RULE:.2f}"[1:],
        f"{CONFIDENCE_STATED:.2f}"[1:],
        f"at most {pointers.MOST_LINES} lines",
        *(f"`{status}`" for status in STATUSES),
        ", ".join(SEVERITIES[:3]),
    ],
)
def test_figures_and_names_are_those_of_the_code(figure: str) -> None:
    assert figure in FACTS


def test_words_for_numbers_are_those_of_the_code() -> None:
    assert (patterns.FEWEST_FACTS, patterns.FEWEST_CONVERSATIONS, patterns.FEWEST_DAYS) == (3, 3, 14)
    assert (review.PROVED_BY_SUPPORT, review.PROVED_BY_USE) == (2, 2)
    assert CATEGORIES["goal"][0] == 14
