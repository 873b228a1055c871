"""One user's folders, conversations and processes, and what was said and acknowledged in them."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from memory_plugin.memory import places
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import lifecycle
from tests.support.data import REPOSITORY
from tests.support.patience import PATIENCE, eventually
from tests.support.service import end

PYTHON = [sys.executable, "-I", "-X", "utf8"]
HOOK = [sys.executable, "-I", "-S", "-X", "utf8"]  # as hooks/run starts them
OWN_LINES = "# Mine\n\nThis line is my own, and stays as it is.\n"
_PARTS = "parser importer exporter scheduler renderer gateway mailer indexer planner archiver".split()


class Broken(AssertionError):
    """What must hold after a fault does not."""


def expect(holds: object, text: str) -> None:
    """Raises Broken with the text unless it holds."""
    if not holds:
        raise Broken(text)


@dataclass
class Scene:
    """A user of one project. said: what stands in the transcripts; acknowledged: what a hook or command that returned
    has taken; gone: what was taken back by one that returned."""

    folder: Path
    chance: random.Random
    said: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    number: int = 0

    @property
    def home(self) -> Path:
        """The memory home."""
        return self.folder / "home"

    @property
    def state(self) -> Path:
        """The state folder."""
        return self.folder / "state"

    @property
    def project(self) -> Path:
        """The project's folder."""
        return self.folder / "project"

    @property
    def notes(self) -> Path:
        """The project's folder in the home."""
        return self.home / namespace_of(str(self.project)).name

    @property
    def clock(self) -> Path:
        """The file that says what time it is."""
        return self.folder / "clock"

    def make(self) -> None:
        """Make the folders, a MEMORY.md that the user began, and settings without an embedder."""
        for each in (self.home, self.state, self.project, self.folder / "client", self.notes):
            each.mkdir(parents=True, exist_ok=True)
        (self.notes / "MEMORY.md").write_text(OWN_LINES)
        (self.folder / "settings.json").write_text(json.dumps({"embedding": {"provider": "none"}}))
        (self.state / "set-up-started").touch()

    def environment(self, **more: str) -> dict[str, str]:
        """The variables of every process of this user; no service is started unless MEMORY_PLUGIN_ENV says so."""
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "TZ": "UTC",
            "MEMORY_PLUGIN_HOME": str(self.home),
            "MEMORY_PLUGIN_STATE": str(self.state),
            "MEMORY_PLUGIN_SETTINGS": str(self.folder / "settings.json"),
            "MEMORY_PLUGIN_ENV": str(self.folder / "none"),
            "MEMORY_PLUGIN_CLOCK": str(self.clock),
            "CLAUDE_CONFIG_DIR": str(self.folder / "client"),
            "CLAUDE_PROJECT_DIR": str(self.project),
            **more,
        }

    # --- what is said

    def say(self, count: int = 1, session: str = "") -> list[str]:
        """Say so many new things in a conversation that are to be remembered."""
        session = session or f"5e55{self.number:04x}-0000-4000-8000-000000000001"
        new = [self.statement() for _ in range(count)]
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        moment = datetime.now(timezone.utc) - timedelta(hours=2)
        with open(path, "ab") as stream:
            for text in new:
                entry = {
                    "parentUuid": None,
                    "isSidechain": False,
                    "cwd": str(self.project),
                    "sessionId": session,
                    "version": "2.1.332",
                    "type": "user",
                    "message": {"role": "user", "content": text},
                    "uuid": f"{self.chance.getrandbits(32):08x}-0000-4000-8000-000000000000",
                    "timestamp": f"{moment:%Y-%m-%dT%H:%M:%S}.000Z",
                }
                stream.write(json.dumps(entry).encode() + b"\n")
        self.said += new
        return new

    def statement(self) -> str:
        """An instruction that nobody gave before, which a flush keeps as it is."""
        self.number += 1
        part = self.chance.choice(_PARTS)
        return f"From now on, always use tool{self.number:03d} to check the {part} before a commit."

    def transcript(self, session: str) -> Path:
        """Where the client writes a conversation."""
        return self.folder / "client" / "projects" / "p" / f"{session}.jsonl"

    def last_session(self) -> str:
        """The conversation that was spoken in last."""
        found = sorted(
            (self.folder / "client" / "projects" / "p").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns
        )
        return found[-1].stem if found else "none"

    # --- processes

    def start(self, command: list[str], raw: bytes = b"", **more: Any) -> subprocess.Popen[bytes]:
        """Start a process of this user in a group of its own, with its standard input written."""
        environment = self.environment(**more.pop("variables", {}))
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=self.project,
            start_new_session=True,
            **more,
        )
        assert process.stdin is not None
        try:
            process.stdin.write(raw)
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdin = None
        return process

    def start_hook(self, name: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start a hook with the event of the conversation that was spoken in last."""
        session = more.pop("session", None) or self.last_session()
        event = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": str(self.project),
            "source": "startup",
            "trigger": "manual",
            "reason": "other",
            "prompt": more.pop("prompt", "hello"),
        }
        return self.start([*HOOK, str(REPOSITORY / "hooks" / f"{name}.py")], json.dumps(event).encode() + b"\n", **more)

    def hook(self, name: str, **more: Any) -> bytes:
        """Run a hook to its end: its output. Broken unless it exits with 0, quietly, with nothing or an object."""
        process = self.start_hook(name, **more)
        out, err = process.communicate(timeout=PATIENCE)
        expect((process.returncode, err) == (0, b""), f"{name} ended with {process.returncode}: {err[-300:]!r}")
        if name in ("session_start", "user_prompt_submit") and out:
            expect(isinstance(json.loads(out), dict), f"{name} printed {out[:100]!r}")
        return out

    def command(self, *arguments: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start the command line."""
        return self.start([*PYTHON, str(REPOSITORY / "memory_plugin" / "__main__.py"), *arguments], **more)

    def run(self, *arguments: str, **more: Any) -> str:
        """Run the command line to its end: what it says. Broken unless it exits with 0."""
        process = self.command(*arguments, **more)
        out, err = process.communicate(timeout=2 * PATIENCE)
        expect(process.returncode == 0, f"{arguments} ended with {process.returncode}: {(out + err)[-400:]!r}")
        return out.decode()

    def kill_somewhere(self, process: subprocess.Popen[bytes], within: float) -> bool:
        """Kill a process and its group at a random moment; whether it was still at work."""
        try:
            process.wait(self.chance.random() * within)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL

    # --- the service

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """This process as one of the user's: its variables are theirs."""
        before = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.environment(MEMORY_PLUGIN_ENV=sys.prefix))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def start_service(self, root: Path = REPOSITORY, hung: float = 1.0) -> None:
        """Start the service as the hooks do, but for how long it waits for one before it that says nothing."""
        code = (
            f"import sys; sys.path.insert(0, {str(root)!r})\n"
            "from memory_plugin.service import lifecycle\n"
            f"lifecycle.run(lifecycle.Limits(idle=600.0, memory=1 << 40, check_every=0.5, hung={hung}))"
        )
        subprocess.run([*PYTHON, "-c", code], env=self.environment(MEMORY_PLUGIN_ENV=sys.prefix), check=True)

    @property
    def service(self) -> int:
        """The id of the service that says it runs; 0 when none does."""
        return int(lifecycle.information(str(self.state)).get("pid", 0))

    def ask(self, text: str, **variables: str) -> str:
        """A prompt about something said, in a session of its own: the context that it gets."""
        self.number += 1
        prompt = f"Which tool checks the {text.split(' the ')[1].split()[0]}, is it {text.split()[5]}?"
        raw = self.hook("user_prompt_submit", session=f"asks-{self.number}", prompt=prompt, variables=variables)
        return str(json.loads(raw)["hookSpecificOutput"]["additionalContext"]) if raw else ""

    def answered(self, text: str) -> None:
        """Broken unless a prompt is given this note in the end; what starts the service is the prompt itself."""
        told = eventually(lambda: text in self.ask(text, MEMORY_PLUGIN_ENV=sys.prefix), every=0.3)
        expect(told, f"no prompt gets {text!r}")

    def stop_service(self) -> None:
        """End the service, if one runs."""
        with self.at_home():
            end(self.state)

    def end(self) -> None:
        """Stop what runs and remove the folders."""
        self.stop_service()
        shutil.rmtree(self.folder, ignore_errors=True)


def socket_of(scene: Scene) -> Path:
    """The service's socket."""
    return scene.state / places.SOCKET_NAME


Fault = Callable[[Scene], None]
