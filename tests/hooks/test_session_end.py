"""SessionEnd as the client runs it, which waits for it 1.5 seconds at most."""

from __future__ import annotations

import fcntl
import json
from typing import Any

import pytest

from memory_plugin.memory.journal import LOCK
from tests.support.patience import eventually
from tests.support.transcripts import conversation, stated
from tests.support.world import World


@pytest.mark.parametrize("reason", ["other", "clear", "prompt_input_exit", "logout", None])
def test_it_prints_nothing_and_the_facts_come(world: World, reason: Any) -> None:
    world.say([stated(0), stated(1)])
    assert world.hook("session_end", world.event(reason=reason)).stdout == b""
    assert eventually(lambda: len(world.facts()) == 2)
    assert eventually(lambda: not list((world.state / "spool").glob("*.json")))
    assert world.log() == []


def test_it_returns_while_the_flush_still_waits_and_the_flush_outlives_it(world: World) -> None:
    world.say([stated(0)])
    (world.home / ".events").mkdir(parents=True)
    with open(world.home / LOCK, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # no flush can end while this is held, the hook all the same
        assert world.hook("session_end").stdout == b""
        assert world.facts() == []
        assert len(list((world.state / "spool").glob("*.json"))) == 1
    assert eventually(lambda: len(world.facts()) == 1)


def test_sessions_that_end_together_are_all_flushed(world: World) -> None:
    paths = [conversation(world.root / "t" / f"{n}.jsonl", [stated(n)], cwd=world.project) for n in range(8)]
    for path in paths:
        world.hook("session_end", world.event(transcript_path=str(path)))
    assert eventually(lambda: len(world.facts()) == 8)
    assert eventually(lambda: not list((world.state / "spool").glob("*.json")))


def test_what_could_not_be_started_is_caught_up_by_the_next_start(world: World) -> None:
    world.say([stated(0)])
    world.hook("session_end")
    assert eventually(lambda: len(world.facts()) == 1)
    world.say([stated(0), stated(1)])  # as if the machine had gone down before the hook
    world.hook("session_start")
    assert len(world.facts()) == 2


def test_switched_off_it_owes_nothing(world: World) -> None:
    world.settings.write_text(json.dumps({"capture": {"enabled": False}}))
    world.say([stated(0)])
    world.hook("session_end")
    assert not (world.state / "spool").exists()
    assert not world.home.exists()
