"""Noticing that somebody changed the memory home: an editor, a flush, a sync tool, `git pull`."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

from watchfiles import Change, watch

# watchfiles looks at what inotify has gathered once a step; what keeps changing is reported after `debounce` all the
# same. With its default of 50 ms an idle service would wake twenty times a second.
_STEP_MS = 300
_DEBOUNCE_MS = 1500
_LOOK_AGAIN_MS = 5000  # whether the home is still the folder that is watched
_log = logging.getLogger(__name__)


class Watch:
    """A thread that calls `changed` after each change below a folder, which may come and go."""

    def __init__(self, home: str, changed: Callable[[], None]) -> None:
        self._home = os.path.realpath(home)
        self._changed = changed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End within a step; returns at once."""
        self._stopping.set()

    def _run(self) -> None:
        polling = False
        while not self._stopping.is_set():
            try:
                self._watch_folder(polling)
            except OSError as error:
                # inotify's limit (fs.inotify.max_user_watches) is shared with every editor that is open
                polling = polling or os.path.isdir(self._home)
                if polling:
                    _log.warning("%s cannot be watched (%s); looking every few seconds", self._home, error)
            self._stopping.wait(_LOOK_AGAIN_MS / 1000)

    def _watch_folder(self, polling: bool) -> None:
        """Watch until the folder is gone or another one stands in its place."""
        if not os.path.isdir(self._home):
            return
        watched = os.stat(self._home)
        self._changed()  # it may have changed before the watch stood
        for changes in watch(
            self._home,
            watch_filter=self._matters,
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            rust_timeout=_LOOK_AGAIN_MS,
            yield_on_timeout=True,
            stop_event=self._stopping,
            raise_interrupt=False,
            force_polling=polling,
            poll_delay_ms=_LOOK_AGAIN_MS,
            ignore_permission_denied=True,
        ):
            if changes:
                self._changed()
            if not os.path.isdir(self._home) or not os.path.samestat(os.stat(self._home), watched):
                self._changed()
                return

    def _matters(self, _: Change, path: str) -> bool:
        """Whether a change may concern Markdown; a folder that went away can't be told from a file without a suffix."""
        inside = os.path.relpath(path, self._home).split(os.sep)
        return not any(part.startswith(".") and part != "." for part in inside)
