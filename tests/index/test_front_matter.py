"""What a Markdown file says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.index.front_matter import FrontMatter, front_matter, named


def read(*inside: str) -> FrontMatter:
    return front_matter(["---", *inside, "---", "Text."])


@pytest.mark.parametrize("closing", ["---", "..."])
def test_front_matter_ends_at_its_second_mark(closing: str) -> None:
    assert front_matter(["---", "a: b", closing, "c: d"]) == FrontMatter("", "a: b", 3)


@pytest.mark.parametrize(
    "lines", [[], ["Text."], ["", "---", "a: b", "---"], ["---", "a: b"], ["---", *["a: b"] * 300]]
)
def test_what_does_not_open_a_file_or_is_not_closed_is_no_front_matter(lines: list[str]) -> None:
    assert front_matter(lines) == FrontMatter()


def test_a_mark_of_the_byte_order_is_passed_by() -> None:
    assert front_matter(["\ufeff---", "a: b", "---"]).text == "a: b"


def test_title_name_and_description_are_the_title_and_no_text() -> None:
    assert read('name: "Deploying"', "description: How we do it", "Title: 'By make'", "year: 1843") == FrontMatter(
        "Deploying – How we do it – By make", "year: 1843", 6
    )


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (["rating: 7"], "rating: 7"),
        (["tags: [a, b]"], "tags: a, b"),
        (["tags: []"], "tags:"),
        (["genre:", "  - Jazz", '  - "[[Hard bop]]"'], "genre: Jazz, Hard bop"),
        (["genre:", "- Jazz", "year: 1957"], "genre: Jazz\nyear: 1957"),
        (['author: "[[Ada Lovelace|Ada]]"'], "author: Ada Lovelace|Ada"),
        (["maker:", "rating:"], "maker:\nrating:"),
        (["date bought: 2026-11-30"], "date bought: 2026-11-30"),
        (["source: https://example.com/a/very/long/address.jpg"], "source:"),
        (["topics:", "  -", '  - ""'], "topics:"),
        (["quote: 'Never, ever'"], "quote: Never, ever"),
        (["# a comment", "rating: 7"], "rating: 7"),
        (["- an item of nothing", "rating: 7"], "rating: 7"),
        (["größe: 7", "尺寸: 八"], "größe: 7\n尺寸: 八"),
        (["time: 14:32"], "time: 14:32"),
    ],
)
def test_the_rest_is_text_a_property_a_line_without_its_markup(inside: list[str], text: str) -> None:
    assert read(*inside).text == text


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("type: feedback", False),
        ("type: Parks", True),
        ("  node_type: memory", False),
        ("originSessionId: c0ffee00-0000", False),
        ("metadata:", False),
        ("metadata: kept by hand", True),
    ],
)
def test_what_the_client_writes_for_itself_is_no_text(line: str, kept: bool) -> None:
    assert read("year: 1843", line).text == (f"year: 1843\n{line}" if kept else "year: 1843")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/home/project/Brown bread.md", "Brown bread"),
        ("C:\\home\\project\\Brown bread.md", "Brown bread"),
        ("release_steps.md", "release steps"),
        ("release-steps_2.markdown", "release steps 2"),
        ("Brown bread - with nuts.md", "Brown bread - with nuts"),
        ("v2.1 plan.md", "v2.1 plan"),
        ("2026-11-30.md", ""),
        ("2026-11-30 Meeting with Ada.md", "Meeting with Ada"),
        ("2026-11-30-release.md", "release"),
        ("2026-11-30.sync-conflict-1.md", ""),
        ("2026-11-301.md", ""),
        ("CLAUDE.md", ""),
        ("Readme.md", ""),
        ("42.md", ""),
        ("记忆.md", "记忆"),
        (".md", ""),
    ],
)
def test_a_name_says_what_a_file_is_about_unless_it_is_a_day_or_one_that_any_folder_has(path: str, words: str) -> None:
    assert named(path) == words


@given(st.lists(st.text(), max_size=12))
def test_no_lines_make_it_fail(inside: list[str]) -> None:
    found = read(*inside)
    assert found.end == 0 or 2 <= found.end <= len(inside) + 2
    assert len(found.title) <= 300


@given(st.text())
def test_no_name_makes_it_fail(path: str) -> None:
    assert named(path) == named(path).strip()
