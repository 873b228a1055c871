"""The review: what proved itself moves, what holds no longer leaves, and twice is once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import amendments, events, flush, hand, injected, journal, pointers, review
from memory_plugin.memory.fact import CATEGORIES, Candidate, Fact, make
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import Namespace
from memory_plugin.memory.review import Step
from tests.support.world import files_of

TODAY = date(2026, 11, 30)
DAYS = ("2026-11-02", "2026-11-09", "2026-11-17", "2026-11-24")
SHOP = Namespace("shop-1", "shop", "")
COMMITS = (
    "Please keep commits small, one change each.",
    "I want small commits.",
    "Make the commits smaller: one change a commit.",
    "Small commits!",
)


@pytest.fixture(autouse=True)
def _a_world_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(tmp_path / "state"))
    (tmp_path / "clock").write_text(f"{TODAY}T12:00:00+00:00")
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(tmp_path / "clock"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "memory"
    path.mkdir()
    return path


def fact(text: str, category: str = "decision", day: str = "2026-11-29", session: str = "aaaa", **marks: Any) -> Fact:
    said = Candidate(text, category, "decided", "project", text, CATEGORIES[category][1], 0.7)
    return replace(make(said, "shop-1", day, "09:00", f"{session}#1"), **marks)


def write(home: Path, *facts: Fact) -> Path:
    """What a flush writes: logs, MEMORY.md and events."""
    flush.record(str(home), SHOP, facts, "session aaaa", "/t.jsonl", "f")
    return home / "shop-1"


def planned(home: Path, *, weekly: bool = False, today: date = TODAY) -> list[Step]:
    ledger = Ledger(str(home)).refresh()
    return review.plan(str(home), ["shop-1"], ledger, today, used=injected.used(), weekly=weekly)


def reviewed(home: Path, *, weekly: bool = False, today: date = TODAY) -> list[str]:
    """Review, and say what was done; a second time there must be nothing to do."""
    steps = planned(home, weekly=weekly, today=today)
    review.apply(str(home), steps, today)
    before = files_of(home)
    again = planned(home, weekly=weekly, today=today)
    review.apply(str(home), again, today)
    assert again == []
    assert files_of(home) == before
    return [str(step) for step in steps]


def held(home: Path, text: str) -> Held:
    [found] = [each for each in journal.all_held(str(home / "shop-1")) if each.fact.text == text]
    return found


def weeks(home: Path, *texts: str, category: str = "preference") -> list[Fact]:
    """Each text said in a conversation and a week of its own."""
    facts = [fact(text, category, day, f"{day[-2:]}aa") for text, day in zip(texts, DAYS, strict=False)]
    write(home, *facts)
    return facts


def same_as_the_events(home: Path) -> bool:
    """Whether the events tell of every fact what its line says."""
    entries = Ledger(str(home)).refresh().entries
    lines = {(each.namespace, each.fact.id): each.fact for each in journal.all_held(str(home / "shop-1"))}
    return {key: entry.fact for key, entry in entries.items() if not entry.retracted} == lines


def test_with_nothing_to_do_it_does_nothing(home: Path) -> None:
    assert planned(home, weekly=True) == []
    write(home, fact("We use X."), fact("Ship it.", "goal"))
    assert reviewed(home, weekly=True) == []


@pytest.mark.parametrize(
    ("marks", "why"), [({"support": 3}, "said 3 times"), ({"pinned": True}, "pinned"), ({"support": 2}, "said 2 times")]
)
def test_a_fact_that_proved_itself_moves_to_its_topic(home: Path, marks: dict[str, Any], why: str) -> None:
    folder = write(home, fact("We use X.", **marks), fact("We use Y."))
    assert reviewed(home) == [
        f"moved to topics/decision.md: {why} — We use X.",
        "MEMORY.md brought up to date: its words, places and order are those of the facts",
    ]
    assert held(home, "We use X.").file == "topics/decision.md"
    assert held(home, "We use X.").fact == fact("We use X.", **marks)
    assert held(home, "We use Y.").file == "2026-11-29.md"
    assert {each.file for each in pointers.read(str(folder))} == {"topics/decision.md", "2026-11-29.md"}
    promoted = [each for each in events.read(str(home)) if each["event"] == "promoted"]
    assert [(each["file"], each["how"]) for each in promoted] == [("topics/decision.md", f"review: {why}")]


@pytest.mark.parametrize(("conversations", "moves"), [(1, False), (2, True), (3, True)])
def test_a_fact_that_answered_prompts_moves(home: Path, conversations: int, moves: bool) -> None:
    one = fact("We use X.")
    write(home, one)
    for number in range(conversations):
        for _ in range(3):  # how often in one conversation counts for nothing
            injected.record(f"{number}e551047-0000-4000", [one.id], "UserPromptSubmit", "shop-1")
    injected.record("briefed0-0000-4000", [one.id], "SessionStart", "shop-1")
    steps = reviewed(home)
    assert (f"moved to topics/decision.md: used in {conversations} conversations — We use X." in steps) is moves
    used = [each["sessions"] for each in events.read(str(home)) if each["event"] == "used"]
    assert used == ([[f"{number}e551047" for number in range(conversations)]] if moves else [])


@pytest.mark.parametrize(
    "marks", [{"status": "superseded"}, {"status": "archived", "reason": "done"}, {"source": "", "support": 3}]
)
def test_what_holds_no_longer_or_is_the_users_own_line_stays_where_it_stands(home: Path, marks: dict[str, Any]) -> None:
    write(home, fact("We use X.", **{"support": 2, **marks}))
    reviewed(home)
    assert held(home, "We use X.").file == "2026-11-29.md"


def test_a_move_that_was_cut_short_is_finished(home: Path) -> None:
    folder = write(home, fact("We use X.", support=2))
    journal.add_to_topic(str(folder), "decision", fact("We use X.", support=2))
    steps = reviewed(home)
    assert steps[0] == "moved to topics/decision.md: it stands there already — We use X."
    assert held(home, "We use X.").file == "topics/decision.md"


def test_what_was_superseded_goes_below_in_its_topic_and_leaves_memory_md(home: Path) -> None:
    folder = write(home, fact("We use X.", support=2), fact("We use Y.", day="2026-11-30"))
    reviewed(home)
    amendments.replaced(
        str(home), held(home, "We use X."), held(home, "We use Y."), relation="supersedes", how="by hand"
    )
    by = fact("We use Y.").id
    assert reviewed(home) == [
        "topics/decision.md put in order: what holds no longer stands below “Earlier”",
        f"taken out of MEMORY.md: superseded since 2026-11-30, by {by} — We use X.",
        "MEMORY.md brought up to date: its words, places and order are those of the facts",
    ]
    assert [each.text for each in pointers.read(str(folder))] == ["We use Y."]
    lines = (folder / "topics" / "decision.md").read_text().split("\n")
    assert [line.split(" <!--")[0] for line in lines if line] == [
        "# Decision",
        "## Earlier",
        "- **decision** We use X.",
    ]


def test_stale_facts_and_expired_tasks_leave_memory_md_not_the_disk(home: Path) -> None:
    folder = write(home, fact("Ship it.", "goal", "2026-11-20"), fact("Tabs.", "preference", "2026-11-20"))
    assert reviewed(home, today=date(2026, 12, 10))[0] == (
        "taken out of MEMORY.md: not said since 2026-11-20; a goal is fresh for 14 days — Ship it."
    )
    assert [each.text for each in pointers.read(str(folder))] == ["Tabs."]
    assert held(home, "Ship it.").fact.is_open_task


@pytest.mark.parametrize("own", ["", "Mine.\n"])
def test_a_lost_block_comes_back(home: Path, own: str) -> None:
    folder = write(home, fact("We use X."))
    (folder / "MEMORY.md").write_text(own)
    assert reviewed(home) == ["MEMORY.md brought up to date: 1 more to point to"]
    assert (folder / "MEMORY.md").read_text().startswith(own)
    assert [each.text for each in pointers.read(str(folder))] == ["We use X."]


def test_three_weeks_that_say_alike_become_a_line_of_the_worldview(home: Path) -> None:
    facts = weeks(home, *COMMITS[:3])
    text = "3 conversations since 2026-11-02 came back to small, commits; most plainly: I want small commits."
    assert reviewed(home) == []
    assert reviewed(home, weekly=True) == [
        f"concluded in topics/worldview.md: it stands on 3 facts from 3 conversations — {text}"
    ]
    pattern = held(home, text)
    assert pattern.file == "topics/worldview.md"
    assert pattern.fact.supports == tuple(each.id for each in facts)
    assert (pattern.fact.day, pattern.fact.confidence) == ("2026-11-30", 0.7)
    assert pattern.fact.id not in {each.id for each in pointers.read(str(home / "shop-1"))}
    assert Ledger(str(home)).refresh().entries["shop-1", pattern.fact.id].reconciled
    assert same_as_the_events(home)


def test_a_pattern_grows_with_its_facts(home: Path) -> None:
    weeks(home, *COMMITS[:3])
    reviewed(home, weekly=True)
    [before] = [each.fact for each in journal.all_held(str(home / "shop-1")) if each.file == "topics/worldview.md"]
    weeks(home, *COMMITS)
    [step] = reviewed(home, weekly=True)
    assert step.startswith("concluded anew: it stands on 4 facts from 4 conversations — 4 conversations since")
    [after] = [each.fact for each in journal.all_held(str(home / "shop-1")) if each.file == "topics/worldview.md"]
    assert (after.id, after.day) == (before.id, before.day)
    assert after.confidence > before.confidence
    assert len(after.supports) == 4
    assert same_as_the_events(home)


def test_a_pattern_ends_with_its_facts_and_comes_back_with_them(home: Path) -> None:
    weeks(home, *COMMITS[:3])
    reviewed(home, weekly=True)
    amendments.archive(str(home), held(home, COMMITS[1]), "dropped", how="by hand")
    reviewed(home)
    [step] = [each for each in reviewed(home, weekly=True) if "concluded" in each]
    assert step.startswith("no longer concluded: only 2 of the 3 facts it stands on hold — 3 conversations")
    text = (home / "shop-1" / "topics" / "worldview.md").read_text()
    assert text.startswith("# Worldview\n\n## Earlier\n\n- **preference** 3 conversations")
    amendments.reopen(str(home), held(home, COMMITS[1]), how="by hand")
    reviewed(home)
    [step] = [each for each in reviewed(home, weekly=True) if "concluded" in each]
    assert step.startswith("concluded anew: it stands on 3 facts from 3 conversations")
    assert "## Earlier" not in (home / "shop-1" / "topics" / "worldview.md").read_text()
    assert same_as_the_events(home)


@pytest.mark.parametrize("way", ["struck", "deleted", "file deleted", "purged"])
def test_a_pattern_that_the_user_took_back_is_not_concluded_again(home: Path, way: str) -> None:
    weeks(home, *COMMITS[:3])
    reviewed(home, weekly=True)
    path = home / "shop-1" / "topics" / "worldview.md"
    pattern = next(each for each in journal.all_held(str(home / "shop-1")) if each.path == str(path))
    if way == "struck":
        amendments.retract(str(home), pattern)
    elif way == "purged":
        path.unlink()
        for each in (home / ".events").glob("*.jsonl"):
            each.write_text("".join(line for line in each.read_text().splitlines(True) if pattern.fact.id not in line))
        events.append(str(home), [events.event("purged", "shop-1", pattern.fact.id)])
    elif way == "deleted":
        path.write_text("# Worldview\n")
    else:
        path.unlink()
    assert reviewed(home, weekly=True) == []
    if way != "purged":  # then nothing is known any more of what it stood on
        weeks(home, *COMMITS)
        assert reviewed(home, weekly=True) == []


def test_the_users_own_words_for_a_pattern_stay(home: Path) -> None:
    weeks(home, *COMMITS[:3])
    reviewed(home, weekly=True)
    path = home / "shop-1" / "topics" / "worldview.md"
    [pattern] = [each for each in journal.all_held(str(home / "shop-1")) if each.path == str(path)]
    amendments.correct(str(home), pattern, "Small commits matter to me.")
    weeks(home, *COMMITS)
    assert reviewed(home, weekly=True) == [
        "concluded anew: it stands on 4 facts from 4 conversations — Small commits matter to me."
    ]
    assert len(held(home, "Small commits matter to me.").fact.supports) == 4


def test_a_line_that_a_hand_took_away_between_plan_and_deed_is_passed_by(home: Path) -> None:
    folder = write(home, fact("We use X.", support=2), fact("We use Y.", support=2))
    steps = planned(home)
    log = folder / "2026-11-29.md"
    log.write_text("".join(line for line in log.read_text().splitlines(True) if "We use X." not in line))
    review.apply(str(home), steps, TODAY)
    assert [each.fact.text for each in journal.all_held(str(folder))] == ["We use Y."]
    assert held(home, "We use Y.").file == "topics/decision.md"


def test_a_review_that_stops_anywhere_is_finished_by_the_next(home: Path) -> None:
    weeks(home, *COMMITS[:3])
    write(home, *(fact(f"We use tool {number}.", support=2) for number in range(3)))
    whole = files_of(home)
    steps = planned(home, weekly=True)
    for done in range(len(steps) + 1):
        for path in [each for each in files_of(home) if each not in whole]:
            Path(path).unlink()
        for path, content in whole.items():
            Path(path).write_bytes(content)
        review.apply(str(home), steps[:done], TODAY)
        reviewed(home, weekly=True)
        assert sorted(
            each.fact.text for each in journal.all_held(str(home / "shop-1")) if "tool" in each.fact.text
        ) == [f"We use tool {number}." for number in range(3)]
        assert same_as_the_events(home)


def test_other_namespaces_are_left_alone(home: Path) -> None:
    write(home, fact("We use X.", support=2))
    ledger = Ledger(str(home)).refresh()
    assert review.plan(str(home), ["global", "shop-2"], ledger, TODAY, weekly=True) == []


def test_what_the_review_does_is_not_taken_for_the_users_hand(home: Path) -> None:
    weeks(home, *COMMITS[:3])
    write(home, fact("We use X.", support=2), fact("We use Y.", pinned=True), fact("Ship it.", "goal"))
    reviewed(home, weekly=True)
    amendments.archive(str(home), held(home, COMMITS[1]), "dropped", how="by command")
    amendments.archive(str(home), held(home, "We use X."), "dropped", how="by command")
    reviewed(home, weekly=True)
    assert hand.Observer(str(home)).look() == []
    assert same_as_the_events(home)


def test_reindex_makes_pointers_anew_as_the_review_does(home: Path) -> None:
    folder = write(home, fact("We use X.", support=2), fact("We use Y."))
    reviewed(home)
    before = files_of(home)
    (folder / "MEMORY.md").unlink()
    flush.tidy_pointers(str(home))
    assert files_of(home) == {**before, str(folder / "MEMORY.md"): (folder / "MEMORY.md").read_bytes()}
    assert pointers.read(str(folder)) == pointers.parsed(before[str(folder / "MEMORY.md")])
