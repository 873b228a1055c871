"""A service of its own for a test: real processes and a real socket over scratch folders."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_plugin.service import control, lifecycle
from tests.support.data import REPOSITORY
from tests.support.patience import PATIENCE, eventually


@dataclass(frozen=True)
class Sandbox:
    """Scratch folders that the environment variables of this process point to, and a project in them."""

    folder: Path
    home: Path
    state: Path
    settings: Path
    project: Path

    @property
    def pid(self) -> int:
        """The process id that the running service wrote down; 0 when none did."""
        return int(lifecycle.information(str(self.state)).get("pid", 0))

    def start(self) -> int:
        """Start the service and return its process id."""
        assert control.ensure_started(PATIENCE)
        return self.pid

    def start_limited(self, **limits: float) -> int:
        """Start a service that ends by other limits than the settings allow."""
        values = {"idle": 1e9, "memory": 1e15, "age": 1e9, "check_every": 0.1, **limits}
        code = (
            f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
            "from memory_plugin.service import lifecycle\n"
            f"lifecycle.run(lifecycle.Limits(**{values!r}))"
        )
        subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))
        assert eventually(lambda: self.pid)
        return self.pid

    def hook(self, raw: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
        """Run the prompt hook as `hooks/run` does."""
        return subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8", str(REPOSITORY / "hooks" / "user_prompt_submit.py")],
            input=raw,
            capture_output=True,
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(self.project), **environment},
            timeout=PATIENCE,
        )

    def event(self, prompt: str, session: str = "s1", **more: Any) -> bytes:
        """Standard input as the client writes it."""
        fields = {"session_id": session, "prompt": prompt, "cwd": str(self.project), "transcript_path": "", **more}
        return json.dumps(fields).encode() + b"\n"

    def context(self, prompt: str, session: str = "s1", **more: Any) -> str:
        """What the model would be given with this prompt, or ""."""
        done = self.hook(self.event(prompt, session, **more))
        assert (done.returncode, done.stderr) == (0, b"")
        return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else ""

    def configure(self, **sections: dict[str, Any]) -> None:
        """Write the settings file."""
        self.settings.write_text(json.dumps(sections))


def is_alive(process: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def services_of(state: Path) -> set[int]:
    """The processes that were started as the service of a state folder and still run."""
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            environment = (folder / "environ").read_bytes()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if f"MEMORY_PLUGIN_STATE={state}\0".encode() in environment and command.endswith(b"service\0run\0"):
            found.add(int(folder.name))
    return {process for process in found if is_alive(process)}


def end(state: Path) -> None:
    """Stop whatever service a test left behind."""
    process = int(lifecycle.information(str(state)).get("pid", 0))
    control.stop()
    if process > 1 and is_alive(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
