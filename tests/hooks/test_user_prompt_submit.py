"""The prompt hook as a process: thin, quick to give up, silent about its troubles."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from memory_plugin import __version__
from memory_plugin.memory import doorbell, places
from memory_plugin.service import installation
from tests.support.data import REPOSITORY
from tests.support.listener import response, service_that_says

HOOK = REPOSITORY / "hooks" / "user_prompt_submit.py"
EVENT = b'{"session_id": "s1", "prompt": "which port?", "cwd": "/project"}\n'
BODY = b'{"hookSpecificOutput": {"additionalContext": "\\u00e9"}}\n'


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def environment(state: Path, **more: str) -> dict[str, str]:
    folder = state.parent
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "MEMORY_PLUGIN_STATE": str(state),
        "MEMORY_PLUGIN_ENV": str(folder / "no environment"),
        "MEMORY_PLUGIN_HOME": str(folder / "home"),
        **more,
    }


def run_hook(state: Path, raw: bytes = EVENT, **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(HOOK)]
    return subprocess.run(command, input=raw, capture_output=True, env=environment(state, **more), timeout=60)


def outcome(done: subprocess.CompletedProcess[bytes]) -> tuple[int, bytes, bytes]:
    return done.returncode, done.stdout, done.stderr


def log_of(state: Path) -> str:
    path = state / "logs" / "hooks.log"
    return path.read_text() if path.exists() else ""


def test_input_goes_in_and_the_answer_comes_out_as_they_are(state: Path) -> None:
    event = b'{"prompt": "\xff\x00\\ud800"}' + b"x" * 100_000
    with service_that_says(state, response(BODY)) as requests:
        assert outcome(run_hook(state, event)) == (0, BODY, b"")
    head, _, body = requests[0].partition(b"\r\n\r\n")
    assert body == event
    assert head.startswith(b"POST /hook/prompt HTTP/1.1\r\n")
    assert log_of(state) == ""


@pytest.mark.parametrize("folder", ["/plain", "/with blank", "/line\nbreak", "/100%41", "/été", "/状態", "", "/\udcff"])
def test_the_service_learns_who_asks_whatever_the_names(state: Path, folder: str) -> None:
    with service_that_says(state, response(b"", b"204 No Content")) as requests:
        done = run_hook(state, CLAUDE_PROJECT_DIR=folder, MEMORY_PLUGIN_HOME=folder or "/home")
    assert outcome(done) == (0, b"", b"")
    lines = requests[0].partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")[1:]
    headers = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    assert installation.unescape(headers[installation.PROJECT_HEADER]) == folder
    assert installation.unescape(headers[installation.HOME_HEADER]) == os.path.normpath(folder or "/home")
    assert headers[installation.VERSION_HEADER] == __version__


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"garbage",
        response(BODY)[:-5],
        response(b"not JSON\n"),
        response(b""),
        response(BODY, b"500 Internal Server Error"),
        b"\xff" * 1_000_000,
    ],
    ids=["nothing", "no HTTP", "torn", "no object", "empty", "an error", "endless"],
)
def test_an_answer_that_is_not_whole_is_not_printed(state: Path, answer: bytes) -> None:
    with service_that_says(state, answer):
        assert outcome(run_hook(state)) == (0, b"", b"")


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"not JSON", b"\x00\xff", b"[" * 100_000],
    ids=["empty", "torn", "no JSON", "binary", "nested"],
)
@pytest.mark.parametrize("answers", [True, False], ids=["service", "no service"])
def test_any_input_ends_well(state: Path, raw: bytes, answers: bool) -> None:
    if not answers:
        assert outcome(run_hook(state, raw)) == (0, b"", b"")
        return
    with service_that_says(state, response(b"", b"204 No Content")) as requests:
        assert outcome(run_hook(state, raw)) == (0, b"", b"")
    assert len(requests) == (1 if raw else 0)


def test_fifty_megabytes_are_read_and_not_passed_on(state: Path) -> None:
    with service_that_says(state, response(BODY)) as requests:
        # Had the hook closed its input early, writing all this would raise BrokenPipeError.
        assert outcome(run_hook(state, b"x" * 50_000_000)) == (0, b"", b"")
    assert requests == []


def test_a_service_that_never_answers_is_left_at_the_deadline(state: Path) -> None:
    with service_that_says(state, None) as requests:
        assert outcome(run_hook(state)) == (0, b"", b"")
    assert len(requests) == 1
    assert "no answer within the deadline" in log_of(state)


def test_after_one_wait_in_vain_the_next_prompts_are_silent_at_once(state: Path) -> None:
    with service_that_says(state, None) as requests:
        for _ in range(3):
            assert outcome(run_hook(state)) == (0, b"", b"")
    assert len(requests) == 1
    assert log_of(state).count("no answer within the deadline") == 1


def mark_as_hung(state: Path, age: float = 0.0) -> Path:
    listening = (state / places.SOCKET_NAME).stat()
    mark = state / places.HUNG_NAME
    mark.write_bytes(b"%d %d" % (listening.st_ino, listening.st_mtime_ns))
    os.utime(mark, (time.time() - age, time.time() - age))
    return mark


@pytest.mark.parametrize("age", [doorbell.ASK_AGAIN_AFTER + 1, -60.0], ids=["a while ago", "the clock was set back"])
def test_a_service_that_answers_again_is_heard_after_a_while(state: Path, age: float) -> None:
    with service_that_says(state, response(BODY)) as requests:
        mark = mark_as_hung(state)
        assert outcome(run_hook(state)) == (0, b"", b"")
        assert requests == []
        mark_as_hung(state, age)
        assert outcome(run_hook(state)) == (0, BODY, b"")
    assert not mark.exists()


def test_a_new_service_is_asked_though_the_one_before_it_hung(state: Path) -> None:
    with service_that_says(state, response(BODY)):
        mark_as_hung(state).write_bytes(b"1 2")
        assert outcome(run_hook(state)) == (0, BODY, b"")


def test_input_that_comes_late_is_no_fault_of_the_service(state: Path) -> None:
    read_end, write_end = os.pipe()
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(HOOK)]
    with service_that_says(state, None), subprocess.Popen(command, stdin=read_end, env=environment(state)) as hook:
        os.write(write_end, EVENT)
        time.sleep(1.0)
        os.close(write_end)
        assert hook.wait(60) == 0
    os.close(read_end)
    assert not (state / places.HUNG_NAME).exists()


def test_input_that_never_ends_is_left_at_the_deadline(state: Path) -> None:
    read_end, write_end = os.pipe()
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(HOOK)]
    done = subprocess.run(command, stdin=read_end, capture_output=True, env=environment(state), timeout=60)
    os.close(read_end)
    os.close(write_end)
    assert outcome(done) == (0, b"", b"")


def test_closed_streams_end_well(state: Path) -> None:
    command = f"{sys.executable} -I -S -X utf8 {HOOK} <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], env=environment(state), timeout=60).returncode == 0


@pytest.mark.parametrize("kind", ["missing", "a file", "no socket", "stale"])
def test_a_state_folder_without_a_service_is_silence(state: Path, kind: str) -> None:
    if kind in ("missing", "a file"):
        state.rmdir()
    if kind == "a file":
        state.write_text("no folder")
    if kind == "no socket":
        (state / places.SOCKET_NAME).write_text("no socket")
    if kind == "stale":
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
            dead.bind(str(state / places.SOCKET_NAME))
    assert outcome(run_hook(state)) == (0, b"", b"")


def test_no_home_is_silence(state: Path) -> None:
    variables = environment(state)
    del variables["MEMORY_PLUGIN_STATE"], variables["MEMORY_PLUGIN_HOME"]
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(HOOK)]
    for home in ("", "relative"):
        done = subprocess.run(command, input=EVENT, capture_output=True, env={**variables, "HOME": home}, timeout=60)
        assert outcome(done)[::2] == (0, b"")


@pytest.mark.parametrize("kind", ["missing", "dying", "hung"])
def test_a_service_is_started_once_its_environment_exists(state: Path, kind: str) -> None:
    python = state.parent / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    started = state.parent / "started"
    python.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{started}.tmp"\nenv >> "{started}.tmp"\nmv "{started}.tmp" "{started}"\n'
    )
    python.chmod(0o755)
    secret = "a-key-of-the-client"
    with nullcontext() if kind == "missing" else service_that_says(state, b"" if kind == "dying" else None):
        done = run_hook(state, MEMORY_PLUGIN_ENV=str(python.parent.parent), ANTHROPIC_API_KEY=secret)
    assert outcome(done) == (0, b"", b"")
    for _ in range(600):
        if started.exists():
            break
        threading.Event().wait(0.05)
    lines = started.read_text().splitlines()
    assert lines[:6] == ["-I", "-X", "utf8", str(REPOSITORY / "memory_plugin" / "__main__.py"), "service", "run"]
    assert f"MEMORY_PLUGIN_STATE={state}" in lines
    assert secret not in started.read_text()


def imported(state: Path, tmp_path: Path) -> set[str]:
    """Every module that the hook process has loaded when it ends."""
    report = tmp_path / "modules"
    code = f"""
import os, sys
end = os._exit
def leave(status):
    open({str(report)!r}, "w").write(" ".join(sys.modules))
    end(status)
os._exit = leave
code = compile(open({str(HOOK)!r}).read(), {str(HOOK)!r}, "exec")
exec(code, {{"__name__": "__main__", "__file__": {str(HOOK)!r}}})
"""
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", code]
    subprocess.run(command, input=EVENT, capture_output=True, env=environment(state), timeout=60)
    return set(report.read_text().split())


@pytest.mark.parametrize("answers", [True, False], ids=["service", "no service"])
def test_the_hook_imports_next_to_nothing(state: Path, tmp_path: Path, answers: bool) -> None:
    if answers:
        with service_that_says(state, response(BODY)):
            modules = imported(state, tmp_path)
    else:
        modules = imported(state, tmp_path)
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", "import os, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    ours = {"memory_plugin", "memory_plugin.memory", "memory_plugin.memory.doorbell", "memory_plugin.memory.places"}
    starting = set() if answers else {"__future__", "memory_plugin.memory.starter"}
    assert modules - set(bare.stdout.split()) == {"_socket", *ours, *starting}


def test_the_deadline_leaves_the_client_time() -> None:
    assert doorbell.DEADLINE == 2.0
