"""The append-only record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_plugin.memory import events, flush
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.namespaces import Namespace


def fact(text: str) -> Fact:
    return make(Candidate(text, "decision", "decided", "a", "b", 0.8, 0.7), "shop-1", "2026-11-30", "14:32", "s#e")


def test_an_event_tells_the_fact_and_where_it_came_from(tmp_path: Path) -> None:
    events.append(str(tmp_path), [events.captured(fact("We use X."), "shop-1", "/t.jsonl", "f1")])
    [event] = events.read(str(tmp_path))
    assert event["event"] == "captured"
    assert (event["id"], event["text"], event["namespace"]) == (fact("We use X.").id, "We use X.", "shop-1")
    assert (event["transcript"], event["flush"], event["category"]) == ("/t.jsonl", "f1", "decision")


def test_an_event_is_of_a_known_kind() -> None:
    with pytest.raises(ValueError, match="not a kind of event: forgotten"):
        events.event("forgotten", "shop-1", "abcd1234")


@pytest.mark.parametrize("text", ['"id":"abcd1234"', "line \u2028 break", "日本語 👍", 'back\\slash "quote"'])
def test_only_ids_of_facts_are_known(tmp_path: Path, text: str) -> None:
    events.append(str(tmp_path), [events.captured(fact(text), "shop-1", f"/{text}.jsonl", "f1")])
    assert set(events.known_sessions(str(tmp_path))) == {fact(text).id}
    assert [event["id"] for event in events.read(str(tmp_path))] == [fact(text).id]


def test_what_other_hosts_captured_is_known(tmp_path: Path) -> None:
    events.append(str(tmp_path), [events.captured(fact("One."), "shop-1", "", "")])
    (tmp_path / ".events" / "laptop-2025-01.jsonl").write_text('{"event":"captured","id":"zzzz9999"}\n')
    assert set(events.known_sessions(str(tmp_path))) == {fact("One.").id, "zzzz9999"}


def test_broken_lines_are_passed_by_and_what_follows_is_read(tmp_path: Path) -> None:
    events.append(str(tmp_path), [events.captured(fact("One."), "shop-1", "", "")])
    [path] = (tmp_path / ".events").iterdir()
    with open(path, "ab") as stream:
        stream.write(b"\xff\xfe\n[]\n5\n" + b"[" * 100_000 + b'\n{"event":"captu')
    events.append(str(tmp_path), [events.captured(fact("Two."), "shop-1", "", "")])
    assert [event["text"] for event in events.read(str(tmp_path))] == ["One.", "Two."]


def test_no_events_make_no_file(tmp_path: Path) -> None:
    events.append(str(tmp_path), [])
    assert list(tmp_path.iterdir()) == []
    assert events.known_sessions(str(tmp_path)) == {}
    assert list(events.read(str(tmp_path))) == []


def test_each_line_is_one_json_object(tmp_path: Path) -> None:
    events.append(str(tmp_path), [events.captured(fact(f"Fact {number}."), "shop-1", "", "") for number in range(9)])
    [path] = (tmp_path / ".events").iterdir()
    assert path.name.startswith(events.host())
    assert [json.loads(line)["text"] for line in path.read_bytes().splitlines()] == [f"Fact {n}." for n in range(9)]


@pytest.mark.parametrize("left", [1, 20, 60])
def test_what_a_torn_line_was_to_record_is_recorded_again(tmp_path: Path, left: int) -> None:
    """A disk that fills up takes a part of a line, and refuses the rest."""
    home, place = tmp_path / "memory", Namespace("shop-1", "shop", "/shop")
    flush.record(str(home), place, [fact("One."), fact("Two.")], "test", "/t.jsonl", "f1")
    [path] = (home / ".events").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-left])
    flush.record(str(home), place, [fact("One."), fact("Two.")], "test", "/t.jsonl", "f1")
    assert [event["text"] for event in events.read(str(home))] == ["One.", "Two."]
    assert sum("Two." in log.read_text() for log in home.glob("shop-1/[0-9]*.md")) == 1


def test_no_event_holds_a_secret_whoever_had_it_written(tmp_path: Path) -> None:
    said = "The password is swordfish."
    events.append(
        str(tmp_path),
        [
            events.captured(fact(said), "shop-1", "", ""),
            events.event("corrected", "shop-1", "abcd1234", text="Masked by now.", before=said, how=f"was: {said}"),
        ],
    )
    [path] = (tmp_path / ".events").iterdir()
    assert b"swordfish" not in path.read_bytes()
    assert [event["id"] for event in events.read(str(tmp_path))] == [fact(said).id, "abcd1234"]
