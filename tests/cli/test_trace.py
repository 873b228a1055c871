"""The history of a fact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.cli.trace import history
from memory_plugin.memory import amendments, clock, flush
from memory_plugin.memory.fact import Candidate, fact_id, make
from memory_plugin.memory.journal import Held
from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support.service import Sandbox

PORTS = [f"Staging listens on port {port}." for port in (8080, 9090, 7070)]
TASK = "The staging port is still to be written down."


class Past:
    """A month in which a port changed twice, day by day."""

    def __init__(self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.clock = str(sandbox.home), sandbox.folder / "clock"
        self.place = namespace_of(str(sandbox.project))
        monkeypatch.setenv(clock.VARIABLE, str(self.clock))

    def on(self, day: str) -> None:
        self.clock.write_text(f"{day}T10:00:00+00:00")

    def say(self, day: str, text: str, session: str, category: str = "reference") -> Held:
        self.on(day)
        candidate = Candidate(text, category, "located", "staging", "port", 0.8, 0.7)
        fact = make(candidate, self.place.name, day, "09:30", f"{session}#e1")
        flush.record(self.home, self.place, [fact], "session end", "/t.jsonl", "f1")
        return self.held(text)

    def held(self, text: str) -> Held:
        return amendments.find(self.home, fact_id(self.place.name, text), [self.place.name])[0]


@pytest.fixture
def past(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Past:
    past = Past(sandbox, monkeypatch)
    first = past.say("2026-11-03", PORTS[0], "aaaaaaaa")
    second = past.say("2026-11-12", PORTS[1], "bbbbbbbb")
    amendments.replaced(past.home, first, second, relation="supersedes", how="same subject, nearness 1.12")
    past.on("2026-11-15")
    amendments.confirm(past.home, past.held(PORTS[1]), seen="2026-11-15", how="said again", session="cccccccc")
    third = past.say("2026-11-20", PORTS[2], "dddddddd")
    amendments.replaced(past.home, past.held(PORTS[1]), third, relation="contradicts", how="one port at a time")
    past.say("2026-11-21", "Production listens on port 443.", "eeeeeeee")
    past.on("2026-11-30")
    return past


def traced(past: Past, wanted: str) -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [asdict(each) for each in history(past.home, wanted, [past.place.name, "global"])]


@pytest.mark.parametrize("text", PORTS)
def test_the_whole_history_is_told_from_any_of_its_facts(past: Past, text: str) -> None:
    found = traced(past, fact_id(past.place.name, text))
    assert [each["text"] for each in found] == PORTS
    assert [(each["since"], each["until"]) for each in found] == [
        ("2026-11-03", "2026-11-12"),
        ("2026-11-12", "2026-11-20"),
        ("2026-11-20", ""),
    ]
    ids = [each["id"] for each in found]
    assert [each["state"] for each in found] == [f"replaced by {ids[1]}", f"contradicted by {ids[2]}", "holds"]


def test_each_step_has_its_date_words_source_and_why(past: Past) -> None:
    steps = traced(past, "port 9090")[1]["steps"]
    assert [(each["day"], each["event"]) for each in steps] == [
        ("2026-11-12", "captured"),
        ("2026-11-15", "confirmed"),
        ("2026-11-20", "contradicted"),
    ]
    assert (steps[0]["text"], steps[0]["source"], steps[0]["time"]) == (PORTS[1], "bbbbbbbb#e1", "09:30")
    assert steps[2]["how"] == "one port at a time"


def test_a_person_reads_it_in_order(command: Command, past: Past) -> None:
    said = command("trace", "staging", "port").stdout
    wanted = [PORTS[0], "believed 2026-11-03 – 2026-11-12", "same subject, nearness 1.12", PORTS[1], PORTS[2], "holds"]
    places = [said.index(each) for each in wanted]
    assert places == sorted(places)
    assert "443" not in said
    assert json.loads(command("trace", "port 9090", "--json").stdout)["facts"][0]["text"] == PORTS[0]


def test_a_correction_keeps_the_words_before(past: Past) -> None:
    amendments.correct(past.home, past.held(PORTS[2]), "Staging listens on port 6060.")
    [last] = [each for each in traced(past, "port 6060") if each["state"] == "holds"]
    assert [each["text"] for each in last["steps"]] == [PORTS[2], "Staging listens on port 6060."]


@pytest.mark.parametrize("how", ["forgotten", "deleted by hand"])
def test_what_was_taken_back_has_a_history_too(past: Past, how: str) -> None:
    held = past.held(PORTS[2])
    amendments.retract(past.home, held)
    if how == "deleted by hand":
        Path(held.path).unlink()
    found = traced(past, "7070")
    assert [each["text"] for each in found] == PORTS
    assert (found[-1]["state"], found[-1]["until"]) == ("taken back", "2026-11-30")
    assert bool(found[-1]["place"]) == (how == "forgotten")


def test_a_task_tells_what_closed_it(past: Past) -> None:
    task = past.say("2026-11-22", TASK, "ffffffff", "goal")
    amendments.archive(past.home, task, "done", how="said to be done", by=past.held(PORTS[2]).fact.id)
    found = {each["text"]: each for each in traced(past, task.fact.id)}
    assert found[TASK]["state"] == f"done by {past.held(PORTS[2]).fact.id}"
    assert set(found) == {*PORTS, TASK}


def test_an_undone_merge_is_told_and_no_longer_followed(past: Past) -> None:
    others = list(amendments.held_in(past.home, [past.place.name]))
    amendments.undo(past.home, past.held(PORTS[0]), others)
    found = {each["text"]: each for each in traced(past, fact_id(past.place.name, PORTS[0]))}
    assert found[PORTS[0]]["state"] == "holds"
    assert any("parted from" in each["said"] for each in found[PORTS[0]]["steps"])


def test_without_events_the_lines_tell_what_they_can(past: Past, sandbox: Sandbox) -> None:
    for path in (sandbox.home / ".events").glob("*.jsonl"):
        path.unlink()
    found = traced(past, "port 8080")
    assert [each["text"] for each in found] == PORTS
    assert [each["event"] for each in found[0]["steps"]] == ["captured", "superseded"]


def test_several_histories_that_fit_are_listed(command: Command, past: Past) -> None:
    done = command("trace", "port")
    assert done.returncode == 2
    assert "Production listens on port 443." in done.stderr
    assert command("trace", "kubernetes").returncode == 1
