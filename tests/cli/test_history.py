"""history search, show and list; and the backlog of transcripts that `flush --all` reads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support import talk
from tests.support.service import Sandbox

Transcript = Callable[..., Path]
OTHER = "0ther000-0000-4000-8000-000000000002"


@pytest.fixture
def held(command: Command, sandbox: Sandbox) -> Command:
    """The command, with two conversations of this project and one of another."""
    own = sandbox.home / namespace_of(str(sandbox.project)).name
    exchanges = (
        ("10:05", "Why has the zeppelin renderer no shadows?", "The fog shader overwrote the depth buffer."),
        ("10:20", "Now the marmalade exporter.", "It writes one jar a line."),
    )
    talk.write(own, talk.page(exchanges))
    older = talk.page([("08:00", "Rename the walrus module.", "Renamed.")], day="2026-10-02", session=OTHER)
    talk.write(own, older, day="2026-10-02", session=OTHER)
    third = "7hird000-0000-4000-8000-000000000003"
    robot = talk.page([("09:00", "The robot is Walnut.", "Nice.")], session=third, project="github.com/acme/farm")
    talk.write(sandbox.home / "farm-0a1b2c3d", robot, session=third)
    return command


def test_search_shows_what_came_before_and_after_where_and_how_it_ended(held: Command) -> None:
    done = held("history", "search", "zeppelin shadows depth buffer")
    assert done.returncode == 0
    first = done.stdout.splitlines()[0]
    assert first == "1. 2026-11-20 10:05  github.com/acme/shop  (left open)"
    assert "   **Assistant 10:05:** The fog shader overwrote the depth buffer." in done.stdout
    assert "   after:\n   | ## 10:20 Now the marmalade exporter." in done.stdout
    (stretch,) = json.loads(held("history", "search", "--json", "--limit", "1", "zeppelin shadows").stdout)
    assert stretch["session"] == talk.SESSION


def test_search_says_when_there_is_nothing(held: Command) -> None:
    assert held("history", "search", "the robot Walnut in April 2026").stdout.startswith("Nothing found.\n")
    assert "Walnut" in held("history", "search", "--all", "the robot Walnut").stdout


def test_list_names_the_newest_first(held: Command) -> None:
    lines = held("history", "list").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["2026-11-20", "7a1c5e55"], ["2026-10-02", "0ther000"]]
    assert "Why has the zeppelin renderer no shadows?" in lines[0]
    everything = json.loads(held("history", "list", "--all", "--json").stdout)
    assert {each["project"] for each in everything} == {"github.com/acme/shop", "github.com/acme/farm"}
    assert everything[0]["first_day"] == "2026-11-20"


@pytest.mark.parametrize("which", ["0ther000", OTHER, "{file}", "--last"])
def test_show_prints_a_conversation(held: Command, sandbox: Sandbox, which: str) -> None:
    path = next(sandbox.home.glob("*/history/2026-10-02-*.md"))
    done = held("history", "show", which.replace("{file}", str(path)))
    assert done.returncode == 0
    words = "zeppelin" if which == "--last" else "Rename the walrus module."
    assert words in done.stdout
    text = json.loads(held("history", "show", which.replace("{file}", str(path)), "--json").stdout)["text"]
    assert words in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show"], "name a session or a file, or say --last"),
        (["show", "0ther000", "--last"], "name a session or a file, or say --last"),
        (["show", "nothing"], "no conversation 'nothing'"),
        (["show", "/etc/passwd.md"], "no conversation"),
        (["search"], "Missing argument"),
    ],
)
def test_what_is_not_there_is_said(held: Command, arguments: list[str], complaint: str) -> None:
    done = held("history", *arguments)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_a_session_that_several_begin_with_is_asked_back(held: Command, sandbox: Sandbox) -> None:
    own = sandbox.home / namespace_of(str(sandbox.project)).name
    talk.write(own, talk.page([("08:00", "x y", "z")], session="7a1c9999"), session="7a1c9999")
    done = held("history", "show", "7a1c")
    assert done.returncode != 0
    assert "fits 2 conversations" in done.stderr


def test_no_history_is_no_error(command: Command, sandbox: Sandbox) -> None:
    assert command("history", "list").stdout == "No conversation is kept yet.\n"
    assert "no conversation is kept" in command("history", "show", "--last").stderr


@pytest.mark.parametrize("words", ["history zeppelin shadows", "history search zeppelin shadows", "history list"])
def test_the_slash_command_knows_the_history(held: Command, words: str) -> None:
    done = held("slash", said=words)
    assert done.returncode == 0
    assert "zeppelin" in done.stdout
    assert "<!--" not in done.stdout


def test_a_question_put_to_the_history_is_answered_from_it(held: Command) -> None:
    done = held("slash", said="history what was said of the zeppelin shadows?")
    assert "The fog shader overwrote the depth buffer." in done.stdout
    assert "after:" in done.stdout


# --- flush --all


def aged(path: Path, hours: int) -> Path:
    then = path.stat().st_mtime - hours * 3600
    os.utime(path, (then, then))
    return path


def test_all_are_flushed_the_newest_first_whatever_their_project(
    command: Command, sandbox: Sandbox, transcript: Transcript
) -> None:
    elsewhere = sandbox.folder / "elsewhere"
    elsewhere.mkdir()
    aged(transcript("s-oldest", "We decided to use uv here."), 3)
    aged(transcript("s-middle", "We decided to use ruff here.", project=elsewhere), 2)
    aged(transcript("s-newest", "We decided to use mypy here."), 1)
    done = command("flush", "--all", "--json")
    assert [each["session"] for each in json.loads(done.stdout)["flushed"]] == ["s-newest", "s-middle", "s-oldest"]
    assert done.stderr.startswith("3 transcripts of 2 projects, 0.0 MB, the newest first: about 1 second to read.")
    again = command("flush", "--all", "--json")
    assert json.loads(again.stdout)["flushed"] == []


def test_a_dry_run_reads_nothing(command: Command, sandbox: Sandbox, transcript: Transcript) -> None:
    transcript("s1", "We decided to use uv here.")
    assert command("flush", "--all", "--dry-run").stdout.startswith("1 transcript of 1 project, 0.0 MB")
    assert not list(sandbox.home.rglob("*.md"))
    command("flush")
    assert command("flush", "--all", "--dry-run").stdout == "There is nothing to read.\n"


@pytest.mark.parametrize("how", ["folder", "parent", "name", "namespace", "both"])
def test_a_project_can_be_left_out(command: Command, sandbox: Sandbox, transcript: Transcript, how: str) -> None:
    secret = sandbox.folder / "private" / "secret"
    secret.mkdir(parents=True)
    transcript("s-secret", "We decided to use uv here.", project=secret)
    transcript("s-open", "We decided to use ruff here.")
    named = {
        "folder": [str(secret)],
        "parent": [f"{secret.parent}/"],
        "name": ["secret"],
        "namespace": [namespace_of(str(secret)).name],
        "both": ["secret", str(sandbox.project)],
    }[how]
    options = [part for each in named for part in ("--except", each)]
    flushed = json.loads(command("flush", "--all", "--json", *options).stdout)["flushed"]
    assert [each["session"] for each in flushed] == ([] if how == "both" else ["s-open"])


def test_leaving_out_goes_with_all(command: Command) -> None:
    done = command("flush", "--except", "x")
    assert done.returncode == 2
    assert "--except goes with --all" in done.stderr
