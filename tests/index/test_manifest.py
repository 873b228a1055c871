"""What the index was made from."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memory_plugin.index.manifest import Entry, Manifest


def test_entries_are_recorded_marked_and_forgotten(tmp_path: Path) -> None:
    manifest = Manifest(str(tmp_path / "files.sqlite"))
    entry = Entry("/home/a.md", 3, 4, "hash", "1 note project", "too odd")
    manifest.record([entry, Entry("/home/b.md", 1, 1, "x", "y")])
    assert manifest.entries()["/home/a.md"] == entry
    manifest.mark_dirty(["/home/a.md", "/home/new.md"])
    assert {path: each.size for path, each in manifest.entries().items()} == {
        "/home/a.md": 3,
        "/home/b.md": 1,
        "/home/new.md": -1,
    }
    assert manifest.entries()["/home/a.md"].hash not in ("hash", "")
    manifest.forget(["/home/a.md", "/home/new.md", "/never"])
    assert list(manifest.entries()) == ["/home/b.md"]
    manifest.close()


def test_values_are_kept_over_a_restart(tmp_path: Path) -> None:
    manifest = Manifest(str(tmp_path / "files.sqlite"))
    manifest.set_about("embedder", "one")
    manifest.set_about("embedder", "two")
    manifest.close()
    manifest = Manifest(str(tmp_path / "files.sqlite"))
    assert (manifest.about("embedder"), manifest.about("unknown")) == ("two", None)
    manifest.close()


def test_it_knows_when_its_file_is_gone_or_another(tmp_path: Path) -> None:
    path = tmp_path / "files.sqlite"
    manifest = Manifest(str(path))
    assert manifest.in_place()
    path.rename(tmp_path / "kept")
    assert not manifest.in_place()
    path.write_bytes(b"")
    assert not manifest.in_place()
    manifest.close()


def test_a_damaged_file_raises(tmp_path: Path) -> None:
    path = tmp_path / "files.sqlite"
    path.write_bytes(b"scribble" * 1000)
    with pytest.raises(sqlite3.Error):
        Manifest(str(path))
