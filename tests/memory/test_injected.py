"""Which notes a conversation has been given."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from memory_plugin.memory import injected


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the injections, which doesn't exist yet."""
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(tmp_path))
    return tmp_path / injected.FOLDER


def test_what_is_recorded_was_shown(folder: Path) -> None:
    injected.record("s1", ["a", "b"], "SessionStart", "project")
    injected.record("s1", iter(["c"]), "UserPromptSubmit", "project")
    assert injected.shown("s1") == {"a", "b", "c"}
    assert injected.shown("s2") == frozenset()


def test_a_compaction_takes_everything_away(folder: Path) -> None:
    injected.record("s1", ["a"], "SessionStart")
    injected.reset("s1")
    assert injected.shown("s1") == frozenset()
    injected.record("s1", ["b"], "UserPromptSubmit")
    assert injected.shown("s1") == {"b"}


def test_what_was_shown_last_is_known_by_hook_and_project(folder: Path) -> None:
    assert injected.latest() == {}
    injected.record("s1", ["a", "b"], "SessionStart", "shop")
    injected.record("s2", ["c"], "UserPromptSubmit", "shop")
    injected.reset("s1")
    later = (
        b'{"at": "2100-01-01T10:00:00+0000", "event": "UserPromptSubmit", "namespace": "yard", "notes": ["d","e","f"]}'
    )
    (folder / "s3.jsonl").write_bytes(later + b'\ntorn\n[]\n{"at": 5, "event": "SessionStart", "notes": ["x"]}\n')
    assert {event: each["notes"] for event, each in injected.latest().items()} == {
        "SessionStart": 2,
        "UserPromptSubmit": 3,
    }
    assert {event: each["notes"] for event, each in injected.latest("shop").items()} == {
        "SessionStart": 2,
        "UserPromptSubmit": 1,
    }
    assert time.time() - 60 < injected.latest()["SessionStart"]["time"] <= time.time()


@pytest.mark.parametrize("act", [lambda: injected.reset("s1"), lambda: injected.record("s1", [], "SessionStart")])
def test_nothing_to_say_writes_nothing(folder: Path, act: object) -> None:
    assert callable(act)
    act()
    assert not folder.exists()


@pytest.mark.parametrize("torn", [b'{"notes": ["x', b"\xff\xfe\n", b"[1]\n", b'{"notes": 5}\n', b"null\n"])
def test_a_torn_or_foreign_line_is_passed_over(folder: Path, torn: bytes) -> None:
    injected.record("s1", ["a"], "SessionStart")
    with (folder / "s1.jsonl").open("ab") as stream:
        stream.write(torn)
    injected.record("s1", ["b"], "SessionStart")
    assert injected.shown("s1") == {"a", "b"}


@pytest.mark.parametrize("session", ["../../escape", "", "a/b", "x" * 300, "名前", ".", "new\nline", "\ud800"])
def test_any_session_name_stays_inside_the_folder(folder: Path, session: str) -> None:
    injected.record(session, ["a"], "SessionStart")
    assert injected.shown(session) == {"a"}
    assert [path.parent for path in folder.parent.rglob("*.jsonl")] == [folder]


def test_writers_at_the_same_time_lose_nothing(folder: Path) -> None:
    def write(writer: int) -> None:
        for number in range(50):
            injected.record("s1", [f"{writer}-{number}"], "UserPromptSubmit")

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(injected.shown("s1")) == 200


def test_only_old_conversations_are_pruned(folder: Path) -> None:
    injected.record("old", ["a"], "SessionStart")
    injected.record("new", ["b"], "SessionStart")
    past = time.time() - 31 * 86_400
    os.utime(folder / "old.jsonl", (past, past))
    assert injected.prune() == 1
    assert injected.shown("old") == frozenset()
    assert injected.shown("new") == {"b"}


def test_pruning_without_a_folder_is_nothing(folder: Path) -> None:
    assert injected.prune() == 0


def test_which_conversations_used_a_note(folder: Path) -> None:
    assert injected.used() == {}
    injected.record("11111111-aaaa", ["x", "y"], "UserPromptSubmit")
    injected.record("22222222-aaaa", ["x"], "UserPromptSubmit")
    injected.reset("22222222-aaaa")
    injected.record("22222222-aaaa", ["x"], "UserPromptSubmit")
    injected.record("33333333-aaaa", ["x"], "SessionStart")
    (folder / "44444444.jsonl").write_text('{"event": "UserPromptSubmit", "notes": 7}\n[]\n{"torn')
    assert injected.used() == {"x": {"11111111", "22222222"}, "y": {"11111111"}}
