"""What holds now in the place of what was found."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.rows import Former, Row, key_of
from memory_plugin.index.scoring import Hit
from memory_plugin.index.succession import LONGEST_FORMER, outdated, said, successors, with_formers

BLANK = Chunk("", "", "", "/m/2026-11-01.md", 1, 1, "shop-1", "reference", "fact", "2026-11-01", 0.6, 0.7, False)


def row(identity: str, text: str = "", **fields: str) -> Row:
    values = {"id": identity, "text": text or f"The text of {identity}."}
    chunk = Chunk(**{name: getattr(BLANK, name) for name in BLANK.__slots__} | values | fields)
    return Row(key_of(chunk), chunk, "", None)


def replaced(identity: str, by: str, until: str = "2026-11-09", text: str = "", replaces: str = "") -> Row:
    return row(identity, text, status="superseded", by=by, until=until, replaces=replaces)


def hit(found: Row, score: float = 0.5, sure: bool = True) -> Hit:
    return Hit(found, score, 0.5, 0.5, sure)


class Shelf:
    """What there is to fetch; asked counts how often it was."""

    def __init__(self, *rows: Row) -> None:
        self.rows = rows
        self.asked = 0

    def __call__(self, ids: Sequence[str]) -> list[Row]:
        self.asked += 1
        return [each for each in self.rows if each.chunk.id in ids]


def ids(hits: Sequence[Hit]) -> list[str]:
    return [each.row.chunk.id for each in hits]


def test_what_was_replaced_leads_to_what_replaced_it() -> None:
    new = row("new1", replaces="old1")
    [found] = successors([hit(replaced("old1", "new1"), 0.7)], Shelf(new))
    assert (found.row, found.score, found.sure) == (new, 0.7, True)


def test_a_chain_is_followed_to_its_end() -> None:
    chain = [replaced("a000", "b000"), replaced("b000", "c000"), row("c000")]
    assert ids(successors([hit(chain[0])], Shelf(*chain))) == ["c000"]


def test_the_old_and_the_new_found_together_give_one_note_with_the_better_score() -> None:
    new = row("new1", replaces="old1")
    [found] = successors([hit(replaced("old1", "new1"), 0.9, sure=False), hit(new, 0.4, sure=True)], Shelf(new))
    assert (found.row.chunk.id, found.score, found.sure) == ("new1", 0.9, True)


@pytest.mark.parametrize(
    "rows",
    [
        [replaced("old1", "gone")],
        [replaced("a000", "b000"), replaced("b000", "a000")],
        [replaced("old1", "old1")],
    ],
    ids=["its successor is not there", "a circle", "itself"],
)
def test_what_was_replaced_by_nothing_that_can_be_had_is_left_out(rows: list[Row]) -> None:
    assert successors([hit(rows[0])], Shelf(*rows)) == []


def test_a_task_that_is_done_stays_and_counts_for_less_than_an_open_one() -> None:
    done = row("done", category="goal", status="archived", reason="done", until="2026-11-09", by="evnt")
    found = successors([hit(done), hit(row("open", category="goal"))], Shelf())
    assert ids(found) == ["open", "done"]


def test_a_line_by_hand_that_a_newer_fact_replaces_is_shown_as_the_newer_one() -> None:
    assert ids(successors([hit(row("hand")), hit(row("new1", replaces="hand"), 0.4)], Shelf())) == ["new1"]


def test_what_holds_is_not_looked_up() -> None:
    shelf = Shelf()
    assert ids(successors([hit(row("a000"), 0.3), hit(row("b000"), 0.6)], shelf)) == ["b000", "a000"]
    with_formers([hit(row("a000"))], shelf, 2)
    assert shelf.asked == 0


def test_a_note_says_what_it_replaced_and_what_that_one_did_the_latest_first() -> None:
    old = replaced("old1", "new1", "2026-11-20", "Port 8081.", replaces="old0")
    oldest = replaced("old0", "old1", "2026-11-05", "Port 8080.")
    [found] = with_formers([hit(row("new1", replaces="old1"))], Shelf(old, oldest), 2)
    assert found.former == (Former("Port 8081.", "2026-11-20"), Former("Port 8080.", "2026-11-05"))
    assert said("Port 9090.", found.former) == (
        "Port 9090. (Before, until 2026-11-20: Port 8081.; until 2026-11-05: Port 8080.)"
    )


def test_what_was_replaced_on_one_day_is_told_in_one_order_however_it_is_found() -> None:
    one, other = replaced("old1", "new1", text="Port 8081."), replaced("old2", "new1", text="Port 8080.")
    new = hit(row("new1", replaces="old1 old2"))
    assert with_formers([new], Shelf(one, other), 2) == with_formers([new], Shelf(other, one), 2)


def test_no_more_is_said_of_the_past_than_asked_for() -> None:
    long = replaced("old1", "new1", text="word " * 200, replaces="old0")
    [found] = with_formers([hit(row("new1", replaces="old1"))], Shelf(long, replaced("old0", "old1")), 1)
    [before] = found.former
    assert len(before.text) <= LONGEST_FORMER
    assert before.text.endswith("…")


def test_a_note_that_replaced_nothing_is_said_as_it_is() -> None:
    assert said("Port 9090.", ()) == "Port 9090."


OLDER = row("older", "The staging API listens on port 8080.", date="2026-11-01")
NEWER = row("newer", "The staging API listens on port 9090 now.", date="2026-11-20")
OTHER = row("other", "The staging API is written in Go.", date="2026-11-25")


def test_of_two_notes_that_give_one_thing_two_values_the_older_is_outdated() -> None:
    assert outdated([hit(NEWER), hit(OLDER), hit(OTHER)], 1.0, "") == {OLDER.key}


@pytest.mark.parametrize("category", ["event", "lesson", "goal"])
def test_what_happened_or_was_learnt_is_never_outdated(category: str) -> None:
    old = row("older", OLDER.chunk.text, date="2026-11-01", category=category)
    assert outdated([hit(NEWER), hit(old)], 1.0, "") == frozenset()


def test_of_two_notes_of_one_day_none_is_outdated() -> None:
    assert outdated([hit(row("older", OLDER.chunk.text, date="2026-11-20")), hit(NEWER)], 1.0, "") == frozenset()


@pytest.mark.parametrize(
    ("question", "outdated_one"),
    [
        ("I want to call the API on my machine, which port was it?", True),
        ("Which port does gunicorn listen on?", False),
        ("Which port does Grafana have?", False),
        ("In what is the API written?", False),
    ],
)
def test_a_note_is_outdated_that_answers_the_question_with_an_older_value(question: str, outdated_one: bool) -> None:
    old = row("older", "gunicorn listens on port 8080 in development.", date="2026-11-01")
    new = row("newer", "The API answers on http://localhost:9090/health.", date="2026-11-20")
    assert (old.key in outdated([hit(old), hit(new)], 1.0, question)) is outdated_one
