"""Snapshots of a home: each whole, each content once, whatever is killed, full or damaged."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_plugin.memory import contents, journal, snapshots
from memory_plugin.memory.snapshots import BY_HAND, DamagedError, PlaceError, Snapshot, Store
from tests.support.data import REPOSITORY
from tests.support.facts import capture, fact
from tests.support.small_disk import fill, small_disk
from tests.support.world import files_of

__all__ = ["small_disk"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    capture(home, [fact("We index with LanceDB."), fact("Staging listens on port 8080.", day="2026-11-03")])
    (home / "note.md").write_text("My own note.\n")
    age(home)
    return home


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "backups"))


def age(home: Path) -> None:
    """Make files older than those which are read again for sure."""
    for path in home.rglob("*"):
        if path.is_file():
            os.utime(path, (1_700_000_000, 1_700_000_000))


def make(store: Store, home: Path, kind: str = BY_HAND, *, thorough: bool = False) -> tuple[Snapshot, bool]:
    with store.locked():
        return store.make(str(home), kind, thorough=thorough)


def held(store: Store, snapshot: Snapshot) -> dict[str, bytes]:
    return {inside: store.content(entry) for inside, entry in snapshot.files.items()}


def in_home(home: Path) -> dict[str, bytes]:
    return {inside: (home / inside).read_bytes() for inside in contents.contents(str(home)).files}


def objects(store: Store) -> list[Path]:
    return sorted(path for path in Path(store.folder, "objects").rglob("*") if path.is_file())


def test_a_snapshot_holds_every_file_as_it_was(store: Store, home: Path) -> None:
    before = in_home(home)
    made, new = make(store, home)
    assert new
    (home / "note.md").write_text("Changed.\n")
    assert held(store, made) == held(store, store.snapshots()[0]) == before
    assert (made.home, made.kind, made.size) == (str(home), BY_HAND, sum(map(len, before.values())))


def test_what_did_not_change_is_kept_once(store: Store, home: Path) -> None:
    (home / "same.md").write_bytes((home / "note.md").read_bytes())
    make(store, home)
    first = len(objects(store))
    assert first == len(set(in_home(home).values()))
    (home / "note.md").write_text("Changed.\n")
    make(store, home)
    assert len(objects(store)) == first + 1
    assert len(store.snapshots()) == 2


@pytest.mark.parametrize("thorough", [False, True])
def test_a_home_that_did_not_change_has_no_second_one(store: Store, home: Path, thorough: bool) -> None:
    first, _ = make(store, home)
    assert make(store, home, thorough=thorough) == (first, False)
    assert len(store.snapshots()) == 1


def test_files_of_the_same_size_and_time_are_not_read_again(store: Store, home: Path) -> None:
    make(store, home)
    (home / "note.md").write_text("My new note.\n")  # as long as the one before
    age(home)
    assert not make(store, home)[1]
    made, new = make(store, home, thorough=True)
    assert new
    assert held(store, made)["note.md"] == b"My new note.\n"


def test_a_file_that_was_just_saved_is_read_again(store: Store, home: Path) -> None:
    (home / "note.md").write_text("One.\n")
    now = os.stat(home / "note.md").st_mtime_ns
    make(store, home)
    (home / "note.md").write_text("Two.\n")
    os.utime(home / "note.md", ns=(now, now))  # a clock with large steps
    made, new = make(store, home)
    assert new
    assert held(store, made)["note.md"] == b"Two.\n"


def test_two_in_one_second_have_names_of_their_own(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.parent / "clock").write_text("2026-11-30T12:00:00+00:00")
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(home.parent / "clock"))
    names = list[str]()
    for number in range(3):
        (home / "note.md").write_text(f"{number}\n")
        names.append(make(store, home)[0].name)
    assert len(set(names)) == 3
    assert [each.name for each in store.snapshots()] == names[::-1]


def test_odd_names_and_contents_come_back_as_they_were(store: Store, home: Path) -> None:
    for name in (b"not utf-8 \xff.md", b"line\nbreak.md", "émoji 🌍.md".encode(), b"a\\b.md"):
        Path(os.fsdecode(os.fsencode(home) + b"/" + name)).write_bytes(name * 3)
    (home / "empty.md").touch()
    (home / "bytes.bin").write_bytes(bytes(range(256)))
    make(store, home)
    assert held(store, store.snapshots()[0]) == in_home(home)


def test_what_cannot_be_read_is_told_and_the_rest_kept(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "LARGEST", 2000)
    (home / "large.md").write_text("x" * 2001)
    (home / "link.md").symlink_to("nowhere")
    made, _ = make(store, home)
    assert made.left_out == store.snapshots()[0].left_out
    assert set(made.left_out) == {"large.md", "link.md"}
    assert "note.md" in made.files


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_costs_only_itself(store: Store, home: Path) -> None:
    (home / "note.md").chmod(0)
    made, _ = make(store, home)
    assert made.left_out == {"note.md": "Permission denied"}


def test_no_fact_is_seen_halfway_between_two_files(store: Store, home: Path) -> None:
    """While facts move from their days to topics all the time, every snapshot holds each of them."""
    namespace = home / "shop-0a1b2c3d"
    said = [f"Service {number} listens on port {8000 + number}." for number in range(40)]
    facts = capture(home, [fact(text, namespace=namespace.name) for text in said], namespace.name)
    done = threading.Event()

    def move() -> None:
        for each in list(journal.all_held(str(namespace))):
            with journal.locked(str(home)):
                journal.move_to_topic(each, "project")
        done.set()

    mover = threading.Thread(target=move)
    mover.start()
    made = list[Snapshot]()
    while not done.is_set():
        made.append(make(store, home)[0])
    mover.join()
    for each in made:
        text = b"".join(content for inside, content in held(store, each).items() if inside.endswith(".md")).decode()
        assert all(f"m:{one.id} " in text for one in facts)


@pytest.mark.parametrize("where", ["home/backups", "home/shop-1/deep/backups", "home"])
def test_snapshots_never_lie_in_the_home(home: Path, where: str) -> None:
    with pytest.raises(PlaceError, match="cannot lie in the home"):
        Store(str(home.parent / where)).make(str(home), BY_HAND)


def test_the_settings_say_where(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(tmp_path / "settings.json"))
    state = str(tmp_path / "state")
    assert snapshots.place(state) == str(tmp_path / "state" / "backups")
    (tmp_path / "settings.json").write_text(f'{{"backup": {{"folder": "{tmp_path}/disk/memory"}}}}')
    with pytest.raises(PlaceError, match="mount its disk, or make the folder"):
        snapshots.place(state)
    (tmp_path / "disk").mkdir()  # an empty mount point
    with pytest.raises(PlaceError, match="mount its disk, or make the folder"):
        snapshots.place(state)
    (tmp_path / "disk" / "memory").mkdir()
    assert snapshots.place(state) == str(tmp_path / "disk" / "memory")
    assert [each.folder for each in snapshots.stores(state)] == [snapshots.place(state)]
    (tmp_path / "state" / "backups").mkdir(parents=True)
    assert len(snapshots.stores(state)) == 2
    (tmp_path / "settings.json").write_text('{"backup": {"folder": "relative"}}')
    with pytest.raises(PlaceError, match="absolute"):
        snapshots.place(state)
    (tmp_path / "settings.json").write_text(f'{{"backup": {{"folder": "{tmp_path}"}}}}')
    with pytest.raises(PlaceError, match="a folder of its own"):
        snapshots.place(state)


def test_pruning_removes_what_no_snapshot_names_any_more(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(home.parent / "clock"))
    for day in range(1, 31):
        (home.parent / "clock").write_text(f"2026-11-{day:02}T12:00:00+00:00")
        (home / "note.md").write_text(f"day {day}\n")
        with store.locked():
            store.make(str(home), "daily")
            store.prune()
    days = [each.name[8:10] for each in store.snapshots()]
    assert days == ["30", "29", "28", "27", "26", "25", "24", "22", "15"]
    assert len(objects(store)) == len(in_home(home)) - 1 + len(days)
    assert not store.verify().problems


def test_nothing_is_removed_while_a_snapshot_cannot_be_read(store: Store, home: Path) -> None:
    made, _ = make(store, home)
    (home / "note.md").write_text("Changed.\n")
    make(store, home)
    path = Path(store.folder, f"{made.name}.json")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    before = objects(store)
    with store.locked():
        store.prune()
    assert objects(store) == before
    assert [bool(each.problem) for each in store.snapshots()].count(True) == 1
    assert any("cannot be read" in problem for problem in store.verify().problems)
    path.write_bytes(whole)
    assert not store.verify().problems


@pytest.mark.parametrize("damage", ["flip", "cut", "longer", "empty", "gone"])
def test_verifying_finds_every_damage_and_the_next_snapshot_mends_it(store: Store, home: Path, damage: str) -> None:
    made, _ = make(store, home)
    entry = made.files["note.md"]
    path = Path(store.folder, "objects", entry.digest[:2], entry.digest[2:])
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        changed = {"flip": b"X" + content[1:], "cut": content[:-1], "longer": content + b"x", "empty": b""}
        path.write_bytes(changed[damage])
    with pytest.raises(DamagedError):
        store.content(entry)
    assert [problem for problem in store.verify().problems if f"{made.name}, note.md" in problem]
    make(store, home, thorough=True)
    assert not store.verify().problems


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{}", b"[]", b"\xff", b'{"format":2,"files":{}}', b"[" * 100_000),
        b'{"format":1,"moment":"","kind":"","home":"","left_out":{},"files":{"../x":["' + b"a" * 64 + b'",1,1]}}',
        b'{"format":1,"moment":"","kind":"","home":"","left_out":{},"files":{"/x":["' + b"a" * 64 + b'",1,1]}}',
        b'{"format":1,"moment":"","kind":"","home":"","left_out":{},"files":{"x":["../../etc",1,1]}}',
    ],
)
def test_a_snapshot_that_is_none_is_told_and_costs_nothing_else(store: Store, home: Path, body: bytes) -> None:
    made, _ = make(store, home)
    path = Path(store.folder, "2026-01-01-000000.json")
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    found = store.snapshots()
    assert [each.name for each in found if each.problem] == ["2026-01-01-000000"]
    assert held(store, next(each for each in found if not each.problem)) == in_home(home)
    assert made in found


def test_a_full_disk_is_an_error_and_leaves_what_there_was(home: Path, small_disk: Path) -> None:
    store = Store(str(small_disk / "backups"))
    first, _ = make(store, home)
    full = fill(small_disk)
    (home / "note.md").write_bytes(os.urandom(300_000))
    with pytest.raises(OSError, match=r"No space.*backups"):
        make(store, home)
    assert store.snapshots() == [first]
    assert not store.verify().problems
    full.unlink()
    make(store, home)
    assert len(store.snapshots()) == 2
    assert not store.verify().problems


_MAKING = """
import sys; sys.path.insert(0, sys.argv[1])
from memory_plugin.memory.snapshots import Store
store, home = Store(sys.argv[2]), sys.argv[3]
print("ready", flush=True)
number = 0
while True:
    with open(home + "/note.md", "w") as stream:
        stream.write(f"{number}\\n" * 50)
    with open(f"{home}/n{number % 7}.md", "w") as stream:
        stream.write(f"{number}\\n")
    with store.locked():
        store.make(home, "by hand" if number % 3 else "daily")
        store.prune()
    number += 1
"""


def test_a_kill_at_any_moment_leaves_whole_snapshots(store: Store, home: Path) -> None:
    moments = random.Random(7)
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", _MAKING, str(REPOSITORY), store.folder, str(home)], stdout=subprocess.PIPE
        )
        assert process.stdout
        process.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not store.verify().problems
    with store.locked():
        made, _ = store.make(str(home), BY_HAND)
        store.prune()
    assert held(store, made) == in_home(home)
    assert not store.verify().problems
    named = {entry.digest for each in store.snapshots() for entry in each.files.values()}
    assert {path.parent.name + path.name for path in objects(store)} == named  # nothing of the killed is left
    assert not list(Path(store.folder).rglob(".writing-*"))


@pytest.mark.parametrize("survived", range(6))
def test_a_pruning_that_was_killed_leaves_whole_snapshots_and_the_next_goes_on(
    store: Store, home: Path, survived: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        (home / "note.md").write_text(f"{number}\n")
        make(store, home)
    done, unlink = list[str](), os.unlink

    def dying(path: str) -> None:
        if len(done) >= survived:
            raise KeyboardInterrupt
        done.append(path)
        unlink(path)

    with monkeypatch.context() as patch, store.locked():
        patch.setattr(os, "unlink", dying)
        with pytest.raises(KeyboardInterrupt):
            store.prune()
    assert not store.verify().problems
    with store.locked():
        store.prune()
    assert len(store.snapshots()) == 7
    assert len(objects(store)) == len(in_home(home)) - 1 + 7


def test_what_is_amended_is_amended_in_every_snapshot(store: Store, home: Path) -> None:
    for text in ("the word\n", "another\nthe word\n", "none\n"):
        (home / "note.md").write_text(text)
        make(store, home)
    names = [each.name for each in store.snapshots()]
    with store.locked():
        store.amend(lambda inside, content: content.replace(b"the word\n", b"") if inside == "note.md" else content)
    assert [each.name for each in store.snapshots()] == names
    assert [held(store, each)["note.md"] for each in store.snapshots()] == [b"none\n", b"another\n", b""]
    assert not any(b"the word" in content for content in files_of(Path(store.folder)).values())
    assert not store.verify().problems


def test_what_nobody_can_read_does_not_outlive_an_amendment(store: Store, home: Path) -> None:
    lost, _ = make(store, home)
    (home / "note.md").write_text("Changed.\n")
    kept, _ = make(store, home)
    Path(store.folder, f"{lost.name}.json").write_bytes(b"torn")
    entry = kept.files["note.md"]
    Path(store.folder, "objects", entry.digest[:2], entry.digest[2:]).write_bytes(b"other")
    with store.locked():
        store.amend(lambda inside, content: content)
    (left,) = store.snapshots()
    assert (left.name, left.left_out) == (kept.name, {"note.md": "damaged"})
    assert not any(
        b"My own note" in content or content == b"other" for content in files_of(Path(store.folder)).values()
    )


def test_files_are_private(store: Store, home: Path) -> None:
    make(store, home)
    for path in [Path(store.folder), *Path(store.folder).rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0


def test_other_files_in_its_folder_stay(store: Store, home: Path) -> None:
    other = Path(store.folder, "photos", ".writing-something")
    other.parent.mkdir(parents=True)
    other.write_text("x")
    Path(store.folder, "notes.json").write_text("{}")
    make(store, home)
    with store.locked():
        store.prune()
    assert other.exists()
    assert len(store.snapshots()) == 1
