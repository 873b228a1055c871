"""why: what the last prompt got, how a note fared; what status counts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memory_plugin.cli.status import collect, describe
from memory_plugin.cli.why import explained, verdict
from memory_plugin.memory import accounts, clock, injected
from memory_plugin.memory.accounts import Account
from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support.accounts import account, considered
from tests.support.patience import eventually
from tests.support.service import Sandbox

STAGING = "Staging listens on port 8080."
PRODUCTION = "Production listens on port 443."
QUESTION = "which port does staging listen on?"


def add(command: Command, *texts: str) -> list[str]:
    """Adds facts; their ids."""
    return [json.loads(command("add", text, "--json").stdout)["id"] for text in texts]


def keep(sandbox: Sandbox, *told: Account) -> None:
    for each in told:
        accounts.append(str(sandbox.state), replace(each, namespace=namespace_of(str(sandbox.project)).name))


def prompt(sandbox: Sandbox, text: str, session: str = "s1") -> None:
    """A prompt of a person, once it is written down."""
    known = len(accounts.read(str(sandbox.state), namespace_of(str(sandbox.project)).name))
    sandbox.context(text, session)
    name = namespace_of(str(sandbox.project)).name
    assert eventually(lambda: len(accounts.read(str(sandbox.state), name)) > known)


@pytest.mark.parametrize(
    ("told", "first"),
    [
        (account(considered(), considered(id="x"), *[considered("not relevant enough")] * 7),
         "Two notes were shown (61 tokens). Nine were considered."),
        (account(considered()), "One note was shown (61 tokens). One was considered."),
        (account(tokens=61, looked_at=3), "Notes were shown (61 tokens). Three were considered."),
        (account(*[considered("not relevant enough")] * 12, looked_at=30),
         "Nothing was shown: nothing in memory is relevant enough. 30 notes were considered."),
        (account(considered("shown before")), "Nothing was shown: nothing in memory is relevant enough. "
                                              "One note was considered."),
        (account(gate="slash command", reason="slash command"), "Nothing was shown: slash command."),
    ],
)  # fmt: skip
def test_the_first_sentence_says_what_came_of_it(told: Account, first: str) -> None:
    assert explained(told).split("\n")[0] == first


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"asks": "surely"}, "so less in common is enough: a score of 0.30, and of 0.34 for the best note."),
        ({"asks": "perhaps"}, "so a little less in common is enough: a score of 0.30"),
        ({"asks": ""}, "It does not ask for what was said before"),
        ({"degraded": True}, "By keyword only: there were no vectors to compare"),
        ({"together": True}, "it was read with the prompt before it."),
        ({}, "“which port does staging have?” (2026-11-30 14:32, conversation 5e551000)"),
        ({"looked_at": 5}, "… and 4 more"),
        ({"considered": (), "looked_at": 3, "prompt": ""}, "“(not kept)”"),
        ({"considered": (), "looked_at": 3}, "Which ones is not kept: capture.enabled is false, or one"),
    ],
)
def test_what_bore_on_the_whole_prompt_is_said(changes: dict[str, Any], line: str) -> None:
    assert line in explained(replace(account(considered()), **changes))


def test_a_note_has_a_line_of_figures_and_one_of_words() -> None:
    lines = explained(account(considered(), considered("not relevant enough", score=0.1, nearness=-0.001))).split("\n")
    table = lines[lines.index("     score  nearness  keyword  note") + 1 :]
    assert table[0] == "in    0.52      0.90     0.40  7k2m9qab  reference: Staging listens on port 8123."
    assert table[1].startswith("     shown: ")
    assert table[2].startswith("out   0.10      0.00     0.40  7k2m9qab")
    assert len(table) == 4


@pytest.mark.parametrize(
    ("reason", "changes", "said"),
    [
        ("in", {}, "shown: its score reaches 0.30, and with “port”, “staging” in common 0.27 is near enough"),
        ("in", {"nearness": None}, "shown: “port”, “staging” in common"),
        ("in", {"nearness": None, "words": ()}, "shown: asked for by its day, or as what is still to be done"),
        ("in", {"beside": 0.11}, "recency 1.00, a better one beside it gave 0.11)"),
        ("in", {"diversity": 0.07}, "recency 1.00, likeness to a better one took 0.07)"),
        ("shown before", {}, "it stands in the conversation already ("),
        ("shown before", {"score": 0.1}, "it stands in the conversation already, and its score had to be 0.30"),
        ("too little in common", {"words": ("port",), "wanted": 0.45},
         "with “port” in common it had to be 0.45 near"),
        ("too little in common", {"words": ()}, "with no word in common it had to be"),
        ("too little in common", {"nearness": None}, "none of the words rare enough"),
        ("not relevant enough", {"score": 0.2, "least": 0.24}, "its score had to be 0.24; “port”, “staging” in"),
        ("no note is clearly relevant", {}, "no note reached the 0.34 that the best one must"),
        ("says the same as another", {}, "says the same as a better one ("),
        ("over the token budget", {}, "the budget of tokens was full"),
        ("enough without it", {}, "a prompt gets no more notes"),
        ("said in this conversation", {}, "said in this conversation (importance 0.60, confidence 0.70, recency 1.00)"),
    ],
)  # fmt: skip
def test_what_let_a_note_in_or_kept_it_out_is_said_in_words(reason: str, changes: dict[str, Any], said: str) -> None:
    assert said in verdict(considered(reason, **changes))


def test_the_last_prompt_is_explained_without_a_service(command: Command, sandbox: Sandbox) -> None:
    keep(sandbox, account(considered(), prompt="first"), account(prompt="second", session="0ther"),
         account(prompt="/memory-plugin:memory why", gate="slash command", spoken=False))  # fmt: skip
    assert "“second”" in command("why").stdout
    assert "“first”" in command("why", "--last", "2").stdout
    assert "“first”" in command("why", "--session", "5e551000").stdout
    plain = json.loads(command("why", "--session", "5e55", "--json").stdout)
    assert (plain["prompt"], plain["tokens"], plain["considered"][0]["figures"]["nearness"]) == ("first", 61, 0.9)
    assert "not running" in command("status").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 1, "no prompt of this project on record"),
        (("--session", "s9"), 1, "no prompt of the conversation s9 on record"),
        (("--last", "0"), 2, "--help"),
        (("7k2m9qab", "--prompt", "x"), 2, "one of the three"),
        (("7k2m9qab", "--session", "s1"), 2, "one of the three"),
        (("--prompt", "x", "--last", "2"), 2, "one of the three"),
        (("--project", "/nowhere/at/all"), 1, "there is no folder"),
        (("zzzzzzzz",), 1, "`memory-plugin search` shows what there is"),
    ],
)
def test_what_cannot_be_explained_is_an_error(
    command: Command, sandbox: Sandbox, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = command("why", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_there_are_fewer_prompts_than_one_goes_back(command: Command, sandbox: Sandbox) -> None:
    keep(sandbox, account())
    assert "Error: 1 prompt of this project on record" in command("why", "--last", "2").stderr


def test_a_real_prompt_and_its_note_are_explained_and_counted(command: Command, sandbox: Sandbox) -> None:
    staging, _ = add(command, STAGING, PRODUCTION)
    command("search", "staging")
    prompt(sandbox, QUESTION)
    said = command("why").stdout
    assert "(by keyword only" not in said
    assert f"{staging}  reference: {STAGING}" in said
    note = command("why", staging[:5]).stdout
    assert note.startswith(f"{staging}  {STAGING}\n          reference, holds\n          {sandbox.home}")
    assert "It stands in the last conversation (s1) already" in note
    assert "Of 1 prompt on record it was considered by 1:\n     score  nearness  keyword  note\nin " in note
    injected.reset("s1")
    assert "A prompt that it answers gets it." in command("why", staging).stdout
    plain = json.loads(command("why", staging, "--json").stdout)
    assert (plain["id"], plain["prompts"]) == (staging, 1)
    assert [(each["prompt"], each["reason"]) for each in plain["fared"]] == [(QUESTION, "in")]
    counts = json.loads(command("status", "--json").stdout)["prompts"]
    assert (counts["prompts"], counts["injected"], counts["degraded"]) == (1, 1, 1)


def test_a_prompt_is_explained_as_if_it_came_now(command: Command, sandbox: Sandbox) -> None:
    (staging,) = add(command, STAGING)
    told = json.loads(command("why", "--prompt", QUESTION, "--json").stdout)
    assert [(each["id"], each["reason"]) for each in told["considered"]] == [(staging, "in")]
    injected.record("s7", [staging], "SessionStart")
    assert "it stands in the conversation already" in command("why", "--prompt", QUESTION, "--session", "s7").stdout
    assert "Nothing was shown: slash command." in command("why", "--prompt", "/compact").stdout
    assert not (sandbox.state / accounts.FILE).exists()
    assert injected.shown("s1") == frozenset()


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (("forget", "{id}"), "No prompt gets it: it was taken back."),
        (("correct", "{id}", "Staging listens on port 9090."), "A prompt that it answers gets it."),
        (("forget", "--purge", "--yes", "{id}"), "No prompt gets it: it was purged."),
    ],
)
def test_whether_a_note_can_be_shown_is_said(command: Command, done: tuple[str, ...], said: str) -> None:
    (staging,) = add(command, STAGING)
    assert command(*(each.format(id=staging) for each in done), MEMORY_PLUGIN_YES="1").returncode == 0
    told = command("why", staging).stdout
    assert said in told
    assert "No prompt on record (of 0) considered it; `memory-plugin search`" in told


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("status=superseded until=2026-11-20 by=0000new0", "what took its place is shown, with what it was before"),
        ("status=contradicted until=2026-11-20 by=0000new0", "what took its place is shown"),
        ("status=archived why=repeat by=0000new0", "the one that says the same is shown in its place"),
    ],
)
def test_what_stands_in_a_notes_place_is_said(command: Command, sandbox: Sandbox, comment: str, said: str) -> None:
    folder = sandbox.home / namespace_of(str(sandbox.project)).name
    folder.mkdir()
    (folder / "2026-11-19.md").write_text(f"- **reference** {STAGING} <!-- m:000001d0 staging is port {comment} -->\n")
    assert said in command("why", "000001d0").stdout


def test_what_the_client_loads_itself_is_no_prompts(command: Command, sandbox: Sandbox) -> None:
    (sandbox.project / "CLAUDE.md").write_text("The zeppelin module must be built first.\n")
    assert eventually(lambda: "CLAUDE.md" in command("search", "zeppelin").stdout)
    found = json.loads(command("search", "zeppelin", "--json").stdout)[0]["id"]
    assert found in command("search", "zeppelin").stdout
    assert "Claude Code loads this file by itself" in command("why", found).stdout


def test_a_note_that_is_gone_from_the_index_is_known_from_the_prompts(command: Command, sandbox: Sandbox) -> None:
    keep(sandbox, account(considered(id="c00862d0e43f", text="The zeppelin module.")))
    told = command("why", "c0086").stdout
    assert told.startswith("c00862d0e43f  The zeppelin module.\n              not in the index any more")
    assert "Of 1 prompt on record it was considered by 1:" in told


def test_several_ids_that_begin_so_are_listed(command: Command, sandbox: Sandbox) -> None:
    keep(sandbox, account(considered(id="abcd0001"), considered(id="abcd0002", text="Another.")))
    done = command("why", "abcd")
    assert done.returncode == 2
    assert "  abcd0001  Staging listens on port 8123.\n  abcd0002  Another." in done.stderr


def test_a_purged_fact_is_in_no_account(command: Command, sandbox: Sandbox) -> None:
    staging, _ = add(command, STAGING, PRODUCTION)
    command("search", "staging")
    prompt(sandbox, "is it still true that Staging listens on port 8080?")
    assert "8080" in (sandbox.state / accounts.FILE).read_text()
    done = command("forget", "--purge", "--yes", staging, MEMORY_PLUGIN_YES="1")
    assert f"is masked in {sandbox.state / accounts.FILE} (1 line)" in done.stdout
    assert "8080" not in (sandbox.state / accounts.FILE).read_text()
    assert "“[purged]”" in command("why").stdout


@pytest.mark.parametrize(
    ("told", "row"),
    [
        ([], None),
        ([account(considered(), tokens=60), account(considered(), tokens=91), account()],
         "2 of 3 got notes (76 tokens on average), 1 none, since 2026-11-30"),
        ([account(degraded=True)], "0 of 1 got notes, 1 none, 1 by keyword only, since 2026-11-30"),
    ],
)  # fmt: skip
def test_status_counts_in_one_row(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, told: list[Account], row: str | None
) -> None:
    (sandbox.folder / "clock").write_text("2026-12-01T09:30:00+00:00")
    monkeypatch.setenv(clock.VARIABLE, str(sandbox.folder / "clock"))
    keep(sandbox, *told)
    assert dict(describe(collect(namespace_of(str(sandbox.project))))).get("prompts") == row
