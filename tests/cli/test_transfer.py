"""export on one machine, import on another, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memory_plugin.cli import main
from memory_plugin.memory import events
from tests.support.facts import NAMESPACE, capture, fact
from tests.support.service import Sandbox

PORT, INDEX = fact("Staging listens on port 8080."), fact("We index with LanceDB.", day="2026-11-03")


@pytest.fixture
def other(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The memory home of another machine, which has exported `memory.tar.gz` into the sandbox's folder."""
    home = sandbox.folder / "other" / "home"
    capture(home, [PORT, INDEX])
    with monkeypatch.context() as patch:
        patch.setenv("MEMORY_PLUGIN_HOME", str(home))
        patch.setenv("MEMORY_PLUGIN_STATE", str(sandbox.folder / "other" / "state"))
        done = run("export", str(sandbox.folder / "memory.tar.gz"))
    assert done.exit_code == 0
    assert "Wrote 3 files into" in done.output
    return home


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_memory_moves_and_a_second_time_brings_nothing(sandbox: Sandbox, other: Path) -> None:
    done = run("import", str(sandbox.folder / "memory.tar.gz"))
    assert "2 new facts, 0 known already and left as they are; 2 new files." in done.output
    text = (other / NAMESPACE / "2026-11-02.md").read_text()
    assert (sandbox.home / NAMESPACE / "2026-11-02.md").read_text() == text
    assert "We index with LanceDB." in (sandbox.home / NAMESPACE / "MEMORY.md").read_text()
    again = run("import", str(sandbox.folder / "memory.tar.gz"))
    assert "Nothing new: 2 facts of it known already." in again.output


def test_what_was_here_stays_and_can_be_had_back(sandbox: Sandbox, other: Path) -> None:
    capture(sandbox.home, [INDEX])
    before = (sandbox.home / NAMESPACE / "2026-11-03.md").read_bytes()
    done = run("import", str(sandbox.folder / "memory.tar.gz"))
    assert "1 new fact, 1 known already" in done.output
    assert (sandbox.home / NAMESPACE / "2026-11-03.md").read_bytes() == before
    assert "What was here before: memory-plugin backup restore " in done.output
    assert len(list(events.read(str(sandbox.home)))) == 2


def test_what_came_in_is_told_to_a_program(sandbox: Sandbox, other: Path) -> None:
    found = json.loads(run("import", "--json", str(sandbox.folder / "memory.tar.gz")).output)
    assert sorted(found["facts"]) == sorted([PORT.id, INDEX.id])
    assert (found["known"], found["events"], found["refused"], found["before"]) == (0, 2, {}, None)


def test_what_cannot_be_done_is_said(sandbox: Sandbox, other: Path) -> None:
    capture(sandbox.home, [INDEX])
    assert "is there already" in run("export", str(sandbox.folder / "memory.tar.gz")).output
    assert "there is no folder /nonexistent" in run("export", "/nonexistent/memory.tar.gz").output
    assert "in the memory itself" in run("export", str(sandbox.home / "memory.tar.gz")).output
    (sandbox.folder / "none.tar.gz").write_text("no archive")
    done = run("import", str(sandbox.folder / "none.tar.gz"))
    assert done.exit_code == 1
    assert "is no archive of a memory" in done.output
