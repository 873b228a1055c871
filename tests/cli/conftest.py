"""The command as a user runs it: a process of its own, over scratch folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from memory_plugin.memory.places import client_slug
from tests.support.data import REPOSITORY
from tests.support.patience import PATIENCE
from tests.support.service import Sandbox

Done = subprocess.CompletedProcess[str]


class Command(Protocol):
    """Runs `memory-plugin ARGUMENTS`; `said` is given on standard input."""

    def __call__(self, *arguments: str, said: str | bytes = "", **environment: str) -> Done: ...


@pytest.fixture
def command(sandbox: Sandbox) -> Command:
    """The command, in the sandbox's project."""

    def run(*arguments: str, said: str | bytes = "", **environment: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", str(REPOSITORY / "memory_plugin" / "__main__.py"), *arguments],
            input=said if isinstance(said, bytes) else said.encode(),
            capture_output=True,
            cwd=sandbox.project,
            env={**os.environ, **environment},
            timeout=2 * PATIENCE,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def transcript(sandbox: Sandbox) -> Callable[..., Path]:
    """Writes a transcript of the sandbox's project where Claude Code would: `transcript("s1", "said", …)`."""

    def write(session: str, *said: str, project: Path | None = None) -> Path:
        folder = project or sandbox.project
        path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / client_slug(str(folder)) / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        entries: list[dict[str, Any]] = [
            {
                "type": "user",
                "message": {"role": "user", "content": text},
                "uuid": f"{session}-{number}",
                "sessionId": session,
                "cwd": str(folder),
                "timestamp": f"2026-11-30T10:0{number}:00.000Z",
            }
            for number, text in enumerate(said)
        ]
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return path

    return write
