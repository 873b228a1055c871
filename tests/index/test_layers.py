"""Notes first, then episodes, then the conversation itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.layers import TALK
from memory_plugin.index.occasions import days_named
from memory_plugin.index.recall import Recalled, recall
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.memory.fact import Fact, format_line, parse_line
from memory_plugin.memory.frame import note_line
from tests.support import talk
from tests.support.recalling import NOW
from tests.support.words_embedder import WordsEmbedder

NOTE = "- **reference** The dev server of the shop listens on port 8377.\n"
EXCHANGES = (
    ("10:00", "Good morning, shall we look at the reports first?", "Yes, the reports of October are ready."),
    (
        "10:05",
        "Why did the zeppelin renderer drop its shadows?",
        "The zeppelin renderer dropped its shadows because the fog shader overwrote the depth buffer.",
    ),
    ("10:20", "Fine. Now the marmalade exporter, please.", "The marmalade exporter writes one jar a line."),
)


def fact(text: str, **fields: Any) -> Fact:
    found = parse_line(f"- **decision** {text}", "shop", "2026-11-20")
    assert found
    return Fact(**{**{name: getattr(found, name) for name in found.__dataclass_fields__}, **fields})


@pytest.fixture(scope="module")
def embedder() -> BuiltinEmbedder:
    return BuiltinEmbedder()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: BuiltinEmbedder) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("layers")
    shop = folder / "home" / "shop"
    shop.mkdir(parents=True)
    (shop / "2026-11-20.md").write_text(NOTE)
    talk.write(shop, talk.page(EXCHANGES))
    talk.write(
        folder / "home" / "other",
        talk.page([("09:00", "The harvest robot is called Walnut.", "A good name.")], session="0ther000"),
        session="0ther000",
    )
    with Index.open(str(folder / "state")) as opened:
        sync(opened, Roots(str(folder / "home")), embedder)
        yield opened


def ask(index: Index, embedder: Any, prompt: str, **options: Any) -> Recalled:
    defaults: dict[str, Any] = {"namespaces": ("shop", "global"), "now": NOW}
    return recall(prompt, index=index, embedder=embedder, **defaults | options)


def test_what_a_note_answers_opens_no_conversation(index: Index, embedder: BuiltinEmbedder) -> None:
    recalled = ask(index, embedder, "which port does the dev server listen on?")
    assert [note.kind for note in recalled.notes] == ["fact"]
    assert {each.kind for each in recalled.considered} == {"fact"}


def test_what_a_note_that_was_shown_answers_opens_no_conversation(tmp_path: Path, embedder: BuiltinEmbedder) -> None:
    shop = tmp_path / "home" / "shop"
    shop.mkdir(parents=True)
    (shop / "2026-11-20.md").write_text(NOTE)
    said = ("The dev server of the shop listens on port 8377.", "Noted: the dev server listens on port 8377.")
    talk.write(shop, talk.page([("10:00", *said)]))
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")), embedder)
        prompt = "which port does the dev server listen on?"
        (note,) = ask(index, embedder, prompt).notes
        again = ask(index, embedder, prompt, exclude_ids={note.id})
        assert [each.reason for each in again.considered] == ["shown before"]
        (shop / "2026-11-20.md").unlink()
        sync(index, Roots(str(tmp_path / "home")), embedder)
        assert [each.kind for each in ask(index, embedder, prompt).notes] == ["episode"]


def test_what_no_note_answers_is_looked_for_in_what_was_said(index: Index, embedder: BuiltinEmbedder) -> None:
    recalled = ask(index, embedder, "why did the zeppelin renderer drop its shadows?")
    (note,) = recalled.notes
    assert "fog shader overwrote the depth buffer" in note.text
    line = note_line(note.note)
    assert line.startswith("- 2026-11-20 conversation, shop: ")
    assert "(before, 10:00 Assistant: Yes, the reports of October are ready.)" in line
    assert "(after, 10:20 User: Fine. Now the marmalade exporter, please.)" in line
    assert line.endswith(f"-{talk.SESSION[:8]}.md#L{note.source.rpartition('#L')[2]}]")


@pytest.mark.parametrize(
    "prompt",
    [
        "thanks, that is all for today!",
        "rename this variable to total",
        "how do I reverse a list in python?",
        "écris un haïku sur la mer",
        "add a test for the empty case",
        "when did the last zeppelin fly?",
        "who invented the fog machine?",
    ],
)
@pytest.mark.parametrize("with_vectors", [True, False])
def test_an_off_topic_prompt_gets_nothing_of_a_conversation(
    index: Index, embedder: BuiltinEmbedder, prompt: str, with_vectors: bool
) -> None:
    assert ask(index, embedder if with_vectors else None, prompt).notes == ()


@pytest.mark.parametrize(
    ("prompt", "opened"),
    [
        ("the zeppelin renderer has no shadows because of the fog shader, fix it", False),
        ("has the zeppelin renderer no shadows because of the fog shader?", True),
        ("fix the zeppelin renderer: `x ? fog : shader`", False),
    ],
)
def test_an_order_opens_no_conversation(index: Index, embedder: BuiltinEmbedder, prompt: str, opened: bool) -> None:
    considered = {each.kind for each in ask(index, embedder, prompt).considered}
    assert ("exchange" in considered) is opened


def test_by_keyword_alone_only_a_question_about_what_was_said_opens_it(index: Index) -> None:
    assert ask(index, None, "the zeppelin renderer has no shadows, fix the depth buffer").notes == ()
    said = ask(index, None, "what did we say about the zeppelin renderer and its shadows?")
    assert "fog shader" in said.notes[0].text


def test_by_keyword_alone_a_question_that_anybody_may_be_asked_needs_more_words_in_common(index: Index) -> None:
    assert ask(index, None, "when did a fog shader need any depth?").notes == ()
    assert ask(index, None, "what did we say of the fog shader and its depth?").notes != ()
    assert ask(index, None, "when did the fog shader break the shadows of the zeppelin renderer?").notes != ()


def test_another_projects_conversation_is_never_opened(index: Index, embedder: BuiltinEmbedder) -> None:
    asked = "what did we call the harvest robot?"
    assert not any("Walnut" in each.text for each in ask(index, embedder, asked).considered)
    assert "Walnut" in ask(index, embedder, asked, namespaces=("other",)).notes[0].text


@pytest.mark.parametrize("compacted", [True, False])
def test_a_conversation_is_told_of_itself_only_what_a_compaction_took(tmp_path: Path, compacted: bool) -> None:
    talk.write(tmp_path / "home" / "shop", talk.page(EXCHANGES, summary_after=2 if compacted else None))
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")), WordsEmbedder())
        asked = "what did we say about the zeppelin renderer and its shadows?"
        mine = ask(index, None, asked, session=talk.SESSION)
        assert any("fog shader" in note.text for note in mine.notes) is compacted
        assert compacted or "said in this conversation" in {each.reason for each in mine.considered}
        assert "fog shader" in ask(index, None, asked, session="another").notes[0].text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "what was noted of it was taken back"),
        ("~~{}~~", "what was noted of it was taken back"),
        ("replaced", "what was noted of it was replaced"),
        ("{}", ""),
    ],
)
def test_what_was_taken_back_is_not_said_again_out_of_the_conversation(tmp_path: Path, line: str, reason: str) -> None:
    noted = fact("The zeppelin renderer uses the fog shader for its shadows.")
    shop = tmp_path / "home" / "shop"
    talk.write(shop, talk.page(EXCHANGES, facts={1: noted}))
    if line == "replaced":
        line = format_line(fact(noted.text, status="superseded", by="0ther000", until="2026-11-25"))
    elif line:
        line = line.replace("{}", format_line(noted)[2:])
        line = line if line.startswith("~~") else f"- {line}"
    (shop / "2026-11-20.md").write_text(f"# 2026-11-20\n\n{line}\n")
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")), WordsEmbedder())
        asked = "what did we say, why the depth buffer of the zeppelin renderer was overwritten?"
        recalled = ask(index, None, asked)
        exchange = [each for each in recalled.considered if each.kind == "exchange" and "depth buffer" in each.text]
        if reason:
            assert reason in {each.reason for each in exchange}
            assert not any("overwrote" in note.text for note in recalled.notes)
        searched = ask(index, None, asked, for_prompt=False, layers=(TALK,))
        assert any("depth buffer" in note.text for note in searched.notes)  # a person may see what was said


def test_a_stretch_fits_into_the_budget_or_is_left_out(index: Index, embedder: BuiltinEmbedder) -> None:
    asked = "why did the zeppelin renderer drop its shadows?"
    assert ask(index, embedder, asked, token_budget=30).notes == ()
    assert "over the token budget" in {each.reason for each in ask(index, embedder, asked, token_budget=30).considered}


def test_of_a_long_exchange_the_sentences_that_answer_are_shown(tmp_path: Path) -> None:
    filler = " ".join(f"Sentence {number} is about cabbage and rain." for number in range(40))
    answer = f"{filler} The zeppelin renderer lost its shadows to the fog shader. {filler}"
    talk.write(tmp_path / "home" / "shop", talk.page([("10:00", "Tell me all.", answer)]))
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")))
        notes = ask(index, None, "what did we say about the zeppelin renderer and the fog shader?").notes
        assert "lost its shadows to the fog shader" in notes[0].text
        assert len(notes[0].text) < 900


def test_notes_and_talk_do_not_change_each_others_weights(index: Index) -> None:
    assert index.vocabulary().rows == 1
    assert index.vocabulary(talk=True).rows == 6
    assert not index.vocabulary().knows("zeppelin")


def test_what_every_prompt_needs_is_embedded_first(tmp_path: Path) -> None:
    shop = tmp_path / "home" / "shop"
    talk.write(shop, talk.page(EXCHANGES))
    (shop / "2026-11-20.md").write_text("".join(f"- **reference** Port {n} is of server {n}.\n" for n in range(5)))
    with Index.open(str(tmp_path / "state")) as index:
        sync(index, Roots(str(tmp_path / "home")))
        embedder = WordsEmbedder()
        order = []
        while index.embed_missing(embedder, 1):
            order.append({row.chunk.kind for row in index.by_filter("", 100) if row.vector is not None})
        assert order[4] == {"fact"}
        assert order[5] == {"fact", "episode"}
        assert order[-1] == {"fact", "episode", "exchange"}
        assert len(order) == 5 + 1 + 3


@pytest.mark.parametrize(
    ("query", "days", "subject"),
    [
        ("the importer last Tuesday", ("2026-11-24", "2026-11-24"), True),
        ("qu'a-t-on dit en mars ?", ("2026-03-01", "2026-03-31"), False),
        ("what did we discuss three months ago", ("2026-09-01", "2026-09-30"), False),
        ("the importer", None, True),
    ],
)
def test_days_in_words_narrow_a_search(query: str, days: tuple[str, str] | None, subject: bool) -> None:
    found, rest = days_named(query, NOW.date())
    assert found == days
    assert bool(rest) is subject


@pytest.mark.parametrize(("days", "count"), [(("2026-11-20", "2026-11-20"), 1), (("2026-11-21", "2026-11-30"), 0)])
def test_a_search_of_some_days_finds_nothing_of_others(index: Index, days: tuple[str, str], count: int) -> None:
    found = ask(index, None, "marmalade exporter jar", for_prompt=False, layers=(TALK,), days=days)
    assert min(len(found.notes), 1) == count
