"""What the user states in so many words: kept sentence by sentence, with the reason that follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from memory_plugin.memory.dates import named_days
from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import asks, worth_keeping
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.extraction.tense import looks_ahead
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
_MORE_THAN_ASKED = frozenset({"goal", "project", "reference", "event"})
_HAPPENED = Cue("event", "did", 1.2, "")
_TO_COME = Cue("event", "plans", 1.2, "")
# "The board approved the budget last week" tells what happened, whatever the word "budget" is a cue of.
_LESS_THAN_A_DAY = frozenset({"constraint", "project"})
_TAKES_PLACE = Pattern(
    r"\b(?:is|are|'s|starts?|begins?|ends?|happens?|takes? place|comes?|arrives?|opens?|closes?|goes live|leaves?|"
    r"visits?|est|sont|a lieu|auront? lieu|commence|arrive|finit|ouvre|ferme|tombe|vient|part)\b",
    re.IGNORECASE,
)
_REASON = Pattern(
    r"(?:because|since|otherwise|or else|reason|that way|so that|why|the reason|parce qu|car |sinon|comme "
    r"[cç]a|raison|ainsi|weil|porque|因为|なぜなら)",
    re.IGNORECASE,
)
# "still conflicts? parent main": what stands beside a question is part of it.
_ASKED = Pattern(r"[^\W\d_)] ?\? +\w")
# A lead-in of one small word ("brainstorm:") names no subject.
_SUBJECT = Pattern(r"\s|[^\Wa-zà-ÿ]")
# What is no idea or doubt, however it is said: an order, and what one has learnt.
_SAID_OUTRIGHT = frozenset({"preference", "lesson", "identity", "health"})
_NEVER_NARRATED = frozenset({"preference", "decision", "goal", "event"})
# Above this, a cue names what is done, changed or still open so plainly that "now the …" before it narrates nothing.
_PLAIN = 1.45
_REPORT = 240
_BRIEF = frozenset({"project", "event", "goal", "relationship", "decision"})
_BRIEF_IN_A_PASTE = 140
_PAST = Pattern(
    r"\b(?:was|were|had|did|went|got|came|took|made|broke|fell|sent|left|met|lost|found|built|ran|began|told|said|wrote|saw|"
    r"spent|cut|put|kept|held|paid|sold|shut|\w{2,}ed|a|ai|as|ont|avons|avez|\w{2,}ait|\w{2,}aient|est|sont)\b",
    re.IGNORECASE,
)
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


def from_user(blocks: Sequence[Statement], speech: Speech, recent: str, today: date | None) -> list[Candidate]:
    """The facts that the user's own message states, at most _SENTENCES_LIMIT.

    recent holds the sentences said before the message, one a line; today is the message's local day.
    """
    length = sum(len(sentence) for block in blocks for sentence in block.sentences)
    weakest = _LONG_WEIGHT if length > _LONG else 0.0
    found: list[Candidate] = []
    for block in blocks:
        if block.kind != "row":
            found += _from_block(block, speech, weakest, recent, today)
    return found[:_SENTENCES_LIMIT]


def _from_block(block: Statement, speech: Speech, weakest: float, recent: str, today: date | None) -> list[Candidate]:
    found: list[Candidate] = []
    previous, previous_kept = "", False
    for sentence in block.sentences:
        text = straight(speech.without_openers(sentence))
        if previous_kept and _REASON.match(text) and len(found[-1].text) + len(text) < STATEMENT_LIMIT:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
            continue
        whole = straight(sentence)
        cue = speech.stated_cue(whole) or (speech.stated_cue(text) if text != whole else None)
        if cue is None or cue.category in _LESS_THAN_A_DAY:
            named = _on_a_day(text, today)
            cue = named if cue is None or named is _HAPPENED else cue
        if cue is not None and ((cue.weight < weakest and cue.category != "lesson") or _pasted(cue, text, weakest > 0)):
            cue = None
        candidate = _candidate(cue, text, block.topic, previous, speech, recent) if cue else None
        previous, previous_kept = text, candidate is not None
        recent = f"{recent}\n{text}"
        if candidate is not None:
            found.append(candidate)
    return found


def _pasted(cue: Cue, text: str, long: bool) -> bool:
    """Whether a sentence is too long to be somebody's word that a thing was changed, done, dropped or is to be done."""
    return cue.category in _BRIEF and cue.weight > _PLAIN and len(text) > (_BRIEF_IN_A_PASTE if long else _REPORT)


def _on_a_day(sentence: str, today: date | None) -> Cue | None:
    """The cue of a sentence that tells what happened, or is to take place, on a day that it names."""
    if not today or len(sentence) > _REPORT or sentence.count(":") > 1:
        return None
    if not (days := named_days(sentence, today, looks_ahead)):
        return None
    if days[0][2] > today:
        return _TO_COME if _TAKES_PLACE.search(sentence) else None
    return _HAPPENED if _PAST.search(sentence) else None


def _candidate(cue: Cue, sentence: str, topic: str, previous: str, speech: Speech, recent: str) -> Candidate | None:
    text = _REMEMBER.sub("", sentence) if cue.predicate == "requires" and cue.category == "preference" else sentence
    category, predicate = cue.category, cue.predicate
    if text is not sentence:
        text = text[:1].upper() + text[1:]
        inner = speech.stated_cue(text)
        category, predicate = (inner.category, inner.predicate) if inner else ("reference", "is")
    if category in _MORE_THAN_ASKED and speech.requests(text):
        return None
    if category not in _SAID_OUTRIGHT and (speech.supposes(sentence) or speech.supposes(text)):
        return None
    if category == "event" and speech.conditional(text):
        return None
    if (about := _about(text, topic, previous, speech, recent)) is None:
        return None
    narrates = category not in _NEVER_NARRATED and cue.weight < _PLAIN and speech.narrates(text)
    if about and speech.points_back(text):
        text = text[:1].lower() + text[1:]
    text = shorten(about + text)
    if (
        narrates
        or _ASKED.search(text)
        or not worth_keeping(text, 1 if category in _BRIEF and cue.weight > 1.6 else _MINIMUM_WORDS)
    ):
        return None
    subject = "user" if category in _OF_THE_USER else "project"
    importance = min(1.0, CATEGORIES[category][1] + (0.1 if cue.weight >= 1.5 else 0.05))
    return Candidate(text, category, predicate, subject, slug(text), round(importance, 2), CONFIDENCE_STATED)


def _about(text: str, topic: str, previous: str, speech: Speech, recent: str) -> str | None:
    """What has to stand before a sentence so that it stands alone, or None when nothing does."""
    if speech.points_back(text):
        subject = _spoken_of(recent, speech)
        return f"{subject[:1].upper()}{subject[1:]}: " if subject else None if speech.dangles(text) else ""
    if not speech.dangles(text):
        return ""
    if speech.names_a_subject(topic) and not speech.dangles(topic) and _SUBJECT.search(topic):
        return f"{topic}: "
    alone = not previous or speech.dangles(previous) or asks(previous) or speech.narrates(previous)
    if alone or len(previous) > _PREVIOUS or len(content_words(previous)) < _PREVIOUS_WORDS:
        return None
    return f"{previous} "


def _spoken_of(recent: str, speech: Speech) -> str:
    """What the last sentence that names its subject was about ("the export"), or nothing."""
    told = (straight(line) for line in reversed(recent.split("\n")) if line and not speech.narrates(line))
    return next((subject for line in told if (subject := speech.subject(line))), "")
