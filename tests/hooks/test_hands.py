"""What people do by hand and by command, from the words of a conversation to what a prompt gets, through real hooks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memory_plugin.memory import amendments, events, journal
from memory_plugin.memory.fact import fact_id
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import namespace_of
from tests.support.data import REPOSITORY
from tests.support.patience import PATIENCE, eventually
from tests.support.service import Sandbox
from tests.support.transcripts import DAY, conversation

PORT = "From now on the payment sandbox listens on port 8443."
NEW = "From now on the payment sandbox listens on port 9443."
OTHER = "We decided to keep invoices as PDF for ten years, because the auditor asks for them."
QUESTION = "Which port does the payment sandbox listen on?"


@dataclass
class Person:
    """A user with a project, the hooks, the command and a running service."""

    sandbox: Sandbox
    sessions: int = 0
    asked: list[str] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        return namespace_of(str(self.sandbox.project)).name

    @property
    def log(self) -> Path:
        return self.sandbox.home / self.namespace / f"{DAY}.md"

    def says(self, *texts: str) -> None:
        """A conversation of its own, compacted at its end."""
        self.sessions += 1
        name = f"5e55104e-0000-4000-8000-{self.sessions:012}"
        path = conversation(self.sandbox.folder / "transcripts" / f"{name}.jsonl", texts, cwd=self.sandbox.project)
        path.write_text(path.read_text().replace("5e55104e-0000-4000-8000-000000000001", name))
        self.hook("pre_compact", session_id=name, transcript_path=str(path), trigger="manual")

    def hook(self, name: str, **event: str) -> bytes:
        fields = {"cwd": str(self.sandbox.project), **event}
        done = subprocess.run(
            ["sh", str(REPOSITORY / "hooks" / "run"), name],
            input=json.dumps(fields).encode(),
            capture_output=True,
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(self.sandbox.project)},
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    def asks(self, question: str = QUESTION) -> str:
        """What the model is given with this prompt, in a conversation of its own."""
        self.sessions += 1
        return self.sandbox.context(question, session=f"asking-{self.sessions}")

    def gets(self, *words: str, without: str = "") -> bool:
        """Whether a prompt soon gets these words, and not the others."""
        return bool(eventually(lambda: self._fits(self.asks(), words, without)))

    def _fits(self, context: str, words: tuple[str, ...], without: str) -> bool:
        return all(each in context for each in words) and not (without and without in context)

    def runs(self, *arguments: str) -> str:
        """The command, in the project."""
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", str(REPOSITORY / "memory_plugin" / "__main__.py"), *arguments],
            capture_output=True,
            text=True,
            cwd=self.sandbox.project,
            timeout=2 * PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def edits(self, change: Callable[[str], str]) -> None:
        before = self.log.read_text()
        after = change(before)
        assert after != before
        self.log.write_text(after)

    def recorded(self, kind: str) -> bool:
        """Whether an event of this kind comes to stand in the record."""
        home = str(self.sandbox.home)
        return bool(eventually(lambda: any(each["event"] == kind for each in events.read(home))))

    def starts(self) -> str:
        """What a new session starts with."""
        out = self.hook("session_start", session_id="starting", transcript_path="", source="startup")
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out.strip() else ""


@pytest.fixture
def person(sandbox: Sandbox) -> Person:
    """One who has said two things in a conversation, of which the prompt knows."""
    sandbox.start()
    found = Person(sandbox)
    found.says(PORT, OTHER)
    assert found.gets("8443")
    return found


def take_out(text: str, words: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if words not in line)


@pytest.mark.parametrize(
    ("change", "event"),
    [
        (lambda text: text.replace(PORT, f"~~{PORT}~~"), "retracted"),
        (lambda text: take_out(text, PORT), "retracted"),
        (lambda text: text.replace(PORT, NEW), "corrected"),
    ],
    ids=["struck", "deleted", "corrected"],
)
def test_what_a_hand_does_to_a_line_holds(person: Person, change: Callable[[str], str], event: str) -> None:
    assert "8443" in person.starts()
    person.edits(change)
    new = "9443" if event == "corrected" else ""
    assert person.gets(new, without="8443")
    assert person.recorded(event)
    assert "8443" not in person.starts()
    before = person.log.read_bytes()
    person.says(PORT)
    if new:
        person.says(NEW)
    assert person.log.read_bytes() == before
    person.runs("reindex")
    assert person.gets(new, without="8443")
    person.runs("reindex", "--rebuild")
    assert person.gets(new, without="8443")
    assert person.log.read_bytes() == before


def test_a_struck_line_that_stands_again_is_recalled_again(person: Person) -> None:
    person.edits(lambda text: text.replace(PORT, f"~~{PORT}~~"))
    assert person.recorded("retracted")
    person.edits(lambda text: text.replace(f"~~{PORT}~~", PORT))
    assert person.gets("8443")
    assert person.recorded("restored")
    assert (
        not Ledger(str(person.sandbox.home))
        .refresh()
        .entries[person.namespace, fact_id(person.namespace, PORT)]
        .retracted
    )


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_deleted_file_takes_its_facts_with_it(person: Person, what: str) -> None:
    if what == "file":
        person.log.unlink()
    else:
        shutil.rmtree(person.log.parent)
    assert person.gets(without="8443")
    assert person.recorded("retracted")
    person.says(PORT, OTHER)
    assert not person.log.exists()
    person.runs("reindex")
    assert person.asks() == ""


def test_a_line_that_somebody_writes_is_a_fact(person: Person) -> None:
    person.edits(lambda text: text + "\n- The payment sandbox is reset every Sunday at noon.\n")
    after = person.log.read_bytes()
    assert eventually(lambda: "every Sunday" in person.asks("When is the payment sandbox reset?"))
    assert eventually(lambda: any(each.get("source") == "hand" for each in events.read(str(person.sandbox.home))))
    assert person.log.read_bytes() == after
    assert "by hand" in person.runs("trace", "reset every Sunday")


def test_a_forgotten_fact_is_gone_at_once_and_can_come_back(person: Person) -> None:
    person.runs("forget", "payment sandbox port")
    assert person.asks() == ""
    assert "8443" not in person.starts()
    before = person.log.read_bytes()
    person.says(PORT)
    person.runs("reindex")
    assert (person.asks(), person.log.read_bytes()) == ("", before)
    person.runs("restore", "payment sandbox")
    assert "8443" in person.asks()
    assert "8443" in person.starts()


def test_a_corrected_fact_is_right_at_once(person: Person) -> None:
    person.runs("correct", "payment sandbox", NEW)
    context = person.asks()
    assert "9443" in context
    assert "8443" not in context
    before = person.log.read_bytes()
    person.says(NEW, PORT)
    assert person.log.read_bytes() == before
    story = person.runs("trace", "payment sandbox")
    assert story.index(PORT) < story.index(f"corrected: “{NEW}”")


def test_what_is_purged_is_nowhere(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_YES", "1")
    said = person.runs("forget", "--purge", "payment sandbox", "--yes")
    assert str(person.log) in said
    assert "The search index is cleaned." in said
    assert "Claude Code's own transcript" in said
    for folder in (person.sandbox.home, person.sandbox.state):
        for path in folder.rglob("*"):
            if path.is_file() and "tiktoken" not in path.parts:
                assert b"8443" not in path.read_bytes(), path
    assert person.asks() == ""
    before = person.log.read_bytes()
    person.says(PORT)
    person.runs("reindex", "--rebuild")
    assert (person.asks(), person.log.read_bytes()) == ("", before)
    assert "invoices" in person.asks("How long do we keep invoices as PDF?")


def test_what_was_merged_wrongly_holds_again_and_stays_apart(person: Person) -> None:
    person.says(NEW)
    home, identity = str(person.sandbox.home), fact_id(person.namespace, PORT)

    def standing() -> dict[str, journal.Held]:
        return {each.fact.text: each for each in journal.all_held(str(person.log.parent))}

    if standing()[PORT].fact.status == "active":
        old, new = standing()[PORT], standing()[NEW]
        amendments.replaced(home, old, new, relation="supersedes", how="same subject")
    assert person.gets("9443")
    said = person.runs("undo", identity)
    assert PORT in said
    assert {each.fact.status for each in standing().values()} == {"active"}
    assert standing()[NEW].fact.supersedes == ()
    context = person.asks()
    assert "8443" in context
    assert "9443" in context
    entries = Ledger(home).refresh().entries
    assert standing()[NEW].fact.id in entries[person.namespace, identity].apart
    person.runs("reindex", "--rebuild")
    person.says("We agreed that the standup is at ten from Monday on, because of the Lyon office.")
    assert person.gets("8443", "9443")
