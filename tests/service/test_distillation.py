"""One step after the other: what a model finds is written, and nothing that it says or does loses anything."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.events import known_sessions
from memory_plugin.memory.settings import Embedding
from memory_plugin.service import cursor
from memory_plugin.service.chat import Answer, ChatRefusedError, ChatUnavailableError, OllamaChat
from memory_plugin.service.distillation import INSTRUCTION, MOST_FAILURES, Distiller
from memory_plugin.service.grounding import InvalidAnswerError
from tests.support import smollm
from tests.support.ollama_server import OllamaServer, ollama_server
from tests.support.reading import CHATS, SAID, Flushed, answer, fact

LONG_AGO = "2020-01-01T00:00:00+00:00"


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    """An Ollama with a model that says what a test has it say."""
    with ollama_server([CHATS]) as running:
        yield running


@pytest.fixture
def flushed(tmp_path: Path) -> Flushed:
    """Extraction was switched on long ago, and nothing was said since."""
    made = Flushed(tmp_path)
    cursor.write(str(made.state), replace(cursor.begin(str(made.state)), since=LONG_AGO))
    return made


def distiller(flushed: Flushed, server: OllamaServer, daily_tokens: int = 1_000_000) -> Distiller:
    chat = OllamaChat(CHATS.name, Embedding(ollama_url=server.url))
    return Distiller(str(flushed.state), str(flushed.home), chat, daily_tokens)


def finish(reader: Distiller) -> int:
    """Step until nothing waits; how many steps that took."""
    steps = 0
    while reader.step():
        steps += 1
    return steps


def position(flushed: Flushed) -> cursor.Cursor:
    found = cursor.read(str(flushed.state))
    assert found is not None
    return found


def test_the_rules_keep_nothing_of_what_these_tests_say(flushed: Flushed) -> None:
    flushed.talk("one", *SAID)
    assert flushed.facts() == []


def test_a_grounded_fact_is_written_with_its_source_and_its_model(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[0])
    server.answers = [answer(fact("The importer chokes on semicolons inside quotes.", SAID[0], "lesson", "fails"))]
    reader = distiller(flushed, server)
    finish(reader)
    (line,) = flushed.facts()
    assert line.startswith("- **lesson** The importer chokes on semicolons inside quotes. <!-- m:")
    assert "conf=0.70" in line
    assert "src=5e55104e#00000000" in line
    assert "ollama reader:1b, session one" in flushed.log()
    assert len(known_sessions(str(flushed.home))) == 1
    assert (reader.written, reader.dropped) == (1, 0)


def test_the_model_gets_the_conversation_as_data_and_the_schema(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", *SAID[:2])
    flushed.talk("one", "noted, redis it is then for the staging sessions", role="assistant")
    server.answers = [answer()] * 2
    finish(distiller(flushed, server))
    first, second = [body for path, body in server.requests if path == "/api/chat"]
    assert first["messages"][0] == {"role": "system", "content": INSTRUCTION}
    assert json.loads(first["messages"][1]["content"]) == [{"role": "user", "text": text} for text in SAID[:2]]
    assert [each["role"] for each in json.loads(second["messages"][1]["content"])] == ["assistant"]
    assert first["format"]["properties"]["facts"]["maxItems"] == 6
    assert first["options"]["temperature"] == 0
    assert first["think"] is False


def test_what_nobody_said_is_dropped_and_counted(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    server.answers = [
        answer(
            fact("Staging keeps its sessions in memcached.", SAID[1]),
            fact("Production keeps its sessions in redis.", "production keeps its sessions in redis"),
            {"category": "gossip", "text": SAID[1], "predicate": "is", "quote": SAID[1]},
            fact("Staging keeps its sessions in redis.", SAID[1]),
        )
    ]
    reader = distiller(flushed, server)
    finish(reader)
    assert [line.split("**")[2].split("<!--")[0].strip() for line in flushed.facts()] == [
        "Staging keeps its sessions in redis."
    ]
    assert (reader.written, reader.dropped) == (1, 3)


def test_at_most_three_facts_of_an_exchange(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    texts = [
        "Staging keeps sessions in redis.",
        "The cookies grew beyond four kilobytes.",
        "Staging sessions in redis.",
    ]
    texts += ["Sessions in redis since the cookies grew.", "Redis since cookies grew beyond four kilobytes."]
    server.answers = [answer(*(fact(text, SAID[1]) for text in texts))]
    finish(distiller(flushed, server))
    assert len(flushed.facts()) == 3


def test_what_is_known_is_not_written_twice(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    flushed.talk("two", SAID[1])
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))] * 2
    finish(distiller(flushed, server))
    assert len(flushed.facts()) == 1


@pytest.mark.parametrize("torn", ['{"facts": [{"category": "project", "te', "Sure! I found two facts:", "[]"])
def test_a_torn_answer_is_asked_for_again_and_passed_by_in_the_end(
    flushed: Flushed, server: OllamaServer, torn: str
) -> None:
    flushed.talk("one", *SAID)  # two requests
    server.answers = [torn] * MOST_FAILURES + [answer(fact("Priya looks after the mailer.", SAID[3]))]
    reader = distiller(flushed, server)
    for _ in range(MOST_FAILURES):
        with pytest.raises(InvalidAnswerError):
            reader.step()
    finish(reader)
    assert [body["options"]["temperature"] > 0 for path, body in server.requests if path == "/api/chat"] == [
        *(False, True, True),
        False,
    ]
    assert len(flushed.facts()) == 1
    assert position(flushed).failures == 0


def test_a_request_that_the_model_refuses_every_time_is_passed_by_in_the_end(
    flushed: Flushed, server: OllamaServer
) -> None:
    flushed.talk("one", SAID[0])
    flushed.talk("two", SAID[1])
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))]

    class Refuses(OllamaChat):
        def ask(self, instruction: str, text: str, schema: dict[str, Any], attempt: int) -> Answer:
            if SAID[0] in text:
                raise ChatRefusedError("the model will not read this", 2000)
            return super().ask(instruction, text, schema, attempt)

    chat = Refuses(CHATS.name, Embedding(ollama_url=server.url))
    reader = Distiller(str(flushed.state), str(flushed.home), chat, 1_000_000)
    for _ in range(MOST_FAILURES):
        with pytest.raises(ChatRefusedError):
            reader.step()
    assert position(flushed).spent() == 2000 * MOST_FAILURES
    finish(reader)
    assert len(flushed.facts()) == 1
    assert position(flushed).failures == 0


def test_an_absent_server_leaves_everything_where_it_is(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    server.stop()
    before = position(flushed)
    for _ in range(MOST_FAILURES + 2):
        with pytest.raises(ChatUnavailableError, match="ollama serve"):
            distiller(flushed, server).step()
    assert position(flushed).receipts == before.receipts
    assert position(flushed).spent() == 0
    server.start()
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))]
    finish(distiller(flushed, server))
    assert len(flushed.facts()) == 1


def test_the_models_own_count_is_what_the_day_cost(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    server.answers = [answer()]
    finish(distiller(flushed, server))
    body = next(body for path, body in server.requests if path == "/api/chat")
    asked = sum(len(each["content"]) for each in body["messages"]) // 4
    assert position(flushed).spent() == asked + len(answer()) // 4


def test_nothing_is_sent_above_the_cap_and_it_goes_on_the_next_day(
    flushed: Flushed, server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = flushed.root / "clock"
    clock.write_text("2026-11-30T12:00:00+00:00")
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(clock))
    flushed.talk("one", *SAID)  # two requests
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1])), answer()]
    reader = distiller(flushed, server)
    cap = reader.chat.cost(INSTRUCTION, "x" * 600, {})  # one request, and hardly more
    capped = distiller(flushed, server, cap)
    assert capped.step() is True
    assert capped.step() is False
    assert capped.capped
    assert len(server.questions()) == 1
    assert position(flushed).spent() <= cap
    clock.write_text("2026-12-02T12:00:00+00:00")
    finish(capped)
    assert not capped.capped
    assert len(server.questions()) == 2


def test_a_request_that_no_day_has_the_tokens_for_is_passed_by(
    flushed: Flushed, server: OllamaServer, caplog: pytest.LogCaptureFixture
) -> None:
    flushed.talk("one", "データベース" * 900)  # tokens are dearer than letters here
    flushed.talk("two", SAID[1])
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))]
    reader = distiller(flushed, server)
    poor = distiller(flushed, server, reader.chat.cost(INSTRUCTION, "x" * 600, {}))
    with caplog.at_level(logging.WARNING):
        finish(poor)
    assert "passed by, one request may cost" in caplog.text
    assert len(flushed.facts()) == 1
    assert not poor.capped


def test_what_holds_in_every_project_is_written_for_every_project(flushed: Flushed, server: OllamaServer) -> None:
    said = "answers in french with short sentences suit this user best, whatever the matter"
    flushed.talk("one", said, SAID[1])
    french = fact("The user likes answers in french with short sentences best.", said, "preference", "wants")
    server.answers = [answer(french, fact("Staging keeps its sessions in redis.", SAID[1]))]
    reader = distiller(flushed, server)
    finish(reader)
    (line,) = flushed.facts()
    assert "redis" in line
    (everywhere,) = (flushed.home / "global").glob("[0-9]*.md")
    assert "answers in french" in everywhere.read_text()
    assert reader.written == 2


def test_tokens_count_even_when_the_process_dies_while_it_waits(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])

    class Dies(OllamaChat):
        def ask(self, instruction: str, text: str, schema: dict[str, Any], attempt: int) -> Answer:
            raise KeyboardInterrupt

    chat = Dies(CHATS.name, Embedding(ollama_url=server.url))
    with pytest.raises(KeyboardInterrupt):
        Distiller(str(flushed.state), str(flushed.home), chat, 1_000_000).step()
    assert position(flushed).spent() > 1000
    assert position(flushed).transcript == 0


def test_a_restart_in_the_middle_of_a_stretch_asks_for_the_rest_only(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", *SAID)  # two requests
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1])), answer()]
    assert distiller(flushed, server).step() is True
    finish(distiller(flushed, server))
    first, second = server.questions()
    assert [each["text"] for each in json.loads(first)] == list(SAID[:3])
    assert [each["text"] for each in json.loads(second)] == list(SAID[3:])
    assert len(flushed.facts()) == 1


def test_a_crash_between_writing_and_noting_it_doubles_nothing(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))] * 2
    before = position(flushed)
    finish(distiller(flushed, server))
    cursor.write(str(flushed.state), before)
    finish(distiller(flushed, server))
    assert len(server.questions()) == 2
    assert len(flushed.facts()) == 1


def test_a_stretch_whose_transcript_is_gone_is_passed_by(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[0])
    flushed.talk("two", SAID[1])
    (flushed.root / "one.jsonl").unlink()
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))]
    finish(distiller(flushed, server))
    assert len(flushed.facts()) == 1
    assert len(server.questions()) == 1


def test_a_home_that_cannot_be_written_loses_nothing(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[1])
    flushed.home.mkdir(exist_ok=True)
    flushed.home.rename(flushed.root / "away")
    flushed.home.write_text("a file where the folder should be")
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))] * 2
    with pytest.raises(OSError, match="folder"):
        distiller(flushed, server).step()
    flushed.home.unlink()
    (flushed.root / "away").rename(flushed.home)
    finish(distiller(flushed, server))
    assert len(flushed.facts()) == 1


def test_a_project_that_has_moved_keeps_its_namespace(flushed: Flushed, server: OllamaServer) -> None:
    receipt = flushed.talk("one", SAID[1])
    (flushed.project / ".git").mkdir()
    config = '[remote "origin"]\n\turl = git@example.com:team/other.git\n'
    (flushed.project / ".git" / "config").write_text(config)
    (flushed.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    server.answers = [answer(fact("Staging keeps its sessions in redis.", SAID[1]))]
    finish(distiller(flushed, server))
    written = [path for path in flushed.home.glob("*/[0-9]*.md") if "redis" in path.read_text()]
    assert [path.parent.name for path in written] == [receipt.namespace]


def test_a_real_small_model_costs_tokens_and_writes_nothing_that_was_not_said(
    flushed: Flushed, server: OllamaServer
) -> None:
    if not smollm.available():
        pytest.skip(smollm.MISSING)
    flushed.talk("one", SAID[1])
    reader = distiller(flushed, server)
    finish(reader)
    assert len(server.questions()) == 1
    assert position(flushed).spent() > 100
    assert reader.written + reader.dropped > 0
    heard = set(SAID[1].split())
    for line in flushed.facts():
        words = line.split("** ")[1].split(" <!--")[0].lower().rstrip(".").split()
        assert len(heard.intersection(words)) > len(words) / 2
