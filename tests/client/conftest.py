"""The fake API, the client versions, and a world of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.claude import NEWEST, OLDER, World, client_command
from tests.support.fake_anthropic import FakeAnthropic


@pytest.fixture
def api() -> Iterator[FakeAnthropic]:
    with FakeAnthropic() as server:
        yield server


@pytest.fixture(params=[NEWEST, OLDER])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def world(tmp_path: Path, version: str, api: FakeAnthropic) -> Iterator[World]:
    client_command(version)  # skips here, before anything is made
    world = World(tmp_path, version, api.url)
    yield world
    world.launch("service", "stop")
