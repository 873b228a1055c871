"""The events alone say what every fact is: the same on every machine, whatever the order of their files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_plugin.memory import amendments, events
from memory_plugin.memory.fact import STATUSES, Fact
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Entry, Ledger, fold
from tests.support.facts import NAMESPACE, capture, fact, held

ONE = fact("The staging gateway answers on port 8443.", category="reference")
TWO = fact("The staging gateway answers on port 9443.", category="reference", day="2026-11-05")
THREE = fact("Write the migration.", category="goal", day="2026-11-06")


def entry(home: Path, identity: str) -> Entry:
    return Ledger(str(home)).refresh().entries[NAMESPACE, identity]


def event(kind: str, at: int, identity: str = ONE.id, **more: Any) -> dict[str, Any]:
    time = f"2026-11-10T10:00:{at:02}Z"
    return {"event": kind, "at": time, "day": "2026-11-10", "namespace": NAMESPACE, "id": identity, **more}


def captured(one: Fact, at: int = 0) -> dict[str, Any]:
    return {**events.captured(one, NAMESPACE, "t", "f"), "at": f"2026-11-10T10:00:{at:02}Z"}


def test_a_capture_is_told_in_full() -> None:
    severe = replace(ONE, severity="high", pinned=True)
    found = fold([captured(severe)])[NAMESPACE, ONE.id]
    assert found.fact == severe
    assert not found.reconciled


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([event("superseded", 1, by="abcd1234", until="2026-11-09")], ("superseded", "abcd1234", "2026-11-09", "")),
        ([event("contradicted", 1, by="abcd1234", until="2026-11-09")], ("contradicted", "abcd1234", "2026-11-09", "")),
        ([event("archived", 1, reason="done", until="2026-11-09")], ("archived", "", "2026-11-09", "done")),
        ([event("archived", 1, reason="done"), event("reopened", 2)], ("active", "", "", "")),
        ([event("superseded", 1, by="abcd1234"), event("undone", 2, other="abcd1234")], ("active", "", "", "")),
    ],
)
def test_the_status_is_that_of_the_last_word(after: list[dict[str, Any]], expected: tuple[str, ...]) -> None:
    found = fold([captured(ONE), *after])[NAMESPACE, ONE.id].fact
    assert (found.status, found.by, found.until, found.reason) == expected


def test_what_was_undone_stays_apart() -> None:
    found = fold([captured(ONE), event("superseded", 1, by="abcd1234"), event("undone", 2, other="abcd1234")])
    assert found[NAMESPACE, ONE.id].apart == {"abcd1234"}


def test_a_session_is_heard_once() -> None:
    said = [event("heard", at, session="s2", seen="2026-11-09") for at in (1, 2)]
    once = [captured(ONE), *said, event("confirmed", 3, session="s2", confidence=0.75, support=2)]
    assert len(fold([captured(ONE), *said])[NAMESPACE, ONE.id].heard) == 1
    after = fold([*once, event("heard", 4, session="s2", seen="2026-11-09")])[NAMESPACE, ONE.id]
    assert after.heard == ()
    assert (after.fact.confidence, after.fact.support) == (0.75, 2)


def test_what_is_reconciled_is_marked() -> None:
    mark = {"event": "reconciled", "at": "2026-11-10T10:00:09Z", "namespace": NAMESPACE, "ids": [ONE.id, "unknown1"]}
    assert fold([captured(ONE), mark])[NAMESPACE, ONE.id].reconciled


@pytest.mark.parametrize(
    "broken",
    [
        {"event": "confirmed", "namespace": NAMESPACE, "id": ONE.id, "confidence": "high", "support": None},
        {"event": "superseded", "namespace": NAMESPACE, "id": ONE.id, "by": 7, "until": []},
        {"event": "reconciled", "namespace": NAMESPACE, "ids": "all"},
        {"event": "related", "namespace": NAMESPACE, "id": ONE.id, "relation": "hates", "other": "x"},
        {"event": "confirmed", "namespace": NAMESPACE, "id": ONE.id, "seen": "../../escape", "until": "soon"},
        {"event": "reopened", "namespace": NAMESPACE, "id": ONE.id, "status": "lost", "reason": "whatever"},
        {"event": "reopened", "namespace": NAMESPACE, "id": ONE.id, "until": "2026-11-09\n"},
        {"event": "unheard-of", "namespace": NAMESPACE, "id": ONE.id},
        {"event": ["captured"], "namespace": NAMESPACE, "id": ONE.id},
        {},
    ],
)
def test_events_of_another_shape_do_no_harm(broken: dict[str, Any]) -> None:
    found = fold([captured(ONE), broken])[NAMESPACE, ONE.id].fact
    assert found.text == ONE.text
    assert found.confidence == ONE.confidence
    assert found.seen == ONE.seen
    assert found.status in STATUSES
    assert found.reason == ""
    assert found.until == ""


@pytest.mark.parametrize("day", ["../../escape", "2026-11-02/..", "2026-11-02\n", "today"])
def test_a_capture_on_no_day_is_told_without_one(day: str) -> None:
    assert fold([{**captured(ONE), "day": day}])[NAMESPACE, ONE.id].fact == replace(ONE, day="")


def write(home: Path, host: str, told: list[dict[str, Any]]) -> Path:
    path = home / ".events" / f"{host}-2026-11.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in told))
    return path


def test_the_files_of_two_hosts_are_read_in_the_order_of_their_times(tmp_path: Path) -> None:
    write(tmp_path, "zeta", [captured(ONE, 0), event("superseded", 4, by="abcd1234")])
    ledger = Ledger(str(tmp_path)).refresh()
    assert ledger.entries[NAMESPACE, ONE.id].fact.status == "superseded"
    write(tmp_path, "alpha", [event("archived", 2, reason="done")])  # arrives late, was earlier
    assert ledger.refresh().entries[NAMESPACE, ONE.id].fact.status == "superseded"
    assert ledger.entries == Ledger(str(tmp_path)).refresh().entries


def test_a_torn_line_is_left_for_the_next_time(tmp_path: Path) -> None:
    path = write(tmp_path, "one", [captured(ONE)])
    whole = json.dumps(event("archived", 5, reason="done")) + "\n"
    ledger = Ledger(str(tmp_path)).refresh()
    with path.open("a") as stream:
        stream.write(whole[:20])
    assert ledger.refresh().entries[NAMESPACE, ONE.id].fact.status == "active"
    with path.open("a") as stream:
        stream.write(whole[20:])
    assert ledger.refresh().entries[NAMESPACE, ONE.id].fact.status == "archived"


def test_a_file_that_is_gone_takes_what_it_told_with_it(tmp_path: Path) -> None:
    write(tmp_path, "one", [captured(ONE)])
    path = write(tmp_path, "two", [event("archived", 5, reason="done")])
    ledger = Ledger(str(tmp_path)).refresh()
    assert ledger.entries[NAMESPACE, ONE.id].fact.status == "archived"
    path.unlink()
    assert ledger.refresh().entries[NAMESPACE, ONE.id].fact.status == "active"


Amendment = Callable[[str, Held, Held], object]
AMENDMENTS: dict[str, Amendment] = {
    "confirm": lambda home, one, two: amendments.confirm(home, one, seen="2026-11-20", how="again", session="s9"),
    "carry": lambda home, one, two: amendments.confirm(home, one, seen="2026-11-20", how="more", carried=two.fact),
    "supersede": lambda home, one, two: amendments.replaced(home, one, two, relation="supersedes", how="new value"),
    "contradict": lambda home, one, two: amendments.replaced(home, one, two, relation="contradicts", how="never so"),
    "done": lambda home, one, two: amendments.archive(home, one, "done", how="done", by=two.fact.id),
    "repeat": lambda home, one, two: amendments.archive(home, one, "repeat", how="same", by=two.fact.id),
    "reopen": lambda home, one, two: amendments.reopen(home, one, how="again", seen="2026-11-21"),
    "relate": lambda home, one, two: amendments.relate(home, one, "related", two.fact.id, "near"),
    "correct": lambda home, one, two: amendments.correct(home, one, f"{one.fact.text[:60]} Or so."),
    "pin": lambda home, one, two: amendments.pin(home, one, pinned=True),
    "unpin": lambda home, one, two: amendments.pin(home, one, pinned=False),
    "promote": lambda home, one, two: amendments.promote(home, one),
    "undo": lambda home, one, two: amendments.undo(home, one, [two]),
}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(sorted(AMENDMENTS)), st.permutations([0, 1, 2])), max_size=7))
def test_any_amendments_leave_the_events_and_the_lines_alike(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[int]]]
) -> None:
    home = tmp_path_factory.mktemp("home")
    ids = [each.id for each in capture(home, [ONE, TWO, THREE])]
    for name, (first, second, _) in steps:
        AMENDMENTS[name](str(home), held(home, ids[first]), held(home, ids[second]))
    for identity in ids:
        in_line, told = held(home, identity).fact, entry(home, identity).fact
        assert in_line == told, steps
