"""Every id that search, recall and why print can be given to the commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support.service import Sandbox

ITEM = "- kind: note\n  The {} ledger is kept in {}.\n"
LOG = ITEM.format("heron", "Porto") + ITEM.format("walrus", "Bergen")
LONG = "- The giraffe ledger is kept in Lagos.\n  " + "It is read aloud on Mondays. " * 60 + "\n"


@pytest.fixture
def folder(sandbox: Sandbox) -> Path:
    """The project's folder in the home: items by hand that begin alike, a long one, and texts that are no facts."""
    folder = sandbox.home / namespace_of(str(sandbox.project)).name
    (folder / "topics").mkdir(parents=True)
    (folder / "2026-11-29.md").write_text(f"# 2026-11-29\n\n{LOG}")
    (folder / "2026-11-30.md").write_text(f"{ITEM.format('badger', 'Lyon')}\nThe lynx ledger is kept in Oslo.\n")
    (folder / "topics" / "reference.md").write_text(ITEM.format("heron", "Porto") + LONG)
    (folder / "zoo.md").write_text("The wombat ledger is kept in Hobart.\n")
    (folder / "2026-11-30 Zoo.md").write_text("- The tapir ledger is kept in Lima.\n")
    return folder


def found(command: Command, words: str) -> list[dict[str, Any]]:
    """The notes that a search prints and that hold the first of its words."""
    notes = json.loads(command("search", words, "--json").stdout)
    return [note for note in notes if words.split()[0] in note["text"]]


def test_what_search_finds_of_items_that_begin_alike_can_be_given_to_each_command(
    command: Command, folder: Path
) -> None:
    before = (folder / "2026-11-29.md").read_text()
    (note,) = found(command, "walrus ledger")
    identity, words = note["id"], "kind: note The walrus ledger is kept in Bergen."
    assert f"  {identity}\n" in command("search", "walrus", "ledger").stdout
    shown = command("why", "--prompt", "where is the walrus ledger kept?").stdout.split("\n")
    assert any(f"  {identity}  " in line and "walrus" in line for line in shown)
    for verb in ("trace", "why"):
        assert command(verb, identity).stdout.startswith(f"{identity}  {words}\n")
    for verb in ("forget", "restore", "pin", "unpin", "confirm"):
        done = command(verb, identity)
        assert (done.returncode, words in done.stdout) == (0, True), done.stderr
    assert (folder / "2026-11-29.md").read_text().startswith(before.partition("  The walrus")[0].rsplit("- ", 1)[0])
    corrected = command("correct", identity, "kind: rumour")
    assert f"before: {words}" in corrected.stdout
    assert found(command, "walrus ledger") == []
    assert [each["id"] for each in found(command, "rumour")] == [identity]
    assert command("promote", identity).returncode == 0
    assert (folder / "2026-11-29.md").read_text() == before.partition(ITEM.format("walrus", "Bergen"))[0]


def test_each_of_the_notes_that_begin_alike_is_found_and_one_that_stands_in_two_files_once(
    command: Command, folder: Path
) -> None:
    notes = found(command, "ledger kept")
    begun = [note for note in notes if note["text"].startswith("kind: note")]
    assert sorted(note["text"].split()[3] for note in begun) == ["badger", "heron", "walrus"]
    heron = next(note["id"] for note in begun if "heron" in note["text"])
    assert command("forget", heron).returncode == 0
    assert found(command, "heron ledger") == []
    assert command("restore", heron).returncode == 0
    assert (folder / "2026-11-29.md").read_text().endswith(LOG)


def test_a_part_of_a_long_item_names_the_fact_and_of_what_is_no_fact_commands_say_where_it_stands(
    command: Command, folder: Path
) -> None:
    for verb in ("trace", "forget"):
        first, *_ = found(command, "giraffe ledger")
        assert len(first["id"]) == 12
        assert "The giraffe ledger is kept in Lagos." in command(verb, first["id"]).stdout
    assert "- ~~The giraffe ledger" in (folder / "topics" / "reference.md").read_text()
    before = {path: path.read_text() for path in folder.rglob("*.md")}
    commands = (("trace",), ("correct", "Other words."), ("forget",))
    places = {"lynx": "2026-11-30.md#L", "wombat": "zoo.md#L1", "tapir": "2026-11-30 Zoo.md#L1"}
    for (verb, *words), (animal, place) in zip(commands, places.items(), strict=True):
        (note,) = found(command, f"{animal} ledger")
        done = command(verb, note["id"], *words)
        assert (done.returncode, f"{note['id']} is a note of your own" in done.stderr) == (1, True), done
        assert place in done.stderr
    assert {path: path.read_text() for path in folder.rglob("*.md")} == before
