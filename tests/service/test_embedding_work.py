"""Vectors in the background: prompts never wait for them, and they come when the embedder does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.service import client
from tests.support.ollama_server import Model, OllamaServer
from tests.support.patience import eventually
from tests.support.service import Sandbox

NOTES = """\
- Backups go to the archive bucket every night.
- The user prefers short answers.
- The API listens on port 8443.
- Priya owns the billing service.
- We deploy to staging with `make ship`.
"""


def embedder() -> dict[str, Any]:
    found: dict[str, Any] = client.call("/status")["embedder"]
    return found


def has_vectors() -> bool:
    status = client.call("/status")
    return status.get("without_vector") == 0 and status["embedder"]["search"] == "keywords and vectors"


@pytest.fixture
def noted(sandbox: Sandbox) -> Sandbox:
    """A home with notes."""
    (sandbox.home / "2026-11-30.md").write_text(NOTES)
    return sandbox


def use_ollama(sandbox: Sandbox, url: str) -> None:
    sandbox.configure(embedding={"provider": "ollama", "ollama_url": url})


def vector_of(query: str) -> float | None:
    """How near the first note found is by vector; None when none was compared."""
    found = client.call("/search", {"query": query, "limit": 1})["notes"][0]["vector"]
    return None if found is None else float(found)


def test_text_is_found_first_and_vectors_follow(noted: Sandbox, ollama: OllamaServer) -> None:
    use_ollama(noted, ollama.url)
    ollama.cold(600)
    noted.start()
    client.call("/sync", {})
    assert "8443" in noted.context("Which port does the API listen on?")
    assert embedder()["search"] == "keywords only"
    assert embedder()["problem"]
    ollama.finish_loading()
    assert eventually(has_vectors)
    assert embedder()["model"] == "all-minilm:latest"
    assert embedder()["problem"] == ""
    assert vector_of("billing") is not None


def test_a_prompt_is_answered_while_the_embedder_hangs(noted: Sandbox, ollama: OllamaServer) -> None:
    use_ollama(noted, ollama.url)
    noted.start()
    assert eventually(has_vectors)
    ollama.cold(600)
    assert "8443" in noted.context("Which port does the API listen on?")
    assert embedder()["search"] == "keywords only"
    started = time.monotonic()
    assert "make ship" in noted.context("How do we deploy to staging?")
    # Not a speed limit: the first prompt waited for the vector, this one must not have been made to.
    assert time.monotonic() - started < 60
    ollama.finish_loading()
    assert eventually(has_vectors)


def test_an_ollama_that_goes_and_comes_back_is_used_again(noted: Sandbox, ollama: OllamaServer) -> None:
    use_ollama(noted, ollama.url)
    noted.start()
    assert eventually(has_vectors)
    ollama.stop()
    assert client.call("/search", {"query": "billing"})["degraded"] is True
    assert eventually(lambda: "ollama serve" in embedder()["problem"])
    with (noted.home / "2026-11-30.md").open("a") as stream:
        stream.write("- The mascot is a heron.\n")
    assert "heron" in client.call("/search", {"query": "mascot"})["notes"][0]["text"]
    ollama.start()
    assert eventually(has_vectors)
    assert client.call("/search", {"query": "billing"})["degraded"] is False


def test_another_model_under_the_same_name_is_a_rebuild(noted: Sandbox, ollama: OllamaServer) -> None:
    use_ollama(noted, ollama.url)
    noted.start()
    assert eventually(has_vectors)
    ollama.pull("all-minilm")
    asked = len(ollama.embedded_texts())
    (noted.home / "2026-11-29.md").write_text("- The mascot is a heron.\n")
    assert eventually(lambda: has_vectors() and len(ollama.embedded_texts()) >= asked + 6)


def test_without_any_embedder_there_is_keyword_search_and_a_reason(noted: Sandbox) -> None:
    use_ollama(noted, "http://127.0.0.1:9")
    noted.start()
    client.call("/sync", {})
    assert "8443" in noted.context("Which port does the API listen on?")
    assert eventually(lambda: "ollama serve" in embedder()["problem"])
    assert embedder()["search"] == "keywords only"


def test_switched_off_says_so(noted: Sandbox) -> None:
    noted.start()
    assert eventually(lambda: "switched off" in embedder()["problem"])
    assert embedder()["provider"] is None


def test_the_setting_switches_a_running_service(noted: Sandbox, ollama: OllamaServer) -> None:
    noted.start()
    client.call("/sync", {})
    use_ollama(noted, ollama.url)
    client.call("/sync", {})
    assert eventually(has_vectors)
    assert embedder()["provider"] == "ollama"


def test_reindex_switches_the_embedder_and_embeds_everything_anew(noted: Sandbox, ollama: OllamaServer) -> None:
    ollama.models.append(Model("second-minilm:latest"))
    noted.configure(embedding={"provider": "auto", "ollama_url": ollama.url})
    noted.start()
    assert eventually(has_vectors)
    assert embedder()["model"] == "all-minilm:latest"
    *progress, result = client.stream("/reindex", {"embedder": "ollama:second-minilm"})
    assert {"stage": "vectors", "done": 5, "total": 5} in progress
    assert (result["embedded"], result["problems"]) == (5, [])
    assert embedder()["model"] == "second-minilm:latest"
    client.call("/stop", {})
    assert eventually(lambda: not Path(noted.state, "service.lock").exists())
    noted.start()
    assert eventually(has_vectors)
    assert embedder()["model"] == "second-minilm:latest"


def test_the_built_in_model_finds_what_no_word_says(noted: Sandbox) -> None:
    noted.configure(embedding={"provider": "builtin"})
    noted.start()
    assert eventually(has_vectors)
    found = client.call("/search", {"query": "qui est responsable de la facturation ?", "limit": 1})["notes"]
    assert "Priya" in found[0]["text"]
