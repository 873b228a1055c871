"""Whether the files of an index are whole: asked when an operation on it failed, to tell damage from a mistake.

LanceDB raises the same few types for both. So the files are looked at afresh, by a connection that has nothing in its
caches: what can be read to its end, searched and folded together is not damaged, whatever failed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import lancedb
import pyarrow as pa
from lancedb.query import MatchQuery

from memory_plugin.index.indices import index_words
from memory_plugin.index.rows import SCHEMA, as_rows, as_table, key_of
from memory_plugin.index.terms import index_terms
from memory_plugin.memory.places import PLUGIN_ROOT

# What LanceDB and SQLite raise when their files are damaged or gone; their own programming errors are the same types.
_DAMAGE = (RuntimeError, ValueError, OSError, sqlite3.Error, pa.ArrowException)
_PANIC = "RustPanic"  # of pyo3_async_runtimes, which is no module that can be imported

# What the system says of its own state, in the texts of errors that LanceDB passes on; nothing is wrong with the files.
_SYSTEM = (
    *("No space left", "File too large", "quota exceeded", "Permission denied", "Read-only file", "Too many open"),
    # SQLite's words for the same, and what it says of a transaction that such a refusal has ended already
    *("disk is full", "unable to open", "disk I/O error", "readonly database", "is locked", "no transaction is active"),
)

_BATCH = 1000  # words in one search
_FROM_OUTSIDE = frozenset((signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM))
_LOOK = """
import logging, sys
logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")  # into the service's log
sys.path.insert(0, sys.argv[1])
from memory_plugin.index.health import damage
print(damage(*sys.argv[2:]))
"""
_log = logging.getLogger(__name__)


def is_refusal(said: str) -> bool:
    """Whether an error's text says that the system refused something: nothing is known of the files then."""
    return any(sign in said for sign in _SYSTEM)


def may_be_damage(error: Exception) -> bool:
    """Whether this is what an operation on damaged files may raise."""
    return isinstance(error, _DAMAGE) or type(error).__name__ == _PANIC


def damage(folder: str, table: str, manifest: str) -> str:
    """What is wrong with the files of an index, or "" when nothing is; words are made anew from whole rows, if need be.

    The caller lets nobody write meanwhile.

    folder: that of LanceDB; table: its name there; manifest: the path of the SQLite database.
    """
    try:
        return _damage_of_manifest(manifest) or _damage_of_table(lancedb.connect(folder).open_table(table))
    except Exception as error:
        return _said(error)


def damage_seen_apart(held: int, folder: str, table: str, manifest: str) -> str:
    """As `damage`, asked in a process of its own, since there is damage at which LanceDB ends the process.

    held: the descriptor of the lock that keeps writers away; the process holds it too. One that is ended from outside,
    or that the system refuses something, knows nothing, and says nothing.
    """
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", _LOOK, PLUGIN_ROOT, folder, table, manifest],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        pass_fds=(held,),
        check=False,
    )
    if -done.returncode in _FROM_OUTSIDE:
        return ""
    if done.returncode:
        how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"status {done.returncode}"
        return f"the process that looked at it ended by {how}"
    said = done.stdout.decode(errors="replace").strip()
    return "" if is_refusal(said) else said


def damage_of_schema(schema: pa.Schema) -> str:
    """Which of the columns that every row has is missing or of another type; "" when none is."""
    wrong = [field.name for field in SCHEMA if field.name not in schema.names or schema.field(field.name) != field]
    return f"its columns {', '.join(wrong)} are not as they were made" if wrong else ""


def rotten(table: Any) -> list[str]:
    """The keys of rows that are not what their text makes, as bits that turned over on a disk leave them.

    Raises ValueError when one can't be read, which is `damage`.
    """
    found = list[str]()
    for batch in table.search().select(SCHEMA.names).to_batches(256):
        held = pa.Table.from_batches([batch])
        for number, key in enumerate(held["key"].to_pylist()):
            if not _is_whole(held.slice(number, 1)):
                found.append(key)
    return found


def _is_whole(held: pa.Table) -> bool:
    """Whether a row's columns all say what its text makes."""
    (row,) = as_rows(held, None)
    made = replace(row, key=key_of(row.chunk), terms=index_terms(row.chunk.embedded_text))
    return bool(as_table([made]).equals(held.select(SCHEMA.names).replace_schema_metadata()))


def _damage_of_manifest(path: str) -> str:
    database = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)
    try:
        found = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
        for name in ("file", "about"):
            database.execute(f"SELECT * FROM {name}").fetchall()  # a text that is none raises
    finally:
        database.close()
    return "" if found == "ok" else found


def _damage_of_table(table: Any) -> str:
    """Raises what LanceDB raises on the way: every row, the vectors' index, what `optimize` rewrites."""
    if problem := damage_of_schema(table.schema):
        return problem
    rows, words = 0, set[str]()
    for batch in table.search().to_batches(256):
        rows += len(as_rows(pa.Table.from_batches([batch]), None))
        for terms in batch.column("terms").to_pylist():
            words.update(terms.split())
    if rows != table.count_rows():
        return f"{table.count_rows()} rows, of which {rows} can be read"
    if problem := _damage_of_words(table, sorted(words)):
        # The rows are whole, so are their vectors: those stay.
        _log.warning("the full-text index in %s is damaged (%s); making it anew", table.name, problem)
        index_words(table)
        if problem := _damage_of_words(table, sorted(words)):
            return problem
    for name in table.schema.names:
        if name.startswith("vector_"):
            nothing = [0.1] * table.schema.field(name).type.list_size
            table.search(nothing, vector_column_name=name).distance_type("cosine").limit(1).to_arrow()
    table.optimize()
    return ""


def _damage_of_words(table: Any, words: Sequence[str]) -> str:
    """What is wrong with the full-text index: each word's list of rows is a piece of its own, and may be damaged."""
    for start in range(0, len(words), _BATCH):
        # Its signature has defaults, its type stub has none.
        wanted = MatchQuery(" ".join(words[start : start + _BATCH]), "terms")  # type: ignore[call-arg]
        try:
            if not table.search(wanted, query_type="fts").limit(1).to_arrow().num_rows:
                return "it does not find its words"
        except Exception as error:
            if not may_be_damage(error) or is_refusal(str(error)):
                raise
            return _said(error)
    return ""


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def discard(folder: str) -> None:
    """Remove the folder of an index that cannot be used, as far as the system lets it."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # a file or a link in its place
        os.unlink(folder)
