"""A snapshot comes back as it was, what it replaces is kept, and what was purged stays purged."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_plugin.memory import amendments, contents, events, hand, purge, restoration
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.snapshots import BEFORE_RESTORE, BY_HAND, DamagedError, Snapshot, Store
from tests.support.data import REPOSITORY
from tests.support.facts import NAMESPACE, capture, fact
from tests.support.facts import held as held_in
from tests.support.small_disk import fill, small_disk
from tests.support.world import files_of

__all__ = ["small_disk"]

PORT, INDEX = fact("Staging listens on port 8080."), fact("We index with LanceDB.", day="2026-11-03")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(tmp_path / "settings.json"))
    home = tmp_path / "home"
    capture(home, [PORT, INDEX])
    (home / "note.md").write_text("My own note.\n")
    return home


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "state" / "backups"))


def make(store: Store, home: Path) -> Snapshot:
    with store.locked():
        return store.make(str(home), BY_HAND)[0]


def in_home(home: Path) -> dict[str, bytes]:
    return {inside: (home / inside).read_bytes() for inside in contents.contents(str(home)).files}


def restore(store: Store, snapshot: Snapshot, home: Path) -> restoration.Restored:
    return restoration.restore(store, snapshot, str(home))


def damage(home: Path) -> None:
    """What may happen to a home: one file torn, one gone, one new, one changed."""
    (home / NAMESPACE / "2026-11-02.md").write_text("# 2026-1")
    (home / NAMESPACE / "2026-11-03.md").unlink()
    (home / "new" / "deep").mkdir(parents=True)
    (home / "new" / "deep" / "later.md").write_text("later\n")
    (home / "note.md").write_text("Changed.\n")


def test_the_home_is_what_it_was(store: Store, home: Path) -> None:
    before, made = in_home(home), make(store, home)
    damage(home)
    done = restore(store, made, home)
    assert in_home(home) == before
    assert sorted(done.written) == [f"{NAMESPACE}/2026-11-02.md", f"{NAMESPACE}/2026-11-03.md", "note.md"]
    assert done.removed == ["new/deep/later.md"]
    assert not (home / "new" / "deep").exists()


def test_what_was_replaced_is_one_restore_away(store: Store, home: Path) -> None:
    made = make(store, home)
    damage(home)
    damaged = in_home(home)
    done = restore(store, made, home)
    assert done.before
    assert done.before.kind == BEFORE_RESTORE
    restore(store, done.before, home)
    assert in_home(home) == damaged


def test_a_home_that_is_gone_comes_back(store: Store, home: Path) -> None:
    before, made = in_home(home), make(store, home)
    home.rename(home.parent / "gone")
    done = restore(store, made, home)
    assert done.before is None
    assert in_home(home) == before
    assert (home / "note.md").stat().st_mode & 0o077 == 0


def test_restoring_what_is_there_changes_no_file(store: Store, home: Path) -> None:
    made = make(store, home)
    times = {path: path.stat().st_mtime_ns for path in home.rglob("*.md")}
    done = restore(store, made, home)
    assert (done.written, done.removed) == ([], [])
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.md")} == times
    assert store.snapshots() == [made]


def test_nobody_is_taken_to_have_deleted_anything_by_hand(store: Store, home: Path) -> None:
    observer = hand.Observer(str(home))
    observer.look()
    made = make(store, home)
    capture(home, [fact("We release on Fridays.", day="2026-11-04")])
    damage(home)
    restore(store, made, home)
    assert observer.look() == []
    entries = Ledger(str(home)).refresh().entries
    assert not any(entry.retracted for entry in entries.values())
    assert {identity for _, identity in entries} == {PORT.id, INDEX.id}


def test_what_no_snapshot_holds_stays(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(store, home)
    monkeypatch.setattr(contents, "LARGEST", 5000)
    (home / "large.md").write_text("x" * 5001)
    (home / ".git").mkdir()
    (home / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    restore(store, made, home)
    assert (home / "large.md").exists()
    assert (home / ".git" / "HEAD").exists()


def test_what_a_snapshot_left_out_is_not_removed_for_that(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "LARGEST", 5000)
    (home / "grown.md").write_text("x" * 5001)
    made = make(store, home)
    (home / "grown.md").write_text("x" * 100)
    restore(store, made, home)
    assert (home / "grown.md").read_text() == "x" * 100


def test_a_linked_project_is_restored_where_it_lies(store: Store, home: Path) -> None:
    elsewhere = home.parent / "vault"
    (home / NAMESPACE).rename(elsewhere)
    (home / NAMESPACE).symlink_to(elsewhere)
    before, made = in_home(home), make(store, home)
    (elsewhere / "2026-11-02.md").write_text("torn")
    restore(store, made, home)
    assert in_home(home) == before
    assert (home / NAMESPACE).is_symlink()


def test_a_damaged_snapshot_changes_nothing(store: Store, home: Path) -> None:
    made = make(store, home)
    digest = made.files["note.md"].digest
    Path(store.folder, "objects", digest[:2], digest[2:]).write_bytes(b"X")
    damage(home)
    damaged = in_home(home)
    with pytest.raises(DamagedError, match=r"note\.md of "):
        restore(store, made, home)
    assert in_home(home) == damaged
    assert store.unfinished() == ""
    done = restoration.restore_to(store, made, str(home.parent / "then"))
    assert [problem.split(":")[0] for problem in done.problems] == ["note.md"]
    assert (home.parent / "then" / NAMESPACE / "2026-11-03.md").exists()


def test_what_was_purged_since_stays_purged(store: Store, home: Path) -> None:
    made = make(store, home)
    target = purge.target(str(home), held_in(home, PORT.id))
    # as if the snapshots had been on a disk that was not there
    Path(store.folder).rename(home.parent / "unplugged")
    purge.run(str(home), str(home.parent / "state"), NAMESPACE, target)
    shutil.rmtree(store.folder)
    (home.parent / "unplugged").rename(store.folder)
    restore(store, made, home)
    assert b"8080" not in b"".join(in_home(home).values())
    assert Ledger(str(home)).refresh().entries[NAMESPACE, PORT.id].purged
    assert amendments.find(str(home), INDEX.id, [NAMESPACE])


def test_a_full_disk_is_told_and_the_restore_goes_on_when_there_is_room(store: Store, small_disk: Path) -> None:
    home = small_disk / "home"
    capture(home, [PORT, INDEX])
    (home / "note.md").write_bytes(b"x" * 400_000)
    before, made = in_home(home), make(store, home)
    (home / "note.md").unlink()
    (home / NAMESPACE / "2026-11-03.md").unlink()
    full = fill(small_disk)
    with pytest.raises(OSError, match="No space"):
        restore(store, made, home)
    assert store.unfinished() == made.name
    full.unlink()
    restore(store, made, home)
    assert store.unfinished() == ""
    assert in_home(home) == before


_RESTORING = """
import sys; sys.path.insert(0, sys.argv[1])
from memory_plugin.memory import restoration
from memory_plugin.memory.snapshots import Store
store = Store(sys.argv[2])
wanted = next(each for each in store.snapshots() if each.name == sys.argv[4])
print("ready", flush=True)
restoration.restore(store, wanted, sys.argv[3])
"""


def test_a_restore_that_was_killed_is_finished_by_doing_it_again(store: Store, home: Path) -> None:
    for number in range(30):
        (home / f"n{number}.md").write_text(f"{number}\n" * 100)
    before, made, moments, cut = in_home(home), make(store, home), random.Random(3), 0
    for _ in range(6):
        for number in range(30):
            (home / f"n{number}.md").write_text("lost")
        process = subprocess.Popen(
            [sys.executable, "-c", _RESTORING, str(REPOSITORY), store.folder, str(home), made.name],
            stdout=subprocess.PIPE,
        )
        assert process.stdout
        process.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.08))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not store.verify().problems
        cut += store.unfinished() == made.name
        restore(store, made, home)
        assert in_home(home) == before
        assert store.unfinished() == ""
    assert cut  # of six, some were killed in between


def test_into_another_folder_it_touches_nothing_of_the_home(store: Store, home: Path) -> None:
    before, made = in_home(home), make(store, home)
    damage(home)
    damaged = files_of(home)
    done = restoration.restore_to(store, made, str(home.parent / "then"))
    assert files_of(home) == damaged
    then = home.parent / "then"
    assert {inside: (then / inside).read_bytes() for inside in contents.contents(str(then)).files} == before
    assert sorted(done.written) == sorted(before)
    assert len(list(events.read(str(home.parent / "then")))) == 2
