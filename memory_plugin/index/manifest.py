"""What the index was made from: one row a file, in SQLite inside the index folder, so that both vanish together.

A file is marked dirty before its rows are written and recorded after, so a process killed between the two leaves files
that the next sync compares with the table again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

_DIRTY = "dirty"
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS file (
        path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, hash TEXT, kind TEXT, problem TEXT
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT);
"""


class Entry(NamedTuple):  # made ten thousand at a time, so no dataclass
    """A file as it was when it was indexed. kind: how it was read; problem: why nothing of it is indexed, or empty."""

    path: str
    size: int
    mtime_ns: int
    hash: str
    kind: str
    problem: str = ""


class Manifest:
    """The files of one index. Raises sqlite3.Error when the database is damaged."""

    def __init__(self, path: str) -> None:
        self.path = path
        # The owner serialises its use between threads.
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            # Losing the last moments to a power cut costs a re-check of those files, nothing more.
            self._database.execute("PRAGMA synchronous=OFF")
            self._database.executescript(_SCHEMA)
        except sqlite3.Error:
            self._database.close()
            raise
        self._inode = os.stat(path).st_ino

    def close(self) -> None:
        self._database.close()

    def in_place(self) -> bool:
        """Whether the open database is still the file that stands there."""
        try:
            return os.stat(self.path).st_ino == self._inode
        except OSError:
            return False

    def entries(self) -> dict[str, Entry]:
        """Every known file by its path."""
        return {row[0]: Entry._make(row) for row in self._database.execute("SELECT * FROM file")}

    def mark_dirty(self, paths: Iterable[str]) -> None:
        """Note that the rows of these files are about to change."""
        self._write(
            "INSERT INTO file VALUES (?, -1, -1, ?, '', '') ON CONFLICT(path) DO UPDATE SET hash = excluded.hash",
            [(path, _DIRTY) for path in paths],
        )

    def record(self, entries: Iterable[Entry]) -> None:
        """Note what these files were when their rows were written."""
        self._write(
            "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)",
            [tuple(entry) for entry in entries],
        )

    def forget(self, paths: Iterable[str]) -> None:
        """Drop files that have no rows any more."""
        self._write("DELETE FROM file WHERE path = ?", [(path,) for path in paths])

    def forget_everything(self) -> None:
        """Drop all that is known: the rows of these files are gone."""
        self._database.execute("DELETE FROM file")
        self._database.execute("DELETE FROM about")

    def about(self, name: str) -> str | None:
        """A value kept beside the files."""
        found = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return found[0] if found else None

    def set_about(self, name: str, value: str) -> None:
        """Keep a value beside the files."""
        self._write("INSERT OR REPLACE INTO about VALUES (?, ?)", [(name, value)])

    def _write(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        if not rows:
            return
        self._database.execute("BEGIN IMMEDIATE")
        try:
            self._database.executemany(statement, rows)
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")
