"""What holds now in the place of what was found: a fact that another one replaced leads to it. Pure but for `fetch`.

A note that replaced another says so, so that "what was it before?" has its answer and nobody takes the old value for
the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.reconciliation import CHANGES, LASTING, compare
from memory_plugin.index.replacement import answers_anew
from memory_plugin.index.rows import Former, Row
from memory_plugin.index.scoring import Hit
from memory_plugin.memory import excerpt
from memory_plugin.memory.fact import CLOSED_FOR, Fact

LONGEST_FORMER = 160  # characters of each fact that was replaced
_LONGEST_CHAIN = 6
_CLOSED_TASK = 0.9  # what a task that is done counts for, of an open one

Fetch = Callable[[Sequence[str]], list[Row]]


def is_replaced(chunk: Chunk) -> bool:
    """Whether another fact stands in its place."""
    return chunk.status != "active" and bool(chunk.by) and chunk.reason not in CLOSED_FOR


def successors(hits: Sequence[Hit], fetch: Fetch) -> list[Hit]:
    """The hits with what holds now in the place of what was replaced; best first, each row once.

    What was replaced by something that is not to be had (another namespace, a line taken out) is left out.
    """
    taken = {identity for each in hits for identity in each.row.chunk.replaces.split()}
    found: dict[str, Hit] = {}
    rows = {each.row.chunk.id: each.row for each in hits}
    for each in hits:
        row: Row | None = each.row
        if is_replaced(each.row.chunk):
            row = _successor(each.row, rows, fetch)
        elif each.row.chunk.id in taken:  # a line written by hand, whose comment nobody touched
            row = next((other for other in rows.values() if each.row.chunk.id in other.chunk.replaces.split()), None)
        if row is None:
            continue
        score = each.score * (_CLOSED_TASK if row.chunk.status == "archived" else 1.0)
        hit = replace(each, row=row, score=score)
        known = found.get(row.key)
        if known:
            hit = replace(max(known, hit, key=lambda one: one.score), sure=known.sure or hit.sure)
        found[row.key] = hit
    return sorted(found.values(), key=lambda one: (-one.score, one.row.key))


def _successor(row: Row, rows: dict[str, Row], fetch: Fetch) -> Row | None:
    seen = {row.chunk.id}
    while is_replaced(row.chunk):
        if row.chunk.by in seen or len(seen) > _LONGEST_CHAIN:
            return None
        seen.add(row.chunk.by)
        if row.chunk.by not in rows:
            rows |= {other.chunk.id: other for other in fetch([row.chunk.by])}
        following = rows.get(row.chunk.by)
        if following is None:
            return None
        row = following
    return row


def with_formers(hits: Sequence[Hit], fetch: Fetch, most: int) -> list[Hit]:
    """The hits with what each one's fact replaced, the latest first, at most so many of each."""
    known: dict[str, Chunk] = {}
    wanted = {identity for each in hits for identity in each.row.chunk.replaces.split()}
    for _ in range(most):  # so far back a note tells of what was; one look-up for all notes, since a prompt waits
        if wanted:
            fetched = {row.chunk.id: row.chunk for row in fetch(sorted(wanted))}
            known |= fetched
            wanted = {identity for old in fetched.values() for identity in old.replaces.split()} - set(known)
    return [
        replace(each, former=_formers(each.row.chunk, known, most)) if each.row.chunk.replaces else each
        for each in hits
    ]


def _formers(chunk: Chunk, known: Mapping[str, Chunk], most: int) -> tuple[Former, ...]:
    found: list[Former] = []
    wanted, seen = chunk.replaces.split(), {chunk.id}
    while wanted and len(found) < most:
        before = {identity: known[identity] for identity in wanted if identity in known}
        seen |= set(wanted)
        found += [Former(excerpt.beginning(old.text, LONGEST_FORMER), old.until) for old in before.values()]
        wanted = [each for old in before.values() for each in old.replaces.split() if each not in seen]
    return tuple(sorted(found, key=lambda each: (each.until, each.text), reverse=True)[:most])


def outdated(shown: Sequence[Hit], unit: float, prompt: str, beside: Sequence[Hit] = ()) -> frozenset[str]:
    """The keys of the notes shown that a later one, among them or beside them, seems to change: both answer the same
    question, so less speaks against it than among all the facts of a project."""
    facts = [
        each.row for each in (*shown, *beside) if each.row.chunk.kind == "fact" and each.row.chunk.status == "active"
    ]
    keys = {each.row.key for each in shown}
    found = set[str]()
    for old in (row for row in facts if row.key in keys):
        for new in facts:
            if old.chunk.date < new.chunk.date and old.chunk.category not in LASTING:
                near = None if old.vector is None or new.vector is None else float(old.vector @ new.vector) / unit
                changed = compare(_fact(old.chunk), _fact(new.chunk), near).kind in CHANGES
                if changed or answers_anew(old.chunk.text, new.chunk.text, prompt):
                    found.add(old.key)
    return frozenset(found)


def _fact(chunk: Chunk) -> Fact:
    return Fact(chunk.id, chunk.text, chunk.category, "is", "project", "-", chunk.importance, chunk.confidence,
                chunk.date, "", "")  # fmt: skip


def said(text: str, before: Sequence[Former]) -> str:
    """A note's text with what it replaced."""
    parts = [f"until {each.until}: {each.text}" if each.until else each.text for each in before]
    return f"{text} (Before, {'; '.join(parts)})" if parts else text
