"""SessionStart as the client runs it."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest

from memory_plugin.memory.frame import CLOSING, OPENING, PREAMBLE
from memory_plugin.memory.journal import LOCK
from tests.support.patience import eventually
from tests.support.transcripts import DAY, SESSION, conversation, entry, lines, stated
from tests.support.world import World, files_of

NOT_SET_UP = "set-up is not finished; until then no prompt is answered from memory (memory-plugin doctor says more)"


def context_of(output: bytes) -> str:
    return str(json.loads(output).get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork", "", "unheard-of"])
def test_the_exact_answer(world: World, source: str) -> None:
    world.say([stated(0)])
    assert json.loads(world.hook("session_start", world.event(source=source)).stdout) == {
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": "\n".join(
                [
                    OPENING,
                    PREAMBLE,
                    "## Standing",
                    f"- {DAY} preference: {stated(0)} [{world.notes.name}/{DAY}.md#L5]",
                    CLOSING,
                ]
            ),
        },
        "systemMessage": f"memory-plugin: 1 note from earlier conversations; {NOT_SET_UP}",
    }


def test_the_answer_is_plain_ascii_on_one_line(world: World) -> None:
    (world.home).mkdir()
    (world.home / "MEMORY.md").write_text("- Zoë lives in 東京 🙂\n", encoding="utf-8")
    world.variables |= {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    output = world.hook("session_start").stdout
    assert output.isascii()
    assert output.count(b"\n") == 1
    assert "Zoë lives in 東京 🙂" in context_of(output)


def test_after_a_compaction_the_conversations_own_come_back_and_nothing_is_flushed(world: World) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    world.say([stated(0), stated(1)])
    context = context_of(world.hook("session_start", world.event(source="compact")).stdout)
    assert context.split("\n")[2] == "## This conversation, before it was compacted"
    assert context.count(stated(0)) == 1
    assert stated(1) not in context


def test_what_was_never_flushed_is_caught_up_before_the_briefing(world: World) -> None:
    for number in range(5):
        conversation(world.transcript.parent / f"earlier-{number}.jsonl", [stated(number)], cwd=world.project)
    context = context_of(world.hook("session_start").stdout)
    assert all(stated(number) in context for number in range(5))
    before = files_of(world.home)
    world.hook("session_start")
    assert files_of(world.home) == before


def test_too_much_to_catch_up_is_left_to_a_process_of_its_own(world: World) -> None:
    noise = lines([entry([{"type": "tool_result", "tool_use_id": "t", "content": "x" * 300_000}])])
    for number in range(6):
        path = conversation(world.transcript.parent / f"{number}.jsonl", [stated(number)], cwd=world.project)
        path.write_bytes(path.read_bytes() + noise)
        os.utime(path, (number, number))
    world.hook("session_start")
    assert sum(stated(number) in line for number in range(6) for line in world.facts()) >= 3
    assert eventually(lambda: all(any(stated(n) in line for line in world.facts()) for n in range(6)), 120)


def test_hundreds_of_old_transcripts_are_looked_at_without_reading_them(world: World) -> None:
    folder = world.transcript.parent
    for number in range(300):
        conversation(folder / f"{number}.jsonl", [stated(number % 100)], cwd=world.project)
    world.hook("session_start")
    assert eventually(lambda: len(list((world.state / "watermarks").glob("*.json"))) == 300, 120)
    before = files_of(world.home, world.state / "watermarks")
    world.hook("session_start")
    assert files_of(world.home, world.state / "watermarks") == before
    assert len(world.facts()) == 100


def test_a_session_that_lives_in_another_window_is_flushed_as_far_as_it_got(world: World) -> None:
    other = conversation(world.transcript.parent / "other.jsonl", [stated(0), stated(1)], cwd=world.project)
    whole = other.read_bytes()
    other.write_bytes(whole[:-30])  # in the middle of writing
    world.hook("session_start")
    assert [stated(0) in line for line in world.facts()] == [True]
    other.write_bytes(whole)
    world.hook("session_start")
    assert len(world.facts()) == 2


def test_a_lock_that_is_not_let_go_costs_time_but_not_the_briefing(world: World) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    world.say([stated(0), stated(1)])
    with open(world.home / LOCK, "ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        context = context_of(world.hook("session_start").stdout)
        assert stated(0) in context
        assert stated(1) not in context
        assert any(line.startswith("not done after 5.0 s") for line in world.log())
    assert eventually(lambda: len(world.facts()) == 2)


def test_other_projects_stay_out(world: World, tmp_path: Path) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    world.variables["CLAUDE_PROJECT_DIR"] = str(elsewhere)
    event = world.event(transcript_path=str(tmp_path / "none" / f"{SESSION}.jsonl"), cwd=str(elsewhere))
    assert context_of(world.hook("session_start", event).stdout) == ""


def test_a_deleted_or_struck_note_is_not_shown_and_not_captured_again(world: World) -> None:
    world.say([stated(number) for number in range(3)])
    world.hook("session_start")
    [log] = world.notes.glob("[0-9]*.md")
    lines = [line for line in log.read_text().splitlines(keepends=True) if stated(0) not in line]
    log.write_text("".join(f"- ~~{line[2:].strip()}~~\n" if stated(1) in line else line for line in lines))
    for path in (world.state / "watermarks").iterdir():
        path.unlink()
    context = context_of(world.hook("session_start").stdout)
    assert [stated(number) in context for number in range(3)] == [False, False, True]
    assert stated(0) not in log.read_text()


def test_conflict_copies_double_nothing(world: World) -> None:
    world.say([stated(0), stated(1)])
    before = context_of(world.hook("session_start").stdout)
    for path in list(world.notes.glob("*.md")):
        path.with_name(f"{path.stem} (conflicted copy).md").write_bytes(path.read_bytes())
    assert context_of(world.hook("session_start").stdout) == before
    assert before.count(stated(0)) == 1


def test_without_a_python_the_user_is_told(world: World) -> None:
    shell = world.root / "bin"
    shell.mkdir()
    (shell / "sh").symlink_to("/bin/sh")
    world.variables["PATH"] = str(shell)
    message = json.loads(world.hook("session_start").stdout)
    assert message == {"systemMessage": "memory-plugin: nothing is remembered, for it needs Python 3.10 or newer"}
    for hook in ("pre_compact", "session_end", "user_prompt_submit"):
        assert world.hook(hook).stdout == b""


@pytest.mark.parametrize(
    ("version", "source", "comes_again"),
    [
        ("2.1.76", "resume", True),
        ("2.0.77", "resume", True),
        ("2.1.150", "resume", False),
        ("2.1.332", "resume", False),
        ("1.0.128", "resume", False),
        ("", "resume", False),
        ("2.1.76", "startup", False),
    ],
)
def test_a_client_that_drops_what_was_injected_gets_it_again_when_it_resumes(
    world: World, version: str, source: str, comes_again: bool
) -> None:
    world.transcript.parent.mkdir(parents=True, exist_ok=True)
    world.transcript.write_bytes(lines([entry("Good morning.", version=version, cwd=str(world.project))]))
    shown = world.state / "injections" / f"{SESSION}.jsonl"
    shown.parent.mkdir(parents=True, exist_ok=True)
    shown.write_text('{"event": "UserPromptSubmit", "notes": ["7k2m9qab"]}\n')
    world.hook("session_start", world.event(source=source))
    assert ('"reset"' in shown.read_text()) is comes_again
