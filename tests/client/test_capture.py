"""What a conversation leaves behind when it is compacted or ends."""

from __future__ import annotations

import pytest

from memory_plugin.memory.summary import INSTRUCTION as ASK_FOR_FACTS
from tests.client.dialogue import AUTOMATIC, DECISION, INSTRUCTION, SUMMARY_FACT, notes_in, script
from tests.support.claude import NEWEST, World
from tests.support.fake_anthropic import FakeAnthropic
from tests.support.patience import eventually


@pytest.fixture(autouse=True)
def scripted(api: FakeAnthropic) -> None:
    script(api)


def assert_remembered(world: World, project: str) -> None:
    """The decision and the instruction stand in the day's log once, and MEMORY.md points to them."""
    log, pointers = world.log(project), world.notes(project, "MEMORY.md")
    assert log.count("LanceDB") == 1, log
    assert log.count("make check") == 1, log
    assert "LanceDB" in pointers
    assert all(len(line) <= 150 for line in pointers.splitlines())


def test_a_compaction_by_hand_writes_the_decisions_down_and_reads_the_summary_once(
    world: World, api: FakeAnthropic
) -> None:
    project = world.project("orchard")
    with world.conversation(project) as talk:
        talk.say(DECISION)
        talk.say(INSTRUCTION)
        assert eventually(lambda: world.has_said("make check"))
        talk.say("/compact")
        assert_remembered(world, "orchard")  # written before the summary was asked for
        (request,) = api.summaries
        assert ASK_FOR_FACTS.strip() in request.last_text

        talk.say("Good. What is next?")
        briefing = notes_in(api.about("What is next?").text)
        assert "LanceDB" in briefing, "the briefing after a compaction brings the decision back"
    assert eventually(lambda: SUMMARY_FACT in world.log("orchard")), world.log("orchard")

    with world.conversation(project, "--resume", talk.session) as talk:
        talk.say("One more thing.")
        talk.say("/compact")
    assert_remembered(world, "orchard")
    assert world.log("orchard").count(SUMMARY_FACT) == 1


def test_an_automatic_compaction_does_the_same(world: World, api: FakeAnthropic) -> None:
    world.variables.update(AUTOMATIC)
    project = world.project("orchard")
    with world.conversation(project) as talk:
        talk.say(DECISION)
        talk.say(INSTRUCTION)
        talk.say("Fill the window.")
        talk.say("Good. What is next?")
        (request,) = api.summaries
        assert ASK_FOR_FACTS.strip() in request.last_text
        assert_remembered(world, "orchard")
        talk.say("And after that?")
    assert eventually(lambda: SUMMARY_FACT in world.log("orchard")), world.log("orchard")
    assert_remembered(world, "orchard")
    assert world.log("orchard").count(SUMMARY_FACT) == 1


def test_the_end_of_a_conversation_writes_it_down_without_a_compaction(world: World, api: FakeAnthropic) -> None:
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say(INSTRUCTION)
    assert eventually(lambda: "LanceDB" in world.notes("orchard", "MEMORY.md")), world.log("orchard")
    assert_remembered(world, "orchard")
    assert api.summaries == []


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_the_next_session_catches_up_on_a_conversation_whose_client_was_killed(
    world: World, api: FakeAnthropic
) -> None:
    project = world.project("orchard")
    with world.conversation(project) as talk:
        talk.say(DECISION)
        assert eventually(lambda: "pgvector" in world.transcripts())  # older clients write it a little later
        talk.kill()
    assert world.log("orchard") == ""
    with world.conversation(project) as talk:
        talk.say("Good morning.")
    assert world.log("orchard").count("LanceDB") == 1
    assert "LanceDB" in notes_in(api.about("Good morning.").text)


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_what_was_remembered_and_shown_is_not_captured_again(world: World, api: FakeAnthropic) -> None:
    project = world.project("orchard")
    with world.conversation(project) as talk:
        talk.say(DECISION)
        talk.say("/compact")
    with world.conversation(project) as talk:
        talk.say("Good morning.")
        assert "LanceDB" in notes_in(api.about("Good morning.").text), "the briefing shows it"
        talk.say("/compact")
    assert world.log("orchard").count("LanceDB") == 1


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_a_compaction_works_as_ever_when_the_memory_cannot_be_written(world: World, api: FakeAnthropic) -> None:
    world.memory.rmdir()
    world.memory.write_text("a file where the folder should be", encoding="utf-8")
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
        assert talk.say("Good. What is next?")[-1]["is_error"] is False
    assert len(api.summaries) == 1
    assert all(hook["exit_code"] == 0 for hook in talk.hooks())


def test_the_conversation_is_kept_with_the_clients_own_summary_of_it(world: World, api: FakeAnthropic) -> None:
    project = world.project("orchard")
    with world.conversation(project) as talk:
        talk.say(DECISION)
        assert eventually(lambda: world.has_said(DECISION[:20]))
        talk.say("/compact")
        talk.say("Good. What is next?")
    assert eventually(lambda: "ended: ended" in history(world)), history(world)
    page = history(world)
    assert DECISION in page
    assert "<!-- summary -->" in page
    assert "Good. What is next?" in page
    assert "<memory-notes>" not in page


def history(world: World) -> str:
    """The pages of the conversations that are kept."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(world.memory.glob("*/history/*.md")))
