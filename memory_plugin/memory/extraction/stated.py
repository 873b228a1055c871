"""What the user states in so many words: kept sentence by sentence, with the reason that follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.extraction.words import slug
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, Candidate

# Of one message: somebody who pastes a page of rules means them, somebody who pastes a book does not.
_SENTENCES_LIMIT = 12
_MINIMUM_WORDS = 2
# A message longer than this, in characters, is mostly pasted: only cues of at least this weight are the user's own
# words.
_LONG = 1500
_LONG_WEIGHT = 1.5
_OF_THE_USER = frozenset({"preference", "identity", "habit", "health", "relationship"})
_REASON = Pattern(
    r"(?:because|since|otherwise|or else|reason|that way|so that|why|the reason|parce qu|car |sinon|comme "
    r"[cç]a|raison|ainsi|weil|porque|因为|なぜなら)",
    re.IGNORECASE,
)
_REMEMBER = Pattern(
    r"^(?:(?:please |also |can you |could you )*(?:remember|keep in mind|bear in mind|note|take note|make a "
    r"note|memori[sz]e|don'?t forget)"
    r"(?: (?:that|this|for (?:later|next time|the future)))*|(?:souviens-toi|souvenez-vous|rappelle-toi|"
    r"retiens|retenez|n'oublie[rz]? pas|note[rz]?(?: bien)?|m[eé]morise|sache|garde[rz]? (?:en t[eê]te|[aà] l'esprit))"
    r"(?: (?:bien|[cç]a|ceci))*(?: que| qu')?)\s*[:,]?\s+(?!to\b|de\b|d')",
    re.IGNORECASE,
)


def from_user(blocks: Sequence[Statement], speech: Speech) -> list[Candidate]:
    """The facts that the user's own message states, at most _SENTENCES_LIMIT."""
    found: list[Candidate] = []
    length = sum(len(sentence) for block in blocks for sentence in block.sentences)
    for block in blocks:
        if block.kind == "row":
            continue
        previous_kept = False
        for sentence in block.sentences:
            text = straight(speech.without_openers(sentence))
            cue = speech.stated_cue(straight(sentence)) or speech.stated_cue(text)
            if previous_kept and _REASON.match(text) and len(found[-1].text) + len(text) < STATEMENT_LIMIT:
                found[-1] = _with_reason(found[-1], text)
                continue
            if cue is not None and length > _LONG and cue.weight < _LONG_WEIGHT and cue.category != "lesson":
                cue = None
            candidate = _candidate(cue, text, block, speech) if cue else None
            previous_kept = candidate is not None
            if candidate is not None:
                found.append(candidate)
                if len(found) == _SENTENCES_LIMIT:
                    return found
    return found


def _with_reason(candidate: Candidate, reason: str) -> Candidate:
    return Candidate(
        f"{candidate.text} {reason}", candidate.category, candidate.predicate, candidate.subject, candidate.object,
        candidate.importance, candidate.confidence,
    )  # fmt: skip


def _candidate(cue: Cue, sentence: str, block: Statement, speech: Speech) -> Candidate | None:
    text = _REMEMBER.sub("", sentence) if cue.predicate == "requires" and cue.category == "preference" else sentence
    text = text[:1].upper() + text[1:] if text is not sentence else text
    category, predicate = cue.category, cue.predicate
    if text is not sentence:
        inner = speech.stated_cue(text)
        category, predicate = (inner.category, inner.predicate) if inner else ("reference", "is")
    topic = block.topic
    if speech.dangles(text):
        if not speech.names_a_subject(topic) or speech.dangles(topic):
            return None
        text = f"{topic}: {text}"
    elif block.kind == "command":
        text = f"{topic}: {text}"
    text = shorten(text)
    if (speech.narrates(text) and cue.category not in ("preference", "decision", "goal")) or not worth_keeping(
        text, _MINIMUM_WORDS
    ):
        return None
    subject = "user" if category in _OF_THE_USER else "project"
    importance = min(1.0, CATEGORIES[category][1] + (0.1 if cue.weight >= 1.5 else 0.05))
    return Candidate(text, category, predicate, subject, slug(text), round(importance, 2), CONFIDENCE_STATED)
