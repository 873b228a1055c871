"""The index as the service keeps it: opened, brought up to date and embedded in the background, asked meanwhile.

Three threads: one watches the memory home, one syncs, one embeds. None of them ever holds up a question: what isn't
there yet is not found yet.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_plugin import __version__
from memory_plugin.memory import injected, places
from memory_plugin.memory.frame import CLOSING, OPENING, PREAMBLE
from memory_plugin.memory.hand import Observer
from memory_plugin.service import allocation, installation
from memory_plugin.service.backups import Backups
from memory_plugin.service.embedding_work import EmbeddingWork
from memory_plugin.service.extraction_work import ExtractionWork
from memory_plugin.service.footprint import memory_in_use
from memory_plugin.service.projects import Projects
from memory_plugin.service.reconciling import Reconciling
from memory_plugin.service.reviewing import Reviewing
from memory_plugin.service.watch import Watch

if TYPE_CHECKING:
    from memory_plugin.index.sync import SyncReport
    from memory_plugin.index.table import Index

Report = Callable[[dict[str, Any]], None]
_SYNC_AGAIN, _SYNC_AGAIN_AT_LAST = 1.0, 60.0  # seconds after a failure, and after many
_TIDY_EVERY = 600.0  # seconds without a change
_STOP_SECONDS = 2.0
_log = logging.getLogger(__name__)


class NotReadyError(Exception):
    """The index is not open yet, or can't be; the text says what to do."""


class Library:
    """The index of one state folder and one memory home. Methods may be called from any thread."""

    def __init__(self, state: str, installed: installation.Installation) -> None:
        self.state = state
        self.installation = installed
        self.projects = Projects(state)
        self.embedding = EmbeddingWork(self._open_index, self.request_sync)
        self.extraction = ExtractionWork(state, installed.home)
        self.reconciling = Reconciling(installed.home, self.embedding, self._open_index)
        self.backups = Backups(installed.home, state, self.idle_seconds)
        self.reviewing = Reviewing(installed.home, state, self.idle_seconds)
        self._watch = Watch(installed.home, self.request_sync)
        self._observer = Observer(installed.home)
        self._index: Index | None = None
        self._opened = threading.Event()
        self._problem = ""
        self._wanted = threading.Event()
        self._syncs = threading.Condition()
        self._begun = self._finished = 0
        self._stopping = threading.Event()
        self._writing = threading.RLock()
        self._reindexing = threading.Lock()
        self._frame_tokens = 0
        self._untidy = False
        self._report: SyncReport | None = None
        self._synced_at = 0.0
        self._asking = threading.Lock()
        self._open_questions = 0
        self._asked_at = time.monotonic()
        self._started = time.time()
        self._syncer = threading.Thread(target=self._keep_synced, name="sync", daemon=True)

    def start(self) -> None:
        """Open the index and begin to keep it."""
        self._wanted.set()
        self._syncer.start()
        self.embedding.start()
        self.extraction.start()
        self.reconciling.start()
        self.backups.start()
        self.reviewing.start()
        self._watch.start()

    def stop(self) -> None:
        """Let the threads end; waits for what is being written, a moment at most."""
        self._stopping.set()
        self._wanted.set()
        self._watch.stop()
        self.embedding.stop()
        self.extraction.stop()
        self.reconciling.stop()
        self.backups.stop()
        self.reviewing.stop()
        if self._writing.acquire(timeout=_STOP_SECONDS):
            if self._index is not None:
                self._index.close()
            self._writing.release()

    @contextlib.contextmanager
    def asked(self) -> Iterator[None]:
        """Around a question: while it is answered, the service is not idle."""
        with self._asking:
            self._open_questions += 1
        try:
            yield
        finally:
            with self._asking:
                self._open_questions -= 1
                self._asked_at = time.monotonic()

    def idle_seconds(self) -> float:
        """For how long nobody has asked anything, nothing was embedded, reconciled or read by a model."""
        if self._open_questions:
            return 0.0
        at_work = (self.embedding.worked_at, self.extraction.worked_at, self.reconciling.worked_at)
        return time.monotonic() - max(self._asked_at, *at_work)

    def index(self, timeout: float) -> Index:
        """The open index, within so many seconds. Raises NotReadyError."""
        if not self._opened.wait(max(0.0, timeout)):
            raise NotReadyError(self._problem or "The index is being opened. Try again in a moment.")
        assert self._index is not None
        return self._index

    def request_sync(self) -> None:
        """Have the index brought up to date soon; returns at once."""
        self._wanted.set()

    def look_after_index(self) -> None:
        """Have the index made anew if somebody has removed it; costs next to nothing."""
        if self._index is not None and (self._index.stale or not os.path.isdir(self._index.folder)):
            self.request_sync()

    def refresh(self, timeout: float) -> bool:
        """Wait until what is on disk now is indexed, for so many seconds at most; whether it is."""
        with self._syncs:
            awaited = self._begun + 1
            self.request_sync()
            return self._syncs.wait_for(lambda: self._finished >= awaited, max(0.0, timeout))

    def settle(self, timeout: float) -> None:
        """Wait until what is on disk now is indexed, embedded and reconciled, for so many seconds each at most."""
        known = self.reconciling.changed
        if self.refresh(timeout):
            self.embedding.wait(timeout)
            if self.reconciling.wait(timeout) and self.reconciling.changed != known:
                self.refresh(timeout)

    def frame_tokens(self) -> int:
        """How many tokens the frame around the notes of a prompt takes."""
        return self._frame_tokens

    def sync_now(self, timeout: float = 60.0) -> dict[str, Any]:
        """Bring the index's text up to date, and say what was done; embedding follows in the background."""
        report = asdict(self._sync(self.index(timeout)))
        self.embedding.request()
        self.reconciling.request()
        return report

    def mend(self) -> dict[str, Any]:
        """Compare every row of the index with its file, make anew what cannot be read; what was done, as sync_now."""
        from memory_plugin.index.table import IndexDamaged

        index = self.index(60.0)
        with self._writing:  # held until all is compared: else the sync in the background would be the one to do it
            with contextlib.suppress(IndexDamaged):
                index.distrust()
            return self.sync_now()

    def scrub(self) -> dict[str, Any]:
        """Bring the index's text up to date, and leave nothing of what was removed in its files."""
        index = self.index(60.0)
        report = asdict(self._sync(index))
        with self._writing:
            index.scrub()
        return report

    def reindex(self, report: Report, *, rebuild: bool, embedder: str | None) -> dict[str, Any]:
        """Bring text and vectors up to date, from nothing if `rebuild`, with another embedder if one is named.

        Calls `report` with {stage, done, total} as it goes. Raises EmbedderUnavailable when the named one can't be had.
        """
        with self._reindexing:  # another one that is under way comes to its end first
            return self._reindex(report, rebuild, embedder)

    def _reindex(self, report: Report, rebuild: bool, embedder: str | None) -> dict[str, Any]:
        index = self.index(60.0)
        started = time.monotonic()

        def progress(stage: str, done: int, total: int) -> None:
            report({"stage": stage, "done": done, "total": total})

        chosen = self.embedding.choose_named(index, embedder) if embedder else None
        if rebuild:
            with self._writing:
                index.reset()
        done = self._sync(index, progress)
        embedded, problem = self.embedding.embed_everything(index, chosen, progress)
        problems = [*done.problems, *([problem] if problem else [])]
        result = asdict(replace(done, embedded=embedded, problems=tuple(problems)))
        return {**result, "chunks": index.count(), "seconds": round(time.monotonic() - started, 2)}

    def status(self) -> dict[str, Any]:
        """How the service and its index are, for a person and for `--json`."""
        content: dict[str, Any] = {
            "version": __version__,
            "pid": os.getpid(),
            "started": round(self._started),
            "idle_seconds": round(self.idle_seconds()),
            "memory": memory_in_use(),
            "root": self.installation.root,
            "home": self.installation.home,
            "state": self.state,
            "ready": self._opened.is_set(),
            "problem": self._problem,
            "embedder": self.embedding.status(),
            "extraction": self.extraction.status(),
            "reconciliation": self.reconciling.status(),
            "backups": self.backups.status(),
            "review": self.reviewing.status(),
            "projects": len(self.projects.known()),
        }
        if self._index is not None:
            with contextlib.suppress(Exception):
                content["chunks"] = self._index.count()
                content["without_vector"] = self._index.missing()
                content["unindexed"] = self._index.unindexed()
                content["files"] = len(self._index.files())
        if self._report is not None:
            content["last_sync"] = {"at": round(self._synced_at), **asdict(self._report)}
        return content

    def _open_index(self, timeout: float) -> Index | None:
        with contextlib.suppress(NotReadyError):
            return self.index(timeout)
        return None

    def _keep_synced(self) -> None:
        wait = _SYNC_AGAIN
        while True:
            asked = self._wanted.wait(_TIDY_EVERY)
            self._wanted.clear()
            if self._stopping.is_set():
                return
            with self._syncs:
                self._begun += 1
            try:
                if asked:
                    self._sync(self._index or self._open())
                    self.embedding.request()
                    self.reconciling.request()
                    self.extraction.request()
                else:
                    self._tidy()
                wait = _SYNC_AGAIN
            except Exception as error:
                problem = f"The index cannot be brought up to date: {error}"
                if problem != self._problem:
                    _log.exception("sync failed")
                self._problem = problem
                self._stopping.wait(wait)
                wait = min(wait * 2, _SYNC_AGAIN_AT_LAST)
                self._wanted.set()
            else:
                with self._syncs:
                    self._finished = self._begun
                    self._syncs.notify_all()

    def _open(self) -> Index:
        # Half a second to several: imported here, in the background, so that the socket answers meanwhile.
        from memory_plugin.index.recall import recall
        from memory_plugin.index.table import Index
        from memory_plugin.index.tokens import TokenCounter

        index = Index.open(self.state)
        # The first of each loads or makes a table, which no prompt should wait for.
        self._frame_tokens = TokenCounter(self.state)("\n".join((OPENING, PREAMBLE, CLOSING)))
        recall("warm", index=index, embedder=None, namespaces=(), now=datetime.now(), for_prompt=False)
        self._index = index
        self._opened.set()
        return index

    def _tidy(self) -> None:
        injected.prune()
        if self._index is not None and self._untidy:
            with self._writing:
                self._index.optimize()
            self._untidy = False
            allocation.give_back()

    def _sync(self, index: Index, progress: Callable[[str, int, int], None] | None = None) -> SyncReport:
        from memory_plugin.index.sources import Roots
        from memory_plugin.index.sync import sync
        from memory_plugin.index.table import IndexDamaged

        with self._writing:
            roots = Roots(self.installation.home, self.projects.known(), places.client_folder())
            try:
                report = sync(index, roots, None, progress)
            except IndexDamaged:
                _log.warning("the index was damaged; filling it anew")
                report = sync(index, roots, None, progress)
            self._observe()
        self._problem = ""
        self._report, self._synced_at = report, time.time()
        changed = bool(report.added or report.updated or report.removed)
        self._untidy = self._untidy or changed
        if changed:
            allocation.give_back()
        return report

    def _observe(self) -> None:
        """Record what people did to the files by hand."""
        try:
            self._observer.look()
        except OSError as error:
            _log.warning("what was done by hand could not be recorded: %s", error)
        except Exception:  # what is written is found all the same
            _log.exception("what was done by hand could not be recorded")
