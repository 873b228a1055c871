"""What a model claims to have read, held against what was said: only what stands in the conversation is a fact.

A model may leave out, never add. So a claim must quote the words it stands on, and every word of its own that carries
meaning, every number and every name must occur in the exchange that the quote is from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memory_plugin.index.terms import index_terms, query_terms
from memory_plugin.memory.extraction.language import straight
from memory_plugin.memory.extraction.quality import asks, injects, worth_keeping
from memory_plugin.memory.extraction.words import content_words, unspaced
from memory_plugin.memory.fact import (
    CATEGORIES,
    CONFIDENCE_STATED,
    LONGEST_TEXT,
    PREDICATES,
    Candidate,
    clean,
    slug,
)
from memory_plugin.memory.redaction import MASK, redact
from memory_plugin.memory.transcript import Message
from memory_plugin.service.exchanges import Exchange

FACTS_AN_EXCHANGE = 3
FIELDS = ("category", "text", "predicate", "quote")
_LONGEST_QUOTE = 400
_LEAST_QUOTED = 2  # content words
_OF_THE_USER = frozenset({"identity", "preference", "habit", "health", "relationship"})
# Words by which a claim tells who speaks and how: "I like tabs" becomes "The user prefers tabs". None says what.
_TELLING = frozenset(
    term.forms[0]
    for text in (
        "user users project team prefers wants uses plans decided requires works likes person conversation",
        "utilisateur utilisatrice projet équipe préfère veut utilise prévoit décidé exige travaille aime personne",
    )
    for term in query_terms(text)
)
# A claim that says yes where its quote says no, or the other way round, may be the opposite of what was said.
_DENIAL = re.compile(
    r"\b(?:not|never|no|none|nor|without|instead|rather|cannot|stop\w*|avoid\w*|forbid\w*|except|unless|neither|"
    r"ne|pas|jamais|aucune?|sans|plutôt|sauf|éviter?|évite[sz]?|interdi\w*|"
    r"nicht|kein\w*|nie|ohne|nunca|sin|non|senza)\b|n't\b|\bn'",
    re.IGNORECASE,
)
_ENDING = re.compile(r"[.!?…。！？\n]")
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_QUOTING = " \t\r\n\"'«»“”„…."


class InvalidAnswerError(ValueError):
    """What the model wrote is not what it was asked for."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One item of a model's answer, its category and predicate out of the closed lists."""

    category: str
    text: str
    predicate: str
    quote: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """A claim that stands in the conversation, and the message that its quote is from."""

    candidate: Candidate
    message: Message


def schema(most: int) -> dict[str, Any]:
    """The JSON schema of an answer with at most so many facts."""
    properties = {
        "category": {"type": "string", "enum": list(CATEGORIES)},
        "text": {"type": "string", "maxLength": LONGEST_TEXT},
        "predicate": {"type": "string", "enum": sorted(PREDICATES)},
        "quote": {"type": "string", "maxLength": LONGEST_TEXT},
    }
    fact = {"type": "object", "properties": properties, "required": list(FIELDS), "additionalProperties": False}
    facts = {"type": "array", "maxItems": most, "items": fact}
    return {
        "type": "object",
        "properties": {"facts": facts},
        "required": ["facts"],
        "additionalProperties": False,
    }


def read_claims(answer: str) -> tuple[list[Claim], int]:
    """The claims of an answer, and how many items were no claim. Raises InvalidAnswerError when it isn't the JSON."""
    fenced = _FENCE.match(answer)
    try:
        found = json.loads(fenced[1] if fenced else answer)
        items = found["facts"]
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise InvalidAnswerError(f"its {len(answer)} characters are no JSON object with facts") from error
    if not isinstance(items, list):
        raise InvalidAnswerError("its facts are no list")
    claims = [claim for item in items if (claim := _claim(item))]
    return claims, len(items) - len(claims)


def ground(claims: Sequence[Claim], batch: Sequence[Exchange]) -> tuple[list[Grounded], dict[str, int]]:
    """The claims that stand, at most FACTS_AN_EXCHANGE of each exchange, and how many fell for which reason."""
    kept, fallen = list[Grounded](), dict[str, int]()
    taken = {exchange.end: 0 for exchange in batch}
    for claim in dict.fromkeys(claims):  # small models repeat themselves
        reason = "not in the words of the conversation"
        if found := _quoted(claim.quote, batch):
            exchange, message, ending = found
            reason = _objection(claim, exchange, ending)
            if not reason and taken[exchange.end] < FACTS_AN_EXCHANGE:
                taken[exchange.end] += 1
                kept.append(Grounded(_candidate(claim), message))
                continue
        reason = reason or "more than asked for"
        fallen[reason] = fallen.get(reason, 0) + 1
    return kept, fallen


def _claim(item: Any) -> Claim | None:
    if not isinstance(item, dict) or not all(isinstance(item.get(name), str) for name in FIELDS):
        return None
    claim = Claim(item["category"], redact(clean(item["text"])), item["predicate"], item["quote"])
    return claim if claim.category in CATEGORIES and claim.predicate in PREDICATES else None


def _candidate(claim: Claim) -> Candidate:
    return Candidate(
        text=claim.text,
        category=claim.category,
        predicate=claim.predicate,
        subject="user" if claim.category in _OF_THE_USER else "project",
        object=slug(claim.text),
        importance=CATEGORIES[claim.category][1],
        confidence=CONFIDENCE_STATED,
    )


def _quoted(quote: str, batch: Sequence[Exchange]) -> tuple[Exchange, Message, str] | None:
    """The first exchange, and the message in it, that holds the quote, white space and case aside; and how the
    sentence ends that the quote ends in."""
    words = _plain(quote[:_LONGEST_QUOTE]).strip(_QUOTING)
    if len(content_words(words)) < _LEAST_QUOTED and unspaced(words) <= 2 * _LEAST_QUOTED:
        return None
    wanted = re.compile(r"\s+".join(map(re.escape, words.split())))
    for exchange in batch:
        for message in exchange.messages:
            text = _plain(message.text)
            if found := wanted.search(text):
                ending = _ENDING.search(text, found.end())
                return exchange, message, ending[0] if ending else ""
    return None


def _objection(claim: Claim, exchange: Exchange, ending: str) -> str:
    """Why a claim whose quote stands is no fact all the same; "" when nothing speaks against it."""
    if not _words_stand(claim.text, "\n".join(message.text for message in exchange.messages)):
        return "words that nobody said"
    if (_DENIAL.search(straight(claim.text)) is None) != (_DENIAL.search(straight(claim.quote)) is None):
        return "a yes for a no"
    if ending in ("?", "？") or asks(claim.quote):
        return "asked, not said"
    if len(claim.text) > LONGEST_TEXT or MASK in claim.text or not worth_keeping(claim.text) or injects(claim.quote):
        return "not worth keeping"
    return ""


def _words_stand(text: str, said: str) -> bool:
    """Whether every term of a text occurs in what was said: words by their stem, names and numbers as they are."""
    heard, plain = set(index_terms(said).split()), _plain(said)
    return all(
        term.forms[0] in _TELLING
        or not heard.isdisjoint(term.forms)
        # a path with a line's number behind it is another term, and the same path
        or (term.rare and re.search(rf"(?<!\w){re.escape(term.forms[0])}(?!\w)", plain) is not None)
        for term in query_terms(text)
    )


def _plain(text: str) -> str:
    return straight(text).casefold()
