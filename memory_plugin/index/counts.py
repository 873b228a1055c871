"""The counts of the table's words in a small file beside it, so that a process's first prompt need not read the table.

It is derived from the table, and says of which build and version of it. One that is missing, torn or of another version
is no loss: the words are counted anew.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from memory_plugin.index.chunks import TALK
from memory_plugin.index.vocabulary import Vocabulary
from memory_plugin.memory.files import read_bytes, write_whole

FILE = "words.json"
_BATCH = 500  # rows
_NAMES = {False: "notes", True: "talk"}


def count(table: Any) -> dict[bool, Vocabulary]:
    """The vocabularies of notes (False) and of talk (True), from all rows of a table."""
    vocabularies = {talk: Vocabulary() for talk in _NAMES}
    found = table.search().select(["terms", "kind"]).to_arrow()
    for batch in found.to_batches(max_chunksize=_BATCH):  # many conversations would be much at once
        for row in batch.to_pylist():
            vocabularies[row["kind"] in TALK].add([row["terms"]])
    return vocabularies


def load(folder: str, stamp: str) -> dict[bool, Vocabulary] | None:
    """The vocabularies that were saved with this stamp, or None."""
    try:
        saved = json.loads(read_bytes(os.path.join(folder, FILE)))
        if saved["stamp"] != stamp:
            return None
        return {talk: _vocabulary(*saved[name]) for talk, name in _NAMES.items()}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _vocabulary(rows: int, length: int, rows_with: Mapping[str, int]) -> Vocabulary:
    return Vocabulary(rows, length, Counter(rows_with))


def save(folder: str, stamp: str, vocabularies: Mapping[bool, Vocabulary]) -> None:
    """Keep the vocabularies; stamp: the build and the version of the table that they are of. Raises OSError."""
    named = [(name, vocabularies[talk]) for talk, name in _NAMES.items()]
    counts = {name: [each.rows, each.length, each.rows_with] for name, each in named}
    write_whole(os.path.join(folder, FILE), json.dumps({"stamp": stamp, **counts}, separators=(",", ":")).encode())
