"""What an embedder is, and which models are known.

The index stores the `Identity` of whoever embedded it; vectors of two identities are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_plugin.index.tokens import ESTIMATED

Vectors = NDArray[np.float32]


class EmbedderUnavailable(Exception):
    """No vectors for now; the text says why and what to do. Keyword search goes on meanwhile."""


class EmbedderChanged(EmbedderUnavailable):
    """The model behind the name is another than the one that embedded the index: choose anew and rebuild."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose vectors these are. Equal identities share one vector space; unequal ones are never mixed."""

    provider: str
    model: str
    digest: str
    dimension: int

    def to_json(self) -> dict[str, Any]:
        """The identity as a flat JSON object, which `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Identity | None:
        """The identity that `to_json` wrote, or None when the value is not one."""
        match value:
            case {"provider": str(provider), "model": str(model), "digest": str(digest), "dimension": int(size)}:
                return cls(provider, model, digest, size)
        return None


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What belongs to a model: its task prefixes and its input limit in tokens. What its cosines mean is measured
    with the model itself (see centring)."""

    family: str
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = 512


class Embedder(Protocol):
    """Turns text into L2-normalised float32 vectors of `identity.dimension` components.

    A text with nothing in it (empty, blank, only NUL) gets a zero vector: its cosine with anything is 0,
    so it is never found by vector. Longer texts than the model reads are cut at the end. Methods may be called
    from several threads, and raise EmbedderUnavailable with nothing half-done.
    """

    @property
    def identity(self) -> Identity: ...

    def documents(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in order: shape (len(texts), dimension)."""

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        """One vector, shape (dimension,), within `timeout` seconds (None: as long as it takes)."""


# Prefixes and limits are those of the model cards (limits above 2,048 cut to it: no chunk is longer). Best first:
# the order in which an installed model is picked, multilingual before English; recall@5 in memsearch's evaluation
# is .82 in English and .78 in Chinese for bge-m3, .76 and .40 for nomic-embed-text, .65 and .20 for MiniLM.
_RETRIEVE = "Represent this sentence for searching relevant passages: "
_QWEN3 = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
PROFILES = (
    ModelProfile("bge-m3", max_tokens=2048),
    ModelProfile("qwen3-embedding", _QWEN3, max_tokens=2048),
    ModelProfile("embeddinggemma", "task: search result | query: ", "title: none | text: ", max_tokens=2048),
    ModelProfile("nomic-embed-text-v2-moe", "search_query: ", "search_document: "),
    ModelProfile("snowflake-arctic-embed2", "query: ", max_tokens=2048),
    ModelProfile("multilingual-e5", "query: ", "passage: "),
    ModelProfile("nomic-embed-text", "search_query: ", "search_document: ", max_tokens=2048),
    ModelProfile("mxbai-embed-large", _RETRIEVE),
    ModelProfile("snowflake-arctic-embed", _RETRIEVE),
    ModelProfile("bge-large", _RETRIEVE),
    ModelProfile("granite-embedding"),
    ModelProfile("paraphrase-multilingual", max_tokens=128),
    ModelProfile("all-minilm", max_tokens=256),
)
_UNKNOWN = ModelProfile("unknown")


def profile_of(model: str) -> ModelProfile:
    """The profile of a model by its Ollama name (`user/bge-m3:567m-fp16`), or a cautious default."""
    found = [each for each in PROFILES if each.family in model.lower()]
    return max(found, key=lambda each: len(each.family), default=_UNKNOWN)


def clean(text: str) -> str:
    """The text without NUL (it ends a C string) and lone surrogates (no encoding has them), trimmed."""
    return text.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8").strip()


def clip(text: str, max_tokens: int) -> str:
    """The beginning of the text that surely has at most about `max_tokens` tokens, ended at a word."""
    for count, match in enumerate(ESTIMATED.finditer(text)):
        if count == max_tokens:
            return text[: match.start()].rstrip()
    return text
