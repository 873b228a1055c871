"""Who may read and write there, room, and a lock that somebody keeps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_plugin.cli import safety
from memory_plugin.memory import journal


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A home and a state folder as the program makes them."""
    home, state = tmp_path / "home", tmp_path / "state"
    for folder in (home, state):
        folder.mkdir(mode=0o700)
    return home, state


@pytest.mark.parametrize(
    ("of_home", "of_state", "told"),
    [
        (0o700, 0o700, ""),
        (0o755, 0o700, ""),  # a vault that others may read is the user's choice
        (0o775, 0o700, "home may be written by others"),
        (0o700, 0o750, "state may be read by others"),
    ],
)
def test_what_others_may_do_is_told(folders: tuple[Path, Path], of_home: int, of_state: int, told: str) -> None:
    home, state = folders
    home.chmod(of_home)
    state.chmod(of_state)
    found = safety.permissions(str(home), str(state))
    assert (found.grade, found.text.endswith(told)) == ("WARN" if told else "OK", True)
    if told:
        assert os.system(found.step) == 0
        assert safety.permissions(str(home), str(state)).grade == "OK"


def test_folders_that_are_not_there_yet_are_no_matter(tmp_path: Path) -> None:
    home, state = str(tmp_path / "a" / "home"), str(tmp_path / "b" / "state")
    for found in (safety.permissions(home, state), safety.locks(home), safety.disk(home, state)):
        assert found.grade == "OK"
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_somebody_keeps_is_told(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "_LONGEST_HELD", 0.2)
    home = str(folders[0])
    with journal.locked(home):
        found = safety.locks(home)
    assert (found.grade, "fuser" in found.step) == ("WARN", True)
    assert safety.locks(home).grade == "OK"
