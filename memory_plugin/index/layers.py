"""The layers of memory that a question opens one after the other: notes, episodes, the conversation itself.

What was said is shown as a stretch: the words that answer, with what was said shortly before and after.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memory_plugin.index.chunks import Chunk, Kind
from memory_plugin.index.gate import Asks
from memory_plugin.index.rows import Former
from memory_plugin.index.scoring import (
    ASKED,
    ASKED_TALK,
    PERHAPS_ASKED,
    PERHAPS_ASKED_TALK,
    UNASKED,
    UNASKED_TALK,
    Bar,
    Hit,
    Passage,
)
from memory_plugin.index.succession import is_replaced, said
from memory_plugin.index.table import Index
from memory_plugin.index.terms import index_terms
from memory_plugin.memory import excerpt, history
from memory_plugin.memory.accounts import Figures
from memory_plugin.memory.frame import Note
from memory_plugin.memory.history import Stretch
from memory_plugin.memory.pages import Section

_LONGEST_EXCERPT = 420  # characters
_LONGEST_BESIDE = 90  # characters of what was said before, and after
_BY_ITS_CONTEXT = 0.75
_LOOKED_AT = 12  # hits
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of memory. kinds: its chunks; bars: by how surely a prompt asks the memory; most: notes for a prompt;
    talk: what was said."""

    kinds: tuple[Kind, ...]
    bars: Mapping[Asks, Bar]
    most: int
    talk: bool


_NOTED: dict[Asks, Bar] = {"surely": ASKED, "perhaps": PERHAPS_ASKED, "": UNASKED}
_SAID: dict[Asks, Bar] = {"surely": ASKED_TALK, "perhaps": PERHAPS_ASKED_TALK, "": UNASKED_TALK}
NOTES = Layer(("fact", "text"), _NOTED, 20, talk=False)
EPISODES = Layer(("episode",), _SAID, 2, talk=True)
CONVERSATION = Layer(("exchange",), _SAID, 2, talk=True)
LAYERS = (NOTES, EPISODES, CONVERSATION)
TALK = Layer(("episode", "exchange"), _SAID, 20, talk=True)  # for a search of the history alone


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk that recall looked at. source: `path#Lline`; reason: "in", or why it was left out.

    score, vector and keyword are 0 to 1; vector is None when there is no vector to compare. label: what kind of note
    it is, and whether it still holds; former: what it replaced, the latest first. terms: those of the prompt that it
    has, in every form; figures: what made the score.
    """

    id: str
    text: str
    context: str
    source: str
    namespace: str
    category: str
    kind: str
    date: str
    score: float
    vector: float | None
    keyword: float
    reason: str
    label: str
    former: tuple[Former, ...]
    terms: tuple[str, ...]
    figures: Figures

    @property
    def note(self) -> Note:
        """The chunk as it is shown to the model."""
        return Note(
            self.id,
            said(f"{self.context}: {self.text}" if self.context else self.text, self.former),
            self.label,
            self.date,
            self.source,
        )


class View:
    """How the chunks of a layer are shown for a question, and which of them are not.

    session: the conversation that the prompt is of ("": none); None: a person asks, who may see everything.
    """

    def __init__(self, index: Index, passages: Sequence[Passage], layer: Layer, session: str | None) -> None:
        self.index = index
        self._layer = layer
        self._session = session
        self._forms = frozenset(form for passage in passages for term in passage.terms for form in term.forms)
        self._stretches: dict[str, Stretch | None] = {}
        self._taken: set[tuple[str, int]] = set()
        self._facts: dict[str, Chunk | None] = {}

    def ranked(self, hits: Sequence[Hit], least: float) -> list[Hit]:
        """The hits, best first, an exchange found by the words before it alone behind where they stand."""
        if not self._layer.talk:
            return list(hits)
        moved = list(hits)
        for place, each in enumerate(hits[:_LOOKED_AT]):
            chunk = each.row.chunk
            if each.score >= least and self._is_disjoint(chunk.text) and not self._is_disjoint(chunk.context):
                moved[place] = replace(each, score=each.score * _BY_ITS_CONTEXT)
        return sorted(moved, key=lambda each: (-each.score, each.row.key))

    def prepare(self, hits: Sequence[Hit]) -> None:
        """Ask for all that `refusal` needs to know of these hits at once."""
        if self._layer.talk and self._session is not None:
            self._noted(list({identity for each in hits for identity in each.row.chunk.facts.split()}))

    def refusal(self, chunk: Chunk) -> str:
        """Why a chunk that would answer is not shown to a prompt, in a few words, or ""; to be asked best first."""
        if not self._layer.talk or self._session is None:
            return ""
        if reason := self._taken_back(chunk.facts.split(), strict=chunk.kind == "exchange"):
            return reason
        if self._session and _is_of(chunk.path, self._session):
            stretch = self._stretch(chunk)
            if stretch and stretch.page.about("session") == self._session and not history.compacted_since(stretch):
                return "said in this conversation"
        return self._beside_a_better(chunk)

    def _beside_a_better(self, chunk: Chunk) -> str:
        """Whether an exchange was found by the words of the one before it alone, which is shown already."""
        stretch = self._stretch(chunk) if chunk.kind == "exchange" else None
        if stretch is None:
            return ""
        beside = {(chunk.path, stretch.place + step) for step in (-1, 0, 1)}
        if beside & self._taken and self._is_disjoint(chunk.text):
            return "beside a better one"
        self._taken.add((chunk.path, stretch.place))
        return ""

    def shown(self, scored: Scored, chunk: Chunk) -> Scored:
        """A chunk as it is shown: what was said with its date, its project and what stands beside it."""
        if not self._layer.talk:
            return scored
        stretch = self._stretch(chunk)
        project = os.path.basename(stretch.page.about("project").rstrip("/")) if stretch else chunk.namespace
        kind = "summary of a conversation" if chunk.kind == "episode" else "conversation"
        text = _excerpt(chunk.text, self._forms)
        if stretch and chunk.kind == "exchange":
            beside = {"before": stretch.before(), "after": stretch.after()}
            before, after = (self._beside(where, section) for where, section in beside.items())
            text = " ".join(filter(None, (before, text, after)))
        return replace(scored, text=text, context="", label=f"{kind}, {project}" if project else kind)

    def _is_disjoint(self, text: str) -> bool:
        return self._forms.isdisjoint(index_terms(text).split())

    def _taken_back(self, facts: Sequence[str], *, strict: bool) -> str:
        """Whether what was noted was retracted, or (strict) holds no more: the words would say it again."""
        noted = self._noted(facts)
        if None in noted:
            return "what was noted of it was taken back"
        if strict and any(fact and is_replaced(fact) and fact.reason != "repeat" for fact in noted):
            return "what was noted of it was replaced"
        return ""

    def _noted(self, facts: Sequence[str]) -> list[Chunk | None]:
        """The facts with these ids, None for one that is not among the notes any more; each asked for once."""
        unknown = [identity for identity in facts if identity not in self._facts]
        if unknown:
            rows = self.index.by_ids(unknown, "kind = 'fact'")
            self._facts |= dict.fromkeys(unknown) | {row.chunk.id: row.chunk for row in rows}
        return [self._facts[identity] for identity in facts]

    def _beside(self, where: str, section: Section | None) -> str:
        """What was said shortly before or after, in a few words."""
        if section is None or not section.turns:
            return ""
        if self._session is not None and self._taken_back(section.facts, strict=True):
            return ""
        turn = section.turns[0] if where == "after" else section.turns[-1]
        return f"({where}, {turn.time} {turn.speaker}: {excerpt.beginning(turn.text, _LONGEST_BESIDE)})"

    def _stretch(self, chunk: Chunk) -> Stretch | None:
        key = f"{chunk.path}#{chunk.line}"
        if key not in self._stretches:
            try:
                self._stretches[key] = history.stretch_at(chunk.path, chunk.line)
            except OSError:
                self._stretches[key] = None
        return self._stretches[key]


def _is_of(path: str, session: str) -> bool:
    """Whether a page may be of a conversation, by its file's name."""
    return os.path.basename(path)[11:].startswith(re.sub(r"[^A-Za-z0-9]", "", session)[:8])


def _excerpt(text: str, forms: frozenset[str]) -> str:
    """The sentences of a text that have most to do with a question, and what stands between and around them."""
    sentences = [each for each in _SENTENCE_END.split(text) if each and each.strip()]
    if len(text) <= _LONGEST_EXCERPT or not sentences:
        return " ".join(text.split())
    weights = [len(forms & set(index_terms(each).split())) for each in sentences]
    best = max(range(len(sentences)), key=lambda place: weights[place])
    first = last = best
    length = len(sentences[best])
    for place in _outwards(best, len(sentences)):
        if length + len(sentences[place]) > _LONGEST_EXCERPT or place not in (first - 1, last + 1):
            continue
        first, last, length = min(first, place), max(last, place), length + len(sentences[place]) + 1
    shown = " ".join(" ".join(sentences[first : last + 1]).split())[: 2 * _LONGEST_EXCERPT]
    return f"{'… ' if first else ''}{shown}{' …' if last < len(sentences) - 1 else ''}"


def _outwards(middle: int, count: int) -> Iterator[int]:
    """The places beside one, the nearest first, what comes before ahead of what comes after."""
    for distance in range(1, count):
        yield from (place for place in (middle - distance, middle + distance) if 0 <= place < count)
