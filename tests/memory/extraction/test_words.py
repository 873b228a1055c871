from __future__ import annotations

import re

import pytest

from memory_plugin.memory.extraction.words import content_words, slug, stem, unspaced, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We index with LanceDB, not pgvector: nothing to run", "index-lancedb-pgvector-nothing"),
        ("Préférer les étiquettes françaises", "préférer-étiquettes-françaises"),
        ("сервер работает на порту 8080", "сервер-работает-порту-8080"),
        ("!!!", "note"),
        ("", "note"),
    ],
)
def test_a_slug_holds_at_most_four_content_words_of_any_script(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_content_words_split_identifiers_and_leave_out_stop_words() -> None:
    assert content_words("The user_id of la table") == ("user", "table")


@pytest.mark.parametrize(
    "text", ["", " \n", "It's foo_Bar-2.0:\tOK", "naïve CAFÉ\nplain again_and ½ ok", "端口 is_8080", "İ x"]
)
def test_a_word_is_letters_and_digits_in_a_row(text: str) -> None:
    assert list(words(text)) == re.findall(r"[^\W_]+", text.lower())


def test_two_forms_of_a_word_have_one_stem() -> None:
    assert stem("migration") == stem("migrations") == "migra"


@pytest.mark.parametrize(("text", "count"), [("plain", 0), ("→ é ✅", 0), ("端口是8080", 3), ("ポート", 3)])
def test_characters_of_scripts_without_spaces_are_counted(text: str, count: int) -> None:
    assert unspaced(text) == count
