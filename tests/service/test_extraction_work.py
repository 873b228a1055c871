"""The thread that has a model read along: when it works, when it waits, and what it says of itself."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.service import cursor
from memory_plugin.service.extraction_work import ExtractionWork
from tests.support.ollama_server import OllamaServer, ollama_server
from tests.support.patience import eventually
from tests.support.reading import CHATS, SAID, Flushed, answer, fact

REDIS = answer(fact("Staging keeps its sessions in redis.", SAID[1]))


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    """An Ollama with a model that says what a test has it say."""
    with ollama_server([CHATS]) as running:
        yield running


@pytest.fixture
def flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flushed:
    """Nothing was said, nothing is set, and it is the day before that on which everything will be said."""
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(tmp_path / "clock"))
    (tmp_path / "clock").write_text("2026-01-01T00:00:00+00:00")
    return Flushed(tmp_path)


def configure(flushed: Flushed, server: OllamaServer | None = None, **extraction: Any) -> None:
    embedding = {"ollama_url": server.url} if server else {}
    (flushed.root / "settings.json").write_text(json.dumps({"extraction": extraction, "embedding": embedding}))


@contextlib.contextmanager
def at_work(flushed: Flushed) -> Iterator[ExtractionWork]:
    work = ExtractionWork(str(flushed.state), str(flushed.home), first_retry=0.05)
    work.start()
    try:
        yield work
    finally:
        work.stop()
        assert eventually(lambda: not any(thread.name == "extract" for thread in threading.enumerate()))


def begun(flushed: Flushed) -> bool:
    position = cursor.read(str(flushed.state))
    return position is not None and bool(position.since)


def test_without_a_model_nothing_is_read(flushed: Flushed, server: OllamaServer) -> None:
    cursor.begin(str(flushed.state))
    flushed.talk("one", SAID[1])
    with at_work(flushed) as work:
        assert eventually(lambda: not begun(flushed))
        assert work.status() == {"provider": "none", "model": None, "tokens_today": 0, "problem": ""}
    assert server.requests == []


def test_what_is_flushed_from_then_on_is_read_and_nothing_older(flushed: Flushed, server: OllamaServer) -> None:
    flushed.talk("one", SAID[0])
    configure(flushed, server, provider="ollama", model=CHATS.name)
    server.answers = [REDIS]
    with at_work(flushed) as work:
        assert eventually(lambda: begun(flushed))
        flushed.talk("one", SAID[1])
        work.request()
        assert eventually(lambda: len(flushed.facts()) == 1)
        assert eventually(lambda: work.status()["waiting"] == 0)
        status = work.status()
    assert [each["text"] for each in json.loads(server.questions()[0])] == [SAID[1]]
    assert (status["provider"], status["model"], status["problem"]) == ("ollama", CHATS.name, "")
    assert (status["written"], status["dropped"], status["daily_tokens"]) == (1, 0, 50_000)
    assert status["tokens_today"] > 0
    assert work.worked_at > 0


def test_what_was_left_to_do_is_done_by_the_next_service(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    cursor.begin(str(flushed.state))
    flushed.talk("one", SAID[1])
    server.answers = [REDIS]
    with at_work(flushed):
        assert eventually(lambda: len(flushed.facts()) == 1)


def test_an_absent_server_is_tried_again_by_itself(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    cursor.begin(str(flushed.state))
    flushed.talk("one", SAID[1])
    server.stop()
    server.answers = [REDIS]
    with at_work(flushed) as work:
        assert eventually(lambda: "ollama serve" in work.status()["problem"])
        assert work.status()["waiting"] == 1
        server.start()
        assert eventually(lambda: len(flushed.facts()) == 1)
        assert eventually(lambda: work.status()["problem"] == "")


def test_a_model_that_is_not_installed_is_named_with_those_that_are(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model="absent")
    cursor.begin(str(flushed.state))
    flushed.talk("one", SAID[1])
    with at_work(flushed) as work:
        assert eventually(lambda: "ollama pull absent" in work.status()["problem"])
        assert CHATS.name in work.status()["problem"]
        configure(flushed, server, provider="ollama", model=CHATS.name)
        server.answers = [REDIS]
        work.request()
        assert eventually(lambda: len(flushed.facts()) == 1)


def test_answers_of_no_use_are_a_problem_until_one_is_of_use(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    cursor.begin(str(flushed.state))
    flushed.talk("one", SAID[1])
    server.answers = ["I would rather not.", REDIS]
    with at_work(flushed) as work:
        assert eventually(lambda: len(flushed.facts()) == 1)
        assert eventually(lambda: work.status()["problem"] == "")


def test_the_cap_is_said_and_kept(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name, daily_tokens=20_000)
    cursor.write(str(flushed.state), cursor.begin(str(flushed.state)).spending(19_000))
    flushed.talk("one", SAID[1])
    with at_work(flushed) as work:
        assert eventually(lambda: "goes on tomorrow" in work.status()["problem"])
        assert (work.status()["waiting"], work.status()["tokens_today"]) == (1, 19_000)
    assert server.questions() == []


def test_switched_off_it_stops_and_what_is_said_meanwhile_is_never_read(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    server.answers = [REDIS]
    with at_work(flushed) as work:
        assert eventually(lambda: begun(flushed))
        configure(flushed, server, provider="none")
        work.request()
        assert eventually(lambda: not begun(flushed))
        flushed.talk("one", SAID[0])
        configure(flushed, server, provider="ollama", model=CHATS.name)
        work.request()
        assert eventually(lambda: begun(flushed))
        flushed.talk("one", SAID[1])
        work.request()
        assert eventually(lambda: len(flushed.facts()) == 1)
    assert [json.loads(question)[0]["text"] for question in server.questions()] == [SAID[1]]


def test_a_settings_file_that_is_being_edited_switches_nothing_off(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    with at_work(flushed) as work:
        assert eventually(lambda: begun(flushed))
        whole = (flushed.root / "settings.json").read_text()
        (flushed.root / "settings.json").write_text(whole[:-5])
        work.request()
        assert eventually(lambda: "waiting" not in work.status())
        flushed.talk("one", SAID[1])
        server.answers = [REDIS]
        (flushed.root / "settings.json").write_text(whole)
        work.request()
        assert eventually(lambda: len(flushed.facts()) == 1)


def test_a_state_folder_that_cannot_be_written_ends_nothing(flushed: Flushed, server: OllamaServer) -> None:
    configure(flushed, server, provider="ollama", model=CHATS.name)
    flushed.state.write_text("a file where the folder should be")
    with at_work(flushed) as work:
        assert eventually(lambda: work.status()["problem"])
        flushed.state.unlink()
        assert eventually(lambda: begun(flushed))
