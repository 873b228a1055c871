"""The projects that are known here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_plugin.index.sources import Project
from memory_plugin.service.projects import NAME, Projects, memory_folder


@pytest.fixture(autouse=True)
def _client_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))


@pytest.fixture
def folder(tmp_path: Path) -> str:
    path = tmp_path / "état's «project»"
    path.mkdir()
    return str(path)


def test_a_visited_project_is_known_from_then_on(tmp_path: Path, folder: str) -> None:
    Projects(str(tmp_path)).visit(folder, "project-1")
    assert Projects(str(tmp_path)).known() == (Project(folder, "project-1"),)


def test_a_project_whose_folder_is_gone_is_not(tmp_path: Path, folder: str) -> None:
    projects = Projects(str(tmp_path))
    projects.visit(folder, "project-1")
    os.rmdir(folder)
    assert projects.known() == ()


def test_a_visit_says_whether_the_projects_markdown_changed(tmp_path: Path, folder: str) -> None:
    projects = Projects(str(tmp_path))
    assert projects.visit(folder, "p")
    assert not projects.visit(folder, "p")
    Path(folder, "CLAUDE.md").write_text("- Use tabs.\n")
    assert projects.visit(folder, "p")
    assert not projects.visit(folder, "p")
    os.unlink(os.path.join(folder, "CLAUDE.md"))
    assert projects.visit(folder, "p")
    Path(folder, "main.py").write_text("")
    assert not projects.visit(folder, "p")


def test_the_clients_own_memory_of_a_project_is_looked_at(tmp_path: Path, folder: str) -> None:
    projects = Projects(str(tmp_path))
    projects.visit(folder, "p")
    memory = Path(memory_folder(folder))
    memory.mkdir(parents=True)
    assert projects.visit(folder, "p")
    note = memory / "note.md"
    note.write_text("one")
    assert projects.visit(folder, "p")
    os.utime(note, ns=(1, 1))
    assert projects.visit(folder, "p")


@pytest.mark.parametrize("content", [b"", b"{", b"null", b"[1]", b'[{"folder": 1}]', b'{"a": 1}', b"\xff"])
def test_a_broken_list_is_an_empty_one(tmp_path: Path, folder: str, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    projects = Projects(str(tmp_path))
    assert projects.known() == ()
    projects.visit(folder, "p")
    assert projects.known() == (Project(folder, "p"),)


def test_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_plugin.service.projects._MOST", 3)
    projects = Projects(str(tmp_path))
    for number in range(5):
        (tmp_path / f"p{number}").mkdir()
        projects.visit(str(tmp_path / f"p{number}"), f"p{number}")
    assert [each.namespace for each in projects.known()] == ["p4", "p3", "p2"]
