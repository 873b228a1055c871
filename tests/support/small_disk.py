"""A disk of a megabyte, to be filled."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system of its own with one megabyte; skips where none may be mounted."""
    folder = tmp_path / "small-disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes all the room that is left."""
    path = folder / "full"
    with open(path, "wb", buffering=0) as stream:
        for size in (4096, 1):
            try:
                while True:
                    stream.write(b"x" * size)
            except OSError:
                continue
    return path
