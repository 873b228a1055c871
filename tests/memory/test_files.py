"""Durable writes and locks."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_plugin.memory.files import (
    ChangedMeanwhile,
    append,
    lock,
    make_folder,
    read_bytes,
    sweep,
    try_lock,
    write_whole,
)
from tests.support.small_disk import small_disk

__all__ = ["small_disk"]


def test_a_new_file_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "notes.md"
    write_whole(str(path), b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    path.chmod(0o644)
    write_whole(str(path), b"two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.read_bytes() == b"two"
    assert os.listdir(path.parent) == ["notes.md"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "vault" / "notes.md", tmp_path / "notes.md"
    link.symlink_to(target)  # dangling
    write_whole(str(link), b"one")
    write_whole(str(link), b"two")
    assert link.is_symlink()
    assert target.read_bytes() == b"two"


@pytest.mark.parametrize("kind", ["folder", "file in the way", "loop"])
def test_what_cannot_be_written_raises_and_leaves_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "notes.md"
    if kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    else:
        path.write_bytes(b"mine")
        path = path / "below.md"
    with pytest.raises(OSError, match=r"notes\.md"):
        write_whole(str(path), b"x")
    assert os.listdir(tmp_path) == ["notes.md"]


def test_a_file_made_read_only_is_respected(tmp_path: Path) -> None:
    if os.getuid() == 0:
        pytest.skip("root may write any file")
    path = tmp_path / "notes.md"
    path.write_bytes(b"mine")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(str(path), b"ours")
    assert path.read_bytes() == b"mine"


def test_a_full_disk_leaves_the_old_file_whole(small_disk: Path) -> None:
    path = small_disk / "notes.md"
    write_whole(str(path), b"old")
    with pytest.raises(OSError, match="space"):
        write_whole(str(path), b"x" * (2 << 20))
    assert path.read_bytes() == b"old"
    assert os.listdir(small_disk) == ["notes.md"]


def test_a_line_that_fits_only_in_part_is_an_error_not_a_loss(small_disk: Path) -> None:
    path = small_disk / "events.jsonl"
    append(str(path), b"first")
    with pytest.raises(OSError, match="space"):
        append(str(path), b"x" * (2 << 20))
    with open(path, "r+b") as stream:
        stream.truncate(1000)
    append(str(path), b"last")
    lines = path.read_bytes().split(b"\n")
    assert (lines[0], lines[-2], lines[-1]) == (b"first", b"last", b"")


def test_a_torn_line_is_closed_off(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"whole":1}\n{"to')
    append(str(path), b'{"next":2}')
    assert path.read_bytes() == b'{"whole":1}\n{"to\n{"next":2}\n'


def test_lines_of_many_processes_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    program = (
        "import sys; from memory_plugin.memory.files import append\n"
        "for n in range(50): append(sys.argv[1], sys.argv[2].encode() * 500)"
    )
    workers = [subprocess.Popen([sys.executable, "-c", program, str(path), letter]) for letter in "abc"]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    lines = [line for line in path.read_bytes().splitlines() if line]
    assert sorted(lines) == sorted(letter * 500 for letter in (b"a", b"b", b"c") for _ in range(50))


def test_reading_what_is_not_there(tmp_path: Path) -> None:
    assert read_bytes(str(tmp_path / "none")) == b""
    (tmp_path / "some").write_bytes(b"12345")
    assert read_bytes(str(tmp_path / "some"), 3) == b"123"


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(NotADirectoryError):
        make_folder(str(tmp_path / "home"))
    with pytest.raises(NotADirectoryError):
        make_folder(str(tmp_path / "home" / "below"))


def test_one_holds_the_lock_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    program = (
        "import sys, time; from memory_plugin.memory.files import lock\n"
        "with lock(sys.argv[1]): print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert try_lock(path) is None
        holder.kill()
    with lock(path):
        assert try_lock(path) is None
    held = try_lock(path)
    assert held is not None
    held.close()


def test_only_old_leftovers_are_swept(tmp_path: Path) -> None:
    for name in (".writing-old", ".writing-new", "notes.md"):
        (tmp_path / name).write_bytes(b"")
    long_ago = time.time() - 7200
    for name in (".writing-old", "notes.md"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    sweep(str(tmp_path))
    sweep(str(tmp_path / "none"))
    assert sorted(os.listdir(tmp_path)) == [".writing-new", "notes.md"]


def test_a_file_that_somebody_else_wrote_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log.md"
    path.write_bytes(b"the editor's")
    with pytest.raises(ChangedMeanwhile):
        write_whole(str(path), b"ours", expected=b"what was read")
    assert path.read_bytes() == b"the editor's"
    write_whole(str(path), b"ours", expected=b"the editor's")
    assert [each.name for each in tmp_path.iterdir()] == ["log.md"]
    assert path.read_bytes() == b"ours"
    write_whole(str(tmp_path / "new.md"), b"ours", expected=b"")
