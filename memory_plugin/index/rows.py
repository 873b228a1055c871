"""A chunk as the index holds it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.embedding import Vectors


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as the table holds it, with its terms and, once embedded, its vector of shape (dimension,)."""

    key: str
    chunk: Chunk
    terms: str
    vector: Vectors | None


@dataclass(frozen=True, slots=True)
class Former:
    """A fact that another one replaced, and the day until which it held."""

    text: str
    until: str


def key_of(chunk: Chunk) -> str:
    """The row's name: a fact may stand in several files, each a row."""
    return f"{chunk.id}.{hashlib.sha256(chunk.path.encode(errors='replace')).hexdigest()[:12]}"
