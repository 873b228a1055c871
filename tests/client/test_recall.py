"""What a later conversation of the same project gets, and what it does not."""

from __future__ import annotations

import pytest

from tests.client.dialogue import DECISION, OTHER_DECISION, notes_in, script
from tests.support.claude import NEWEST, World
from tests.support.fake_anthropic import FakeAnthropic
from tests.support.patience import eventually

QUESTION = "Remind me why the vector index is not kept in pgvector?"
OFF_TOPIC = "Please write a haiku about the sea at dawn in October."
QUIET = {"briefing": {"enabled": False}, "embedding": {"provider": "none"}}
ATTEMPTS = 5
"""A prompt gets nothing when recall misses its deadline, which a busy machine may make it do."""


@pytest.fixture(autouse=True)
def scripted(api: FakeAnthropic) -> None:
    script(api)


def remember(world: World, project: str, sentence: str, key: str) -> None:
    """A conversation in which this was decided, over and indexed; later ones leave nothing behind."""
    world.configure(**QUIET)
    folder = world.project(project)
    with world.conversation(folder) as talk:
        talk.say(sentence)
        assert eventually(lambda: world.has_said(key))
        talk.say("/compact")
    assert key in world.log(project)
    assert eventually(lambda: key in world.launch("search", key, "--json", folder=folder).stdout)
    world.configure(**QUIET, capture={"enabled": False})


def test_a_question_gets_the_note_that_answers_it_and_nothing_of_another_project(
    served: World, api: FakeAnthropic
) -> None:
    remember(served, "vineyard", OTHER_DECISION, "Elasticsearch")
    remember(served, "orchard", DECISION, "LanceDB")
    for _ in range(ATTEMPTS):
        with served.conversation(served.project("orchard")) as talk:
            talk.say(OFF_TOPIC)
            talk.say(QUESTION)
        off_topic, question = api.about(OFF_TOPIC), api.about(QUESTION)
        assert "memory-notes" not in off_topic.text
        assert "LanceDB" not in off_topic.text
        assert "Elasticsearch" not in question.text
        if notes_in(question.text):
            break
    assert "LanceDB" in notes_in(question.text)


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_a_note_is_given_once_in_a_conversation(served: World, api: FakeAnthropic) -> None:
    remember(served, "orchard", DECISION, "LanceDB")
    for _ in range(ATTEMPTS):
        with served.conversation(served.project("orchard")) as talk:
            talk.say(QUESTION)
            talk.say(f"Again: {QUESTION.lower()}")
        again = api.about("Again:")
        if notes_in(again.text):
            break
    assert notes_in(again.text).count("LanceDB") == 1


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_a_new_session_is_told_what_the_project_decided(world: World, api: FakeAnthropic) -> None:
    with world.conversation(world.project("vineyard")) as talk:
        talk.say(OTHER_DECISION)
        talk.say("/compact")
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
    with world.conversation(world.project("orchard")) as talk:
        talk.say("Good morning.")
    request = api.about("Good morning.")
    assert "LanceDB" in notes_in(request.text)
    assert "Elasticsearch" not in request.text


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_a_fresh_user_gets_no_notes_at_all(world: World, api: FakeAnthropic) -> None:
    with world.conversation(world.project("orchard")) as talk:
        talk.say("Good morning.")
    assert "memory-notes" not in api.about("Good morning.").text
