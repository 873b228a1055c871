"""What is still to be done: listed, closed, opened again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_plugin.memory import clock
from memory_plugin.memory.ledger import Ledger
from tests.cli.conftest import Command
from tests.support.service import Sandbox

TASKS = (
    ("2026-11-03", "Deploy the rate limiter to staging."),
    ("2026-11-20", "Écrire la documentation du déploiement."),
    ("2026-11-10", "Add a dark mode to the settings page."),
)


@pytest.fixture
def told(command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, on a day when three tasks are open."""
    (sandbox.folder / "clock").write_text("2026-11-30T10:00:00+00:00")
    monkeypatch.setenv(clock.VARIABLE, str(sandbox.folder / "clock"))
    for day, text in TASKS:
        command("add", "--category", "goal", "--day", day, text)
    command("add", "--category", "decision", "The rate limiter is a token bucket.")
    return command


def test_open_tasks_are_listed_oldest_first_with_age_and_place(told: Command) -> None:
    lines = told("tasks").stdout.splitlines()
    assert [line[3:] for line in lines[::2]] == [TASKS[0][1], TASKS[2][1], TASKS[1][1]]
    assert "open for 27 days, said on 2026-11-03" in lines[1]
    assert lines[1].endswith("2026-11-03.md#L5")


def test_json_tells_all_of_a_task(told: Command) -> None:
    first = json.loads(told("tasks", "--json").stdout)[0]
    assert (first["text"], first["age_days"], first["status"]) == (TASKS[0][1], 27, "active")


@pytest.mark.parametrize("words", ["rate limiter", "rate limitr", "deploying the limiter", "staging"])
def test_a_task_is_done_by_a_part_of_its_words(told: Command, sandbox: Sandbox, words: str) -> None:
    done = told("tasks", "done", words)
    assert done.stdout.startswith(f"Done: {TASKS[0][1]}\n")
    assert TASKS[0][1] not in told("tasks").stdout
    assert "done on 2026-11-30" in told("tasks", "--all").stdout
    [entry] = [each for each in Ledger(str(sandbox.home)).refresh().entries.values() if each.fact.text == TASKS[0][1]]
    assert (entry.fact.status, entry.fact.reason, entry.fact.until) == ("archived", "done", "2026-11-30")


def test_accents_need_not_be_typed(told: Command) -> None:
    assert told("tasks", "done", "documentation du deploiement").stdout.startswith(f"Done: {TASKS[1][1]}\n")


def test_a_dropped_task_can_be_opened_again(told: Command) -> None:
    assert told("tasks", "drop", "dark", "mode").stdout.startswith(f"Dropped: {TASKS[2][1]}\n")
    assert told("tasks", "reopen", "dark mode").stdout.startswith(f"Open again: {TASKS[2][1]}\n")
    assert TASKS[2][1] in told("tasks").stdout
    assert told("tasks", "reopen", "dark mode").returncode == 1


def test_several_tasks_that_fit_are_listed(told: Command) -> None:
    told("add", "--category", "goal", "Deploy the dark mode.")
    done = told("tasks", "done", "deploy")
    assert done.returncode == 2
    assert TASKS[0][1] in done.stderr
    assert "Deploy the dark mode." in done.stderr


def test_only_tasks_are_closed(told: Command) -> None:
    done = told("tasks", "done", "token bucket")
    assert done.returncode == 1
    assert TASKS[0][1] in done.stderr, "those that there are"


def test_another_projects_tasks_are_its_own(told: Command, sandbox: Sandbox) -> None:
    other = sandbox.folder / "elsewhere"
    other.mkdir()
    assert told("tasks", "--project", str(other)).stdout == "Nothing is open.\n"
    assert told("tasks", "--project", str(other), "done", "limiter").returncode == 1
    assert told("tasks", "done", "limiter", "--project", str(sandbox.project)).returncode == 0


def test_a_task_written_by_hand_is_one(told: Command, sandbox: Sandbox) -> None:
    path = next(sandbox.home.glob("*/2026-11-20.md"))
    path.write_text(path.read_text() + "- **goal** Ring the printer back.\n")
    assert told("tasks", "done", "ring printer").returncode == 0
    assert "- **goal** Ring the printer back. <!-- m:" in Path(path).read_text()
    assert "status=archived why=done" in path.read_text()
