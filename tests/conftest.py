"""Fixtures that several folders of tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.ollama_server import ollama
from tests.support.service import Sandbox, end

__all__ = ["ollama"]

# The same examples on every run and machine: a property that fails, fails for everybody. To look for new ones, for
# longer: bin/check --hypothesis-profile=search tests/memory
_anywhere = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
settings.register_profile("fixed", _anywhere, derandomize=True, database=None)
settings.register_profile("search", _anywhere, max_examples=1000, print_blob=True)
settings.load_profile("fixed")


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Folders for one service, which is stopped in the end; it searches by keywords only unless configured."""
    folders = {name: tmp_path / name for name in ("home", "state", "project", "client")}
    for name in ("home", "project"):
        folders[name].mkdir()
    settings = tmp_path / "settings.json"
    for name, value in {
        "HOME": tmp_path,
        "MEMORY_PLUGIN_HOME": folders["home"],
        "MEMORY_PLUGIN_STATE": folders["state"],
        "MEMORY_PLUGIN_SETTINGS": settings,
        "MEMORY_PLUGIN_ENV": sys.prefix,
        "CLAUDE_CONFIG_DIR": folders["client"],
    }.items():
        monkeypatch.setenv(name, str(value))
    made = Sandbox(tmp_path, folders["home"], folders["state"], settings, folders["project"])
    made.configure(embedding={"provider": "none"})
    yield made
    end(made.state)
