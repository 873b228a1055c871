"""uvicorn on the service's socket: for this user's processes only, without its signal handling and its ticking."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Generator
from typing import cast

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from memory_plugin.service import channel

_SHUTDOWN_SECONDS = 2
_log = logging.getLogger(__name__)


class OwnPeersOnly(H11Protocol):
    """HTTP for connections from this user's processes; any other is dropped before it says a word."""

    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = cast(socket.socket, transport.get_extra_info("socket"))
        if not channel.is_own(peer):
            _log.warning("refused a connection of user id %s", channel.peer_uid(peer))
            self._refused = True
            transport.abort()
        else:
            super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._refused:
            super().connection_lost(exc)


class QuietServer(Server):
    """A server that sleeps until `stop()`, where uvicorn's wakes ten times a second."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            Config(
                app,
                http=OwnPeersOnly,
                ws="none",
                lifespan="off",
                loop="asyncio",
                access_log=False,
                log_config=None,
                proxy_headers=False,
                date_header=False,
                server_header=False,
                timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            )
        )
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Let `serve` end; from the event loop's thread."""
        self.should_exit = True
        self._stopping.set()

    async def main_loop(self) -> None:
        await self._stopping.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals to the lifecycle: uvicorn raises them again after its shutdown, which skips ours."""
        yield
