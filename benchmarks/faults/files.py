"""Faults in files: a table with wrong bytes, Markdown and events that were torn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.faults.invariants import check, mend_files, recover
from benchmarks.faults.scene import Scene, expect
from memory_plugin.memory import journal, tears
from memory_plugin.memory.hand import Observer
from tests.support.damage import memory_of_any_machine
from tests.support.data import REPOSITORY


def table_corrupted(scene: Scene) -> None:
    """A file of the index is damaged, while it is open or before; whom that ends is followed by another process."""
    facts = [f"- The number {number} of the mailer is set to value{number}." for number in range(120)]
    (scene.notes / "notes.md").write_text("\n".join(facts) + "\n")
    life = [sys.executable, "-m", "benchmarks.faults.indexing", str(scene.folder), str(scene.chance.random())]
    with memory_of_any_machine():
        for _ in range(3):
            done = subprocess.run(life, cwd=REPOSITORY, capture_output=True, check=False)
            expect(done.returncode <= 0, done.stderr[-400:].decode())
            if done.returncode == 0:
                return
    expect(False, "each process that opens the index is ended by it")


def markdown_torn(scene: Scene) -> None:
    """A log or a MEMORY.md ends in the middle of a line of ours; then somebody looks, flushes or asks the doctor."""
    for _ in range(3):
        scene.acknowledged += scene.say(scene.chance.randint(1, 4))
        scene.hook("pre_compact")
    Observer(str(scene.home)).look()
    logs = journal.fact_files(str(scene.notes))
    path = Path(scene.chance.choice([*logs, str(scene.notes / "MEMORY.md")]))
    content = path.read_bytes()
    at = scene.chance.randrange(content.index(b"\n- **"), len(content) - 1)
    if content[:at].endswith((b"\n", b"-->")) or content[at : at + 1] == b"\n":
        at += 2  # cut at a line's end, it could be a deletion
    path.write_bytes(content[:at])
    if scene.chance.random() < 0.5:
        Observer(str(scene.home)).look()
    if scene.chance.random() < 0.5:
        scene.acknowledged += scene.say(2)
        scene.hook("pre_compact")
    elif str(path) in logs:
        expect(tears.tears(str(scene.home)), f"{path.name} cut at {at} of {len(content)}: nobody noticed")
    mend_files(scene)
    expect(tears.tears(str(scene.home)) == [], "torn still")
    recover(scene)


def events_torn(scene: Scene) -> None:
    """The last line of the events is cut, or a piece of a line stands in the middle; then it goes on."""
    for _ in range(2):
        scene.acknowledged += scene.say(3)
        scene.hook("pre_compact")
    [path] = (scene.home / ".events").glob("*.jsonl")
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    if scene.chance.random() < 0.5:
        path.write_bytes(content[: len(content) - scene.chance.randrange(1, len(lines[-1]))])
    else:
        piece = lines[0][: scene.chance.randrange(1, len(lines[0]) - 1)]
        place = scene.chance.randrange(len(lines) + 1)
        path.write_bytes(b"".join([*lines[:place], piece, b"\n", *lines[place:]]))
    torn = list(tears.torn_events(str(scene.home)))
    if scene.chance.random() < 0.7:
        scene.say(2)
        scene.hook(scene.chance.choice(("pre_compact", "session_start")))
    if scene.chance.random() < 0.5:
        Observer(str(scene.home)).look()
    done = mend_files(scene)
    expect(not torn or done, "torn events were not mended")
    expect(not list(tears.torn_events(str(scene.home))), "torn still")
    check(scene)
    recover(scene)
