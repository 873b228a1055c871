"""A chunk as the index holds it, and the table's columns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.embedding import Vectors

# What is searched by or filtered by; all else stands in `whole` alone, since each column of a row is a read of its own.
_TEXTS = ("key", "id", "path", "namespace", "category", "kind", "date", "status", "until", "seen", "terms")
_OTHERS = (("line", pa.int32()), ("end_line", pa.int32()), ("resident", pa.bool_()), ("whole", pa.string()))
SCHEMA = pa.schema([*((name, pa.string()) for name in _TEXTS), *(pa.field(name, type_) for name, type_ in _OTHERS)])
_OF_CHUNKS = tuple(each.name for each in fields(Chunk))


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
    """The rows of a search's result. Raises ValueError when one is not as it was written."""
    vectors: list[Vectors | None] = [None] * found.num_rows
    if vector_column and found.num_rows:
        column = found[vector_column].combine_chunks()
        held = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
        # flatten() leaves null rows out.
        values = column.flatten().to_numpy(zero_copy_only=False).reshape(len(held), column.type.list_size)
        for number, vector in zip(held, values, strict=True):
            vectors[number] = vector
    return [_unpacked(whole, vector) for whole, vector in zip(found["whole"].to_pylist(), vectors, strict=True)]


def as_table(rows: Sequence[Row]) -> pa.Table:
    """The rows as the table holds them, without their vectors."""
    kept = set(SCHEMA.names) - {"key", "terms", "whole"}
    columns: dict[str, list[object]] = {name: [getattr(row.chunk, name) for row in rows] for name in kept}
    columns |= {"key": [row.key for row in rows], "terms": [row.terms for row in rows]}
    columns["whole"] = [_packed(row) for row in rows]
    return pa.table({name: columns[name] for name in SCHEMA.names}, schema=SCHEMA)


def _packed(row: Row) -> str:
    values = [getattr(row.chunk, name) for name in _OF_CHUNKS]
    return json.dumps([row.key, row.terms, *values], ensure_ascii=False, separators=(",", ":"))


def _unpacked(whole: str, vector: Vectors | None) -> Row:
    try:
        key, terms, *values = json.loads(whole)
        return Row(key, Chunk(*values), terms, vector)
    except TypeError as error:  # a JSON value, but not ours
        raise ValueError(f"a row that is none: {error}") from error
