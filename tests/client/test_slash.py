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


def assert_nothing_ran(world: World) -> None:
    assert list(world.root.rglob("canary")) == []


def test_a_fact_is_added_and_found_again_by_search_and_by_plain_words(served: World, api: FakeAnthropic) -> None:
    fact = "The staging server of the orchard is called quince."
    ask(served, api, f"/memory-plugin:memory add {fact}")
    assert served.notes("orchard").count(fact) == 1
    assert eventually(lambda: fact in ask(served, api, "/memory-plugin:memory search staging server"))
    assert eventually(lambda: fact in ask(served, api, "/memory-plugin:memory What is the staging server called?"))


def test_the_state_of_the_memory_is_told(served: World, api: FakeAnthropic) -> None:
    assert str(served.memory) in ask(served, api, "/memory-plugin:memory status")


def test_no_arguments_at_all_get_an_answer(served: World, api: FakeAnthropic) -> None:
    assert "add" in ask(served, api, "/memory-plugin:memory").partition("It answered:")[2].partition("- Notes")[0]


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_hostile_arguments_are_text_and_no_more(served: World, api: FakeAnthropic) -> None:
    for number, words in enumerate(HOSTILE):
        key = f"persimmon{number}"
        ask(served, api, f"/memory-plugin:memory add The {key} is written {words} in the notes.")
        assert_nothing_ran(served)
        assert f"The {key} is written {' '.join(words.split())} in the notes." in served.notes("orchard"), words


@pytest.mark.parametrize("words", [*HOSTILE, *CUT_OFF])
def test_whatever_the_arguments_hold_nothing_of_them_is_run(served: World, api: FakeAnthropic, words: str) -> None:
    ask(served, api, f"/memory-plugin:memory search {words}")
    assert_nothing_ran(served)


@pytest.mark.parametrize("words", CUT_OFF)
def test_a_fact_that_the_client_cut_off_is_not_added(served: World, api: FakeAnthropic, words: str) -> None:
    ask(served, api, f"/memory-plugin:memory add The quince server is {words}")
    assert "quince" not in served.notes("orchard")
    assert_nothing_ran(served)


def test_plain_memory_answers_once_the_user_asked_for_it(served: World, api: FakeAnthropic) -> None:
    script(api)
    with served.conversation(served.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
    outcome = served.launch("setup", "--slash-memory")
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert eventually(lambda: "pgvector" in ask(served, api, "/memory search vector index"))
