"""What must hold after any fault."""

from __future__ import annotations

import json
from collections import Counter

from benchmarks.faults.scene import OWN_LINES, Scene, expect
from memory_plugin.cli.doctor import examine
from memory_plugin.cli.mending import mend
from memory_plugin.memory import flush, journal, pointers, tears
from memory_plugin.memory.fact import line_id, parse_line, unstrike
from memory_plugin.memory.hand import Observer
from memory_plugin.memory.ledger import Ledger
from tests.support.patience import eventually


def check(scene: Scene) -> None:
    """Raises Broken unless what was acknowledged is there once, and every file is valid."""
    _facts(scene)
    _markdown(scene)
    _history(scene)


def _facts(scene: Scene) -> None:
    stand = Counter(held.fact.text for held in journal.all_held(str(scene.notes)))
    known = set(scene.said) | set(scene.acknowledged) | set(scene.gone)
    for text, count in stand.items():
        expect(count == 1, f"{count} lines say {text!r}")
        expect(text in known, f"nobody said {text!r}")
    for text in scene.acknowledged:
        expect(stand[text] == 1, f"lost: {text!r}")
    for text in scene.gone:
        expect(stand[text] == 0, f"back again: {text!r}")
    captured = Counter[str]()
    for path in sorted((scene.home / ".events").glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            if line.startswith(b'{"event":"captured"') and line.endswith(b"}"):
                captured[json.loads(line)["id"]] += 1
    doubled = [identity for identity, count in captured.items() if count > 1]
    expect(not doubled, f"captured twice: {doubled}")
    ledger = {entry.fact.text: entry for entry in Ledger(str(scene.home)).refresh().entries.values()}
    for text in scene.acknowledged:
        expect(text in ledger, f"no event of {text!r}")
        expect(not ledger[text].retracted, f"taken back by nobody: {text!r}")


def _markdown(scene: Scene) -> None:
    for path in scene.home.rglob("*.md"):
        content = path.read_bytes()
        expect(b"\0" not in content, f"{path} holds a null byte")
        text = content.decode("utf-8")  # raises
        for line in text.splitlines() if journal.is_fact_file(str(path)) else ():
            if line_id(line):
                expect(parse_line(unstrike(line), scene.notes.name, ""), f"{path}: no fact: {line!r}")
    memory = (scene.notes / "MEMORY.md").read_text()
    expect(memory.startswith(OWN_LINES), "the user's own lines were changed")
    marks = [memory.count(mark) for mark in (pointers.MARK_START, pointers.MARK_END)]
    expect(marks in ([0, 0], [1, 1]), f"MEMORY.md has {marks} markers")


def _history(scene: Scene) -> None:
    pages = "".join(path.read_text() for path in scene.notes.glob("history/*.md"))
    for text in scene.said:
        expect(pages.count(f"\n{text}\n") <= 1, f"told twice: {text!r}")


def recover(scene: Scene) -> None:
    """What happens next in any life: now and then `doctor --fix`, a session starts, and all that was said is there."""
    if scene.chance.random() < 0.1:
        doctor_mends(scene, "flushes", "files", "events", "service")
        check(scene)
    scene.hook("session_start")
    _wait_for_debts(scene)
    scene.acknowledged = [text for text in dict.fromkeys([*scene.acknowledged, *scene.said]) if text not in scene.gone]
    check(scene)


def _wait_for_debts(scene: Scene) -> None:
    spool = scene.state / "spool"
    paid = eventually(lambda: not list(spool.glob("*.json")) if spool.exists() else True)
    expect(paid, "a flush stays owed")


def doctor_says(scene: Scene, subject: str, grade: str = "WARN") -> None:
    """Raises Broken unless the doctor has a line of this subject and grade."""
    with scene.at_home():
        found = list(examine())
    said = [f"{each.grade} {each.subject}: {each.text}" for each in found if each.subject == subject]
    expect(any(line.startswith(grade) for line in said), f"the doctor says of {subject}: {said}")


def doctor_mends(scene: Scene, *subjects: str) -> list[str]:
    """Let the doctor mend, and look again: none of these subjects may be wrong then. What it did."""
    with scene.at_home():
        done = list(mend())
        left = [each for each in examine() if each.grade == "FAIL" or each.subject in subjects]
    wrong = [f"{each.grade} {each.subject}: {each.text}" for each in left if each.grade != "OK"]
    expect(not wrong, f"after --fix: {wrong}; it did {done}")
    return done


def mend_files(scene: Scene) -> list[str]:
    """The part of `doctor --fix` that looks at files alone, then what the service does after each sync."""
    done = tears.mend(str(scene.home), "09:15")
    flush.tidy_pointers(str(scene.home))
    Observer(str(scene.home)).look()
    return done
