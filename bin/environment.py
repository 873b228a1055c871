"""Make the virtual environment that a lock file describes: once, whole or not at all, by one process at a time.

    environment.py LOCK FOLDER

uv makes it where there is one, else venv and pip. Every package is checked against the lock file's hashes. Standard
library only: nothing is installed yet.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from fnmatch import fnmatch
from typing import IO

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memory_plugin.memory.files import lock, make_folder, read_bytes

# The lock file is complete, so nothing beside it is wanted; and nothing is compiled on a user's machine.
_FROM_LOCK = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "-r")


_HINTS = {
    "ensurepip": "Install python3-venv (Debian, Ubuntu) or uv. ",
    "No space left": "The disk is full. ",
    "DO NOT MATCH THE HASHES": "What the package index serves is not what the lock file names. ",
}


class EnvironmentFailed(Exception):
    """The environment cannot be made; the text says what to do."""


def main(lock_file: str, folder: str) -> int:
    """Make the environment if it isn't what the lock file says; exit code 0 or 1."""
    folder = os.path.abspath(folder)
    try:
        make_folder(os.path.dirname(folder))
        with lock(folder + ".lock"):
            if not is_current(lock_file, folder):  # another process may have made it while this one waited
                _announce(folder)
                make(lock_file, folder)
    except (EnvironmentFailed, OSError) as error:
        print(f"memory-plugin: {error}", file=sys.stderr)
        return 1
    return 0


def is_current(lock_file: str, folder: str) -> bool:
    """Whether the folder holds the environment of this lock file."""
    wanted = read_bytes(lock_file)
    python = os.path.join(folder, "bin", "python")
    return read_bytes(_stamp(lock_file, folder)) == wanted and os.access(python, os.X_OK) and _runs(python)


def _runs(python: str) -> bool:
    """Whether an interpreter starts: the system's may have been replaced under the environment."""
    try:
        return subprocess.run([python, "-I", "-S", "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def may_replace(folder: str) -> bool:
    """Whether a folder is absent, empty, or an environment that was made here."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return True
    return not names or ("pyvenv.cfg" in names and any(fnmatch(name, "requirements*.lock") for name in names))


def _stamp(lock_file: str, folder: str) -> str:
    """The copy of the lock file that a finished environment holds."""
    return os.path.join(folder, os.path.basename(lock_file))


def make(lock_file: str, folder: str) -> None:
    """Make the environment beside its place and move it there when it is whole."""
    if not may_replace(folder):
        raise EnvironmentFailed(f"{folder} holds something else: set MEMORY_PLUGIN_ENV to a folder for this alone")
    place, name = os.path.split(folder)
    new, old, log = (os.path.join(place, f".{name}-memory-plugin-{part}") for part in ("new", "old", "log"))
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    started = time.monotonic()
    with open(log, "wb") as output:
        if not (_with_uv(lock_file, new, output) or _with_pip(lock_file, new, output)):
            shutil.rmtree(new, ignore_errors=True)
            raise EnvironmentFailed(_advice(log))
    shutil.copyfile(lock_file, _stamp(lock_file, new))
    if os.path.exists(folder):
        os.rename(folder, old)
    os.rename(new, folder)
    shutil.rmtree(old, ignore_errors=True)
    print(f"memory-plugin: environment ready after {time.monotonic() - started:.0f} s", file=sys.stderr)


def _with_uv(lock_file: str, folder: str, output: IO[bytes]) -> bool:
    uv = shutil.which("uv")
    python = os.path.join(folder, "bin", "python")
    return uv is not None and (
        _succeeds([uv, "venv", "--quiet", "--python", sys.executable, folder], output)
        and _succeeds(
            [uv, "pip", "install", "--quiet", "--python", python, *_FROM_LOCK, lock_file],
            output,
        )
    )


def _with_pip(lock_file: str, folder: str, output: IO[bytes]) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    pip = [os.path.join(folder, "bin", "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    return _succeeds([sys.executable, "-m", "venv", folder], output) and _succeeds(
        [*pip, "install", "--progress-bar", "off", *_FROM_LOCK, lock_file], output
    )


def _succeeds(command: list[str], output: IO[bytes]) -> bool:
    return subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL).returncode == 0


def _announce(folder: str) -> None:
    print(f"memory-plugin: making its environment in {folder} (once; about 0.6 GB)…", file=sys.stderr, flush=True)


def _advice(log: str) -> str:
    lines = read_bytes(log).decode(errors="replace").strip().splitlines()
    last = "\n  ".join(lines[-5:])
    hint = next((hint for word, hint in _HINTS.items() if word in last), "Is the package index reachable? ")
    return f"the environment could not be made. {hint}The whole log is {log}; its end:\n  {last}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: bin/environment LOCK FOLDER")
    sys.exit(main(sys.argv[1], sys.argv[2]))
