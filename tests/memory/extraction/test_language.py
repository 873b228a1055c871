from __future__ import annotations

import re

import pytest

from memory_plugin.memory.extraction.language import LANGUAGES, Language, Speech, small, spoken_in, straight
from memory_plugin.memory.extraction.languages.table import LanguageCues
from tests.memory.extraction.cases import STATED
from tests.memory.extraction.changes import CHANGED
from tests.memory.extraction.typed import CLOSINGS, REPORTED, TASKS
from tests.support.examples import examples


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("we go with SQLite, because the pilot runs on one server", "decision"),
        ("pour les paiements on part sur Mollie plutôt que Stripe", "decision"),
        ("on garde Symfony plutôt que Laravel, car l'équipe le connaît", "decision"),
        ("the staging server is staging.example.net, port 8123, and Nadia owns the DNS.", "reference"),
        ("the staging key is in the vault of the team", "reference"),
        ("answer me in French please", "preference"),
        ("Nadia owns the DNS", "relationship"),
        ("It runs on db1.example.net", "reference"),
    ],
)
def test_the_strongest_cue_decides_what_a_sentence_is(text: str, category: str) -> None:
    cue = spoken_in(text).stated_cue(text)
    assert cue is not None
    assert cue.category == category


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OK, so we use tabs", "we use tabs"),
        ("Great. Now, we use tabs", "We use tabs"),
        ("Bon, alors on garde les tabulations", "On garde les tabulations"),
        ("ok", "ok"),
    ],
)
def test_words_that_carry_nothing_are_taken_off_the_start(text: str, expected: str) -> None:
    assert spoken_in(text).without_openers(text).lower() == expected.lower()


@pytest.mark.parametrize(
    ("answer", "number"),
    [("the second one", 2), ("B", 2), ("option 3", 3), ("la deuxième", 2), ("perhaps", 0), ("²", 0)],
)
def test_the_option_that_an_answer_picks(answer: str, number: int) -> None:
    assert spoken_in(answer).chosen_option(answer) == number


def test_curly_quotes_and_narrow_spaces_are_made_plain() -> None:
    assert straight("l’équipe\u202f: «\u00a0oui\u00a0»") == "l'équipe : « oui »"


@pytest.mark.parametrize("table", LANGUAGES)
def test_the_words_of_a_cue_hold_back_no_sentence_that_its_pattern_means(table: LanguageCues) -> None:
    said = [case[0].lower() for case in (*CHANGED, *TASKS, *CLOSINGS, *REPORTED, *STATED)]
    for cue in (*table.stated, *table.noted, *table.found, *table.reported):
        pattern = re.compile(cue.pattern, re.IGNORECASE)
        meant = [sentence for sentence in said if pattern.search(sentence)] if cue.words else []
        assert [sentence for sentence in meant if not any(word in sentence for word in cue.words.split("|"))] == []
        assert cue.words == cue.words.lower()


@pytest.mark.parametrize("table", LANGUAGES)
def test_every_text_that_a_cue_means_is_looked_at(table: LanguageCues) -> None:
    for cue in (*table.stated, *table.noted, *table.found, *table.reported):
        speech = Speech([Language(LanguageCues(stated=(cue,)))])
        flags = re.IGNORECASE if "(?-i:" in cue.pattern else 0
        meant = [straight(text) for text in examples(cue.pattern, flags, rounds=8)]
        meant = [text for text in meant if re.search(cue.pattern, text if flags else text.lower(), flags)]
        assert len(meant) > 8, cue
        assert [text for text in meant if speech.stated_cue(text) is None] == [], cue


def test_a_text_in_small_letters_is_as_long_as_it_was() -> None:
    assert small("Grüße AUS İzmir") == "grüße aus İzmir"
    assert small("OK") == "ok"


@pytest.mark.parametrize("table", LANGUAGES)
def test_a_pattern_that_minds_no_capitals_is_written_in_small_letters(table: LanguageCues) -> None:
    for row in (*table.stated, *table.noted, *table.found, *table.reported):
        assert not re.search(r"\(\d+, \d+\)", row.pattern), "a repeat in an f-string is written {{3,60}}"
        if "(?-i:" not in row.pattern:
            letters = row.pattern.replace("\\W", "").replace("\\S", "").replace("\\D", "")
            assert letters == letters.lower(), row
