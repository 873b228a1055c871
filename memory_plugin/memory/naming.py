"""Which of some facts a person means, who names one by its id, the beginning of it, or a few of its words."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory_plugin.memory.extraction.words import STOP_WORDS, unspaced
from memory_plugin.memory.journal import Held

_ID = re.compile(r"[0-9a-z]{4,16}")
_WORD = re.compile(r"[^\W_]+[+#]*")
_PHRASE = 3  # content words that, said in a row, mean the fact that holds them so
_FEWEST_LETTERS = 4  # of a word that may be misspelt, or bent another way
_SAME_STEM, _TYPO = 0.5, 0.8  # shares of a longer word, of its letters
# What one says of a fact without saying which: "what I said about staging", « le truc du port ».
_VAGUE = frozenset("said say told tell thing things stuff fact note remember dit chose truc info souvenir".split())
_QUOTES = "\"'“”«»‘’`()[] \t\n."


def fitting(held: Iterable[Held], wanted: str) -> list[Held]:
    """The facts that are meant; active ones first, then the older.

    By words: those that hold most of the words that say something, at least two thirds of them. Accents and case
    count for nothing, `deployments` fits `deployed`, and a slip of a letter is forgiven where nothing fits better; a
    number that is named must be theirs. One that holds all of them as they are, or a phrase, is preferred to those that
    hold something like them.
    """
    known = list({(each.namespace, each.fact.id): each for each in reversed(list(held))}.values())
    wanted = wanted.strip(_QUOTES)
    if begun := _by_id(known, wanted.lower()):
        return _in_order(begun)
    phrase = _folded(wanted)
    content = [word for word in dict.fromkeys(_words(phrase)) if word not in STOP_WORDS]
    words = [word for word in content if word not in _VAGUE] or content
    texts = [_folded(each.words) for each in known]
    scores = [_score(words, phrase, text) for text in texts]
    most = max(map(round, scores), default=0)
    if not most or most * 3 < len(words) * 2:
        return []
    best = [number for number, score in enumerate(scores) if round(score) == most]
    for is_better in (
        lambda number: scores[number] >= len(words),
        lambda number: len(words) >= _PHRASE and _holds(texts[number], phrase),
        lambda number: _words(texts[number]) == _words(phrase),
    ):
        best = list(filter(is_better, best)) or best
    return _in_order([known[number] for number in best])


def _by_id(held: Sequence[Held], wanted: str) -> list[Held]:
    if not _ID.fullmatch(wanted):
        return []
    exact = [each for each in held if each.fact.id == wanted]
    return exact or [each for each in held if each.fact.id.startswith(wanted)]


def _in_order(held: Sequence[Held]) -> list[Held]:
    return sorted(held, key=lambda each: (each.fact.status != "active", each.fact.day, each.fact.id))


def _folded(text: str) -> str:
    """The text without case and accents, one blank between its parts."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return " ".join(bare.casefold().replace("’", "'").split())


@lru_cache(maxsize=4096)
def _words(folded: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folded))


def _score(words: Sequence[str], phrase: str, text: str) -> float:
    """How many of the words a text holds; one that stands there in another form counts a little less."""
    if unspaced(phrase) and phrase in text:
        return max(len(words), 1)
    said = _words(text)
    if any(word not in said for word in words if any(map(str.isdigit, word))):
        return 0.0
    return sum(max((_likeness(word, each) for each in said), default=0.0) for word in words)


def _holds(text: str, phrase: str) -> bool:
    """Whether the words of a phrase stand in the text in a row."""
    return f" {' '.join(_words(phrase))} " in f" {' '.join(_words(text))} "


def _likeness(word: str, said: str) -> float:
    if word == said:
        return 1.0
    short, long = sorted((word, said), key=len)
    if len(short) < _FEWEST_LETTERS or any(each.isdigit() for each in word + said):
        return 0.0
    shared = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if shared == len(word) or (shared >= _FEWEST_LETTERS and shared >= _SAME_STEM * len(long)):
        return 0.95
    if word[0] != said[0]:
        return 0.0
    matcher = difflib.SequenceMatcher(None, word, said, autojunk=False)
    close = matcher.real_quick_ratio() >= _TYPO and matcher.quick_ratio() >= _TYPO and matcher.ratio() >= _TYPO
    return 0.9 if close else 0.0
