"""What the hooks of a session leave to the service: real hook processes, a real service, scratch folders."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory_plugin.memory import flush, places, spool
from memory_plugin.memory.journal import LOCK
from memory_plugin.memory.summary import INSTRUCTION
from memory_plugin.service import client
from memory_plugin.service.sessions import MOST_AT_ONCE
from tests.support.environment import linked_environment
from tests.support.patience import PATIENCE, eventually
from tests.support.service import Sandbox, end, is_alive
from tests.support.transcripts import SESSION, conversation, entry, lines, stated
from tests.support.world import RUN, files_of

HOOKS = ["session_start", "pre_compact", "session_end"]
ASKED = (INSTRUCTION + "\n").encode()


@pytest.fixture
def running(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """A service that runs in the environment which the plugin wants."""
    monkeypatch.setenv("MEMORY_PLUGIN_ENV", str(linked_environment(sandbox.folder / "environment")))
    sandbox.start()
    return sandbox


def say(sandbox: Sandbox, *numbers: int) -> Path:
    path = sandbox.folder / "transcripts" / f"{SESSION}.jsonl"
    return conversation(path, map(stated, numbers), cwd=sandbox.project)


def start(hook: str, sandbox: Sandbox, **fields: str) -> subprocess.Popen[bytes]:
    event = {
        "session_id": SESSION,
        "transcript_path": str(sandbox.folder / "transcripts" / f"{SESSION}.jsonl"),
        "cwd": str(sandbox.project),
        "source": "startup",
        "trigger": "manual",
        **fields,
    }
    process = subprocess.Popen(
        ["sh", str(RUN), hook],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=sandbox.folder,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(sandbox.project)},
    )
    assert process.stdin
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    process.stdin = None
    return process


def hook(name: str, sandbox: Sandbox, **fields: str) -> bytes:
    """Run a hook as the client does; what it printed."""
    process = start(name, sandbox, **fields)
    out, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, b"")
    return out


def facts(sandbox: Sandbox) -> list[str]:
    logs = sorted(sandbox.home.glob("*/[0-9]*.md"))
    return [line for path in logs for line in path.read_text().splitlines() if line.startswith("- ")]


def left_to_the_service() -> dict[str, int]:
    """How many hooks of each name the service was asked to do."""
    return {name: found["answered"] for name, found in client.call("/status")["hooks"].items()}


def log(sandbox: Sandbox, name: str) -> str:
    path = sandbox.state / "logs" / f"{name}.log"
    return path.read_text() if path.exists() else ""


def context_of(output: bytes) -> str:
    return str(json.loads(output)["hookSpecificOutput"]["additionalContext"])


def test_facts_stand_in_markdown_before_a_compaction_goes_on(running: Sandbox) -> None:
    say(running, 0, 1)
    assert hook("pre_compact", running) == ASKED
    assert len(facts(running)) == 2
    [receipt] = flush.receipts(str(running.state))
    assert receipt.trigger == "compaction (manual)"
    assert spool.owed(str(running.state), receipt.transcript)  # the summary, which is written after it
    assert left_to_the_service() == {"pre_compact": 1}


def test_the_end_of_a_session_is_flushed_by_the_service(running: Sandbox) -> None:
    say(running, 0)
    assert hook("session_end", running) == b""
    assert eventually(lambda: len(facts(running)) == 1)
    assert eventually(lambda: spool.count(str(running.state)) == 0)
    assert flush.receipts(str(running.state))[0].trigger == "session end"
    assert left_to_the_service() == {"session_end": 1}


def test_the_end_of_a_session_is_owed_on_disk_before_the_hook_returns(running: Sandbox) -> None:
    say(running, 0)
    (running.home / ".events").mkdir(parents=True, exist_ok=True)
    with open(running.home / LOCK, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # no flush comes to its end
        assert hook("session_end", running) == b""
        assert spool.count(str(running.state)) == 1
        os.kill(running.pid, signal.SIGKILL)
        assert facts(running) == []
    assert stated(0) in context_of(hook("session_start", running, session_id="another"))


def test_a_session_starts_with_the_same_words_with_and_without_a_service(
    running: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(running, 0, 1, 2)
    hook("pre_compact", running)
    for source in ("startup", "compact", "resume"):
        by_the_service = hook("session_start", running, source=source)
        assert all(stated(number) in context_of(by_the_service) for number in range(3))
        with monkeypatch.context() as patch:
            patch.setenv("MEMORY_PLUGIN_STATE", str(running.folder / "state of no service"))
            assert hook("session_start", running, source=source) == by_the_service
            end(running.folder / "state of no service")


def test_a_session_starts_with_what_was_never_flushed(running: Sandbox) -> None:
    for number in range(5):
        path = running.folder / "transcripts" / f"earlier-{number}.jsonl"
        conversation(path, [stated(number)], cwd=running.project)
    context = context_of(hook("session_start", running))
    assert all(stated(number) in context for number in range(5))
    assert left_to_the_service() == {"session_start": 1}
    shown = (running.state / "injections" / f"{SESSION}.jsonl").read_text()
    assert '"SessionStart"' in shown


def test_the_three_leave_the_same_files_as_without_a_service(running: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def written() -> dict[str, bytes]:
        say(running, 0, 1)
        hook("session_start", running)
        say(running, 0, 1, 2)
        hook("pre_compact", running)
        say(running, 0, 1, 2, 3)
        hook("session_end", running)
        assert eventually(lambda: spool.count(str(running.state)) == 0 and len(facts(running)) == 4)
        found = {path: content for path, content in files_of(running.home).items() if ".events" not in path}
        for path in found:
            os.unlink(path)
        subprocess.run(["rm", "-r", str(running.home / ".events"), str(running.state / "watermarks")], check=True)
        return found

    by_the_service = written()
    assert left_to_the_service() == {"session_start": 1, "pre_compact": 1, "session_end": 1}
    os.kill(running.pid, signal.SIGKILL)
    monkeypatch.setenv("MEMORY_PLUGIN_ENV", str(running.folder / "none"))
    (running.state / "set-up-started").touch()
    assert written() == by_the_service


@pytest.mark.parametrize("name", ["pre_compact", "session_end"])
def test_much_is_not_flushed_in_the_service(running: Sandbox, name: str) -> None:
    path = say(running, 0)
    noise = entry([{"type": "tool_result", "tool_use_id": "t", "content": "x" * MOST_AT_ONCE}])
    path.write_bytes(path.read_bytes() + lines([noise]))
    assert hook(name, running) == (ASKED if name == "pre_compact" else b"")
    assert eventually(lambda: len(facts(running)) == 1, PATIENCE if name == "session_end" else 0.0)
    assert "left to the hook" not in log(running, "service")
    assert eventually(lambda: not children_of(running.pid))


def children_of(process: int) -> list[int]:
    """The processes that a process started and has not waited for."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize("name", ["session_start", "pre_compact"])
def test_what_takes_the_service_too_long_is_done_by_the_hook(running: Sandbox, name: str) -> None:
    say(running, 0)
    hook("pre_compact", running)
    say(running, 0, 1)
    (running.home / ".events").mkdir(parents=True, exist_ok=True)
    with open(running.home / LOCK, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        process = start(name, running)
        assert eventually(lambda: f"{name} was not done within" in log(running, "service"))
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    if name == "pre_compact":
        assert out == ASKED
    else:  # the later one may have taken the place of the other by then
        assert any(stated(number) in context_of(out) for number in (0, 1))
    assert eventually(lambda: len(facts(running)) == 2)
    assert len({line.split("m:")[1][:8] for line in facts(running)}) == 2


def test_where_the_environment_is_not_the_plugins_any_more_the_hook_begins_the_set_up(running: Sandbox) -> None:
    (running.folder / "environment" / "requirements.lock").write_text("what another version wanted\n")
    (running.state / "set-up-started").touch()
    message = json.loads(hook("session_start", running))["systemMessage"]
    assert "set-up is not finished" in message


def test_relative_paths_and_input_that_is_no_event_stop_nothing(running: Sandbox) -> None:
    say(running, 0)
    hook("pre_compact", running, transcript_path=f"transcripts/{SESSION}.jsonl")
    assert len(facts(running)) == 1
    for name in HOOKS:
        done = subprocess.run(["sh", str(RUN), name], input=b"no event", capture_output=True, env=dict(os.environ))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert log(running, "hooks").count("standard input is no JSON object") == len(HOOKS)


def test_a_service_of_other_settings_does_nothing_for_a_hook_and_ends(
    running: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(running, 0)
    process = running.pid
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(running.folder / "other.json"))
    (running.folder / "other.json").write_text('{"capture": {"enabled": false}}')
    assert hook("pre_compact", running) == b""
    assert facts(running) == []
    assert eventually(lambda: not is_alive(process))


def seen_in(name: str, sandbox: Sandbox, **fields: str) -> tuple[set[str], list[str]]:
    """The modules that a hook's process has imported when it ends, beyond those of a bare one, and what it opened."""
    report = sandbox.folder / "seen.json"
    script = RUN.parent / f"{name}.py"
    code = f"""
import os, sys
opened = []
sys.addaudithook(lambda kind, given: opened.append(str(given[0])) if kind == "open" else None)
end = os._exit
def leave(status):
    modules, files = list(sys.modules), list(opened)
    import json
    with open({str(report)!r}, "w") as stream:
        json.dump([modules, files], stream)
    end(status)
os._exit = leave
with open({str(script)!r}) as stream:
    code = compile(stream.read(), {str(script)!r}, "exec")
exec(code, {{"__name__": "__main__", "__file__": {str(script)!r}}})
"""
    event = {"session_id": SESSION, "cwd": str(sandbox.project), "source": "startup", "prompt": "Which?", **fields}
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", code]
    subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, check=True)
    modules, files = json.loads(report.read_text())
    bare = subprocess.run([*command[:-1], "import os, sys; print(*sys.modules)"], capture_output=True, text=True)
    return set(modules) - set(bare.stdout.split()), files[1:]  # its script is the first


@pytest.mark.parametrize("name", [*HOOKS, "user_prompt_submit"])
def test_a_hook_that_the_service_answers_imports_and_reads_next_to_nothing(running: Sandbox, name: str) -> None:
    path = say(running, *range(50))
    for number in range(100):
        conversation(path.parent / f"{number}.jsonl", [stated(number)], cwd=running.project)
    hook("session_start", running)
    modules, files = seen_in(name, running, transcript_path=str(path))
    ours = {"memory_plugin", "memory_plugin.memory", "memory_plugin.memory.doorbell", "memory_plugin.memory.places"}
    assert modules == {"_socket", *ours}
    read = [file for file in files if not file.endswith((".py", ".pyc", ".so"))]
    # Where it stands, and whether a service hung. Whatever the home and the transcripts hold is none of its business.
    assert set(read) <= {os.curdir, places.HUNG_NAME}
    assert len(files) - len(read) <= len(modules)
    assert left_to_the_service()["prompt" if name == "user_prompt_submit" else name] >= 1
