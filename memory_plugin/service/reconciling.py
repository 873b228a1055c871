"""Reconciliation in the background: what was written down since is compared with what was known, after each sync."""

from __future__ import annotations

import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memory_plugin.memory import clock
from memory_plugin.memory.ledger import Ledger
from memory_plugin.service.embedding_work import EmbeddingWork
from memory_plugin.service.worker import Worker

if TYPE_CHECKING:
    from memory_plugin.index.centring import Centre
    from memory_plugin.index.embedding import Embedder, Vectors
    from memory_plugin.index.table import Index

_EMBEDDER_SECONDS = 60.0  # that a pass waits for a model to load; then it goes by words alone
_LOOK_EVERY = 0.2
_AGAIN, _AGAIN_AT_LAST = 5.0, 300.0  # seconds after a failure, and after many
_MOST_VECTORS = 20_000  # texts; 30 MB at 384 dimensions
_BATCH = 32
_log = logging.getLogger(__name__)


class Reconciling(Worker):
    """A thread that reconciles the facts of a memory home when asked to. Methods may be called from any thread."""

    def __init__(self, home: str, embedding: EmbeddingWork, open_index: Callable[[float], Index | None]) -> None:
        super().__init__("reconcile")
        self.worked_at = 0.0
        self.changed = 0  # facts amended since the start
        self._home = home
        self._embedding = embedding
        self._open_index = open_index
        self._ledger = Ledger(home)
        self._vectors = _Vectors()
        self._waited_in_vain = False
        self._waiting = 0
        self._last: dict[str, Any] = {}
        self._problem = ""

    def status(self) -> dict[str, Any]:
        """How many facts wait, what the last pass that had something to do did, and what stands in the way."""
        return {"waiting": self._waiting, "last_pass": self._last, "problem": self._problem}

    def _run(self) -> None:
        retry: float | None = None
        while True:
            self._wanted.wait(retry)
            self._wanted.clear()
            if self._stopping.is_set():
                return
            try:
                self._pass()
                retry, self._problem = None, ""
            except Exception as error:
                problem = f"What is new cannot be reconciled: {error}"
                if problem != self._problem:
                    _log.exception("reconciliation failed")
                self._problem = problem
                retry = min(retry * 2 if retry else _AGAIN, _AGAIN_AT_LAST)
            if not self._wanted.is_set():
                self._done.set()

    def _pass(self) -> None:
        """Reconcile what waits; with nothing new it costs a look at the sizes of the event files."""
        # Two tables of patterns and a model's weights: imported when there is something to do.
        from memory_plugin.service.reconciler import Reconciler, waiting

        if not os.path.isdir(self._home):
            return
        self._waiting = len(waiting(self._ledger.refresh()))
        if not self._waiting:
            return
        embedder, centre = self._embedder()
        started = time.monotonic()

        def nearness(text: str, others: Sequence[str]) -> list[float | None]:
            self.worked_at = time.monotonic()
            return self._vectors.nearness(embedder, centre, text, others)

        report = Reconciler(self._home, nearness, clock.today(), self._stopping.is_set).run(self._ledger)
        self.changed += report.changed
        self._waiting = len(waiting(self._ledger))
        self._last = {
            "at": round(time.time()),
            "looked_at": report.looked_at,
            "changed": report.changed,
            "seconds": round(time.monotonic() - started, 2),
            "vectors": embedder is not None,
            "problems": report.problems,
        }
        _log.info("reconciled %d facts, %d changes", report.looked_at, report.changed)

    def _embedder(self) -> tuple[Embedder | None, Centre | None]:
        """Who embeds, once it answers; nobody when embedding is switched off or the embedder stays away."""
        deadline = time.monotonic() + (0.0 if self._waited_in_vain else _EMBEDDER_SECONDS)
        while True:
            embedder, index = self._embedding.for_question(), self._open_index(0.0)
            if embedder is not None and index is not None and index.centre is not None:
                self._waited_in_vain = False
                return embedder, index.centre
            if self._embedding.switched_off:
                return None, None
            if time.monotonic() >= deadline or self._stopping.wait(_LOOK_EVERY):
                self._waited_in_vain = True
                return None, None


class _Vectors:
    """The vectors of facts' texts, kept by text as long as the same model embeds."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, Vectors] = OrderedDict()
        self._identity: object = None

    def nearness(
        self, embedder: Embedder | None, centre: Centre | None, text: str, others: Sequence[str]
    ) -> list[float | None]:
        """How near a text is to each of the others, in the centre's unit; None for each without an embedder."""
        from memory_plugin.index.embedding import EmbedderUnavailable

        if embedder is None or centre is None:
            return [None] * len(others)
        try:
            if embedder.identity != self._identity:
                self._of.clear()
                self._identity = embedder.identity
            self._embed(embedder, centre, [text, *others])
        except EmbedderUnavailable:
            return [None] * len(others)
        row = self._of[text]
        near: list[float | None] = [float(row @ self._of[other]) / centre.unit for other in others]
        while len(self._of) > max(_MOST_VECTORS, len(others) + 1):
            self._of.popitem(last=False)
        return near

    def _embed(self, embedder: Embedder, centre: Centre, texts: Sequence[str]) -> None:
        missing = [each for each in dict.fromkeys(texts) if each not in self._of]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            self._of.update(zip(batch, centre.of_notes(embedder.documents(batch)), strict=True))
