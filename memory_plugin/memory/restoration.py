"""Bringing a snapshot back: into the memory home, or into another folder to look at it.

    a snapshot of what is there ─▶ a note of what is begun ─▶ Markdown ─▶ events ─▶ purges since ─▶ the note goes

A restore that was killed is finished by doing it again; until then the note tells of it.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field

from memory_plugin.memory import events, journal, purge
from memory_plugin.memory.contents import Contents, contents
from memory_plugin.memory.files import make_folder, read_bytes, write_whole
from memory_plugin.memory.ledger import Key, Ledger
from memory_plugin.memory.places import EVENTS_FOLDER
from memory_plugin.memory.snapshots import BEFORE_RESTORE, DamagedError, Snapshot, Store


@dataclass(slots=True)
class Restored:
    """What a restore did. before: the snapshot of what was there, None when there was nothing; written, removed: files;
    problems: a sentence for each file that could not be brought back."""

    before: Snapshot | None = None
    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def restore(store: Store, snapshot: Snapshot, home: str) -> Restored:
    """Make the home what it was, having made a snapshot of what it is. What was purged since stays purged.

    A file that no snapshot holds, because it is too large or cannot be read, stays as it is. Raises DamagedError before
    anything is changed when the snapshot is not whole, and OSError when the home cannot be written: done again, it goes
    on.
    """
    done = Restored()
    with store.locked():
        for inside, entry in snapshot.files.items():
            try:
                store.content(entry)
            except DamagedError as error:
                raise DamagedError(f"{inside} of {snapshot.name}: {error}") from error
        now = contents(home) if os.path.isdir(home) else Contents()
        if now.files:
            done.before, _ = store.make(home, BEFORE_RESTORE, thorough=True)
        with store.restoring(snapshot), journal.locked(home):
            purged = _purged(home)
            _write(store, snapshot, home, purge.of_ids(identity for _, identity in purged), done)
            _remove(snapshot, home, done)
            events.append(home, [events.event("purged", *key) for key in sorted(purged - _purged(home))])
    return done


def restore_to(store: Store, snapshot: Snapshot, folder: str) -> Restored:
    """Write what a snapshot holds into a folder; what is not whole is passed by. OSError when it cannot be written."""
    done = Restored()
    with store.locked():
        make_folder(folder)
        for inside, entry in snapshot.files.items():
            try:
                content = store.content(entry)
            except DamagedError as error:
                done.problems.append(f"{inside}: {error}")
                continue
            write_whole(os.path.join(folder, inside), content)
            done.written.append(inside)
    return done


def _write(store: Store, snapshot: Snapshot, home: str, purged: purge.Target, done: Restored) -> None:
    # Lines first, then events, as everywhere: what is killed in between leaves the lines ahead.
    for inside in sorted(snapshot.files, key=lambda inside: inside.startswith(f"{EVENTS_FOLDER}/")):
        path = os.path.join(home, inside)
        content = purge.without(purged, path, home, store.content(snapshot.files[inside]))
        if os.path.isdir(path) or read_bytes(path) != content or not os.path.exists(path):
            write_whole(path, content)
            done.written.append(inside)


def _remove(snapshot: Snapshot, home: str, done: Restored) -> None:
    """Remove what the snapshot does not hold and the one before does; a folder that is empty then goes, too."""
    held = done.before.files if done.before else {}
    for inside in contents(home).files:
        if inside in held and inside not in snapshot.files and not _was_left_out(inside, snapshot):
            path = os.path.join(home, inside)
            os.unlink(path)
            done.removed.append(inside)
            with contextlib.suppress(OSError):
                os.rmdir(os.path.dirname(path))


def _was_left_out(inside: str, snapshot: Snapshot) -> bool:
    return any(inside == each or (each.endswith("/") and inside.startswith(each)) for each in snapshot.left_out)


def _purged(home: str) -> set[Key]:
    """The facts of which nothing may come back."""
    return {key for key, entry in Ledger(home).refresh().entries.items() if entry.purged}
