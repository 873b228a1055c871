"""The virtual environment that the tests run in, as the plugin's own one: nothing is installed twice."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def linked_environment(folder: Path) -> Path:
    """An environment made of links to this interpreter's own, which the launcher takes for the one it wants."""
    folder.mkdir()
    for entry in Path(sys.prefix).iterdir():
        (folder / entry.name).symlink_to(entry)
    stamp = folder / "requirements.lock"
    stamp.unlink(missing_ok=True)
    stamp.write_bytes((REPOSITORY / "requirements.lock").read_bytes())
    return folder
