"""The real Claude Code client, in pinned versions, in a home of its own and talking to a loopback API.

The versions are those of ``tests/client/package-lock.json``. They are installed with ``npm ci`` into a
cache folder, once per lock file, and no script of theirs is run. Nothing outside the machine is reached
after that: whatever does not go to the fake API goes to a proxy port where nobody listens.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.data import REPOSITORY
from tests.support.folders import Folders

PINS = REPOSITORY / "tests" / "client"
NEWEST = "2.1.332"
OLDER = "2.1.76"
MODEL = "claude-sonnet-4-5-20250929"
PATIENCE = 150.0
"""Seconds after which a client is taken for hung; a turn takes one to three."""


def client_command(version: str) -> list[str]:
    """The command that starts this version of the client, installing it first where that is needed.

    Skips the test when npm or its registry cannot be had.
    """
    modules = _installed() / "node_modules"
    # The native binary lies in the package of the platform; older versions are a script for Node.
    script = modules / f"claude-{version}" / "cli.js"
    if script.is_file():
        return [_needed("node"), str(script)]
    for binary in sorted((modules / "@anthropic-ai").glob("claude-code-*/claude*")):
        if binary.is_file() and os.access(binary, os.X_OK):
            return [str(binary)]
    pytest.skip(f"Claude Code {version} has no binary for this machine")


def _installed() -> Path:
    lock = (PINS / "package-lock.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memory-plugin-tests"
    target = cache / f"client-{hashlib.sha256(lock).hexdigest()[:12]}"
    if target.is_dir():
        return target
    npm = _needed("npm")
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "client.lock", "w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        if target.is_dir():
            return target
        unfinished = target.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PINS / name, unfinished / name)
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        outcome = subprocess.run(command, cwd=unfinished, capture_output=True, text=True)
        if outcome.returncode != 0:
            reason = (outcome.stderr.strip().splitlines() or ["no message"])[0]
            pytest.skip(f"Claude Code cannot be installed from npm: {reason}")
        unfinished.rename(target)
    return target


def _needed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"Claude Code cannot be run: {program} is not installed")
    return found


@dataclass(frozen=True)
class World(Folders):
    """Everything that one user's clients share: home, memory, state, the API they talk to.

    ``plugins`` are folders given with ``--plugin-dir``; ``variables`` are added to the environment. Without
    one of them for MEMORY_PLUGIN_ENV there is no service, and no set-up of one is started.
    """

    root: Path
    version: str
    api_url: str
    plugins: tuple[Path, ...] = (REPOSITORY,)
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.home, self.temporary, self.memory):
            folder.mkdir(parents=True, exist_ok=True)
        self.pass_over_set_up()
        programs = self.root / "bin"
        programs.mkdir(exist_ok=True)
        claude = programs / "claude"
        claude.write_text(f'#!/bin/sh\nexec {shlex.join(client_command(self.version))} "$@"\n', encoding="utf-8")
        claude.chmod(0o755)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    def project(self, name: str) -> Path:
        """A project folder of that name: one that is its own git repository, as most are."""
        folder = self.root / "work" / name
        if not folder.is_dir():
            folder.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", str(folder)], check=True, env=self.environment())
        return folder

    def configure(self, **settings: Any) -> None:
        """Write the plugin's settings file."""
        self.settings.write_text(json.dumps(settings), encoding="utf-8")

    def notes(self, project: str, pattern: str = "*.md") -> str:
        """The text of a project's remembered files of that pattern, in order of their names."""
        files = sorted(self.memory.glob(f"{project}-*/{pattern}"))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def log(self, project: str) -> str:
        """The text of a project's daily logs."""
        return self.notes(project, "[0-9]*.md")

    def transcripts(self) -> str:
        """The text of all that the clients have written down of their conversations."""
        files = sorted(self.home.glob(".claude/projects/*/*.jsonl"))
        return "".join(file.read_text(encoding="utf-8") for file in files)

    def has_said(self, words: str) -> bool:
        """Whether a transcript holds a message of the user's with these words: 2.1.76 writes it a moment later."""
        return any('"type":"user"' in line and words in line for line in self.transcripts().splitlines())

    def launch(self, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """One run of the plugin's own command, as a user of this world."""
        return subprocess.run(
            [str(REPOSITORY / "bin" / "memory-plugin"), *arguments],
            cwd=folder or self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def environment(self) -> dict[str, str]:
        found = [str(Path(program).parent) for program in map(shutil.which, ("node", "git")) if program]
        folders = [str(self.root / "bin"), *found, "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "PATH": os.pathsep.join(dict.fromkeys(folders)),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.temporary),
            "CLAUDE_CODE_TMPDIR": str(self.temporary),
            "ANTHROPIC_BASE_URL": self.api_url,
            "ANTHROPIC_API_KEY": "dummy-key",
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "NO_PROXY": "127.0.0.1,localhost",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **self.places(),
            **self.variables,
        }

    def run(self, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """One run of the client with these arguments and nothing on standard input."""
        return subprocess.run(
            [*client_command(self.version), *arguments],
            cwd=folder or self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    @contextmanager
    def conversation(self, project: Path, *flags: str) -> Iterator[Conversation]:
        """A session of several turns in one client process; it ends as the block does."""
        talk = Conversation(self, project, flags)
        try:
            yield talk
        finally:
            talk.end()


class Conversation:
    """A client that reads its prompts one by one and tells what it does (stream-json both ways)."""

    def __init__(self, world: World, project: Path, flags: tuple[str, ...] = ()) -> None:
        plugins = [word for plugin in world.plugins for word in ("--plugin-dir", str(plugin))]
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        command = [*client_command(world.version), "-p", *streams]
        if world.version != OLDER:  # which has no such flag
            command.append("--include-hook-events")
        self.events: list[dict[str, Any]] = []
        self._complaints = world.temporary / "client.stderr"
        with open(self._complaints, "a", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                [*command, "--model", MODEL, *plugins, *flags],
                cwd=project,
                env=world.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )
        self._watchdog = threading.Timer(PATIENCE, self._process.kill)
        self._watchdog.daemon = True
        self._watchdog.start()

    def say(self, prompt: str) -> list[dict[str, Any]]:
        """Send one prompt; returns what the client reported up to the end of that turn."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        turn: list[dict[str, Any]] = []
        for line in self._process.stdout:
            event = json.loads(line)
            turn.append(event)
            self.events.append(event)
            if event["type"] == "result":
                return turn
        complaints = self._complaints.read_text(encoding="utf-8")[-2000:]
        raise AssertionError(f"the client stopped in the middle of a turn: {complaints}")

    def end(self) -> None:
        """Close standard input, as a user who leaves; returns when the client is gone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        for line in self._process.stdout:
            self.events.append(json.loads(line))
        self._process.wait()
        self._process.stdout.close()
        self._watchdog.cancel()

    def kill(self) -> None:
        """End the client at once, as a crash or a reboot does: no hook runs."""
        self._process.kill()
        self._process.wait()

    def hooks(self, name: str = "") -> list[dict[str, Any]]:
        """The reports of finished hooks (with ``exit_code``, ``stdout``, ``stderr``) of events named so."""
        return [
            event
            for event in self.events
            if event.get("subtype") == "hook_response" and name in str(event.get("hook_event"))
        ]

    @property
    def session(self) -> str:
        return next(str(event["session_id"]) for event in self.events if event.get("session_id"))
