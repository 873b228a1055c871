"""The history: conversations in Markdown, the same however they were flushed, without secrets."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import amendments, history, pages, purge
from memory_plugin.memory.flush import flush_transcript
from memory_plugin.memory.frame import CLOSING, OPENING
from memory_plugin.memory.history import Conversation
from memory_plugin.memory.pages import Page
from tests.support.data import REPOSITORY
from tests.support.small_disk import fill, small_disk
from tests.support.transcripts import DAY, SESSION, entry, lines, stated
from tests.support.world import World

__all__ = ["small_disk"]

PROGRAM = (
    "import sys; from memory_plugin.memory.flush import flush_transcript\n"
    "flush_transcript(sys.argv[1], trigger='test', home=sys.argv[2], state=sys.argv[3])"
)
SECRETS = ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "hunter2!Xy99zz", "MIIEowIBAAKCAQEA7bq9Yk")
SUMMARY = (
    "This session is being continued from a previous conversation that ran out of context.\n\n"
    "Analysis:\nLet me think aloud.\n\nSummary:\n"
    "1. Primary Request and Intent:\n   The importer reads the bookings.\n\n"
    "## Durable facts\n- [decision] The importer skips bookings without a customer, for they cannot be billed.\n\n"
    "If you need specific details from before compaction, read the full transcript.\n"
    "Please continue the conversation from where we left it off."
)


def at(minute: int, day: str = DAY) -> str:
    return f"{day}T{12 + minute // 60}:{minute % 60:02}:30.000Z"


def said(text: Any, minute: int, role: str = "user", **fields: Any) -> dict[str, Any]:
    return entry(text, minute, role=role, timestamp=fields.pop("timestamp", at(minute)), **fields)


def use(name: str, given: dict[str, Any], number: int, **fields: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
    return said([block], number, "assistant", **fields)


def result(output: Any, number: int, **fields: Any) -> dict[str, Any]:
    error = {"is_error": True} if fields.pop("failed", False) else {}
    block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": output, **error}
    return said([block], number, **fields)


def a_conversation(day: str = DAY) -> list[dict[str, Any]]:
    """Two prompts with answers, tools, a compaction, and what came after it on the next day."""
    return [
        said("Which database do we take for the bookings?", 0),
        said([{"type": "thinking", "thinking": "SECRET THOUGHT"}], 1, "assistant"),
        said([{"type": "text", "text": "I look at what is installed."}], 1, "assistant"),
        use("Bash", {"command": "psql --version"}, 2),
        result("psql (PostgreSQL) 16.1", 2),
        use("Bash", {"command": "make test"}, 3),
        result("\n".join(f"line {number}" for number in range(100)), 3, failed=True),
        said("PostgreSQL 16 is there.\n\n## Plan\n\n```sh\n# comment\nmake\n```", 4, "assistant"),
        said(stated(3), 5),
        said("Understood.", 6, "assistant"),
        said(SUMMARY, 7, isCompactSummary=True),
        said("I go on with the importer.", 8, "assistant"),
        said("Et maintenant ? On garde « hêtre » comme nom du serveur de préproduction.", 9),
        said("Oui, c'est noté : hêtre.", 10, "assistant"),
    ]


def write(world: World, entries: Iterable[dict[str, Any]]) -> Path:
    world.transcript.parent.mkdir(parents=True, exist_ok=True)
    world.transcript.write_bytes(lines({**each, "cwd": str(world.project)} for each in entries))
    return world.transcript


def flush(world: World, trigger: str = "test", transcript: Path | None = None) -> None:
    flush_transcript(
        str(transcript or world.transcript),
        trigger=trigger,
        project=str(world.project),
        home=str(world.home),
        state=str(world.state),
    )


def kept(world: World) -> dict[str, str]:
    """Every page, by its file's name."""
    return {path.name: path.read_text("utf-8") for path in sorted(world.notes.glob("history/*.md"))}


def only(world: World) -> str:
    (text,) = kept(world).values()
    return text


def conversation(world: World) -> Conversation:
    (found,) = history.conversations(str(world.home))
    return found


def test_a_conversation_reads_as_it_was_held(world: World) -> None:
    write(world, a_conversation())
    flush(world)
    assert list(kept(world)) == [f"{DAY}-{SESSION[:8]}.md"]
    text = only(world)
    order = [
        f"session: {SESSION}",
        f"# Conversation of {DAY}",
        "## 12:00 Which database do we take for the bookings?",
        "**User 12:00:** Which database do we take for the bookings?",
        "**Assistant 12:01:** I look at what is installed.",
        "- Bash `psql --version` → ok\n  > psql (PostgreSQL) 16.1\n- Bash `make test` → error\n  > line 0",
        "**Assistant 12:04:** PostgreSQL 16 is there.",
        "#### Plan",
        "```sh\n# comment\nmake\n```",
        f"## 12:05 {stated(3)}"[:60],
        "## Episode 12:00–12:07 <!-- summary -->",
        "The importer reads the bookings.",
        "## 12:08 (continued)",
        "## 12:09 Et maintenant ?",
        "**Assistant 12:10:** Oui, c'est noté : hêtre.",
        "## Episode 12:08–12:10 <!-- so far -->",
        "Said last: Oui, c'est noté : hêtre.",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "absent", ["SECRET THOUGHT", "think aloud", "If you need specific", "Please continue", "Durable facts", "line 50"]
)
def test_thinking_the_summarys_frame_and_the_middle_of_an_output_are_left_out(world: World, absent: str) -> None:
    write(world, a_conversation())
    flush(world)
    assert absent not in only(world)


def test_an_output_keeps_its_head_and_its_tail_and_says_what_is_between(world: World) -> None:
    write(world, a_conversation())
    flush(world)
    shown = [line[4:] for line in only(world).splitlines() if line.startswith("  > line") or "lines …" in line]
    assert shown == ["line 0", "line 1", "line 2", "[… 94 lines …]", "line 97", "line 98", "line 99"]


def test_an_episode_points_to_its_facts(world: World) -> None:
    write(world, a_conversation())
    flush(world)
    sections = pages.sections(only(world))
    noted = {line.partition("m:")[2].split()[0] for line in world.facts()}
    summary, so_far = [each for each in sections if each.kind == "episode"]
    assert len(summary.facts) >= 2
    assert set(summary.facts + so_far.facts) <= noted
    with_facts = [each for each in sections if each.kind == "exchange" and each.facts]
    assert {fact for each in with_facts for fact in each.facts} <= noted


@pytest.mark.parametrize("seed", range(8))
def test_many_small_flushes_write_the_same_pages_as_one(world: World, tmp_path: Path, seed: int) -> None:
    whole = write(world, a_conversation()).read_bytes()
    flush(world)
    at_once = kept(world)
    shutil.rmtree(world.home)
    shutil.rmtree(world.state)
    choice = random.Random(seed)
    cuts = sorted(choice.sample(range(1, len(whole)), 6)) if seed else [n + 1 for n, b in enumerate(whole) if b == 10]
    for cut in [*cuts, len(whole)]:
        world.transcript.write_bytes(whole[:cut])
        flush(world)
        if choice.random() < 0.3:
            flush(world)
    assert kept(world) == at_once


@pytest.mark.parametrize("lost", [["watermarks"], ["watermarks", "receipts.jsonl"]])
def test_without_its_state_a_flush_tells_nothing_twice(world: World, lost: list[str]) -> None:
    write(world, a_conversation())
    flush(world)
    before = kept(world)
    for name in lost:
        path = world.state / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    flush(world)
    assert kept(world) == before


def test_killed_anywhere_a_flush_ends_in_the_same_pages(world: World) -> None:
    long = [each for number in range(40) for each in a_talk(number)]
    write(world, long)
    flush(world)
    at_once = kept(world)
    shutil.rmtree(world.home)
    shutil.rmtree(world.state)
    arguments = [str(world.transcript), str(world.home), str(world.state)]
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", PROGRAM, *arguments], cwd=REPOSITORY, check=True)
    whole = time.monotonic() - begin
    shutil.rmtree(world.home)
    shutil.rmtree(world.state)
    for step in range(6):
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], cwd=REPOSITORY)
        time.sleep(whole * (0.5 + step / 12))
        process.send_signal(signal.SIGKILL)
        process.wait()
    flush(world)
    assert kept(world) == at_once


def test_what_a_killed_flush_left_half_written_is_removed_once_it_is_old(world: World) -> None:
    old, new = (world.notes / "history" / f".writing-{name}" for name in ("0123456789abcdef", "fedcba9876543210"))
    old.parent.mkdir(parents=True)
    for path in (old, new):
        path.write_text("---\nsession:")
    os.utime(old, (time.time() - 7200,) * 2)
    write(world, a_talk(1))
    flush(world)
    assert not old.exists()
    assert new.exists()


def a_talk(number: int) -> list[dict[str, Any]]:
    return [
        said(f"Question {number} about the {number}th importer?", number),
        use("Bash", {"command": f"make step-{number}"}, number),
        result(f"step {number} done", number),
        said(f"Step {number} is done, all tests pass.", number, "assistant"),
    ]


def test_two_flushes_at_the_same_time_tell_everything_once(world: World) -> None:
    write(world, [each for number in range(30) for each in a_talk(number)])
    arguments = [str(world.transcript), str(world.home), str(world.state)]
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], cwd=REPOSITORY) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    text = only(world)
    assert [text.count(f"**User 12:{number:02}:** Question {number} ") for number in range(30)] == [1] * 30


def test_a_page_grows_day_by_day_and_an_exchange_stays_whole(world: World) -> None:
    later = "2026-11-29"
    write(
        world,
        [
            said("Late question?", 0, timestamp="2026-11-28T23:50:00Z"),
            said("Late answer.", 1, "assistant", timestamp=f"{later}T00:10:00Z"),
            said("Early question?", 2, timestamp=f"{later}T07:00:00Z"),
        ],
    )
    flush(world)
    short = SESSION[:8]
    assert list(kept(world)) == [f"2026-11-28-{short}.md", f"{later}-{short}.md"]
    assert "Late answer." in kept(world)[f"2026-11-28-{short}.md"]
    assert "Early question?" in kept(world)[f"{later}-{short}.md"]
    assert conversation(world).paths == tuple(str(world.notes / "history" / name) for name in kept(world))


@pytest.mark.parametrize(
    ("triggers", "ended"),
    [
        (["command"], "open"),
        (["session end"], "ended"),
        (["command", "session end"], "ended"),
        (["compaction (auto)"], "compacted"),
        (["session end", "catch-up"], "ended"),
    ],
)
def test_a_page_says_how_the_conversation_ended(world: World, triggers: list[str], ended: str) -> None:
    write(world, a_talk(1))
    for trigger in triggers:
        flush(world, trigger)
    assert conversation(world).ended == ended
    assert only(world).count("## 12:01 ") == 1


def test_what_goes_on_after_an_end_is_open_again(world: World) -> None:
    write(world, a_talk(1))
    flush(world, "session end")
    write(world, [*a_talk(1), *a_talk(2)])
    flush(world, "catch-up")
    assert conversation(world).ended == "open"


def test_no_secret_stands_in_any_byte_that_is_written(world: World) -> None:
    token, password, key = SECRETS
    pem = f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n" + "kQ9z" * 16 + "\n" * 3 + "aB3d" * 16
    pem += "\n-----END RSA PRIVATE KEY-----"
    write(
        world,
        [
            said(f"the password is {password} and <private>my salary is 123456</private> ok", 0),
            use("Bash", {"command": f"curl -H 'Authorization: Bearer {token}' https://example.org"}, 1),
            result(f"{'x' * 590}\ntoken: {token} and more", 1),
            use("Bash", {"command": "cat key.pem"}, 2),
            result("\n" * 2 + "first\n" * 20 + pem, 2),
            use("Bash", {"command": "env"}, 3),
            result(f"{'y' * 560} {token}{' z' * 400} {token}", 3),
            said(f"Your token {token} works.", 4, "assistant"),
            said(f"{token} is my first word", 5),
            said(f"Now again: password={password}", 6, "assistant"),
            use("Read", {"file_path": f"/tmp/{token}"}, 7),
            result(f"{token}", 7, failed=True),
        ],
    )
    flush(world)
    assert "Your token [masked] works." in only(world)
    for path in (path for folder in (world.home, world.state) for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        for secret in (token, password, key, "123456", "aB3daB3d", "kQ9zkQ9z"):
            assert secret.encode() not in content, (path, secret)


def test_a_prompt_that_is_private_as_a_whole_leaves_but_its_place(world: World) -> None:
    write(world, [said("<private>Marie is ill, tell nobody</private>", 0), said("I will not.", 1, "assistant")])
    flush(world)
    assert "## 12:00 (private)" in only(world)
    assert "Marie" not in only(world)


@pytest.mark.parametrize(
    "added",
    [
        f"{OPENING}\nNotes\n- 2026-11-01 decision: we sail [x.md#L1]\n{CLOSING}",
        "<system-reminder>\nwe sail\n</system-reminder>",
        "<system-reminder>\nwe sail",
    ],
)
def test_what_was_injected_is_no_part_of_what_was_said(world: World, added: str) -> None:
    write(world, [said(f"Build the boat shed.\n{added}", 0), said("It stands.", 1, "assistant")])
    flush(world)
    assert "Build the boat shed." in only(world)
    assert "sail" not in only(world)
    assert "sail" not in "\n".join(world.facts())


def test_a_sidechain_and_meta_entries_are_left_out(world: World) -> None:
    write(
        world,
        [
            said("Look for the leak.", 0),
            use("Grep", {"pattern": "leak"}, 1, isSidechain=True),
            result("subagent output", 1, isSidechain=True),
            said("subagent words", 1, "assistant", isSidechain=True),
            said("meta words", 1, isMeta=True),
            said("Found.", 2, "assistant"),
        ],
    )
    flush(world)
    assert [word for word in ("subagent", "meta words", "Grep") if word in only(world)] == []


def test_images_are_named(world: World) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 50}}
    write(
        world,
        [
            said([{"type": "text", "text": "What is wrong here?"}, image], 0),
            said([image], 1),
            use("Screenshot", {}, 2),
            result([image, {"type": "text", "text": "taken"}], 2),
        ],
    )
    flush(world)
    text = only(world)
    assert "**User 12:00:** What is wrong here?\n\n[image]" in text
    assert "**User 12:01:** [image]" in text
    assert "- Screenshot → ok\n  > [image]\n  > taken" in text
    assert "iVBOR" not in text


def test_what_a_file_says_is_not_repeated_but_an_error_is(world: World) -> None:
    write(
        world,
        [
            said("Read it.", 0),
            use("Read", {"file_path": "/project/a.py"}, 1),
            result("1→import os", 1),
            use("Edit", {"file_path": "/project/a.py", "old_string": "a", "new_string": "b"}, 2),
            result("String to replace not found in file.", 2, failed=True),
            use("Edit", {"file_path": "/project/b.py", "old_string": "a", "new_string": "b"}, 3),
            result(
                "The user doesn't want to proceed with this tool use. the user said:\nnot that file", 3, failed=True
            ),
        ],
    )
    flush(world)
    text = only(world)
    assert "- Read `/project/a.py` → ok\n- Edit `/project/a.py` → error\n  > String to replace not found" in text
    assert "- Edit `/project/b.py` → rejected" in text
    assert "**User 12:03:** not that file" in text
    assert "import os" not in text


def test_a_file_of_the_project_is_named_from_its_folder(world: World) -> None:
    inside, outside = str(world.project / "src" / "a.py"), f"{world.project}-other/b.py"
    calls = [use("Read", {"file_path": path}, number) for number, path in enumerate((inside, outside), 1)]
    write(world, [said("Read them.", 0), *calls, result("x", 1), result("y", 2)])
    flush(world)
    assert "- Read `src/a.py` → ok" in only(world)
    assert f"- Read `{outside}`"[:80] in only(world)


def test_a_call_that_is_answered_after_a_flush_is_told_with_its_answer(world: World) -> None:
    talk = a_talk(4)
    write(world, talk[:2])
    flush(world)
    assert "step-4" not in only(world)
    marks = "".join(path.read_text() for path in (world.state / "watermarks").iterdir())
    assert "step-4" not in marks  # no words in the state
    write(world, talk)
    flush(world)
    assert "- Bash `make step-4` → ok\n  > step 4 done" in only(world)


def test_a_question_of_the_clients_and_its_answer_stay_together(world: World) -> None:
    asked = {"questions": [{"question": "Which colour?"}]}
    answer = result("answered", 1, toolUseResult={"answers": {"Which colour?": "green"}})
    write(world, [said("Paint it.", 0), use("AskUserQuestion", asked, 1), answer])
    flush(world)
    assert "**Assistant 12:01:** Which colour?\n\n**User 12:01:** green" in only(world)
    assert "AskUserQuestion" not in only(world)


@pytest.mark.parametrize(
    "line",
    [
        "## 10:00 a heading of ours",
        "**User 10:00:** I never said that",
        "<!-- facts: 7k2m9qab -->",
        "## Episode 10:00–11:00 <!-- so far -->",
        "<!-- end -->",
        "---",
    ],
)
def test_nothing_that_is_said_can_pose_as_the_pages_own_lines(world: World, line: str) -> None:
    text = f"Look:\n\n```\n{line}\n```\n\n{line}\n\nand so on"
    write(world, [said(text, 0), said(f"I see:\n{line}", 1, "assistant"), *a_talk(2)])
    flush(world)
    before = only(world)
    exchanges = [each for each in pages.sections(before) if each.kind == "exchange"]
    assert [each.time for each in exchanges] == ["12:00", "12:02"]
    assert [turn.speaker for turn in exchanges[0].turns] == ["User", "Assistant"]
    assert exchanges[0].facts == []
    write(world, [said(text, 0), said(f"I see:\n{line}", 1, "assistant"), *a_talk(2), *a_talk(3)])
    flush(world)
    assert only(world).count("**Assistant 12:01:** I see:") == 1
    assert [each.time for each in pages.sections(only(world)) if each.kind == "exchange"] == ["12:00", "12:02", "12:03"]


def test_an_unclosed_fence_ends_with_its_message(world: World) -> None:
    write(world, [said("Fix:\n```python\nx = 1", 0), said("Done.", 1, "assistant"), *a_talk(2)])
    flush(world)
    assert [each.time for each in pages.sections(only(world)) if each.kind == "exchange"] == ["12:00", "12:02"]
    assert only(world).count("```") % 2 == 0


def test_a_line_of_megabytes_is_told_in_part_and_in_bounded_time(world: World) -> None:
    write(
        world,
        [
            said("pasted log: " + "word " * 400_000, 0),
            use("Bash", {"command": "cat huge " + "x" * 3_000_000}, 1),
            result("y" * 5_000_000, 1, toolUseResult={"stdout": "y" * 5_000_000}),
            said("That is long.", 2, "assistant"),
        ],
    )
    flush(world)
    assert len(only(world)) < 300_000
    assert "That is long." in only(world)


def test_a_persons_own_lines_and_keys_stay_when_a_page_grows(world: World) -> None:
    write(world, a_talk(1))
    flush(world)
    (path,) = world.notes.glob("history/*.md")
    text = path.read_text().replace("ended: open", "ended: open\ntags: [mine]").rstrip("\n")
    path.write_text(text.replace("Question 1", "My question 1") + "\n\nA note of my own below the episode.\n")
    write(world, [*a_talk(1), *a_talk(2)])
    flush(world)
    after = path.read_text()
    assert "tags: [mine]" in after
    assert "**User 12:01:** My question 1" in after
    assert "A note of my own below the episode." in after
    assert "Question 2" in after
    assert after.count("<!-- so far -->") == 1


def test_a_page_that_was_deleted_stays_deleted(world: World) -> None:
    write(world, a_talk(1))
    flush(world)
    shutil.rmtree(world.notes / "history")
    write(world, [*a_talk(1), *a_talk(2)])
    flush(world)
    assert "Question 1" not in only(world)
    assert "Question 2" in only(world)


def test_a_page_that_cannot_be_written_does_not_hold_up_the_facts(world: World) -> None:
    write(world, [said(stated(1), 0)])
    world.notes.mkdir(parents=True)
    (world.notes / "history").write_text("a file in the folder's place")
    flush(world)
    assert len(world.facts()) == 1


def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    world = World(small_disk)
    write(world, [each for number in range(30) for each in a_talk(number)])
    full = fill(small_disk)
    with pytest.raises(OSError, match="space"):
        flush(world)
    full.unlink()
    flush(world)
    assert [f"Question {number} " in only(world) for number in range(30)] == [True] * 30


def test_two_conversations_that_begin_alike_have_pages_of_their_own(world: World) -> None:
    write(world, a_talk(1))
    flush(world)
    other = world.transcript.with_name(f"{SESSION[:-1]}2.jsonl")
    world.transcript.rename(other)
    flush(world, transcript=other)
    flush(world, transcript=other)
    assert list(kept(world)) == [f"{DAY}-{SESSION[:8]}-2.md", f"{DAY}-{SESSION[:8]}.md"]
    assert {each.session for each in history.conversations(str(world.home))} == {SESSION, f"{SESSION[:-1]}2"}


@pytest.mark.parametrize("where", ["user", "project"])
def test_no_history_is_kept_where_the_setting_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(world.settings))
    path = world.settings if where == "user" else world.project / ".claude" / "memory-plugin.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"history": {"enabled": False}}))
    write(world, [said(stated(1), 0)])
    flush(world)
    assert kept(world) == {}
    assert len(world.facts()) == 1


def test_a_stretch_knows_what_came_before_and_after(world: World) -> None:
    write(world, [each for number in range(3) for each in a_talk(number)])
    flush(world)
    path = conversation(world).paths[0]
    number = only(world).splitlines().index("## 12:01 Question 1 about the 1th importer?") + 1
    stretch = history.stretch_at(path, number + 2)
    assert stretch
    assert stretch.section.line == number
    before, after = stretch.before(), stretch.after()
    assert before
    assert after
    assert (before.time, after.time) == ("12:00", "12:02")
    assert history.markdown(stretch, after).startswith("## 12:02 Question 2")
    assert "- Bash `make step-1` → ok" in history.markdown(stretch, stretch.section)
    assert history.stretch_at(path, 100_000) is None


@pytest.mark.parametrize(
    "text", ["", "# Just a note\n", "---\ntitle: x\n---\n# Note\n", "---\nsession: \n---\n", "---\n"]
)
def test_a_file_that_is_no_page_is_none(text: str) -> None:
    assert pages.parse(text, DAY) is None


def test_a_page_survives_windows_line_breaks(world: World) -> None:
    write(world, a_talk(1))
    flush(world)
    text = only(world)
    page = pages.parse(text.replace("\n", "\r\n"), DAY)
    assert isinstance(page, Page)
    assert pages.render(page) == text
    assert pages.sections(text.replace("\n", "\r\n")) == pages.sections(text)


def test_a_page_is_rendered_as_it_was_read(world: World) -> None:
    write(world, a_conversation())
    flush(world)
    page = pages.parse(only(world), DAY)
    assert page
    assert pages.render(page) == only(world)


def test_the_page_that_the_documents_show_is_one() -> None:
    document = (REPOSITORY / "docs" / "history.md").read_text("utf-8")
    shown = "\n".join(line[4:] for line in document.split("\n") if line.startswith("    ") or not line.strip())
    text = shown[shown.index("---\n") : shown.index("<!-- end -->")] + "<!-- end -->\n"
    page = pages.parse(text, "2026-11-30")
    assert page
    assert pages.render(page) == text
    assert [each.kind for each in pages.sections(text)] == ["exchange", "episode"]
    assert [each.facts for each in pages.sections(text)] == [["7k2m9qab"], ["7k2m9qab"]]


def test_the_hook_before_a_compaction_keeps_the_conversation(world: World) -> None:
    write(world, a_talk(1))
    world.hook("pre_compact")
    assert conversation(world).ended == "compacted"
    assert "**User 12:01:** Question 1" in only(world)


def test_a_compaction_on_a_later_day_counts_for_the_days_before(world: World) -> None:
    days = [
        said("Late question?", 0, timestamp="2026-11-28T20:00:00Z"),
        said("Next day?", 1, timestamp="2026-11-29T08:00:00Z"),
    ]
    write(world, days)
    flush(world)
    first = conversation(world).paths[0]
    stretch = history.stretches(first)[0]
    assert not history.compacted_since(stretch)
    write(world, [*days, said(SUMMARY, 2, isCompactSummary=True, timestamp="2026-11-29T09:00:00Z")])
    flush(world)
    assert history.compacted_since(stretch)


def test_what_is_purged_is_gone_from_the_pages_wherever_they_cut_it(world: World) -> None:
    decided = (
        "We decided that the importer of the northern warehouse reads its bookings with the streaming parser, because "
        "the other one keeps whole files in memory."
    )
    write(
        world,
        [
            said(decided, 0),
            use("Bash", {"command": f'cd /srv/warehouse/importer && memory-plugin add "{decided}"'}, 1),
            result(f"Noted: {decided}", 1),
            said(f"Well, {decided.replace(', because', f',{chr(10)}because')}", 2),
            said(f"{decided} {'So be it. ' * 32}", 3, "assistant"),
        ],
    )
    flush(world)
    before = only(world)
    held = amendments.find(str(world.home), "northern warehouse", [world.notes.name])[0]
    left = purge.run(str(world.home), str(world.state), world.notes.name, purge.target(str(world.home), held))
    assert left.ours == []
    for words in ("importer of the", "northern warehouse", "reads its bookings", "streaming parser", "files in memory"):
        assert words in before
        assert words not in only(world)
    assert "## 12:02 Well, [purged]" in only(world)
    assert len(pages.sections(only(world))) == len(pages.sections(before))
    assert "So be it." in only(world)
