"""Whatever stands around a fact's line: what is done to the fact changes no other byte, and can be taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_plugin.memory import amendments, events, hand, journal
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.hand import Observer
from memory_plugin.memory.journal import Held
from tests.support.strategies import DAY, NAMESPACE, facts, line_of, own_lines, pages, text

ONE, TWO = facts(text.map("The first one: {}".format)), facts(text.map("The second one: {}".format))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "_SETTLE", 0.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def begin(home: Path, content: bytes, *captured: Fact) -> Path:
    """A home with one log of this content, and the events of these facts."""
    shutil.rmtree(home, ignore_errors=True)
    log = home / NAMESPACE / f"{DAY}.md"
    log.parent.mkdir(parents=True)
    log.write_bytes(content)
    events.append(str(home), [events.captured(fact, NAMESPACE, "t", "f") for fact in captured])
    return log


def held(log: Path, fact: Fact) -> Held:
    return Held(fact, NAMESPACE, str(log), 1)


def others(content: bytes, fact: Fact) -> list[bytes]:
    """All lines with their breaks but the fact's own."""
    return [line for line in content.split(b"\n") if f"m:{fact.id} ".encode() not in line]


def said(lines: list[bytes]) -> set[bytes]:
    """What lines say, whatever ends them and whether an editor's mark stands before them."""
    return {line.rstrip(b"\r").removeprefix(b"\xef\xbb\xbf") for line in lines} - {b""}


CHANGES = st.sampled_from(["pin", "unpin", "confirm", "archive", "reopen", "relate", "correct", "recast"])


def change(home: Path, found: Held, kind: str, said: str) -> None:
    where = str(home)
    match kind:
        case "pin" | "unpin":
            amendments.pin(where, found, pinned=kind == "pin")
        case "confirm":
            amendments.confirm(where, found, seen=DAY, how="test")
        case "archive":
            amendments.archive(where, found, "done", how="test")
        case "reopen":
            amendments.reopen(where, found, how="test")
        case "relate":
            amendments.relate(where, found, "related", "7k2m9qab", "test")
        case "correct":
            amendments.correct(where, found, f"Said otherwise: {said}")
        case "recast":
            amendments.recast(where, found, category="lesson", severity="high")


@settings(max_examples=40)
@given(one=ONE, two=TWO, kinds=st.lists(CHANGES, min_size=1, max_size=4), said=text, data=st.data())
def test_what_is_done_to_a_fact_changes_its_line_alone(
    home: Path, one: Fact, two: Fact, kinds: list[str], said: str, data: st.DataObject
) -> None:
    content = data.draw(pages([line_of(one), line_of(two)]))
    log = begin(home, content, one, two)
    for kind in kinds:
        change(home, held(log, one), kind, said)
    after = log.read_bytes()
    assert others(after, one) == others(content, one)
    assert after.count(b"\n") == content.count(b"\n")
    assert journal.ids_in(str(log), NAMESPACE) >= {one.id, two.id}


@settings(max_examples=40)
@given(one=ONE, two=TWO, content=st.data())
def test_what_is_taken_back_and_restored_leaves_the_file_as_it_was(
    home: Path, one: Fact, two: Fact, content: st.DataObject
) -> None:
    before = content.draw(pages([line_of(one), line_of(two)], own_lines.filter(lambda line: b"~~" not in line)))
    log = begin(home, before, one, two)
    amendments.retract(str(home), held(log, one))
    assert one.id not in journal.standing(str(log.parent))
    assert two.id in journal.standing(str(log.parent))
    amendments.restore(str(home), held(log, one))
    assert log.read_bytes() == before


@settings(max_examples=40)
@given(one=ONE, two=TWO, content=st.data(), topic=st.data())
def test_a_fact_that_moves_takes_no_byte_of_the_users_along_but_what_is_below_it(
    home: Path, one: Fact, two: Fact, content: st.DataObject, topic: st.DataObject
) -> None:
    before = content.draw(pages([line_of(one), line_of(two)]))
    there = topic.draw(pages([], own_lines))
    log = begin(home, before, one, two)
    path = log.parent / "topics" / f"{one.category}.md"
    path.parent.mkdir()
    path.write_bytes(there)
    amendments.promote(str(home), held(log, one))
    assert said(others(before, one) + there.split(b"\n")) <= said(
        others(log.read_bytes(), one) + others(path.read_bytes(), one)
    )


@settings(max_examples=40)
@given(one=ONE, two=TWO, content=st.data())
def test_looking_at_what_was_done_by_hand_changes_no_file_and_says_it_once(
    home: Path, one: Fact, two: Fact, content: st.DataObject
) -> None:
    before = content.draw(pages([line_of(one), line_of(two)]))
    own = content.draw(pages([], own_lines.filter(lambda line: b"memory-plugin:" not in line)))
    log = begin(home, before, one)
    (log.parent / "MEMORY.md").write_bytes(own)
    Observer(str(home)).look()
    assert log.read_bytes() == before
    assert Observer(str(home)).look() == []
    assert (log.parent / "MEMORY.md").read_bytes().startswith(own if own.strip() else b"")
