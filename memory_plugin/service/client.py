"""Asking the service from the command line."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from typing import Any

from memory_plugin.memory import places
from memory_plugin.service import channel, installation

_ANSWER_SECONDS = 60.0
_CONNECT_SECONDS = 5.0


class ServiceError(Exception):
    """The service said no, or isn't there; the text says what to do."""


class NotRunningError(ServiceError):
    """Nobody listens on the socket."""


def call(path: str, payload: Mapping[str, Any] | None = None, timeout: float = _ANSWER_SECONDS) -> dict[str, Any]:
    """The JSON object that the service answers; GET without a payload, POST with one."""
    with _Connection(timeout) as connection:
        answer = connection.ask(path, payload)
        return _parsed(answer.read())


def stream(path: str, payload: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The JSON objects that the service sends while it works, one a line; an `error` among them is raised."""
    with _Connection(None) as connection:
        answer = connection.ask(path, payload)
        finished = False
        while line := answer.readline():
            event = _parsed(line)
            if "error" in event:
                raise ServiceError(str(event["error"]))
            finished = bool(event.get("finished"))
            yield event
        if not finished:
            raise ServiceError("The service ended before it was done. See its log, then try again.")


class _Connection(http.client.HTTPConnection):
    """HTTP over the socket of the state folder."""

    def __init__(self, timeout: float | None) -> None:
        super().__init__("memory-plugin")
        self._seconds = timeout

    def connect(self) -> None:
        self.sock = channel.connect(places.state_folder(), _CONNECT_SECONDS)
        self.sock.settimeout(self._seconds)

    def __enter__(self) -> _Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, path: str, payload: Mapping[str, Any] | None) -> http.client.HTTPResponse:
        """The answer to a request, its status checked."""
        body = None if payload is None else json.dumps(payload).encode()
        kind = {} if body is None else {"content-type": "application/json"}
        headers = {**installation.headers(), **kind, "connection": "close"}
        try:
            self.request("GET" if body is None else "POST", path, body, headers)
            answer = self.getresponse()
            if answer.status < 300:
                return answer
            raise ServiceError(_complaint(answer.read(), answer.status))
        except TimeoutError as error:
            raise ServiceError("The service did not answer in time. `memory-plugin service stop` ends it.") from error
        except (FileNotFoundError, ConnectionRefusedError) as error:
            message = "The service is not running. `memory-plugin service start` starts it."
            raise NotRunningError(message) from error
        except (OSError, http.client.HTTPException) as error:
            raise ServiceError(f"The service broke off ({error!r}). Try again; its log says more.") from error


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError as error:
        raise ServiceError("The service broke off in the middle of an answer. Try again.") from error
    if not isinstance(found, dict):
        raise ServiceError("The service answered something else than an object.")
    return found


def _complaint(body: bytes, status: int) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return f"The service answered {status}."
