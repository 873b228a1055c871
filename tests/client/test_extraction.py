"""`claude -p` as the model that reads along, with the real client and the plugin installed in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memory_plugin.service import cursor
from memory_plugin.service.claude import FOLDER, ClaudeChat
from memory_plugin.service.distillation import Distiller
from tests.client.test_loading import copy_of_the_plugin
from tests.support.claude import World
from tests.support.fake_anthropic import FakeAnthropic, Reply
from tests.support.reading import SAID, Flushed, answer, fact

FOUND = answer(fact("Staging keeps its sessions in redis.", SAID[1]))
TOOL_OF_A_SCHEMA = "StructuredOutput"


@pytest.fixture
def installed(world: World, tmp_path: Path) -> World:
    """A client with the plugin installed, whose hooks would leave traces, and a tool server of the user's."""
    clone = copy_of_the_plugin(tmp_path / "clone")
    world = replace(world, plugins=())
    for arguments in (("marketplace", "add", str(clone)), ("install", "memory-plugin@memory-plugin")):
        outcome = world.run("plugin", *arguments)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    touch = {"command": "/bin/sh", "args": ["-c", f"touch {tmp_path / 'tool-server-started'}"]}
    path = world.home / ".claude.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**known, "mcpServers": {"touch": touch}}), encoding="utf-8")
    settings = world.home / ".claude" / "settings.json"
    hook = {"type": "command", "command": f"touch {tmp_path / 'hook-fired'}"}
    hooks = {name: [{"hooks": [hook]}] for name in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")}
    settings.write_text(json.dumps({**json.loads(settings.read_text(encoding="utf-8")), "hooks": hooks}))
    (world.home / ".claude" / "CLAUDE.md").write_text("The user's own instructions.", encoding="utf-8")
    return world


@pytest.mark.parametrize("structured", [True, False])
def test_an_extraction_runs_once_fires_no_hook_and_leaves_no_transcript(
    installed: World, api: FakeAnthropic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, structured: bool
) -> None:
    found = json.loads(FOUND)
    api.on("", Reply(FOUND))
    if structured:
        api.on("redis", Reply(tool=TOOL_OF_A_SCHEMA, tool_input=found), uses=1)
        api.on("^# Environment", Reply(tool=TOOL_OF_A_SCHEMA, tool_input=found), uses=1)
    for name, value in installed.environment().items():
        monkeypatch.setenv(name, value)
    flushed = Flushed(tmp_path / "flushed")
    flushed.root.mkdir()
    cursor.begin(str(flushed.state))
    cursor.write(str(flushed.state), replace(cursor.begin(str(flushed.state)), since="2020-01-01T00:00:00+00:00"))
    flushed.talk("one", SAID[1])
    before = {path: path.stat().st_mtime_ns for path in (installed.state, installed.memory)}

    reader = Distiller(str(flushed.state), str(flushed.home), ClaudeChat(None, str(flushed.state)), 1_000_000)
    while reader.step():
        pass

    assert len(flushed.facts()) == 1
    assert SAID[1] in api.requests[0].text
    assert "own instructions" not in api.requests[0].text
    tools = {tool["name"] for request in api.requests for tool in request.body.get("tools") or []}
    assert tools <= {TOOL_OF_A_SCHEMA, "DeferredToolPlaceholder"}  # of which the second can't be called
    assert len(json.loads((flushed.state / FOLDER / "starts.json").read_text())) == 1
    spent = cursor.read(str(flushed.state))
    assert spent is not None
    assert 200 < spent.spent() < 10_000

    assert not (tmp_path / "hook-fired").exists()
    assert not (tmp_path / "tool-server-started").exists()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not list(installed.memory.iterdir())
    assert installed.transcripts() == ""
    assert not list((flushed.state / FOLDER / "empty").iterdir())


def test_without_our_flags_the_hooks_and_the_tool_server_would_start(
    installed: World, tmp_path: Path, api: FakeAnthropic
) -> None:
    assert installed.run("-p", "Good morning.").returncode == 0
    assert (tmp_path / "hook-fired").exists()
    assert (tmp_path / "tool-server-started").exists()
    assert installed.transcripts() != ""
