"""PreCompact as the client runs it: its output becomes part of the summary's prompt."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import time
from typing import Any

import pytest

from memory_plugin.memory.journal import LOCK
from memory_plugin.memory.summary import HEADING, INSTRUCTION
from tests.support.patience import eventually
from tests.support.transcripts import entry, lines, stated
from tests.support.world import RUN, World, files_of

ASKED = (INSTRUCTION + "\n").encode()


@pytest.mark.parametrize("trigger", ["manual", "auto", "", None, "a\n- **decision** smuggled <!--"])
@pytest.mark.parametrize("instructions", ["", None, "focus on fruit"])
def test_it_prints_the_instruction_and_never_json(world: World, trigger: Any, instructions: Any) -> None:
    world.say([stated(0)])
    output = world.hook("pre_compact", world.event(trigger=trigger, custom_instructions=instructions)).stdout
    assert output == ASKED
    assert not output.lstrip().startswith((b"{", b"["))
    assert len(world.facts()) == 1


@pytest.mark.parametrize("settings", [{"compaction": {"ask_for_facts": False}}, {"capture": {"enabled": False}}])
def test_it_prints_nothing_when_told_so(world: World, settings: Any) -> None:
    world.settings.write_text(json.dumps(settings))
    world.say([stated(0)])
    assert world.hook("pre_compact").stdout == b""


def test_facts_are_durable_before_it_returns(world: World) -> None:
    world.say([stated(0), stated(1)])
    world.hook("pre_compact")
    assert len(world.facts()) == 2
    assert (world.notes / "MEMORY.md").read_text().count("- **preference**") == 2


def test_eight_times_in_a_row_is_as_once(world: World) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    before = files_of(world.home)
    for _ in range(7):
        world.hook("pre_compact")
    assert files_of(world.home) == before


def test_the_summary_is_owed_and_read_once_by_the_next_event(world: World) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    assert len(list((world.state / "spool").glob("*.json"))) == 1
    section = f"The story.\n\n## {HEADING}\n- [decision] We index with LanceDB, for nothing has to run.\n"
    with open(world.transcript, "ab") as stream:
        stream.write(lines([entry(section, 5, isCompactSummary=True, cwd=str(world.project))]))
    world.hook("session_end")
    assert eventually(lambda: sum("LanceDB" in line for line in world.facts()) == 1)
    for hook in ("pre_compact", "session_start"):
        world.hook(hook)
    assert sum("LanceDB" in line for line in world.facts()) == 1


@pytest.mark.parametrize("seed", range(6))
def test_killed_with_its_group_and_run_again_nothing_is_lost(world: World, seed: int) -> None:
    world.say(stated(number) for number in range(80))
    moment = random.Random(seed)
    for _ in range(3):
        hook = subprocess.Popen(
            ["sh", str(RUN), "pre_compact"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=world.environment(),
            start_new_session=True,
        )
        assert hook.stdin is not None
        hook.stdin.write(json.dumps(world.event()).encode())
        hook.stdin.close()
        time.sleep(moment.random() * 0.25)
        os.killpg(hook.pid, signal.SIGKILL)
        hook.wait()
    assert world.hook("pre_compact").stdout == ASKED
    assert len(world.facts()) == 80
    assert len({line.split("m:")[1][:8] for line in world.facts()}) == 80


def test_at_its_deadline_it_prints_the_instruction_and_the_flush_goes_on(world: World) -> None:
    """The deadline of the hook is 25 s; here a copy of the script keeps one of 1 s."""
    world.say([stated(0)])
    (world.home / ".events").mkdir(parents=True)
    script = (RUN.parent / "pre_compact.py").read_text().replace("deadline=25", "deadline=1")
    script = script.replace("os.path.dirname(os.path.dirname(os.path.abspath(__file__)))", repr(str(RUN.parent.parent)))
    (world.root / "early.py").write_text(script)
    with open(world.home / LOCK, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        done = subprocess.run(
            ["python3", "-I", "-S", str(world.root / "early.py")],
            input=json.dumps(world.event()).encode(),
            capture_output=True,
            env=world.environment(),
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, ASKED, b"")
        assert world.log() == ["pre_compact: not done within its deadline; what is owed is done later"]
        assert world.facts() == []
    assert eventually(lambda: len(world.facts()) == 1)
