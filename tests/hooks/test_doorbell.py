"""The hooks of a session leave their work to the service, and do it themselves whenever that does not answer well."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys

import pytest

from memory_plugin.memory import places
from memory_plugin.memory.journal import LOCK
from memory_plugin.memory.summary import INSTRUCTION
from tests.support.listener import response, service_that_says
from tests.support.patience import eventually
from tests.support.transcripts import stated
from tests.support.world import RUN, World

HOOKS = ["session_start", "pre_compact", "session_end"]
ASKED = (INSTRUCTION + "\n").encode()
GOOD = {
    "session_start": response(b'{"systemMessage": "by the service"}\n'),
    "pre_compact": response(b"Do end with the facts.\n"),
    "session_end": response(b"", b"204 No Content"),
}


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("hook", HOOKS)
def test_what_the_service_answers_is_printed_and_nothing_else_done(world: World, hook: str) -> None:
    world.say([stated(0)])
    event = json.dumps(world.event()).encode() + b"\n"
    with service_that_says(world.state, GOOD[hook]) as requests:
        assert world.hook(hook, event).stdout == body_of(GOOD[hook])
    head, _, body = requests[0].partition(b"\r\n\r\n")
    assert body == event
    assert head.startswith(b"POST /hook/%s HTTP/1.1\r\n" % hook.encode())
    assert not world.home.exists()
    assert not (world.state / "spool").exists()
    assert world.log() == []


def done_by_itself(world: World, hook: str) -> bool:
    """Whether a hook did what it is for, once; it ended well."""
    printed = world.hook(hook).stdout
    if hook == "pre_compact":
        return printed == ASKED and len(world.facts()) == 1
    if hook == "session_start":
        return printed.count(b"\n") == 1 and stated(0) in json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    return printed == b"" and bool(eventually(lambda: len(world.facts()) == 1))


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"garbage",
        response(b"", b"503 Service Unavailable"),
        response(b"", b"404 Not Found"),
        response(b"\n", b"500 Internal Server Error"),
        response(b"of the wrong kind\n"),
        response(b'{"of": "the wrong kind"}\n'),
        b"\xff" * 1_000_000,
    ],
    ids=["nothing", "no HTTP", "declined", "an older one", "an error", "a text", "an object", "endless"],
)
def test_what_is_no_good_answer_leaves_it_to_the_hook(world: World, hook: str, answer: bytes) -> None:
    world.say([stated(0)])
    if body_of(answer).startswith(b"{") is (hook != "pre_compact") and answer.startswith(b"HTTP/1.1 200"):
        answer = answer[:-3]  # of the right kind, and torn
    with service_that_says(world.state, answer) as requests:
        assert done_by_itself(world, hook)
    assert len(requests) == 1


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("kind", ["no socket", "stale"])
def test_where_nobody_answers_the_hook_does_it(world: World, hook: str, kind: str) -> None:
    world.say([stated(0)])
    if kind == "no socket":
        (world.state / places.SOCKET_NAME).write_text("no socket")
    else:
        with service_that_says(world.state, b""):
            pass
    assert done_by_itself(world, hook)


@pytest.mark.parametrize("hook", HOOKS)
def test_a_service_that_never_answers_costs_its_patience_and_no_more(world: World, hook: str) -> None:
    world.say([stated(0)])
    with service_that_says(world.state, None) as requests:
        assert done_by_itself(world, hook)
        assert any("no answer within the deadline" in line for line in world.log())
        # The end of a session has too little time to tell a service that hangs from one that is busy.
        assert (world.state / places.HUNG_NAME).exists() is (hook != "session_end")
        if hook != "session_end":
            assert world.hook(hook).returncode == 0
            assert len(requests) == 1  # once a service has hung, nobody waits for it again


def test_the_end_of_a_session_is_in_time_for_the_client_though_the_service_hangs(world: World) -> None:
    world.say([stated(0)])
    (world.home / ".events").mkdir(parents=True)
    with open(world.home / LOCK, "ab") as stream, service_that_says(world.state, None):
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert world.hook("session_end").stdout == b""
        assert len(list((world.state / "spool").glob("*.json"))) == 1
    assert eventually(lambda: len(world.facts()) == 1)


@pytest.mark.parametrize("hook", HOOKS)
def test_paths_are_meant_from_where_the_hook_stands(world: World, hook: str) -> None:
    """The socket is reached by going to its folder."""
    world.say([stated(0)])
    event = world.event(transcript_path=f"transcripts/{world.transcript.name}", cwd="project")
    world.variables["CLAUDE_PROJECT_DIR"] = None
    with service_that_says(world.state, response(b"", b"503 Service Unavailable")):
        world.hook(hook, event)
    assert eventually(lambda: len(world.facts()) == 1)
    assert len(list(world.notes.glob("[0-9]*.md"))) == 1


@pytest.mark.parametrize("hook", HOOKS)
def test_input_that_never_ends_is_left_at_the_deadline(world: World, hook: str) -> None:
    """The deadlines of the hooks are up to 25 s; here copies of the scripts keep one of 1 s."""
    script = re.sub(r"deadline=[0-9.]+", "deadline=1", (RUN.parent / f"{hook}.py").read_text())
    script = script.replace("os.path.dirname(os.path.dirname(os.path.abspath(__file__)))", repr(str(RUN.parent.parent)))
    (world.root / "early.py").write_text(script)
    read_end, write_end = os.pipe()
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(world.root / "early.py")]
    done = subprocess.run(command, stdin=read_end, capture_output=True, env=world.environment(), timeout=60)
    os.close(read_end)
    os.close(write_end)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert world.log() == [f"{hook}: no input within the deadline"]
