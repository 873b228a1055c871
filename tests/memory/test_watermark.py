"""How far a transcript has been flushed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import watermark
from memory_plugin.memory.watermark import Watermark


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(b'{"line":%d}\n' % number for number in range(500)))
    return path


def kept(state: Path) -> Path:
    return next((state / watermark.FOLDER).glob("*.json"))


def mark_of(transcript: Path, offset: int) -> Watermark:
    return Watermark(
        str(transcript),
        offset,
        progress={"said": 5},
        open_tools={"t1": "Bash"},
        queued=[0, 9],
        delivered=["abc"],
    )


@pytest.mark.parametrize("offset", [0, 5, 1024, 3000])
def test_what_is_kept_is_read_back(tmp_path: Path, transcript: Path, offset: int) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, offset))
    found = watermark.read(str(tmp_path), str(transcript))
    assert (found.offset, found.progress, found.open_tools, found.queued, found.delivered) == (
        offset,
        {"said": 5},
        {"t1": "Bash"},
        [0, 9],
        ["abc"],
    )
    assert watermark.pending(str(tmp_path), str(transcript)) == transcript.stat().st_size - offset


def test_a_transcript_that_grew_goes_on(tmp_path: Path, transcript: Path) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, transcript.stat().st_size))
    assert watermark.pending(str(tmp_path), str(transcript)) == 0
    with open(transcript, "ab") as stream:
        stream.write(b"more\n")
    assert watermark.pending(str(tmp_path), str(transcript)) == 5


@pytest.mark.parametrize("change", ["rewritten", "shorter", "gone"])
def test_a_transcript_that_is_another_starts_over(tmp_path: Path, transcript: Path, change: str) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, 3000))
    if change == "rewritten":
        transcript.write_bytes(b"X" + transcript.read_bytes()[1:])
    elif change == "shorter":
        transcript.write_bytes(transcript.read_bytes()[:2999])
    else:
        transcript.unlink()
    assert watermark.read(str(tmp_path), str(transcript)) == Watermark(str(transcript))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"5",
        b"\xff\xfe",
        b"[" * 100_000,
        b"{}",
        b'{"transcript": "other"}',
        b'{"new_field": 1}',
    ],
)
def test_a_corrupted_file_starts_over(tmp_path: Path, transcript: Path, content: bytes) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, 3000))
    kept(tmp_path).write_bytes(content)
    assert watermark.read(str(tmp_path), str(transcript)) == Watermark(str(transcript))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("offset", -1),
        ("offset", 1.5),
        ("offset", "3000"),
        ("offset", None),
        ("offset", True),
        ("offset", 1 << 70),
        ("head_length", -1),
        ("head_length", 0),
        ("head_length", "x"),
        ("head", None),
        ("progress", []),
        ("open_tools", []),
        ("open_tools", {"t": 5}),
        ("queued", "abc"),
        ("queued", [None]),
        ("queued", [-1]),
        ("queued", [True]),
        ("delivered", [5]),
        ("transcript", 5),
    ],
)
def test_wrong_types_start_over(tmp_path: Path, transcript: Path, field: str, value: Any) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, 3000))
    content = json.loads(kept(tmp_path).read_bytes())
    assert field in content
    kept(tmp_path).write_text(json.dumps({**content, field: value}))
    assert watermark.read(str(tmp_path), str(transcript)) == Watermark(str(transcript))


def test_a_folder_in_its_place_starts_over(tmp_path: Path, transcript: Path) -> None:
    watermark.write(str(tmp_path), mark_of(transcript, 3000))
    place = kept(tmp_path)
    place.unlink()
    place.mkdir()
    assert watermark.read(str(tmp_path), str(transcript)) == Watermark(str(transcript))


def test_what_waits_is_found_newest_first_without_subagents(tmp_path: Path) -> None:
    state, folder = str(tmp_path / "state"), tmp_path / "transcripts"
    folder.mkdir()
    for number, name in enumerate(["old.jsonl", "new.jsonl", "agent-1.jsonl", "notes.txt", "done.jsonl"]):
        (folder / name).write_text("{}\n" * (number + 1))
        os.utime(folder / name, (number, number))
    (folder / "folder.jsonl").mkdir()
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    watermark.write(state, Watermark(str(folder / "done.jsonl"), 15))
    waiting = list(watermark.unflushed(str(folder), state))
    assert waiting == [(str(folder / "new.jsonl"), 6), (str(folder / "old.jsonl"), 3)]
