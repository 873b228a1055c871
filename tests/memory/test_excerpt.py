"""The beginning and the end of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory.excerpt import CUT, beginning, end
from tests.support.strategies import text


@pytest.mark.parametrize(
    ("said", "most", "first", "last"),
    [
        ("", 10, "", ""),
        ("We use tabs.", 12, "We use tabs.", "We use tabs."),
        ("We  use\n\ntabs.", 12, "We use tabs.", "We use tabs."),
        ("We use tabs.", 11, "We use…", "…use tabs."),
        ("We use tabs, not spaces.", 14, "We use tabs…", "…not spaces."),
        ("We use tabs", 7, "We use…", "…tabs"),
        ("a_log_without_any_space", 10, "a_log_wit…", "…any_space"),
        ("a b_log_without_any_space c", 10, "a b_log_w…", "…y_space c"),
        ("我们用制表符，不用空格。", 6, "我们用制表…", "…不用空格。"),
        ("One word", 1, "…", "…"),
    ],
)
def test_a_text_is_cut_between_words_and_else_between_letters(said: str, most: int, first: str, last: str) -> None:
    assert beginning(said, most) == first
    assert end(said, most) == last


@given(said=text, most=st.integers(1, 40))
def test_an_excerpt_is_never_longer_and_is_the_texts_own(said: str, most: int) -> None:
    line = " ".join(said.split())
    for excerpt, is_part in ((beginning(said, most), line.startswith), (end(said, most), line.endswith)):
        assert len(excerpt) <= most
        assert excerpt == line or is_part(excerpt.removeprefix(CUT).removesuffix(CUT))
        assert (excerpt == line) == (len(line) <= most) or CUT in line
