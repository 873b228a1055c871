"""What is still to be done, where somebody lists it: "Still open: …", a title « Reste à faire », the pending tasks of a
compaction summary. Each task is a line of its own, so that it can be closed alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.extraction.words import content_words, slug
from memory_plugin.memory.fact import Candidate

# Of one message: a plan of forty steps is a document, not a list of what is open.
_MOST = 12
_MINIMUM_WORDS = 2
_LOOKED_AT = 500  # characters of a task
_SHORTEST = "still"  # a label says as much: "Still open: the menu." is enough
# A label and its colon stand within so many characters.
_LABEL_LIMIT = 70
# "Task #2 [pending]: …", "… — IN PROGRESS": the number and the mark say nothing in another conversation.
_NUMBER = Pattern(
    r"^(?:(?:task|t[âa]che|step|todo|[ée]tape) ?#?\d+(?:\.\d+)?\s*(?:[\[(][^\])]{1,40}[\])])?\s*[:.–—-]\s*|"
    r"#\d+: |[\[(][^\])]{1,20}[\])]\s*:?\s*)",
    re.IGNORECASE,
)
_MARK = Pattern(
    r"\s*(?:[–—-]+|\()\s*(?:in[ _]progress|pending|todo|open|not started|blocked|en attente|en cours)\b.{0,60}$",
    re.IGNORECASE,
)
_SEMICOLON = Pattern(r"\s*;\s*(?:and |et )?|,?\s*\(\d\)\s*")
_COMMA = Pattern(
    r",\s*(?:and |et |then |puis |ainsi que )?|\s+(?:and|et)\s+(?=(?:the|a|an|our|l'|le|la|les|un|une|des)\b)",
    re.IGNORECASE,
)
_AND = Pattern(r", (?:and|et) ", re.IGNORECASE)
_ONE_THOUGHT = Pattern(
    r"\b(?:because|which|so that|since|although|but|car|parce|puisque|mais|afin|, (?:that|qui|que))\b", re.IGNORECASE
)
_BEGINS_A_TASK = Pattern(
    r"(?:the|an?|our|all|more|who|whether|what|which|how|where|when|to|les?|la|l'|une?|des|du|qui|si|comment|quand|o[uù])\b|l'",
    re.IGNORECASE,
)


def open_tasks(
    blocks: Sequence[Statement], speech: Speech, confidence: float, importance: float
) -> tuple[list[Candidate], list[Statement]]:
    """The tasks that a message lists as open, at most _MOST, and the blocks without them."""
    found: list[Candidate] = []
    others: list[Statement] = []
    label, titles = "", ("", "")
    for block in blocks:
        # an item below another item is a detail of its task
        above = (block.lead, "" if block.lead or not block.headings else block.headings[-1])
        begins = above != titles
        if begins:
            label, titles = _label(above, speech), above
        if block.lead and not label and block.headings and _label((block.headings[-1],), speech):
            continue
        if block.kind in ("option", "command") or (label and block.kind == "paragraph" and not begins):
            others.append(block)
            continue
        told, left = _listed(block, speech) if not label else ([(label, block.sentences[0])], [])
        cut = [(of, straight(text[:_LOOKED_AT])) for of, text in told]
        listed = [(of, text) for of, text in cut if not speech.settled(text)]
        tasks = [(of, task) for of, text in listed if _is_task(task := _plain(text), speech)]
        found += [_candidate(of, task, confidence, importance) for of, task in tasks]
        if listed and not tasks:
            others.append(block)
        elif left:
            others.append(block if len(left) == len(block.sentences) else replace(block, sentences=tuple(left)))
    return found[:_MOST], others


def _label(titles: Sequence[str], speech: Speech) -> str:
    """The label of open tasks when the words above a block announce them, else nothing."""
    for title in titles:
        listed = speech.still_open(straight(title)) if title else None
        if listed and not listed[1]:
            return listed[0]
    return ""


def _listed(block: Statement, speech: Speech) -> tuple[list[tuple[str, str]], list[str]]:
    """The label and words of each task that a sentence of a block lists, and the sentences that list none."""
    told: list[tuple[str, str]] = []
    left: list[str] = []
    for sentence in block.sentences:
        listed = speech.still_open(straight(sentence)) if ":" in sentence[:_LABEL_LIMIT] else None
        if listed and listed[1]:
            told += [(listed[0], piece) for piece in _pieces(listed[1], speech)]
        else:
            left.append(sentence)
    return told, left


def _pieces(text: str, speech: Speech) -> list[str]:
    """The tasks of a sentence: between semicolons, else between commas where each piece begins as a task does."""
    pieces = [piece for piece in _SEMICOLON.split(text) if piece.strip()]
    if len(pieces) > 1:
        return pieces
    pieces = [piece for piece in _COMMA.split(text) if piece.strip()]
    if len(pieces) > 1 and not _ONE_THOUGHT.search(text):
        whole = len(pieces) == 2 and _AND.search(text) and min(len(piece.split()) for piece in pieces) > 2
        if whole or all(_BEGINS_A_TASK.match(piece) or speech.requests(piece) for piece in pieces):
            return pieces
    return [text]


def _plain(task: str) -> str:
    return _MARK.sub("", _NUMBER.sub("", task.strip())).strip(" .;:–—-")


def _is_task(task: str, speech: Speech) -> bool:
    # "who prints the tickets" and "whether …" are open questions; "maybe …" is nobody's task
    idle = speech.dangles(task) or speech.narrates(task) or (not _BEGINS_A_TASK.match(task) and speech.supposes(task))
    return not idle and bool(content_words(task)) and worth_keeping(f"{_SHORTEST} {task}.", _MINIMUM_WORDS)


def _candidate(label: str, task: str, confidence: float, importance: float) -> Candidate:
    text = shorten(f"{label} {task}", STATEMENT_LIMIT - 1)
    text = text if text.endswith(("…", ".", "!")) else f"{text}."
    return Candidate(text, "goal", "plans", "project", slug(task), importance, confidence)
