"""Does a question in one language find a note in another? `python -m benchmarks.languages [--misses]`

A hundred facts in English, French, German, Spanish, Chinese and Japanese, and three questions about each: one in its
own language, two in others; written without a look at the code. "first": the fact is what a search finds first;
"shown": it is among what a prompt is given.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import Embedder
from memory_plugin.index.recall import recall
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index

DATA = Path(__file__).with_name("data") / "languages.json"
_NOW = datetime(2026, 12, 1)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with the fact that answers it: their languages, and what came of it."""

    question: str
    asked_in: str
    fact: str
    written_in: str
    first: bool
    shown: bool

    @property
    def across(self) -> bool:
        """Whether the question is in another language than the fact."""
        return self.asked_in != self.written_in


def main() -> None:
    """Print the table for the built-in embedder and for keywords alone."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--misses", action="store_true", help="print the questions whose fact is not found first")
    arguments = parser.parse_args()
    print(f"{'':28}{'first':>8}{'shown':>8}{'questions':>11}")
    for name, embedder in (("built-in and keywords", BuiltinEmbedder()), ("keywords alone", None)):
        found = list(answers(embedder))
        languages = sorted({each.asked_in for each in found})
        print(f"{name}:")
        _print("same language", [each for each in found if not each.across])
        _print("another language", [each for each in found if each.across])
        for language in languages:
            _print(f"  asked in {language}", [each for each in found if each.across and each.asked_in == language])
        for each in found if arguments.misses else ():
            if not each.first:
                print(f"  {each.asked_in}: {each.question}\n      {each.written_in}: {each.fact}")


def answers(embedder: Embedder | None) -> Iterator[Answer]:
    """What becomes of each question."""
    data = json.loads(DATA.read_text("utf-8"))
    facts = {each["id"]: each for each in data["facts"]}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        (home / "project").mkdir(parents=True)
        lines = [f"- **reference** {each['text']}\n" for each in facts.values()]
        (home / "project" / "2026-11-30.md").write_text("# Log\n\n" + "".join(lines), "utf-8")
        with Index.open(str(Path(folder, "state"))) as index:
            sync(index, Roots(str(home)), embedder)
            for asked in data["questions"]:
                fact, text = facts[asked["fact"]], asked["text"]
                searched = recall(text, index=index, embedder=embedder, namespaces=("project",), now=_NOW,
                                  for_prompt=False, limit=1)  # fmt: skip
                given = recall(text, index=index, embedder=embedder, namespaces=("project",), now=_NOW,
                               token_budget=500)  # fmt: skip
                first = [note.text for note in searched.notes[:1]] == [fact["text"]]
                shown = any(note.text == fact["text"] for note in given.notes)
                yield Answer(text, asked["language"], fact["text"], fact["language"], first, shown)


def share(found: list[bool]) -> float:
    """Of what part it is so; 0 of nothing."""
    return sum(found) / len(found) if found else 0.0


def _print(name: str, found: list[Answer]) -> None:
    first, shown = share([each.first for each in found]), share([each.shown for each in found])
    print(f"  {name:26}{first:8.2f}{shown:8.2f}{len(found):11}")


if __name__ == "__main__":
    main()
