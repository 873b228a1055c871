"""A chat model of the user's Ollama: what it is asked, and every way to get no answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.settings import Embedding, Extraction, Settings
from memory_plugin.service.chat import (
    MOST_ANSWERED,
    Answer,
    ChatRefusedError,
    ChatUnavailableError,
    OllamaChat,
    choose,
    estimate,
)
from memory_plugin.service.claude import ClaudeChat
from memory_plugin.service.grounding import read_claims, schema
from tests.support import smollm
from tests.support.ollama_server import Model, OllamaServer, ollama_server
from tests.support.reading import CHATS, answer

SCHEMA = schema(3)


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    """An Ollama with a model that chats and one that embeds."""
    with ollama_server([CHATS, Model("all-minilm:latest")]) as running:
        yield running


def ask(server: OllamaServer, model: str | None = CHATS.name, attempt: int = 0) -> Answer:
    return OllamaChat(model, Embedding(ollama_url=server.url)).ask("Extract.", "The importer é.", SCHEMA, attempt)


def test_the_answer_and_what_it_cost_by_the_models_own_count(server: OllamaServer) -> None:
    server.answers = [answer()]
    found = ask(server)
    assert (found.text, found.tokens) == (answer(), len("Extract.The importer é.") // 4 + len(answer()) // 4)


def test_the_answer_is_bounded_and_the_model_does_not_think(server: OllamaServer) -> None:
    server.answers = [answer()]
    ask(server)
    body = server.requests[-1][1]
    assert body["options"]["num_predict"] == MOST_ANSWERED
    assert body["options"]["num_ctx"] > MOST_ANSWERED + estimate("x" * 6000)
    assert (body["think"], body["stream"], body["keep_alive"]) == (False, False, "30m")
    assert body["format"] == SCHEMA


def test_a_second_attempt_is_not_the_first_one_again(server: OllamaServer) -> None:
    server.answers = [answer()] * 2
    ask(server)
    ask(server, attempt=1)
    first, second = (body["options"]["temperature"] for path, body in server.requests if path == "/api/chat")
    assert first < second


def test_a_model_may_be_named_without_its_tag(server: OllamaServer) -> None:
    server.models.append(replace(CHATS, name="reader:latest"))
    server.answers = [answer()]
    assert ask(server, "reader").text == answer()


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (None, "extraction.model names no model; installed in Ollama: reader:1b, all-minilm:latest."),
        ("", "extraction.model names no model"),
        ("absent", "`ollama pull absent` installs it; installed now: reader:1b"),
        ("all-minilm", "does not support chat"),
    ],
)
def test_a_model_that_cannot_be_asked(server: OllamaServer, model: str | None, problem: str) -> None:
    with pytest.raises(ChatUnavailableError) as raised:
        ask(server, model)
    assert problem in str(raised.value)
    assert raised.value.spent == 0


@pytest.mark.parametrize(
    ("status", "said", "of_the_question"),
    [
        (400, "the input length exceeds the context length", True),
        (500, "llama runner process has terminated: exit status 2", True),
        (400, '"reader:1b" does not support chat', False),
        (500, "model requires more system memory (5.6 GiB) than is available (3.1 GiB)", False),
        (500, "unable to load model", False),
        (404, "model 'reader:1b' not found", False),
        (503, "server busy, please try again.  maximum pending requests exceeded", False),
        (401, "unauthorized", False),
    ],
)
def test_what_is_refused_is_the_question_or_the_model(
    server: OllamaServer, status: int, said: str, of_the_question: bool
) -> None:
    class Found(OllamaChat):
        def _reachable(self) -> str:
            return server.url

    server.canned = (status, {}, json.dumps({"error": said}).encode())
    with pytest.raises(ChatUnavailableError, match="refused: ") as raised:
        Found(CHATS.name, Embedding(ollama_url=server.url)).ask("Extract.", "Text.", SCHEMA, 0)
    assert isinstance(raised.value, ChatRefusedError) is of_the_question
    assert said.strip() in str(raised.value)


def test_no_server(server: OllamaServer) -> None:
    server.stop()
    with pytest.raises(ChatUnavailableError, match="`ollama serve` starts it") as raised:
        ask(server)
    assert raised.value.spent == 0


@pytest.mark.parametrize("body", [b"{}", b"<html>", b"[]", b"null"])
def test_something_else_answers_there(server: OllamaServer, body: bytes) -> None:
    server.canned = (200, {}, body)
    with pytest.raises(ChatUnavailableError):
        ask(server)


def test_an_address_that_is_none() -> None:
    with pytest.raises(ChatUnavailableError):
        OllamaChat("x", Embedding(ollama_url="ftp://127.0.0.1:9")).ask("Extract.", "Text.", SCHEMA, 0)


def test_the_cost_is_never_guessed_too_low(server: OllamaServer) -> None:
    if not smollm.available():
        pytest.skip(smollm.MISSING)
    texts = ["The importer ships on Mondays, since staging is busy on Fridays.", "def f(x): return {x: [1, 2, 3]}"]
    texts += ["Les journaux restent quatre-vingt-dix jours, l'audit l'exige.", "データベースはポストグレスです。"]
    texts += ["{}[]();:,.<>/?'|" * 3, "Мы развернули сервис в понедельник."]
    for text in texts:
        said = smollm.complete([{"role": "user", "content": text}], None, {"num_predict": 1})
        assert said.asked <= estimate(text) + 40  # the template around it


def test_a_real_small_model_answers_by_the_schema(server: OllamaServer) -> None:
    if not smollm.available():
        pytest.skip(smollm.MISSING)
    found = ask(server)
    claims, malformed = read_claims(found.text)
    assert malformed == 0
    assert len(claims) <= 3
    assert found.tokens > 20
    assert set(json.loads(found.text)) == {"facts"}


@pytest.mark.parametrize(
    ("extraction", "name"),
    [
        (Extraction(), None),
        (Extraction("ollama", "qwen3:4b"), "ollama qwen3:4b"),
        (Extraction("claude"), "claude haiku"),
        (Extraction("claude", "sonnet"), "claude sonnet"),
    ],
)
def test_the_settings_say_who_is_asked(tmp_path: Path, extraction: Extraction, name: str | None) -> None:
    chosen: Any = choose(Settings(extraction=extraction), str(tmp_path))
    assert (chosen.name if chosen else None) == name
    assert isinstance(chosen, ClaudeChat) == (extraction.provider == "claude")
    assert list(tmp_path.iterdir()) == []
