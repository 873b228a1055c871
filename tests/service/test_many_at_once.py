"""Many sessions, conversations and machines at the same moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.memory import journal, places
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client, control
from memory_plugin.service.projects import Projects
from tests.support.data import REPOSITORY
from tests.support.environment import linked_environment
from tests.support.patience import PATIENCE, eventually
from tests.support.service import Sandbox, end, services_of
from tests.support.transcripts import conversation, stated

HOOK = [sys.executable, "-I", "-S", "-X", "utf8"]
ROUNDS = 2


def start(name: str, project: Path, transcript: Path, prompt: str = "hello") -> subprocess.Popen[bytes]:
    event = {
        "session_id": transcript.stem,
        "transcript_path": str(transcript),
        "cwd": str(project),
        "source": "startup",
        "trigger": "manual",
        "prompt": prompt,
    }
    process = subprocess.Popen(
        [*HOOK, str(REPOSITORY / "hooks" / f"{name}.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(project)},
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    process.stdin = None
    return process


def ended(process: subprocess.Popen[bytes]) -> bytes:
    """What a hook printed; it ended well, and quietly."""
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    return out


def transcript_of(sandbox: Sandbox, session: str) -> Path:
    return sandbox.folder / "client" / "projects" / session / f"{session}.jsonl"


def test_twenty_sessions_that_start_together_have_one_service(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_ENV", str(linked_environment(sandbox.folder / "env")))
    hooks = [start("session_start", sandbox.project, transcript_of(sandbox, f"s{number}")) for number in range(20)]
    for hook in hooks:
        ended(hook)
    assert eventually(lambda: control.status().get("ready"))
    assert eventually(lambda: services_of(sandbox.state) == {sandbox.pid})
    assert (sandbox.state / "logs" / "service.log").read_text().count("serves") == 1


def test_eight_conversations_in_three_projects_lose_and_double_nothing(sandbox: Sandbox) -> None:
    """Each is told something, compacted, asked and told more, while the index is brought up to date and made anew."""
    sandbox.start()
    projects = [sandbox.folder / f"project-{number}" for number in range(3)]
    for project in projects:
        project.mkdir()

    def live(number: int) -> None:
        project, transcript = projects[number % 3], transcript_of(sandbox, f"{number:08d}-session")
        for count in range(1, ROUNDS + 1):
            said = [stated(number * ROUNDS + each) for each in range(count)]
            conversation(transcript, said, cwd=project)
            ended(start(("pre_compact", "session_end")[count % 2], project, transcript))
            ended(start("user_prompt_submit", project, transcript, said[-1].replace("always use", "which is it,")))

    def reindex(number: int) -> None:
        for _ in range(2):
            assert list(client.stream("/reindex", {"rebuild": number == 0, "embedder": None}))[-1]["finished"]
            client.call("/sync", {})

    with ThreadPoolExecutor(10) as threads:
        for done in [*(threads.submit(live, each) for each in range(8)), *(threads.submit(reindex, n) for n in (0, 1))]:
            done.result()
    ended(start("session_start", projects[0], transcript_of(sandbox, "later")))  # pays what is owed still
    assert eventually(lambda: not [*(sandbox.state / "spool").glob("*.json")])
    folders = [str(sandbox.home / namespace_of(str(project)).name) for project in projects]
    held = [each for folder in folders for each in journal.all_held(folder)]
    assert Counter(each.fact.text for each in held) == Counter(stated(number) for number in range(8 * ROUNDS))
    captured = Counter(
        event["id"]
        for path in (sandbox.home / ".events").glob("*.jsonl")
        for event in map(json.loads, path.read_text().splitlines())
        if event["event"] == "captured"
    )
    assert set(captured.values()) == {1}
    assert len(captured) == 8 * ROUNDS
    assert eventually(lambda: client.call("/status")["reconciliation"]["waiting"] == 0)
    client.call("/sync", {})
    control.stop()
    assert contents(sandbox) == contents(sandbox, rebuilt=True)


def contents(sandbox: Sandbox, *, rebuilt: bool = False) -> list[tuple[str, int, str]]:
    """Every row of the index: path, line, text."""
    with Index.open(str(sandbox.state)) as index:
        if rebuilt:
            index.reset()
            sync(index, Roots(str(sandbox.home), Projects(str(sandbox.state)).known(), places.client_folder()))
        rows = index.by_filter("line >= 0", 100_000)
    return sorted((row.chunk.path, row.chunk.line, row.chunk.text) for row in rows)


def found(sandbox: Sandbox, text: str) -> bool:
    """Whether a prompt about it, in a conversation of its own, gets this note."""
    prompt = f"Which checks the parser before a commit, is it {text.split()[5]}?"
    return text in sandbox.context(prompt, session=os.urandom(4).hex())


def test_two_state_folders_on_one_home_both_find_what_either_wrote(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As two machines on a synced home: each has its own service and index."""
    states = [sandbox.state, sandbox.folder / "another state"]
    for number, state in enumerate(states):
        monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(state))
        sandbox.start()
        transcript = transcript_of(sandbox, f"machine-{number}")
        ended(start("pre_compact", sandbox.project, conversation(transcript, [stated(number)], cwd=sandbox.project)))
    try:
        for state in states:
            monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(state))
            for number in range(2):
                assert eventually(partial(found, sandbox, stated(number)))
        held = journal.all_held(str(sandbox.home / namespace_of(str(sandbox.project)).name))
        assert sorted(each.fact.text for each in held) == sorted([stated(0), stated(1)])
    finally:
        end(states[1])
        monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(states[0]))
