"""Is the right note found, and is nothing shown otherwise? `python -m benchmarks.calibration`

Sixty facts of a made-up project, a prompt that needs each, and prompts that need none: off-topic ones, near misses
(a word in common, another subject) and long ones. Then prompts that ask what was said or decided, in other words than
the note's ("asked"), and the same of what was never said ("in vain"). Prints what comes out of the whole recall, as a
prompt would get it: with the facts as notes, then with the same words in a conversation only.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import Embedder
from memory_plugin.index.layers import Scored
from memory_plugin.index.recall import Recalled, recall
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.memory import pages
from memory_plugin.memory.pages import Writer
from memory_plugin.memory.retelling import of_message
from memory_plugin.memory.transcript import Message

DATA = Path(__file__).with_name("data") / "calibration.json"
_ANSWER = "Understood. I will keep to that from here on."
# What people write before they come to the point.
_PREAMBLE = (
    "Good morning! Yesterday went well and I have about an hour now. I looked at the list you made and I agree with"
    " most of it, we can talk about the rest another time. "
)


def main() -> None:
    """Print the table for the built-in embedder and for keywords alone."""
    names = ("found", "first", "buried", "asked", "notes", "off", "near", "long", "in vain")
    print(" " * 28 + "".join(f"{name:>8}" for name in names))
    for name, found in measured():
        print(f"{name:28}" + "".join(f"{found[each]:8.2f}" for each in names))


def measured() -> Iterator[tuple[str, dict[str, float]]]:
    """The rows of the table."""
    data = json.loads(DATA.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        _write(home / "project", data["facts"])
        _say(home / "talk" / "history", data["facts"])
        with Index.open(str(Path(folder, "state"))) as index:
            embedder = BuiltinEmbedder()
            sync(index, Roots(str(home)), embedder)
            for name, each in (("built-in and keywords", embedder), ("keywords alone", None)):
                yield name, _row(data, _asker(index, each, "project"))
            for name, each in (("said: built-in and keywords", embedder), ("said: keywords alone", None)):
                yield name, _row(data, _asker(index, each, "talk"))


def _write(folder: Path, facts: Sequence[dict[str, str]]) -> None:
    folder.mkdir(parents=True)
    lines = [f"- **{fact['category']}** {fact['text']}\n" for fact in facts]
    folder.joinpath("2026-11-30.md").write_text("# Log\n\n" + "".join(lines), "utf-8")


def _say(folder: Path, facts: Sequence[dict[str, str]]) -> None:
    """The same facts as the user said them, and nothing else."""
    folder.mkdir(parents=True)
    day, session = "2026-11-30", "c0ffee00-0000-4000-8000-000000000001"
    writer = Writer(pages.new(day, session, "project"))
    for number, fact in enumerate(facts):
        moment = day, f"{9 + number // 60:02}:{number % 60:02}"
        for end, role, text in ((2 * number, "user", fact["text"]), (2 * number + 1, "assistant", _ANSWER)):
            message = Message("user" if role == "user" else "assistant", text, "", session, "", end)
            if piece := of_message(message, text, moment, opens=role == "user"):
                writer.add(piece)
    folder.joinpath(f"{day}-{session[:8]}.md").write_text(pages.render(writer.done()), "utf-8")


def _asker(index: Index, embedder: Embedder | None, namespace: str) -> Callable[[str], Recalled]:
    now = datetime(2026, 12, 1)
    return lambda prompt: recall(
        prompt, index=index, embedder=embedder, namespaces=(namespace,), now=now, token_budget=500
    )


def _row(data: dict[str, Any], ask: Callable[[str], Recalled]) -> dict[str, float]:
    answers = [(fact["text"], ask(fact["prompt"])) for fact in data["facts"]]
    asked = [(fact["text"], ask(fact["prompt"])) for fact in data["asked"]]
    buried = [(fact["text"], ask(_PREAMBLE + fact["prompt"])) for fact in data["facts"]]
    kinds = {"off": "off_topic", "near": "near", "long": "long", "in vain": "asked_in_vain"}
    return {
        "found": _share([_tells(answer.notes, text) for text, answer in answers]),
        "first": _share([_tells(answer.notes[:1], text) for text, answer in answers]),
        "buried": _share([_tells(answer.notes, text) for text, answer in buried]),
        "asked": _share([_tells(answer.notes, text) for text, answer in asked]),
        "notes": sum(len(answer.notes) for _, answer in answers) / len(answers),
        **{name: _share([bool(ask(prompt).notes) for prompt in data[kind]]) for name, kind in kinds.items()},
    }


def _tells(notes: Sequence[Scored], text: str) -> bool:
    """Whether one of the notes is the fact, or a stretch of talk in which it was said."""
    return any(note.text == text or f"User: {text}" in note.text for note in notes)


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found)


if __name__ == "__main__":
    main()
