"""What a prompt gets from the service: real hook process, real service, scratch folders."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import injected, places, spool
from memory_plugin.memory.frame import utf16_length
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.spool import Job
from memory_plugin.service import client, control
from memory_plugin.service.prompts import Event, parse_event
from tests.support.patience import eventually
from tests.support.service import Sandbox, is_alive

NOTES = """\
- **decision** We index with LanceDB, not pgvector: there is no server to run.
- **procedure** Deploys to staging go through `make ship`, never by hand.
- **reference** The dev server listens on port 8377.
- **preference** The user wants commit messages in the imperative.
- **lesson** Flaky invoice tests came from the timezone of the runner.
- **relationship** Priya owns the billing service.
"""
QUESTION = "Which port does the dev server listen on?"


def ready(sandbox: Sandbox, project_notes: str = NOTES, global_notes: str = "") -> int:
    """A running service that has indexed these notes; its process id."""
    namespace = sandbox.home / namespace_of(str(sandbox.project)).name
    namespace.mkdir()
    (namespace / "2026-11-30.md").write_text(project_notes)
    if global_notes:
        (sandbox.home / "MEMORY.md").write_text(global_notes)
    process = sandbox.start()
    client.call("/sync", {})
    return process


def test_a_relevant_prompt_gets_its_note_in_one_line_of_ascii_json(sandbox: Sandbox) -> None:
    ready(sandbox, NOTES + "- **reference** Le serveur de préproduction s'appelle « hêtre ».\n")
    done = sandbox.hook(sandbox.event("comment s'appelle le serveur de préproduction ?"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert done.stdout.endswith(b"}\n")
    assert done.stdout.count(b"\n") == 1
    answer = json.loads(done.stdout)
    context = answer["hookSpecificOutput"].pop("additionalContext")
    assert answer == {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit"}}
    assert "« hêtre »" in context
    assert context.startswith("<memory-notes>\n")
    assert context.endswith("\n</memory-notes>")
    assert "8377" not in context


@pytest.mark.parametrize(
    "prompt",
    ["What shall we have for lunch?", "yes, go on", "/compact", "  ", "<task-notification>\n<task-id>port 8377"],
)
def test_other_prompts_get_nothing(sandbox: Sandbox, prompt: str) -> None:
    ready(sandbox)
    assert sandbox.hook(sandbox.event(prompt)).stdout == b""


def test_a_note_comes_once_until_a_compaction(sandbox: Sandbox) -> None:
    ready(sandbox)
    assert "8377" in sandbox.context(QUESTION)
    assert sandbox.context(QUESTION) == ""
    assert "8377" in sandbox.context(QUESTION, session="s2")
    injected.reset("s1")
    assert "8377" in sandbox.context(QUESTION)


def test_what_was_shown_outlives_the_service(sandbox: Sandbox) -> None:
    ready(sandbox)
    assert sandbox.context(QUESTION)
    control.stop()
    sandbox.start()
    client.call("/sync", {})
    assert sandbox.context(QUESTION) == ""


def test_what_the_briefing_showed_is_not_repeated(sandbox: Sandbox) -> None:
    ready(sandbox)
    (note,) = client.call("/recall", {"prompt": QUESTION, "project": str(sandbox.project)})["notes"]
    injected.record("s1", [note["id"]], "SessionStart")
    assert sandbox.context(QUESTION) == ""


def test_another_projects_notes_stay_away_and_global_ones_come(sandbox: Sandbox) -> None:
    ready(sandbox, "- **project** The mascot is a heron.\n", "- The user writes British English.\n")
    elsewhere = sandbox.folder / "elsewhere"
    elsewhere.mkdir()
    assert "heron" in sandbox.context("What animal is the mascot, a heron?")
    there = {"cwd": str(elsewhere), "session": "s2"}
    done = sandbox.hook(
        sandbox.event("What animal is the mascot, a heron?", **there), CLAUDE_PROJECT_DIR=str(elsewhere)
    )
    assert done.stdout == b""
    done = sandbox.hook(sandbox.event("British or American English?", **there), CLAUDE_PROJECT_DIR=str(elsewhere))
    assert b"British English" in done.stdout


def test_a_short_prompt_is_read_with_the_one_before_it(sandbox: Sandbox) -> None:
    notes = (
        "- **reference** The staging dev server is called hornbeam.\n- **reference** hornbeam listens on port 8377.\n"
    )
    notes += "- **reference** The build port of the printer daemon is 9100.\n" + NOTES.replace("8377", "8000")
    ready(sandbox, notes)
    assert "8377" not in sandbox.context("what do we know about wine?")
    assert sandbox.context("and lunch?") == ""
    sandbox.context("who is hornbeam, and where?", session="s2")
    injected.reset("s2")
    assert "hornbeam listens on port 8377" in sandbox.context("and its port?", session="s2")


@pytest.mark.parametrize("place", ["user", "project"])
def test_recall_can_be_switched_off(sandbox: Sandbox, place: str) -> None:
    ready(sandbox)
    if place == "user":
        sandbox.configure(embedding={"provider": "none"}, recall={"enabled": False})
    else:
        (sandbox.project / ".claude").mkdir()
        (sandbox.project / ".claude" / "memory-plugin.json").write_text('{"recall": {"enabled": false}}')
    assert sandbox.context(QUESTION) == ""
    answer = client.call("/recall", {"prompt": QUESTION, "project": str(sandbox.project)})
    assert (answer["context"], answer["reason"]) == ("", "the setting recall.enabled is false")


def test_the_context_never_outgrows_the_clients_limit(sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "none"}, recall={"max_notes": 20, "max_tokens": 2000})
    things = ("lathe", "quartz", "violin", "kettle", "walrus", "turbine", "meadow", "anchor", "pepper", "saddle")
    notes = [f"- **reference** The heron colony has a {thing}: {'=-' * 540}.\n" for thing in things]
    others = [f"- **lesson** Ticket {number} was closed by Priya{number}.\n" for number in range(200)]
    ready(sandbox, "".join([*notes, *others]))
    question = "What does the heron colony have?"
    first, second = sandbox.context(question), sandbox.context(question)
    assert 8000 < utf16_length(first) <= 9500
    # What did not fit was not shown, so it came next.
    assert [f"has a {thing}:" in first for thing in things] == [f"has a {thing}:" not in second for thing in things]


def test_recall_shows_exactly_what_the_prompt_gets(sandbox: Sandbox) -> None:
    ready(sandbox)
    answer = client.call("/recall", {"prompt": QUESTION, "project": str(sandbox.project)})
    assert answer["context"] == sandbox.context(QUESTION)
    assert answer["reason"] == ""
    again = client.call("/recall", {"prompt": QUESTION, "project": str(sandbox.project), "session": "s1"})
    assert again["context"] == ""
    assert "shown before" in {each["reason"] for each in again["considered"]}
    assert client.call("/recall", {"prompt": "/help", "project": str(sandbox.project)})["reason"] == "slash command"


def test_search_and_prompt_find_the_same_note(sandbox: Sandbox) -> None:
    ready(sandbox)
    found = client.call("/search", {"query": QUESTION, "limit": 3, "project": str(sandbox.project)})
    note = found["notes"][0]
    assert "8377" in note["text"]
    assert len(found["notes"]) <= 3
    assert note["source"].endswith("2026-11-30.md#L3")
    fields = {"id", "text", "source", "namespace", "category", "score", "vector", "keyword", "date"}
    assert fields <= set(note)
    assert note["source"].replace(str(sandbox.folder), "~") in sandbox.context(QUESTION)


def test_a_client_with_another_home_ends_the_service_and_gets_its_own(sandbox: Sandbox) -> None:
    process = ready(sandbox)
    another = sandbox.folder / "another home"
    another.mkdir()
    (another / "MEMORY.md").write_text("- The dev server listens on port 9999.\n" + NOTES.replace("8377", "1"))
    asked = sandbox.event(QUESTION)
    assert sandbox.hook(asked, MEMORY_PLUGIN_HOME=str(another)).stdout == b""
    assert eventually(lambda: not is_alive(process))
    assert eventually(lambda: b"9999" in sandbox.hook(asked, MEMORY_PLUGIN_HOME=str(another)).stdout)


def test_after_a_compaction_the_next_prompt_has_the_summary_read(sandbox: Sandbox) -> None:
    ready(sandbox)
    transcript = sandbox.folder / "s1.jsonl"
    summary = (
        "This session is being continued from a previous conversation.\n\nSummary:\nWe looked at the queue.\n\n"
        "## Durable facts\n- [decision] Jobs are kept in Redis streams, because lists lost them at restarts.\n"
    )
    entry = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s1",
        "cwd": str(sandbox.project),
        "timestamp": "2026-11-29T10:00:00.000Z",
        "isCompactSummary": True,
        "message": {"role": "user", "content": summary},
    }
    transcript.write_text(json.dumps(entry) + "\n")
    job = Job(str(transcript), "summary", str(sandbox.project))
    spool.add(str(sandbox.state), job)
    sandbox.context("thanks, carry on with the queue", transcript_path=str(transcript))
    assert eventually(lambda: not spool.owed(str(sandbox.state), str(transcript)))
    question = "Why are jobs kept in Redis streams?"
    assert eventually(lambda: "lost them at restarts" in sandbox.context(question, transcript_path=str(transcript)))


def raw_request(sandbox: Sandbox, request: bytes) -> bytes:
    """What comes back for bytes on the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(60)
        connection.connect(str(sandbox.state / places.SOCKET_NAME))
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"POST /hook/prompt HTTP/1.1\r\ncontent-length: 50000000", b"413"),
        (b"GET /hook/prompt HTTP/1.1", b"405"),
        (b"GET /nothing HTTP/1.1", b"404"),
        (b"POST /search HTTP/1.1\r\ncontent-length: 0", b"409"),
        (b"no HTTP at all", b"400"),
    ],
)
def test_what_cannot_be_answered_is_refused_at_once(sandbox: Sandbox, request_line: bytes, status: bytes) -> None:
    process = sandbox.start()
    answer = raw_request(sandbox, request_line + b"\r\nhost: x\r\nconnection: close\r\n\r\n")
    assert answer.split(b" ")[1] == status
    assert is_alive(process)


def test_an_unbounded_body_is_cut_off(sandbox: Sandbox) -> None:
    sandbox.start()
    head = b"POST /hook/prompt HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    part = b"%x\r\n" % 100_000 + b"x" * 100_000 + b"\r\n"

    def send_without_end(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(1000):
            connection.sendall(part)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(60)
        connection.connect(str(sandbox.state / places.SOCKET_NAME))
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            send_without_end(connection)
    assert client.call("/hello") == {"yours": True}


@pytest.mark.parametrize("payload", [{"query": 5}, {"query": None, "limit": "many"}, {"query": "\ud800", "limit": -1}])
def test_odd_questions_get_an_answer(sandbox: Sandbox, payload: dict[str, Any]) -> None:
    ready(sandbox)
    assert client.call("/search", payload)["notes"] == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"prompt": 5, "cwd": "/p"}', b'{"prompt": " ", "cwd": "/p"}'],
)
def test_input_without_a_prompt_is_no_event(body: bytes) -> None:
    assert parse_event(body, "/project") is None


def test_a_prompt_without_any_folder_is_no_event() -> None:
    assert parse_event(b'{"prompt": "x"}', "") is None


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (b'{"prompt": "x"}', Event("", "x", "/project", "")),
        (b'{"prompt": "\\ud800\xff", "session_id": 5, "cwd": "/c"}', Event("", "?�", "/project", "")),
        (
            b'{"prompt": "x", "session_id": "s", "transcript_path": "/t/s.jsonl"}',
            Event("s", "x", "/project", "/t/s.jsonl"),
        ),
    ],
)
def test_an_event_holds_what_the_client_says(body: bytes, event: Event) -> None:
    assert parse_event(body, "/project") == event


def test_nesting_without_end_is_no_event() -> None:
    assert parse_event(b"[" * 100_000, "/project") is None


def test_the_projects_own_status_is_found(sandbox: Sandbox) -> None:
    ready(sandbox)
    sandbox.context("where do we stand with the heron migration?")
    Path(sandbox.project, "STATUS.md").write_text("# Status\n\nThe heron migration waits for Priya's review.\n")
    found = client.call("/search", {"query": "heron migration", "project": str(sandbox.project)})
    assert eventually(lambda: "waits for Priya" in sandbox.context("where do we stand with the heron migration?"))
    assert isinstance(found["notes"], list)


def test_a_secret_in_a_note_of_the_users_own_is_masked_in_what_is_found(sandbox: Sandbox) -> None:
    token = "ghp_" + "a1B2" * 9
    (sandbox.home / "notes.md").write_text(f"# Deploying\n\nThe deploy token of the staging server is {token}\n")
    sandbox.start()
    found = json.dumps(client.call("/search", {"query": "deploy token staging", "project": str(sandbox.project)}))
    assert "[masked]" in found
    assert token not in found


def test_a_note_in_a_folder_of_the_vault_is_found_and_another_projects_is_not(sandbox: Sandbox) -> None:
    for folder in ("runbooks", "other-0a1b2c3d"):
        (sandbox.home / folder).mkdir()
        (sandbox.home / folder / "deploy.md").write_text(f"# Deploying\n\nThe deploy key of {folder} is in the safe.\n")
    sandbox.start()
    found = client.call("/search", {"query": "deploy key safe", "project": str(sandbox.project)})["notes"]
    assert [note["namespace"] for note in found] == ["runbooks"]
