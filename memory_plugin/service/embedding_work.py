"""Embedding in the background: choosing who embeds, loading the model, giving every chunk its vector.

Questions get an embedder only once it has answered, and lose it when it fails, so that a model that loads or an Ollama
that is away costs one question its vector search, not every question its time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memory_plugin.memory import settings
from memory_plugin.memory.settings import Embedding
from memory_plugin.service import allocation
from memory_plugin.service.worker import Worker

if TYPE_CHECKING:
    from memory_plugin.index.embedding import Embedder, Identity, Vectors
    from memory_plugin.index.table import Index

Progress = Callable[[str, int, int], None]
_BATCH = 32
_OPTIMIZE_EVERY = 20  # batches
_FIRST_RETRY, _LAST_RETRY = 5.0, 300.0  # seconds
_STARTING = "The embedder is being chosen and loaded; until then search goes by keywords only."
_SWITCHED_OFF = 'Embedding is switched off (the setting embedding.provider is "none").'
_log = logging.getLogger(__name__)


class EmbeddingWork(Worker):
    """Who embeds for one index, and the thread that does. Methods may be called from any thread."""

    def __init__(self, open_index: Callable[[float], Index | None], damaged: Callable[[], None]) -> None:
        super().__init__("embed")
        self.worked_at = 0.0
        self._open_index = open_index
        self._damaged = damaged
        self._chosen: Embedder | None = None
        self._chosen_by: Embedding | None = None
        self._warm = False
        self._problem = _STARTING
        self._turn = threading.Lock()

    def request_if_cold(self) -> None:
        """Try again to reach the embedder, if it is away."""
        if not self._warm:
            self._wanted.set()

    def for_question(self) -> Embedder | None:
        """The embedder for one question; None: keywords only."""
        chosen = self._chosen
        return _Questioned(chosen, self._failed_in_question) if chosen is not None and self._warm else None

    @property
    def switched_off(self) -> bool:
        """Whether nobody is to embed."""
        return self._problem == _SWITCHED_OFF

    def status(self) -> dict[str, Any]:
        """Who embeds, and what stands in the way."""
        chosen = self._chosen
        who: dict[str, Any] = {"provider": None, "model": None, "dimension": None}
        if chosen is not None:
            identity = chosen.identity
            who = {"provider": identity.provider, "model": identity.model, "dimension": identity.dimension}
        return {**who, "search": "keywords and vectors" if self._warm else "keywords only", "problem": self._problem}

    def choose_named(self, index: Index, name: str) -> Embedder:
        """The embedder that a person asked for: `builtin`, `ollama`, or `ollama:MODEL`. Raises EmbedderUnavailable."""
        from memory_plugin.index.choice import choose
        from memory_plugin.index.embedding import EmbedderUnavailable

        asked = settings.load()[0]
        provider, _, model = name.partition(":")
        if provider not in ("builtin", "ollama") or (model and provider != "ollama"):
            raise EmbedderUnavailable(f"There is no embedder {name!r}; known: builtin, ollama, ollama:MODEL.")
        model = model or (asked.embedding.model or "" if provider == "ollama" else "")
        embedding = replace(asked.embedding, provider=provider, model=model or None)
        chosen = choose(replace(asked, embedding=embedding), index.identity)
        assert chosen is not None  # which only the provider "none" gives
        return chosen

    def embed_everything(self, index: Index, chosen: Embedder | None, progress: Progress) -> tuple[int, str]:
        """Embed what has no vector, with `chosen` from now on if given: how many, and what stood in the way."""
        from memory_plugin.index.embedding import EmbedderUnavailable
        from memory_plugin.index.sync import embed_all

        with self._turn:
            try:
                if chosen is not None:
                    self._take(chosen)
                elif not self._choose(index):
                    return 0, ""
                assert self._chosen is not None
                done = embed_all(index, self._chosen, progress)
                self._load()
            except EmbedderUnavailable as error:
                self._failed(error)
                return 0, str(error)
        return done, ""

    def _run(self) -> None:
        retry: float | None = None
        while True:
            self._wanted.wait(retry)
            self._wanted.clear()
            if self._stopping.is_set():
                return
            try:
                retry = self._work_once(retry)
            except Exception as error:
                _log.exception("embedding failed")
                self._failed(error)
                retry = _LAST_RETRY
            if not self._wanted.is_set():
                self._done.set()

    def _work_once(self, retry: float | None) -> float | None:
        """Embed what is missing; the seconds after which to try again, or None when all is done."""
        from memory_plugin.index.embedding import EmbedderChanged, EmbedderUnavailable
        from memory_plugin.index.table import IndexDamaged

        index = self._open_index(0.0)
        if index is None:
            return None  # the sync that follows the opening asks again
        try:
            with self._turn:
                if self._choose(index):
                    self._load()
            while self._batch(index):
                pass
            allocation.give_back()
        except IndexDamaged:
            self._damaged()
            return None  # the sync that fills it again asks again
        except EmbedderUnavailable as error:
            if isinstance(error, EmbedderChanged):
                self._chosen = None
            if str(error) != self._problem:
                _log.warning("keyword search only: %s", error)
            self._failed(error)
            return min((retry or _FIRST_RETRY / 2) * 2, _LAST_RETRY)
        return None

    def _batch(self, index: Index) -> bool:
        """Embed some chunks; whether there may be more."""
        for _ in range(_OPTIMIZE_EVERY):
            with self._turn:
                if self._chosen is None or self._stopping.is_set() or not index.embed_missing(self._chosen, _BATCH):
                    index.optimize_if_due()
                    return False
                self._load()
            self.worked_at = time.monotonic()
        index.optimize_if_due()
        return True

    def _choose(self, index: Index) -> bool:
        """Choose who embeds, once and whenever the setting changes; False when nobody is to."""
        from memory_plugin.index.choice import choose

        asked = settings.load()[0]
        if self._chosen is None or asked.embedding != self._chosen_by:
            self._chosen_by = asked.embedding
            chosen = choose(asked, index.identity)
            if chosen is None:
                self._chosen, self._warm = None, False
                self._problem = _SWITCHED_OFF
                return False
            self._take(chosen)
        return self._chosen is not None

    def _take(self, chosen: Embedder) -> None:
        if self._chosen is None or self._chosen.identity != chosen.identity:
            self._chosen, self._warm, self._problem = chosen, False, _STARTING
            _log.info("embedding with %s %s", chosen.identity.provider, chosen.identity.model)

    def _load(self) -> None:
        """See the chosen embedder answer, which loads its model."""
        if self._chosen is not None and not self._warm:
            self._chosen.query("warm")
            self._warm, self._problem = True, ""

    def _failed(self, error: Exception) -> None:
        self._warm, self._problem = False, str(error)

    def _failed_in_question(self, error: Exception) -> None:
        self._failed(error)
        self._wanted.set()


class _Questioned:
    """An embedder whose failure to answer a question is noted."""

    def __init__(self, embedder: Embedder, failed: Callable[[Exception], None]) -> None:
        self._embedder, self._failed = embedder, failed

    @property
    def identity(self) -> Identity:
        return self._embedder.identity

    def documents(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.documents(texts)

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        from memory_plugin.index.embedding import EmbedderUnavailable

        try:
            return self._embedder.query(text, timeout)
        except EmbedderUnavailable as error:
            self._failed(error)
            raise
