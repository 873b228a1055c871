"""`claude -p` as a model: one question, no tools, no hooks, no transcript, and never a way back to this plugin.

A client started by a hook of a client could start the next. Three things stand against it: flags under which no hook
of any kind fires (seen in 2.0.77 to 2.1.332), a variable under which our own do nothing, and a bound on disk: one at
a time, and so many an hour, whoever asks. https://code.claude.com/docs/en/cli-reference
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import IO, Any

from memory_plugin.memory.doorbell import WITHIN
from memory_plugin.memory.files import make_folder, read_bytes, try_lock, write_whole
from memory_plugin.service.chat import MOST_ANSWERED, Answer, ChatRefusedError, ChatUnavailableError, as_text, estimate

FOLDER = "claude"  # in the state folder: an empty folder to work in, the lock, the times of the last starts
MOST_AN_HOUR = 20
DEFAULT_MODEL = "haiku"  # an alias that every version knows
_ANSWER_SECONDS = 180.0
_LARGEST_ANSWER = 1 << 20
_HOUR = 3600.0
_OF_THE_CLIENT = 1_000  # tokens that the client adds: where it runs, its date, a tool for the answer
# What the client says when no question would be answered, and what it says of this one.
_NOT_THERE = re.compile(
    r"/login|api key|authenti|oauth|token (?:has )?expired|limit|credit|billing|quota|overloaded|connection|network"
    r"|time[d ]*out|error:? \(?(?:40[1-4]|408|429|5\d\d)\b|\bmodel\b.*\b(?:exist|access|found)",
    re.I | re.S,
)
_REFUSED = re.compile(r"error:? \(?(?:400|413|422)\b|too long|usage policy|content filter", re.I)
_FLAGS = (
    *("-p", "--output-format", "json", "--no-session-persistence", "--strict-mcp-config", "--tools", ""),
    *("--settings", '{"disableAllHooks":true}'),
)
# Without them a client reads the user's CLAUDE.md and memory, and may think at length.
VARIABLES = {
    WITHIN: "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(MOST_ANSWERED),
    "MAX_THINKING_TOKENS": "0",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}


class ClaudeChat:
    """A model of the user's own Claude Code, by its command."""

    def __init__(self, model: str | None, state: str, seconds: float = _ANSWER_SECONDS) -> None:
        """Ask with this model in a folder below `state`, and give up after so many seconds."""
        self.name = f"claude {model or DEFAULT_MODEL}"
        self._model = model or DEFAULT_MODEL
        self._folder = os.path.join(state, FOLDER)
        self._seconds = seconds
        self._takes_schema = True
        self._stopped = False
        self._running: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()

    def cost(self, instruction: str, text: str, schema: dict[str, Any]) -> int:
        """The most tokens that a question and its answer can cost: with a schema the client may ask twice."""
        once = estimate(instruction + text + as_text(schema)) + _OF_THE_CLIENT + MOST_ANSWERED
        return 2 * once if self._takes_schema else once

    def ask(self, instruction: str, text: str, schema: dict[str, Any], attempt: int) -> Answer:
        """The answer, by the schema where the client takes one. Raises ChatUnavailableError."""
        with self._turn() as lock:
            code, output, complaint = self._run(instruction, text, schema, lock)
            if code and self._takes_schema and "--json-schema" in complaint:
                self._takes_schema = False  # a client from before there was one
                code, output, complaint = self._run(instruction, text, schema, lock)
        return self._answer(code, output, complaint)

    def stop(self) -> None:
        """End the client that runs, if any, with whatever it started; no other is started any more."""
        with self._guard:
            self._stopped = True
            if self._running is not None:
                _kill(self._running)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[IO[bytes]]:
        """The lock of the one client that may run now; its start is written down before it happens."""
        make_folder(os.path.join(self._folder, "empty"))
        lock = try_lock(os.path.join(self._folder, "lock"))
        if lock is None:
            raise ChatUnavailableError("another `claude -p` of memory-plugin is running.")
        with lock:
            path, now = os.path.join(self._folder, "starts.json"), time.time()
            started = [moment for moment in _moments(path) if 0 <= now - moment < _HOUR]
            if len(started) >= MOST_AN_HOUR:
                raise ChatUnavailableError(f"`claude -p` was started {len(started)} times within an hour; that is all.")
            write_whole(path, json.dumps([*started, now]).encode())
            yield lock

    def _run(self, instruction: str, text: str, schema: dict[str, Any], lock: IO[bytes]) -> tuple[int, bytes, str]:
        """Run the client; its exit code, standard output and the beginning of its standard error."""
        program = shutil.which("claude")
        if program is None:
            raise ChatUnavailableError("there is no `claude` on the PATH that the service was started with.")
        command = [program, *_FLAGS, "--model", self._model, "--system-prompt", instruction]
        if self._takes_schema:
            command += ["--json-schema", as_text(schema)]
        with self._guard:
            if self._stopped:
                raise ChatUnavailableError("the service ends.")
            self._running = process = subprocess.Popen(
                command,
                cwd=os.path.join(self._folder, "empty"),
                env={**os.environ, **VARIABLES},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(lock.fileno(),),  # should this process die, the lock is held for as long as the client runs
            )
        try:
            output, complaint = process.communicate(text.encode(errors="replace"), timeout=self._seconds)
        except subprocess.TimeoutExpired as error:
            raise ChatUnavailableError(f"{self.name} took more than {self._seconds:g} s.", None) from error
        finally:
            with self._guard:
                self._running = None
                _kill(process)
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        return process.returncode, output[:_LARGEST_ANSWER], complaint[:2000].decode(errors="replace")

    def _answer(self, code: int, output: bytes, complaint: str) -> Answer:
        try:
            found = json.loads(output)
            tokens = _tokens(found)
            structured, result = found.get("structured_output"), found.get("result")
            failed = code != 0 or found.get("is_error") is not False
        except (ValueError, RecursionError, AttributeError, TypeError) as error:
            said = complaint.strip() or output[:200].decode(errors="replace").strip() or f"exit code {code}"
            raise ChatUnavailableError(f"{self.name}: {said:.200}", None) from error
        if failed:
            said = str(result or complaint)
            refused = not _NOT_THERE.search(said) and (tokens > 0 or _REFUSED.search(said))
            raise (ChatRefusedError if refused else ChatUnavailableError)(f"{self.name}: {said:.200}", tokens)
        return Answer(json.dumps(structured) if isinstance(structured, dict) else str(result), tokens)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a client that still runs, with its whole process group."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tokens(found: dict[str, Any]) -> int:
    """What the client says that all its requests cost."""
    counts = found.get("modelUsage")
    usages = list(counts.values()) if isinstance(counts, dict) and counts else [found.get("usage") or {}]
    names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    older = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(int(usage.get(name) or 0) for usage in usages for name in (*names, *older))


def _moments(path: str) -> list[float]:
    try:
        return [float(each) for each in json.loads(read_bytes(path))]
    except (OSError, ValueError, TypeError):
        return []
