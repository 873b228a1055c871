"""Counting tokens without the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_plugin.index.tokens import TokenCounter, _encoding, problem_of_table


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("\ud800", 1), ("記憶", 3)]
)
def test_tokens_are_counted(tmp_path: Path, text: str, count: int) -> None:
    assert TokenCounter(str(tmp_path))(text) == count


@pytest.mark.parametrize("before", [None, b"torn"])
def test_the_table_is_made_in_the_state_folder_without_a_connection(tmp_path: Path, before: bytes | None) -> None:
    folder = tmp_path / "tiktoken"
    if before is not None:
        folder.mkdir()
        (folder / "fb374d419588a4632f3f557e76b4b70aebbca790").write_bytes(before)
    # A process of its own: the encoding is loaded once in each. A proxy that is nowhere refuses any download.
    code = "import sys; from memory_plugin.index.tokens import TokenCounter as C; print(C(sys.argv[1])('hello world'))"
    environment = os.environ | {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout == "2\n"
    [table] = folder.iterdir()
    assert table.stat().st_size > 1_000_000
    assert problem_of_table(str(tmp_path)) == ""
    table.write_bytes(b"torn")
    assert "is damaged" in problem_of_table(str(tmp_path))
    table.unlink()
    assert problem_of_table(str(tmp_path)) == ""


def test_the_table_is_loaded_once(tmp_path: Path) -> None:
    counter = TokenCounter(str(tmp_path))
    counter("hello")
    assert _encoding(counter.folder) is _encoding(counter.folder)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_the_table_is_held_once(tmp_path: Path) -> None:
    code = """
import sys
from memory_plugin.index.tokens import TokenCounter
from memory_plugin.service.allocation import give_back
from memory_plugin.service.lifecycle import memory_in_use
before = memory_in_use()
TokenCounter(sys.argv[1])("hello world")
give_back()
print((memory_in_use() - before) >> 20)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 65  # megabytes; with a copy in Python's objects it was 80
