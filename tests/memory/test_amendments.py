"""What is done to a fact stands in its line and in the events, and can be found again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import amendments, clock, events, files, flush, hand, journal, review
from memory_plugin.memory.fact import Fact, format_line
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import Namespace
from tests.support.facts import NAMESPACE, capture, fact, held, in_events

ONE = fact("The staging gateway answers on port 8443.", category="reference")
TWO = fact("The staging gateway answers on port 9443.", category="reference", day="2026-11-05")
OTHER = fact("The bookings are kept for ten years.")
TASK = fact("Write the migration of the orders table.", category="goal")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    capture(tmp_path, [ONE, TWO, TASK])
    return tmp_path


def both(home: Path, identity: str) -> Fact:
    """The fact, which its line and the events tell alike."""
    found = held(home, identity).fact
    assert found == in_events(home, identity)
    return found


@pytest.mark.parametrize("wanted", [ONE.id, ONE.id[:5], ONE.id.upper(), "port 8443"])
def test_a_fact_is_found_by_id_by_its_beginning_and_by_words(home: Path, wanted: str) -> None:
    assert [each.fact.id for each in amendments.find(str(home), wanted, [NAMESPACE])] == [ONE.id]


@pytest.mark.parametrize("wanted", ["", "   ", "zebra crossing", "zz"])
def test_nothing_is_found_by_words_that_stand_nowhere(home: Path, wanted: str) -> None:
    assert amendments.find(str(home), wanted, [NAMESPACE]) == []


def test_words_that_several_share_find_them_all(home: Path) -> None:
    assert {each.fact.id for each in amendments.find(str(home), "staging gateway", [NAMESPACE])} == {ONE.id, TWO.id}


def test_a_confirmation_makes_surer_up_to_a_limit(home: Path) -> None:
    for _ in range(8):
        amendments.confirm(str(home), held(home, ONE.id), seen="2026-11-20", how="again")
    found = both(home, ONE.id)
    assert (found.confidence, found.support, found.seen) == (0.99, 9, "2026-11-20")


def test_what_says_more_takes_over_what_the_other_had_earned(home: Path) -> None:
    for _ in range(3):
        amendments.confirm(str(home), held(home, ONE.id), seen="2026-11-04", how="again")
    old = held(home, ONE.id).fact
    amendments.confirm(str(home), held(home, TWO.id), seen="2026-11-05", how="more", carried=old)
    found = both(home, TWO.id)
    assert (found.confidence, found.support) == (0.9, 5)


@pytest.mark.parametrize(("relation", "status"), [("supersedes", "superseded"), ("contradicts", "contradicted")])
def test_a_fact_gives_its_place_to_another(home: Path, relation: str, status: str) -> None:
    old, new = held(home, ONE.id), held(home, TWO.id)
    amendments.replaced(str(home), old, new, relation=relation, how="a new value")
    assert (both(home, ONE.id).status, both(home, ONE.id).by) == (status, TWO.id)
    assert both(home, ONE.id).until == TWO.day
    assert getattr(both(home, TWO.id), relation) == (ONE.id,)


def test_a_line_by_hand_may_take_a_place_and_stays_as_it_is(home: Path) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text("- The staging gateway answers on port 9500.\n")
    (by_hand,) = amendments.find(str(home), "9500", [NAMESPACE])
    old = held(home, ONE.id)
    amendments.replaced(str(home), old, by_hand, relation="supersedes", how="by hand", by_hand=True)
    assert path.read_text() == "- The staging gateway answers on port 9500.\n"
    assert both(home, ONE.id).by == by_hand.fact.id


def test_a_task_is_done_and_open_again(home: Path) -> None:
    amendments.archive(str(home), held(home, TASK.id), "done", how="said so", until="2026-11-08", by=TWO.id)
    assert (both(home, TASK.id).reason, both(home, TASK.id).by) == ("done", TWO.id)
    assert not both(home, TASK.id).is_open_task
    amendments.reopen(str(home), held(home, TASK.id), how="it failed again", seen="2026-11-12")
    assert both(home, TASK.id).is_open_task
    assert both(home, TASK.id).seen == "2026-11-12"


@pytest.mark.parametrize("side", [ONE.id, TWO.id])
def test_undoing_a_replacement_leaves_both_as_they_were(home: Path, side: str) -> None:
    amendments.replaced(str(home), held(home, ONE.id), held(home, TWO.id), relation="supersedes", how="a new value")
    other = TWO.id if side == ONE.id else ONE.id
    again = amendments.undo(str(home), held(home, side), [held(home, other)])
    assert [each.fact.id for each in again] == [ONE.id]
    assert (both(home, ONE.id), both(home, TWO.id)) == (ONE, TWO)


def test_undoing_a_repeat_takes_its_confirmation_back(home: Path) -> None:
    amendments.confirm(str(home), held(home, ONE.id), seen=TWO.day, how="again")
    amendments.archive(str(home), held(home, TWO.id), "repeat", how="the same", by=ONE.id)
    amendments.undo(str(home), held(home, ONE.id), [held(home, TWO.id)])
    assert (both(home, ONE.id).confidence, both(home, ONE.id).support) == (0.7, 1)
    assert both(home, TWO.id).status == "active"


def test_undoing_a_repeat_that_confirmed_nothing_takes_nothing_back(home: Path) -> None:
    amendments.archive(str(home), held(home, TWO.id), "repeat", how="the same session", by=ONE.id)
    amendments.undo(str(home), held(home, TWO.id), [held(home, ONE.id)])
    assert (both(home, ONE.id).confidence, both(home, ONE.id).support) == (0.7, 1)


def test_undoing_a_repeat_takes_its_confirmation_back_once(home: Path) -> None:
    for _ in range(3):
        amendments.confirm(str(home), held(home, ONE.id), seen=TWO.day, how="again")
    amendments.archive(str(home), held(home, TWO.id), "repeat", how="the same", by=ONE.id)
    others = [*amendments.held_in(str(home), [NAMESPACE])] * 2  # one that stands twice
    assert [each.fact.id for each in amendments.undo(str(home), held(home, ONE.id), others)] == [TWO.id]
    assert (both(home, ONE.id).confidence, both(home, ONE.id).support) == (0.8, 3)
    amendments.archive(str(home), held(home, TWO.id), "repeat", how="by hand", by=ONE.id)
    amendments.undo(str(home), held(home, ONE.id), [held(home, TWO.id)])
    assert (both(home, ONE.id).confidence, both(home, ONE.id).support) == (0.8, 3)


@pytest.mark.parametrize("step", range(4))
def test_an_undo_that_was_killed_is_finished_by_the_next_and_takes_nothing_back_twice(
    home: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    amendments.confirm(str(home), held(home, ONE.id), seen=TWO.day, how="again")
    amendments.confirm(str(home), held(home, ONE.id), seen=TWO.day, how="again")
    amendments.archive(str(home), held(home, TWO.id), "repeat", how="the same", by=ONE.id)
    done = list[str]()

    def killed_at(step: int, real: Callable[..., Any]) -> Callable[..., Any]:
        def write(path: str, *rest: Any, **more: Any) -> None:
            if len(done) == step:
                done.append("killed")
                raise OSError("killed")
            done.append(path)
            real(path, *rest, **more)

        return write

    monkeypatch.setattr(journal, "write_whole", killed_at(step, files.write_whole))
    monkeypatch.setattr(events, "append", killed_at(step, events.append))
    with pytest.raises(OSError, match="killed"):
        amendments.undo(str(home), held(home, ONE.id), [held(home, TWO.id)])
    again = amendments.undo(str(home), held(home, ONE.id), [held(home, TWO.id)])
    assert [each.fact.id for each in again] == [TWO.id]
    assert (both(home, ONE.id).support, both(home, ONE.id).confidence, both(home, TWO.id).status) == (2, 0.75, "active")
    assert amendments.undo(str(home), held(home, ONE.id), [held(home, TWO.id)]) == []
    entries = Ledger(str(home)).refresh().entries
    assert entries[NAMESPACE, ONE.id].apart == {TWO.id}
    assert entries[NAMESPACE, TWO.id].apart == {ONE.id}


LONG = "- We ship on Tuesdays.\n  From the release branch,\n\n  - never by hand\n\t```\n\tmake cut\n\t```\n- the last\n"


def test_an_item_by_hand_is_struck_and_stands_again_as_a_whole(home: Path) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text(LONG)
    (by_hand,) = amendments.find(str(home), "ship on Tuesdays", [NAMESPACE])
    amendments.retract(str(home), by_hand)
    struck = (
        "- ~~We ship on Tuesdays.~~\n  ~~From the release branch,~~\n\n  - ~~never by hand~~\n"
        "\t```\n\t~~make cut~~\n\t```\n- the last\n"
    )
    assert path.read_text() == struck
    amendments.retract(str(home), by_hand)
    assert path.read_text() == struck
    amendments.restore(str(home), by_hand)
    assert path.read_text() == LONG


def test_an_item_by_hand_that_is_corrected_says_the_new_words_and_no_others(home: Path) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text(LONG)
    (by_hand,) = amendments.find(str(home), "ship on Tuesdays", [NAMESPACE])
    hand.Observer(str(home)).look()
    amendments.correct(str(home), by_hand, "We ship on Fridays.")
    line, last, end = path.read_text().split("\n")
    assert (line.split(" <!--")[0], last, end) == ("- **project** We ship on Fridays.", "- the last", "")
    told = [each for each in events.read(str(home)) if each["event"] == "corrected"][-1]
    assert told["before"] == by_hand.words
    assert "make cut" in by_hand.words
    assert hand.Observer(str(home)).look() == []


def test_what_a_person_wrote_below_a_line_of_ours_stays_when_it_is_corrected(home: Path) -> None:
    path = home / NAMESPACE / f"{ONE.day}.md"
    path.write_text(path.read_text().replace(" -->\n", " -->\n  - since May\n", 1))
    amendments.correct(str(home), held(home, ONE.id), "The staging gateway answers on port 8444.")
    assert path.read_text().split("\n")[5] == "  - since May"
    assert both(home, ONE.id).text == "The staging gateway answers on port 8444."


def test_an_item_by_hand_is_promoted_as_a_whole(home: Path) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text(LONG)
    (by_hand,) = amendments.find(str(home), "ship on Tuesdays", [NAMESPACE])
    file = home / NAMESPACE / amendments.promote(str(home), by_hand, "procedure")
    assert path.read_text() == "- the last\n"
    assert file.read_text().endswith(LONG.partition("\n")[2].removesuffix("- the last\n"))


@pytest.mark.parametrize("again", ["promoted", "used"])
def test_what_was_taken_back_in_its_topic_and_said_again_is_not_lost_when_it_moves(home: Path, again: str) -> None:
    amendments.promote(str(home), held(home, ONE.id))
    amendments.retract(str(home), held(home, ONE.id))
    place = Namespace(NAMESPACE, "", "")
    assert flush.remember(replace(ONE, day="2026-11-20"), place, str(home))
    if again == "promoted":
        amendments.promote(str(home), held(home, ONE.id))
    else:
        ledger, used = Ledger(str(home)).refresh(), {ONE.id: {"s1", "s2"}}
        steps = review.plan(str(home), [NAMESPACE], ledger, date(2026, 11, 21), used=used)
        review.apply(str(home), steps, date(2026, 11, 21))
    assert held(home, ONE.id).file == "topics/reference.md"
    assert hand.Observer(str(home)).look() == []


def test_a_log_that_cannot_be_read_hides_no_other(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(home / "state"))
    amendments.retract(str(home), held(home, ONE.id))
    (home / NAMESPACE / f"{TWO.day}.md").unlink()
    (home / NAMESPACE / f"{TWO.day}.md").mkdir()
    assert held(home, TASK.id).fact == TASK
    assert [each.fact.id for each in amendments.taken_back_in(str(home), [NAMESPACE])] == [ONE.id]


def test_a_day_that_is_none_leads_out_of_no_folder(home: Path) -> None:
    events.append(str(home), [{**events.captured(OTHER, NAMESPACE, "t", "f"), "day": "../../escape"}])
    events.append(str(home), [events.event("retracted", NAMESPACE, OTHER.id)])
    (gone,) = amendments.find_taken_back(str(home), OTHER.id, [NAMESPACE])
    amendments.restore(str(home), gone)
    assert held(home, OTHER.id).path == str(home / NAMESPACE / f"{clock.today():%Y-%m-%d}.md")


def test_a_correction_keeps_the_id_and_says_what_it_was(home: Path) -> None:
    amendments.correct(str(home), held(home, ONE.id), "The staging gateway answers on port 8444.")
    assert both(home, ONE.id).text == "The staging gateway answers on port 8444."
    last = [each for each in events.read(str(home)) if each["event"] == "corrected"][-1]
    assert last["before"] == ONE.text


def test_what_is_taken_back_is_struck_and_can_stand_again(home: Path) -> None:
    one = held(home, ONE.id)
    amendments.retract(str(home), one)
    assert amendments.find(str(home), ONE.id, [NAMESPACE]) == []
    amendments.restore(str(home), one)
    assert both(home, ONE.id) == ONE


def test_a_fact_is_found_where_it_was_moved_to(home: Path) -> None:
    before = held(home, ONE.id)
    assert amendments.promote(str(home), before) == "topics/reference.md"
    amendments.pin(str(home), before, pinned=True)
    assert held(home, ONE.id).file == "topics/reference.md"
    assert both(home, ONE.id) == replace(ONE, pinned=True)


def test_a_fact_that_stands_nowhere_cannot_be_amended(home: Path) -> None:
    gone = held(home, ONE.id)
    path = home / NAMESPACE / f"{ONE.day}.md"
    path.write_text("# nothing left\n")
    told = len([*events.read(str(home))])
    with pytest.raises(LookupError):
        amendments.pin(str(home), gone, pinned=True)
    assert len([*events.read(str(home))]) == told


def test_the_other_lines_of_the_file_stay_byte_for_byte(home: Path) -> None:
    path = home / NAMESPACE / f"{ONE.day}.md"
    path.write_bytes(path.read_bytes() + b"\r\n> a note of mine \xff\xfe\r\n\r\n* another\r\n")
    before = path.read_bytes().split(b"\n")
    amendments.pin(str(home), held(home, ONE.id), pinned=True)
    after = path.read_bytes().split(b"\n")
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert ONE.id.encode() in changed[0]


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_fact_on_the_first_line_behind_an_editors_mark_is_like_any_other(home: Path, by_hand: bool) -> None:
    path = home / NAMESPACE / f"{OTHER.day}.md"
    line = f"- {OTHER.text}" if by_hand else format_line(OTHER)
    before = f"\ufeff{line}\n".encode()
    path.write_bytes(before)
    one = held(home, OTHER.id)
    amendments.retract(str(home), one)
    assert amendments.find(str(home), OTHER.id, [NAMESPACE]) == []
    amendments.restore(str(home), one)
    assert path.read_bytes() == before
    amendments.pin(str(home), one, pinned=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf- ")
    assert held(home, OTHER.id).fact.pinned
    amendments.promote(str(home), one)
    assert path.read_bytes() == b"\xef\xbb\xbf"
    assert held(home, OTHER.id).file == "topics/project.md"


ALIKE = "- kind: note\n  Flour has come.\n- kind: note\n  The oven is broken.\n- kind: note\n  The till is new.\n"


def alike(home: Path, words: str) -> journal.Held:
    """The one of the items that begin alike in which these words stand."""
    (found,) = amendments.find(str(home), words, [NAMESPACE])
    return found


@pytest.mark.parametrize("confirmed", [False, True])
def test_of_items_by_hand_that_begin_alike_one_is_amended_and_the_others_stay(home: Path, confirmed: bool) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text(ALIKE)
    observer = hand.Observer(str(home))
    observer.look()
    known = {each.more: each.fact.id for each in amendments.held_in(str(home), [NAMESPACE]) if each.more}
    one = alike(home, "oven broken")
    if confirmed:
        amendments.confirm(str(home), one, seen="2026-11-12", how="by command")
    amendments.pin(str(home), one, pinned=True)
    amendments.retract(str(home), one)
    assert [line for line in path.read_text().split("\n") if "~~" in line][1:] == ["  ~~The oven is broken.~~"]
    (back,) = amendments.find_taken_back(str(home), one.fact.id, [NAMESPACE])
    amendments.restore(str(home), back)
    amendments.correct(str(home), alike(home, "oven"), "kind: alarm\n  The oven smokes.")
    amendments.promote(str(home), alike(home, "oven"))
    assert path.read_text() == ALIKE.replace("- kind: note\n  The oven is broken.\n", "")
    assert alike(home, "alarm oven").fact.pinned
    del known[one.more]
    assert {each.more: each.fact.id for each in amendments.held_in(str(home), [NAMESPACE]) if each.more} == known
    assert in_events(home, one.fact.id).text == "kind: alarm The oven smokes."
    assert observer.look() == []


def test_an_item_by_hand_that_stands_in_two_files_is_taken_back_in_both(home: Path) -> None:
    paths = [home / NAMESPACE / f"2026-11-{day}.md" for day in ("09", "10")]
    for path in paths:
        path.write_text(ALIKE)
    observer = hand.Observer(str(home))
    observer.look()
    amendments.retract(str(home), alike(home, "oven"))
    assert ["~~The oven is broken.~~" in path.read_text() for path in paths] == [True, True]
    assert observer.look() == []
    (back,) = amendments.find_taken_back(str(home), "oven", [NAMESPACE])
    amendments.restore(str(home), back)
    assert [path.read_text() for path in paths] == [ALIKE, ALIKE]


def test_an_item_by_hand_that_was_deleted_comes_back_with_all_its_words(home: Path) -> None:
    path = home / NAMESPACE / "2026-11-09.md"
    path.write_text(ALIKE)
    observer = hand.Observer(str(home))
    observer.look()
    identity = alike(home, "oven").fact.id
    path.write_text(ALIKE.replace("- kind: note\n  The oven is broken.\n", ""))
    observer.look()
    (gone,) = amendments.find_taken_back(str(home), identity, [NAMESPACE])
    amendments.restore(str(home), gone)
    assert held(home, identity).fact.text == "kind: note The oven is broken."
    assert observer.look() == []
