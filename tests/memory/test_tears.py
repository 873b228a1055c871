"""Files that something else tore: noticed, not taken for what a person did, and made whole again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_plugin.memory import events, flush, hand, tears
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.hand import Observer
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import Namespace

PLACE = Namespace("shop-0a1b2c3d", "example.org/shop", "/shop")
DAY = "2026-11-30"
PORT, INDEX, BACKUPS = "Staging listens on port 8080.", "We index with LanceDB.", "Backups run at three."


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "_SETTLE", 0.0)


def made(text: str) -> Fact:
    return make(Candidate(text, "decision", "decided", "a", "b", 0.8, 0.7), PLACE.name, DAY, "14:32", "5e551000#e1")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A day's log that was written in two flushes."""
    for texts in ((PORT,), (INDEX, BACKUPS)):
        flush.record(str(tmp_path), PLACE, [made(text) for text in texts], "session end", "/t.jsonl", "f1")
    return tmp_path / PLACE.name / f"{DAY}.md"


def active(home: Path) -> dict[str, bool]:
    return {entry.fact.text: not entry.retracted for entry in Ledger(str(home)).refresh().entries.values()}


def texts_in(path: Path) -> list[str]:
    return [line.split("** ")[1].split(" <!--")[0] for line in path.read_text().splitlines() if line.startswith("- **")]


def test_a_log_cut_within_any_line_loses_nothing_and_is_made_whole_again(tmp_path: Path, log: Path) -> None:
    whole = log.read_bytes()
    first = whole.index(b"## 14:32", whole.index(PORT.encode()))
    last = whole.rindex(b"-->")
    whole_events = [path.read_bytes() for path in (tmp_path / ".events").glob("*.jsonl")]
    ends = {
        number for number in range(len(whole)) if whole[number - 1 : number] == b"\n" or whole[:number].endswith(b">")
    }
    for length in sorted(set(range(first, last)) - ends)[::5]:
        log.write_bytes(whole[:length])
        assert Observer(str(tmp_path)).look() == [], length
        [tear] = tears.tears(str(tmp_path))
        assert (tear.path, [fact.text for fact in tear.lost][-1]) == (str(log), BACKUPS), length
        assert len(tears.mend(str(tmp_path), "09:15")) == 1
        assert texts_in(log) == [PORT, INDEX, BACKUPS], length
        assert Observer(str(tmp_path)).look() == [], length
    assert [path.read_bytes() for path in (tmp_path / ".events").glob("*.jsonl")] == whole_events
    assert tears.tears(str(tmp_path)) == []


def test_the_next_flush_puts_back_what_was_torn(tmp_path: Path, log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-60])
    flush.record(str(tmp_path), PLACE, [made("Version 2 is out.")], "session end", "/t.jsonl", "f2")
    assert texts_in(log) == [PORT, INDEX, BACKUPS, "Version 2 is out."]
    assert Observer(str(tmp_path)).look() == []


def test_lines_that_somebody_deleted_stay_deleted(tmp_path: Path, log: Path) -> None:
    lines = [line for line in log.read_text().splitlines() if BACKUPS not in line]
    log.write_text("\n".join(lines))  # an editor that leaves no line break at the end
    assert [each["event"] for each in Observer(str(tmp_path)).look()] == ["retracted"]
    assert tears.mend(str(tmp_path), "09:15") == []
    assert active(tmp_path) == {PORT: True, INDEX: True, BACKUPS: False}


@pytest.mark.parametrize("more", ["- My own line", "## My heading", "Prose", "- **decision** Another one."])
def test_a_last_line_of_the_users_own_is_no_tear(tmp_path: Path, log: Path, more: str) -> None:
    lines = [line for line in log.read_text().splitlines() if BACKUPS not in line]
    log.write_text("\n".join([*lines, more]))
    Observer(str(tmp_path)).look()
    assert tears.mend(str(tmp_path), "09:15") == []
    assert active(tmp_path)[BACKUPS] is False


def test_a_torn_topic_gets_its_facts_back(tmp_path: Path, log: Path) -> None:
    topic = log.parent / "topics" / "decision.md"
    topic.parent.mkdir()
    topic.write_text("# Decision\n\n" + "".join(log.read_text().splitlines(keepends=True)[-2:]))
    log.write_text(log.read_text().split("## 14:32")[0] + log.read_text().split("## 14:32")[1])
    topic.write_bytes(topic.read_bytes()[:-40])
    assert Observer(str(tmp_path)).look() == []
    assert len(tears.mend(str(tmp_path), "09:15")) == 1
    assert texts_in(topic) == [INDEX, BACKUPS]
    assert active(tmp_path) == {PORT: True, INDEX: True, BACKUPS: True}


def test_torn_events_are_taken_out_and_the_others_stay(tmp_path: Path, log: Path) -> None:
    [path] = (tmp_path / ".events").glob("*.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"event":"confirmed","at":"20\n[]\n')
    assert list(tears.torn_events(str(tmp_path))) == [(str(path), 2)]
    assert tears.mend(str(tmp_path), "09:15") == [f"{path}: took out 2 torn lines"]
    assert path.read_bytes() == whole
    assert list(tears.torn_events(str(tmp_path))) == []


def test_a_capture_whose_event_was_torn_is_recorded_again_from_its_line(tmp_path: Path, log: Path) -> None:
    [path] = (tmp_path / ".events").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-30])
    events.append(str(tmp_path), [events.event("used", PLACE.name, made(PORT).id)])
    tears.mend(str(tmp_path), "09:15")
    Observer(str(tmp_path)).look()
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert sorted(each["text"] for each in lines if each["event"] == "captured") == sorted([PORT, INDEX, BACKUPS])


def test_a_home_that_is_not_there_needs_no_mending(tmp_path: Path) -> None:
    assert tears.mend(str(tmp_path / "none"), "09:15") == []
    assert not (tmp_path / "none").exists()
