"""What the user states in so many words: kept sentence by sentence, with the reason that follows."""

# ruff: noqa: E501 -- a line of a pattern is one kind of word, however long

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from memory_plugin.memory.dates import named_days
from memory_plugin.memory.extraction import grounds
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
# A sentence about one of these is a fact of its own, though it opens with "it".
_APART = frozenset({"goal", "lesson", "preference"})
# These must say of which thing they are.
_NAMES_ITS_THING = frozenset({"goal", "decision", "project"})
_THIN = 1  # content words
_FEW = 6
_CLAUSE = Pattern(r",? (?:so|and|but|donc|et|mais) (?=(?:we|i|you|somebody|on|nous|il)\b)", re.IGNORECASE)
# "Their launch moved to …": whose, the rest of the sentence mostly tells.
_OF_THEM = Pattern(r"(?:their|his|her|leurs?) (?!is\b|was\b)\w+", re.IGNORECASE)
_THAT_THING = Pattern(
    r"\b(?:track|fix|sort|solve|chase|look into|find|clear|clean|do|repair|handle|build|write|reopen|redo|finish|open|close|drop|"
    r"r[eé]gler|corriger|trouver|faire|reprendre|rouvrir) (?:that|it|this|them|[cç]a|cela)\b",
    re.IGNORECASE,
)
_ASK_SOMEBODY = Pattern(
    r"(?:so |then |please )?(?:ask|ping|call|email|contact|go to|write to|talk to|demande[rz]? [aà]|contacte[rz]?|adresse[rz]?-(?:toi|vous) [aà]) "
    r"(?-i:[A-ZÀ-Ý])[\w-]+(?: (?:from now on|now|instead|first|from here on|d[eé]sormais|maintenant|plut[oô]t))?[.!]?$",
    re.IGNORECASE,
)
# "Decided then: the blue one", "Switch to Lucene.", "Leak fixed.": of what, the user has said before.
_ANSWERS = Pattern(
    r"(?:it's )?(?:decided|agreed|settled)(?: then)?\s*[:–—]|(?:c'est )?(?:d[eé]cid[eé]|convenu)\s*[:–—]|"
    r"(?:switch|change|move|migrate) to [\w.+-]+[.!]?$|"
    r"(?!the |our |my |le |la )(?:(?!is |are |was |were |has |have |all )[\w'-]+ ){1,3}(?:fixed|done|merged|solved|resolved|closed|finished)(?: then| now)?(?:\W*$|,)",
    re.IGNORECASE,
)
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


@dataclass(frozen=True, slots=True)
class _Context:
    """What stands around a sentence: the words above its block, the sentence before it in the block, those said before
    the message, one a line, and the end of the user's last message."""

    topic: str
    previous: str
    recent: str
    asked: str


def from_user(
    blocks: Sequence[Statement], speech: Speech, recent: str, today: date | None, asked: str = ""
) -> list[Candidate]:
    """The facts that the user's own message states, at most _SENTENCES_LIMIT.

    recent holds the sentences said before the message, one a line; today is the message's local day; asked is how the
    user's last message ended.
    """
    length = sum(len(sentence) for block in blocks for sentence in block.sentences)
    weakest = _LONG_WEIGHT if length > _LONG else 0.0
    found: list[Candidate] = []
    for block in blocks:
        if block.kind != "row":
            found += _from_block(block, speech, weakest, recent, asked, today)
    return found[:_SENTENCES_LIMIT]


def _from_block(
    block: Statement, speech: Speech, weakest: float, recent: str, asked: str, today: date | None
) -> list[Candidate]:
    found: list[Candidate] = []
    previous, kept = "", False  # the sentence before, and whether it is in the last fact
    changed = False
    for sentence in block.sentences:
        text = straight(speech.without_openers(sentence))
        fits = kept and len(found[-1].text) + len(text) < STATEMENT_LIMIT
        if fits and _REASON.match(text):
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
            continue
        cue = _cue(sentence, text, weakest, speech, today)
        if fits and changed and (cue is None or cue.weight < _PLAIN) and grounds.follows(text, found[-1].text, speech):
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
            previous = text
            continue
        if fits and cue is not None and (_ASK_SOMEBODY.match(text) or _leans(text, cue, speech)):
            found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
            previous = text
            continue
        before = "" if kept or cue is None else grounds.before(straight(sentence), previous, cue, speech)
        context = _Context(block.topic, previous, recent, asked)
        candidate = _candidate(cue, text, context, speech) if cue else None
        if candidate is not None and before and before not in candidate.text:
            whole = f"{before} {candidate.text}"
            candidate = replace(candidate, text=whole) if len(whole) <= STATEMENT_LIMIT else candidate
        previous, kept = text, candidate is not None
        recent = f"{recent}\n{text}"
        if candidate is not None and cue is not None:
            changed = cue.weight > grounds.CHANGES and cue.category != "event"
            found.append(candidate)
    return found


def _leans(text: str, cue: Cue, speech: Speech) -> bool:
    """Whether a sentence goes on about the one before it."""
    return cue.category not in _APART and speech.dangles(text) and not speech.points_back(text)


def _cue(sentence: str, text: str, weakest: float, speech: Speech, today: date | None) -> Cue | None:
    """What a sentence is for, text being the sentence without its openers."""
    if speech.passing(text):
        return None
    whole = straight(sentence)
    cue = speech.stated_cue(whole) or (speech.stated_cue(text) if text != whole else None)
    if cue is None or (cue.category in _LESS_THAN_A_DAY and cue.weight < grounds.CHANGES):
        named = _on_a_day(text, today)
        cue = named if cue is None or named is _HAPPENED else cue
    if cue is not None and ((cue.weight < weakest and cue.category != "lesson") or _pasted(cue, text, weakest > 0)):
        return None
    return cue


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


def _candidate(cue: Cue, sentence: str, context: _Context, speech: Speech) -> Candidate | None:
    text = _REMEMBER.sub("", sentence) if cue.predicate == "requires" and cue.category == "preference" else sentence
    category, predicate = cue.category, cue.predicate
    if text is not sentence:
        text = text[:1].upper() + text[1:]
        inner = speech.stated_cue(text)
        category, predicate = (inner.category, inner.predicate) if inner else ("reference", "is")
    if category == "goal" and speech.dangles(text):
        text = _own_clause(text, speech)
    if category in _MORE_THAN_ASKED and speech.requests(text):
        return None
    if category not in _SAID_OUTRIGHT and (speech.supposes(sentence) or speech.supposes(text)):
        return None
    if category == "event" and speech.conditional(text):
        return None
    if (about := _about(text, context, category, speech)) is None:
        return None
    narrates = category not in _NEVER_NARRATED and cue.weight < _PLAIN and speech.narrates(text)
    if about and speech.points_back(text):
        text = text[:1].lower() + text[1:]
    questioned = _ASKED.search(text)
    text = shorten(about + text)
    if (
        narrates
        or questioned
        or not worth_keeping(text, 1 if category in _BRIEF and cue.weight > 1.6 else _MINIMUM_WORDS)
    ):
        return None
    subject = "user" if category in _OF_THE_USER else "project"
    importance = min(1.0, CATEGORIES[category][1] + (0.1 if cue.weight >= 1.5 else 0.05))
    return Candidate(text, category, predicate, subject, slug(text), round(importance, 2), CONFIDENCE_STATED)


def _own_clause(text: str, speech: Speech) -> str:
    """Of a sentence that opens by pointing back, the part that names a task and does not ("They ask for it, so we still
    have to build the export")."""
    parts = _CLAUSE.compiled.split(text, maxsplit=1)
    if len(parts) < 2 or speech.dangles(parts[1]):
        return text
    cue = speech.stated_cue(parts[1])
    return parts[1][:1].upper() + parts[1][1:] if cue and cue.category == "goal" else text


def _about(text: str, context: _Context, category: str, speech: Speech) -> str | None:
    """What has to stand before a sentence so that it stands alone, or None when nothing does."""
    if speech.points_back(text):
        subject = _spoken_of(context.recent, speech)
        return f"{subject[:1].upper()}{subject[1:]}: " if subject else None if speech.dangles(text) else ""
    if not speech.dangles(text):
        return _topic_of(text, context, category, speech)
    if _OF_THEM.match(text) and len(content_words(text)) >= _FEW:
        return ""
    if speech.names_a_subject(context.topic) and not speech.dangles(context.topic) and _SUBJECT.search(context.topic):
        return f"{context.topic}: "
    if _leads(context.previous, speech):
        return f"{context.previous} "
    return f"{context.asked} " if category in ("goal", "reference") and _leads(context.asked, speech, 2) else None


def _topic_of(text: str, context: _Context, category: str, speech: Speech) -> str | None:
    """What a sentence needs before it that opens well but names no thing of its own ("We have to track that down",
    "Ask Noah from now on."): nothing for most."""
    thin = category in _NAMES_ITS_THING and (
        sum(not word.isdigit() for word in content_words(text)) <= _THIN
        or (_THAT_THING.search(text) and len(content_words(text)) <= _FEW)
    )
    if not thin and not _ASK_SOMEBODY.match(text) and not _ANSWERS.match(text):
        return ""
    for before in (context.previous, context.asked):
        if before and _leads(before, speech, 2) and len(before) + len(text) < STATEMENT_LIMIT:
            return f"{before} "
    nameless = category == "goal" and thin and len(content_words(text)) <= _PREVIOUS_WORDS and not speech.subject(text)
    return None if nameless else ""


def _leads(sentence: str, speech: Speech, least: int = _PREVIOUS_WORDS) -> bool:
    """Whether a sentence says what the next one is about."""
    if not sentence or len(content_words(sentence)) < least:
        return False
    if least < _PREVIOUS_WORDS:
        return True
    return not (len(sentence) > _PREVIOUS or speech.narrates(sentence) or asks(sentence) or speech.dangles(sentence))


def _spoken_of(recent: str, speech: Speech) -> str:
    """What the last sentence that names its subject was about ("the export"), or nothing."""
    told = (straight(line) for line in reversed(recent.split("\n")) if line and not speech.narrates(line))
    return next((subject for line in told if (subject := speech.subject(line))), "")
