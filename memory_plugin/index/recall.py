"""Recall: the one function behind the prompt hook, `search` and `recall`."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from memory_plugin.index.embedding import Embedder, EmbedderUnavailable
from memory_plugin.index.gate import asks_former, asks_memory, asks_tasks, refusal
from memory_plugin.index.occasions import Occasion, occasion
from memory_plugin.index.rows import Former, Row
from memory_plugin.index.scoring import (
    ASKED,
    LEAST_SEARCH_SCORE,
    PERHAPS_ASKED,
    UNASKED,
    Bar,
    Hit,
    Passage,
    diverse,
    hit,
    worth,
)
from memory_plugin.index.succession import outdated, said, successors, with_formers
from memory_plugin.index.table import Index, IndexDamaged, IndexUnavailable, quoted
from memory_plugin.index.terms import Term, query_terms
from memory_plugin.index.tokens import TokenCounter
from memory_plugin.memory.fact import label
from memory_plugin.memory.frame import Note, note_line

_CANDIDATES = 4  # times the wanted number, from each search
_LEAST_CANDIDATES = 32
_LONGEST_QUERY = 8000  # characters; the end of a long prompt is where the question stands
_LONG_PROMPT = 160  # characters; up to here a prompt is one passage
_MOST_PASSAGES = 3
_MOST_TERMS = 32
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])\s+|\n+|(?<=[。！？])")
_MOST_FORMER = 2  # of what a note replaced
_MOST_OF_A_DAY = 200
_TASKS = 8  # notes for a prompt that asks what is still to be done
_PLAIN_SHARE = 0.1  # what a note's own worth counts for when a day is all that was asked for
_RESERVE = 0.05  # seconds kept for everything after the prompt's vector
_BARS = {"surely": ASKED, "perhaps": PERHAPS_ASKED, "": UNASKED}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk that recall looked at. source: `path#Lline`; reason: "in", or why it was left out.

    score, vector and keyword are 0 to 1; vector is None when there is no vector to compare. label: what kind of note
    it is, and whether it still holds; former: what it replaced, the latest first.
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
    former: tuple[Former, ...] = ()

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


@dataclass(frozen=True, slots=True)
class Recalled:
    """What recall found. considered: everything it looked at, best first, the notes among them.

    degraded: vectors were not to be had, so this is by keyword only. gate: why there was no search, or None.
    """

    notes: tuple[Scored, ...] = ()
    considered: tuple[Scored, ...] = ()
    degraded: bool = False
    gate: str | None = None


def recall(
    query: str,
    *,
    index: Index,
    embedder: Embedder | None,
    namespaces: Collection[str],
    now: datetime,
    limit: int = 4,
    token_budget: int | None = None,
    exclude_ids: Collection[str] = frozenset(),
    for_prompt: bool = True,
    deadline: float | None = None,
) -> Recalled:
    """The notes that a prompt needs (for_prompt), or that a search asks for: no gate, a lower bar, nothing left out.

    namespaces: the ones to look in, none: all. limit: notes at most; token_budget: tokens at most, in whole notes.
    deadline: a `time.monotonic()` after which the answer is of no use; vectors are done without to keep it.
    A damaged index finds nothing and is made anew (`index.stale` says so).
    """
    tasks = for_prompt and asks_tasks(query)
    gate = refusal(query) if for_prompt and not tasks else None
    if gate or not query.strip():
        return Recalled(gate=gate or "empty")
    query = query[-_LONGEST_QUERY:]
    bar = _BARS[asks_memory(query)]
    where = _filter(namespaces, for_prompt)
    try:
        if tasks and (found := _open_tasks(index, where)):
            return _chosen(found, index, max(limit, _TASKS), token_budget, exclude_ids, ASKED, False)
        passages, unit = _asked(query, index, embedder, deadline)
        when = occasion(query, now.date()) if bar is not UNASKED or not for_prompt else None
        hits = _hits(passages, unit, index, where, limit, now, bar)
        if when:
            hits = _of_the_days(when, hits, index, where, limit, now)
        if not for_prompt:
            hits = [each for each in hits if each.row.chunk.reason != "repeat"]
        else:
            hits = with_formers(successors(hits, fetch := partial(index.by_ids, where=where)), fetch, _MOST_FORMER)
    except (IndexDamaged, IndexUnavailable) as error:
        _log.warning("nothing recalled: %s", error)
        return Recalled(degraded=True)
    degraded = passages[0].vector is None
    if asks_former(query):  # what a note replaced may not have been shown with it
        exclude_ids = set(exclude_ids) - {each.row.chunk.id for each in hits if each.former}
    return _chosen(hits, index, limit, token_budget, exclude_ids, bar if for_prompt else None, degraded)


def _passages(query: str, index: Index) -> list[tuple[str, list[Term]]]:
    """What to search for: the prompt, and of a long one the sentences that have most to do with what is remembered.

    A long prompt's one vector says little of the sentence that matters, and its many words meet any note by chance.
    """
    sentences = [each for each in _SENTENCE_END.split(query) if each and each.strip()]
    if len(query) <= _LONG_PROMPT or len(sentences) < 2:
        return [(query, query_terms(query))]
    vocabulary = index.vocabulary()
    terms = {each: query_terms(each) for each in sentences}
    known = {
        each: sum(map(vocabulary.term_weight, vocabulary.known(found, _MOST_TERMS))) for each, found in terms.items()
    }
    best = sorted((each for each in terms if known[each]), key=lambda each: -known[each])[:_MOST_PASSAGES]
    return [(query, []), *((each, terms[each]) for each in best)]


def _asked(query: str, index: Index, embedder: Embedder | None, deadline: float | None) -> tuple[list[Passage], float]:
    """The prompt's passages, with their vectors as the index compares them if those are to be had in time; the unit."""
    wanted = _passages(query, index)
    without = [Passage(terms, None) for _, terms in wanted], 1.0
    if embedder is None or index.identity != embedder.identity:
        return without
    centre = index.centre
    if centre is None:
        return without
    passages = list[Passage]()
    try:
        for text, terms in wanted:
            timeout = None if deadline is None else deadline - time.monotonic() - _RESERVE
            if timeout is not None and timeout <= 0:
                break
            passages.append(Passage(terms, centre.of_prompt(embedder.query(text, timeout))))
    except EmbedderUnavailable as error:
        _log.info("keyword search only: %s", error)
    # Where time or the embedder ran out, the rest of the passages still have their words.
    return [*passages, *without[0][len(passages) :]], centre.unit


def _filter(namespaces: Collection[str], for_prompt: bool) -> str:
    parts = [f"namespace IN ({', '.join(map(quoted, sorted(namespaces)))})"] if namespaces else []
    return " AND ".join([*parts, *(["resident = false"] if for_prompt else [])])


def _hits(
    passages: Sequence[Passage], unit: float, index: Index, where: str, limit: int, now: datetime, bar: Bar
) -> list[Hit]:
    """The best of both searches' candidates, each row once, scored; best first."""
    most = max(_CANDIDATES * limit, _LEAST_CANDIDATES)
    rows = dict[str, Row]()
    for passage in passages:
        # LanceDB ranks the rows of before and after its last optimize by two statistics; ours decides, so it sees more.
        rows |= {row.key: row for row in index.by_keyword(passage.terms, where, _CANDIDATES * most)}
        if passage.vector is not None:
            rows |= {row.key: row for row in index.by_vector(passage.vector, where, most)}
    vocabulary = index.vocabulary()
    hits = [hit(row, passages, unit, vocabulary, now.date(), bar) for row in rows.values()]
    return sorted(hits, key=lambda each: (-each.score, each.row.key))[:most]


def _open_tasks(index: Index, where: str) -> list[Hit]:
    """All that is still to be done, what was said last first."""
    condition = "category = 'goal' AND status = 'active' AND kind = 'fact'"
    rows = index.by_filter(f"{condition} AND {where}" if where else condition, _MOST_OF_A_DAY)
    rows.sort(key=lambda row: (row.chunk.seen or row.chunk.date, row.key), reverse=True)
    return [Hit(row, 1.0 - place / len(rows) / 2, None, 0.0, True) for place, row in enumerate(rows)]


def _of_the_days(when: Occasion, hits: Sequence[Hit], index: Index, where: str, limit: int, now: datetime) -> list[Hit]:
    """The hits of the days that a question names; when it names no subject, all that is of these days.

    A question about a subject of which those days hold nothing keeps its hits: the person may be wrong about the day.
    """
    inside = [each for each in hits if when.holds(each.row.chunk)]
    if when.about:
        return [replace(each, score=max(each.score, ASKED.clear)) for each in inside if each.sure] or list(hits)
    condition = f"({when.where}) AND {where}" if where else when.where
    known = {each.row.key for each in inside}
    others = [row for row in index.by_filter(condition, _MOST_OF_A_DAY) if row.key not in known]
    inside += [Hit(row, 0.0, None, 0.0, True) for row in others]
    ranked = [
        replace(each, sure=True, score=ASKED.clear + each.score + _PLAIN_SHARE * worth(each.row.chunk, now.date()))
        for each in inside
        if each.row.chunk.kind == "fact"
    ]
    return sorted(ranked, key=lambda each: (-each.score, each.row.key))[: max(_CANDIDATES * limit, _LEAST_CANDIDATES)]


def _chosen(
    hits: Sequence[Hit],
    index: Index,
    limit: int,
    token_budget: int | None,
    exclude_ids: Collection[str],
    bar: Bar | None,
    degraded: bool,
) -> Recalled:
    """What is shown of the hits, and why the others are not; bar: None for a search."""
    reasons: dict[str, str] = {}
    # What was shown before counts: it tells that the prompt is about something remembered.
    clear = bar is None or any(each.sure and each.score >= bar.clear for each in hits)
    for each in hits:
        if each.row.chunk.id in exclude_ids:
            reasons[each.row.key] = "shown before"
        elif each.score < (bar.least if bar else LEAST_SEARCH_SCORE):
            reasons[each.row.key] = "not relevant enough"
        elif bar and not each.sure:
            reasons[each.row.key] = "too little in common"
        elif not clear:
            reasons[each.row.key] = "no note is clearly relevant"
    good = [each for each in hits if each.row.key not in reasons]
    chosen, repeats = diverse(good, limit)
    reasons |= {each.row.key: "says the same as another" for each in repeats}
    reasons |= _over_budget(chosen, index, token_budget)
    reasons |= {each.row.key: "in" for each in chosen if each.row.key not in reasons}
    considered = {each.row.key: _scored(each, reasons.get(each.row.key, "enough without it")) for each in hits}
    shown = [each for each in chosen if reasons[each.row.key] == "in"]
    beside = [each for each in hits if reasons.get(each.row.key) == "shown before"]
    older = outdated(shown, index.centre.unit if index.centre else 1.0, beside) if bar else frozenset[str]()
    notes = [
        replace(considered[key], label=f"{considered[key].label}, older") if key in older else considered[key]
        for key in (each.row.key for each in shown)
    ]
    return Recalled(tuple(notes), tuple(considered.values()), degraded)


def _over_budget(chosen: Sequence[Hit], index: Index, token_budget: int | None) -> dict[str, str]:
    """The chosen notes that don't fit any more; a shorter one further down may."""
    if token_budget is None:
        return {}
    count = TokenCounter(os.path.dirname(index.folder))
    left, out = token_budget, {}
    for each in chosen:
        needed = count(note_line(_scored(each, "").note)) + 1
        if needed <= left:
            left -= needed
        else:
            out[each.row.key] = "over the token budget"
    return out


def _scored(each: Hit, reason: str) -> Scored:
    chunk = each.row.chunk
    return Scored(
        id=chunk.id,
        text=chunk.text,
        context=chunk.context,
        source=f"{chunk.path}#L{chunk.line}",
        namespace=chunk.namespace,
        category=chunk.category,
        kind=chunk.kind,
        date=chunk.date,
        score=round(each.score, 4),
        vector=None if each.vector is None else round(each.vector, 4),
        keyword=round(each.keyword, 4),
        reason=reason,
        label=label(chunk.category, chunk.severity, chunk.status, chunk.reason, chunk.until),
        former=each.former,
    )
