"""Recall: the one function behind the prompt hook, `search` and `recall`."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from memory_plugin.index.conditions import one_of, quoted
from memory_plugin.index.embedding import Embedder, EmbedderUnavailable
from memory_plugin.index.gate import Asks, asks_anything, asks_former, asks_memory, asks_tasks, refusal
from memory_plugin.index.languages import language_of
from memory_plugin.index.layers import LAYERS, NOTES, Layer, Scored, View
from memory_plugin.index.neighbours import beside, strengthened
from memory_plugin.index.occasions import Occasion, occasion
from memory_plugin.index.rows import Row
from memory_plugin.index.scoring import (
    ASKED,
    FEW,
    LEAST_SEARCH_SCORE,
    Bar,
    Hit,
    Passage,
    diverse,
    growth,
    hit,
    recency,
    worth,
)
from memory_plugin.index.succession import outdated, successors, with_formers
from memory_plugin.index.table import Index, IndexDamaged, IndexUnavailable
from memory_plugin.index.terms import Term, named, query_terms
from memory_plugin.index.tokens import TokenCounter
from memory_plugin.memory.accounts import Figures
from memory_plugin.memory.fact import label
from memory_plugin.memory.frame import note_line

_CANDIDATES = 4  # times the wanted number, from each search
_LEAST_CANDIDATES = 32
_BY_KEYWORD = 2  # times as many
_LONGEST_QUERY = 8000  # characters; the end of a long prompt is where the question stands
_LONG_PROMPT = 160  # characters; up to here a prompt is one passage
_MOST_PASSAGES = 3
_MOST_TERMS = 32
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])\s+|\n+|(?<=[。！？])")
_MOST_FORMER = 2  # of what a note replaced
_MOST_OF_A_DAY = 200
_MOST_BESIDE = 50
# Whoever asks about somebody of whom nothing is known is seldom helped by what is known of others.
_STRANGER = 1.6
_TASKS = 8  # notes for a prompt that asks what is still to be done
_PLAIN_SHARE = 0.1  # what a note's own worth counts for when a day is all that was asked for
_RESERVE = 0.05  # seconds kept for everything after the prompt's vector
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What recall found. considered: everything it looked at, best first, the notes among them.

    degraded: vectors were not to be had, so this is by keyword only. gate: why there was no search, or None. answered:
    a note answers, be it one that was shown before. asks: how surely the prompt asks for what is remembered, by which
    the bar was chosen.
    """

    notes: tuple[Scored, ...] = ()
    considered: tuple[Scored, ...] = ()
    degraded: bool = False
    gate: str | None = None
    answered: bool = False
    asks: Asks = ""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, and under which conditions (see recall). text: in its own words; names: whom or what it names;
    asked: how surely it asks for what was said or settled before; former: it asks how something was before."""

    text: str
    passages: Sequence[Passage]
    names: Sequence[Term]
    unit: float
    now: datetime
    when: Occasion | None
    days: tuple[str, str] | None
    asked: Asks
    former: bool
    for_prompt: bool
    namespaces: Collection[str]
    session: str
    exclude_ids: Collection[str]
    limit: int
    token_budget: int | None


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
    layers: Sequence[Layer] = LAYERS,
    session: str = "",
    days: tuple[str, str] | None = None,
) -> Recalled:
    """The notes that a prompt needs (for_prompt), or that a search asks for: no gate, a lower bar, nothing left out.

    namespaces: the ones to look in, none: all. limit: notes at most; token_budget: tokens at most, in whole notes.
    deadline: a `time.monotonic()` after which the answer is of no use; vectors are done without to keep it.
    layers: what to look in, one after the other: the next only when the one before has no answer, nor had it one that
    was shown before. session: the conversation of the prompt, of which it is told only what a compaction took from it.
    days: the first and the last day, YYYY-MM-DD, of which the answer must be.
    A damaged index finds nothing and is made anew (`index.stale` says so).
    """
    tasks = for_prompt and asks_tasks(query)
    gate = refusal(query) if for_prompt and not tasks else None
    if gate or not query.strip():
        return Recalled(gate=gate or "empty")
    query = query[-_LONGEST_QUERY:]
    considered: list[Scored] = []
    degraded = True
    asked = asks_memory(query)
    question = _Question(
        text=query,
        passages=(),
        names=named(query) if for_prompt else (),
        unit=1.0,
        now=now,
        when=occasion(query, now.date()) if (asked or not for_prompt) and not days else None,
        days=days,
        asked=asked,
        former=asks_former(query),
        for_prompt=for_prompt,
        namespaces=namespaces,
        session=session,
        exclude_ids=exclude_ids,
        limit=limit,
        token_budget=token_budget,
    )
    try:
        if tasks and (open_tasks := _open_tasks(index, _filter(NOTES, question))):
            view = View(index, (), NOTES, session)
            found = _chosen(open_tasks, view, replace(question, limit=max(limit, _TASKS)), ASKED)
            return replace(found, asks="surely")
        passages, unit = _asked(query, index, embedder, deadline)
        degraded = passages[0].vector is None
        question = replace(question, passages=passages, unit=unit)
        for layer in layers:
            late = deadline is not None and time.monotonic() > deadline
            if (considered and late) or (layer.talk and for_prompt and not asked and not asks_anything(query)):
                break
            found = _of_layer(layer, question, index)
            considered += found.considered
            if found.answered:
                return replace(found, considered=tuple(considered), degraded=degraded, asks=asked)
    except (IndexDamaged, IndexUnavailable) as error:
        _log.warning("nothing recalled: %s", error)
        degraded = True
    return Recalled((), tuple(considered), degraded, asks=asked)


def _of_layer(layer: Layer, question: _Question, index: Index) -> Recalled:
    """What one layer of memory has to say."""
    where = _filter(layer, question)
    rows = _candidates(question, index, where, talk=layer.talk)
    bar = layer.bars[question.asked]
    bar = bar.raised(_chance(layer, question, index, where, rows))
    hits = _hits(rows, question, index, where, bar, talk=layer.talk)
    if question.when:
        hits = _of_the_days(question.when, hits, index, where, question.limit, question.now)
    if not question.for_prompt:
        hits = [each for each in hits if each.row.chunk.reason != "repeat"]
    elif not layer.talk:
        hits = with_formers(successors(hits, fetch := partial(index.by_ids, where=where)), fetch, _MOST_FORMER)
    if question.former:  # what a note replaced may not have been shown with it
        again = {each.row.chunk.id for each in hits if each.former}
        question = replace(question, exclude_ids=set(question.exclude_ids) - again)
    view = View(index, question.passages, layer, question.session if question.for_prompt else None)
    hits = view.ranked(hits, bar.least if question.for_prompt else LEAST_SEARCH_SCORE)
    limit = min(question.limit, layer.most) if question.for_prompt else question.limit
    return _chosen(hits, view, replace(question, limit=limit), bar if question.for_prompt else None)


def _chance(layer: Layer, question: _Question, index: Index, where: str, rows: Sequence[Row]) -> float:
    """How many times as high as usual the bar must be, so that what fits a prompt by chance stays under it."""
    stranger = _STRANGER if _names_a_stranger(question.names, rows) else 1.0
    if not question.for_prompt or index.vocabulary(layer.talk).rows <= FEW:
        return stranger
    return max(stranger, growth(index.count(where)))


def _names_a_stranger(names: Sequence[Term], rows: Sequence[Row]) -> bool:
    """Whether a prompt names somebody or something, and none of what it names stands in what was found."""
    forms = {form for term in names for form in term.forms}
    return bool(forms) and all(forms.isdisjoint(row.terms.split()) for row in rows)


def _passages(query: str, index: Index) -> list[tuple[str, list[Term]]]:
    """What to search for: the prompt, and of a long one the sentences that have most to do with what is remembered.

    A long prompt's one vector says little of the sentence that matters, and its many words meet any note by chance.
    """
    sentences = [each for each in _SENTENCE_END.split(query) if each and each.strip()]
    if len(query) <= _LONG_PROMPT or len(sentences) < 2:
        return [(query, query_terms(query))]
    vocabularies = [index.vocabulary(talk) for talk in (False, True)]
    terms = {each: query_terms(each) for each in sentences}
    known = {
        each: max(sum(map(words.term_weight, words.known(found, _MOST_TERMS))) for words in vocabularies)
        for each, found in terms.items()
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
    passages, language = list[Passage](), language_of(query)
    try:
        for text, terms in wanted:
            timeout = None if deadline is None else deadline - time.monotonic() - _RESERVE
            if timeout is not None and timeout <= 0:
                break
            passages.append(Passage(terms, centre.of_prompt(embedder.query(text, timeout)), language))
    except EmbedderUnavailable as error:
        _log.info("keyword search only: %s", error)
    # Where time or the embedder ran out, the rest of the passages still have their words.
    return [*passages, *without[0][len(passages) :]], centre.unit


def _filter(layer: Layer, question: _Question) -> str:
    parts = [one_of("kind", layer.kinds)]
    if question.namespaces:
        parts.append(one_of("namespace", sorted(question.namespaces)))
    if question.days:
        parts.append(f"date >= {quoted(question.days[0])} AND date <= {quoted(question.days[1])}")
    if question.for_prompt:
        parts.append("resident = false")
    return " AND ".join(parts)


def _candidates(question: _Question, index: Index, where: str, *, talk: bool) -> list[Row]:
    """What both searches find, each row once."""
    most = _most(question)
    rows = dict[str, Row]()
    for passage in question.passages:
        # LanceDB ranks the rows of before and after its last optimize by two statistics; ours decides, so it sees more.
        rows |= {row.key: row for row in index.by_keyword(passage.terms, where, _BY_KEYWORD * most, talk=talk)}
        if passage.vector is not None:
            rows |= {row.key: row for row in index.by_vector(passage.vector, where, most)}
    return list(rows.values())


def _hits(rows: Sequence[Row], question: _Question, index: Index, where: str, bar: Bar, *, talk: bool) -> list[Hit]:
    """The best of the candidates and of what stands beside them, best first."""
    vocabulary, today = index.vocabulary(talk), question.now.date()

    def ranked(rows: Iterable[Row]) -> list[Hit]:
        hits = [hit(row, question.passages, question.unit, vocabulary, today, bar) for row in rows]
        return sorted(hits, key=lambda each: (-each.score, each.row.key))

    hits = ranked(rows)
    if hits and not talk:  # what was said has its own neighbours (see layers)
        known = {row.key for row in rows}
        near = index.by_filter(f"({beside(hits)}) AND {where}", _MOST_BESIDE)
        hits = strengthened(hits + ranked(row for row in near if row.key not in known))
    return hits[: _most(question)]


def _most(question: _Question) -> int:
    return max(_CANDIDATES * question.limit, _LEAST_CANDIDATES)


def _open_tasks(index: Index, where: str) -> list[Hit]:
    """All that is still to be done, what was said last first."""
    condition = "category = 'goal' AND status = 'active' AND kind = 'fact'"
    rows = index.by_filter(f"{condition} AND {where}", _MOST_OF_A_DAY)
    rows.sort(key=lambda row: (row.chunk.seen or row.chunk.date, row.key), reverse=True)
    return [Hit(row, 1.0 - place / len(rows) / 2, None, 0.0, True) for place, row in enumerate(rows)]


def _of_the_days(when: Occasion, hits: Sequence[Hit], index: Index, where: str, limit: int, now: datetime) -> list[Hit]:
    """The hits of the days that a question names; when it names no subject, all that is of these days.

    A question about a subject of which those days hold nothing keeps its hits: the person may be wrong about the day.
    """
    inside = [each for each in hits if when.holds(each.row.chunk)]
    if when.about:
        return [replace(each, score=max(each.score, ASKED.clear)) for each in inside if each.sure] or list(hits)
    condition = f"({when.where}) AND {where}"
    known = {each.row.key for each in inside}
    others = [row for row in index.by_filter(condition, _MOST_OF_A_DAY) if row.key not in known]
    inside += [Hit(row, 0.0, None, 0.0, True) for row in others]
    ranked = [
        replace(each, sure=True, score=ASKED.clear + each.score + _PLAIN_SHARE * worth(each.row.chunk, now.date()))
        for each in inside
        if each.row.chunk.kind in ("fact", "episode")
    ]
    return sorted(ranked, key=lambda each: (-each.score, each.row.key))[: max(_CANDIDATES * limit, _LEAST_CANDIDATES)]


def _chosen(hits: Sequence[Hit], view: View, question: _Question, bar: Bar | None) -> Recalled:
    """What is shown of the hits, and why the others are not; bar: None for a search."""
    reasons: dict[str, str] = {}
    # What was shown before counts: it tells that the prompt is about something remembered.
    clear = bar is None or any(each.sure and each.score >= bar.clear for each in hits)
    for each in hits:
        if each.row.chunk.id in question.exclude_ids:
            reasons[each.row.key] = "shown before"
        elif each.score < (bar.least if bar else LEAST_SEARCH_SCORE):
            reasons[each.row.key] = "not relevant enough"
        elif bar and not each.sure:
            reasons[each.row.key] = "too little in common"
        elif not clear:
            reasons[each.row.key] = "no note is clearly relevant"
    good = [each for each in hits if each.row.key not in reasons]
    if bar:
        view.prepare(good)
        reasons |= {each.row.key: reason for each in good if (reason := view.refusal(each.row.chunk))}
        good = [each for each in good if each.row.key not in reasons]
    chosen, repeats, taken = diverse(good, question.limit)
    reasons |= {each.row.key: "says the same as another" for each in repeats}

    def scored(each: Hit, reason: str) -> Scored:
        return _scored(each, reason, _figures(each, bar, taken.get(each.row.key, 0.0), question.now.date()))

    shown = {each.row.key: view.shown(scored(each, "in"), each.row.chunk) for each in chosen}
    reasons |= _over_budget(shown, view.index, question.token_budget)
    kept = [each for each in chosen if each.row.key not in reasons]
    beside = [each for each in hits if reasons.get(each.row.key) == "shown before"]
    centre = view.index.centre
    for key in outdated(kept, centre.unit if centre else 1.0, question.text, beside) if bar else ():
        shown[key] = replace(shown[key], label=f"{shown[key].label}, older")
    notes = [note for key, note in shown.items() if key not in reasons]
    looked_at = {
        each.row.key: scored(each, reasons.get(each.row.key, "enough without it"))
        for each in hits
        if each.row.key not in shown or each.row.key in reasons
    }
    looked_at |= {key: note for key, note in shown.items() if key not in reasons}
    known = bar is not None and any(each.sure and each.score >= bar.clear for each in beside)
    return Recalled(tuple(notes), tuple(looked_at[each.row.key] for each in hits), answered=bool(notes) or known)


def _over_budget(chosen: Mapping[str, Scored], index: Index, token_budget: int | None) -> dict[str, str]:
    """The chosen notes that don't fit any more; a shorter one further down may."""
    if token_budget is None:
        return {}
    count = TokenCounter(os.path.dirname(index.folder))
    left, out = token_budget, {}
    for key, scored in chosen.items():
        needed = count(note_line(scored.note)) + 1
        if needed <= left:
            left -= needed
        else:
            out[key] = "over the token budget"
    return out


def _figures(each: Hit, bar: Bar | None, taken: float, today: date) -> Figures:
    compared = each.nearness is not None
    return Figures(
        nearness=None if each.nearness is None else round(each.nearness, 3),
        wanted=bar.wanted(len(each.matched), compared=compared) if bar else 0.0,
        importance=each.row.chunk.importance,
        confidence=each.row.chunk.confidence,
        recency=round(recency(each.row.chunk, today), 3),
        beside=round(each.beside, 3),
        diversity=round(taken, 3),
        least=bar.least if bar else LEAST_SEARCH_SCORE,
        clear=bar.clear if bar else 0.0,
    )


def _scored(each: Hit, reason: str, figures: Figures) -> Scored:
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
        terms=tuple(form for term in each.matched for form in term.forms),
        figures=figures,
    )
