"""A model that reads along, in the background: one thread, which does nothing until the user chooses a model."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from memory_plugin.memory import settings
from memory_plugin.memory.settings import Embedding, Extraction
from memory_plugin.service import cursor

if TYPE_CHECKING:
    from memory_plugin.service.distillation import Distiller

_LOOK_AGAIN = 30.0  # seconds: a flush that found nothing changes no file that is watched
_FIRST_RETRY, _LAST_RETRY = 30.0, 1800.0
_CAPPED = "The tokens of today (extraction.daily_tokens) are spent; it goes on tomorrow."
_log = logging.getLogger(__name__)


class ExtractionWork:
    """The thread that has flushes read by a model. Methods may be called from any thread."""

    def __init__(self, state: str, home: str, first_retry: float = _FIRST_RETRY) -> None:
        self._state, self._home = state, home
        self._first_retry = self._retry = first_retry
        self._not_before = 0.0
        self._asked: tuple[Extraction, Embedding] | None = None
        self._distiller: Distiller | None = None
        self._problem = ""
        self._working = False
        self._worked_at = 0.0
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="extract", daemon=True)

    @property
    def worked_at(self) -> float:
        """When a model last worked, by time.monotonic()."""
        return time.monotonic() if self._working else self._worked_at

    def start(self) -> None:
        """Begin, with whatever was left to do."""
        self._thread.start()

    def stop(self) -> None:
        """End at once; a question that waits for its answer is given up, and asked again another time."""
        self._stopping.set()
        self._wanted.set()
        distiller = self._distiller
        if distiller is not None:
            distiller.chat.stop()

    def request(self) -> None:
        """Have the settings and the receipts looked at soon; returns at once."""
        self._wanted.set()

    def status(self) -> dict[str, Any]:
        """Who reads along, what waits, what it cost today, and what stands in the way."""
        distiller, asked = self._distiller, self._asked
        position = cursor.read(self._state)
        content: dict[str, Any] = {
            "provider": asked[0].provider if asked else "none",
            "model": asked[0].model if asked else None,
            "tokens_today": position.spent() if position else 0,
            "problem": self._problem,
        }
        if distiller is not None and position is not None:
            content["waiting"] = sum(1 for _ in cursor.waiting(self._state, position))
            content["daily_tokens"] = distiller.daily_tokens
            content["written"], content["dropped"] = distiller.written, distiller.dropped
        return content

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wanted.clear()
            try:
                self._look()
            except Exception as error:
                _log.exception("reading with a model failed")
                self._back_off(str(error))
            left = self._not_before - time.monotonic()
            self._wanted.wait(min(left, _LOOK_AGAIN) if left > 0 else _LOOK_AGAIN)

    def _look(self) -> None:
        """Do all that waits, unless nobody is to, or it failed a moment ago."""
        self._choose()
        if self._distiller is None or time.monotonic() < self._not_before:
            return
        from memory_plugin.service.chat import ChatUnavailableError
        from memory_plugin.service.grounding import InvalidAnswerError

        self._working = True
        try:
            while not self._stopping.is_set() and self._distiller.step():
                self._retry, self._problem = self._first_retry, ""
                self._choose()
                if self._distiller is None:
                    return
            self._problem = _CAPPED if self._distiller.capped else ""
        except ChatUnavailableError as error:
            self._back_off(str(error))
        except InvalidAnswerError as error:
            self._back_off(f"The model's answer is of no use: {error}.")
        except OSError as error:
            self._back_off(f"What the model found cannot be written: {error}.")
        finally:
            self._working, self._worked_at = False, time.monotonic()

    def _choose(self) -> None:
        """Go by the settings of now. Switched off, what is said from then on is none of the model's business."""
        found, problems = settings.load()
        if found.extraction.provider == "none":
            self._distiller = None
            if not problems:  # a file that is being edited switches nothing off
                self._asked, self._problem = None, ""
                cursor.end(self._state)
        elif (found.extraction, found.embedding) != self._asked or self._distiller is None:
            from memory_plugin.service.chat import choose
            from memory_plugin.service.distillation import Distiller

            chat = choose(found, self._state)
            assert chat is not None
            cursor.begin(self._state)
            self._distiller = Distiller(self._state, self._home, chat, found.extraction.daily_tokens)
            self._asked = (found.extraction, found.embedding)
            self._not_before, self._retry, self._problem = 0.0, self._first_retry, ""
            _log.info("reading along with %s", chat.name)

    def _back_off(self, problem: str) -> None:
        if problem != self._problem and not self._stopping.is_set():
            _log.warning("%s", problem)
        self._problem = problem
        self._not_before = time.monotonic() + self._retry
        self._retry = min(self._retry * 2, _LAST_RETRY)
