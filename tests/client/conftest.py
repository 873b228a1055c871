"""The fake API, the client versions, and a world of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.claude import NEWEST, OLDER, World, client_command
from tests.support.environment import linked_environment
from tests.support.fake_anthropic import FakeAnthropic


@pytest.fixture
def api() -> Iterator[FakeAnthropic]:
    with FakeAnthropic() as server:
        yield server


@pytest.fixture(params=[NEWEST, OLDER])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def world(tmp_path: Path, version: str, api: FakeAnthropic) -> World:
    """A user with the plugin and nothing else."""
    client_command(version)  # skips here, before anything is made
    return World(tmp_path, version, api.url)


@pytest.fixture
def served(world: World, tmp_path: Path) -> Iterator[World]:
    """A user whose service runs: by keywords, and with no briefing beside what a prompt gets."""
    environment = linked_environment(tmp_path / "environment")
    world.variables["MEMORY_PLUGIN_ENV"] = str(environment)
    world.configure(briefing={"enabled": False}, embedding={"provider": "none"})
    started = world.launch("service", "start")
    assert started.returncode == 0, started.stderr
    yield world
    if environment.exists():  # else the launcher would make one
        world.launch("service", "stop")
