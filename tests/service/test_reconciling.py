"""Reconciliation by the running service: after a flush, before a person's question, never before a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client
from tests.support.facts import capture, fact, held, in_events
from tests.support.ollama_server import OllamaServer
from tests.support.patience import eventually
from tests.support.service import Sandbox

OLD = "The staging gateway answers on port 8443."
NEW = "The staging gateway answers on port 9443."


def status() -> dict[str, Any]:
    found: dict[str, Any] = client.call("/status")["reconciliation"]
    return found


@pytest.fixture
def namespace(sandbox: Sandbox) -> str:
    """The project's namespace."""
    return namespace_of(str(sandbox.project)).name


def said(home: Path, namespace: str, text: str, day: str) -> str:
    (written,) = capture(home, [fact(text, namespace=namespace, category="reference", day=day)], namespace)
    return written.id


def test_what_is_asked_right_after_a_flush_is_reconciled(sandbox: Sandbox, namespace: str) -> None:
    old = said(sandbox.home, namespace, OLD, "2026-11-02")
    sandbox.start()
    client.call("/search", {"query": "staging gateway"})
    new = said(sandbox.home, namespace, NEW, "2026-11-05")
    client.call("/search", {"query": "staging gateway"})
    assert held(sandbox.home, old, namespace).fact.by == new
    assert in_events(sandbox.home, old, namespace).status == "superseded"
    found = status()
    assert (found["waiting"], found["problem"]) == (0, "")
    assert found["last_pass"]["vectors"] is False


def test_it_happens_by_itself_and_once(sandbox: Sandbox, namespace: str) -> None:
    old = said(sandbox.home, namespace, OLD, "2026-11-02")
    new = said(sandbox.home, namespace, NEW, "2026-11-05")
    sandbox.start()
    assert eventually(lambda: held(sandbox.home, old, namespace).fact.by == new)
    assert eventually(lambda: status()["waiting"] == 0)
    events = [path.read_bytes() for path in sorted((sandbox.home / ".events").glob("*.jsonl"))]
    client.call("/search", {"query": "staging gateway"})
    assert [path.read_bytes() for path in sorted((sandbox.home / ".events").glob("*.jsonl"))] == events


def test_with_an_embedder_the_vectors_have_their_say(sandbox: Sandbox, namespace: str, ollama: OllamaServer) -> None:
    sandbox.configure(embedding={"provider": "ollama", "ollama_url": ollama.url})
    said(sandbox.home, namespace, OLD, "2026-11-02")
    said(sandbox.home, namespace, NEW, "2026-11-05")
    sandbox.start()
    assert eventually(lambda: status()["last_pass"].get("vectors") is True)
    assert (status()["waiting"], status()["last_pass"]["looked_at"]) == (0, 2)


def test_a_home_that_cannot_be_written_is_a_problem_and_not_the_end(sandbox: Sandbox, namespace: str) -> None:
    old = said(sandbox.home, namespace, OLD, "2026-11-02")
    new = said(sandbox.home, namespace, NEW, "2026-11-05")
    log = sandbox.home / namespace / "2026-11-02.md"
    log.chmod(0o400)
    try:
        sandbox.start()
        client.call("/search", {"query": "staging gateway"})
        assert client.call("/search", {"query": "staging gateway"})["notes"]
    finally:
        log.chmod(0o600)
    client.call("/sync", {})
    assert eventually(lambda: held(sandbox.home, old, namespace).fact.by == new)
