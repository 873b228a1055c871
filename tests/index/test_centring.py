"""Vectors seen from the middle of what anyone may say."""

from __future__ import annotations

import numpy as np
import pytest

from memory_plugin.index.centring import Centre, centre_of
from tests.support.words_embedder import WordsEmbedder


@pytest.fixture(scope="module")
def centre() -> Centre:
    return centre_of(WordsEmbedder())


def test_a_centre_reads_back_what_it_wrote(centre: Centre) -> None:
    again = Centre.from_json(centre.to_json())
    assert np.array_equal(again.notes, centre.notes)
    assert np.array_equal(again.prompts, centre.prompts)
    assert again.unit == centre.unit


def test_centred_vectors_have_length_one_and_nothing_stays_nothing(centre: Centre) -> None:
    vectors = WordsEmbedder().documents(["The server restarts.", ""])
    assert np.linalg.norm(centre.of_notes(vectors), axis=1) == pytest.approx([1, 0])
    assert np.linalg.norm(centre.of_prompt(vectors[0])) == pytest.approx(1)
    assert not centre.of_prompt(vectors[1]).any()


def test_the_unit_is_the_cosine_of_a_note_with_its_prompt(centre: Centre) -> None:
    assert 0.05 < centre.unit < 1


@pytest.mark.parametrize("text", ["", "null", "[1, 2]", '["", "", 1]x', "{}"])
def test_what_is_no_centre_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        Centre.from_json(text)
