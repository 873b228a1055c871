"""A month of conversations through the real hooks: what the memory answers, and that its files alone hold it all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.month import DATA, Life, Verdict, play
from memory_plugin.memory import journal, pointers
from memory_plugin.memory.ledger import Ledger
from memory_plugin.service import client, control
from tests.support.world import files_of
from tests.test_figures import README

MONTH: dict[str, Any] = json.loads(DATA.read_text("utf-8"))
# Floors, under what `python -m benchmarks.month` reaches, for a machine that is busy: docs/measured.md has the figures.
RIGHT = 55  # of sixty questions; the aim is 57
STALE = 3  # former values shown as if they held; the aim is 1


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Life, list[Verdict]]]:
    with Life(tmp_path_factory.mktemp("month")) as life:
        yield life, list(play(life, MONTH))


def test_the_questions_of_a_month_are_answered_and_what_no_longer_holds_is_not_shown_as_if_it_did(
    lived: tuple[Life, list[Verdict]],
) -> None:
    _, verdicts = lived
    assert len(verdicts) == 60
    wrong = [each.question["id"] for each in verdicts if not each.right]
    stale = [each.question["id"] for each in verdicts if each.stale]
    assert len(wrong) <= 60 - RIGHT, wrong
    assert len(stale) <= STALE, stale
    assert 1 - len(wrong) / 60 == pytest.approx(
        README["after a month of conversations, a question gets the right answer"], abs=0.05
    )


def test_the_events_alone_say_what_became_of_each_fact(lived: tuple[Life, list[Verdict]]) -> None:
    life, _ = lived
    home = life.folder / "memory"
    entries = Ledger(str(home)).refresh().entries
    seen = 0
    for namespace in pointers.namespaces_of(str(home)):
        for held in journal.all_held(str(home / namespace)):
            told = entries[namespace, held.fact.id].fact
            assert (told.status, told.reason, told.until, told.by, told.support, told.pinned) == (
                *(held.fact.status, held.fact.reason, held.fact.until),
                *(held.fact.by, held.fact.support, held.fact.pinned),
            ), held.fact.text
            seen += 1
    assert seen > 100


def test_a_second_review_changes_nothing(lived: tuple[Life, list[Verdict]]) -> None:
    life, _ = lived
    life.command("review", "--all", "--weekly")
    before = files_of(life.folder / "memory")
    life.command("review", "--all", "--weekly")
    assert files_of(life.folder / "memory") == before


def test_with_nothing_but_the_memory_home_left_every_question_gets_the_same_answer(
    lived: tuple[Life, list[Verdict]],
) -> None:
    life, _ = lived
    before = answers(life)
    control.stop()
    shutil.rmtree(life.folder / "state")
    for memory in (life.folder / "memory").glob("*/MEMORY.md"):
        memory.unlink()
    life.command("reindex")
    assert answers(life) == before
    assert list((life.folder / "memory").glob("*/MEMORY.md"))


def answers(life: Life) -> dict[str, str]:
    """What each question would get in a conversation of its own."""
    assert control.ensure_started(60.0)
    found = {}
    for question in MONTH["questions"]:
        payload = {"prompt": question["prompt"], "project": str(life.project(question["project"]))}
        found[question["id"]] = str(client.call("/recall", payload)["context"]).replace(str(Path(life.folder)), "")
    return found
