"""What the user states in so many words: kept sentence by sentence, with the reason that follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import asks, worth_keeping
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.extraction.words import content_words, slug
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, Candidate

# Of one message: somebody who pastes a page of rules means them, somebody who pastes a book does not.
_SENTENCES_LIMIT = 12
_MINIMUM_WORDS = 2
# A message longer than this, in characters, is mostly pasted: only cues of at least this weight are the user's own
# words.
_LONG = 1500
_LONG_WEIGHT = 1.5
_OF_THE_USER = frozenset({"preference", "identity", "habit", "health", "relationship"})
# "Plan the first milestone": words of these in a request for work state nothing.
_MORE_THAN_ASKED = frozenset({"goal", "project", "reference"})
_REASON = Pattern(
    r"(?:because|since|otherwise|or else|reason|that way|so that|why|the reason|parce qu|car |sinon|comme "
    r"[cç]a|raison|ainsi|weil|porque|因为|なぜなら)",
    re.IGNORECASE,
)
# "still conflicts? parent main": what stands beside a question is part of it.
_ASKED = Pattern(r"[^\W\d_)] ?\? +\w")
# A lead-in of one small word ("brainstorm:") names no subject.
_SUBJECT = Pattern(r"\s|[^\Wa-zà-ÿ]")
_PREVIOUS = 160
_PREVIOUS_WORDS = 3
_REMEMBER = Pattern(
    r"^(?:(?:please |also |can you |could you )*(?:remember|keep in mind|bear in mind|note(?! (?:bien )?qu)|take note|"
    r"make a note|memori[sz]e|don'?t forget)"
    r"(?: (?:that|this|for (?:later|next time|the future)))*|(?:souviens-toi|souvenez-vous|rappelle-toi|"
    r"retiens|retenez|n'oublie[rz]? pas|note[rz]?(?: bien)?|m[eé]morise|sache|garde[rz]? (?:en t[eê]te|[aà] l'esprit))"
    r"(?: (?:bien|[cç]a|ceci))*(?: que| qu')?)\s*[:,]?\s+(?!to\b|de\b|d')",
    re.IGNORECASE,
)


def from_user(blocks: Sequence[Statement], speech: Speech) -> list[Candidate]:
    """The facts that the user's own message states, at most _SENTENCES_LIMIT."""
    length = sum(len(sentence) for block in blocks for sentence in block.sentences)
    weakest = _LONG_WEIGHT if length > _LONG else 0.0
    found: list[Candidate] = []
    for block in blocks:
        if block.kind != "row":
            found += _from_block(block, speech, weakest)
    return found[:_SENTENCES_LIMIT]


def _from_block(block: Statement, speech: Speech, weakest: float) -> list[Candidate]:
    found: list[Candidate] = []
    previous, previous_kept = "", False
    for sentence in block.sentences:
        text = straight(speech.without_openers(sentence))
        if previous_kept and _REASON.match(text) and len(found[-1].text) + len(text) < STATEMENT_LIMIT:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
            continue
        cue = speech.stated_cue(straight(sentence)) or speech.stated_cue(text)
        if cue is not None and cue.weight < weakest and cue.category != "lesson":
            cue = None
        candidate = _candidate(cue, text, block.topic, previous, speech) if cue else None
        previous, previous_kept = text, candidate is not None
        if candidate is not None:
            found.append(candidate)
    return found


def _candidate(cue: Cue, sentence: str, topic: str, previous: str, speech: Speech) -> Candidate | None:
    text = _REMEMBER.sub("", sentence) if cue.predicate == "requires" and cue.category == "preference" else sentence
    category, predicate = cue.category, cue.predicate
    if text is not sentence:
        text = text[:1].upper() + text[1:]
        inner = speech.stated_cue(text)
        category, predicate = (inner.category, inner.predicate) if inner else ("reference", "is")
    if category in _MORE_THAN_ASKED and speech.requests(text):
        return None
    if (about := _about(text, topic, previous, speech)) is None:
        return None
    narrates = speech.narrates(text) and cue.category not in ("preference", "decision", "goal")
    text = shorten(about + text)
    if narrates or _ASKED.search(text) or not worth_keeping(text, _MINIMUM_WORDS):
        return None
    subject = "user" if category in _OF_THE_USER else "project"
    importance = min(1.0, CATEGORIES[category][1] + (0.1 if cue.weight >= 1.5 else 0.05))
    return Candidate(text, category, predicate, subject, slug(text), round(importance, 2), CONFIDENCE_STATED)


def _about(text: str, topic: str, previous: str, speech: Speech) -> str | None:
    """What has to stand before a sentence so that it stands alone, or None when nothing does."""
    if not speech.dangles(text):
        return ""
    if speech.names_a_subject(topic) and not speech.dangles(topic) and _SUBJECT.search(topic):
        return f"{topic}: "
    alone = not previous or speech.dangles(previous) or asks(previous) or speech.narrates(previous)
    if alone or len(previous) > _PREVIOUS or len(content_words(previous)) < _PREVIOUS_WORDS:
        return None
    return f"{previous} "
