"""`memory-plugin review`."""

from __future__ import annotations

import json

import pytest

from memory_plugin.memory import amendments, flush, places
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.namespaces import Namespace, namespace_of
from tests.cli.conftest import Command
from tests.support.service import Sandbox
from tests.support.world import files_of


def fact(text: str, namespace: str, day: str = "2026-11-29", session: str = "aaaa") -> Fact:
    said = Candidate(text, "preference", "prefers", "user", text, 0.8, 0.7)
    return make(said, namespace, day, "09:00", f"{session}#1")


@pytest.fixture
def place(sandbox: Sandbox) -> Namespace:
    return namespace_of(str(sandbox.project))


def write(sandbox: Sandbox, place: Namespace, *texts: str) -> None:
    facts = [fact(text, place.name) for text in texts]
    flush.record(str(sandbox.home), place, facts, "test", "/t.jsonl", "f")


def pin(sandbox: Sandbox, place: Namespace, words: str) -> None:
    [held] = amendments.find(str(sandbox.home), words, [place.name])
    amendments.pin(str(sandbox.home), held, pinned=True)


def test_without_anything_to_do_it_says_so(command: Command, sandbox: Sandbox) -> None:
    for arguments in ((), ("--weekly",), ("--all",), ("--dry-run",)):
        done = command("review", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "Nothing to do.\n", "")
    assert not sandbox.home.exists() or not list(sandbox.home.iterdir())


def test_it_says_what_it_does_and_why_and_twice_is_once(command: Command, sandbox: Sandbox, place: Namespace) -> None:
    write(sandbox, place, "Tabs in Makefiles.", "Answer in French.")
    pin(sandbox, place, "Tabs in Makefiles.")
    before = files_of(sandbox.home)
    dry = command("review", "--dry-run")
    assert files_of(sandbox.home) == before
    assert dry.stdout == (
        f"{place.name}\n"
        "  moved to topics/preference.md: pinned — Tabs in Makefiles.\n"
        "  MEMORY.md brought up to date: its words, places and order are those of the facts\n"
        "Nothing was written: leave out --dry-run to do it.\n"
    )
    done = command("review")
    assert done.stdout == dry.stdout.rpartition("Nothing was written")[0]
    assert (sandbox.home / place.name / "topics" / "preference.md").exists()
    after = files_of(sandbox.home)
    assert command("review", "--weekly").stdout == "Nothing to do.\n"
    assert files_of(sandbox.home) == after


def test_all_reviews_every_project_and_one_only_itself(command: Command, sandbox: Sandbox, place: Namespace) -> None:
    everywhere, other = Namespace(places.GLOBAL_NAMESPACE, "everywhere", ""), Namespace("other-1", "other", "")
    for each in (place, everywhere, other):
        write(sandbox, each, "Tabs in Makefiles.")
        pin(sandbox, each, "Tabs in Makefiles.")

    def reviewed(*arguments: str) -> list[str]:
        steps = json.loads(command("review", "--json", *arguments).stdout)["steps"]
        return [step["namespace"] for step in steps if step["kind"] == "promote"]

    assert reviewed("--dry-run") == [place.name, "global"]
    assert reviewed("--dry-run", "--all") == sorted(["global", "other-1", place.name])
    assert reviewed() == [place.name, "global"]
    assert reviewed("--all") == ["other-1"]


def test_a_project_and_all_of_them_are_not_both(command: Command, sandbox: Sandbox) -> None:
    done = command("review", "--all", "--project", str(sandbox.project))
    assert done.returncode == 2
    assert "not both" in done.stderr
