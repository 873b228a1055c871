"""What the assistant reports as finished, given up or open again, where it names the thing.

An open task may end by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.quality import asks, worth_keeping
from memory_plugin.memory.extraction.statements import Statement, shorten
from memory_plugin.memory.extraction.words import slug
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, Candidate

# Of one message: whoever reports more tells what was done step by step.
_MOST = 2
_LONGEST = 240
_MINIMUM_WORDS = 3


def reported(text: str, blocks: Sequence[Statement], speech: Speech) -> tuple[list[Candidate], Sequence[Statement]]:
    """The closings and reopenings that a message reports, at most _MOST, and the blocks without them."""
    if not speech.may_report(text):
        return [], blocks
    found: list[Candidate] = []
    others: list[Statement] = []
    for block in blocks:
        left: list[str] = []
        for sentence in block.sentences:
            fact = _closing(sentence, speech) if len(found) < _MOST and block.kind in ("paragraph", "item") else None
            if fact is None:
                left.append(sentence)
            else:
                found.append(fact)
        if left:
            others.append(block if len(left) == len(block.sentences) else replace(block, sentences=tuple(left)))
    return found, others


def _closing(sentence: str, speech: Speech) -> Candidate | None:
    if len(sentence) > _LONGEST or not speech.may_report(sentence):
        return None
    text = straight(speech.without_openers(sentence))
    cue = speech.reported_cue(text)
    if cue is None or asks(text) or speech.dangles(text) or speech.supposes(text):
        return None
    if not worth_keeping(text, _MINIMUM_WORDS):
        return None
    importance = CATEGORIES[cue.category][1]
    return Candidate(shorten(text), cue.category, cue.predicate, "project", slug(text), importance, CONFIDENCE_RULE)
