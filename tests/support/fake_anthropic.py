"""A stand-in for the Messages API on a loopback port: scripted replies, every request kept.

It speaks what Claude Code needs of the public wire format: ``POST /v1/messages`` as JSON and as
server-sent events, ``POST /v1/messages/count_tokens`` and ``GET /v1/models``.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
SUMMARY_REQUEST = "Your task is to create a detailed summary"


def strings_in(value: object) -> Iterator[str]:
    """The strings that a model reads in a message's content or a system prompt, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in ("text", "content", "input", "command"):
            yield from strings_in(value.get(key))
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)


@dataclass(frozen=True)
class Request:
    """One request as it came: the path without its query, and the JSON body."""

    path: str
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        found = self.body.get("messages")
        return found if isinstance(found, list) else []

    @property
    def text(self) -> str:
        """All that the model would read, whatever block a client version puts it in."""
        return "\n".join(strings_in([self.body.get("system"), self.messages]))

    @property
    def last_text(self) -> str:
        """The text of the last message, reminders and tool results included."""
        return "\n".join(strings_in(self.messages[-1]["content"])) if self.messages else ""

    @property
    def typed(self) -> str:
        """What the person typed last: the last user message without the client's reminders."""
        for message in reversed(self.messages):
            if message.get("role") == "user":
                return REMINDER.sub("", "\n".join(strings_in(message["content"]))).strip()
        return ""

    @property
    def asks_for_summary(self) -> bool:
        return SUMMARY_REQUEST in self.last_text


@dataclass(frozen=True)
class Reply:
    """What the model answers: text, then perhaps one tool call, or an API error instead."""

    text: str = ""
    tool: str | None = None
    tool_input: dict[str, Any] = field(default_factory=dict)
    input_tokens: int | None = None
    error: tuple[int, str, str] | None = None

    def blocks(self, number: int) -> list[dict[str, Any]]:
        content: list[dict[str, Any]] = [{"type": "text", "text": self.text}] if self.text else []
        if self.tool is not None:
            call = {"type": "tool_use", "id": f"toolu_{number:024d}", "name": self.tool}
            content.append({**call, "input": self.tool_input})
        return content


@dataclass
class Rule:
    """A reply for requests whose last message matches; ``uses`` counts down to 0, None is for ever."""

    pattern: re.Pattern[str]
    reply: Reply
    uses: int | None


class FakeAnthropic:
    """The server, running in a thread while it is used as a context manager."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._rules: list[Rule] = []
        self._numbers = itertools.count(1)
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FakeAnthropic:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def on(self, pattern: str, reply: Reply, uses: int | None = None) -> None:
        """Answer requests whose last message holds ``pattern`` (a regular expression) with ``reply``.

        The rule set last is tried first.
        """
        with self._lock:
            self._rules.insert(0, Rule(re.compile(pattern, re.DOTALL), reply, uses))

    def forget(self) -> None:
        """Drop the requests kept so far; the rules stay."""
        with self._lock:
            self._requests.clear()

    @property
    def requests(self) -> list[Request]:
        """The model calls so far, oldest first."""
        with self._lock:
            return list(self._requests)

    @property
    def summaries(self) -> list[Request]:
        """Those of them that ask for the summary of a compaction."""
        return [request for request in self.requests if request.asks_for_summary]

    def about(self, typed: str) -> Request:
        """The newest request whose last user message holds ``typed``; AssertionError when there is none."""
        for request in reversed(self.requests):
            if typed in request.typed and not request.asks_for_summary:
                return request
        raise AssertionError(f"no request about {typed!r} among {[r.typed[-80:] for r in self.requests]}")

    def receive(self, request: Request) -> tuple[Reply, dict[str, Any]]:
        """Keep the request and choose its answer: the reply, and the message that carries it."""
        with self._lock:
            self._requests.append(request)
            reply = self._choose(request)
            number = next(self._numbers)
        content = reply.blocks(number) or [{"type": "text", "text": f"Reply {number}."}]
        usage = {
            "input_tokens": reply.input_tokens or token_estimate(request.body),
            "output_tokens": 20,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        }
        message = {
            "id": f"msg_{number:024d}",
            "type": "message",
            "role": "assistant",
            "model": request.body.get("model", "fake"),
            "content": content,
            "stop_reason": "tool_use" if reply.tool else "end_turn",
            "stop_sequence": None,
            "usage": usage,
        }
        return reply, message

    def _choose(self, request: Request) -> Reply:
        for rule in self._rules:
            if rule.uses != 0 and rule.pattern.search(request.last_text):
                if rule.uses is not None:
                    rule.uses -= 1
                return rule.reply
        return Reply()


def token_estimate(body: dict[str, Any]) -> int:
    """Input tokens, guessed at four characters each."""
    return max(1, len(json.dumps([body.get(key) for key in ("system", "messages", "tools")])) // 4)


def stream_events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A whole message taken apart into the events of the streaming format, in order."""
    opening = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": opening}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            arguments = json.dumps(block["input"])
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": arguments}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: FakeAnthropic

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the output of a test run belongs to the tests."""

    def do_GET(self) -> None:
        self._send_json(200, {"data": [], "has_more": False, "first_id": None, "last_id": None})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = json.loads(self._read() or b"{}")
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send_json(200, {"input_tokens": token_estimate(body)})
            return
        if path != "/v1/messages":
            self._send_json(404, api_error("not_found_error", f"no such path: {path}"))
            return
        reply, message = self.api.receive(Request(path, body))
        if reply.error is not None:
            status, kind, explanation = reply.error
            self._send_json(status, api_error(kind, explanation))
        elif body.get("stream"):
            self._send_events(message)
        else:
            self._send_json(200, message)

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send_json(self, status: int, document: object) -> None:
        raw = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _send_events(self, message: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in stream_events(message):
            try:
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            except (BrokenPipeError, ConnectionResetError):
                return  # the client was closed in the middle of an answer


def api_error(kind: str, explanation: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": explanation}}
