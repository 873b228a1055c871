"""What is written down of each prompt: real hook process, real service, scratch folders."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.index.layers import Scored
from memory_plugin.index.recall import Recalled
from memory_plugin.memory import accounts, injected
from memory_plugin.memory.accounts import Account, Figures
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client
from memory_plugin.service.accounts import LONGEST_PROMPT, LONGEST_TEXT, MOST_NOTES, account
from memory_plugin.service.prompts import Answer, Asked
from tests.service.test_prompts import QUESTION, ready
from tests.support.accounts import FIGURES
from tests.support.patience import eventually
from tests.support.service import Sandbox

AT = datetime(2026, 11, 30, 14, 32, 5, tzinfo=timezone.utc)
TOKEN = "ghp_" + "a1B2" * 9


def kept(sandbox: Sandbox, count: int) -> list[Account]:
    """The accounts of the sandbox's project, once there are so many."""
    name = namespace_of(str(sandbox.project)).name
    assert eventually(lambda: len(accounts.read(str(sandbox.state), name)) >= count)
    found = accounts.read(str(sandbox.state), name)
    assert len(found) == count
    return found


def everything_kept(sandbox: Sandbox) -> str:
    return "".join(path.read_text() for path in sandbox.state.glob(f"{accounts.FILE}*"))


def test_a_prompt_that_got_a_note_says_which_and_what_it_was_made_of(sandbox: Sandbox) -> None:
    ready(sandbox)
    assert sandbox.context(QUESTION)
    (told,) = kept(sandbox, 1)
    assert (told.prompt, told.session, told.reason, told.gate) == (QUESTION, "s1", "", "")
    assert (told.degraded, told.asks, told.spoken, told.together) == (True, "", True, False)
    assert told.looked_at >= len(told.considered) >= 1
    assert 30 < told.tokens < 150
    note = told.considered[0]
    assert (note.reason, note.label, note.date) == ("in", "reference", "2026-11-30")
    assert note.text == "The dev server listens on port 8377."
    assert set(note.words) == {"port", "dev", "server", "listen"}
    assert note.source.endswith("2026-11-30.md#L3")
    assert note.figures.nearness is None
    assert stat.S_IMODE((sandbox.state / accounts.FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("prompt", "gate", "spoken"),
    [
        ("yes, go on", "says only to go on", True),
        ("/compact", "slash command", False),
        ("<task-notification>\n<task-id>port 8377", "made by a machine", False),
    ],
)
def test_a_prompt_that_the_gate_refused_says_why(sandbox: Sandbox, prompt: str, gate: str, spoken: bool) -> None:
    ready(sandbox)
    assert sandbox.context(prompt) == ""
    (told,) = kept(sandbox, 1)
    assert (told.gate, told.reason, told.spoken) == (gate, gate, spoken)
    assert (told.tokens, told.looked_at, told.considered) == (0, 0, ())


def test_a_note_that_stands_in_the_conversation_is_told_from_one_that_does_not_fit(sandbox: Sandbox) -> None:
    ready(sandbox)
    for _ in range(2):
        sandbox.context(QUESTION)
    sandbox.context("What shall we have for lunch?")
    first, again, lunch = kept(sandbox, 3)
    assert first.reason == ""
    assert again.reason == "what may answer it stands in the conversation already"
    assert again.considered[0].reason == "shown before"
    assert lunch.reason == "nothing in memory is relevant enough"


def test_a_prompt_that_is_read_with_the_one_before_it_says_so(sandbox: Sandbox) -> None:
    ready(sandbox, "- **reference** hornbeam listens on port 8377.\n- **project** The mascot is a heron.\n")
    sandbox.context("who is hornbeam, and where?", session="s2")
    injected.reset("s2")
    assert "8377" in sandbox.context("and its port?", session="s2")
    first, second = kept(sandbox, 2)
    assert (first.together, second.together) == (False, True)
    assert second.prompt == "and its port?"
    assert second.considered[0].words == ("port",)


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        ("Which port does the dev server listen on? <private>zebra</private>", QUESTION),
        ("Which port does the dev server listen on? <private>zebra dev server", QUESTION),
        (f"Which port does the dev server listen on? {TOKEN} zebra", f"{QUESTION} [masked]"),
        (f"{QUESTION} <private>zebra</private> {'x' * 300}", QUESTION),
        ("<private>zebra server port</private>", "(private)"),
    ],
)
def test_what_is_private_or_secret_is_in_no_account(sandbox: Sandbox, prompt: str, shown: str) -> None:
    ready(sandbox, "- **reference** The dev server of the zebra listens on port 8377.\n")
    sandbox.context(prompt.replace(" zebra", "") if TOKEN in prompt else prompt)
    (told,) = kept(sandbox, 1)
    assert told.prompt.startswith(shown)
    assert TOKEN not in everything_kept(sandbox)
    assert "zebra" not in told.prompt
    assert not any("zebra" in note.words for note in told.considered)


@pytest.mark.parametrize("place", ["user", "project"])
def test_while_nothing_said_may_be_kept_only_the_figures_are(sandbox: Sandbox, place: str) -> None:
    ready(sandbox)
    if place == "user":
        sandbox.configure(embedding={"provider": "none"}, capture={"enabled": False})
    else:
        (sandbox.project / ".claude").mkdir()
        (sandbox.project / ".claude" / "memory-plugin.json").write_text('{"capture": {"enabled": false}}')
    assert "8377" in sandbox.context(QUESTION)
    (told,) = kept(sandbox, 1)
    assert (told.prompt, told.considered) == ("", ())
    assert told.tokens > 30
    assert told.looked_at >= 1
    assert "port" not in everything_kept(sandbox)


def test_recall_that_is_switched_off_is_the_reason(sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "none"}, recall={"enabled": False})
    ready(sandbox)
    sandbox.context(QUESTION)
    assert kept(sandbox, 1)[0].reason == "the setting recall.enabled is false"


def test_what_cannot_be_written_down_keeps_no_note_away(sandbox: Sandbox) -> None:
    ready(sandbox)
    (sandbox.state / accounts.FILE).mkdir()
    assert "8377" in sandbox.context(QUESTION)
    assert "8377" in sandbox.context(QUESTION, session="s2")


def test_what_a_prompt_would_get_is_told_and_not_kept(sandbox: Sandbox) -> None:
    ready(sandbox)
    answer = client.call("/recall", {"prompt": QUESTION, "project": str(sandbox.project)})
    told = accounts.parsed(answer["account"])
    assert told.considered[0].id == answer["notes"][0]["id"]
    assert not (sandbox.state / accounts.FILE).exists()
    sandbox.context(QUESTION)
    (real,) = kept(sandbox, 1)
    assert replace(told, at=real.at, session="s1") == real


def test_notes_are_named_by_the_beginning_of_their_ids(sandbox: Sandbox) -> None:
    ready(sandbox, global_notes="The oboe stands in the corner, and nobody plays it.\n")
    (sandbox.project / "CLAUDE.md").write_text("The zeppelin module must be built first.\n")
    client.call("/search", {"query": "zeppelin", "project": str(sandbox.project)})
    found = client.call("/note", {"id": "", "project": str(sandbox.project)})["notes"]
    assert {each["resident"] for each in found if "zeppelin" in each["text"]} == {True}
    assert {each["resident"] for each in found if "oboe" in each["text"]} == {False}
    (one,) = client.call("/note", {"id": found[0]["id"][:6], "project": str(sandbox.project)})["notes"]
    assert one == found[0]
    for identity in ("zzzz", "'; DROP", "%", "_", None):
        assert client.call("/note", {"id": identity, "project": str(sandbox.project)})["notes"] in ([], found)


def scored(number: int, reason: str = "not relevant enough", **changes: Any) -> Scored:
    fields: dict[str, Any] = {
        "id": f"{number:08}",
        "text": f"Note {number} speaks of the port.",
        "context": "",
        "source": f"/n.md#L{number}",
        "namespace": "shop-1",
        "category": "reference",
        "kind": "fact",
        "date": "2026-11-30",
        "score": number / 100,
        "vector": 0.1,
        "keyword": 0.1,
        "reason": reason,
        "label": "reference",
        "former": (),
        "terms": ("port",),
        "figures": Figures(**FIGURES),
    }
    return Scored(**{**fields, **changes})


def told(tmp_path: Path, asked: str = "which port?", context: str = "<memory-notes>", **answer: Any) -> Account:
    state = os.environ.get("MEMORY_PLUGIN_STATE", str(tmp_path))
    return account(Asked(asked, "", "/shop", frozenset(), "s1"), Answer("shop-1", context, **answer), AT, state)


def test_the_best_dozen_is_kept_what_was_shown_first(tmp_path: Path) -> None:
    shown = scored(1, "in")
    recalled = Recalled((shown,), (*map(scored, range(30, 1, -1)), shown), asks="perhaps")
    found = told(tmp_path, shown=(shown,), recalled=recalled)
    assert [int(each.id) for each in found.considered] == [1, *range(30, 30 - MOST_NOTES + 1, -1)]
    assert (found.looked_at, found.asks, found.at) == (30, "perhaps", "2026-11-30T14:32:05+00:00")


def test_whatever_was_shown_is_kept(tmp_path: Path) -> None:
    shown = tuple(scored(number, "in") for number in range(20))
    assert len(told(tmp_path, shown=shown, recalled=Recalled(shown, shown)).considered) == 20


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "no room in the context"),
        ({"together": True}, "has no word of the prompt itself"),
        ({"context": "", "reason": "the answer came too late"}, "the answer came too late"),
    ],
)
def test_what_recall_chose_and_nobody_saw_says_why(tmp_path: Path, answer: dict[str, Any], reason: str) -> None:
    found = told(tmp_path, recalled=Recalled((), (scored(50, "in"),)), **answer)
    assert [each.reason for each in found.considered] == [reason]


def test_long_texts_are_cut_on_one_line(tmp_path: Path) -> None:
    note = scored(5, text="a\nb " * 100)
    found = told(tmp_path, "which\n\nport? " * 50, recalled=Recalled((), (note,)))
    for text, most in ((found.prompt, LONGEST_PROMPT), (found.considered[0].text, LONGEST_TEXT)):
        assert (text[-1], "\n" in text) == ("…", False)
        assert most - len("which port? ") <= len(text) <= most  # cut between words


def test_a_secret_in_a_note_is_masked(tmp_path: Path) -> None:
    found = told(tmp_path, recalled=Recalled((), (scored(5, text=f"The token is {TOKEN}"),)))
    assert found.considered[0].text == "The token is [masked]"
