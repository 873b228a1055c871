"""Facts in the user's Markdown, and the user's Markdown around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_plugin.memory.fact import CATEGORIES, Candidate, Fact, format_line, make
from memory_plugin.memory.journal import append_facts, is_day_file, read_facts, standing
from tests.support.nonsense import NONSENSE

DAY = "2026-11-30"


def fact(text: str, category: str = "decision", day: str = DAY) -> Fact:
    importance = CATEGORIES[category][1]
    return make(Candidate(text, category, "decided", "project", text, importance, 0.7), "shop-1", day, "14:32", "s#e")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "shop-1"
    path.mkdir()
    return path


def log_of(folder: Path, day: str = DAY) -> Path:
    return folder / f"{day}.md"


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
