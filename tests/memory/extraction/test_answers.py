from __future__ import annotations

import pytest

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.transcript import Message, Role


def talk(*texts: str) -> list[Candidate]:
    """What the last message leaves, the user and the assistant taking turns."""
    progress, facts = Progress(), list[Candidate]()
    for number, text in enumerate(texts):
        role: Role = "assistant" if number % 2 else "user"
        message = Message(role, text, f"u{number}", "s", "2026-11-18T10:00:00Z", number)
        facts, progress = extract(message, Progress.from_json(progress.to_json()))
    return facts


@pytest.mark.parametrize(
    ("asked", "told", "answer", "expected"),
    [
        (
            "The kettle boils over. Lower the temperature.",
            "At present it heats to 98 degrees.",
            "90 degrees then. And clean it.",
            "Lower the temperature. At present it heats to 98 degrees: 90 degrees then.",
        ),
        (
            "Guests wait at the gate.",
            "How long should the gate stay open?",
            "12 seconds.",
            "How long should the gate stay open? 12 seconds.",
        ),
        (
            "We need a name for the newsletter. Candidates?",
            "Some:\n- Lantern\n- Beacon",
            "Lantern. I like it.",
            "We need a name for the newsletter. Candidates? Lantern.",
        ),
        (
            "On peut aller plus loin que la page 14 ?",
            "Oui, jusqu'à la page 18.",
            "Va pour la page 18.",
            "On peut aller plus loin que la page 14 ? Va pour la page 18.",
        ),
        (
            "Which paper?",
            "There's Fabriano and Canson.",
            "Right, Fabriano.",
            "Which paper? Right, Fabriano.",
        ),
        (
            "The slides load slowly.",
            "I'd replace the carousel with plain images: nothing moves.",
            "Do it.",
            "The slides load slowly. Decided: replace the carousel with plain images: nothing moves.",
        ),
    ],
)
def test_an_answer_in_few_words_is_kept_with_what_it_answers(asked: str, told: str, answer: str, expected: str) -> None:
    assert [(fact.category, fact.text) for fact in talk(asked, told, answer)] == [("decision", expected)]


@pytest.mark.parametrize(
    ("question", "answer", "category"),
    [
        ("Who should sign the letters, Ada or Ravi?", "Ravi.", "relationship"),
        ("How do you want the bread baked, `bake slow` or `bake fast`?", "bake slow, always.", "procedure"),
        ("Where does the printer listen, port 9100 or 9101?", "9101 then.", "reference"),
    ],
)
def test_the_question_says_what_an_answer_is(question: str, answer: str, category: str) -> None:
    [fact] = talk("Have a look at the office.", question, answer)
    assert (fact.category, question in fact.text) == (category, True)


@pytest.mark.parametrize(
    ("asked", "told", "answer"),
    [
        ("The kettle boils.", "Done, it works.", "Great. Thanks."),
        ("The kettle boils.", "Done, it works.", "Perfect."),
        ("Explain the water cycle.", "It takes 9 days on average.", "ok thanks, clear."),
        ("Is a second oven worth it, you think?", "No. I'd leave it as it is.", "ok leave it."),
        ("Add a chapter.", "Added on page 31. Shall I change both titles?", "Yes, both."),
        ("Is the door locked?", "Yes, the door is locked.", "Good."),
    ],
)
def test_thanks_and_a_leave_it_decide_nothing(asked: str, told: str, answer: str) -> None:
    assert talk(asked, told, answer) == []


def test_an_answer_that_is_stated_in_full_is_one_fact() -> None:
    facts = talk("Who waters the plants?", "Ada or Ravi could.", "Let's go with Ada because she is here every day.")
    assert [fact.text for fact in facts] == ["Let's go with Ada because she is here every day."]
