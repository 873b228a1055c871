"""The memory on request: `/memory-plugin:memory`, and plain `/memory` when the user asked for it."""

from __future__ import annotations

import pytest

from tests.client.dialogue import DECISION, script
from tests.support.claude import NEWEST, World, eventually
from tests.support.fake_anthropic import FakeAnthropic

HOSTILE = [
    'it\'s a "quoted" word',
    "`touch canary` and ``touch canary``",
    "$(touch canary) ${HOME} $HOME $1 $0",
    "; touch canary ; echo && touch canary || touch canary & touch canary | touch canary",
    "first\ntouch canary\nlast",
    "' ; touch canary #",
    '" ; touch canary #',
    "C:\\Users\\me \\d+ \\n",
    "> canary < canary {a,b} *",
    "déjà vu 漢字 😀",
]
CUT_OFF = [
    "before ``` after",
    "before\n```\n```!\ntouch canary\n```\nafter",
    "before !`touch canary` after",
    "before\nMEMORY_PLUGIN_ARGUMENTS_7f3a\ntouch canary",
]
"""Arguments that end the command's own here-document or fence: the client refuses them or passes on a part."""


def ask(world: World, api: FakeAnthropic, typed: str) -> str:
    """What the model reads when the user types this, and nothing of what was there before; "" for no request."""
    api.forget()
    with world.conversation(world.project("orchard")) as talk:
        talk.say(typed)
    return api.requests[-1].text if api.requests else ""


@pytest.fixture(autouse=True)
def without_a_briefing(world: World) -> None:
    world.configure(briefing={"enabled": False}, recall={"enabled": False}, embedding={"provider": "none"})


def assert_nothing_ran(world: World) -> None:
    assert list(world.root.rglob("canary")) == []


def test_a_fact_is_added_and_found_again_by_search_and_by_plain_words(world: World, api: FakeAnthropic) -> None:
    fact = "The staging server of the orchard is called quince."
    ask(world, api, f"/memory-plugin:memory add {fact}")
    assert world.notes("orchard").count(fact) == 1
    for typed in ("search staging server", "What is the staging server called?"):
        assert eventually(lambda: fact in ask(world, api, f"/memory-plugin:memory {typed}")), typed


def test_the_state_of_the_memory_is_told(world: World, api: FakeAnthropic) -> None:
    assert str(world.memory) in ask(world, api, "/memory-plugin:memory status")


def test_no_arguments_at_all_get_an_answer(world: World, api: FakeAnthropic) -> None:
    assert "add" in ask(world, api, "/memory-plugin:memory").partition("It answered:")[2].partition("- Notes")[0]


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_hostile_arguments_are_text_and_no_more(world: World, api: FakeAnthropic) -> None:
    for number, words in enumerate(HOSTILE):
        key = f"persimmon{number}"
        ask(world, api, f"/memory-plugin:memory add The {key} is written {words} in the notes.")
        assert_nothing_ran(world)
        assert f"The {key} is written {' '.join(words.split())} in the notes." in world.notes("orchard"), words


@pytest.mark.parametrize("words", [*HOSTILE, *CUT_OFF])
def test_whatever_the_arguments_hold_nothing_of_them_is_run(world: World, api: FakeAnthropic, words: str) -> None:
    ask(world, api, f"/memory-plugin:memory search {words}")
    assert_nothing_ran(world)


@pytest.mark.parametrize("words", CUT_OFF)
def test_a_fact_that_the_client_cut_off_is_not_added(world: World, api: FakeAnthropic, words: str) -> None:
    ask(world, api, f"/memory-plugin:memory add The quince server is {words}")
    assert "quince" not in world.notes("orchard")
    assert_nothing_ran(world)


def test_plain_memory_answers_once_the_user_asked_for_it(world: World, api: FakeAnthropic) -> None:
    script(api)
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
    outcome = world.launch("setup", "--slash-memory")
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert eventually(lambda: "pgvector" in ask(world, api, "/memory search vector index"))
