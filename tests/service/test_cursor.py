"""How far a model has read: where it begins, what it survives, and what a day has cost."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.files import append
from memory_plugin.memory.flush import RECEIPTS, Receipt
from memory_plugin.service import cursor
from memory_plugin.service.cursor import NAME, Cursor


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clock that a test sets by writing into its file."""
    path = tmp_path / "clock"
    path.write_text("2026-11-30T10:00:00+00:00")
    monkeypatch.setenv("MEMORY_PLUGIN_CLOCK", str(path))
    return path


def receipt(number: int) -> Receipt:
    return Receipt("now", f"/t/{number}.jsonl", str(number), "project", "end", 0, 10, 1, 0, 1, ())


def owe(state: Path, *numbers: int) -> None:
    for number in numbers:
        append(str(state / RECEIPTS), json.dumps(asdict(receipt(number))).encode())


def sessions(state: Path) -> list[str]:
    found = cursor.waiting(str(state), cursor.begin(str(state)))
    return [each.session for each, _ in found if each]


def test_it_begins_at_the_end_so_that_old_conversations_are_not_read(tmp_path: Path, clock: Path) -> None:
    owe(tmp_path, 1, 2)
    assert sessions(tmp_path) == []
    owe(tmp_path, 3)
    assert sessions(tmp_path) == ["3"]
    begun = cursor.read(str(tmp_path))
    assert begun is not None
    assert begun.since.startswith("2026-11-30T")


def test_without_any_receipt_everything_that_comes_is_read(tmp_path: Path) -> None:
    assert sessions(tmp_path) == []
    owe(tmp_path, 1, 2)
    assert sessions(tmp_path) == ["1", "2"]


def test_it_goes_on_after_the_receipt_that_is_done(tmp_path: Path) -> None:
    begun = cursor.begin(str(tmp_path))
    owe(tmp_path, 1, 2, 3)
    ends = [end for _, end in cursor.waiting(str(tmp_path), begun)]
    cursor.write(str(tmp_path), replace(begun, receipts=ends[1]))
    assert sessions(tmp_path) == ["3"]
    assert ends[-1] == os.path.getsize(tmp_path / RECEIPTS)


def test_torn_lines_are_passed_by_and_one_being_written_is_waited_for(tmp_path: Path) -> None:
    begun = cursor.begin(str(tmp_path))
    with open(tmp_path / RECEIPTS, "ab") as stream:
        stream.write(b'{"at": "no')
    assert list(cursor.waiting(str(tmp_path), begun)) == []
    owe(tmp_path, 2)
    found = [each for each, _ in cursor.waiting(str(tmp_path), begun)]
    assert found[0] is None
    assert found[1] is not None


def test_receipts_made_anew_are_all_read(tmp_path: Path) -> None:
    owe(tmp_path, 1, 2, 3)
    cursor.begin(str(tmp_path))
    (tmp_path / RECEIPTS).unlink()
    owe(tmp_path, 4)
    assert sessions(tmp_path) == ["4"]


def test_switched_off_and_on_again_nothing_said_meanwhile_is_read_and_the_account_stays(tmp_path: Path) -> None:
    cursor.write(str(tmp_path), cursor.begin(str(tmp_path)).spending(700))
    cursor.end(str(tmp_path))
    owe(tmp_path, 1)
    assert sessions(tmp_path) == []
    assert cursor.begin(str(tmp_path)).spent() == 700
    owe(tmp_path, 2)
    assert sessions(tmp_path) == ["2"]


def test_ending_what_never_began_leaves_no_file(tmp_path: Path) -> None:
    cursor.end(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("clock")
def test_each_local_day_has_an_account_of_its_own(tmp_path: Path, clock: Path) -> None:
    spent = Cursor().spending(500).spending(300).spending(-100)
    assert spent.spent() == 700
    assert Cursor().spending(-5).spent() == 0
    clock.write_text("2026-12-01T00:30:00+00:00")
    assert (spent.spent(), spent.spending(20).spent()) in [(0, 20), (700, 720)]  # west of Greenwich it is still today
    clock.write_text("2026-12-02T12:00:00+00:00")
    assert (spent.spent(), spent.spending(20).spent()) == (0, 20)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"receipts": -1}',
        b'{"receipts": "5"}',
        b'{"receipts": true}',
        b'{"unknown": 5}',
        b'{"since": "soon"}',
        b'{"since": 5}',
        b'{"day": 5}',
        b'{"tokens": 1.5}',
        b"[" * 100_000,
    ],
)
def test_a_broken_file_is_begun_again_at_the_end(tmp_path: Path, content: bytes) -> None:
    owe(tmp_path, 1)
    (tmp_path / NAME).write_bytes(content)
    assert cursor.read(str(tmp_path)) is None
    assert sessions(tmp_path) == []
    owe(tmp_path, 2)
    assert sessions(tmp_path) == ["2"]


def test_a_receipt_of_wrong_fields_is_no_receipt(tmp_path: Path) -> None:
    begun = cursor.begin(str(tmp_path))
    wrong: list[Any] = [{"at": "x"}, [], 5, {**asdict(receipt(1)), "more": 1}, {**asdict(receipt(1)), "end": "x"}]
    for each in wrong:
        append(str(tmp_path / RECEIPTS), json.dumps(each).encode())
    assert [found for found, _ in cursor.waiting(str(tmp_path), begun)] == [None] * 5
