"""Faults in files: a table with wrong bytes, Markdown and events that were torn."""

from __future__ import annotations

import contextlib
from pathlib import Path

from benchmarks.faults.invariants import all_files, check, mend_files, recover
from benchmarks.faults.scene import Scene, expect
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import FOLDER, Index, IndexDamaged
from memory_plugin.index.terms import query_terms
from memory_plugin.memory import journal, tears
from memory_plugin.memory.hand import Observer


def table_corrupted(scene: Scene) -> None:
    """A random file of the index is cut, deleted, or has one or forty wrong bytes, while it is open or before."""
    facts = [f"- The number {number} of the mailer is set to value{number}." for number in range(120)]
    (scene.notes / "notes.md").write_text("\n".join(facts) + "\n")
    with Index.open(str(scene.state)) as index:
        _fill(index, scene.home)
        index.optimize()
        before = _contents(index)
        if scene.chance.random() < 0.5:
            _corrupt(scene)
            _check_index(index, scene, before)
            return
    _corrupt(scene)
    with Index.open(str(scene.state)) as index:
        _check_index(index, scene, before)


def _fill(index: Index, home: Path) -> None:
    """As the service does: damage that is met is made good by the next sync."""
    for _ in range(4):
        with contextlib.suppress(IndexDamaged):
            sync(index, Roots(str(home)))
            if not index.stale:
                return
    expect(False, "the index stays damaged")


def _contents(index: Index) -> list[str]:
    return sorted(row.chunk.text for row in index.by_filter("line >= 0", 10_000))


def _check_index(index: Index, scene: Scene, before: list[str]) -> None:
    with contextlib.suppress(IndexDamaged):
        index.by_keyword(query_terms("value7"), "", 5)  # a prompt in between: found, silent or damaged
    _fill(index, scene.home)
    with contextlib.suppress(IndexDamaged):
        index.distrust()  # `doctor --fix`, for bytes that turned over without anybody noticing
    _fill(index, scene.home)
    expect(_contents(index) == before, "the index does not hold what the files say")
    for word in ("value7", "value64", "mailer"):
        expect(index.by_keyword(query_terms(word), "", 5), f"{word} is not found")


def _corrupt(scene: Scene) -> None:
    path = scene.chance.choice(all_files(scene.state / FOLDER))
    content = bytearray(path.read_bytes())
    kind = scene.chance.choice(("cut", "deleted", "one byte", "forty bytes"))
    if kind == "deleted":
        path.unlink()
        return
    if kind == "cut":
        del content[scene.chance.randrange(len(content) + 1) :]
    else:
        for _ in range(1 if kind == "one byte" else 40):
            content[scene.chance.randrange(len(content))] = scene.chance.randrange(256)
    path.write_bytes(content)


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
