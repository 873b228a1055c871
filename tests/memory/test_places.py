"""Where everything lies."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_plugin.memory import places

FOLDERS: list[tuple[str, Callable[[], str], str]] = [
    ("MEMORY_PLUGIN_HOME", places.memory_home, ".claude/memory"),
    ("MEMORY_PLUGIN_STATE", places.state_folder, ".local/state/memory-plugin"),
    ("MEMORY_PLUGIN_SETTINGS", places.settings_file, ".config/memory-plugin/settings.json"),
    ("MEMORY_PLUGIN_ENV", places.environment_folder, ".local/share/memory-plugin/env"),
    ("CLAUDE_CONFIG_DIR", places.client_folder, ".claude"),
]
each = pytest.mark.parametrize(("variable", "place", "default"), FOLDERS, ids=[name for name, _, _ in FOLDERS])


@each
def test_a_variable_moves_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, place: Callable[[], str], default: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(variable, raising=False)
    assert place() == str(tmp_path / default)
    monkeypatch.setenv(variable, "")
    assert place() == str(tmp_path / default)
    monkeypatch.setenv(variable, "/else where/日本")
    assert place() == "/else where/日本"
    monkeypatch.setenv(variable, "~/notes/")
    assert place() == str(tmp_path / "notes")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "relative")
    assert place() == str(tmp_path / "relative")


@each
@pytest.mark.parametrize("home", [None, ""])
def test_without_home_the_user_database_knows(
    monkeypatch: pytest.MonkeyPatch, home: str | None, variable: str, place: Callable[[], str], default: str
) -> None:
    monkeypatch.setenv("HOME", "to be restored afterwards")
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    monkeypatch.delenv(variable, raising=False)
    assert place() == os.path.join(pwd.getpwuid(os.getuid()).pw_dir, default)
    monkeypatch.setenv(variable, "~/notes")
    assert place() == os.path.join(pwd.getpwuid(os.getuid()).pw_dir, "notes")


@each
def test_a_home_that_is_no_path_is_an_error(
    monkeypatch: pytest.MonkeyPatch, variable: str, place: Callable[[], str], default: str
) -> None:
    monkeypatch.setenv("HOME", "not/absolute")
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(places.NoHomeError, match="set HOME"):
        place()


def test_only_os_is_imported() -> None:
    program = (
        "import sys, os; old = set(sys.modules); import memory_plugin.memory.places; print(set(sys.modules) - old)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=places.PLUGIN_ROOT, capture_output=True, text=True, check=True
    )
    found = {name.strip("'") for name in done.stdout.strip("{} \n").split(", ")}
    assert found - {"__future__"} == {"memory_plugin", "memory_plugin.memory", "memory_plugin.memory.places"}


@pytest.mark.parametrize(
    ("folder", "slug"), [("/home/sam/my.app_2", "-home-sam-my-app-2"), ("/home/élan", "-home--lan"), ("/a b", "-a-b")]
)
def test_the_clients_folder_names_are_known(folder: str, slug: str) -> None:
    assert places.client_slug(folder) == slug
