"""What the service answers, over HTTP: the hook's prompts, and the command line's questions."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from memory_plugin.memory.doorbell import LARGEST_INPUT, PROMPT
from memory_plugin.memory.hooks import HOOKS
from memory_plugin.service import installation
from memory_plugin.service.library import Library, NotReadyError
from memory_plugin.service.prompts import Event, Prompts, parse_event
from memory_plugin.service.sessions import Declined, Sessions
from memory_plugin.service.timings import Timings

HOOK_SECONDS = 1.5  # the hook itself gives up after two
_log = logging.getLogger(__name__)
_Endpoint = Callable[[Request], Awaitable[Response]]


class RefusedError(Exception):
    """A request that can't be answered: an HTTP status, and what to do."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def create(library: Library, stop: Callable[[], None]) -> Starlette:
    """The application around a library; `stop` ends the service and is called in the event loop."""
    return _Application(library, stop).starlette()


class _Application:
    def __init__(self, library: Library, stop: Callable[[], None]) -> None:
        self.library = library
        self.stop = stop
        self.prompts = Prompts(library)
        # Prompts have threads of their own: a search from the command line never makes one wait.
        self.prompt_threads = ThreadPoolExecutor(4, "prompt")
        # So have sessions: what they write waits for other writers.
        self.session_threads = ThreadPoolExecutor(4, "session")
        self.sessions = Sessions(library.state, self.session_threads)
        self.timings = Timings()

    def starlette(self) -> Starlette:
        endpoints: dict[str, tuple[str, _Endpoint]] = {
            f"/hook/{PROMPT}": ("POST", self.hook_prompt),
            **{f"/hook/{hook}": ("POST", partial(self.hook_session, hook)) for hook in HOOKS},
            "/hello": ("GET", self.hello),
            "/status": ("GET", self.status),
            "/stop": ("POST", self.stop_service),
            "/search": ("POST", self.search),
            "/recall": ("POST", self.recall),
            "/history": ("POST", self.history),
            "/note": ("POST", self.note),
            "/sync": ("POST", self.sync),
            "/scrub": ("POST", self.scrub),
            "/mend": ("POST", self.mend),
            "/reindex": ("POST", self.reindex),
        }
        return Starlette(routes=[Route(path, _guarded(do), methods=[verb]) for path, (verb, do) in endpoints.items()])

    async def hook_prompt(self, request: Request) -> Response:
        """The hook's standard input in, its standard output out; 204 when nothing is to be said."""
        body = await _body(request)
        if not self.library.installation.serves(request.headers):
            # The next prompt finds nobody and starts the service that it needs.
            return Response(status_code=204, background=BackgroundTask(self._stop_soon))
        event = parse_event(body, _project(request))
        if event is None:
            return Response(status_code=204)
        with self.library.asked(), self.timings.measured(PROMPT):
            answer = await self._context(event)
        afterwards = BackgroundTask(self.prompts.afterwards, event)
        if not answer:
            return Response(status_code=204, background=afterwards)
        return Response(hook_output(answer), media_type="application/json", background=afterwards)

    async def _context(self, event: Event) -> str:
        loop = asyncio.get_running_loop()
        deadline = time.monotonic() + HOOK_SECONDS
        answer = loop.run_in_executor(self.prompt_threads, self.prompts.context, event, deadline)
        try:
            return await asyncio.wait_for(answer, HOOK_SECONDS)
        except (asyncio.TimeoutError, TimeoutError):
            _log.warning("a prompt was not answered within %s s", HOOK_SECONDS)
        except NotReadyError as error:
            _log.info("a prompt was not answered: %s", error)
        except Exception:
            _log.exception("a prompt was not answered")
        return ""

    async def hook_session(self, hook: str, request: Request) -> Response:
        """As hook_prompt, for the hooks that can do without a service: 503 when they are to."""
        body = await _body(request)
        if not self.library.installation.serves(request.headers):
            return Response(status_code=503, background=BackgroundTask(self._stop_soon))
        loop = asyncio.get_running_loop()
        try:
            with self.library.asked(), self.timings.measured(hook):
                work = loop.run_in_executor(self.session_threads, self.sessions.answer, hook, body, _project(request))
                answer = await asyncio.wait_for(work, HOOK_SECONDS)
        except Declined:
            return Response(status_code=503)
        except (asyncio.TimeoutError, TimeoutError):
            _log.warning("%s was not done within %s s, and is left to the hook", hook, HOOK_SECONDS)
            return Response(status_code=503)
        except Exception:
            _log.exception("%s is left to the hook", hook)
            return Response(status_code=503)
        return Response(answer, media_type="text/plain") if answer else Response(status_code=204)

    async def _stop_soon(self) -> None:
        _log.info("ends because a client of another version, home or settings called")
        self.stop()

    async def hello(self, request: Request) -> Response:
        """Whether this is the caller's service."""
        return JSONResponse({"yours": self.library.installation.serves(request.headers)})

    async def status(self, request: Request) -> Response:
        """How the service and its index are."""
        # Not a question: a display that polls must not keep the service alive.
        found = await asyncio.to_thread(self.library.status)
        return JSONResponse({**found, "hooks": self.timings.status()})

    async def stop_service(self, request: Request) -> Response:
        """End the service once this is answered."""
        await _body(request)  # whoever is still sending when the connection closes never sees the answer
        return JSONResponse({"stopping": True}, background=BackgroundTask(self._stop_soon_asked))

    async def _stop_soon_asked(self) -> None:
        self.stop()

    async def search(self, request: Request) -> Response:
        payload = await self._payload(request)
        return JSONResponse(await self._in_thread(self.prompts.search, payload))

    async def recall(self, request: Request) -> Response:
        payload = await self._payload(request)
        return JSONResponse(await self._in_thread(self.prompts.explain, payload))

    async def history(self, request: Request) -> Response:
        payload = await self._payload(request)
        return JSONResponse(await self._in_thread(self.prompts.history, payload))

    async def note(self, request: Request) -> Response:
        payload = await self._payload(request)
        return JSONResponse(await self._in_thread(self.prompts.named, payload))

    async def sync(self, request: Request) -> Response:
        await self._payload(request)
        return JSONResponse(await self._in_thread(self.library.sync_now))

    async def scrub(self, request: Request) -> Response:
        await self._payload(request)
        return JSONResponse(await self._in_thread(self.library.scrub))

    async def mend(self, request: Request) -> Response:
        await self._payload(request)
        return JSONResponse(await self._in_thread(self.library.mend))

    async def reindex(self, request: Request) -> Response:
        """Lines of JSON while the index is brought up to date; the last one has `finished`."""
        payload = await self._payload(request)
        return StreamingResponse(self._progress(payload), media_type="application/x-ndjson")

    async def _progress(self, payload: dict[str, Any]) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def report(event: dict[str, Any] | None) -> None:
            loop.call_soon_threadsafe(events.put_nowait, event)

        def work() -> None:
            try:
                rebuild, embedder = bool(payload.get("rebuild")), payload.get("embedder")
                result = self.library.reindex(report, rebuild=rebuild, embedder=str(embedder) if embedder else None)
                report({**result, "finished": True})
            except Exception as error:
                _log.exception("reindex failed")
                report({"error": describe(error)})
            finally:
                report(None)

        working = loop.run_in_executor(None, work)
        with self.library.asked():
            while (event := await events.get()) is not None:
                yield json.dumps(event) + "\n"
            await working

    async def _payload(self, request: Request) -> dict[str, Any]:
        """The JSON object of a request from the command line, which must be of this plugin and home."""
        body = await _body(request)
        if not self.library.installation.serves(request.headers):
            raise RefusedError(
                409, "This service is of another version or home. `memory-plugin service stop` ends it; then try again."
            )
        try:
            payload = json.loads(body)
        except ValueError:
            payload = None
        if not isinstance(payload, dict):
            raise RefusedError(400, "The request must be one JSON object.")
        return payload

    async def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        with self.library.asked():
            return await asyncio.get_running_loop().run_in_executor(None, work, *arguments)


def hook_output(context: str) -> str:
    """What the hook prints, on one line of ASCII, so that no console's encoding can break it."""
    return (
        json.dumps({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": context}}) + "\n"
    )


def describe(error: BaseException) -> str:
    """An error as a sentence for the person at the command line."""
    text = " ".join(str(error).split())
    return text if text.endswith((".", "`")) else f"{type(error).__name__}: {text}. The service's log says more."


def _project(request: Request) -> str:
    """The folder that the hook's client was started in, "" when it did not say."""
    return installation.unescape(request.headers.get(installation.PROJECT_HEADER, ""))


async def _body(request: Request) -> bytes:
    """The request's body, refused as soon as it is known to be too long."""
    declared = request.headers.get("content-length", "0")
    size, parts = 0, []
    if declared.isdecimal() and int(declared) > LARGEST_INPUT:
        raise RefusedError(413, f"The request is longer than {LARGEST_INPUT} bytes.")
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_INPUT:
            raise RefusedError(413, f"The request is longer than {LARGEST_INPUT} bytes.")
        parts.append(part)
    return b"".join(parts)


def _guarded(endpoint: _Endpoint) -> _Endpoint:
    """The endpoint with its errors answered as JSON. (Starlette's own handlers log a traceback three times over.)"""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except RefusedError as error:
            # What is left of the request is not read, so the connection can't serve another.
            return JSONResponse({"error": str(error)}, error.status, {"connection": "close"})
        except NotReadyError as error:
            return JSONResponse({"error": str(error)}, 503)
        except Exception as error:
            _log.exception("%s failed", request.url.path)
            return JSONResponse({"error": describe(error)}, 500)

    return answer
