from __future__ import annotations

import pytest

from memory_plugin.memory.extraction.asides import begins
from memory_plugin.memory.extraction.language import spoken_in
from memory_plugin.memory.extraction.progress import Progress


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please write a haiku about the sea", True),
        ("Convert 30 degrees to Fahrenheit", True),
        ("can you name three rivers in France?", True),
        ("What's the capital of Australia?", True),
        ("Écris-moi un poème sur la pluie", True),
        ("Quelle est la hauteur de la tour Eiffel ?", True),
        ("Write a test for the importer", False),
        ("Explain this error", False),
        ("What does `parse_prices` return?", False),
        ("Explique la fonction du module de paie", False),
        ("The sea is calm today", False),
        ("Name " + "a river and " * 30, False),
        ("", False),
    ],
)
def test_a_request_for_the_moment_is_known_by_its_form(text: str, expected: bool) -> None:
    assert begins(text, Progress(), spoken_in(text)) is expected


def test_what_the_conversation_has_spoken_of_is_never_aside() -> None:
    heard = Progress(words={"prici": (4, 0), "cider": (2, 0)})
    text = "Explain the pricing of cider"
    assert begins(text, Progress(), spoken_in(text))
    assert not begins(text, heard, spoken_in(text))


def test_a_few_words_go_on_with_an_aside_and_many_do_not() -> None:
    aside = Progress(aside=True)
    assert begins("another one, please", aside, spoken_in("another one, please"))
    assert not begins("another one, please", Progress(), spoken_in("another one, please"))
    longer = "good, and back to the importer: it should skip empty rows"
    assert not begins(longer, aside, spoken_in(longer))
