"""Whether an index's files are whole, seen from a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_plugin.index.chunks import Source, chunks
from memory_plugin.index.health import damage_seen_apart
from memory_plugin.index.table import FOLDER, Index
from tests.support.damage import end_whoever_searches, memory_of_any_machine
from tests.support.patience import eventually


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Index.open(str(tmp_path)) as index:
        index.replace([], chunks("- We index with LanceDB.\n", Source("/home/project/a.md", "project", "log")))
        index.optimize()
    return tmp_path / FOLDER


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "held", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


def seen(folder: Path, held: int) -> str:
    return damage_seen_apart(held, str(folder), "chunks", str(folder / "files.sqlite"))


def test_nothing_is_said_of_a_whole_index(folder: Path, held: int) -> None:
    assert seen(folder, held) == ""


def test_an_error_is_told_as_it_is(folder: Path, held: int) -> None:
    for path in folder.glob("chunks.lance/data/*"):
        path.write_bytes(b"scribble")
    assert "error" in seen(folder, held)


def test_files_that_end_the_process_that_reads_them_are_damaged(
    folder: Path, held: int, capfd: pytest.CaptureFixture[str]
) -> None:
    end_whoever_searches(folder)
    with memory_of_any_machine():
        assert seen(folder, held) == "the process that looked at it ended by SIGABRT"
    assert "memory allocation of 687194" in capfd.readouterr().err


def test_what_the_system_refuses_is_no_damage(folder: Path, held: int) -> None:
    (folder / "files.sqlite").unlink()
    assert seen(folder, held) == ""


def test_one_that_is_ended_from_outside_knows_nothing(folder: Path, held: int) -> None:
    end_whoever_searches(folder)
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(seen, folder, held)
        assert eventually(children)
        os.kill(children()[0], signal.SIGTERM)
        assert said.result() == ""


def children() -> list[int]:
    """The processes that this one has started and that still run."""
    found = [task.joinpath("children").read_text() for task in Path("/proc/self/task").iterdir()]
    return [int(process) for process in " ".join(found).split()]
