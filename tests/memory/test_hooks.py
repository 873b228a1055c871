"""What the hooks do with their input; as processes they are tested in tests/hooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.hooks import Event, Starting, pre_compact, read_event, session_end, session_start
from memory_plugin.memory.summary import INSTRUCTION
from tests.support.transcripts import SESSION, stated
from tests.support.world import World


@pytest.fixture(autouse=True)
def _in_this_world(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "STATE", "SETTINGS", "ENV"):
        monkeypatch.setenv(f"MEMORY_PLUGIN_{name}", world.environment()[f"MEMORY_PLUGIN_{name}"])
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    monkeypatch.chdir(world.root)


def test_an_event_is_read(world: World) -> None:
    raw = json.dumps(world.event(source="resume", trigger="auto")).encode()
    event = Event(SESSION, str(world.transcript), str(world.project), "resume", "auto")
    assert read_event(raw, "", str(world.root)) == event


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"{", b'{"session_id": "x', b"[]", b"null", b"5", b"\xff\xfe", b"[" * 100_000, b'"{}"']
)
def test_what_is_no_event(world: World, raw: bytes) -> None:
    assert read_event(raw, "", str(world.root)) is None
    assert len(world.log()) == 1
    assert world.log() == [f"standard input is no JSON object ({len(raw)} bytes)"]


@pytest.mark.parametrize("value", [None, 5, [], {}, True, "nul\0in it", "half \ud83d"])
def test_fields_of_wrong_types_are_empty(world: World, value: Any) -> None:
    names = ("transcript_path", "cwd") if isinstance(value, str) else tuple(world.event())
    event = read_event(json.dumps({**world.event(), **dict.fromkeys(names, value)}).encode(), "", str(world.root))
    assert event is not None
    assert (event.transcript, event.project) == ("", str(world.root))
    if not isinstance(value, str):
        assert (event.session, event.source, event.trigger) == ("", "", "")


def test_the_clients_project_folder_goes_before_the_working_folder(world: World, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    event = read_event(json.dumps(world.event()).encode(), elsewhere, str(world.root))
    assert event is not None
    assert event.project == elsewhere


def test_a_path_may_be_relative_or_from_home(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(world.root))
    for written, meant in [("~/x.jsonl", "x.jsonl"), ("a/../../y.jsonl", "../y.jsonl")]:
        event = read_event(json.dumps(world.event(transcript_path=written)).encode(), "", str(world.root))
        assert event is not None
        assert Path(event.transcript) == (world.root / meant).resolve()


def event_of(world: World, **fields: Any) -> Event:
    found = read_event(json.dumps(world.event(**fields)).encode(), "", str(world.root))
    assert found is not None
    return found


def test_the_instruction_comes_before_the_flush(world: World) -> None:
    world.say([stated(0)])
    answers = pre_compact(event_of(world), Starting())
    assert next(answers) == INSTRUCTION + "\n"
    assert world.facts() == []
    assert list(answers) == []
    assert len(world.facts()) == 1


@pytest.mark.parametrize(
    ("settings", "printed", "facts"),
    [
        ({}, [INSTRUCTION + "\n"], 1),
        ({"compaction": {"ask_for_facts": False}}, [], 1),
        ({"capture": {"enabled": False}}, [], 0),
    ],
)
def test_what_is_switched_off_is_not_done(world: World, settings: Any, printed: list[str], facts: int) -> None:
    world.settings.write_text(json.dumps(settings))
    world.say([stated(0)])
    assert list(pre_compact(event_of(world), Starting())) == printed
    assert len(world.facts()) == facts


@pytest.mark.parametrize("settings", [{"capture": {"enabled": False}}, {"briefing": {"enabled": False}}])
def test_a_session_starts_without_what_is_switched_off(world: World, settings: Any) -> None:
    world.settings.write_text(json.dumps(settings))
    world.say([stated(0)])
    list(session_end(event_of(world), Starting())) if "briefing" in settings else None
    answer = json.loads([*session_start(event_of(world), Starting())][-1])
    assert "hookSpecificOutput" not in answer
    assert (world.facts() == []) is ("capture" in settings)


def test_what_was_said_while_capture_was_off_is_never_read(world: World) -> None:
    world.settings.write_text('{"capture": {"enabled": false}}')
    world.say([stated(0)])
    list(session_end(event_of(world), Starting()))
    world.settings.write_text("{}")
    list(session_start(event_of(world), Starting()))
    assert world.facts() == []
    world.say([stated(0), stated(1)])
    list(pre_compact(event_of(world), Starting()))
    assert len(world.facts()) == 1


def test_a_start_says_how_many_notes_it_brings(world: World) -> None:
    world.say([stated(0)])
    answer = json.loads([*session_start(event_of(world), Starting())][-1])
    assert answer["systemMessage"].startswith("memory-plugin: 1 note from earlier conversations; ")
    world.say([stated(0), stated(1)])
    answer = json.loads([*session_start(event_of(world), Starting())][-1])
    assert answer["systemMessage"].startswith("memory-plugin: 2 notes from earlier conversations; ")
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_a_setting_that_is_wrong_is_named(world: World) -> None:
    world.settings.write_text('{"recall": {"max_notes": "many"}}')
    message = json.loads([*session_start(event_of(world), Starting())][-1])["systemMessage"]
    assert (
        f"settings: {world.settings}: recall.max_notes: must be a whole number, not 'many'; 4 stays in force" in message
    )
