"""The pointers of MEMORY.md, and the user's own lines around them."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_plugin.memory import flush, journal, pointers
from memory_plugin.memory.fact import Fact, format_line
from memory_plugin.memory.files import write_whole
from memory_plugin.memory.journal import append_facts
from memory_plugin.memory.pointers import (
    FEWEST_POINTERS,
    LONGEST_POINTER,
    MARK_END,
    MARK_START,
    MOST_LINES,
    Pointer,
    best,
    format_pointer,
    is_stale,
    point_to,
    read_own_text,
    rebuild,
    worth,
)
from tests.support.logs import DAY, fact, log_of
from tests.support.nonsense import NONSENSE

TODAY = date(2026, 11, 30)


def add(folder: Path, *facts: Fact) -> None:
    """Write facts and their pointers, as a flush does."""
    for each in facts:
        append_facts(str(folder), each.day, [each], "14:32 test")
    pointers.update(str(folder), "shop", facts, TODAY)


def own_words(content: bytes) -> list[bytes]:
    """The user's words, sorted: without our markers and our pointers."""
    content = content.replace(MARK_START.encode(), b"\n").replace(MARK_END.encode(), b"\n")
    lines = [line for line in content.split(b"\n") if not line.startswith(b"- **decision** We use")]
    return sorted(b" ".join(lines).split())


@pytest.mark.parametrize("before", NONSENSE)
def test_whatever_stands_in_memory_md_stays_and_the_pointer_is_read_back(folder: Path, before: bytes) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(before)
    add(folder, fact("We use X."))
    once = path.read_bytes()
    assert own_words(once) == own_words(before if before.strip() else b"# Memory of shop")
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use X."]
    pointers.update(str(folder), "shop", [], TODAY)
    assert path.read_bytes() == once
    add(folder, fact("We use Y."))
    assert {pointer.text for pointer in pointers.read(str(folder))} == {"We use X.", "We use Y."}
    assert own_words(path.read_bytes()) == own_words(once)


pieces = st.sampled_from(
    [MARK_START, MARK_END, "\n", "\r\n", "- mine", "# heading", " ", "\ufeff", "\0", "```", "<!--"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    content=st.lists(pieces | st.text(max_size=20), max_size=14)
    .map("".join)
    .map(lambda text: text.encode("utf-8", "replace"))
    | st.binary(max_size=200)
)
def test_no_byte_of_the_users_is_ever_lost(folder: Path, content: bytes) -> None:
    for name in os.listdir(folder):
        (folder / name).unlink()
    (folder / "MEMORY.md").write_bytes(content)
    add(folder, fact("We use X."))
    add(folder, fact("We use Y."))
    after = (folder / "MEMORY.md").read_bytes()
    if content.strip():
        assert own_words(after) == own_words(content)
    assert {pointer.text for pointer in pointers.read(str(folder))} == {"We use X.", "We use Y."}


def test_outside_our_block_not_a_byte_changes(folder: Path) -> None:
    path = folder / "MEMORY.md"
    add(folder, fact("We use X."))
    ours = path.read_bytes()[path.read_bytes().index(MARK_START.encode()) :]
    above, below = b"\xef\xbb\xbf# Mine\r\n\xff\xfe \r\n\r\n", b"\r\n## Below\n\n\n  - x  \nno newline"
    path.write_bytes(above + ours + below)
    add(folder, fact("We use Y."))
    after = path.read_bytes()
    assert after.startswith(above)
    assert after.endswith(below)


@pytest.mark.parametrize("gone", ["line", "file", "struck"])
def test_a_pointer_goes_with_its_fact(folder: Path, gone: str) -> None:
    add(folder, fact("We use X."))
    log = log_of(folder)
    if gone == "file":
        log.unlink()
    else:
        line = format_line(fact("We use X."))
        log.write_text(log.read_text().replace(line, f"- ~~{line[2:]}~~" if gone == "struck" else ""))
    add(folder, fact("We use Y."))
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use Y."]


def test_a_pointer_says_what_its_fact_says_now(folder: Path) -> None:
    add(folder, fact("We use X."))
    log = log_of(folder)
    log.write_text(log.read_text().replace("We use X.", "We used X until May."))
    pointers.update(str(folder), "shop", [], TODAY)
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We used X until May."]


def test_a_fact_that_lost_its_comment_keeps_its_pointer(folder: Path) -> None:
    add(folder, fact("We use X."))
    log_of(folder).write_text("- **decision** We use X.\n")
    pointers.update(str(folder), "shop", [], TODAY)
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use X."]


@pytest.mark.parametrize("file", ["../other/2026-11-30.md", "/etc/passwd", "", ".", "none.md"])
def test_a_pointer_to_elsewhere_goes(folder: Path, file: str) -> None:
    path = folder / "MEMORY.md"
    path.write_text(f"{MARK_START}\n- **decision** Text ([{DAY}]({file}) 7k2m9q00)\n{MARK_END}\n")
    if file == ".":
        pointers.update(str(folder), "shop", [], TODAY)
        assert len(pointers.read(str(folder))) == 0
        return
    pointers.update(str(folder), "shop", [], TODAY)
    assert pointers.read(str(folder)) == []


def test_a_pointer_whose_file_cannot_be_read_now_stays(folder: Path) -> None:
    add(folder, fact("We use X."))
    log_of(folder).unlink()
    log_of(folder).mkdir()
    pointers.update(str(folder), "shop", [], TODAY)
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use X."]


def test_a_link_to_a_vault_stays_a_link(folder: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault.md"
    vault.write_text("# Mine\n")
    (folder / "MEMORY.md").symlink_to(vault)
    add(folder, fact("We use X."))
    assert (folder / "MEMORY.md").is_symlink()
    assert "We use X." in vault.read_text()


def test_a_second_block_that_a_merge_left_is_no_text_of_the_users(folder: Path) -> None:
    add(folder, fact("We use X."))
    path = folder / "MEMORY.md"
    path.write_text(path.read_text() + "\nMine.\n" + path.read_text())
    own = read_own_text(str(folder))
    assert "Mine." in own
    assert "We use X." not in own
    assert own.count("\n") == path.read_text().count("\n")


@pytest.mark.parametrize(
    "text", ["short", "long " * 60, "x" * 400, "日本語" * 100, "👩‍💻 " * 90, "ends (with) [links](x.md)"]
)
def test_a_pointer_is_at_most_so_long_and_is_read_back(folder: Path, text: str) -> None:
    pointer = point_to(fact(text), f"{DAY}.md")
    line = format_pointer(pointer)
    assert len(line) <= LONGEST_POINTER
    (folder / "MEMORY.md").write_text(f"{MARK_START}\n{line}\n{MARK_END}\n")
    [found] = pointers.read(str(folder))
    assert (found.id, found.day, found.file, found.category) == (pointer.id, DAY, f"{DAY}.md", "decision")
    assert format_pointer(found) == line


def test_the_file_stays_within_its_lines_and_the_best_stay_in_it(folder: Path) -> None:
    (folder / "MEMORY.md").write_text("mine\n" * 100)
    facts = [fact(f"We use {number}.", "lesson" if number % 2 else "reference") for number in range(300)]
    append_facts(str(folder), DAY, facts, "14:32")
    pointers.update(str(folder), "shop", facts, TODAY)
    text = (folder / "MEMORY.md").read_text()
    assert text.count("\n") <= MOST_LINES
    assert {pointer.category for pointer in pointers.read(str(folder))} == {"lesson"}
    (folder / "MEMORY.md").write_text("mine\n" * 500)
    pointers.update(str(folder), "shop", facts, TODAY)
    assert len(pointers.read(str(folder))) == FEWEST_POINTERS


def test_the_best_are_those_of_most_worth_and_then_the_newest() -> None:
    def pointer(identity: str, day: str) -> Pointer:
        return Pointer(identity, "event", "x", day, f"{day}.md")

    old, new, same = pointer("a", "2020-01-01"), pointer("b", "2026-01-01"), pointer("c", "2026-01-01")
    assert best([(0.4, same), (0.4, old), (0.4, new)], 9) == [new, same, old]
    assert best([(0.4, new), (0.5, old)], 1) == [old]
    assert best([], 9) == []


def said(**marks: Any) -> Fact:
    return replace(fact("We use X."), **{"importance": 0.7, "confidence": 0.7, **marks})


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ({"severity": "critical", "category": "lesson"}, {"severity": "high", "category": "lesson", "pinned": True}),
        ({"severity": "high", "category": "lesson"}, {"pinned": True, "category": "goal"}),
        ({"pinned": True}, {"category": "goal", "importance": 1.0, "confidence": 0.99}),
        ({"category": "goal"}, {"importance": 0.9, "confidence": 0.99}),
        ({"severity": "medium", "importance": 0.8}, {"severity": "medium"}),
        ({"importance": 0.8}, {}),
        ({"confidence": 0.75}, {}),
        ({}, {"day": "2026-11-29"}),
        ({"day": "2026-01-01", "seen": DAY}, {"day": "2026-11-29"}),
        ({"category": "goal"}, {"category": "goal", "status": "archived"}),
        ({"category": "lesson", "day": "2020-01-01"}, {"category": "decision", "day": "2026-11-29"}),
    ],
)
def test_what_is_worth_more(more: dict[str, Any], less: dict[str, Any]) -> None:
    assert worth(said(**more), TODAY) > worth(said(**less), TODAY)


def test_worth_halves_with_each_lifetime() -> None:
    assert worth(said(day="2025-11-30"), TODAY) == pytest.approx(worth(said(), TODAY) / 2)
    assert worth(said(day="2027-01-01"), TODAY) == worth(said(), TODAY)  # another machine's clock


@pytest.mark.parametrize(
    ("marks", "stale"),
    [
        ({"category": "goal", "day": "2026-11-16"}, False),
        ({"category": "goal", "day": "2026-11-15"}, True),
        ({"category": "goal", "day": "2026-11-15", "seen": "2026-11-20"}, False),
        ({"category": "goal", "day": "2026-11-15", "pinned": True}, False),
        ({"category": "identity", "day": "2001-01-01"}, False),
        ({"category": "lesson", "day": "2001-01-01"}, False),
        ({"category": "preference", "day": "2026-08-01"}, True),
        ({"day": "unknown"}, False),
    ],
)
def test_what_is_stale(marks: dict[str, Any], stale: bool) -> None:
    assert is_stale(said(**marks), TODAY) is stale
    assert is_stale(point_to(said(**marks), "x.md"), TODAY) is stale


@pytest.mark.parametrize(
    ("marks", "listed"),
    [
        ({}, True),
        ({"importance": 0.5}, False),
        ({"importance": 0.5, "pinned": True}, True),
        ({"importance": 0.5, "support": 2}, True),
        ({"status": "superseded"}, False),
        ({"status": "contradicted", "pinned": True}, False),
        ({"status": "archived", "reason": "done"}, False),
        ({"category": "goal", "day": "2026-11-01"}, False),
        ({"category": "goal", "day": "2026-11-01", "pinned": True}, True),
    ],
)
def test_which_facts_are_listed(folder: Path, marks: dict[str, Any], listed: bool) -> None:
    one, other = said(**marks), fact("We use Y.")
    add(folder, one, other)
    assert ([each.id for each in pointers.read(str(folder))].count(one.id) == 1) is listed
    by_flush = (folder / "MEMORY.md").read_bytes()
    rebuild(str(folder), "shop", TODAY)
    assert (folder / "MEMORY.md").read_bytes() == by_flush


def test_a_fact_that_holds_no_longer_leaves_the_file_and_stays_on_disk(folder: Path) -> None:
    add(folder, fact("We use X."), fact("We use Y."))
    change = {fact("We use X.").id: lambda line: line.replace(" -->", " status=superseded by=7k2m9qab -->")}
    journal.edit_lines(str(log_of(folder)), "shop-1", change)
    pointers.update(str(folder), "shop", [], TODAY)
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use Y."]
    assert "We use X." in log_of(folder).read_text()


def test_what_went_stale_leaves_the_file(folder: Path) -> None:
    add(folder, fact("Ship the importer.", "goal"), fact("We use Y."))
    pointers.update(str(folder), "shop", [], date(2026, 12, 15))
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use Y."]


def test_a_severe_lesson_and_a_pinned_fact_are_marked_and_read_back(folder: Path) -> None:
    severe = replace(fact("Never drop the table.", "lesson"), severity="critical", pinned=True)
    add(folder, replace(fact("We use X."), pinned=True), severe, replace(fact("A trap.", "lesson"), severity="low"))
    assert [line.split("**")[1] for line in (folder / "MEMORY.md").read_text().split("\n") if "**" in line] == [
        "pinned critical lesson",
        "pinned decision",
        "lesson",
    ]
    found = pointers.read(str(folder))
    assert [(each.severity, each.pinned, each.category) for each in found] == [
        ("critical", True, "lesson"),
        ("", True, "decision"),
        ("", False, "lesson"),
    ]
    assert [format_pointer(each) for each in found] == (folder / "MEMORY.md").read_text().split("\n")[3:6]


def test_a_pointer_follows_its_fact_into_a_topic_file(folder: Path) -> None:
    add(folder, fact("We use X."))
    [held] = journal.all_held(str(folder))
    journal.move_to_topic(held, "decision")
    pointers.update(str(folder), "shop", [], TODAY)
    [found] = pointers.read(str(folder))
    assert (found.file, found.day) == ("topics/decision.md", DAY)


def test_a_lost_block_is_made_anew_and_the_users_words_stay(folder: Path) -> None:
    add(folder, fact("We use X."), fact("We use Y.", day="2026-11-29"))
    before = (folder / "MEMORY.md").read_bytes()
    (folder / "MEMORY.md").unlink()
    rebuild(str(folder), "shop", TODAY)
    assert (folder / "MEMORY.md").read_bytes() == before
    (folder / "MEMORY.md").write_text("Mine.\n")
    rebuild(str(folder), "shop", TODAY)
    assert (folder / "MEMORY.md").read_bytes() == b"Mine.\n\n" + before[before.index(MARK_START.encode()) :]


def test_a_block_whose_end_was_torn_off_is_made_whole_and_no_other_line_is_touched(folder: Path) -> None:
    own = b"# Mine\n\nMy line.\n\n"
    (folder / "MEMORY.md").write_bytes(own)
    add(folder, fact("We use X."), fact("We use Y.", day="2026-11-29"))
    whole = (folder / "MEMORY.md").read_bytes()
    for length in range(whole.index(b"-->") + 3, len(whole)):
        (folder / "MEMORY.md").write_bytes(whole[:length])
        add(folder)
        rebuild(str(folder), "shop", TODAY)
        assert (folder / "MEMORY.md").read_bytes().rstrip() == whole.rstrip(), length
    for more in (b"\n- **bold** of my own", b"\n<!-- mine", b"\nProse.\n- **decision** mine\n"):
        torn = whole[: whole.index(b"\n" + MARK_END.encode())]
        (folder / "MEMORY.md").write_bytes(torn + more)
        rebuild(str(folder), "shop", TODAY)
        assert (folder / "MEMORY.md").read_bytes().rstrip() == whole.rstrip() + more.rstrip()


@pytest.mark.parametrize("content", [None, "Mine.\n"])
def test_where_there_is_nothing_to_say_no_block_is_made(folder: Path, content: str | None) -> None:
    append_facts(str(folder), DAY, [fact("It rained.", "event")], "14:32")
    if content is not None:
        (folder / "MEMORY.md").write_text(content)
    rebuild(str(folder), "shop", TODAY)
    assert (folder / "MEMORY.md").exists() is (content is not None)
    assert content is None or (folder / "MEMORY.md").read_text() == content


def test_what_the_review_concludes_has_no_pointer(folder: Path) -> None:
    journal.add_to_topic(str(folder), "worldview", fact("Time and again X."))
    journal.add_to_topic(str(folder), "decision", fact("We use Y."))
    rebuild(str(folder), "shop", TODAY)
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use Y."]


def test_the_users_own_notes_are_no_namespace(tmp_path: Path, folder: Path) -> None:
    for name in ("diary", ".git", "listed", "shop-2"):
        (tmp_path / name).mkdir()
    (tmp_path / "diary" / f"{DAY}.md").write_text("- Went for a walk, and it rained.\n")
    (tmp_path / ".git" / f"{DAY}.md").write_text(format_line(fact("We use X.")))
    (tmp_path / "listed" / "MEMORY.md").write_text(f"{MARK_START}\n{MARK_END}\n")
    append_facts(str(folder), DAY, [fact("We use X.")], "14:32")
    assert pointers.namespaces_of(str(tmp_path)) == ["listed", "shop-1"]


def test_a_folder_in_the_place_of_memory_md_hides_no_namespace(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "shop-2" / "MEMORY.md").mkdir(parents=True)
    for place in (folder, tmp_path / "shop-2"):
        append_facts(str(place), DAY, [fact("We use X.")], "14:32")
    assert pointers.namespaces_of(str(tmp_path)) == ["shop-1", "shop-2"]
    flush.tidy_pointers(str(tmp_path))
    assert [pointer.text for pointer in pointers.read(str(folder))] == ["We use X."]


def test_a_pointer_to_an_item_on_several_lines_says_all_of_it(folder: Path) -> None:
    ours = format_line(fact("We use X."))
    log_of(folder).write_text(
        f"- kind: note\n  The oven is broken.\n\n{ours}\n\n  since May\n{format_line(fact('Y.'))}\n"
    )
    said = {"kind: note The oven is broken.", "We use X. since May", "Y."}
    rebuild(str(folder), "shop", TODAY)
    assert {pointer.text for pointer in pointers.read(str(folder))} == said
    before = (folder / "MEMORY.md").read_bytes()
    pointers.update(str(folder), "shop", [], TODAY)
    assert (folder / "MEMORY.md").read_bytes() == before


def test_a_file_that_is_not_there_holds_nothing(folder: Path) -> None:
    assert pointers.read(str(folder)) == []
    assert read_own_text(str(folder)) == ""


@pytest.mark.parametrize("file", [f"{DAY}.md", "MEMORY.md"])
def test_what_an_editor_saves_while_we_write_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    saved = b"# Saved by an editor in the middle\n"
    real = write_whole

    def slow(path: str, content: bytes, expected: bytes | None = None) -> None:
        if path.endswith(file) and saved not in content:
            Path(path).write_bytes(saved)
        real(path, content, expected)

    monkeypatch.setattr(journal, "write_whole", slow)
    facts = [fact("We index with LanceDB.")]
    append_facts(str(folder), DAY, facts, "14:32 test")
    pointers.update(str(folder), "shop", facts, TODAY)
    text = (folder / file).read_bytes()
    assert text.startswith(saved)
    assert b"LanceDB" in text


@pytest.mark.parametrize("name", ["decision", "my notes (old) 100%", "é", "x" * 240, "( " * 100, "a]b", "a%20b"])
def test_a_line_by_hand_in_a_file_of_any_name_is_pointed_to_once(folder: Path, name: str) -> None:
    (folder / "topics").mkdir()
    (folder / "topics" / f"{name}.md").write_text("- **decision** We use X.\n")
    rebuild(str(folder), "shop", TODAY)
    once = (folder / "MEMORY.md").read_bytes()
    found = pointers.read(str(folder))
    listed = [("We use X.", "", f"topics/{name}.md")] if len(name) < LONGEST_POINTER else []
    assert [(each.text, each.day, each.file) for each in found] == listed
    rebuild(str(folder), "shop", TODAY)
    pointers.update(str(folder), "shop", [], TODAY)
    assert (folder / "MEMORY.md").read_bytes() == once


def test_a_secret_in_a_fact_by_hand_is_in_no_pointer(folder: Path) -> None:
    log_of(folder).parent.mkdir(parents=True, exist_ok=True)
    log_of(folder).write_text(
        "- **decision** The password is swordfish.\n<private>\n- **decision** Kestrels.\n</private>\n"
    )
    pointers.rebuild(str(folder), "shop", date(2026, 11, 30))
    text = (folder / "MEMORY.md").read_text()
    assert "The password is [masked]." in text
    assert "Kestrels" not in text
