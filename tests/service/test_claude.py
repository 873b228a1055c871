"""`claude -p` as a model, with a script in the client's place; with the real client see tests/client."""

from __future__ import annotations

import json
import os
import signal
import stat
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.doorbell import WITHIN
from memory_plugin.memory.files import try_lock
from memory_plugin.service.chat import ChatRefusedError, ChatUnavailableError
from memory_plugin.service.claude import FOLDER, MOST_AN_HOUR, ClaudeChat
from tests.support.patience import eventually
from tests.support.service import is_alive

SCHEMA: dict[str, Any] = {"type": "object"}
USAGE = {"haiku": {"inputTokens": 300, "outputTokens": 20, "cacheReadInputTokens": 7, "cacheCreationInputTokens": 3}}
ANSWER = {"is_error": False, "result": '{"facts": []}', "modelUsage": USAGE}
Client = Callable[[str], Path]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Makes a script of so many lines the `claude` on the PATH; $SEEN is a folder to write into."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (tmp_path / "seen").mkdir()
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))

    def make(body: str) -> Path:
        (programs / "claude").write_text(f"#!/bin/sh\n{body}\n")
        (programs / "claude").chmod(stat.S_IRWXU)
        return tmp_path / "seen"

    return make


def saying(answer: dict[str, Any]) -> str:
    return f"cat <<'END'\n{json.dumps(answer)}\nEND"


def ask(state: Path, seconds: float = 60.0) -> tuple[str, int]:
    found = ClaudeChat(None, str(state), seconds).ask("Extract.", "The importer é.", SCHEMA, 0)
    return found.text, found.tokens


def test_the_answer_and_what_it_cost(client: Client, tmp_path: Path) -> None:
    client("cat >/dev/null\n" + saying(ANSWER))
    assert ask(tmp_path) == ('{"facts": []}', 330)


def test_a_structured_answer_goes_before_the_text(client: Client, tmp_path: Path) -> None:
    client("cat >/dev/null\n" + saying({**ANSWER, "structured_output": {"facts": [1]}, "result": "Done."}))
    assert ask(tmp_path)[0] == '{"facts": [1]}'


def test_older_clients_count_in_one_place(client: Client, tmp_path: Path) -> None:
    usage = {"input_tokens": 100, "output_tokens": 11, "cache_read_input_tokens": 5, "service_tier": "standard"}
    client("cat >/dev/null\n" + saying({"is_error": False, "result": "{}", "usage": usage}))
    assert ask(tmp_path)[1] == 116


def test_the_client_is_run_without_tools_hooks_or_transcript_and_within(client: Client, tmp_path: Path) -> None:
    seen = client(
        'cat >"$SEEN/stdin"; pwd >"$SEEN/folder"; ls -A >"$SEEN/files"; env >"$SEEN/env"\n'
        'for word; do printf "%s\\0" "$word"; done >"$SEEN/words"\n' + saying(ANSWER)
    )
    ask(tmp_path)
    words = (seen / "words").read_bytes().decode().split("\0")[:-1]
    pairs = dict(pairwise(words))
    assert words[0] == "-p"
    assert pairs["--tools"] == ""
    assert json.loads(pairs["--settings"]) == {"disableAllHooks": True}
    assert {"--no-session-persistence", "--strict-mcp-config"} <= set(words)
    assert (pairs["--system-prompt"], pairs["--model"]) == ("Extract.", "haiku")
    assert json.loads(pairs["--json-schema"]) == SCHEMA
    assert "importer" not in " ".join(words)  # every user of the machine can read a command line
    assert (seen / "stdin").read_text(encoding="utf-8") == "The importer é."
    assert (seen / "folder").read_text().strip() == os.path.realpath(tmp_path / FOLDER / "empty")
    assert (seen / "files").read_text() == ""
    assert f"{WITHIN}=1\n" in (seen / "env").read_text()


def test_a_client_that_knows_no_schema_is_asked_without(client: Client, tmp_path: Path) -> None:
    seen = client(
        'cat >/dev/null; echo run >>"$SEEN/runs"\n'
        'for word; do [ "$word" = --json-schema ] || continue\n'
        "echo \"error: unknown option '--json-schema'\" >&2; exit 1; done\n" + saying(ANSWER)
    )
    chat = ClaudeChat(None, str(tmp_path))
    dearer = chat.cost("Extract.", "text", SCHEMA)
    assert chat.ask("Extract.", "text", SCHEMA, 0).tokens == 330
    assert chat.ask("Extract.", "text", SCHEMA, 0).tokens == 330
    assert (seen / "runs").read_text().count("run") == 3
    assert chat.cost("Extract.", "text", SCHEMA) < dearer


@pytest.mark.parametrize(
    ("body", "problem", "spent"),
    [
        ("echo 'Invalid API key' >&2; exit 1", "Invalid API key", None),
        ("exit 7", "exit code 7", None),
        ('echo \'{"is_error": false, "resu\'', "is_error", None),
        ("echo '[]'", "[]", None),
        ("echo 'error: unknown option' >&2; exit 1", "unknown option", None),
        (saying({**ANSWER, "is_error": True, "result": "Please run /login"}), "/login", 330),
        (saying({"result": "no flag"}), "no flag", 0),
        ("kill -9 $$", "exit code -9", None),
        ("head -c 3000000 /dev/zero", "haiku", None),
    ],
)
def test_a_client_that_fails_says_why(
    client: Client, tmp_path: Path, body: str, problem: str, spent: int | None
) -> None:
    client(f"cat >/dev/null\n{body}")
    with pytest.raises(ChatUnavailableError) as raised:
        ask(tmp_path)
    assert problem in str(raised.value)
    assert raised.value.spent == spent


@pytest.mark.parametrize(
    ("said", "tokens", "of_the_question"),
    [
        ('API Error: 400 {"type":"error","error":{"message":"Output blocked by content filtering policy"}}', 0, True),
        (
            "API Error: Claude Code is unable to respond to this request, it appears to violate our Usage Policy",
            0,
            True,
        ),
        ("Prompt is too long", 0, True),
        ("API Error: Claude's response exceeded the 1500 output token maximum.", 330, True),
        ("Invalid API key · Please run /login", 0, False),
        ("Please run /login", 330, False),
        ("Claude AI usage limit reached|1764500000", 330, False),
        ("Credit balance is too low", 0, False),
        ('API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', 0, False),
        ("API Error: 500 Internal server error", 0, False),
        ("API Error (Connection error.)", 0, False),
        ("There's an issue with the selected model (haiku). It may not exist or you may not have access.", 0, False),
        ("no reason", 0, False),
    ],
)
def test_what_is_refused_is_the_question_or_everything(
    client: Client, tmp_path: Path, said: str, tokens: int, of_the_question: bool
) -> None:
    usage = USAGE if tokens else {"haiku": dict.fromkeys(USAGE["haiku"], 0)}
    client("cat >/dev/null\n" + saying({"is_error": True, "result": said, "modelUsage": usage}))
    with pytest.raises(ChatUnavailableError) as raised:
        ask(tmp_path)
    assert isinstance(raised.value, ChatRefusedError) is of_the_question
    assert raised.value.spent == tokens


def test_a_client_that_never_reads_is_no_error(client: Client, tmp_path: Path) -> None:
    client(saying(ANSWER))
    chat = ClaudeChat(None, str(tmp_path))
    assert chat.ask("Extract.", "long " * 100_000, SCHEMA, 0).tokens == 330


def test_no_client_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ChatUnavailableError, match="no `claude` on the PATH"):
        ask(tmp_path)


def test_one_that_hangs_is_ended_with_all_that_it_started(client: Client, tmp_path: Path) -> None:
    seen = client('cat >/dev/null; sleep 600 & echo $! >"$SEEN/child"; wait')
    with pytest.raises(ChatUnavailableError, match="more than 1 s") as raised:
        ask(tmp_path, seconds=1)
    assert raised.value.spent is None
    assert eventually(lambda: not is_alive(int((seen / "child").read_text())))


def test_stopping_ends_the_client_that_runs(client: Client, tmp_path: Path) -> None:
    seen = client('cat >/dev/null; echo $$ >"$SEEN/pid.part"; mv "$SEEN/pid.part" "$SEEN/pid"; sleep 600')
    chat = ClaudeChat(None, str(tmp_path))
    failures = list[ChatUnavailableError]()

    def asking() -> None:
        with pytest.raises(ChatUnavailableError) as raised:
            chat.ask("Extract.", "text", SCHEMA, 0)
        failures.append(raised.value)

    thread = threading.Thread(target=asking)
    thread.start()
    assert eventually((seen / "pid").exists)
    chat.stop()
    thread.join()
    assert len(failures) == 1
    assert not is_alive(int((seen / "pid").read_text()))
    with pytest.raises(ChatUnavailableError, match="the service ends"):
        chat.ask("Extract.", "text", SCHEMA, 0)
    chat.stop()  # nothing runs, nothing happens


def test_one_at_a_time_whoever_asks(client: Client, tmp_path: Path) -> None:
    client("cat >/dev/null\n" + saying(ANSWER))
    ask(tmp_path)
    held = try_lock(str(tmp_path / FOLDER / "lock"))
    assert held is not None
    with held, pytest.raises(ChatUnavailableError, match="another"):
        ask(tmp_path)
    assert ask(tmp_path)[1] == 330


def test_the_lock_is_held_for_as_long_as_a_client_runs(client: Client, tmp_path: Path) -> None:
    seen = client('cat >/dev/null; (sleep 600 & echo $! >"$SEEN/child") >/dev/null 2>&1\n' + saying(ANSWER))
    ask(tmp_path)  # should the service die, what it started would hold the lock as this child does
    with pytest.raises(ChatUnavailableError, match="another"):
        ask(tmp_path)
    os.kill(int((seen / "child").read_text()), signal.SIGKILL)
    assert eventually(lambda: _free(tmp_path))


def _free(state: Path) -> bool:
    lock = try_lock(str(state / FOLDER / "lock"))
    if lock is not None:
        lock.close()
    return lock is not None


def test_no_more_than_so_many_within_an_hour(client: Client, tmp_path: Path) -> None:
    seen = client('cat >/dev/null; echo run >>"$SEEN/runs"\n' + saying(ANSWER))
    for _ in range(2):
        ask(tmp_path)
    starts = tmp_path / FOLDER / "starts.json"
    now = time.time()
    old = [now - 4000] * 50
    starts.write_text(json.dumps([*old, *[now - 60] * (MOST_AN_HOUR - 1)]))
    ask(tmp_path)
    with pytest.raises(ChatUnavailableError, match="within an hour"):
        ask(tmp_path)
    assert (seen / "runs").read_text().count("run") == 3
    assert len(json.loads(starts.read_text())) == MOST_AN_HOUR


@pytest.mark.parametrize("content", ["", "{", "null", '["soon"]', "{}"])
def test_broken_times_of_starts_are_as_none(client: Client, tmp_path: Path, content: str) -> None:
    client("cat >/dev/null\n" + saying(ANSWER))
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "starts.json").write_text(content)
    assert ask(tmp_path)[1] == 330
