"""The socket between the service and its clients."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from memory_plugin.memory import places
from memory_plugin.service import channel
from memory_plugin.service.server import QuietServer

NOBODY = 65534
ASK = (
    "import os, socket, sys; os.setuid(int(sys.argv[2]))\n"
    "s = socket.socket(socket.AF_UNIX); s.settimeout(30); s.connect(sys.argv[1])\n"
    "try:\n"
    "    s.sendall(b'GET / HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n'); print(s.recv(100))\n"
    "except (ConnectionResetError, BrokenPipeError): print(b'')"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "state")


def test_a_process_of_the_same_user_is_own(folder: str) -> None:
    with channel.listen(folder) as listener, channel.connect(folder, 5) as here, listener.accept()[0] as there:
        assert channel.peer_uid(here) == channel.peer_uid(there) == os.getuid()
        assert channel.is_own(there)


def test_a_process_of_another_user_is_not(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with channel.listen(folder) as listener, channel.connect(folder, 5), listener.accept()[0] as there:
        monkeypatch.setattr(os, "getuid", lambda: 4711)
        assert not channel.is_own(there)


def test_a_client_speaks_to_no_other_users_service(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with channel.listen(folder):
        monkeypatch.setattr(os, "getuid", lambda: 4711)
        with pytest.raises(PermissionError, match="another user"):
            channel.connect(folder, 5)


def test_what_is_no_socket_is_nobodys_own() -> None:
    left, right = socket.socketpair(socket.AF_UNIX)
    left.close()
    right.close()
    assert channel.peer_uid(right) is None
    assert not channel.is_own(right)


def test_nobody_listening_is_an_oserror(folder: str) -> None:
    with pytest.raises(FileNotFoundError):
        channel.connect(folder, 5)
    channel.listen(folder).close()
    with pytest.raises(ConnectionRefusedError):
        channel.connect(folder, 5)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(("user", "answer"), [(0, "b'HTTP/1.1 200 OK"), (NOBODY, "b''")])
def test_another_users_request_is_dropped_unheard(folder: str, user: int, answer: str) -> None:
    heard: list[str] = []

    async def hello(request: Request) -> PlainTextResponse:
        heard.append(request.url.path)
        return PlainTextResponse("hello")

    async def serve_and_ask(folder: str) -> str:
        listener = channel.listen(folder)
        path = os.path.join(folder, places.SOCKET_NAME)
        # Let the other user through to the socket: the check of the peer is what is tested.
        os.chmod(path, 0o666)
        os.chmod(folder, 0o755)
        server = QuietServer(Starlette(routes=[Route("/", hello)]))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        command = [sys.executable, "-I", "-S", "-c", ASK, path, str(user)]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
        server.stop()
        await serving
        return str(done.stdout + done.stderr)

    # pytest's own folders are closed to others
    with tempfile.TemporaryDirectory() as open_folder:
        assert asyncio.run(serve_and_ask(open_folder)).startswith(answer)
    assert len(heard) == (user == 0)
