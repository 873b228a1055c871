"""The review that the service does by itself."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import flush, journal, review
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.namespaces import Namespace
from memory_plugin.service import backups, idle, reviewing
from memory_plugin.service.reviewing import Reviewing
from tests.support.patience import eventually
from tests.support.world import files_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory home with one project, on the Monday 2026-11-30."""
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(tmp_path / "clock"))
    monkeypatch.setenv("TZ", "UTC")
    (tmp_path / "state").mkdir()
    set_day(tmp_path, "2026-11-30")
    path = tmp_path / "memory"
    path.mkdir()
    return path


def set_day(root: Path, day: str) -> None:
    (root / "clock").write_text(f"{day}T12:00:00+00:00")


def reviewer(home: Path, idle: float = 1e9) -> Reviewing:
    return Reviewing(str(home), str(home.parent / "state"), lambda: idle)


def fact(text: str, day: str = "2026-11-29", session: str = "aaaa", category: str = "preference") -> Fact:
    return make(Candidate(text, category, "prefers", "user", text, 0.8, 0.7), "shop-1", day, "09:00", f"{session}#1")


def write(home: Path, *facts: Fact, namespace: str = "shop-1") -> None:
    flush.record(str(home), Namespace(namespace, namespace, ""), facts, "test", "/t.jsonl", "f")


def topics(home: Path) -> list[str]:
    return sorted(path.name for path in home.glob("*/topics/*.md"))


def test_once_a_day_it_does_what_is_due(home: Path) -> None:
    write(home, replace(fact("Tabs."), support=2))
    assert reviewer(home).do_if_due()
    assert topics(home) == ["preference.md"]
    write(home, replace(fact("Use X.", category="decision"), support=2))
    before = files_of(home)
    assert not reviewer(home).do_if_due()  # another process, the same day
    assert files_of(home) == before
    set_day(home.parent, "2026-12-01")
    assert reviewer(home).do_if_due()
    assert topics(home) == ["decision.md", "preference.md"]


def test_the_weekly_part_comes_once_a_week(home: Path) -> None:
    weekly = reviewer(home)
    assert weekly.do_if_due()
    write(
        home,
        fact("I want small commits.", "2026-11-02", "aaaa"),
        fact("Small commits, please.", "2026-11-12", "bbbb"),
        fact("Keep the commits small.", "2026-11-22", "cccc"),
    )
    for day in range(1, 7):
        set_day(home.parent, f"2026-12-0{day}")
        assert weekly.do_if_due()
        assert topics(home) == []
    set_day(home.parent, "2026-12-07")
    assert weekly.do_if_due()
    assert topics(home) == ["worldview.md"]
    assert json.loads((home.parent / "state" / reviewing.DONE_NAME).read_text()) == {
        "day": "2026-12-07",
        "week": "2026-W50",
    }


def test_a_weekly_review_that_was_cut_short_is_done_on_another_day(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, what in (("a-1", "commits"), ("b-1", "functions")):
        write(
            home,
            fact(f"I want small {what}.", "2026-11-02", "aaaa"),
            fact(f"Small {what}, please.", "2026-11-12", "bbbb"),
            fact(f"Keep the {what} small.", "2026-11-22", "cccc"),
            namespace=name,
        )
    stopped, apply = reviewer(home), review.apply

    def stopping(*arguments: Any) -> None:
        apply(*arguments)
        stopped.stop()

    monkeypatch.setattr(review, "apply", stopping)
    assert stopped.do_if_due()
    assert topics(home) == ["worldview.md"]
    monkeypatch.setattr(review, "apply", apply)
    assert not reviewer(home).do_if_due()  # the same day
    set_day(home.parent, "2026-12-01")
    assert reviewer(home).do_if_due()
    assert topics(home) == ["worldview.md", "worldview.md"]


def test_a_namespace_that_cannot_be_written_costs_only_itself(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("a-1", "b-1", "c-1"):
        write(home, replace(fact(f"Tabs in {name}."), support=2), namespace=name)
    (home / "b-1" / "topics").write_text("a file where the folder should be")
    one = reviewer(home)
    with caplog.at_level(logging.INFO):
        assert one.do_if_due()
    assert sorted(path.parent.parent.name for path in home.glob("*/topics/*.md")) == ["a-1", "c-1"]
    assert "b-1 is not reviewed" in one.status()["problem"]
    assert (one.status()["day"], one.status()["steps"]) == ("2026-11-30", 4)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"day": 7, "week": null}', b'{"day": "2026-11-29"}'])
def test_a_torn_note_of_the_last_review_means_that_it_is_due(home: Path, content: bytes) -> None:
    (home.parent / "state" / reviewing.DONE_NAME).write_bytes(content)
    assert reviewer(home).do_if_due()


def test_the_snapshot_of_the_day_comes_first() -> None:
    assert reviewing.QUIET_SECONDS - backups.QUIET_SECONDS > idle.LOOK_EVERY


def test_without_a_memory_home_nothing_is_due_and_nothing_made(home: Path) -> None:
    home.rmdir()
    assert not reviewer(home).do_if_due()
    assert not home.exists()
    assert list((home.parent / "state").iterdir()) == []


@pytest.mark.parametrize(("quiet", "runs"), [(reviewing.QUIET_SECONDS + 1, True), (reviewing.QUIET_SECONDS - 1, False)])
def test_only_while_nobody_asks(home: Path, monkeypatch: pytest.MonkeyPatch, quiet: float, runs: bool) -> None:
    write(home, replace(fact("Tabs."), support=2))
    monkeypatch.setattr(idle, "LOOK_EVERY", 0.01)
    looked = list[float]()

    def idle_seconds() -> float:
        looked.append(quiet)
        return quiet

    one = Reviewing(str(home), str(home.parent / "state"), idle_seconds)
    one.start()
    assert eventually(lambda: len(looked) > 3)
    one.stop()
    assert eventually(lambda: bool(topics(home)) is runs)
    assert [each.file for each in journal.all_held(str(home / "shop-1"))] == (
        ["topics/preference.md"] if runs else ["2026-11-29.md"]
    )
