"""What a pass of reconciliation writes: into the lines, into the events, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from memory_plugin.memory import amendments, events, journal
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.places import GLOBAL_NAMESPACE
from memory_plugin.service.reconciler import Reconciler, Report, waiting
from tests.support.facts import NAMESPACE, capture, fact, held, in_events

TODAY = date(2026, 11, 30)


def by_words(text: str, others: Sequence[str]) -> list[float | None]:
    return [None] * len(others)


def reconcile(home: Path) -> Report:
    return Reconciler(str(home), by_words, TODAY).run(Ledger(str(home)).refresh())


def lines(home: Path) -> str:
    """All Markdown of the home."""
    return "\n".join(path.read_text() for path in sorted(home.rglob("*.md")))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


OLD = fact("The staging gateway answers on port 8443.", category="reference")
NEW = fact("The staging gateway answers on port 9443.", category="reference", day="2026-11-05")


def same_everywhere(home: Path, identity: str) -> Fact:
    """The fact, which its line and the events must tell alike."""
    in_line, told = held(home, identity).fact, in_events(home, identity)
    assert in_line == replace(told, object=in_line.object)
    return in_line


def test_a_changed_value_supersedes_the_old_one(home: Path) -> None:
    old, new = capture(home, [OLD, NEW])
    reconcile(home)
    before, after = same_everywhere(home, old.id), same_everywhere(home, new.id)
    assert (before.status, before.by, before.until) == ("superseded", new.id, "2026-11-05")
    assert (after.status, after.supersedes) == ("active", (old.id,))
    last = Ledger(str(home)).refresh().entries[NAMESPACE, old.id].history[-1]
    assert last["how"].startswith(f"in the words of {new.id}: ")
    assert last["how"].endswith("no vectors")


def test_a_second_pass_changes_nothing(home: Path) -> None:
    capture(home, [OLD, NEW])
    reconcile(home)
    text, told = lines(home), [*events.read(str(home))]
    report = reconcile(home)
    assert (report.looked_at, report.changed) == (0, 0)
    assert (lines(home), [*events.read(str(home))]) == (text, told)


def test_two_things_stay_two(home: Path) -> None:
    facts = capture(
        home,
        [
            fact("We use Redis for caching.", category="decision"),
            fact("We use Postgres for storage.", category="decision", day="2026-11-04"),
            fact("The API is written in Go.", day="2026-11-05"),
        ],
    )
    reconcile(home)
    assert [held(home, each.id).fact.status for each in facts] == ["active"] * 3


REPEAT = fact("You reach the billing API at port 7070.", category="reference", day="2026-11-09")
SAID = fact("The billing API listens on port 7070.", category="reference")


def test_a_repeat_makes_the_older_one_surer_and_points_to_it(home: Path) -> None:
    old, new = capture(home, [SAID, REPEAT])
    reconcile(home)
    kept, repeat = same_everywhere(home, old.id), same_everywhere(home, new.id)
    assert (kept.confidence, kept.support, kept.seen) == (0.75, 2, "2026-11-09")
    assert (repeat.status, repeat.reason, repeat.by) == ("archived", "repeat", old.id)


def test_a_session_does_not_confirm_itself(home: Path) -> None:
    old, new = capture(home, [replace(SAID, source="s1#e1"), replace(REPEAT, source="s1#e2")])
    reconcile(home)
    assert (held(home, old.id).fact.confidence, held(home, old.id).fact.support) == (0.7, 1)
    assert held(home, new.id).fact.reason == "repeat"


def test_what_is_said_in_one_breath_does_not_contradict_itself(home: Path) -> None:
    facts = capture(home, [replace(OLD, source="s1#e1"), replace(NEW, source="s1#e1", day=OLD.day)])
    reconcile(home)
    assert {held(home, each.id).fact.status for each in facts} == {"active"}


def test_a_user_may_change_his_mind_within_a_session(home: Path) -> None:
    old, _ = capture(home, [replace(OLD, source="s1#e1"), replace(NEW, source="s1#e2", day=OLD.day, at="10:05")])
    reconcile(home)
    assert held(home, old.id).fact.status == "superseded"


def test_what_restates_a_value_in_its_conversation_goes_with_it(home: Path) -> None:
    old = fact("The tile cache is limited to 50 GB.", source="s1#e1", day="2026-11-01")
    restated = fact(
        "I added an eviction with 50 GB as its bound, checked every ten minutes.", source="s1#e2", day="2026-11-01"
    )
    elsewhere = fact("The disk of the build host has 50 GB.", source="s2#e1", day="2026-11-01")
    new = fact("Le cache, passe-le de 50 à 80 Go.", category="decision", source="s3#e1", day="2026-11-05")
    capture(home, [old, restated, elsewhere, new])
    reconcile(home)
    by = {each.id: held(home, each.id).fact.by for each in (old, restated, elsewhere)}
    assert by == {old.id: new.id, restated.id: new.id, elsewhere.id: ""}


def test_the_order_of_what_was_said_counts_and_not_the_order_of_capture(home: Path) -> None:
    capture(home, [NEW])
    reconcile(home)
    capture(home, [OLD])
    reconcile(home)
    assert held(home, OLD.id).fact.by == NEW.id
    assert held(home, NEW.id).fact.status == "active"


TASK = fact("Migrer la base de prod vers la nouvelle machine.", category="goal", predicate="plans")
DONE = fact("La base de prod est migrée sur la nouvelle machine, c'est fait.", category="event", day="2026-11-06")


def test_what_is_written_down_during_a_pass_is_later_than_what_the_pass_began_with(home: Path) -> None:
    changed = fact("The billing API listens on port 7071.", category="reference")
    first, second, old = capture(home, [SAID, changed, OLD])
    written = list[Fact]()

    def meanwhile(text: str, others: Sequence[str]) -> list[float | None]:
        if not written:
            written.extend(capture(home, [replace(NEW, day=OLD.day, at=OLD.at)]))
        return by_words(text, others)

    for _ in range(2):
        Reconciler(str(home), meanwhile, TODAY).run(Ledger(str(home)).refresh())
    assert held(home, first.id).fact.by == second.id
    assert held(home, old.id).fact.by == written[0].id
    assert held(home, written[0].id).fact.status == "active"


def test_a_task_is_closed_by_what_was_said_later(home: Path) -> None:
    task, done = capture(home, [TASK, DONE])
    reconcile(home)
    closed = same_everywhere(home, task.id)
    assert (closed.status, closed.reason, closed.by, closed.until) == ("archived", "done", done.id, "2026-11-06")
    assert held(home, done.id).fact.status == "active"


def heard(home: Path, fact: Fact, session: str, day: str) -> None:
    events.append(str(home), [events.event("heard", NAMESPACE, fact.id, session=session, seen=day)])


def test_what_is_heard_again_is_surer_once_a_session(home: Path) -> None:
    (said,) = capture(home, [SAID])
    reconcile(home)
    heard(home, said, "s2", "2026-11-10")
    heard(home, said, "s2", "2026-11-10")
    heard(home, said, "s3", "2026-11-12")
    reconcile(home)
    found = same_everywhere(home, said.id)
    assert (found.confidence, found.support, found.seen) == (0.8, 3, "2026-11-12")
    assert waiting(Ledger(str(home)).refresh()) == []


def test_a_task_that_is_heard_again_after_it_was_done_is_open_again(home: Path) -> None:
    (task,) = capture(home, [TASK])
    reconcile(home)
    amendments.archive(str(home), held(home, task.id), "done", how="by hand", until="2026-11-08")
    heard(home, task, "s9", "2026-11-12")
    reconcile(home)
    assert same_everywhere(home, task.id).is_open_task


def test_a_value_that_is_said_again_takes_its_place_back(home: Path) -> None:
    old, new = capture(home, [OLD, NEW])
    reconcile(home)
    heard(home, old, "s9", "2026-11-12")
    reconcile(home)
    assert same_everywhere(home, old.id).status == "active"
    assert (held(home, new.id).fact.status, held(home, new.id).fact.by) == ("superseded", old.id)


def test_facts_that_were_set_apart_are_not_merged_again(home: Path) -> None:
    old, new = capture(home, [OLD, NEW])
    reconcile(home)
    amendments.undo(str(home), held(home, old.id), [held(home, new.id)])
    assert [held(home, each.id).fact.status for each in (old, new)] == ["active", "active"]
    events.append(str(home), [events.event("captured", NAMESPACE, new.id, text="")])
    third = fact("The staging gateway answers on port 9444.", category="reference", day="2026-11-20")
    capture(home, [third])
    reconcile(home)
    assert held(home, old.id).fact.by != new.id


def test_a_line_by_hand_is_never_changed(home: Path) -> None:
    folder = home / NAMESPACE
    folder.mkdir(parents=True)
    by_hand = f"- **reference** {OLD.text}\n"
    (folder / "2026-11-01.md").write_text(by_hand)
    (new,) = capture(home, [NEW])
    reconcile(home)
    assert (folder / "2026-11-01.md").read_text() == by_hand
    assert held(home, new.id).fact.supersedes == (OLD.id,)


@pytest.mark.parametrize(("category", "status"), [("preference", "superseded"), ("reference", "active")])
def test_of_what_holds_everywhere_a_project_replaces_only_what_is_personal(
    home: Path, category: str, status: str
) -> None:
    old = fact("I like tabs better than spaces.", category=category, namespace=GLOBAL_NAMESPACE)
    capture(home, [old], GLOBAL_NAMESPACE)
    text = "I switched to four spaces instead of tabs, the diff viewer ruins tabs."
    capture(home, [fact(text, category=category, day="2026-11-06")])
    reconcile(home)
    assert held(home, old.id, GLOBAL_NAMESPACE).fact.status == status


class KilledError(Exception):
    pass


@pytest.mark.parametrize("after", range(1, 9))
def test_a_pass_that_is_killed_anywhere_goes_on_and_comes_to_the_same(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    facts = [OLD, SAID, TASK, NEW, DONE, REPEAT]
    whole = tmp_path / "whole"
    capture(whole, facts)
    reconcile(whole)
    capture(home, facts)
    real, writes = journal.edit_lines, 0

    def killed(*arguments: object) -> set[str]:
        nonlocal writes
        writes += 1
        if writes == after:
            raise KilledError
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "edit_lines", killed)
    try:
        reconcile(home)
    except KilledError:
        monkeypatch.setattr(journal, "edit_lines", real)
        reconcile(home)
    assert lines(home) == lines(whole)
