"""The whole way: hooks flush, the service has a model read along, the prompt finds what it found."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memory_plugin.memory.flush import flush_transcript
from memory_plugin.service import client
from tests.support.ollama_server import OllamaServer, ollama_server
from tests.support.patience import eventually
from tests.support.reading import CHATS, SAID, answer, fact
from tests.support.service import Sandbox
from tests.support.transcripts import conversation

FOUND = "Priya looks after the mailer and answers in the channel named post."


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    """An Ollama with a model that says what a test has it say."""
    with ollama_server([CHATS]) as running:
        yield running


def test_what_a_model_found_in_a_flush_comes_with_a_prompt(
    sandbox: Sandbox, server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = sandbox.folder / "clock"
    clock.write_text("2026-01-01T00:00:00+00:00")
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(clock))
    server.answers = [answer(fact(FOUND, SAID[3]))]
    sandbox.configure(
        embedding={"provider": "none", "ollama_url": server.url}, extraction={"provider": "ollama", "model": CHATS.name}
    )
    sandbox.start()
    assert eventually(lambda: client.call("/status")["extraction"].get("waiting") == 0)
    flush_transcript(str(conversation(sandbox.folder / "t.jsonl", [SAID[3]], cwd=sandbox.project)), trigger="test")
    client.call("/sync", {})
    assert eventually(lambda: client.call("/status")["extraction"]["written"] == 1), json.dumps(client.call("/status"))
    assert eventually(lambda: FOUND in sandbox.context("Who looks after the mailer?"))


def test_without_a_model_the_service_has_none(sandbox: Sandbox) -> None:
    sandbox.start()
    expected = {"provider": "none", "model": None, "tokens_today": 0, "problem": ""}
    assert client.call("/status")["extraction"] == expected
