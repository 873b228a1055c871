"""Whether Claude Code runs the hooks, told by what they left behind."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path

import pytest

from memory_plugin.cli import sightings
from memory_plugin.memory import flush
from tests.support.patience import eventually
from tests.support.transcripts import stated
from tests.support.world import World, world

__all__ = ["world"]
DAY = 86_400


@pytest.fixture
def state(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    """The state folder of a world with a client of its own."""
    for name, value in {**world.places(), "CLAUDE_CONFIG_DIR": str(world.root / "client")}.items():
        monkeypatch.setenv(name, value)
    return str(world.state)


def conversation(world: World, age: float) -> None:
    """Claude Code wrote a conversation down, so many seconds ago."""
    path: Path = world.root / "client" / "projects" / "-work" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"{}\n")
    os.utime(path, (time.time() - age,) * 2)


def test_hooks_that_never_ran_are_told(world: World, state: str) -> None:
    conversation(world, 0)
    found = sightings.hooks(state)
    assert (found.grade, found.text) == ("WARN", "none was ever seen at work")
    assert "setup" in found.step


def test_each_hook_is_seen_by_what_it_left(world: World, state: str) -> None:
    world.say([stated(0)])
    world.hook("session_end")
    assert eventually(lambda: len(flush.receipts(state)) == 1)
    assert set(sightings.last_seen(state)) == {"session end"}
    world.say([stated(0), stated(1)])
    world.hook("pre_compact")
    assert set(sightings.last_seen(state)) == {"session end", "compaction"}
    world.hook("session_start")
    assert set(sightings.last_seen(state)) == {"session end", "compaction", "session start"}
    found = sightings.hooks(state)
    assert (found.grade, found.text.count("(")) == ("OK", 3)


@pytest.mark.parametrize(("age", "grade"), [(0, "WARN"), (1.5 * DAY, "OK")])
def test_a_conversation_that_went_on_without_them_is_told(world: World, state: str, age: float, grade: str) -> None:
    world.say([stated(0)])
    (world.root / "clock").write_text(datetime.fromtimestamp(time.time() - 2 * DAY).isoformat())
    world.variables["MEMORY_PLUGIN_CLOCK"] = str(world.root / "clock")
    world.hook("pre_compact")
    conversation(world, age)
    assert sightings.hooks(state).grade == grade


def test_traces_that_cannot_be_read_are_told(world: World, state: str) -> None:
    (world.state / "receipts.jsonl").mkdir()
    assert sightings.hooks(state).grade == "FAIL"
