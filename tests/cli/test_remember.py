"""add and flush."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_plugin.memory import spool
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.spool import Job
from tests.cli.conftest import Command
from tests.support.service import Sandbox

Transcript = Callable[..., Path]
DECISION = "We go with SQLite in WAL mode, because the pilot runs on one small server."
RULE = "From now on always run the tests with `pnpm test --run`."


def _notes(sandbox: Sandbox) -> str:
    return "".join(path.read_text() for path in sorted(sandbox.home.glob("*/????-??-??.md")))


def test_a_fact_is_added_to_todays_log(command: Command, sandbox: Sandbox) -> None:
    done = command("add", "Staging", "is deployed from the release branch only.")
    assert done.returncode == 0
    assert done.stdout.startswith("Noted: ")
    assert "Staging is deployed from the release branch only. <!-- m:" in _notes(sandbox)


def test_a_fact_is_added_once(command: Command, sandbox: Sandbox) -> None:
    command("add", "Staging is deployed from the release branch only.")
    before = _notes(sandbox)
    assert command("add", "staging is deployed from the release branch only").stdout.startswith("Known already: ")
    assert _notes(sandbox) == before


def test_adding_what_was_forgotten_lets_its_line_stand_again(command: Command, sandbox: Sandbox) -> None:
    said = json.loads(command("add", "--json", "Staging is deployed from the release branch only.").stdout)
    before = _notes(sandbox)
    assert command("forget", said["id"]).returncode == 0
    assert _notes(sandbox) != before
    assert command("add", "staging is deployed from the release branch only").stdout.startswith("Noted: ")
    assert _notes(sandbox) == before


def test_a_category_can_be_given_and_is_guessed_otherwise(command: Command) -> None:
    given = json.loads(
        command("add", "--json", "--category", "lesson", "Two workers on one queue lose messages.").stdout
    )
    guessed = json.loads(command("add", "--json", RULE).stdout)
    assert given["category"] == "lesson"
    assert guessed["category"] == "preference"
    assert given["written"]
    assert guessed["written"]


def test_a_lesson_has_a_severity(command: Command, sandbox: Sandbox) -> None:
    said = json.loads(command("add", "--json", "--severity", "critical", "The import doubles every booking.").stdout)
    assert said["category"] == "lesson"
    assert "sev=critical" in _notes(sandbox)
    refused = command("add", "--severity", "high", "--category", "goal", "x")
    assert (refused.returncode, "only a lesson" in refused.stderr) == (2, True)
    assert command("add", "--severity", "dreadful", "x").returncode == 2


def test_a_fact_can_be_dated(command: Command, sandbox: Sandbox) -> None:
    command("add", "--day", "2026-01-14", "Version 1.4 was released.")
    assert "Version 1.4 was released." in next(sandbox.home.glob("*/2026-01-14.md")).read_text()
    for day in ("2999-01-01", "2026-02-30", "yesterday"):
        assert command("add", "--day", day, "x").returncode == 2
    assert "say a day as 2026-11-30" in command("add", "--day", "yesterday", "x").stderr


@pytest.mark.parametrize("before", ["stands", "was forgotten", "was dropped"])
def test_a_known_fact_becomes_what_it_is_given_as(command: Command, sandbox: Sandbox, before: str) -> None:
    text = "The import doubles every booking."
    identity = json.loads(command("add", "--json", "--category", "goal", text).stdout)["id"]
    if before == "was forgotten":
        command("forget", identity)
    elif before == "was dropped":
        command("tasks", "drop", identity)
    added = json.loads(command("add", "--json", "--severity", "critical", text).stdout)
    assert (added["id"], added["category"], added["severity"]) == (identity, "lesson", "critical")
    assert (added["written"], added["amended"]) == (before != "stands", True)
    [line] = [each for each in _notes(sandbox).splitlines() if text in each]
    assert line.startswith(f"- **lesson** {text} <!-- m:{identity} ")
    assert "sev=critical" in line
    [(_, entry)] = Ledger(str(sandbox.home)).refresh().entries.items()
    assert (entry.fact.category, entry.fact.severity, entry.fact.importance) == ("lesson", "critical", 0.8)
    assert entry.history[-1]["event"] == "corrected"
    assert command("add", text).stdout == f"Known already: lesson: {text} ({identity})\n"


def test_a_known_fact_is_told_as_it_is_held(command: Command, sandbox: Sandbox) -> None:
    text = "The import doubles every booking."
    identity = json.loads(command("add", "--json", "--severity", "high", text).stdout)["id"]
    assert "Known already, changed: goal: " in command("add", "--category", "goal", text).stdout
    assert "sev=" not in _notes(sandbox)
    before = _notes(sandbox)
    said = command("add", "--day", "2026-01-14", text).stdout
    assert said.startswith(f"Known already: goal: {text} ({identity})\n  its day stays 20")
    assert _notes(sandbox) == before


def test_a_global_fact_goes_to_the_global_namespace(command: Command, sandbox: Sandbox) -> None:
    command("add", "--global", "I read answers best in British English.")
    assert "British English" in next(sandbox.home.glob("global/????-??-??.md")).read_text()


def test_secrets_are_masked_and_private_parts_left_out(command: Command, sandbox: Sandbox) -> None:
    command("add", "The bot's token is ghp_" + "a1B2" * 9 + " <private>and my diary</private> on staging.")
    assert "[masked]" in _notes(sandbox)
    assert (
        "Known already, with a secret masked: "
        in command("add", "The bot's token is ghp_" + "a1B2" * 9 + " on staging.").stdout
    )
    assert "ghp_" not in _notes(sandbox)
    assert "diary" not in _notes(sandbox)


def test_nothing_to_add_is_an_error(command: Command) -> None:
    done = command("add", "  ", "<private>x</private>")
    assert (done.returncode, "say it in a sentence" in done.stderr) == (1, True)


def test_a_home_that_cannot_be_written_is_an_error(command: Command, sandbox: Sandbox) -> None:
    sandbox.home.rmdir()
    sandbox.home.write_text("a file")
    done = command("add", RULE)
    assert done.returncode == 1
    assert "the memory home cannot be written" in done.stderr


def test_a_named_transcript_is_flushed_once(command: Command, sandbox: Sandbox, transcript: Transcript) -> None:
    path = transcript("s1", DECISION, RULE)
    first = command("flush", str(path))
    assert first.returncode == 0
    assert "SQLite in WAL mode" in _notes(sandbox)
    before = _notes(sandbox)
    assert command("flush", str(path)).stdout == "0 new facts from 1 transcript.\n"
    assert command("flush").stdout == "Nothing to flush: every transcript is read up to its end.\n"
    assert _notes(sandbox) == before


def test_what_this_project_never_flushed_is_flushed(command: Command, sandbox: Sandbox, transcript: Transcript) -> None:
    other = sandbox.folder / "elsewhere"
    other.mkdir()
    transcript("s1", DECISION)
    transcript("s2", RULE)
    transcript("s3", "We decided to deploy on Fridays, because the shop is closed then.", project=other)
    receipts = json.loads(command("flush", "--json").stdout)["flushed"]
    assert sorted(os.path.basename(each["transcript"]) for each in receipts) == ["s1.jsonl", "s2.jsonl"]
    everything = json.loads(command("flush", "--all", "--json").stdout)["flushed"]
    assert [os.path.basename(each["transcript"]) for each in everything] == ["s3.jsonl"]
    assert len({each["namespace"] for each in receipts + everything}) == 2


def test_what_is_owed_is_flushed_too(command: Command, sandbox: Sandbox, transcript: Transcript) -> None:
    other = sandbox.folder / "elsewhere"
    other.mkdir()
    path = transcript("s1", DECISION, project=other)
    spool.add(str(sandbox.state), Job(str(path), "session end", str(other)))
    assert json.loads(command("status", "--json").stdout)["owed"] == 1
    assert command("flush").stdout.endswith("1 new fact from 1 transcript.\n")
    assert json.loads(command("status", "--json").stdout)["owed"] == 0


def test_a_session_is_found_by_its_id(command: Command, transcript: Transcript) -> None:
    transcript("6d9ab8bf", DECISION)
    assert command("flush", "--session", "6d9ab8bf").returncode == 0
    missing = command("flush", "--session", "../6d9ab8c0")
    assert (missing.returncode, "no transcript of session" in missing.stderr) == (1, True)


def test_a_file_that_is_no_transcript_is_refused(command: Command, sandbox: Sandbox) -> None:
    (sandbox.folder / "README.md").write_text("# We always deploy on Fridays.\n")
    done = command("flush", str(sandbox.folder / "README.md"))
    assert (done.returncode, "no transcript of Claude Code" in done.stderr) == (1, True)
    assert "none yet" in command("status").stdout


def test_where_capture_is_off_only_named_transcripts_are_flushed(
    command: Command, sandbox: Sandbox, transcript: Transcript
) -> None:
    path = transcript("s1", DECISION)
    (sandbox.project / ".claude").mkdir()
    (sandbox.project / ".claude" / "memory-plugin.json").write_text('{"capture": {"enabled": false}}')
    done = command("flush")
    assert (done.returncode, "capture is off here" in done.stderr) == (1, True)
    assert json.loads(command("flush", "--all", "--json").stdout)["flushed"] == []
    assert len(json.loads(command("flush", str(path), "--json").stdout)["flushed"]) == 1


def test_one_bad_transcript_does_not_stop_the_others(
    command: Command, sandbox: Sandbox, transcript: Transcript
) -> None:
    path = transcript("s1", DECISION)
    done = command("flush", str(sandbox.folder / "missing.jsonl"), str(sandbox.folder), str(path))
    assert done.returncode == 1
    assert "missing.jsonl" in done.stderr
    assert "SQLite" in _notes(sandbox)
