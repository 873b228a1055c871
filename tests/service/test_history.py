"""Conversations through the service: from the flush to the prompt, and whole stretches for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.flush import flush_transcript
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client
from tests.support import talk
from tests.support.patience import eventually
from tests.support.service import Sandbox

EXCHANGES = (
    ("10:00", "Shall we look at the reports first?", "Yes, those of October are ready."),
    (
        "10:05",
        "Why has the zeppelin renderer no shadows?",
        "The fog shader overwrote the depth buffer of the zeppelin.",
    ),
    ("10:20", "Now the marmalade exporter.", "The marmalade exporter writes one jar a line."),
)


def namespace(sandbox: Sandbox) -> Path:
    return sandbox.home / namespace_of(str(sandbox.project)).name


def ready(sandbox: Sandbox) -> None:
    talk.write(namespace(sandbox), talk.page(EXCHANGES))
    talk.write(
        sandbox.home / "other-0a1b2c3d",
        talk.page([("09:00", "The harvest robot is Walnut.", "Nice.")], day="2026-03-04", session="0ther000"),
        day="2026-03-04",
        session="0ther000",
    )
    sandbox.start()
    client.call("/sync", {})


def found(sandbox: Sandbox, query: str, **payload: Any) -> list[dict[str, Any]]:
    answer = client.call("/history", {"query": query, "project": str(sandbox.project), **payload})
    stretches: list[dict[str, Any]] = answer["stretches"]
    return stretches


def test_a_search_answers_with_whole_stretches(sandbox: Sandbox) -> None:
    ready(sandbox)
    first = found(sandbox, "zeppelin shadows depth buffer")[0]
    assert "**Assistant 10:05:** The fog shader overwrote" in first["text"]
    assert "reports first" in first["before"]
    assert "marmalade exporter writes" in first["after"]
    assert (first["day"], first["time"], first["project"]) == ("2026-11-20", "10:05", "github.com/acme/shop")
    assert (first["ended"], first["session"], first["kind"]) == ("open", talk.SESSION, "exchange")
    assert Path(first["file"]).read_text().splitlines()[first["line"] - 1].startswith("## 10:05")


def test_a_search_looks_in_this_project_unless_all_are_asked_for(sandbox: Sandbox) -> None:
    ready(sandbox)
    assert not any("Walnut" in each["text"] for each in found(sandbox, "harvest robot Walnut"))
    assert "Walnut" in found(sandbox, "harvest robot Walnut", project=None)[0]["text"]


@pytest.mark.parametrize(
    ("query", "count"), [("en mars 2026", 1), ("what did we say on 2026-03-04?", 1), ("robot, in April 2026", 0)]
)
def test_days_in_words_are_enough_or_narrow_a_search(sandbox: Sandbox, query: str, count: int) -> None:
    ready(sandbox)
    assert len(found(sandbox, query, project=None)) == count


def test_a_prompt_gets_what_was_said_in_an_earlier_conversation(sandbox: Sandbox) -> None:
    ready(sandbox)
    question = "what did we say about the zeppelin renderer, its shadows and the depth buffer?"
    done = sandbox.hook(sandbox.event(question))
    assert b"fog shader overwrote the depth buffer" in done.stdout
    assert b"conversation, shop" in done.stdout


def test_an_order_after_a_question_gets_nothing_of_what_was_said(sandbox: Sandbox) -> None:
    ready(sandbox)
    payload = {"project": str(sandbox.project), "previous": "what did we say about the zeppelin renderer's shadows?"}
    order = client.call("/recall", {**payload, "prompt": "write one line about the sea"})
    assert order["context"] == ""
    follow_up = client.call("/recall", {**payload, "prompt": "and the depth buffer?"})
    assert "fog shader" in follow_up["context"]


def test_what_is_flushed_can_be_searched(sandbox: Sandbox, tmp_path: Path) -> None:
    from tests.support.transcripts import conversation

    path = conversation(
        tmp_path / "t" / "5e55104e-1.jsonl", ["The walrus server stands in Reykjavik."], cwd=sandbox.project
    )
    sandbox.start()
    flush_transcript(str(path), trigger="test", home=str(sandbox.home), state=str(sandbox.state))
    assert eventually(lambda: found(sandbox, "walrus server Reykjavik"))
