"""An embedder of the tests' own: a vector of which words a text holds. Exact, at once, and another one on demand."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from memory_plugin.index.embedding import EmbedderUnavailable, Identity, Vectors


@dataclass
class WordsEmbedder:
    """away: raise instead of embedding; seen: the documents that were embedded, in order."""

    name: str = "words"
    dimension: int = 256
    away: bool = False
    seen: list[str] = field(default_factory=list)

    @property
    def identity(self) -> Identity:
        return Identity("test", self.name, "1", self.dimension)

    def documents(self, texts: Sequence[str]) -> Vectors:
        if self.away:
            raise EmbedderUnavailable("The words embedder is away.")
        self.seen += texts
        return np.stack([self._vector(text) for text in texts])

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        return self._vector(text) if not self.away else self.documents([])[0]

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self.dimension, np.float32)
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % self.dimension] += 1
        length = np.linalg.norm(vector)
        result: Vectors = (vector / (length or 1)).astype(np.float32)
        return result
