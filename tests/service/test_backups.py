"""The snapshot that the service makes by itself, and how the snapshots stand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memory_plugin.memory.snapshots import BY_HAND, Store
from memory_plugin.service import backups, idle
from memory_plugin.service.backups import Backups, standing
from tests.support.facts import capture, fact
from tests.support.patience import eventually


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory home with one fact, on the Monday 2026-11-30."""
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(tmp_path / "clock"))
    monkeypatch.setenv("TZ", "UTC")
    (tmp_path / "state").mkdir()
    set_day(tmp_path, "2026-11-30")
    capture(tmp_path / "home", [fact("We index with LanceDB.")])
    return tmp_path / "home"


def set_day(root: Path, day: str) -> None:
    (root / "clock").write_text(f"{day}T12:00:00+00:00")


def state_of(home: Path) -> str:
    return str(home.parent / "state")


def age(home: Path) -> None:
    """Make files older than those that are read again for sure."""
    for path in home.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def keeper(home: Path, quiet: float = 1e9) -> Backups:
    return Backups(str(home), state_of(home), lambda: quiet)


def store_of(home: Path) -> Store:
    return Store(os.path.join(state_of(home), "backups"))


def names(home: Path) -> list[str]:
    return [each.name for each in store_of(home).snapshots()]


def problem(home: Path) -> str:
    return str(standing(str(home), state_of(home))["problem"])


def test_once_a_day_it_makes_one(home: Path) -> None:
    assert keeper(home).do_if_due()
    (home / "note.md").write_text("more\n")
    assert not keeper(home).do_if_due()  # another process, the same day
    assert names(home) == ["2026-11-30-120000"]
    set_day(home.parent, "2026-12-01")
    assert keeper(home).do_if_due()
    assert names(home) == ["2026-12-01-120000", "2026-11-30-120000"]
    assert {each.kind for each in store_of(home).snapshots()} == {"daily"}


def test_a_day_on_which_nothing_changed_has_none(home: Path) -> None:
    for day in ("2026-11-30", "2026-12-01", "2026-12-02"):
        set_day(home.parent, day)
        assert keeper(home).do_if_due()
    assert names(home) == ["2026-11-30-120000"]
    found = standing(str(home), state_of(home))
    assert (found["last"], found["looked"], found["problem"]) == ("2026-11-30-120000", "2026-12-02", "")


def test_old_ones_are_pruned(home: Path) -> None:
    for day in range(1, 31):
        set_day(home.parent, f"2027-01-{day:02}")
        (home / "note.md").write_text(f"{day}\n")
        keeper(home).do_if_due()
    assert len(names(home)) == 7 + 2  # the other two of the four weeks ended within the seven days


def test_once_a_week_all_are_read_through_and_mended_from_the_home(home: Path) -> None:
    age(home)
    keeper(home).do_if_due()
    (home / "note.md").write_text("more\n")
    objects = [path for path in Path(store_of(home).folder, "objects").rglob("*") if path.is_file()]
    for path in objects:
        path.write_bytes(b"x" * path.stat().st_size)
    set_day(home.parent, "2026-12-01")
    keeper(home).do_if_due()
    assert store_of(home).verify().problems  # the same week
    (home / "gone.md").write_text("A note.\n")
    set_day(home.parent, "2026-12-07")
    keeper(home).do_if_due()
    assert not store_of(home).verify().problems
    assert problem(home) == ""


def test_what_cannot_be_mended_is_told(home: Path) -> None:
    (home / "gone.md").write_text("A note.\n")
    keeper(home).do_if_due()
    digest = store_of(home).snapshots()[0].files["gone.md"].digest
    Path(store_of(home).folder, "objects", digest[:2], digest[2:]).write_bytes(b"?")
    (home / "gone.md").unlink()
    set_day(home.parent, "2026-12-07")
    keeper(home).do_if_due()
    assert problem(home) == "1 files in snapshots are damaged"
    set_day(home.parent, "2026-12-08")
    keeper(home).do_if_due()
    assert problem(home) == "1 files in snapshots are damaged"  # until somebody looks, or the next week


@pytest.mark.parametrize("reason", ["off", "no home", "an empty home"])
def test_there_is_nothing_to_do(home: Path, reason: str) -> None:
    if reason == "off":
        (home.parent / "settings.json").write_text('{"backup": {"enabled": false}}')
    else:
        home.rename(home.parent / "elsewhere")
    if reason == "an empty home":
        home.mkdir()
    keeper(home).do_if_due()
    assert names(home) == []
    assert problem(home) == ""


def test_a_disk_that_is_not_there_is_told_and_looked_for_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.parent / "settings.json").write_text(json.dumps({"backup": {"folder": str(home.parent / "disk" / "memory")}}))
    one = keeper(home)
    assert one.do_if_due()
    assert "mount its disk, or make the folder" in problem(home)
    assert not one.do_if_due()  # within the hour
    monkeypatch.setattr(one, "_not_before", 0.0)
    (home.parent / "disk" / "memory").mkdir(parents=True)
    assert one.do_if_due()
    assert problem(home) == ""
    assert len(Store(str(home.parent / "disk" / "memory")).snapshots()) == 1


def test_a_disk_that_is_nearly_full_is_left_to_what_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "LEAST_FREE", 1 << 60)
    keeper(home).do_if_due()
    assert names(home) == []
    assert "are free where" in problem(home)


def test_half_a_restore_is_not_taken_for_the_memory(home: Path) -> None:
    with store_of(home).locked():
        made, _ = store_of(home).make(str(home), BY_HAND)
    (Path(store_of(home).folder) / "unfinished").write_text(made.name)
    (home / "note.md").write_text("half\n")
    keeper(home).do_if_due()
    assert names(home) == [made.name]
    assert "was not finished" in problem(home)
    (Path(store_of(home).folder) / "unfinished").unlink()
    assert keeper(home).do_if_due()  # the same day
    assert len(names(home)) == 2
    assert problem(home) == ""


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"day": 7}', b'{"day": "2026-11-29"}'])
def test_a_torn_note_of_the_last_one_means_that_it_is_due(home: Path, content: bytes) -> None:
    Path(state_of(home), backups.DONE_NAME).write_bytes(content)
    assert keeper(home).do_if_due()


def test_what_no_snapshot_holds_for_days_is_behind(home: Path) -> None:
    assert not standing(str(home), state_of(home))["behind"]
    age(home)
    assert standing(str(home), state_of(home))["behind"]
    keeper(home).do_if_due()
    assert not standing(str(home), state_of(home))["behind"]


@pytest.mark.parametrize(("quiet", "runs"), [(backups.QUIET_SECONDS + 1, True), (backups.QUIET_SECONDS - 1, False)])
def test_only_while_nobody_asks(home: Path, monkeypatch: pytest.MonkeyPatch, quiet: float, runs: bool) -> None:
    monkeypatch.setattr(idle, "LOOK_EVERY", 0.01)
    looked = list[float]()

    def idle_seconds() -> float:
        looked.append(quiet)
        return quiet

    one = Backups(str(home), state_of(home), idle_seconds)
    one.start()
    assert eventually(lambda: len(looked) > 3)
    one.stop()
    assert eventually(lambda: bool(names(home)) is runs)
