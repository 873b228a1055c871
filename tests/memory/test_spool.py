"""Flushes that are owed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_plugin.memory import flush, spool, watermark
from memory_plugin.memory.files import try_lock
from memory_plugin.memory.flush import Receipt, flush_transcript
from memory_plugin.memory.spool import Job
from tests.support.data import REPOSITORY
from tests.support.transcripts import DAY, conversation, stated
from tests.support.world import World


@pytest.fixture(autouse=True)
def _in_this_world(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_HOME", str(world.home))
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(world.state))


def job(world: World, trigger: str = "test") -> Job:
    return Job(str(world.transcript), trigger, str(world.project))


def test_what_is_paid_is_owed_no_more(world: World) -> None:
    world.say([stated(0)])
    state = str(world.state)
    spool.add(state, job(world))
    assert spool.owed(state, str(world.transcript))
    assert spool.count(state) == 1
    receipt = spool.pay(state, job(world))
    assert receipt is not None
    assert len(receipt.facts) == 1
    assert (spool.owed(state, str(world.transcript)), spool.count(state)) == (False, 0)


def test_what_is_owed_from_before_capture_was_switched_off_is_dropped_unread(world: World) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    (world.project / ".claude").mkdir(parents=True)
    setting = world.project / ".claude" / "memory-plugin.json"
    setting.write_text('{"capture": {"enabled": false}}')
    assert spool.drain(str(world.state)) == []
    setting.unlink()
    assert spool.catch_up(str(world.state), str(world.transcript.parent), str(world.project), 10**9)
    assert (world.facts(), spool.count(str(world.state))) == ([], 0)


def test_a_session_that_was_killed_while_capture_was_off_is_not_caught_up(world: World) -> None:
    watermark.pass_by(str(world.state), str(world.transcript))  # before the client has made the file
    world.say([stated(0)])
    assert spool.catch_up(str(world.state), str(world.transcript.parent), str(world.project), 10**9)
    assert world.facts() == []
    world.say([stated(0), stated(1)])
    spool.pay(str(world.state), job(world))  # an event of its own, with capture on again
    assert len(world.facts()) == 1


def test_owed_twice_is_owed_once(world: World) -> None:
    for trigger in ("one", "two"):
        spool.add(str(world.state), job(world, trigger))
    assert spool.count(str(world.state)) == 1


def test_what_is_owed_again_while_it_is_paid_stays_owed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    real = watermark.write

    def write_and_be_owed_again(state: str, mark: watermark.Watermark) -> None:
        real(state, mark)
        spool.add(state, job(world, "session end"))

    with monkeypatch.context() as patch:
        patch.setattr(watermark, "write", write_and_be_owed_again)
        spool.pay(str(world.state), job(world))
    assert spool.owed(str(world.state), str(world.transcript))
    spool.pay(str(world.state), job(world))
    assert not spool.owed(str(world.state), str(world.transcript))


def test_a_drain_sees_what_comes_to_be_owed_while_it_runs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    real, rounds = watermark.write, list[int]()

    def grow(state: str, mark: watermark.Watermark) -> None:
        real(state, mark)
        rounds.append(1)
        if len(rounds) == 1:
            world.say([stated(0), stated(1)])
            spool.add(state, job(world, "session end"))

    monkeypatch.setattr(watermark, "write", grow)
    assert [receipt.trigger for receipt in spool.drain(str(world.state))] == ["test", "session end"]
    assert (spool.count(str(world.state)), len(world.facts())) == (0, 2)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "nul"])
def test_what_is_no_transcript_is_owed_no_more(world: World, kind: str) -> None:
    world.transcript.parent.mkdir()
    if kind == "folder":
        world.transcript.mkdir()
    elif kind == "pipe":
        os.mkfifo(world.transcript)
    owed = Job("nul\0in it", "test") if kind == "nul" else job(world)
    spool.add(str(world.state), owed)
    assert spool.pay(str(world.state), owed) is None
    assert spool.count(str(world.state)) == 0
    assert len(world.log()) == 1
    assert "put off" in world.log()[0]


@pytest.mark.parametrize("obstacle", ["home is a file", "events is a file", "log is a folder"])
def test_what_fails_stays_owed_with_a_line_in_the_log_and_is_done_later(world: World, obstacle: str) -> None:
    world.say([stated(0)])
    place = {
        "home is a file": world.home,
        "events is a file": world.home / ".events",
        "log is a folder": world.notes / f"{DAY}.md",
    }[obstacle]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir() if obstacle == "log is a folder" else place.write_bytes(b"")
    spool.add(str(world.state), job(world))
    assert spool.drain(str(world.state)) == []
    assert spool.count(str(world.state)) == 1
    assert not (world.state / "watermarks").exists()
    assert len(world.log()) == 1
    place.rmdir() if obstacle == "log is a folder" else place.unlink()
    assert len(spool.drain(str(world.state))) == 1
    assert spool.count(str(world.state)) == 0
    assert len(world.facts()) == 1


def test_one_that_fails_does_not_keep_the_others_waiting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [conversation(world.root / f"{number}.jsonl", [stated(number)], cwd=world.project) for number in range(3)]
    for path in paths:
        spool.add(str(world.state), Job(str(path), "test"))

    def fail_at_one(transcript: str, *, trigger: str, project: str | None, state: str) -> Receipt:
        if transcript == str(paths[1]):
            raise RuntimeError("a fault of ours")
        return flush_transcript(transcript, trigger=trigger, project=project, state=state)

    with monkeypatch.context() as patch:
        patch.setattr(flush, "flush_transcript", fail_at_one)
        assert len(spool.drain(str(world.state))) == 2
    assert spool.owed(str(world.state), str(paths[1]))
    assert world.log() == [f"flush of {paths[1]} put off: RuntimeError: a fault of ours"]
    assert len(spool.drain(str(world.state))) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"\xff",
        b"[" * 100_000,
        b'{"transcript": 5, "trigger": "x"}',
        b'{"transcript": "x", "trigger": "x", "project": []}',
        b'{"new": 1}',
    ],
)
def test_a_corrupted_debt_is_removed(world: World, content: bytes) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    (world.state / "spool" / "broken.json").write_bytes(content)
    assert len(spool.drain(str(world.state))) == 1
    assert spool.count(str(world.state)) == 0


def test_newest_first(world: World) -> None:
    paths = [conversation(world.root / f"{number}.jsonl", [stated(number)], cwd=world.project) for number in range(3)]
    for moment, path in enumerate(paths):
        spool.add(str(world.state), Job(str(path), "test"))
        for debt in (world.state / "spool").iterdir():
            if json.loads(debt.read_text())["transcript"] == str(path):
                os.utime(debt, (moment, moment))
    assert [receipt.transcript for receipt in spool.drain(str(world.state))] == [str(path) for path in reversed(paths)]


def test_only_one_drains(world: World) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    held = try_lock(os.path.join(world.state, spool.LOCK))
    assert held is not None
    assert spool.drain(str(world.state)) == []
    held.close()
    assert len(spool.drain(str(world.state))) == 1


def test_many_drains_at_once_write_each_fact_once(world: World) -> None:
    for number in range(20):
        path = conversation(world.root / "t" / f"{number}.jsonl", [stated(number)], cwd=world.project)
        spool.add(str(world.state), Job(str(path), "test"))
    script = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "drain.py"), str(world.root / "t"), ""]
    drains = [subprocess.Popen(script, env=world.environment()) for _ in range(3)]
    assert [drain.wait() for drain in drains] == [0, 0, 0]
    assert spool.count(str(world.state)) == 0
    assert sorted(line.split(" <!--")[0] for line in world.facts()) == sorted(
        f"- **preference** {stated(n)}" for n in range(20)
    )


def test_catching_up_is_bounded_and_says_whether_it_is_done(world: World) -> None:
    folder = world.root / "t"
    sizes = [conversation(folder / f"{n}.jsonl", [stated(n)], cwd=world.project).stat().st_size for n in range(3)]
    for number in range(3):
        os.utime(folder / f"{number}.jsonl", (number, number))
    assert not spool.catch_up(str(world.state), str(folder), None, sizes[2] + sizes[1])
    assert len(world.facts()) == 2
    assert spool.catch_up(str(world.state), str(folder), None, sizes[0])
    assert len(world.facts()) == 3
    assert spool.catch_up(str(world.state), str(folder), None, 0)


def test_what_a_kill_left_in_the_state_is_swept(world: World) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), job(world))
    leftovers = [world.state / name / ".writing-x" for name in ("spool", "watermarks")]
    for leftover in leftovers:
        leftover.parent.mkdir(exist_ok=True)
        leftover.write_bytes(b"")
        os.utime(leftover, (time.time() - 7200,) * 2)
    spool.drain(str(world.state))
    assert [leftover.exists() for leftover in leftovers] == [False, False]


def test_nothing_is_owed_where_nothing_is(tmp_path: Path) -> None:
    assert spool.count(str(tmp_path / "none")) == 0
    (tmp_path / "spool").write_bytes(b"")
    assert spool.count(str(tmp_path)) == 0
