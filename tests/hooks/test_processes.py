"""What a hook costs in processes, as the client runs it: the shell, the hook, and nothing it has to wait for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.service import client
from tests.support import process_counter
from tests.support.data import REPOSITORY
from tests.support.environment import linked_environment
from tests.support.service import Sandbox

EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"]


@dataclass(frozen=True)
class Outcome:
    """How the shell around a hook ended, what it printed, and how many processes were started at each depth."""

    status: int
    output: str
    complaints: str
    started: list[int]


def run_counted(command: str, folder: Path, event: dict[str, Any], **variables: str) -> Outcome:
    """Run a command line as the client runs a hook, set-up out of the way; skips where processes cannot be traced."""
    report = folder / "processes.json"
    state = folder / "state"
    state.mkdir(exist_ok=True)
    (state / "set-up-started").touch()  # else a SessionStart would begin to make the environment
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(folder),
        "CLAUDE_PLUGIN_ROOT": str(REPOSITORY),
        "CLAUDE_PROJECT_DIR": str(folder),
        "MEMORY_PLUGIN_HOME": str(folder / "memory"),
        "MEMORY_PLUGIN_STATE": str(folder / "state"),
        "MEMORY_PLUGIN_SETTINGS": str(folder / "settings.json"),
        **variables,
    }
    done = subprocess.run(
        [sys.executable, process_counter.__file__, str(report), "/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        input=json.dumps(event) + "\n",
        capture_output=True,
        text=True,
    )
    if not report.exists():
        pytest.skip(f"processes cannot be traced here: {done.stderr.strip().splitlines()[-1]}")
    return Outcome(done.returncode, done.stdout, done.stderr, json.loads(report.read_text()))


def hook_command(event: str) -> str:
    hooks = json.loads((REPOSITORY / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    return str(hooks[event][0]["hooks"][0]["command"])


def transcript(folder: Path) -> Path:
    """A conversation of one decision, as the client writes it down."""
    path = folder / "session.jsonl"
    common = {"isSidechain": False, "cwd": str(folder), "sessionId": "s1", "version": "2.1.332"}
    said = "We decided to use LanceDB for the vector index, because there is no server to run."
    lines = [
        {**common, "type": "user", "uuid": "u1", "message": {"role": "user", "content": said}},
        {
            **common,
            "type": "assistant",
            "uuid": "u2",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Understood."}]},
        },
    ]
    stamped = [{**line, "timestamp": f"2026-11-30T14:0{number}:00.000Z"} for number, line in enumerate(lines)]
    path.write_text("".join(json.dumps(line) + "\n" for line in stamped), encoding="utf-8")
    return path


@pytest.fixture
def event_input(tmp_path: Path) -> dict[str, Any]:
    """Standard input that suits all four events."""
    return {
        "session_id": "s1",
        "transcript_path": str(transcript(tmp_path)),
        "cwd": str(tmp_path),
        "source": "startup",
        "trigger": "manual",
        "custom_instructions": "",
        "reason": "other",
        "prompt": "Why did we choose that database for the vector index?",
    }


@pytest.mark.parametrize(
    ("line", "started"),
    [
        ("true", []),
        ("/bin/true; true", [1]),
        ("/bin/true | /bin/cat; true", [2]),
        ("/bin/sh -c '/bin/true; /bin/true; true'; true", [1, 2]),
        ("exec /bin/sh -c '/bin/true; true'", [1]),
    ],
)
def test_the_counter_sees_every_process(tmp_path: Path, line: str, started: list[int]) -> None:
    assert run_counted(line, tmp_path, {}).started == started


def run_hook(event: str, folder: Path, event_input: dict[str, Any], **variables: str) -> Outcome:
    """Run an event's hook with a system Python of its own on the PATH."""
    programs = folder / "bin"
    programs.mkdir()
    # Not what the PATH of the tests may hold: version managers put shell scripts there.
    (programs / "python3").symlink_to(os.path.realpath(sys.executable))
    variables = {"PATH": f"{programs}:/usr/bin:/bin", "MEMORY_PLUGIN_ENV": str(folder / "none"), **variables}
    return run_counted(hook_command(event), folder, {**event_input, "hook_event_name": event}, **variables)


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_is_one_process_beyond_the_shell(tmp_path: Path, event_input: dict[str, Any], event: str) -> None:
    outcome = run_hook(event, tmp_path, event_input)
    assert (outcome.status, outcome.complaints) == (0, "")
    # The flush at the end of a session is started by the hook and outlives it.
    assert outcome.started == ([1, 1] if event == "SessionEnd" else [1])


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_that_the_service_answers_starts_nothing(
    sandbox: Sandbox, event: str, event_input: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = str(linked_environment(sandbox.folder / "environment"))
    monkeypatch.setenv("MEMORY_PLUGIN_ENV", environment)
    sandbox.start()
    places = {"MEMORY_PLUGIN_HOME": str(sandbox.home), "MEMORY_PLUGIN_ENV": environment}
    outcome = run_counted(hook_command(event), sandbox.folder, event_input, **places)
    assert (outcome.status, outcome.complaints, outcome.started) == (0, "", [1])
    served = client.call("/status")["hooks"]
    assert sum(each["answered"] for each in served.values()) == 1


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("raw", [None, [], {}, {"transcript_path": 7, "prompt": None, "cwd": "/nowhere"}])
def test_a_hook_succeeds_whatever_it_is_told(tmp_path: Path, event: str, raw: Any) -> None:
    command = hook_command(event)
    outcome = run_counted(command, tmp_path, raw, MEMORY_PLUGIN_ENV=str(tmp_path / "none"))
    assert (outcome.status, outcome.complaints) == (0, "")


def test_the_compaction_hook_never_prints_what_reads_as_json(tmp_path: Path, event_input: dict[str, Any]) -> None:
    # The client would put the raw JSON into its summary prompt.
    outcome = run_hook("PreCompact", tmp_path, event_input)
    assert outcome.output.strip()
    assert not outcome.output.lstrip().startswith(("{", "["))


def test_the_scripts_that_version_managers_put_on_the_path_are_passed_by(
    tmp_path: Path, event_input: dict[str, Any]
) -> None:
    shims = tmp_path / "manager" / "shims"
    shims.mkdir(parents=True)
    for name in ("python3", "python3.10", "python3.14"):
        (shims / name).write_text("#!/bin/sh\n/bin/true\n/bin/true\n", encoding="utf-8")
        (shims / name).chmod(0o755)
    path = f"{shims}:{tmp_path / 'bin'}:/usr/bin:/bin"
    outcome = run_hook("PreCompact", tmp_path, event_input, PATH=path)
    assert (outcome.started, bool(outcome.output)) == ([1], True)
