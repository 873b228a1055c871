"""The Ollama embedder through the official client, against real weights and a server that misbehaves."""

from __future__ import annotations

import socket
import threading
import time

import numpy as np
import pytest

from memory_plugin.index.embedding import EmbedderChanged, EmbedderUnavailable, Identity, Vectors, clip
from memory_plugin.index.ollama import OllamaEmbedder
from memory_plugin.memory.settings import Embedding
from tests.support.ollama_server import Model, OllamaServer, ollama_server

NOTES = [
    "Backups go to the archive bucket every night.",
    "The user prefers short answers.",
    "The API listens on port 8443.",
    "Priya owns the billing service.",
]


def _connect(ollama: OllamaServer, stored: Identity | None = None, model: str | None = None) -> OllamaEmbedder:
    return OllamaEmbedder.connect(Embedding(model=model, ollama_url=ollama.url), stored)


def _query_when_loaded(embedder: OllamaEmbedder, text: str) -> Vectors:
    for _ in range(200):
        try:
            return embedder.query(text, timeout=10)
        except EmbedderUnavailable:
            time.sleep(0.05)
    raise AssertionError("the model never loaded")


def test_documents_and_queries_meet_in_one_space(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    rows = embedder.documents(NOTES)
    assert rows.shape == (4, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert int(np.argmax(rows @ embedder.query("where do the backups go?"))) == 0
    assert int(np.argmax(rows @ embedder.query("who is responsible for billing?", timeout=60))) == 3


def test_many_texts_go_in_small_batches_and_come_back_in_order(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    texts = [f"Note number {number}." for number in range(21)]
    ollama.requests.clear()
    rows = embedder.documents(texts)
    assert [len(body["input"]) for path, body in ollama.requests if path == "/api/embed"] == [8, 8, 5]
    assert np.allclose(rows[20], embedder.documents([texts[20]])[0], atol=1e-3)
    assert ollama.embedded_texts()[:21] == texts


def test_the_model_is_kept_loaded_as_the_settings_say(ollama: OllamaServer) -> None:
    OllamaEmbedder.connect(Embedding(ollama_url=ollama.url, keep_alive="7m"), None).query("x")
    assert {body["keep_alive"] for path, body in ollama.requests if path == "/api/embed"} == {"7m"}


def test_a_model_gets_the_prefixes_of_its_card() -> None:
    with ollama_server([Model("nomic-embed-text:latest")]) as ollama:
        embedder = _connect(ollama)
        ollama.requests.clear()
        embedder.documents(["a note"])
        embedder.query("a prompt")
        assert ollama.embedded_texts() == ["search_document: a note", "search_query: a prompt"]


@pytest.mark.parametrize("text", ["", " \n", "\0\0", "\ud800"])
def test_a_text_with_nothing_in_it_is_never_sent(ollama: OllamaServer, text: str) -> None:
    embedder = _connect(ollama)
    ollama.requests.clear()
    rows = embedder.documents([text, NOTES[0], text])
    assert [bool(row.any()) for row in rows] == [False, True, False]
    assert not embedder.query(text).any()
    assert ollama.embedded_texts() == [NOTES[0]]


def test_nul_and_lone_surrogates_do_no_harm(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    rows = embedder.documents(["The API\0listens on port 8443.\udcff", NOTES[2]])
    assert float(rows[0] @ rows[1]) == pytest.approx(1.0, abs=1e-3)


# The best installed model


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        (["all-minilm:latest", "mxbai-embed-large:latest", "bge-m3:latest"], "bge-m3:latest"),
        (["nomic-embed-text:latest", "me/qwen3-embedding:0.6b"], "me/qwen3-embedding:0.6b"),
        (["nomic-embed-text:latest", "nomic-embed-text-v2-moe:latest"], "nomic-embed-text-v2-moe:latest"),
        (["my-own-embedder:latest", "all-minilm:22m"], "all-minilm:22m"),
        (["my-own-embedder:latest"], "my-own-embedder:latest"),
        (["bge-m3:cloud", "all-minilm:latest"], "all-minilm:latest"),
    ],
)
def test_the_best_installed_model_is_picked(installed: list[str], chosen: str) -> None:
    with ollama_server([Model("gemma3:1b", False, ("completion",)), *map(Model, installed)]) as ollama:
        assert _connect(ollama).identity.model == chosen


@pytest.mark.parametrize("capabilities", [(), ("completion",)])
def test_a_known_model_is_found_whatever_the_server_says_of_it(capabilities: tuple[str, ...]) -> None:
    with ollama_server([Model("gemma3:1b", False), Model("all-minilm:latest", True, capabilities)]) as ollama:
        assert _connect(ollama).identity.model == "all-minilm:latest"


def test_a_model_that_fails_its_trial_is_passed_over() -> None:
    with ollama_server([Model("bge-m3:latest", embeds=False), Model("all-minilm:latest")]) as ollama:
        assert _connect(ollama).identity.model == "all-minilm:latest"


def test_a_server_without_an_embedding_model_is_told_apart_from_an_absent_one() -> None:
    models = [Model("gemma3:1b", False, ("completion",))]
    with ollama_server(models) as ollama, pytest.raises(EmbedderUnavailable, match=r"no embedding model.*ollama pull"):
        _connect(ollama)


@pytest.mark.parametrize("name", ["all-minilm", "all-minilm:latest"])
def test_the_configured_model_is_used_with_or_without_its_tag(name: str) -> None:
    with ollama_server([Model("bge-m3:latest"), Model("all-minilm:latest")]) as ollama:
        assert _connect(ollama, model=name).identity.model == "all-minilm:latest"


def test_an_unknown_model_names_the_command_and_what_is_there(ollama: OllamaServer) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"'nope'.*`ollama pull nope`.*gemma3:270m, all-minilm:latest"):
        _connect(ollama, model="nope")


def test_a_model_that_cannot_embed_is_named(ollama: OllamaServer) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"gemma3:270m does not embed.*does not support embeddings"):
        _connect(ollama, model="gemma3:270m")


# The same model tomorrow


def test_the_stored_model_needs_no_trial(ollama: OllamaServer) -> None:
    stored = _connect(ollama).identity
    ollama.requests.clear()
    assert _connect(ollama, stored).identity == stored
    assert ollama.embedded_texts() == []


def test_another_model_under_the_same_name_is_noticed_before_it_is_mixed_in(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.pull("all-minilm")
    with pytest.raises(EmbedderChanged, match="reindex"):
        embedder.documents(NOTES)
    renewed = _connect(ollama, embedder.identity)
    assert renewed.identity.model == embedder.identity.model
    assert renewed.identity != embedder.identity


def test_a_query_notices_another_model_too(ollama: OllamaServer) -> None:
    stored = _connect(ollama).identity
    embedder = _connect(ollama, stored)
    ollama.pull("all-minilm")
    with pytest.raises(EmbedderChanged):
        embedder.query("where do the backups go?", timeout=60)


def test_a_removed_model_is_away_and_not_replaced(ollama: OllamaServer) -> None:
    stored = _connect(ollama).identity
    removed = ollama.models.pop()
    ollama.models.append(Model("bge-m3:latest"))
    embedder = _connect(ollama, stored)
    assert embedder.identity == stored
    with pytest.raises(EmbedderUnavailable, match="ollama pull all-minilm:latest"):
        embedder.documents(NOTES)
    ollama.models.append(removed)
    assert embedder.documents(NOTES).any()


def test_vectors_of_another_length_are_never_mixed_in(ollama: OllamaServer) -> None:
    true = _connect(ollama).identity
    embedder = _connect(ollama, Identity(true.provider, true.model, true.digest, 768))
    with pytest.raises(EmbedderChanged, match="384 dimensions where the index has 768"):
        embedder.documents(NOTES)


# Absent, slow, dying


def test_an_absent_server_is_said_to_be_absent(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.stop()
    for ask in (lambda: embedder.documents(NOTES), lambda: embedder.query("x"), lambda: _connect(ollama)):
        with pytest.raises(EmbedderUnavailable, match=r"does not answer.*ollama serve"):
            ask()
    ollama.start()
    assert embedder.documents(NOTES).any()


def test_a_cold_model_keeps_nobody_waiting_and_still_loads(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.cold(seconds=15)
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="still loading"):
            embedder.query("where do the backups go?", timeout=0.05)
    assert not ollama.loaded
    ollama.finish_loading()
    assert _query_when_loaded(embedder, "where do the backups go?").any()


def test_one_request_loads_a_cold_model_however_many_ask(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.cold(seconds=15)
    ollama.requests.clear()
    for _ in range(5):
        with pytest.raises(EmbedderUnavailable, match="still loading"):
            embedder.query("where do the backups go?", timeout=0)
    ollama.finish_loading()
    _query_when_loaded(embedder, "x")
    assert len(ollama.embedded_texts()) == 2


def test_a_load_of_many_seconds_is_waited_for_in_the_background_job(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.cold(seconds=15)
    threading.Timer(0.3, ollama.finish_loading).start()
    assert embedder.documents(NOTES).any(axis=1).all()


def test_a_server_that_dies_half_way_leaves_nothing_half_done(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    texts = [f"Note number {number}." for number in range(20)]
    ollama.survives = 1
    with pytest.raises(EmbedderUnavailable, match="broke off half-way"):
        embedder.documents(texts)
    with pytest.raises(EmbedderUnavailable, match="does not answer"):
        embedder.documents(texts)
    ollama.start()
    assert embedder.documents(texts).any(axis=1).all()


# Texts that the model does not take


def test_an_over_long_text_is_cut_before_it_is_sent(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.requests.clear()
    text = "Backups go to the archive bucket. " * 100_000
    assert embedder.documents([text]).any()
    assert ollama.embedded_texts() == [clip(text[:10_000], embedder.profile.max_tokens)]


def test_a_text_refused_as_too_long_is_shortened_and_its_neighbours_stay_whole(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.truncates = False
    unusual = "xqzk " * 400
    rows = embedder.documents([NOTES[0], unusual, NOTES[1]])
    assert rows.any(axis=1).all()
    assert np.allclose(rows[[0, 2]], embedder.documents([NOTES[0], NOTES[1]]), atol=1e-3)


def test_a_text_that_gives_nan_gets_a_zero_vector_and_its_neighbours_their_own(ollama: OllamaServer) -> None:
    embedder = _connect(ollama)
    ollama.makes_nan_of = "port"
    assert embedder.documents(NOTES).any(axis=1).tolist() == [True, True, False, True]


# Which server


def test_the_environment_names_the_server_unless_the_settings_do(
    ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama.url.removeprefix("http://").replace("127.0.0.1", "0.0.0.0"))
    assert OllamaEmbedder.connect(Embedding(), None).identity.provider == "ollama"
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    with pytest.raises(EmbedderUnavailable):
        OllamaEmbedder.connect(Embedding(), None)
    assert _connect(ollama).identity.provider == "ollama"


def test_no_proxy_is_asked(ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert _connect(ollama).query("x").any()


def test_no_redirect_is_followed(ollama: OllamaServer) -> None:
    with ollama_server() as elsewhere:
        ollama.canned = (302, {"Location": f"{elsewhere.url}/api/tags"}, b"")
        with pytest.raises(EmbedderUnavailable, match="refused: 302"):
            _connect(ollama)
        assert elsewhere.requests == []


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"[]", b'{"models": 5}', b'"x"', b"\xff\xfe", b""])
def test_something_else_on_that_port_is_not_taken_for_ollama(ollama: OllamaServer, body: bytes) -> None:
    ollama.canned = (200, {}, body)
    with pytest.raises(EmbedderUnavailable, match="does not speak Ollama's protocol"):
        _connect(ollama)


@pytest.mark.parametrize("body", [b"[]", b"{}", b"not json", b""])
def test_an_error_in_any_shape_is_an_unavailable_embedder(ollama: OllamaServer, body: bytes) -> None:
    ollama.canned = (500, {}, body)
    with pytest.raises(EmbedderUnavailable):
        _connect(ollama)


@pytest.mark.parametrize("url", ["http://127.0.0.1:port", "http://[::1", "ftp://127.0.0.1"])
def test_a_nonsense_address_is_reported_as_one(url: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="is not the address of an Ollama server"):
        OllamaEmbedder.connect(Embedding(ollama_url=url), None)


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EmbedderUnavailable, match="took too long"):
            OllamaEmbedder.connect(Embedding(ollama_url=url), None)
