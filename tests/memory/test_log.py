"""The hooks' log."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memory_plugin.memory.log import LARGEST_LOG, log


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(tmp_path / "state"))
    return tmp_path / "state" / "logs" / "hooks.log"


def test_one_line_a_message_for_the_user_alone(path: Path) -> None:
    log("first\nwith a break")
    log("half a pair \ud83d, é")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line[20:] for line in lines] == ["first with a break", "half a pair \\ud83d, é"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_stays_bounded_and_keeps_the_one_before(path: Path) -> None:
    log("x")
    path.write_bytes(b"x" * (LARGEST_LOG + 1))
    log("next" * 10_000)
    assert path.with_name("hooks.log.1").stat().st_size == LARGEST_LOG + 1
    assert path.stat().st_size < 2100


@pytest.mark.parametrize("obstacle", ["file", "no home"])
def test_it_is_never_a_reason_to_fail(path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str) -> None:
    if obstacle == "file":
        path.parent.parent.write_bytes(b"")
    else:
        monkeypatch.delenv("MEMORY_PLUGIN_STATE")
        monkeypatch.setenv("HOME", "relative")
    log("nothing can be done")
    assert not path.exists()
