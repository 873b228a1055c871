"""An archive holds a memory; one that a stranger made cannot harm."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import random
import tarfile
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import archive
from memory_plugin.memory.archive import ArchiveError
from memory_plugin.memory.contents import contents
from memory_plugin.memory.snapshots import BY_HAND, DamagedError, Store
from tests.support.facts import capture, fact
from tests.support.small_disk import fill, small_disk
from tests.support.world import files_of

__all__ = ["small_disk"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    capture(home, [fact("We index with LanceDB.")])
    (home / "note.md").write_text("My own note.\n")
    return home


def written(home: Path, path: Path) -> Path:
    """An archive of a home."""
    store = Store(str(home.parent / "backups"))
    with store.locked():
        archive.write(store, store.make(str(home), BY_HAND)[0], str(path))
    return path


def read(path: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """What an archive gives, and what is refused of it."""
    taken = dict[str, bytes]()
    return taken, archive.read(str(path), taken.__setitem__)


def in_home(home: Path) -> dict[str, bytes]:
    return {inside: (home / inside).read_bytes() for inside in contents(str(home)).files}


def made(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], table: dict[str, Any] | None = None) -> Path:
    """An archive as anybody may make one; its table names every file unless told otherwise."""
    inside = [(each.name.removeprefix("memory/"), content) for each, content in members if "memory/" in each.name]
    files = {name: hashlib.sha256(content).hexdigest() for name, content in inside}
    said = json.dumps({"format": 1, "files": files} if table is None else table).encode()
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for each, content in [(named("memory-plugin.json", said), said), *members]:
            tar.addfile(each, io.BytesIO(content))
    return path


def named(name: str, content: bytes = b"", **fields: Any) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    for field, value in fields.items():
        setattr(member, field, value)
    return member


def test_it_holds_everything_as_it_was(home: Path, tmp_path: Path) -> None:
    for name in (b"not utf-8 \xff.md", b"line\nbreak.md", "émoji 🌍.md".encode(), b"a" * 200 + b".md"):
        Path(os.fsdecode(os.fsencode(home) + b"/" + name)).write_bytes(name)
    (home / "empty.md").touch()
    path = written(home, tmp_path / "memory.tar.gz")
    assert read(path) == (in_home(home), {})
    assert path.stat().st_mode & 0o777 == 0o600


def test_anybody_can_unpack_it_with_tar(home: Path, tmp_path: Path) -> None:
    with tarfile.open(written(home, tmp_path / "memory.tar.gz")) as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    assert in_home(tmp_path / "unpacked" / "memory") == in_home(home)


def test_nothing_is_written_over(home: Path, tmp_path: Path) -> None:
    (tmp_path / "memory.tar.gz").write_text("mine")
    with pytest.raises(FileExistsError):
        written(home, tmp_path / "memory.tar.gz")
    assert (tmp_path / "memory.tar.gz").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backups", "home", "memory.tar.gz"]


def test_on_a_full_disk_nothing_is_left(home: Path, small_disk: Path) -> None:
    (home / "noise.bin").write_bytes(os.urandom(500_000))
    fill(small_disk)
    before = files_of(small_disk)
    with pytest.raises(OSError, match="No space"):
        written(home, small_disk / "memory.tar.gz")
    assert files_of(small_disk) == before


def test_a_damaged_snapshot_makes_no_archive(home: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "backups"))
    with store.locked():
        snapshot, _ = store.make(str(home), BY_HAND)
    for path in Path(store.folder, "objects").rglob("*"):
        if path.is_file():
            path.write_bytes(b"?")
    with pytest.raises(DamagedError):
        archive.write(store, snapshot, str(tmp_path / "memory.tar.gz"))
    assert not list(tmp_path.glob("*.tar.gz")) + list(tmp_path.glob(".writing-*"))


@pytest.mark.parametrize(
    "name",
    [
        *("memory/../../evil.md", "/etc/cron.d/evil", "memory//etc/evil", "../evil.md", "evil.md", "memory/.bashrc"),
        *("memory/.git/hooks/post-commit", "memory/a/.obsidian/plugins/x.js", "memory/.events/lock", "memory/a/./b.md"),
        *("memory/.events/../../evil.md", "memory/\u200d.git/config", "memory/"),
    ],
)
def test_a_path_that_is_none_of_a_memory_is_refused(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "a.tar.gz", [(named(name, b"evil"), b"evil"), (named("memory/good.md", b"good"), b"good")])
    taken, refused = read(path)
    assert taken == {"good.md": b"good"}
    assert list(refused.values()) == ["not a path in a memory"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    member = named("memory/evil.md", type=kind, linkname="/etc/passwd")
    taken, refused = read(made(tmp_path / "a.tar.gz", [(member, b"")]))
    assert (taken, refused) == ({}, {"memory/evil.md": "not a file"})


def test_of_two_files_of_one_name_the_first_counts(tmp_path: Path) -> None:
    members = [(named("memory/a.md", b"one"), b"one"), (named("memory/a.md", b"one"), b"one")]
    taken, refused = read(made(tmp_path / "a.tar.gz", members))
    assert taken == {"a.md": b"one"}
    assert list(refused.values()) == ["not in the table of contents, or there twice"]


def test_what_the_table_does_not_name_is_refused(tmp_path: Path) -> None:
    table = {"format": 1, "files": {}}
    taken, refused = read(made(tmp_path / "a.tar.gz", [(named("memory/a.md", b"one"), b"one")], table))
    assert (taken, len(refused)) == ({}, 1)


def test_another_content_than_the_table_says_is_damage(tmp_path: Path) -> None:
    table = {"format": 1, "files": {"a.md": hashlib.sha256(b"two").hexdigest()}}
    with pytest.raises(ArchiveError, match="damaged"):
        read(made(tmp_path / "a.tar.gz", [(named("memory/a.md", b"one"), b"one")], table))


@pytest.mark.parametrize(
    "table",
    [[], {}, {"format": 2, "files": {}}, {"format": 1}, {"format": 1, "files": []}, {"format": 1, "files": {"a": "x"}}],
)
def test_a_table_that_is_none_is_no_archive_of_ours(tmp_path: Path, table: Any) -> None:
    with pytest.raises(ArchiveError):
        read(made(tmp_path / "a.tar.gz", [], table))


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"PK\x03\x04" + bytes(60), gzip.compress(b""), gzip.compress(b"x" * 9999)]
)
def test_any_other_file_is_no_archive(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.tar.gz").write_bytes(content)
    with pytest.raises(ArchiveError):
        read(tmp_path / "a.tar.gz")


def test_a_strangers_archive_is_none_of_ours(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        tar.addfile(named("etc/passwd", b"root"), io.BytesIO(b"root"))
    with pytest.raises(ArchiveError, match="memory-plugin export"):
        read(tmp_path / "a.tar.gz")


def test_one_that_was_cut_or_changed_anywhere_is_an_error_and_nothing_else(home: Path, tmp_path: Path) -> None:
    whole = written(home, tmp_path / "memory.tar.gz").read_bytes()
    unpacked, chance = gzip.decompress(whole), random.Random(5)
    torn = [whole[: chance.randrange(len(whole))] for _ in range(40)]
    for _ in range(200):
        place = chance.randrange(len(unpacked))
        changed = bytearray(unpacked)
        changed[place] ^= 1 << chance.randrange(8)
        torn.append(gzip.compress(bytes(changed), 1))
    before = in_home(home)
    for content in torn:
        (tmp_path / "torn.tar.gz").write_bytes(content)
        try:
            taken, _ = read(tmp_path / "torn.tar.gz")
        except ArchiveError:
            continue
        assert all(before[inside] == content for inside, content in taken.items())  # padding, or a time


def bomb(path: Path, size: int, header: tarfile.TarInfo) -> Path:
    """An archive whose last member claims, and unpacks to, so many zeros."""
    head = made(path, [])
    tar = gzip.decompress(head.read_bytes())[:1536]  # the table alone
    header.size = size
    with gzip.open(path, "wb", compresslevel=9) as stream:
        stream.write(tar + header.tobuf(tarfile.GNU_FORMAT))
        for _ in range(size >> 20):
            stream.write(bytes(1 << 20))
        stream.write(bytes(1024))
    return path


@pytest.mark.parametrize(
    "header",
    [
        named("memory/zeros.md"),
        named("memory/zeros.md", type=tarfile.SYMTYPE),
        named("././@LongLink", type=tarfile.GNUTYPE_LONGNAME),
        named("x", type=tarfile.XHDTYPE),
        named("x", type=tarfile.XGLTYPE),
    ],
    ids=["file", "link", "long name", "header", "global header"],
)
def test_a_bomb_is_never_unpacked(tmp_path: Path, header: tarfile.TarInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bomb(tmp_path / "bomb.tar.gz", 100 << 20, header)
    assert path.stat().st_size < 1 << 20
    most, reading = [0], gzip.GzipFile.read

    def counted(self: gzip.GzipFile, size: int | None = -1) -> bytes:
        content = reading(self, size)
        most[0] = max(most[0], len(content))
        return content

    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    taken = dict[str, bytes]()
    with contextlib.suppress(ArchiveError):  # a link of any length is passed over
        archive.read(str(path), taken.__setitem__)
    assert taken == {}
    assert most[0] < 1 << 20


def test_many_small_files_do_not_go_on_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_FILES", 50)
    path = made(tmp_path / "a.tar.gz", [(named(f"memory/{number}.md"), b"") for number in range(60)])
    with pytest.raises(ArchiveError, match="more than 50 files"):
        read(path)
