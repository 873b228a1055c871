"""Which files are indexed."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from memory_plugin.index.chunks import Source
from memory_plugin.index.sources import Project, Roots, discover


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Something.")
    return path


def found(home: Path, *projects: Project, client: Path | None = None) -> dict[str, Source]:
    discovery = discover(Roots(str(home), projects, str(client or "")))
    return {each.source.path: each.source for each in discovery.files.values()}


@pytest.mark.parametrize(
    ("name", "namespace", "role"),
    [
        ("MEMORY.md", "global", "pointers"),
        ("runbook.md", "global", "note"),
        ("2026-11-30.md", "global", "log"),
        ("project/MEMORY.md", "project", "pointers"),
        ("project/2026-11-30.md", "project", "log"),
        ("project/2026-11-30 (conflicted copy).md", "project", "log"),
        ("project/topics/decision.md", "project", "topic"),
        ("project/deep/er/note.markdown", "project", "note"),
        ("vault/daily/2026-11-30.md", "vault", "log"),
        ("topics/mine.md", "topics", "note"),
        ("project/history/2026-11-30-5e55104e.md", "project", "history"),
        ("history/2026-11-30.md", "history", "log"),
        ("project/deep/history/x.md", "project", "note"),
    ],
)
def test_a_file_belongs_to_the_folder_at_the_top_and_is_read_by_its_name(
    tmp_path: Path, name: str, namespace: str, role: str
) -> None:
    path = write(tmp_path / name)
    (source,) = found(tmp_path).values()
    assert (source.path, source.namespace, source.role, source.resident) == (str(path), namespace, role, False)


@pytest.mark.parametrize(
    "name",
    [
        ".events/host.md",
        ".obsidian/x.md",
        ".hidden.md",
        "project/.git/x.md",
        "x.txt",
        "x.md.bak",
    ],
)
def test_what_is_hidden_or_no_markdown_is_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert found(tmp_path) == {}


def test_links_are_not_followed(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    write(outside / "secret.md")
    kept = write(home / "note.md")
    (home / "folder").symlink_to(outside)
    (home / "file.md").symlink_to(outside / "secret.md")
    (home / "loop").symlink_to(home)
    assert list(found(home)) == [str(kept)]


def test_a_home_that_is_a_link_itself_is_read(tmp_path: Path) -> None:
    note = write(tmp_path / "real" / "note.md")
    (tmp_path / "home").symlink_to(tmp_path / "real")
    assert list(found(tmp_path / "home")) == [str(note)]


def test_of_a_project_claude_md_status_md_and_the_clients_memory_are_read(tmp_path: Path) -> None:
    code, client = tmp_path / "my.code", tmp_path / "client"
    (tmp_path / "home").mkdir()
    for name in ("CLAUDE.md", "STATUS.md", "README.md"):
        write(code / name)
    memory = client / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(code)) / "memory"
    write(memory / "MEMORY.md")
    write(memory / "topic.md")
    sources = found(tmp_path / "home", Project(str(code), "mine"), client=client)
    assert {(Path(path).name, source.resident) for path, source in sources.items()} == {
        ("CLAUDE.md", True),
        ("STATUS.md", False),
        ("MEMORY.md", True),
        ("topic.md", False),
    }
    assert {source.namespace for source in sources.values()} == {"mine"}


@pytest.mark.parametrize("what", ["nothing", "a file"])
def test_a_project_that_is_gone_is_no_problem_and_a_home_that_is_gone_is_one(tmp_path: Path, what: str) -> None:
    home = tmp_path / "home"
    if what == "a file":
        home.write_text("x")
    discovery = discover(Roots(str(home), (Project(str(tmp_path / "gone"), "gone"),), str(tmp_path / "client")))
    assert discovery.files == {}
    assert [problem.startswith(str(home)) for problem in discovery.problems] == [True]
    assert discovery.unreadable == [os.path.join(str(home), "")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_unicode_is_a_problem(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md")).write_text("x")
    discovery = discover(Roots(str(tmp_path)))
    assert discovery.files == {}
    assert "not valid Unicode" in discovery.problems[0]
    discovery.problems[0].encode()
