"""Open tasks, closings, the journal, lessons and changes, each kept as a fact of its own kind, and nothing that only
looks like one."""

from __future__ import annotations

import json

import pytest

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.extraction.language import spoken_in
from memory_plugin.memory.fact import CONFIDENCE_RULE, CONFIDENCE_STATED, SEVERITIES
from tests.memory.extraction.changes import CHANGED, NOT_CHANGED
from tests.memory.extraction.test_extraction import after_talk, run, said, stated
from tests.memory.extraction.typed import (
    CLOSINGS,
    JOURNAL,
    NO_CLOSINGS,
    NO_TASKS,
    NOT_REPORTED,
    REPORTED,
    TASKS,
)
from tests.memory.extraction.typed import SEVERITIES as LESSONS


@pytest.mark.parametrize(("text", "part"), CHANGED)
def test_a_change_is_kept_with_what_it_changes(text: str, part: str) -> None:
    assert [fact.text for fact in stated(run([("user", text)])[0]) if part.lower() in fact.text.lower()]


@pytest.mark.parametrize("text", NOT_CHANGED)
def test_an_idea_a_question_and_a_request_change_nothing(text: str) -> None:
    assert run([("user", text)])[0] == []


@pytest.mark.parametrize(("text", "part"), TASKS)
def test_what_the_user_says_is_still_to_be_done_is_an_open_task(text: str, part: str) -> None:
    [fact] = run([("user", text)])[0]
    assert (fact.category, fact.predicate) == ("goal", "plans")
    assert fact.importance >= 0.7
    assert part in fact.text


@pytest.mark.parametrize("text", NO_TASKS)
def test_a_request_for_right_now_is_no_open_task(text: str) -> None:
    assert run([("user", text)])[0] == []


@pytest.mark.parametrize(("text", "category", "part"), CLOSINGS)
def test_what_is_done_dropped_or_open_again_is_kept_by_its_name(text: str, category: str, part: str) -> None:
    [fact] = run([("user", text)])[0]
    assert fact.category == category
    assert fact.predicate == {"event": "did", "decision": "decided", "goal": "plans"}[category]
    assert part.lower() in fact.text.lower()


@pytest.mark.parametrize("text", NO_CLOSINGS)
def test_a_done_that_names_nothing_or_is_only_wished_for_closes_nothing(text: str) -> None:
    assert run([("user", text)])[0] == []


@pytest.mark.parametrize(("text", "category", "part"), REPORTED)
def test_the_assistants_report_of_a_finished_thing_is_kept(text: str, category: str, part: str) -> None:
    assert [fact.category for fact in after_talk("assistant", text) if part in fact.text] == [category]


@pytest.mark.parametrize("text", NOT_REPORTED)
def test_a_report_that_names_no_thing_closes_none(text: str) -> None:
    assert after_talk("assistant", text) == []


@pytest.mark.parametrize(("text", "category", "expected"), JOURNAL)
def test_the_day_of_what_happened_stands_in_the_fact(text: str, category: str, expected: str) -> None:
    assert [(fact.category, fact.text) for fact in run([("user", text)])[0]] == [(category, expected)]


def test_a_day_counts_from_the_day_of_the_message_and_stays_as_said_without_one() -> None:
    text = "We released 1.4 yesterday."
    dated = [extract(said("user", text, time), Progress())[0][0].text for time in ("2026-03-01T12:00:00Z", "")]
    assert dated == ["We released 1.4 yesterday (2026-02-28).", text]


@pytest.mark.parametrize(
    "text", ["Never deploy on Friday.", "Pas de mise en production le vendredi.", "The shop must close by Friday."]
)
def test_a_day_of_every_week_gets_no_date(text: str) -> None:
    assert "(20" not in run([("user", text)])[0][0].text or "by Friday (2026-12-04)" in run([("user", text)])[0][0].text


def test_a_date_that_is_written_out_is_not_written_twice() -> None:
    text = "We released 1.4 on 2026-11-14."
    assert [fact.text for fact in run([("user", text)])[0]] == [text]


@pytest.mark.parametrize(("text", "severity"), LESSONS)
def test_a_lesson_is_as_grave_as_its_words(text: str, severity: str) -> None:
    [fact] = run([("user", text)])[0]
    assert (fact.category, fact.severity) == ("lesson", severity)


def test_only_lessons_have_a_severity() -> None:
    facts, _ = run([("user", text) for text, *_ in (*CLOSINGS, *TASKS, *CHANGED)])
    assert {fact.severity for fact in facts if fact.category != "lesson"} == {""}
    assert spoken_in("anything").severity("anything") in SEVERITIES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The import works.\n\nStill open: the retry of failed rows, the help page and the German texts.",
            ["Still open: the retry of failed rows.", "Still open: the help page.", "Still open: the German texts."],
        ),
        ("Not done yet: the print style.", ["Still open: the print style."]),
        (
            "Remaining: move the fixtures; drop the old table",
            ["Still open: move the fixtures.", "Still open: drop the old table."],
        ),
        (
            "## Next steps\n1. Load the price lists\n2. Compare them with last year\n\nThen we are through.",
            ["Still open: Load the price lists.", "Still open: Compare them with last year."],
        ),
        (
            "**Left to do:**\n- [x] the menu – done\n- [ ] the search field",
            ["Still open: the search field."],
        ),
        (
            "Il reste à faire : brancher les alertes et traduire l'aide.",
            ["Reste à faire : brancher les alertes et traduire l'aide."],
        ),
        (
            "Reste à faire :\n- l'aide en ligne\n- le menu mobile",
            ["Reste à faire : l'aide en ligne.", "Reste à faire : le menu mobile."],
        ),
        ("Still open: nothing.", []),
        ("Next steps: none, all is in place.", []),
        (
            "Still open: the retry, because the queue drops what fails, which nobody saw.",
            ["Still open: the retry, because the queue drops what fails, which nobody saw."],
        ),
    ],
)
def test_the_assistants_closing_words_give_one_fact_for_each_open_task(text: str, expected: list[str]) -> None:
    facts = [fact for fact in run([("assistant", text)])[0] if fact.category == "goal"]
    assert [fact.text for fact in facts] == expected
    assert all(fact.importance >= 0.7 and fact.confidence == CONFIDENCE_RULE for fact in facts)


def test_the_users_own_list_of_tasks_is_stated() -> None:
    facts, _ = run([("user", "Thanks.\n\nTODO:\n- the invoice footer\n- a test for refunds")])
    assert [(fact.text, fact.confidence) for fact in facts] == [
        ("Still open: the invoice footer.", CONFIDENCE_STATED),
        ("Still open: a test for refunds.", CONFIDENCE_STATED),
    ]


SUMMARY = """1. Primary Request and Intent:
   The museum moves its ticket shop to a new payment provider.

2. Pending Tasks:
   - Task #2 [pending]: Refund the vouchers that were paid twice
     1. those of the spring
     2. those of the autumn
   - Task #3: Tell the box office - IN PROGRESS
   - Task #4: Swap the keys - COMPLETED
   - ✅ Order the new card readers

3. Optional Next Step:
   Write the letter to the season ticket holders. It must leave before the holidays.

   Direct quote of the user: "first the letter".
"""


def test_the_pending_tasks_of_a_summary_are_open_tasks_without_their_numbers() -> None:
    goals = [fact.text for fact in run([("summary", SUMMARY)])[0] if fact.category == "goal"]
    assert goals == [
        "Still open: Refund the vouchers that were paid twice.",
        "Still open: Tell the box office.",
        "Still open: Write the letter to the season ticket holders.",
    ]


@pytest.mark.parametrize(
    "section", ["- No pending tasks. All 5 are done.", "- None", "None explicitly requested.", "N/A"]
)
def test_a_summary_without_pending_tasks_gives_none(section: str) -> None:
    summary = f"1. Current Work:\n   The shop was moved.\n\n2. Pending Tasks:\n   {section}\n"
    assert [fact for fact in run([("summary", summary)])[0] if fact.category == "goal"] == []


def test_a_later_summary_repeats_no_task() -> None:
    facts, progress = run([("summary", SUMMARY)])
    again = SUMMARY.replace("   - Task #3", "   - Task #5: Print the new price list\n   - Task #3")
    assert [fact.text for fact in run([("summary", again)], progress)[0]] == ["Still open: Print the new price list."]
    assert len(facts) > 3


def test_what_it_stands_for_is_taken_from_the_conversation() -> None:
    talk = [
        ("user", "Where does the metrics exporter listen?"),
        ("assistant", "The metrics exporter listens on port 9100, set in `deploy/exporter.toml`."),
        ("user", "scrap that, let's put it on 9090"),
    ]
    assert "The metrics exporter: let's put it on 9090" in [fact.text for fact in stated(run(talk)[0])]


def test_what_it_stands_for_survives_between_two_flushes() -> None:
    _, progress = run([("user", "The exporter listens on port 9100.")])
    stored = Progress.from_json(json.loads(json.dumps(progress.to_json())))
    facts, _ = run([("user", "Actually, let's put it on 9090.")], stored)
    assert [fact.text for fact in facts] == ["The exporter: let's put it on 9090."]


def test_a_long_paste_changes_finishes_and_drops_nothing() -> None:
    page = (
        "The converter was moved to another package by its authors, who no longer answer, and it is now maintained by "
        "people that took over some years ago and have since then changed most of what it was. "
    )
    assert stated(run([("user", page * 12)])[0]) == []


def test_what_the_user_stated_is_kept_once_however_it_is_said_again() -> None:
    facts, _ = run([("user", "We switched to pnpm yesterday."), ("user", "ok, we switched to pnpm yesterday")])
    assert [fact.text for fact in facts] == ["We switched to pnpm yesterday (2026-11-29)."]
