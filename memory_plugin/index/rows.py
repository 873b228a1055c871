"""A chunk as the index holds it, and the table's columns."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.embedding import Vectors

_FIELDS = [
    *((name, pa.string()) for name in ("key", "id", "text", "context", "path")),
    *((name, pa.int32()) for name in ("line", "end_line")),
    *((name, pa.string()) for name in ("namespace", "category", "kind", "date")),
    *((name, pa.float32()) for name in ("importance", "confidence")),
    ("resident", pa.bool_()),
    *((name, pa.string()) for name in ("status", "reason", "until", "by", "replaces", "severity", "seen", "facts")),
    ("terms", pa.string()),
]
SCHEMA = pa.schema([pa.field(name, type_) for name, type_ in _FIELDS])
CHUNK_COLUMNS = [name for name, _ in _FIELDS if name not in ("key", "terms")]


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as the table holds it, with its terms and, once embedded, its vector of shape (dimension,)."""

    key: str
    chunk: Chunk
    terms: str
    vector: Vectors | None


# A row that no search finds: it has no terms and is in no namespace.
FILLER = Row("-", Chunk("-", "-", "", "", 0, 0, "-", "", "text", "", 0.0, 0.0, resident=False), "", None)


@dataclass(frozen=True, slots=True)
class Former:
    """A fact that another one replaced, and the day until which it held."""

    text: str
    until: str


def key_of(chunk: Chunk) -> str:
    """The row's name: a fact may stand in several files, each a row."""
    return f"{chunk.id}.{hashlib.sha256(chunk.path.encode(errors='replace')).hexdigest()[:12]}"


def as_rows(found: pa.Table, vector_column: str | None) -> list[Row]:
    """The rows of a search's result."""
    vectors: list[Vectors | None] = [None] * found.num_rows
    if vector_column and found.num_rows:
        column = found[vector_column].combine_chunks()
        held = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
        # flatten() leaves null rows out.
        values = column.flatten().to_numpy(zero_copy_only=False).reshape(len(held), column.type.list_size)
        for number, vector in zip(held, values, strict=True):
            vectors[number] = vector
    return [
        Row(each["key"], Chunk(**{name: _rounded(each[name]) for name in CHUNK_COLUMNS}), each["terms"], vector)
        for each, vector in zip(found.select(SCHEMA.names).to_pylist(), vectors, strict=True)
    ]


def _rounded(value: Any) -> Any:
    """A stored float32 as it was written (0.7 comes back as 0.699999988)."""
    return round(value, 4) if isinstance(value, float) else value
