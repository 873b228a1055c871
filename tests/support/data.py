"""Where the real transcripts and conversations lie, for the tests and benchmarks that want them."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def data_folder() -> Path | None:
    """The folder with real data: MEMORY_PLUGIN_DATA, else ../shared/data beside the clone; None if absent."""
    named = os.environ.get("MEMORY_PLUGIN_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    return folder if folder.is_dir() else None
