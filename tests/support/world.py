"""A user's world in a folder of its own, and the hooks run in it as the client runs them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.namespaces import namespace_of
from tests.support.data import REPOSITORY
from tests.support.folders import Folders
from tests.support.transcripts import SESSION, conversation

RUN = REPOSITORY / "hooks" / "run"


@dataclass
class World(Folders):
    """The folders of one user, and one project with one conversation."""

    root: Path
    variables: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.project.mkdir(parents=True, exist_ok=True)
        self.pass_over_set_up()

    @property
    def home(self) -> Path:
        """The memory home, as the plugin calls it."""
        return self.memory

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def transcript(self) -> Path:
        return self.root / "transcripts" / f"{SESSION}.jsonl"

    @property
    def notes(self) -> Path:
        """The project's folder in the memory home."""
        return self.home / namespace_of(str(self.project)).name

    def say(self, texts: Iterable[str]) -> Path:
        """Write the conversation."""
        return conversation(self.transcript, texts, cwd=self.project)

    def event(self, **fields: Any) -> dict[str, Any]:
        """Standard input that suits every hook."""
        return {
            "session_id": SESSION,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "source": "startup",
            "trigger": "manual",
            "reason": "other",
            **fields,
        }

    def environment(self) -> dict[str, str]:
        found: dict[str, str | None] = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.root),
            "TZ": "UTC",
            "CLAUDE_PROJECT_DIR": str(self.project),
            **self.places(),
            **self.variables,
        }
        return {name: value for name, value in found.items() if value is not None}

    def hook(
        self, name: str, event: dict[str, Any] | bytes | None = None, **options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a hook through its launcher; nothing but exit code 0 and an empty standard error is borne."""
        raw = event if isinstance(event, bytes) else json.dumps(event or self.event()).encode() + b"\n"
        done = subprocess.run(
            ["sh", str(options.pop("run", RUN)), name],
            input=raw,
            capture_output=True,
            env=self.environment(),
            cwd=options.pop("cwd", self.root),
            **options,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done

    def log(self) -> list[str]:
        """What the hooks wrote into their log, without the times."""
        path = self.state / "logs" / "hooks.log"
        return [line[20:] for line in path.read_text().splitlines()] if path.exists() else []

    def facts(self) -> list[str]:
        """The fact lines of all daily logs, each as it stands."""
        return [
            line
            for path in sorted(self.home.glob("*/[0-9]*.md"))
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
            if line.startswith("- ")
        ]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world in which nothing was said yet."""
    return World(tmp_path)


def files_of(*folders: Path) -> dict[str, bytes]:
    """Every file below some folders with its content."""
    return {str(path): path.read_bytes() for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()}
