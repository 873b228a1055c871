"""The virtual environment that the tests run in, as the plugin's own one: nothing is installed twice."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.data import REPOSITORY


def linked_environment(folder: Path) -> Path:
    """An environment made of links to this interpreter's own, which the launcher takes for the one it wants.

    Skips the test where this interpreter is no bin/python of an environment.
    """
    if not os.access(os.path.join(sys.prefix, "bin", "python"), os.X_OK):
        pytest.skip("this interpreter is no bin/python of an environment")
    folder.mkdir()
    for entry in Path(sys.prefix).iterdir():
        (folder / entry.name).symlink_to(entry)
    stamp = folder / "requirements.lock"
    stamp.unlink(missing_ok=True)
    stamp.write_bytes((REPOSITORY / "requirements.lock").read_bytes())
    return folder
