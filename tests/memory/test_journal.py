"""Facts in the user's Markdown, and the user's Markdown around them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory import journal
from memory_plugin.memory.fact import Fact, format_line, restate
from memory_plugin.memory.journal import (
    add_to_topic,
    all_held,
    append_facts,
    arrange,
    arranged,
    edit_lines,
    ids_in,
    ids_of,
    is_day_file,
    item_end,
    move_to_topic,
    read_facts,
    standing,
)
from tests.support.logs import DAY, fact, log_of
from tests.support.nonsense import NONSENSE


def texts(folder: Path) -> list[str]:
    return [found.text for _, found in read_facts(str(log_of(folder)), "shop-1")]


def test_a_day_begins_with_its_heading_and_grows(folder: Path) -> None:
    one, two = fact("We use X."), fact("We use Y.")
    assert append_facts(str(folder), DAY, [one], "14:32 first") == [one]
    assert append_facts(str(folder), DAY, [one, two, two], "15:00 second") == [two]
    assert append_facts(str(folder), DAY, [one, two], "16:00 third") == []
    assert log_of(folder).read_text() == (
        f"# {DAY}\n\n## 14:32 first\n\n{format_line(one)}\n\n## 15:00 second\n\n{format_line(two)}\n"
    )


def test_a_heading_is_one_line_whatever_a_session_is_called(folder: Path) -> None:
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32 session a\n- **decision** smuggled\n<!--")
    assert texts(folder) == ["We use X."]


@pytest.mark.parametrize("line", ["~~{}~~", "- ~~{}~~", "{} edited by hand", "moved away <!-- m:{id} -->"])
def test_a_line_that_a_hand_changed_is_not_written_again(folder: Path, line: str) -> None:
    one = fact("We use X.")
    written = format_line(one)[2:] if line.startswith("- ~~") else format_line(one)
    log_of(folder).write_text(line.format(written, id=one.id))
    before = log_of(folder).read_bytes()
    assert append_facts(str(folder), DAY, [one], "15:00") == []
    assert log_of(folder).read_bytes() == before


@pytest.mark.parametrize("before", NONSENSE)
def test_whatever_stands_in_a_log_stays_and_the_fact_is_read_back(folder: Path, before: bytes) -> None:
    log_of(folder).write_bytes(before)
    one = fact("We use X.")
    append_facts(str(folder), DAY, [one], "14:32 test")
    after = log_of(folder).read_bytes()
    assert after.startswith(before)
    assert one in [found for _, found in read_facts(str(log_of(folder)), "shop-1")]


def test_which_facts_stand(folder: Path) -> None:
    assert standing(str(folder / "none")) == {}
    append_facts(str(folder), DAY, [fact("We use X."), fact("We use Y.")], "14:32")
    log_of(folder).write_text(log_of(folder).read_text().replace("- **decision** We use X.", "- ~~We use X.~~"))
    log_of(folder, "2026-11-30 (conflicted copy)").write_text("- **decision** We use Z.\n")
    assert set(standing(str(folder))) == {fact("We use Y.").id}


def test_line_numbers_are_those_of_an_editor(folder: Path) -> None:
    log_of(folder).write_bytes(b"\xef\xbb\xbf- first\r\n\x0c\x1c\xe2\x80\xa8still line two\n- third")
    assert [(number, found.text) for number, found in read_facts(str(log_of(folder)), "shop-1")] == [
        (1, "first"),
        (3, "third"),
    ]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("2026-11-30.md", True),
        ("2026-11-30 (conflicted copy).md", False),
        ("2026-11-30\n.md", False),
        ("2026-11-30.md~", False),
        ("٢٠٢٦-١١-٣٠.md", False),
        ("MEMORY.md", False),
        ("26-11-30.md", False),
    ],
)
def test_which_names_are_daily_logs(name: str, is_one: bool) -> None:
    assert is_day_file(name) is is_one


def test_a_log_that_is_not_there_holds_nothing(folder: Path) -> None:
    assert list(read_facts(str(log_of(folder)), "shop-1")) == []


def topic_of(folder: Path, topic: str = "decision") -> Path:
    return folder / "topics" / f"{topic}.md"


def ended(one: Fact) -> Fact:
    return replace(one, status="superseded", until=DAY, by="7k2m9qab")


def outline(folder: Path) -> list[str]:
    """A topic file's lines, facts by their words."""
    return [line.split(" <!--")[0] for line in topic_of(folder).read_text().split("\n")]


def test_a_fact_moves_to_its_topic_and_stands_once(folder: Path) -> None:
    append_facts(str(folder), DAY, [fact("We use X."), fact("We use Y.")], "14:32")
    held = next(all_held(str(folder)))
    before = log_of(folder).read_text()
    assert move_to_topic(held, "decision") == str(topic_of(folder))
    assert topic_of(folder).read_text() == f"# Decision\n\n{format_line(fact('We use X.'), dated=True)}\n"
    assert log_of(folder).read_text() == before.replace(format_line(fact("We use X.")) + "\n", "")
    assert standing(str(folder))[held.fact.id] == held.fact


def test_a_move_that_was_cut_short_is_finished_and_doubles_nothing(folder: Path) -> None:
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    add_to_topic(str(folder), "decision", fact("We use X."))
    held = next(each for each in all_held(str(folder)) if each.file == f"{DAY}.md")
    move_to_topic(held, "decision")
    assert [each.file for each in all_held(str(folder))] == ["topics/decision.md"]


def test_what_moves_is_the_line_as_it_stands_by_then(folder: Path) -> None:
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    held = next(all_held(str(folder)))
    log_of(folder).write_text(log_of(folder).read_text().replace("conf=0.70", "conf=0.80 n=3"))
    move_to_topic(held, "decision")
    [found] = all_held(str(folder))
    assert (found.fact.support, found.fact.confidence) == (3, 0.8)


def test_a_fact_struck_in_the_meantime_does_not_move(folder: Path) -> None:
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    held = next(all_held(str(folder)))
    log_of(folder).write_text(f"- ~~{format_line(held.fact)[2:]}~~\n")
    with pytest.raises(LookupError):
        move_to_topic(held, "decision")
    assert not topic_of(folder).exists()


STRUCK = f"~~{format_line(fact('We use X.'), dated=True)}~~"


@pytest.mark.parametrize("below", ["", "  - ~~for now~~\n"])
def test_a_fact_that_stands_struck_in_its_topic_moves_there_all_the_same(folder: Path, below: str) -> None:
    topic_of(folder).parent.mkdir()
    topic_of(folder).write_text(f"# Decision\n\n- by hand\n{STRUCK}\n{below}- by hand too\n")
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    move_to_topic(next(each for each in all_held(str(folder)) if each.fact.id == fact("We use X.").id), "decision")
    assert outline(folder) == ["# Decision", "", "- by hand", "- by hand too", "- **decision** We use X.", ""]
    assert [each.file for each in all_held(str(folder))][-1] == "topics/decision.md"


def test_a_topic_file_that_only_speaks_of_a_fact_does_not_hold_it(folder: Path) -> None:
    topic_of(folder).parent.mkdir()
    topic_of(folder).write_text(f"moved away <!-- m:{fact('We use X.').id} -->\n")
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    move_to_topic(next(all_held(str(folder))), "decision")
    assert [each.file for each in all_held(str(folder))] == ["topics/decision.md"]
    assert outline(folder)[0] == "moved away"


def test_a_line_leaves_the_log_only_when_it_can_be_read_in_its_topic(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    held, before = next(all_held(str(folder))), log_of(folder).read_bytes()
    topic_of(folder).parent.mkdir()
    topic_of(folder).write_text("Mine.\n" * 99)
    monkeypatch.setattr(journal, "LARGEST_FILE", 500)
    with pytest.raises(LookupError):
        move_to_topic(held, "decision")
    assert log_of(folder).read_bytes() == before


def test_an_item_by_hand_moves_as_a_whole(folder: Path) -> None:
    log_of(folder).write_bytes(b"- by hand\r\n- We use X.\r\n  since May,\r\n\r\n  - and \xff\r\n\r\n- the last\r\n")
    held = next(each for each in all_held(str(folder)) if each.fact.text == "We use X.")
    move_to_topic(held, "decision")
    assert log_of(folder).read_bytes() == b"- by hand\r\n\r\n- the last\r\n"
    below = topic_of(folder).read_bytes().split(b"\n")[3:]
    assert below == [b"  since May,", b"", b"  - and \xff", b""]


@pytest.mark.parametrize("name", [f"{DAY}.md", "topics/decision.md"])
def test_a_log_that_cannot_be_read_is_passed_by(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(folder.parent / "state"))
    append_facts(str(folder), "2026-11-29", [fact("We use X.", day="2026-11-29")], "14:32")
    (folder / name).mkdir(parents=True)
    assert [each.fact.text for each in all_held(str(folder))] == ["We use X."]
    assert name in (folder.parent / "state" / "logs" / "hooks.log").read_text()


@pytest.mark.parametrize("day", ["", "../../escape", "2026-11-30/..", "2026-11-30\n", "today"])
def test_what_is_no_day_names_no_log(folder: Path, day: str) -> None:
    with pytest.raises(ValueError, match="not a day"):
        append_facts(str(folder), day, [fact("We use X.")], "14:32")


@pytest.mark.parametrize("before", NONSENSE)
def test_whatever_stands_in_a_topic_file_stays_in_its_order(folder: Path, before: bytes) -> None:
    topic_of(folder).parent.mkdir()
    topic_of(folder).write_bytes(before)
    add_to_topic(str(folder), "decision", fact("We use X."))
    add_to_topic(str(folder), "decision", fact("We use X."))
    after = topic_of(folder).read_bytes()
    rest = [line for line in after.split(b"\n") if line.strip() and b"We use X." not in line]
    assert rest == ([line for line in before.split(b"\n") if line.strip()] or [b"# Decision"])
    assert after.count(b"We use X.") == 1


@pytest.mark.parametrize(
    ("below", "last"),
    [
        ("", 0),
        ("  more on it", 1),
        ("\tmore on it", 1),
        ("  more\n\n  and more\n\nThe end.", 3),
        (" hardly indented", 0),
        ("- another", 0),
        (format_line(fact("We use Y.")), 0),
        (f"  more\n  {format_line(fact('We use Y.'))}\n    on Y", 1),
        ("  - below it\r\n  \r\n    - deeper\r\n", 3),
    ],
)
def test_a_list_item_goes_on_in_what_is_indented_below_it(below: str, last: int) -> None:
    assert item_end(f"- by hand\n{below}".split("\n"), 0) == last


def test_an_item_below_another_ends_before_the_next_beside_it() -> None:
    assert item_end(["- by hand", "  - one", "    more", "  - two"], 1) == 2


class Looked(list[str]):
    """Lines that count how often one of them is looked at."""

    times = 0

    def __getitem__(self, place: Any) -> Any:
        self.times += 1
        return super().__getitem__(place)


@pytest.mark.parametrize(
    "lines",
    [
        ["- by hand"] * 4000,
        ["- by hand", *["  - below"] * 4000],
        ["- a", "  - b", "\t- c", "\t\t- d", *["\t\t\t- e"] * 4000],
        ["\t" * depth + "- deeper" for depth in range(1000)],
        ["- by hand", ""] * 2000,
        ["- by hand", *[""] * 4000],
        ["- a", *["  more"] * 4000],
    ],
    ids=["flat", "one level", "as deep as items are", "deeper", "blanks between", "blanks below", "one item"],
)
def test_a_list_however_nested_is_read_line_by_line(lines: list[str]) -> None:
    looked = Looked(lines)
    ids_of(looked, "shop-1")
    assert looked.times < 20 * len(lines)


NOTES = ["Flour has come.", "The oven is broken."]


def items(texts: list[str]) -> str:
    """List items by hand that all begin alike."""
    return "".join(f"- kind: note\n  {text}\n" for text in texts)


def ids(folder: Path) -> dict[str, str]:
    """What the facts of a folder go on in, with their ids."""
    return {each.more: each.fact.id for each in all_held(str(folder))}


def test_items_by_hand_that_begin_alike_have_each_an_id_wherever_they_stand(folder: Path) -> None:
    log_of(folder).write_text(items(NOTES))
    alone = ids(folder)
    assert len({*alone.values(), fact("kind: note").id}) == 3
    log_of(folder).write_text(f"- Before.\n{items([*NOTES[::-1], 'A third.'])}")
    together = ids(folder)
    assert alone.items() < together.items()


@pytest.mark.parametrize(
    ("before", "after"), [("kind: note", "~~kind: note~~"), ("  The", "  ~~The"), ("\n", "\r\n"), ("- k", "* K")]
)
def test_the_id_of_an_item_by_hand_is_that_of_its_words(folder: Path, before: str, after: str) -> None:
    log_of(folder).write_text(items(NOTES[1:]))
    (identity,) = ids_in(str(log_of(folder)), "shop-1")
    log_of(folder).write_bytes(items(NOTES[1:]).replace(before, after).encode())
    assert ids_in(str(log_of(folder)), "shop-1") == {identity}


def test_what_stands_below_an_item_is_no_fact_of_its_own_unless_it_is_ours(folder: Path) -> None:
    ours = format_line(fact("We use X."))
    log_of(folder).write_text(f"- by hand\n  - said below\n  {ours}\n- next\n```\n- code\n```\n - beside it\n")
    found = [(each.fact.text, each.more) for each in all_held(str(folder))]
    assert found == [("by hand", "- said below"), ("We use X.", ""), ("next", ""), ("beside it", "")]


def test_one_of_the_items_that_begin_alike_moves_and_the_others_stay(folder: Path) -> None:
    log_of(folder).write_text(items(NOTES))
    identity = ids(folder)[NOTES[1]]
    move_to_topic(next(each for each in all_held(str(folder)) if each.fact.id == identity), "project")
    assert log_of(folder).read_text() == items(NOTES[:1])
    assert ids(folder)[NOTES[1]] == identity


def test_an_item_that_is_taken_out_leaves_nothing_behind(folder: Path) -> None:
    content = "- by hand\n- We use X.\r\n  since May\r\n\r\n  and June\r\n- the last\n"
    log_of(folder).write_bytes(content.encode())
    identity = next(each.fact.id for each in all_held(str(folder)) if each.fact.text == "We use X.")
    assert edit_lines(str(log_of(folder)), "shop-1", {identity: lambda line: None})
    assert log_of(folder).read_bytes() == b"- by hand\n- the last\n"


def test_what_holds_no_longer_goes_below_and_comes_back(folder: Path) -> None:
    for text in ("We use X.", "We use Y.", "We use Z."):
        add_to_topic(str(folder), "decision", fact(text))
    path, before = str(topic_of(folder)), topic_of(folder).read_text()
    arrange(path, "shop-1")
    assert topic_of(folder).read_text() == before
    edit_lines(path, "shop-1", {fact("We use Y.").id: lambda line: restate(line, ended(fact("We use Y.")), dated=True)})
    arrange(path, "shop-1")
    below = ["# Decision", "", "- **decision** We use X.", "- **decision** We use Z.", "", "## Earlier", ""]
    assert outline(folder) == [*below, "- **decision** We use Y.", ""]
    arrange(path, "shop-1")
    assert outline(folder) == [*below, "- **decision** We use Y.", ""]
    add_to_topic(str(folder), "decision", fact("We use W."))
    assert outline(folder)[2:5] == [f"- **decision** We use {letter}." for letter in "XZW"]
    edit_lines(path, "shop-1", {fact("We use Y.").id: lambda line: restate(line, fact("We use Y."), dated=True)})
    arrange(path, "shop-1")
    assert outline(folder) == ["# Decision", "", *(f"- **decision** We use {letter}." for letter in "XZWY"), ""]


def test_only_our_own_lines_are_put_below(folder: Path) -> None:
    line = format_line(ended(fact("We use Y.")), dated=True)
    content = (
        f"Mine.\r\n\r\n- by hand\r\n{line}\r\n  - more on it\r\n- ~~{line[2:]}~~\r\n"
        "\r\n## Earlier\r\n\r\n- by hand too\r\n\r\n## Mine as well\r\n\r\nThe end."
    ).encode()
    after = arranged(content, "shop-1")
    assert sorted(after.split(b"\n")) == sorted(content.split(b"\n"))
    assert after == arranged(after, "shop-1")
    texts = [each.split(b" <!--")[0].strip() for each in after.split(b"\n") if each.strip()]
    assert texts[:4] == [b"Mine.", b"- by hand", b"- ~~**decision** We use Y.", b"## Earlier"]
    assert texts[4:7] == [b"- by hand too", b"- **decision** We use Y.", b"- more on it"]
    assert texts[7:] == [b"## Mine as well", b"The end."]


pieces = st.sampled_from(
    [
        b"## Earlier",
        b"# Title",
        b"",
        b"- by hand",
        b"  more on it",
        *(format_line(each, dated=True).encode() for each in (fact("We use X."), ended(fact("We use Y.")))),
    ]
)


@given(lines=st.lists(pieces | st.binary(max_size=9), max_size=12))
def test_arranging_loses_nothing_and_once_is_enough(lines: list[bytes]) -> None:
    content = b"\n".join(lines)
    after = arranged(content, "shop-1")
    words = [each for each in sorted(after.split(b"\n")) if each.strip() not in (b"", b"## Earlier")]
    assert words == [each for each in sorted(content.split(b"\n")) if each.strip() not in (b"", b"## Earlier")]
    assert arranged(after, "shop-1") == after


def test_a_secret_in_a_line_by_hand_is_masked_and_the_fact_is_known_by_its_words(folder: Path) -> None:
    said = "The password is swordfish."
    log_of(folder).parent.mkdir(parents=True, exist_ok=True)
    log_of(folder).write_text(f"- {said}\n  The PIN is 4821.\n- Tea.\n")
    [secret, tea] = journal.all_held(str(folder))
    assert secret.words == "The password is [masked]. The PIN is [masked]."
    assert secret.fact.id in journal.ids_in(secret.path, secret.namespace)
    assert tea.words == "Tea."


def test_what_is_private_in_a_file_is_no_fact(folder: Path) -> None:
    log_of(folder).parent.mkdir(parents=True, exist_ok=True)
    log_of(folder).write_text("- One.\n<private>\n- Two.\n- Three.\n</private>\n- Four.\n")
    assert [(line.number, line.fact.text) for line in journal.read_lines(str(log_of(folder)), "shop-1")] == [
        (1, "One."),
        (6, "Four."),
    ]
