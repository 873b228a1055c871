"""The ground of a change, said in a sentence beside it without a "because": "We print on Thursdays from now on. On
Tuesdays every pallet blocks the ramp."."""

# ruff: noqa: E501 -- a line of a pattern is one kind of word, however long

from __future__ import annotations

import re

from memory_plugin.memory.extraction.language import Speech
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import asks
from memory_plugin.memory.extraction.words import content_words, stem

_LONGEST = 200
_FEWEST_WORDS = 3
CHANGES = 1.47  # above this, a cue says that a thing changed
# What is bad, wanted or impossible is why things change.
_GROUND = Pattern(
    r"\b(?:breaks?|broke|costs?|too|slow\w*|can'?t|cannot|couldn'?t|doesn'?t|don'?t|won'?t|isn'?t|aren'?t|nobody|no one|loses?|lost|wants?|asks?|asked|fails?|failed|"
    r"blocks?|blocked|collides?|insists?|complain\w*|refuses?|crash\w*|expensive|cheaper|faster|slower|easier|simpler|safer|needs?|annoy\w*|"
    r"takes (?:\w+ ){1,3}(?:hours?|minutes|days?)|more than|less than|twice|wrong|unsafe|unsupported|maintained|"
    r"casse\w*|co[uû]te\w*|trop|personne|toujours|jamais|veu(?:t|lent)|exige\w*|demande\w*|bloque\w*|g[eê]ne\w*|perd\w*|rate\w*|plante\w*|"
    r"lent\w*|cher|ch[eè]re|moins|besoin|ferm[eé]\w*|n'\w+ (?:pas|plus)|ne \w+ (?:pas|plus))\b",
    re.IGNORECASE,
)
_THEREFORE = Pattern(
    r"(?:so|therefore|hence|that'?s why|which is why|donc|du coup|alors|c'est pourquoi)\b[, ]+(?!far\b|good\b|what\b|how\b|much\b)",
    re.IGNORECASE,
)


def follows(sentence: str, change: str, speech: Speech) -> bool:
    """Whether a sentence gives the ground of the change that was told just before it."""
    if not _declares(sentence, speech):
        return False
    told = {stem(word) for word in content_words(change)}
    return _GROUND.search(sentence) is not None or any(stem(word) in told for word in content_words(sentence))


def before(sentence: str, previous: str, cue: Cue, speech: Speech) -> str:
    """The sentence before a change when it is its ground ("The old one can't sort. So we're on Lucene."), else ""."""
    if cue.weight <= CHANGES or cue.category not in ("decision", "project", "preference", "relationship"):
        return ""
    if not previous or not _declares(previous, speech) or speech.dangles(previous):
        return ""
    if _THEREFORE.match(sentence) or (cue.category == "decision" and _GROUND.search(previous)):
        return previous
    return ""


def _declares(sentence: str, speech: Speech) -> bool:
    """Whether a sentence tells something: no question, order, guess or step."""
    if len(sentence) > _LONGEST or len(content_words(sentence)) < _FEWEST_WORDS or asks(sentence):
        return False
    return not (speech.requests(sentence) or speech.narrates(sentence) or speech.supposes(sentence))
