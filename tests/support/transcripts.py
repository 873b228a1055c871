"""Transcripts as the client writes them, for the tests: one JSON line an entry."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

# Yesterday: no preference is stale by then, and no clock says that it is still to come.
DAY = f"{datetime.now(timezone.utc) - timedelta(days=1):%Y-%m-%d}"
SESSION = "5e55104e-0000-4000-8000-000000000001"
_TOOLS = ("ruff", "mypy", "pytest", "uv", "make", "nox", "tox", "hatch", "just", "bazel")
_PARTS = (
    "parser",
    "importer",
    "exporter",
    "scheduler",
    "renderer",
    "gateway",
    "mailer",
    "indexer",
    "planner",
    "archiver",
)


def stated(number: int) -> str:
    """One of a hundred instructions that a flush keeps as they are."""
    return f"From now on, always use {_TOOLS[number % 10]} to check the {_PARTS[number // 10 % 10]} before a commit."


def entry(text: Any, number: int = 0, *, role: str = "user", cwd: str = "/work/none", **fields: Any) -> dict[str, Any]:
    """One entry of a transcript; `text` is a string or a list of blocks."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": cwd,
        "sessionId": SESSION,
        "version": "2.1.332",
        "type": role,
        "message": {"role": role, "content": text},
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "timestamp": f"{DAY}T{12 + number // 60 % 4}:{number % 60:02}:00.000Z",
        **fields,
    }


def lines(entries: Iterable[Any]) -> bytes:
    """The entries as the lines of a file."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in entries)


def conversation(path: Path, texts: Iterable[str], *, cwd: Path | str | None = None) -> Path:
    """Write a transcript in which the user says these things in a project folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = str(cwd if cwd is not None else path.parent)
    path.write_bytes(lines(entry(text, number, cwd=folder) for number, text in enumerate(texts)))
    return path
