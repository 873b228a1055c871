"""The environment is made once, whole or not at all, from packages whose hashes are known."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.support.data import REPOSITORY

COMMAND = REPOSITORY / "bin" / "environment"


def wheel(folder: Path, version: str) -> str:
    """Make a package of one module; returns the line of a lock file that names it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tiny_thing-{version}-py3-none-any.whl"
    information = f"tiny_thing-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny_thing.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: tiny-thing\nVersion: {version}\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"tiny-thing @ file://{path} --hash=sha256:{digest}\n"


def start(lock: Path, folder: Path, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(COMMAND), str(lock), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PIP_NO_INDEX": "1", "UV_OFFLINE": "1", **variables},
    )


def made(lock: Path, folder: Path, **variables: str) -> tuple[int, str]:
    """Exit code and what was said."""
    process = start(lock, folder, **variables)
    output, said = process.communicate()
    assert output == ""
    return process.returncode, said


def version_in(folder: Path) -> str:
    program = [str(folder / "bin" / "python"), "-I", "-c", "import tiny_thing; print(tiny_thing.VERSION)"]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()


def leftovers(folder: Path) -> set[str]:
    return {path.name for path in folder.parent.iterdir()} - {"env", "env.lock", ".env-memory-plugin-log"}


def test_it_is_made_once_kept_while_current_and_made_anew_when_the_lock_file_changes(tmp_path: Path) -> None:
    lock, folder = tmp_path / "requirements.lock", tmp_path / "a place" / "env"
    lock.write_text(wheel(tmp_path / "wheels", "1.0"))
    both = [start(lock, folder), start(lock, folder)]  # one makes it while the other waits
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("making its environment" in each for each in said) == 1
    assert version_in(folder) == "1.0"
    assert made(lock, folder) == (0, "")
    (folder.parent / ".env-memory-plugin-new").mkdir()  # as a kill in the middle leaves it
    lock.write_text(wheel(tmp_path / "wheels", "2.0"))
    status, words = made(lock, folder)
    assert (status, version_in(folder)) == (0, "2.0")
    assert "environment ready after" in words
    assert leftovers(folder) == set()


def test_what_fails_leaves_the_old_one_whole_and_says_what_to_do(tmp_path: Path) -> None:
    lock, folder = tmp_path / "requirements.lock", tmp_path / "home" / "env"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(shutil.which("python3") or "/usr/bin/python3")
    (folder / "mark").write_text("the old one")
    (folder / "pyvenv.cfg").touch()
    (folder / "requirements.lock").touch()
    line = wheel(tmp_path / "wheels", "1.0")
    lock.write_text(line[:-9] + "00000000\n")
    status, said = made(lock, folder)
    assert status == 1
    assert "memory-plugin: the environment could not be made. " in said
    assert f"The whole log is {folder.parent / '.env-memory-plugin-log'}" in said
    assert (folder / "mark").read_text() == "the old one"
    assert leftovers(folder) == set()


@pytest.mark.parametrize("held", ["important", "pyvenv.cfg"])
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path, held: str) -> None:
    lock, folder = tmp_path / "requirements.lock", tmp_path / "venvs"
    lock.write_text(wheel(tmp_path / "wheels", "1.0"))
    for name in ("venvs", "venvs.old", "venvs.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / held).write_text("mine")
    status, said = made(lock, folder)
    assert status == 1
    assert f"{folder} holds something else" in said
    for name in ("venvs", "venvs.old", "venvs.new"):
        assert [path.name for path in (tmp_path / name).iterdir()] == [held]


@pytest.mark.parametrize("obstacle", ["file", "folder of a file"])
def test_a_place_that_cannot_be_one_is_said_in_a_line(tmp_path: Path, obstacle: str) -> None:
    lock, place = tmp_path / "requirements.lock", tmp_path / "place"
    lock.write_text("")
    place.write_text("mine")
    status, said = made(lock, place / "env" if obstacle == "file" else place / "below" / "env")
    assert status == 1
    assert said.startswith("memory-plugin: ")
    assert said.count("\n") == 1
    assert place.read_text() == "mine"


def test_it_is_called_with_two_names(tmp_path: Path) -> None:
    done = subprocess.run([str(COMMAND)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "usage: bin/environment LOCK FOLDER\n")


def test_without_a_python_it_says_what_is_needed(tmp_path: Path) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "/usr/bin/dirname")
    done = subprocess.run(
        ["/bin/sh", str(COMMAND), "lock", "env"],
        capture_output=True,
        text=True,
        env={"PATH": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("memory-plugin: needs Python 3.10 or newer")


def test_an_interpreter_that_does_not_start_any_more_is_replaced(tmp_path: Path) -> None:
    lock, folder = tmp_path / "requirements.lock", tmp_path / "place" / "env"
    lock.write_text(wheel(tmp_path / "wheels", "1.0"))
    made(lock, folder)
    python = folder / "bin" / "python"
    python.unlink()
    python.write_text("#!/bin/sh\nexit 127\n")
    python.chmod(0o755)
    assert made(lock, folder)[0] == 0
    assert version_in(folder) == "1.0"
