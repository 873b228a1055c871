"""The conversations of a memory home, in `<namespace>/history/<day>-<session>.md`: kept by the flush, read by whoever
asks what was said.

A page says how far in its transcript it goes, so what is told again is passed by: a flush that was killed anywhere, or
that has lost its watermark, writes nothing twice.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory_plugin.memory import journal, pages, places
from memory_plugin.memory.files import ChangedMeanwhile, read_bytes, sweep
from memory_plugin.memory.namespaces import Namespace
from memory_plugin.memory.pages import Ended, Page, Section, Writer
from memory_plugin.memory.retelling import Piece

LARGEST_PAGE = 16 << 20  # bytes that are read of one
_NAME = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})-(?P<session>[A-Za-z0-9]{1,8})(?:-\d{1,3})?\.md")
_HEAD = 4096  # bytes that hold the front matter


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its session, namespace, project in words, how it ended, and its pages' files, oldest first."""

    session: str
    namespace: str
    project: str
    ended: str
    paths: tuple[str, ...]

    @property
    def first_day(self) -> str:
        return day_of(self.paths[0])

    @property
    def last_day(self) -> str:
        return day_of(self.paths[-1])


@dataclass(frozen=True, slots=True)
class Stretch:
    """A section of a page, and those around it."""

    page: Page
    path: str
    text: str
    sections: tuple[Section, ...]
    place: int

    @property
    def section(self) -> Section:
        return self.sections[self.place]

    def before(self) -> Section | None:
        """The exchange before it."""
        return next((each for each in reversed(self.sections[: self.place]) if each.kind == "exchange"), None)

    def after(self) -> Section | None:
        """The exchange after it."""
        return next((each for each in self.sections[self.place + 1 :] if each.kind == "exchange"), None)


def write(home: str, namespace: Namespace, session: str, pieces: Sequence[Piece], trigger: str) -> None:
    """Add what was said to a conversation's pages, durably, under the home's lock.

    Killed between two pages, the next flush goes on with the second. Raises OSError when a page cannot be written.
    """
    ended = _ended(trigger)
    folder = os.path.join(home, namespace.name, places.HISTORY_FOLDER)
    if not pieces and (ended != "ended" or not _pages_of(folder, session)):
        return
    with journal.locked(home):
        sweep(folder)
        known = _pages_of(folder, session)
        told = max((page.read_to for _, page in known), default=0)
        path, page = known[-1] if known else ("", None)
        groups = _by_page([piece for piece in pieces if piece.end > told], page)
        for number, (day, group) in enumerate(groups, 1):
            if page is None or page.day != day:
                path, page = _new_path(folder, day, session), pages.new(day, session, namespace.identity)
            _grow(path, page, group, ended if number == len(groups) else "open")
        if not groups and page is not None and ended == "ended":
            _grow(path, page, (), ended)


def day_of(path: str) -> str:
    """The day of a page, by its file's name; "" when it is none's."""
    found = _NAME.fullmatch(os.path.basename(path))
    return found["day"] if found else ""


def conversations(home: str, namespaces: Iterable[str] = ()) -> list[Conversation]:
    """The conversations that are kept, the newest first; of all namespaces unless some are named."""
    found: dict[tuple[str, str], list[tuple[str, Page]]] = {}
    for namespace in namespaces or _folders(home):
        folder = os.path.join(home, namespace, places.HISTORY_FOLDER)
        for path in _files(folder):
            if page := _page(path, _HEAD):
                found.setdefault((namespace, page.about("session")), []).append((path, page))
    result = [
        Conversation(
            session,
            namespace,
            held[-1][1].about("project"),
            held[-1][1].about("ended"),
            tuple(path for path, _ in held),
        )
        for (namespace, session), held in found.items()
    ]
    return sorted(result, key=lambda each: (each.last_day, _modified(each.paths[-1])), reverse=True)


def compacted_since(stretch: Stretch) -> bool:
    """Whether the client has compacted that conversation since, so that it no longer has these words itself."""
    if any(each.closing for each in stretch.sections[stretch.place :]):
        return True
    later = _paths_of(os.path.dirname(stretch.path), stretch.page.about("session"))
    texts = (_text(read_bytes(path, LARGEST_PAGE)) for path in later if day_of(path) > stretch.page.day)
    return any(each.closing for text in texts for each in pages.sections(text))


def how_ended(path: str, page: Page) -> str:
    """How the conversation that a page is of ended, by its last page: open, compacted or ended."""
    held = _pages_of(os.path.dirname(path), page.about("session"))
    return held[-1][1].about("ended") if held else page.about("ended")


def read_page(path: str) -> tuple[Page, str] | None:
    """A page and its text, or None when the file holds none. Raises OSError when it cannot be read."""
    text = _text(read_bytes(path, LARGEST_PAGE))
    page = pages.parse(text, day_of(path))
    return (page, text) if page else None


def stretches(path: str) -> list[Stretch]:
    """The sections of a page, each with those around it; none when the file holds no page. OSError as read_page."""
    found = read_page(path)
    if not found:
        return []
    page, text = found
    text = text.replace("\r\n", "\n")
    sections = tuple(pages.sections(text))
    return [Stretch(page, path, text, sections, place) for place in range(len(sections))]


def stretch_at(path: str, line: int) -> Stretch | None:
    """The section of a page that a line stands in, with those around it; None when there is none (any more)."""
    found = (each for each in stretches(path) if each.section.line <= line <= each.section.end_line)
    return next(found, None)


def markdown(stretch: Stretch, section: Section) -> str:
    """The lines of a section, as they stand in its page."""
    lines = stretch.text.split("\n")[section.line - 1 : section.end_line]
    return "\n".join(line for line in lines if not line.startswith("<!-- "))


def _ended(trigger: str) -> Ended:
    """How a conversation stands, by what had it flushed."""
    if trigger.startswith("compaction"):
        return "compacted"
    return "ended" if trigger == "session end" else "open"


def _by_page(pieces: Sequence[Piece], page: Page | None) -> list[tuple[str, list[Piece]]]:
    """The pieces in groups, each with the day of the page that it goes on: that of the exchange it belongs to."""
    groups: list[tuple[str, list[Piece]]] = []
    day, end = (page.day if page else ""), -1
    in_exchange = page is not None and Writer(page).in_exchange
    for piece in pieces:
        # what stands on one line of the transcript stays on one page, for `read_to` is all that is known of a page
        if not day or (piece.end != end and piece.kind != "summary" and (piece.opens or not in_exchange)):
            day = max(day, piece.day)
        if not groups or groups[-1][0] != day:
            groups.append((day, []))
        groups[-1][1].append(piece)
        end, in_exchange = piece.end, piece.kind != "summary"
    return groups


def _grow(path: str, page: Page, pieces: Sequence[Piece], ended: Ended) -> None:
    """Add pieces to a page's file, as it is now: an editor may have saved it since it was read."""
    session, project = page.about("session"), page.about("project")

    def grown(before: bytes) -> bytes:
        now = pages.parse(_text(before), page.day) if before else pages.new(page.day, session, project)
        if now is None:
            raise ChangedMeanwhile(errno.EBUSY, "no page any more", path)
        writer = Writer(now)
        for piece in pieces:
            writer.add(piece)
        after = writer.done()
        if ended != "open":
            after.set("ended", ended)
        return pages.render(after).encode(errors="replace")

    journal.edit(path, grown)


def _pages_of(folder: str, session: str) -> list[tuple[str, Page]]:
    """A conversation's pages, oldest first; of all but the last only the front matter is read."""
    found = _paths_of(folder, session)
    return [(path, page) for path in found if (page := _page(path, LARGEST_PAGE if path == found[-1] else _HEAD))]


def _paths_of(folder: str, session: str) -> list[str]:
    """The files of a conversation's pages, oldest first."""
    named = re.compile(rf".{{10}}-{re.escape(_short(session))}(?:-\d+)?\.md")
    names = [path for path in _files(folder) if named.fullmatch(os.path.basename(path))]
    return [path for path in names if (page := _page(path, _HEAD)) and page.about("session") == session]


def _page(path: str, limit: int = LARGEST_PAGE) -> Page | None:
    return pages.parse(_text(read_bytes(path, limit)), day_of(path))


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")


def _new_path(folder: str, day: str, session: str) -> str:
    """A file that no other conversation has: two may begin with the same letters."""
    path, number = os.path.join(folder, f"{day}-{_short(session)}.md"), 2
    while os.path.exists(path):
        path, number = os.path.join(folder, f"{day}-{_short(session)}-{number}.md"), number + 1
    return path


def _short(session: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", session)[:8] or "session"


def _files(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if _NAME.fullmatch(name)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _folders(home: str) -> Iterator[str]:
    try:
        entries = sorted(os.listdir(home))
    except (FileNotFoundError, NotADirectoryError):
        return
    yield from (name for name in entries if os.path.isdir(os.path.join(home, name, places.HISTORY_FOLDER)))


def _modified(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0
