"""What of a home is the memory's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_plugin.memory import contents as contents_module
from memory_plugin.memory.contents import contents, is_unsafe


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_it_holds_notes_logs_events_and_whatever_else_lies_there(tmp_path: Path) -> None:
    for name in (
        "MEMORY.md",
        "shop-1/2026-11-30.md",
        "shop-1/topics/decision.md",
        ".events/a-2026-11.jsonl",
        "map.png",
    ):
        write(tmp_path / name)
    found = contents(str(tmp_path))
    assert list(found.files) == [
        ".events/a-2026-11.jsonl",
        *("MEMORY.md", "map.png", "shop-1/2026-11-30.md", "shop-1/topics/decision.md"),
    ]
    assert found.left_out == {}


@pytest.mark.parametrize(
    "name",
    [
        *(".git/config", ".obsidian/workspace.json", "shop-1/.DS_Store", "shop-1/.trash/old.md", ".stversions/a.md"),
        *(
            ".events/lock",
            ".events/.hidden.jsonl",
            ".events/deeper/a.jsonl",
            "shop-1/.writing-0123",
            "a/.events/b.jsonl",
        ),
    ],
)
def test_what_other_programs_hide_there_is_not_ours(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    found = contents(str(tmp_path))
    assert (found.files, found.left_out) == ({}, {})


def test_what_cannot_be_taken_is_told_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents_module, "LARGEST", 100)
    write(tmp_path / "large.md", "x" * 101)
    write(tmp_path / "just.md", "x" * 100)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "broken.md").symlink_to("nowhere")
    (tmp_path / "round.md").symlink_to("round.md")
    found = contents(str(tmp_path))
    assert list(found.files) == ["just.md"]
    assert found.left_out == {
        "large.md": "larger than 0 MB",
        "pipe.md": "not a file",
        "broken.md": "a link to nothing",
        "round.md": "a link to nothing",
    }


def test_links_are_followed_where_a_user_keeps_a_project_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(tmp_path / "vault" / "2026-11-30.md")
    write(tmp_path / "vault" / "topics" / "decision.md")
    write(tmp_path / "elsewhere" / "secret.md")
    home.mkdir()
    (home / "shop-1").symlink_to(tmp_path / "vault")
    (home / "dotfile.md").symlink_to(tmp_path / "elsewhere" / "secret.md")
    write(home / "notes" / "deep" / "a.md")
    (home / "notes" / "deep" / "out").symlink_to(tmp_path / "elsewhere")
    (home / "notes" / "self").symlink_to(home)
    assert sorted(contents(str(home)).files) == [
        *("dotfile.md", "notes/deep/a.md", "shop-1/2026-11-30.md", "shop-1/topics/decision.md"),
    ]


def test_odd_names_come_as_they_are(tmp_path: Path) -> None:
    names = [b"caf\xc3\xa9.md", b"line\nbreak.md", b"not utf-8 \xff.md", b"a\\b.md", b" .md"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x")
    assert {os.fsencode(inside) for inside in contents(str(tmp_path)).files} == set(names)


def test_a_home_that_is_not_there_is_an_error_and_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        contents(str(tmp_path / "none"))


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "../x.md", "a/../../x.md", "a/./x.md", "", "a//x.md", "a/", ".git/hooks/post-commit", ".x.md"),
        *("a/.obsidian/plugins/x.js", ".events/lock", ".events/a/b.jsonl", ".events/..", "a\0.md", "a/.events/b.jsonl"),
        *("\u200d.git/config", "\ufeff..", ".Git/config", "\x1b.git", "\u2028../x", " .git/config"),
    ],
)
def test_paths_that_reach_out_of_the_memory_are_unsafe(path: str) -> None:
    assert is_unsafe(path)


@pytest.mark.parametrize(
    "path",
    ["MEMORY.md", ".events/host-2026-11.jsonl", "shop-1/topics/decision.md", "a...md", "a/b..c/d.md", "café/été.md"],
)
def test_paths_of_the_memory_are_safe(path: str) -> None:
    assert not is_unsafe(path)
