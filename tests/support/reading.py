"""Conversations that were flushed, and what a scripted model says of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from memory_plugin.memory.flush import Receipt, flush_transcript
from memory_plugin.memory.namespaces import namespace_of
from tests.support.ollama_server import Model
from tests.support.transcripts import DAY, entry, lines

CHATS = Model("reader:1b", embeds=False, capabilities=("completion",))
# Nothing that a rule keeps, so that every fact in the log is the model's.
SAID = (
    "the importer chokes when the nightly export holds semicolons inside quotes",
    "staging keeps its sessions in redis since the cookies grew beyond four kilobytes",
    "the billing exports go to the archive bucket of the finance people each quarter",
    "priya looks after the mailer and answers in the channel named post",
)


def fact(text: str, quote: str = "", category: str = "project", predicate: str = "is") -> dict[str, str]:
    """An item of an answer; its quote is its own text unless given."""
    return {"category": category, "text": text, "predicate": predicate, "quote": quote or text}


def answer(*facts: dict[str, str]) -> str:
    """A model's answer."""
    return json.dumps({"facts": list(facts)})


@dataclass(frozen=True)
class Flushed:
    """A memory home, a state folder and a project, with conversations that the flush has read."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "memory"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def project(self) -> Path:
        folder = self.root / "project"
        folder.mkdir(exist_ok=True)
        return folder

    def talk(self, name: str, *texts: str, role: str = "user") -> Receipt:
        """Append to a conversation of that name and flush it."""
        path = self.root / f"{name}.jsonl"
        known = path.read_bytes() if path.exists() else b""
        number = known.count(b"\n")
        entries = [entry(text, number + place, role=role, cwd=str(self.project)) for place, text in enumerate(texts)]
        path.write_bytes(known + lines(entries))
        return flush_transcript(str(path), trigger="test", home=str(self.home), state=str(self.state))

    def facts(self) -> list[str]:
        """The fact lines of the project's daily logs."""
        folder = self.home / namespace_of(str(self.project)).name
        texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("[0-9]*.md"))]
        return [line for text in texts for line in text.splitlines() if line.startswith("- ")]

    def log(self) -> str:
        """The daily log of the day on which all was said."""
        path = self.home / namespace_of(str(self.project)).name / f"{DAY}.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""
