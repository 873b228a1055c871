from __future__ import annotations

import pytest

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.transcript import Message, Role


def said(*texts: str) -> list[Candidate]:
    """What the last message leaves, the user and the assistant taking turns."""
    progress, facts = Progress(), list[Candidate]()
    for number, text in enumerate(texts):
        role: Role = "assistant" if number % 2 else "user"
        facts, progress = extract(Message(role, text, f"u{number}", "s", "2026-11-18T10:00:00Z", number), progress)
    return facts


@pytest.mark.parametrize(
    "text",
    [
        "We print on Thursdays from now on. On Tuesdays the paper mill delivers and every pallet blocks the ramp.",
        "We moved the archive to the cellar. The attic was too hot for the negatives.",
        "La bibliothèque passe finalement au samedi. Le mercredi les enfants sont à la piscine et personne ne vient.",
        "We switched from vinegar to citric acid. The smell annoyed the guests.",
    ],
)
def test_the_ground_of_a_change_stays_with_it(text: str) -> None:
    assert [fact.text for fact in said(text)] == [text]


def test_the_ground_may_stand_before_the_change() -> None:
    facts = said("The old mill can't grind rye. So we switched to stone rollers.")
    assert [fact.text for fact in facts] == ["The old mill can't grind rye. We switched to stone rollers."]


@pytest.mark.parametrize("after", ["Show me the ramp.", "Does the ramp hold?", "Let me look at the ramp."])
def test_a_request_or_question_after_a_change_is_no_ground(after: str) -> None:
    assert [fact.text for fact in said(f"We switched from vinegar to citric acid. {after}")] == [
        "We switched from vinegar to citric acid."
    ]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ada takes the bakery shift from Ravi.", "relationship"),
        ("Put Ada as reviewer everywhere.", "relationship"),
        ("C'est Léo qui relit les textes maintenant.", "relationship"),
        ("The museum guide belongs to Ravi.", "relationship"),
        ("Our kiosk is on Debian as of this morning.", "reference"),
        ("Il faudra aussi qu'on passe à Debian 13.", "goal"),
        ("Somebody should clean up the labels in all the drawers.", "goal"),
        ("We have to repair the projector, but not this week.", "goal"),
        ("À prévoir : un plan de salle en braille.", "goal"),
        ("L'audioguide, on laisse tomber.", "decision"),
        ("The museum shop stays on Debian, we stay with the old tills.", "decision"),
        ("Projector fixed, thanks.", "event"),
    ],
)
def test_what_a_change_is_decides_where_it_is_kept(text: str, category: str) -> None:
    assert [fact.category for fact in said(text)] == [category]


@pytest.mark.parametrize(
    "text",
    [
        "Don't change anything.",
        "Only the cellar, don't touch anything else.",
        "Please don't touch the code yet.",
        "See you tomorrow.",
        "Next week or so.",
        "No idea, never was a problem.",
        "N'y touche pas.",
        "À demain !",
        "all done, thanks",
        "The loan of a book is 14 days if I remember well.",
    ],
)
def test_what_is_meant_for_this_moment_is_no_fact(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("I think the projector overheats. We have to look into it, not now, the guests wait.",),
            "The projector overheats. We have to look into it, not now, the guests wait.",
        ),
        (
            ("Ada is drowning in tours, so Léo runs the museum shop from her office. Ask Léo from now on.",),
            "Ask Léo from now on.",
        ),
        (
            ("The projector went dark again. I thought it was solved.", "I looked.", "It wasn't fixed, open it again."),
            "The projector went dark again. I thought it was solved. It wasn't fixed, open it again.",
        ),
        (
            ("How much may a reader order?", "The settings don't say.", "It's 12 requests per day."),
            "How much may a reader order? It's 12 requests per day.",
        ),
        (
            ("They want receipts on paper too, so we still have to order a second printer.",),
            "We still have to order a second printer.",
        ),
    ],
)
def test_a_fact_names_its_thing(texts: tuple[str, ...], expected: str) -> None:
    facts = [fact.text for fact in said(*texts)]
    assert len(facts) == 1
    assert facts[0].endswith(expected)


def test_a_task_that_names_nothing_is_none() -> None:
    assert said("We have to fix that, later.") == []


def test_a_sentence_that_goes_on_about_the_one_before_is_one_fact_with_it() -> None:
    facts = said("Ada took the tours over from Ravi this week. He must not be asked any more.")
    assert len(facts) == 1
