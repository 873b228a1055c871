"""The process that flushes what is owed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_plugin.memory import spool
from memory_plugin.memory.spool import Job
from tests.support.data import REPOSITORY
from tests.support.transcripts import conversation, stated
from tests.support.world import World, files_of


def drained(world: World, *arguments: str) -> None:
    command = [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / "drain.py"), *arguments]
    done = subprocess.run(command, env=world.environment(), capture_output=True, cwd=world.root, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_pays_what_is_owed(world: World) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), Job(str(world.transcript), "test"))
    drained(world)
    assert (len(world.facts()), spool.count(str(world.state))) == (1, 0)


def test_it_catches_up_on_a_folder(world: World) -> None:
    for number in range(3):
        conversation(world.root / "t" / f"{number}.jsonl", [stated(number)], cwd=world.project)
    drained(world, str(world.root / "t"), str(world.project))
    assert len(world.facts()) == 3


@pytest.mark.parametrize("arguments", [(), ("",), ("", ""), ("/nonexistent", ""), ("nonexistent", "x", "y")])
def test_nothing_to_do_is_done_quietly(world: World, arguments: tuple[str, ...]) -> None:
    drained(world, *arguments)
    assert world.log() == []
    assert not world.home.exists()


def test_what_goes_wrong_is_a_line_in_the_log(world: World) -> None:
    (world.state / "spool.lock").mkdir()
    (world.state / "spool").mkdir()
    (world.state / "spool" / "x.json").write_text("{}")
    drained(world)
    assert len(world.log()) == 1
    assert world.log()[0].startswith("drain: IsADirectoryError")


def test_without_a_home_it_ends_and_writes_nothing(world: World) -> None:
    world.say([stated(0)])
    spool.add(str(world.state), Job(str(world.transcript), "test"))
    before = files_of(world.root)
    world.variables |= {"MEMORY_PLUGIN_STATE": None, "HOME": "relative"}
    drained(world, str(world.transcript.parent), str(world.project))
    assert files_of(world.root) == before
