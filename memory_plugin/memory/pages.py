"""A page of the history: one day of one conversation, in Markdown that a person reads and this module takes apart.

    ---
    session: 5e55104e-0000-4000-8000-000000000001
    project: github.com/acme/shop
    ended: open                          or compacted, or ended
    read_to: 12345                       how far in its transcript the page goes, in bytes
    ---
    # Conversation of 2026-11-30

    ## 14:32 Which database shall we take
    **User 14:32:** Which database shall we take for the invoices?
    **Assistant 14:33:** …
    - Bash `psql --version` → ok
      > psql (PostgreSQL) 16.1
    <!-- facts: 7k2m9qab -->

    ## Episode 14:32–16:05 <!-- summary -->     the client's own summary, where it compacted the conversation
    ## Episode 16:10–17:20 <!-- so far -->      the last thing on the page: made anew whenever the page grows

A page only grows, by pieces: it is the same whether they came at once or in many steps. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from memory_plugin.memory import excerpt
from memory_plugin.memory.fact import clean
from memory_plugin.memory.retelling import OUTPUT_MARK, Piece

Ended = Literal["open", "compacted", "ended"]
CONTINUED = "(continued)"
_KEYS = ("session", "project", "ended", "read_to")
_MOST_NOTED = 30
_LONGEST_WORDS = 400  # characters of the first and of the last words in an episode
_HEADING = re.compile(
    r"^## (?:(?P<time>\d\d:\d\d) (?P<title>.*)|Episode (?P<first>\d\d:\d\d)–(?P<last>\d\d:\d\d)(?P<rest>.*))$"
)
_TURN = re.compile(r"^\*\*(User|Assistant) (\d\d:\d\d):\*\* ?(.*)$")
_FACTS = re.compile(r"^(?:<!-- facts:|Facts:)((?: [0-9a-z]{4,16})+)(?: -->)?$")
_CALL = re.compile(r"^- \S.* → (?:ok|error|rejected)$")
# Up to its end mark; what a person wrote below stays.
_SO_FAR = re.compile(r"^## Episode \d\d:\d\d–\d\d:\d\d <!-- so far -->\n.*?(?:^<!-- end -->\n|\Z)", re.M | re.S)
_NOTED = re.compile(r"^- .+ \[([0-9a-z]{4,16})\]$", re.M)
# What somebody said, up to the next line that is ours.
_WORDS = (
    r"(.*?)(?=\n(?:\*\*(?:User|Assistant) \d\d:\d\d:|- \S[^\n]* → (?:ok|error|rejected)$|<!-- facts:|## \d\d:"
    r"|## Episode)|\Z)"
)
_FIRST_ASKED = re.compile(rf"^\*\*User \d\d:\d\d:\*\*{_WORDS}", re.M | re.S)
_TURN_OF = re.compile(rf"^\*\*Assistant \d\d:\d\d:\*\*{_WORDS}", re.M | re.S)
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that was said. line: from 1, in its page."""

    speaker: str
    time: str
    text: str
    line: int


@dataclass(slots=True)
class Section:
    """An exchange, or an episode (kind), with its lines in the page, from 1, both included.

    An exchange's turns are what was said, its calls the tools that were used without their output; an episode has its
    text in `body`. facts: the ids of what was captured there. last: when it ended; closing: the client compacted the
    conversation there.
    """

    kind: Literal["exchange", "episode"]
    time: str
    title: str
    line: int
    end_line: int = 0
    last: str = ""
    closing: bool = False
    turns: list[Turn] = field(default_factory=list)
    calls: list[tuple[int, str]] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    body: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """A page as it stands. front: lines of its front matter; body: all below but the episode so far; noted: that
    episode's lines of facts."""

    day: str
    front: list[str]
    body: str
    noted: list[str] = field(default_factory=list)

    def about(self, key: str) -> str:
        """What the front matter says under a key, or ""."""
        return next((line.partition(":")[2].strip() for line in self.front if line.startswith(f"{key}:")), "")

    def set(self, key: str, value: str) -> None:
        """Have the front matter say so."""
        lines = [line for line in self.front if not line.startswith(f"{key}:")]
        place = next((n for n, line in enumerate(self.front) if line.startswith(f"{key}:")), len(lines))
        self.front = [*lines[:place], f"{key}: {value}", *lines[place:]]

    @property
    def read_to(self) -> int:
        """How far in its transcript it goes."""
        found = self.about("read_to")
        return int(found) if found.isdecimal() else 0


def new(day: str, session: str, project: str) -> Page:
    """An empty page."""
    values = dict(zip(_KEYS, (clean(session), clean(project), "open", "0"), strict=True))
    return Page(day, [f"{key}: {value}" for key, value in values.items()], f"# Conversation of {day}\n")


def parse(text: str, day: str) -> Page | None:
    """The page that a file holds, or None when it is none."""
    front = _FRONT.match(text := text.replace("\r\n", "\n"))
    if not front or not re.search(r"^session: \S", front[1], re.M):
        return None
    body, noted = text[front.end() :], list[str]()
    if found := _SO_FAR.search(body):
        noted = [line[0] for line in _NOTED.finditer(found[0])]
        body = body[: found.start()].rstrip("\n") + "\n" + body[found.end() :]
    return Page(day, front[1].split("\n"), body, noted)


def render(page: Page) -> str:
    """The file that holds a page."""
    episode = _so_far(page)
    body = page.body.rstrip("\n") + "\n"
    return "\n".join(["---", *page.front, "---", body]) + (f"\n{episode}\n" if episode else "")


class Writer:
    """Adds pieces to a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._parts = [page.body.rstrip("\n")]
        self._after_call = _ends_in_call(page.body.rstrip("\n"))
        self.in_exchange = _last_heading(page.body) == "exchange"
        self._first, self._last = _bounds(_segment(page.body))

    def add(self, piece: Piece) -> None:
        """Put a piece at the end."""
        page = self.page
        self._first, self._last = self._first or piece.time, piece.time
        if piece.kind == "summary":
            ids = [*(found[1] for line in page.noted if (found := _NOTED.match(line))), *(f.id for f in piece.facts)]
            facts = f"\n\nFacts: {' '.join(dict.fromkeys(ids))}" if ids else ""
            heading = f"## Episode {self._first}–{self._last} <!-- summary -->"
            self._put(f"{heading}\n\n{piece.text}{facts}")
            page.noted, self._first, self.in_exchange = [], "", False
        else:
            if piece.opens or not self.in_exchange:
                self._put(f"## {piece.time} {piece.title if piece.opens else CONTINUED}")
                self.in_exchange = True
            self._put(piece.text, close=piece.kind == "call" and self._after_call)
            if piece.facts:
                self._put(f"<!-- facts: {' '.join(dict.fromkeys(fact.id for fact in piece.facts))} -->")
            for fact in piece.facts:
                if len(page.noted) < _MOST_NOTED and not any(fact.id in line for line in page.noted):
                    page.noted.append(f"- {fact.category}: {' '.join(fact.text.split())} [{fact.id}]")
        self._after_call = _ends_in_call(self._parts[-1])
        page.set("read_to", str(max(piece.end, page.read_to)))
        page.set("ended", "compacted" if piece.kind == "summary" else "open")

    def done(self) -> Page:
        """The page with all that was added."""
        self.page.body = "".join(self._parts) + "\n"
        return self.page

    def _put(self, text: str, *, close: bool = False) -> None:
        self._parts.append(("\n" if close else "\n\n") + text)


def _ends_in_call(text: str) -> bool:
    last = text.rpartition("\n")[2]
    return last.startswith(OUTPUT_MARK) or bool(_CALL.match(last))


def sections(text: str) -> list[Section]:
    """The exchanges and episodes of a page, in order; nothing of a file that is no page."""
    front = _FRONT.match(text := text.replace("\r\n", "\n"))
    if not front:
        return []
    return _sections(text[front.end() :], text.count("\n", 0, front.end()) + 1)


def _sections(body: str, first_line: int = 1) -> list[Section]:
    found: list[Section] = []
    in_output = False
    for number, line in enumerate(body.split("\n"), first_line):
        if heading := _HEADING.match(line):
            found.append(_opened(heading, number))
        if not found or heading:
            continue
        section = found[-1]
        if line.strip():
            section.end_line = number
        if section.kind == "episode":
            if facts := _FACTS.match(line):
                section.facts += facts[1].split()
            else:
                section.body.append((number, line))
            continue
        in_output = _read_line(section, line, number, in_output)
    for section in found:
        _finish(section)
    return found


def _opened(heading: re.Match[str], number: int) -> Section:
    if heading["time"]:
        return Section("exchange", heading["time"], heading["title"], number, number, heading["time"])
    closing = "so far" not in heading["rest"]
    return Section("episode", heading["first"], "Episode", number, number, heading["last"], closing)


def _read_line(section: Section, line: str, number: int, in_output: bool) -> bool:
    """Take a line into its exchange; whether a tool's output may follow."""
    if turn := _TURN.match(line):
        section.turns.append(Turn(turn[1], turn[2], turn[3], number))
        section.last = turn[2]
    elif facts := _FACTS.match(line):
        section.facts += facts[1].split()
    elif _CALL.match(line):
        section.calls.append((number, line[2:]))
        return True
    elif in_output and line.startswith(OUTPUT_MARK):
        return True
    elif section.turns:
        last = section.turns[-1]
        section.turns[-1] = Turn(last.speaker, last.time, f"{last.text}\n{line}", last.line)
    return False


def _finish(section: Section) -> None:
    section.turns = [Turn(t.speaker, t.time, t.text.strip(), t.line) for t in section.turns]
    if section.kind == "episode":
        section.body = [(number, line) for number, line in section.body if not line.startswith("<!--")]
        section.facts += [found[1] for _, line in section.body if not section.closing and (found := _NOTED.match(line))]


def _segment(body: str) -> str:
    """What comes after the last summary of the client's."""
    *_, episode = (None, *re.finditer(r"^## Episode .*$", body, re.M))
    if episode is None:
        return body
    after = re.search(r"^## \d\d:\d\d .*$", body[episode.end() :], re.M)
    return body[episode.end() + after.start() :] if after else ""


def _last_heading(body: str) -> str:
    found = ""
    for heading in re.finditer(r"^## (?:(\d\d:\d\d) |Episode \d\d:)", body, re.M):
        found = "exchange" if heading[1] else "episode"
    return found


def _bounds(segment: str) -> tuple[str, str]:
    """When a stretch began and when something was last said in it."""
    times = re.findall(r"^(?:## (?=\d)|\*\*(?:User|Assistant) )(\d\d:\d\d)", segment, re.M)
    return (times[0], times[-1]) if times else ("", "")


def _so_far(page: Page) -> str:
    """The episode of what was said since the client last summed up: the first words, what was noted, the last words."""
    segment = _segment(page.body)
    asked = _FIRST_ASKED.search(segment)
    if not asked and "\n**Assistant " not in segment:
        return ""
    first, last = _bounds(segment)
    answered = _TURN_OF.match(segment, segment.rfind("\n**Assistant ") + 1)
    parts = [f"## Episode {first}–{last} <!-- so far -->"]
    parts += [f"Asked first: {excerpt.beginning(asked[1], _LONGEST_WORDS)}"] if asked else []
    parts += ["Noted:\n\n" + "\n".join(page.noted)] if page.noted else []
    parts += [f"Said last: {excerpt.end(answered[1], _LONGEST_WORDS)}"] if answered else []
    parts += ["<!-- end -->"]
    return "\n\n".join(parts)
