"""setup, reindex and service."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.cli.conftest import Command
from tests.support.service import Sandbox

FACT = "We go with SQLite in WAL mode for the bookings, because nobody there can look after Postgres."
CLIENT = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
echo "Successfully did: $*"
"""


def _client(sandbox: Sandbox, script: str = CLIENT) -> str:
    """A PATH on which `claude` writes down how it was called."""
    folder = sandbox.folder / "bin"
    folder.mkdir()
    (folder / "claude").write_text(script)
    (folder / "claude").chmod(0o755)
    return f"{folder}:{os.defpath}"


def test_setup_without_the_client_says_how_to_go_on(command: Command) -> None:
    done = command("setup", PATH="/nonexistent")
    assert done.returncode == 1
    assert "not on the PATH" in done.stderr
    assert "then run setup again" in done.stderr


def test_setup_installs_from_this_folder_and_undo_takes_it_out(command: Command, sandbox: Sandbox) -> None:
    path = _client(sandbox)
    environment = sandbox.folder / "environment"  # undo removes it: not the one that runs the tests
    (environment / "bin").mkdir(parents=True)
    (environment / "requirements.lock").touch()
    (environment / "bin" / "python").symlink_to(Path(os.environ["MEMORY_PLUGIN_ENV"]) / "bin" / "python")
    done = command("setup", "--slash-memory", PATH=path)
    assert done.returncode == 0, done.stderr
    slash = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "commands" / "memory.md"
    assert "${CLAUDE_PLUGIN_ROOT}" not in slash.read_text()
    assert "bin/memory-plugin" in slash.read_text()
    command("add", FACT)
    undone = command("setup", "--undo", "--yes", PATH=path, MEMORY_PLUGIN_ENV=str(environment))
    assert undone.returncode == 0, undone.stderr
    calls = (sandbox.folder / "bin" / "calls").read_text().splitlines()
    assert [call.split()[:3] for call in calls] == [
        ["plugin", "marketplace", "add"],
        ["plugin", "install", "memory-plugin@memory-plugin"],
        ["plugin", "uninstall", "memory-plugin@memory-plugin"],
        ["plugin", "marketplace", "remove"],
    ]
    assert not slash.exists()
    assert not sandbox.state.exists()
    assert not environment.exists()
    assert any(FACT in path.read_text() for path in sandbox.home.glob("*/*.md"))


def test_setup_leaves_a_command_of_the_users_own_and_says_so_first(command: Command, sandbox: Sandbox) -> None:
    slash = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "commands" / "memory.md"
    slash.parent.mkdir(parents=True)
    slash.write_text("my own")
    done = command("setup", "--slash-memory", PATH=_client(sandbox))
    assert done.returncode == 1
    assert "a command of your own" in done.stderr
    assert slash.read_text() == "my own"
    assert not (sandbox.folder / "bin" / "calls").exists()


def test_a_command_of_the_users_own_that_speaks_of_this_plugin_is_still_theirs(
    command: Command, sandbox: Sandbox
) -> None:
    slash = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "commands" / "memory.md"
    slash.parent.mkdir(parents=True)
    slash.write_text("Ask memory-plugin and my diary.")
    assert command("setup", "--slash-memory", PATH=_client(sandbox)).returncode == 1
    undone = command("setup", "--undo", "--yes", MEMORY_PLUGIN_ENV=str(sandbox.folder / "none"))
    assert undone.returncode == 0
    assert slash.read_text() == "Ask memory-plugin and my diary."


def test_undo_removes_nothing_that_is_not_ours(command: Command, sandbox: Sandbox) -> None:
    command("add", FACT)
    venv = sandbox.folder / "venv"
    venv.mkdir()
    (venv / "pyvenv.cfg").write_text("somebody's")
    sandbox.state.mkdir(exist_ok=True)
    (sandbox.state / "diary.txt").write_text("mine")
    for name in ("receipts.jsonl", "recalls.jsonl", "recalls.jsonl.1"):
        (sandbox.state / name).write_text("{}")
    done = command("setup", "--undo", "--yes", PATH="/nonexistent", MEMORY_PLUGIN_ENV=str(venv))
    assert done.returncode == 0
    assert [path.name for path in sandbox.state.iterdir()] == ["diary.txt"]
    assert (venv / "pyvenv.cfg").exists()
    assert "holds more than ours" in done.stderr


def test_undo_leaves_the_backups_and_says_where(command: Command, sandbox: Sandbox) -> None:
    command("add", FACT)
    command("backup", "create")
    (sandbox.state / "review.json").write_text('{"day": "2026-11-30"}')
    done = command("setup", "--undo", "--yes", PATH="/nonexistent", MEMORY_PLUGIN_ENV=str(sandbox.folder / "none"))
    assert f"Your backups stay in {sandbox.state / 'backups'}" in done.stdout
    assert "holds more than ours" not in done.stderr
    assert [path.name for path in sandbox.state.iterdir()] == ["backups"]
    assert command("backup", "list").stdout.count("by hand") == 1


def test_undo_refuses_when_the_memory_lies_in_what_it_would_remove(command: Command, sandbox: Sandbox) -> None:
    inside = sandbox.state / "memory"
    inside.mkdir(parents=True)
    done = command("setup", "--undo", "--yes", MEMORY_PLUGIN_HOME=str(inside))
    assert (done.returncode, "move your memory out of it first" in done.stderr) == (1, True)
    assert inside.is_dir()


def test_setup_passes_on_what_the_client_complains_about(command: Command, sandbox: Sandbox) -> None:
    done = command("setup", PATH=_client(sandbox, "#!/bin/sh\necho no such thing >&2\nexit 1\n"))
    assert done.returncode == 1
    assert "no such thing" in done.stderr


def test_reindex_touches_only_what_changed_and_rebuild_starts_over(command: Command) -> None:
    command("add", FACT)
    first = json.loads(command("reindex", "--json").stdout)
    again = json.loads(command("reindex", "--json").stdout)
    rebuilt = json.loads(command("reindex", "--rebuild", "--json").stdout)
    assert (again["added"], again["updated"], again["removed"]) == (0, 0, 0)
    assert first["chunks"] == again["chunks"] == rebuilt["chunks"] == rebuilt["added"] == 1


def test_reindex_takes_pointers_to_deleted_facts_out_of_memory_md(command: Command, sandbox: Sandbox) -> None:
    command("add", FACT)
    (log,) = sandbox.home.glob("*/????-??-??.md")
    pointers = log.with_name("MEMORY.md")
    assert "SQLite" in pointers.read_text()
    log.write_text("# emptied by hand\n")
    assert command("reindex").returncode == 0
    assert "SQLite" not in pointers.read_text()


def test_reindex_with_an_embedder_that_cannot_be_had_says_so(command: Command, sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "none", "ollama_url": "http://127.0.0.1:9"})
    done = command("reindex", "--embedder", "ollama")
    assert done.returncode == 1
    assert "Ollama" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_service_is_started_shown_and_stopped(command: Command) -> None:
    assert command("service", "start").stdout == "The service runs.\n"
    assert json.loads(command("service", "status", "--json").stdout)["running"]
    assert command("service", "stop").stdout == "The service has ended.\n"
    assert command("service", "stop").stdout == "The service was not running.\n"
    assert not json.loads(command("service", "status", "--json").stdout)["running"]


def test_a_state_folder_that_cannot_be_used_is_an_error(command: Command, sandbox: Sandbox) -> None:
    path = sandbox.folder / "a file"
    path.write_text("x")
    done = command("service", "start", MEMORY_PLUGIN_STATE=str(path))
    assert done.returncode == 1
    assert "MEMORY_PLUGIN_STATE" in done.stderr
