"""The test server is held to what a real Ollama answered."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from tests.support import smollm
from tests.support.data import data_folder
from tests.support.ollama_server import MISSING, Model, OllamaServer, available, ollama_server

# What it is asked; streams, tools, generation, pulling and the OpenAI routes are not its business.
_PATHS = ("/", "/api/version", "/api/tags", "/api/show", "/api/embed", "/api/embeddings", "/api/chat", "/api/nope")
_NOT_SPOKEN = ("chat_stream", "chat_tools_unsupported")
_VARYING = (
    *("digest", "size", "modified_at", "details", "total_duration", "load_duration", "modelfile", "model_info"),
    # of a chat with another model
    *("created_at", "content", "done_reason"),
    *("prompt_eval_duration", "eval_duration", "prompt_eval_count", "eval_count"),
)


@lru_cache(maxsize=1)
def _recorded() -> dict[str, dict[str, Any]]:
    folder = data_folder()
    path = folder / "ollama" / "ollama_transcripts.json" if folder else None
    if path is None or not path.is_file():
        return {}
    return {case["name"]: case for case in json.loads(path.read_text("utf-8"))["cases"]}


def _applicable() -> list[str]:
    spoken = [name for name in _recorded() if name not in _NOT_SPOKEN]
    return [name for name in spoken if _recorded()[name]["request"]["path"] in _PATHS]


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    """A server with the models that the recorded one had."""
    if not _recorded():
        pytest.skip("the recorded answers of a real Ollama are not here (MEMORY_PLUGIN_DATA)")
    if not available():
        pytest.skip(MISSING)
    listed = _recorded()["tags"]["response"]["models"]
    models = [
        Model(each["name"], each["details"]["family"] == "bert", tuple(each["capabilities"]), each["digest"])
        for each in listed
    ]
    with ollama_server(models) as running:
        yield running


def _ask(server: OllamaServer, request: dict[str, Any]) -> tuple[int, dict[str, str], str]:
    body = request.get("raw")
    if body is None and request["body"] is not None:
        body = json.dumps(request["body"])
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
    try:
        connection.request(request["method"], request["path"], body)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()
    finally:
        connection.close()


def _shape(value: Any, key: str = "") -> Any:
    """The answer without what differs between machines: vectors become their length."""
    match value:
        case {"__vector_len__": length}:
            return ("vector", length)
        case [float(), *_]:
            return ("vector", len(value))
        case dict():
            return {name: _shape(each, name) for name, each in value.items()}
        case list():
            return [_shape(each) for each in value]
    return type(value).__name__ if key in _VARYING else value


@pytest.mark.parametrize("name", _applicable() or ["root"])
def test_it_answers_as_the_recorded_ollama_did(server: OllamaServer, name: str) -> None:
    case = _recorded()[name]
    if case["request"]["path"] == "/api/chat" and not smollm.available():
        pytest.skip(smollm.MISSING)
    status, headers, body = _ask(server, case["request"])
    assert status == case["status"]
    assert headers["Content-Type"] == case["headers"]["Content-Type"]
    if isinstance(case["response"], str):
        # The recording of `show` is cut, so no more than its beginning can be compared.
        known = json.loads(body) if body.startswith("{") else {}
        assert all(f'"{key}": ' in case["response"] for key in list(known)[:4])
        assert known or body == case["response"]
        return
    assert ("Transfer-Encoding" in headers) == ("Transfer-Encoding" in case["headers"])
    expected, found = dict(case["response"]), json.loads(body)
    if case["request"]["path"] == "/api/tags":
        assert [each["name"] for each in found["models"]] == [each["name"] for each in expected["models"]]
        assert set(found["models"][0]) == set(expected["models"][0])
        assert [each["digest"] for each in found["models"]] == [each["digest"] for each in expected["models"]]
        return
    assert {**_shape(found), **_times(found)} == {**_shape(expected), **_times(expected)}


def _times(answer: dict[str, Any]) -> dict[str, str]:
    return {name: "int" for name in answer if name.endswith("_duration")}


def _with_vectors() -> list[str]:
    return [name for name in _applicable() if "__vector_len__" in json.dumps(_recorded()[name]["response"])]


@pytest.mark.parametrize("name", _with_vectors() or ["embed_str"])
def test_its_vectors_are_the_recorded_ones(server: OllamaServer, name: str) -> None:
    case = _recorded()[name]
    found = json.loads(_ask(server, case["request"])[2])
    expected = case["response"]
    for vector, recorded in zip(
        found.get("embeddings") or [found["embedding"]],
        expected.get("embeddings") or [expected["embedding"]],
        strict=True,
    ):
        assert vector[:3] == pytest.approx(recorded["head"], abs=2e-4)


def test_a_whole_recorded_vector_has_cosine_one(server: OllamaServer) -> None:
    whole = _recorded()["v1_embeddings_b64"]["response"]["data"][0]["embedding"]
    expected = np.frombuffer(base64.b64decode(whole), dtype="<f4")
    found = json.loads(_ask(server, _recorded()["embed_str"]["request"])[2])["embeddings"][0]
    assert float(np.dot(expected, np.asarray(found))) > 0.999


def test_a_load_given_up_by_the_client_starts_over(ollama: OllamaServer) -> None:
    ollama.cold(30)
    connection = http.client.HTTPConnection(ollama.url.removeprefix("http://"), timeout=0.1)
    connection.request("POST", "/api/embed", json.dumps({"model": "all-minilm", "input": "x"}))
    with pytest.raises(TimeoutError):
        connection.getresponse()
    connection.close()
    ollama.wait_for_cancelled_loads(1)
    assert not ollama.loaded
