"""In a client that the plugin itself runs, no hook does anything: else one client would start the next."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from memory_plugin.memory.doorbell import WITHIN
from memory_plugin.memory.places import SOCKET_NAME
from memory_plugin.service.claude import VARIABLES
from tests.support.transcripts import stated
from tests.support.world import World, files_of

HOOKS = ("session_start", "user_prompt_submit", "pre_compact", "session_end")


@pytest.fixture
def listener(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What stands where the service would listen, and never answers."""
    monkeypatch.chdir(world.state)  # a socket's path may be too long, its name never is
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(SOCKET_NAME)
        listening.listen()
        listening.setblocking(False)
        yield listening


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_in_a_client_of_ours_returns_at_once(world: World, hook: str, listener: socket.socket) -> None:
    world.say([stated(0)])
    world.variables[WITHIN] = VARIABLES[WITHIN]
    before = files_of(world.memory, world.state)
    event = json.dumps(world.event(prompt="How do we check the parser?")).encode()
    assert world.hook(hook, event).stdout == b""
    assert files_of(world.memory, world.state) == before
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_elsewhere_the_prompt_hook_rings(world: World, listener: socket.socket) -> None:
    world.hook("user_prompt_submit", json.dumps(world.event(prompt="How do we check the parser?")).encode())
    listener.accept()[0].close()
