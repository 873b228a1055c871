"""Real transcripts of many client versions, flushed as they are: no error, nothing twice, the same in any steps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from memory_plugin.memory import flush, pages
from memory_plugin.memory.fact import parse_line
from memory_plugin.memory.flush import flush_transcript
from memory_plugin.memory.transcript import Message, Reader
from tests.support.data import data_folder
from tests.support.world import files_of

FOLDER = data_folder()
TRANSCRIPTS = sorted((FOLDER / "transcripts").rglob("*.jsonl")) if FOLDER else []
LINES_A_STEP = 100

pytestmark = pytest.mark.skipif(
    not TRANSCRIPTS, reason="no real transcripts here (MEMORY_PLUGIN_DATA names their folder)"
)


def facts_of(home: Path) -> list[tuple[str, str, str]]:
    """Namespace, id and text of every fact line, sorted."""
    found = []
    for path in home.glob("*/[0-9]*.md"):
        for line in path.read_text(encoding="utf-8").splitlines():
            fact = parse_line(line, path.parent.name, path.stem)
            if fact:
                found.append((path.parent.name, fact.id, fact.text))
    return sorted(found)


def pages_of(home: Path) -> dict[str, str]:
    """Every page of the history, without how far it goes in its transcript."""
    return {path.name: path.read_text("utf-8") for path in home.glob("*/history/*.md")}


def steps_of(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as stream:
        while step := list(islice(stream, LINES_A_STEP)):
            yield b"".join(step)


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Home and state after each transcript was flushed once."""
    root = tmp_path_factory.mktemp("at-once")
    home, state = root / "home", root / "state"
    for path in TRANSCRIPTS:
        receipt = flush_transcript(str(path), trigger="test", home=str(home), state=str(state))
        assert receipt.end == path.stat().st_size, path
    return home, state


def test_all_are_read_to_their_end_and_something_is_kept(at_once: tuple[Path, Path]) -> None:
    home, state = at_once
    receipts = flush.receipts(str(state))
    assert {receipt.transcript for receipt in receipts} == {str(path) for path in TRANSCRIPTS if path.stat().st_size}
    facts = facts_of(home)
    assert len(facts) > len(TRANSCRIPTS)
    assert {identity for _, identity, _ in facts} == {fact for receipt in receipts for fact in receipt.facts}


def test_a_second_time_changes_not_a_byte(at_once: tuple[Path, Path]) -> None:
    before = files_of(*at_once)
    for path in TRANSCRIPTS:
        receipt = flush_transcript(str(path), trigger="test", home=str(at_once[0]), state=str(at_once[1]))
        assert (receipt.lines, receipt.facts) == (0, ())
    assert files_of(*at_once) == before


def test_without_its_state_nothing_is_written_twice(at_once: tuple[Path, Path], tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(at_once[0], home)
    before = files_of(home)
    for path in TRANSCRIPTS[::6]:
        flush_transcript(str(path), trigger="test", home=str(home), state=str(tmp_path / "state"))
    assert files_of(home) == before


def test_in_steps_of_a_hundred_lines_the_same_facts_come_and_none_twice(
    at_once: tuple[Path, Path], tmp_path: Path
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    for path in TRANSCRIPTS:
        # a transcript is known by its place, and a folder that no line names by the transcript's
        growing = tmp_path / "growing" / path.name
        growing.parent.mkdir(exist_ok=True)
        for step in steps_of(path):
            with open(growing, "ab") as stream:
                stream.write(step)
            flush_transcript(str(growing), trigger="test", project=str(path.parent), home=str(home), state=str(state))
        growing.unlink()
    in_steps = facts_of(home)
    assert len({identity for _, identity, _ in in_steps}) == len(in_steps)
    assert in_steps == facts_of(at_once[0])
    assert pages_of(home) == pages_of(at_once[0])


def test_what_was_said_is_the_same_with_what_was_done_between() -> None:
    for path in TRANSCRIPTS:
        everything = list(Reader(str(path)).everything())
        messages = [each for each in everything if isinstance(each, Message) and each.text.strip()]
        assert [replace(each, images=0) for each in messages] == list(Reader(str(path)))


def test_every_page_is_read_as_it_was_written_and_is_a_small_part_of_its_transcript(
    at_once: tuple[Path, Path],
) -> None:
    found = pages_of(at_once[0])
    assert found
    for name, text in found.items():
        page = pages.parse(text, name[:10])
        assert page
        assert pages.render(page) == text
        assert pages.sections(text)
    written = sum(len(text.encode()) for text in found.values())
    assert written < 0.05 * sum(path.stat().st_size for path in TRANSCRIPTS)
