"""What the compaction summary is asked for, and how its answer is read."""

from __future__ import annotations

import pytest

from memory_plugin.memory.fact import CATEGORIES, SEVERITIES
from memory_plugin.memory.summary import HEADING, INSTRUCTION, MOST_FACTS, split_facts

FACTS = f"""## {HEADING}
- [decision] We index with LanceDB, for nothing has to run.
- [preference] Ben wants tabs, not spaces."""


def texts(summary: str) -> list[tuple[str, str]]:
    return [(fact.category, fact.text) for fact in split_facts(summary)[1]]


def test_the_instruction_is_plain_text_and_names_every_category() -> None:
    assert not INSTRUCTION.startswith(("{", "["))
    assert all(category in INSTRUCTION for category in CATEGORIES)
    assert all(severity in INSTRUCTION for severity in SEVERITIES)
    assert len(INSTRUCTION) < 1500


def test_facts_come_out_and_the_rest_stays() -> None:
    rest, facts = split_facts(f"1. What was done\nMuch.\n\n{FACTS}\n</summary>\nIf you need specific details, read it.")
    assert [(fact.category, fact.predicate, fact.subject) for fact in facts] == [
        ("decision", "decided", "project"),
        ("preference", "prefers", "user"),
    ]
    assert HEADING not in rest
    assert "LanceDB" not in rest
    assert rest.endswith("read it.")


@pytest.mark.parametrize(
    "heading",
    [
        "## Durable facts",
        "# durable facts",
        "**Durable facts**",
        "**Durable facts:**",
        "Durable facts:",
        "### Durable facts  \r",
        "  ## Durable Facts:",
    ],
)
def test_headings_as_models_write_them(heading: str) -> None:
    assert texts(f"{heading}\n\n- [decision] We index with LanceDB.") == [("decision", "We index with LanceDB.")]


@pytest.mark.parametrize(
    "line",
    [
        "- [decision] We index with LanceDB.",
        "* [Decision]: We index with LanceDB.",
        "• **decision** We index with LanceDB.",
        "- **[decision]** We index with LanceDB.",
        "- **decision:** We index with LanceDB.",
        "1. [decision] We index with LanceDB.",
        "  - decision: We index with LanceDB.",
    ],
)
def test_lines_as_models_write_them(line: str) -> None:
    assert texts(f"## {HEADING}\n{line}") == [("decision", "We index with LanceDB.")]


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("- [lesson, critical] The seed script empties the shared table.", "critical"),
        ("- [Lesson, High]: The seed script empties the shared table.", "high"),
        ("- **lesson (low)** The seed script empties the shared table.", "low"),
        ("- **[lesson, medium]** The seed script empties the shared table.", "medium"),
        ("- lesson/high: The seed script empties the shared table.", "high"),
        ("- [lesson] The seed script empties the shared table.", "medium"),
        ("- [lesson] The seed script wiped the production database.", "critical"),
        ("- [lesson, huge] The seed script empties the shared table.", "medium"),
        ("- [decision, high] The seed script stays as it is.", ""),
        ("- [goal] The seed script is to be replaced.", ""),
    ],
)
def test_a_lesson_has_the_severity_that_the_line_says_or_else_that_of_its_words(line: str, severity: str) -> None:
    assert [fact.severity for fact in split_facts(f"## {HEADING}\n{line}")[1]] == [severity]


@pytest.mark.parametrize(
    "line",
    [
        "- [thought] We index with LanceDB.",
        "- We index with LanceDB.",
        "[decision] We index with LanceDB.",
        "- [decision] Short.",
        "- [decision] Do we index with LanceDB?",
        "- [decision] " + "x" * 301,
        "- [decision]",
        "-",
    ],
)
def test_what_is_no_fact(line: str) -> None:
    assert texts(f"## {HEADING}\n{line}") == []


@pytest.mark.parametrize(
    "text",
    ["", "No section here.", f"We speak of {HEADING} in a sentence.", f"## {HEADING} and more\n- [decision] We index."],
)
def test_without_the_section_the_summary_stays_as_it_is(text: str) -> None:
    assert split_facts(text) == (text, [])


def test_the_last_section_counts_and_its_end_ends_it() -> None:
    quoted = f"## {HEADING}\n- [goal] This is only a quotation of it.\n"
    assert texts(f"{quoted}## Next\n{FACTS}\n## Other\n- [goal] Not in the section any more.") == [
        ("decision", "We index with LanceDB, for nothing has to run."),
        ("preference", "Ben wants tabs, not spaces."),
    ]


def test_a_flood_is_cut() -> None:
    flood = "\n".join(f"- [lesson] The gateway failed with code {number} that day." for number in range(100))
    assert len(texts(f"## {HEADING}\n{flood}")) == MOST_FACTS


@pytest.mark.parametrize(
    "tail", [" " * 200_000 + "x", "\n" * 200_000, "\n- [decision]" + " " * 200_000, "\n" + " \n" * 100_000]
)
def test_time_stays_in_proportion_to_the_text(tail: str) -> None:
    assert texts(f"## {HEADING}{tail}") == []


def test_a_pending_task_that_is_a_durable_fact_too_is_read_once() -> None:
    summary = (
        "7. Pending Tasks:\n- Write the guide for the attic\n- Paint the fence\n\n## Durable facts\n"
        "- [goal] Write the guide for the attic."
    )
    rest, facts = split_facts(summary)
    assert [fact.text for fact in facts] == ["Write the guide for the attic."]
    assert ("guide" in rest, "Paint the fence" in rest) == (False, True)
