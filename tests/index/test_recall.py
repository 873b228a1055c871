"""Recall, with the real model over a small memory."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from memory_plugin.index import table
from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.chunks import Source, chunks
from memory_plugin.index.embedding import Embedder, EmbedderUnavailable, Vectors
from memory_plugin.index.recall import Recalled, recall
from memory_plugin.index.rows import Row, as_rows
from memory_plugin.index.scoring import (
    ASKED,
    LEAST_SEARCH_SCORE,
    PERHAPS_ASKED,
    UNASKED,
    VECTOR_FULL,
    VECTOR_SHARE,
    Bar,
    growth,
)
from memory_plugin.index.sources import Project, Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import FOLDER, Index
from memory_plugin.index.tokens import TokenCounter
from memory_plugin.memory.frame import note_line
from tests.support.recalling import NOW
from tests.support.words_embedder import WordsEmbedder

CALIBRATION: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "benchmarks" / "data" / "calibration.json").read_text("utf-8")
)


@pytest.fixture(scope="module")
def embedder() -> BuiltinEmbedder:
    return BuiltinEmbedder()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: BuiltinEmbedder) -> Iterator[Index]:
    """Sixty facts of a project, one of another, and what the client loads by itself."""
    folder = tmp_path_factory.mktemp("recall")
    home, code = folder / "home", folder / "code"
    for each in (home / "project", home / "other", code):
        each.mkdir(parents=True)
    facts = [f"- **{fact['category']}** {fact['text']}\n" for fact in CALIBRATION["facts"]]
    (home / "project" / "2026-11-30.md").write_text("".join(facts), "utf-8")
    (home / "other" / "2026-11-30.md").write_text("- The harvest robot is called Walnut.\n")
    (home / "MEMORY.md").write_text("I play the oboe in an orchestra.\n")
    (code / "CLAUDE.md").write_text("The zeppelin module must be built first.\n")
    with Index.open(str(folder / "state")) as opened:
        sync(opened, Roots(str(home), (Project(str(code), "project"),)), embedder)
        yield opened


def ask(index: Index, embedder: Embedder | None, prompt: str, **options: Any) -> Recalled:
    defaults: dict[str, Any] = {"namespaces": ("project", "global"), "now": NOW}
    return recall(prompt, index=index, embedder=embedder, **defaults | options)


def texts(recalled: Recalled) -> list[str]:
    return [note.text for note in recalled.notes]


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("which database holds the invoices?", "PostgreSQL 16"),
        ("deploy the billing service to production please", "make ship"),
        ("why does getCustomerById return null for customer 4411?", "findCustomer"),
        ("pourquoi a-t-on abandonné Elasticsearch ?", "Meilisearch"),
        ("je veux livrer la nouvelle version en préproduction", "pipeline"),
        ("what instrument do I play?", "oboe"),
    ],
)
def test_a_prompt_gets_the_note_that_it_needs_first(
    index: Index, embedder: BuiltinEmbedder, prompt: str, words: str
) -> None:
    recalled = ask(index, embedder, prompt)
    assert words in texts(recalled)[0]
    assert (recalled.degraded, recalled.gate) == (False, None)


def test_nearly_every_prompt_finds_its_note_and_hardly_any_other_gets_one(
    index: Index, embedder: BuiltinEmbedder
) -> None:
    found = [fact["text"] in texts(ask(index, embedder, fact["prompt"])) for fact in CALIBRATION["facts"]]
    off = [prompt for prompt in CALIBRATION["off_topic"] + CALIBRATION["long"] if ask(index, embedder, prompt).notes]
    assert sum(found) >= 49
    assert len(off) <= 3, off


def test_by_keyword_alone_most_prompts_still_find_their_note(index: Index) -> None:
    found = [fact["text"] in texts(ask(index, None, fact["prompt"])) for fact in CALIBRATION["facts"]]
    off = [prompt for prompt in CALIBRATION["off_topic"] if ask(index, None, prompt).notes]
    assert sum(found) >= 40
    assert len(off) <= 2, off
    assert ask(index, None, "which database holds the invoices?").degraded


@pytest.mark.parametrize("prompt", ["", "yes, go on", "/compact", "<task-notification>done</task-notification>"])
def test_a_gated_prompt_is_not_searched_for(index: Index, embedder: BuiltinEmbedder, prompt: str) -> None:
    recalled = ask(index, embedder, prompt)
    assert recalled == Recalled(gate=recalled.gate)
    assert recalled.gate


def test_the_sentence_that_matters_is_found_in_a_long_prompt(index: Index, embedder: BuiltinEmbedder) -> None:
    chat = "Good morning! I had a good evening and I am ready for more. It rained all night. " * 3
    recalled = ask(index, embedder, f"{chat}\nBy the way, which database holds the invoices? {chat}")
    assert "PostgreSQL 16" in texts(recalled)[0]


@pytest.mark.parametrize("for_prompt", [True, False])
def test_another_projects_notes_are_never_found(index: Index, embedder: BuiltinEmbedder, for_prompt: bool) -> None:
    prompt = "what is the name of the harvest robot?"
    assert not any("Walnut" in each.text for each in ask(index, embedder, prompt, for_prompt=for_prompt).considered)
    elsewhere = ask(index, embedder, prompt, for_prompt=for_prompt, namespaces=("other",))
    assert "Walnut" in texts(elsewhere)[0]


def test_what_the_client_loads_itself_is_searched_but_not_shown_to_a_prompt(
    index: Index, embedder: BuiltinEmbedder
) -> None:
    prompt = "is the zeppelin module built first?"
    assert not any("zeppelin" in each.text for each in ask(index, embedder, prompt).considered)
    assert "zeppelin" in texts(ask(index, embedder, prompt, for_prompt=False))[0]


def test_a_note_shown_before_is_left_out_and_said_so(index: Index, embedder: BuiltinEmbedder) -> None:
    prompt = "which database holds the invoices?"
    first = ask(index, embedder, prompt)
    again = ask(index, embedder, prompt, exclude_ids={note.id for note in first.notes})
    assert not {note.id for note in again.notes} & {note.id for note in first.notes}
    assert again.considered[0].reason == "shown before"


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_no_more_notes_than_asked_for(index: Index, embedder: BuiltinEmbedder, limit: int) -> None:
    recalled = ask(index, embedder, "tests of the invoices on the server", limit=limit, for_prompt=False)
    assert len(recalled.notes) == limit
    assert sum(each.reason == "in" for each in recalled.considered) == limit


@pytest.mark.parametrize("budget", [0, 5, 60, 150])
def test_whole_notes_within_the_budget(index: Index, embedder: BuiltinEmbedder, tmp_path: Path, budget: int) -> None:
    recalled = ask(
        index, embedder, "tests of the invoices on the server", limit=10, for_prompt=False, token_budget=budget
    )
    count = TokenCounter(str(tmp_path))
    assert sum(count(note_line(note.note)) + 1 for note in recalled.notes) <= budget
    assert "over the token budget" in {each.reason for each in recalled.considered}
    assert bool(recalled.notes) is (budget >= 60)


def test_notes_and_what_was_left_out_come_with_figures_and_a_reason(index: Index, embedder: BuiltinEmbedder) -> None:
    recalled = ask(index, embedder, "which database holds the invoices?")
    note = recalled.notes[0]
    assert note.source.endswith("2026-11-30.md#L1")
    assert (note.namespace, note.category, note.kind, note.date) == ("project", "decision", "fact", "2026-11-30")
    assert {each.reason for each in recalled.considered} >= {"in", "not relevant enough"}
    assert all(0 <= figure <= 1 for each in recalled.considered for figure in (each.score, each.vector, each.keyword))  # type: ignore[operator]
    assert [each.score for each in recalled.considered] == sorted((e.score for e in recalled.considered), reverse=True)
    assert all(note.score >= 0.3 for note in recalled.notes)


@pytest.mark.parametrize(
    ("prompt", "asks", "bar"),
    [
        ("the database of the invoices", "", UNASKED),
        ("remind me which database holds the invoices", "surely", ASKED),
        ("is the database of the invoices still PostgreSQL?", "perhaps", PERHAPS_ASKED),
    ],
)
def test_the_figures_of_a_note_say_what_it_is_and_what_was_wanted(
    index: Index, embedder: BuiltinEmbedder, prompt: str, asks: str, bar: Bar
) -> None:
    recalled = ask(index, embedder, prompt)
    note = recalled.notes[0]
    assert recalled.asks == asks
    assert (note.figures.least, note.figures.clear) == (bar.least, bar.clear)
    assert note.figures.wanted in bar.nearest[1:]
    assert "invoic" in note.terms
    assert note.figures.nearness is not None
    assert note.figures.nearness >= note.figures.wanted
    vector = min(note.figures.nearness / VECTOR_FULL, 1.0)
    worth = (note.figures.importance * note.figures.confidence) ** 0.1 * note.figures.recency
    relevance = VECTOR_SHARE * vector + (1 - VECTOR_SHARE) * note.keyword
    assert note.score == pytest.approx(relevance * worth + note.figures.beside, abs=2e-3)
    close = [each.figures.diversity for each in recalled.considered if each.reason == "in"]
    assert close[0] == 0
    assert all(0 <= each < 0.3 for each in close)


@pytest.mark.parametrize(
    ("named", "unnamed"),
    [
        (
            "remind me which database Priya wants for the invoices",
            "remind me which database she wants for the invoices",
        ),
        (
            "quelle base de données veut Priya pour les factures ?",
            "quelle base de données veut-elle pour les factures ?",
        ),
    ],
)
def test_a_prompt_that_names_somebody_unknown_must_meet_a_higher_bar(
    index: Index, embedder: BuiltinEmbedder, named: str, unnamed: str
) -> None:
    higher, usual = (ask(index, embedder, prompt).considered[0].figures for prompt in (named, unnamed))
    assert higher.least > usual.least
    assert higher.clear > usual.clear
    assert higher.wanted > usual.wanted


def test_a_name_that_some_note_has_and_a_search_keep_the_usual_bar(index: Index, embedder: BuiltinEmbedder) -> None:
    known = ask(index, embedder, "remind me whether Priya or PostgreSQL holds the invoices")
    assert known.considered[0].figures.least == ASKED.least
    searched = ask(index, embedder, "remind me which database Priya wants", for_prompt=False)
    assert searched.considered[0].figures.least == LEAST_SEARCH_SCORE


def test_by_keyword_alone_the_figures_have_no_nearness(index: Index) -> None:
    recalled = ask(index, None, "which database holds the invoices?")
    assert {(each.figures.nearness, each.figures.wanted) for each in recalled.considered} == {(None, 2)}


def test_an_older_note_of_a_short_lived_kind_counts_for_less(index: Index, embedder: BuiltinEmbedder) -> None:
    prompt = "where is the Spanish translation of the interface?"
    fresh, old = (ask(index, embedder, prompt, now=NOW + age, for_prompt=False) for age in (timedelta(), timedelta(90)))
    assert "traduction" in fresh.notes[0].text
    assert old.considered[0].score < fresh.considered[0].score


@pytest.mark.parametrize("deadline", [0.0, -1.0])
def test_past_the_deadline_there_are_keywords_only(index: Index, embedder: BuiltinEmbedder, deadline: float) -> None:
    prompt = "why does getCustomerById return null?"
    recalled = ask(index, embedder, prompt, deadline=time.monotonic() + deadline)
    assert recalled.degraded
    assert "findCustomer" in texts(recalled)[0]


@pytest.mark.parametrize("other", [WordsEmbedder(), WordsEmbedder(away=True)])
def test_another_embedder_than_the_indexs_means_keywords_only(index: Index, other: WordsEmbedder) -> None:
    recalled = ask(index, other, "why does getCustomerById return null?")
    assert recalled.degraded
    assert "findCustomer" in texts(recalled)[0]


@pytest.mark.parametrize(
    "prompt", ["\x00", "\ud800 lone", "'; DROP TABLE chunks; --", "x" * 200_000, "記憶" * 5000, "🎉" * 999]
)
@pytest.mark.parametrize("for_prompt", [True, False])
def test_no_prompt_makes_it_fail(index: Index, embedder: BuiltinEmbedder, prompt: str, for_prompt: bool) -> None:
    assert ask(index, embedder, prompt, for_prompt=for_prompt, token_budget=500, limit=2).notes == ()


@pytest.mark.parametrize("namespace", ["it's", 'quo"te', "日本語", "back\\slash", "nowhere"])
def test_any_namespace_can_be_asked_for(index: Index, embedder: BuiltinEmbedder, namespace: str) -> None:
    assert ask(index, embedder, "invoices in PostgreSQL", namespaces=(namespace,)).notes == ()


def test_an_index_that_breaks_finds_nothing_and_is_stale(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "note.md").write_text("We index with LanceDB, pinned to one version.")
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(home)))
        (tmp_path / "state" / FOLDER / "files.sqlite").unlink()
        assert ask(index, None, "is lancedb pinned?") == Recalled(degraded=True)
        assert index.stale
        sync(index, Roots(str(home)))
        assert len(ask(index, None, "is lancedb pinned?").notes) == 1


def test_facts_that_say_the_same_give_one_note(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "2026-11-29.md").write_text("- We index with LanceDB, pinned to 0.40.\n")
    (home / "2026-11-30.md").write_text("- We index with LanceDB: pinned to 0.40!\n- Backups run at three.\n")
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(home)))
        recalled = ask(index, None, "is lancedb pinned to 0.40?")
    assert len(recalled.notes) == 1
    assert [each.reason for each in recalled.considered] == ["in", "says the same as another", "too little in common"]


def test_an_embedder_that_goes_away_between_two_sentences_leaves_their_words(index: Index) -> None:
    class Leaving(BuiltinEmbedder):
        asked = 0

        def query(self, text: str, timeout: float | None = None) -> Vectors:
            self.asked += 1
            if self.asked > 1:
                raise EmbedderUnavailable("It went away.")
            return super().query(text, timeout)

    chat = "Good morning! I had a good evening and I am ready for more. It rained all night. " * 3
    recalled = ask(index, Leaving(), f"{chat} Why does getCustomerById return null?")
    assert "findCustomer" in texts(recalled)[0]


LIFE = """\
# 2026-11-20

- **reference** The staging API listens on port 8081 now. <!-- m:{new} api is port supersedes={old} -->
- **reference** The staging API listens on port 8080. <!-- m:{old} api is port status=superseded {until} by={new} -->
- **goal** We still have to write the restore runbook. <!-- m:{task} x plans y status=archived {done} -->
- **goal** Remove the kiosk endpoints. <!-- m:{open} x plans z -->
- **event** We finished the importer (2026-11-14). <!-- m:{event} x did y -->
- **lesson** Running the tests with production credentials wiped a table. <!-- m:{lesson} x learnt y sev=critical -->
"""
NAMES = {name: f"{name}0000"[:8] for name in ("new", "old", "task", "open", "event", "lesson")}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory, embedder: BuiltinEmbedder) -> Iterator[Index]:
    """Facts of which something became."""
    folder = tmp_path_factory.mktemp("lived")
    (folder / "home" / "project").mkdir(parents=True)
    (folder / "home" / "project" / "2026-11-20.md").write_text(
        LIFE.format(**NAMES, until="until=2026-11-20", done="why=done until=2026-11-22"), "utf-8"
    )
    with Index.open(str(folder / "state")) as opened:
        sync(opened, Roots(str(folder / "home")), embedder)
        yield opened


@pytest.mark.parametrize("by_keyword", [False, True])
def test_a_prompt_gets_what_holds_now_and_what_it_was_before(
    lived: Index, embedder: BuiltinEmbedder, by_keyword: bool
) -> None:
    notes = ask(lived, None if by_keyword else embedder, "on which port does the staging API listen?").notes
    lines = [note_line(note.note) for note in notes if "8080" in note_line(note.note)]
    assert [note.id for note in notes].count(NAMES["old"]) == 0
    [line] = lines
    assert "port 8081 now. (Before, until 2026-11-20: The staging API listens on port 8080.)" in line


def test_a_search_shows_what_was_replaced_as_such(lived: Index, embedder: BuiltinEmbedder) -> None:
    labels = {note.id: note.label for note in ask(lived, embedder, "staging API port", for_prompt=False).notes}
    assert labels[NAMES["old"]] == "reference, superseded 2026-11-20"
    assert labels[NAMES["new"]] == "reference"


@pytest.mark.parametrize(
    ("prompt", "identity", "label"),
    [
        ("is the restore runbook still to be written?", "task", "task done 2026-11-22"),
        ("do we still have to remove the kiosk endpoints?", "open", "open task"),
        ("have we run the tests with production credentials?", "lesson", "critical lesson"),
    ],
)
def test_a_note_says_whether_its_task_is_open_and_how_severe_its_lesson_is(
    lived: Index, embedder: BuiltinEmbedder, prompt: str, identity: str, label: str
) -> None:
    assert {note.id: note.label for note in ask(lived, embedder, prompt).notes}.get(NAMES[identity]) == label


def test_a_question_for_a_day_gets_what_is_of_that_day(lived: Index, embedder: BuiltinEmbedder) -> None:
    assert [note.id for note in ask(lived, embedder, "what did we finish on the 14th?").notes] == [NAMES["event"]]
    assert NAMES["task"] in [note.id for note in ask(lived, embedder, "what did we do on the 22nd?").notes]


def test_a_question_for_another_day_gets_nothing_of_it(lived: Index, embedder: BuiltinEmbedder) -> None:
    assert ask(lived, embedder, "what did we finish on the 9th?").notes == ()


@pytest.mark.parametrize("prompt", ["what is still open?", "qu'est-ce qu'il reste à faire ?"])
def test_a_question_for_what_is_still_to_be_done_gets_the_open_tasks(
    lived: Index, embedder: BuiltinEmbedder, prompt: str
) -> None:
    assert [note.id for note in ask(lived, embedder, prompt).notes] == [NAMES["open"]]


def test_a_search_leaves_out_what_only_repeats_another(tmp_path: Path) -> None:
    (tmp_path / "home" / "project").mkdir(parents=True)
    lines = (
        "- **decision** We go with SQLite in WAL mode. <!-- m:aaaa1111 project decided x n=2 -->\n"
        "- **project** We went to SQLite. <!-- m:bbbb2222 x is y status=archived why=repeat by=aaaa1111 -->\n"
    )
    (tmp_path / "home" / "project" / "2026-11-30.md").write_text(lines)
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")))
        found = ask(index, None, "SQLite", for_prompt=False)
    assert [note.id for note in found.notes] == ["aaaa1111"]


@pytest.mark.parametrize(
    ("prompt", "again"),
    [("on which port did the staging API listen before?", True), ("on which port does the staging API listen?", False)],
)
def test_a_note_that_was_shown_comes_again_only_for_what_it_was_before(
    lived: Index, embedder: BuiltinEmbedder, prompt: str, again: bool
) -> None:
    notes = ask(lived, embedder, prompt, exclude_ids={NAMES["new"]}).notes
    assert (NAMES["new"] in [note.id for note in notes]) is again


def test_notes_of_which_only_the_first_line_is_the_same_are_found_each_by_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "project"
    folder.mkdir(parents=True)
    item = "- kind: note about the bakery\n  {}\n"
    flour, oven = item.format("The flour comes from Quimper."), item.format("The oven was built in Limoges.")
    (folder / "2026-11-29.md").write_text(flour)
    (folder / "2026-11-30.md").write_text(f"{oven}- The yeast is from Vannes.\n")
    (folder / "2026-12-01.md").write_text(oven)
    with Index.open(str(tmp_path / "state")) as opened:
        sync(opened, Roots(str(tmp_path / "home")))
        found = ask(opened, None, "what was noted about the bakery?")
        assert sorted(text.split("\n")[1].split()[1] for text in texts(found)) == ["flour", "oven"]
        shown = {note.id for note in found.notes if "oven" in note.text}
        again = ask(opened, None, "what was noted about the bakery?", exclude_ids=shown)
        assert [note.text.split("\n")[1].split()[1] for note in again.notes] == ["flour"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Two thousand notes of one project, sixty of another, and as many of what was said in a third."""
    lines = [f"- The orchard of parcel {number} was surveyed.\n" for number in range(2000)]
    with Index.open(str(tmp_path_factory.mktemp("many"))) as opened:
        for name, some in (("large", lines), ("small", lines[:60])):
            opened.replace([], chunks("".join(some), Source(f"/home/{name}/2026-11-30.md", name, "log")))
        said = [replace(each, kind="exchange") for each in chunks("".join(lines[:60]), Source("/home/t.md", "talk"))]
        opened.replace([], said)
        yield opened


def bar_of(index: Index, namespace: str, prompt: str = "survey the orchard of parcel 7", **options: Any) -> float:
    found = ask(index, None, prompt, namespaces=(namespace,), **options).considered[0].figures
    return found.least


def test_among_many_notes_a_note_must_fit_a_prompt_better_than_among_few(many: Index) -> None:
    assert bar_of(many, "small") == UNASKED.least
    assert bar_of(many, "large") == pytest.approx(UNASKED.least * growth(2000))
    assert bar_of(many, "large") > 1.04 * UNASKED.least


def test_a_search_has_the_same_bar_whatever_the_size(many: Index) -> None:
    assert bar_of(many, "large", for_prompt=False) == bar_of(many, "small", for_prompt=False)


def test_who_names_a_stranger_needs_no_more_for_the_size_beside(many: Index) -> None:
    prompt = "survey the orchard of parcel 7 for Zebulon"
    assert bar_of(many, "large", prompt) == bar_of(many, "small", prompt) == pytest.approx(1.6 * UNASKED.least)


def test_in_a_small_memory_notes_are_not_counted(
    index: Index, many: Index, embedder: BuiltinEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []

    def count(_: Index, where: str = "") -> int:
        counted.append(where)
        return 0

    monkeypatch.setattr(Index, "count", count)
    assert texts(ask(index, embedder, "which database holds the invoices?"))
    assert counted == []
    ask(many, None, "survey the orchard of parcel 7", namespaces=("large",))
    assert len(counted) == 1


def test_a_prompt_reads_few_rows_of_a_large_memory(many: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def note(found: pa.Table, column: str | None) -> list[Row]:
        read.append(found.num_rows)
        return as_rows(found, column)

    monkeypatch.setattr(table, "as_rows", note)
    ask(many, None, "survey the orchard of parcel 7", namespaces=("large",))
    assert read[0] == 64
    assert sum(read) <= 64 + 50
