"""The one analyser of index and query: text to the terms that keyword search compares.

Words are folded and stemmed in English and in the text's own language, so that a text of mixed languages is found by
either; identifiers are kept whole and in parts; scripts without spaces become pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from threading import local
from typing import Any

from memory_plugin.index.languages import PROMPT_WORDS, STOP_WORDS, UNSPACED, detect

MOST_TEXT = 200_000  # characters of one text that are analysed
_LONGEST = 64

# A token: letters and digits, joined inside by what joins identifiers, paths, versions and addresses.
_TOKEN = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+(?:[-._/:@+#][^\W{UNSPACED}]+)*(?:\+\+|#)?")
_UNSPACED_RUN = re.compile(rf"[{UNSPACED}]")
_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-zA-Z]{2})(?=\d)")
_PLAIN_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+|[A-ZÀ-Þ]?[^\W\d_A-Z]+")  # "end-to-end" is only words
_NO_NAMES = frozenset(("I", "OK", "Ok", "Yes", "No", "Thanks", "Please", "Hello", "Hi"))
_DATES = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December
    """.split()
)
_SENTENCE_ENDS = '.!?:;…\n"«“(*/-'  # and what opens a quotation, or an item of a list
_STEMMERS = local()


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a query asks for: any of its forms will do. rare: an identifier, a path, a version, no plain word."""

    forms: tuple[str, ...]
    rare: bool


def index_terms(text: str) -> str:
    """The text's terms in order, joined by spaces."""
    return " ".join(form for term in _terms(text[:MOST_TEXT]) for form in term.forms)


def query_terms(text: str) -> list[Term]:
    """What a prompt asks for: its distinct terms in order, without the words that only make conversation."""
    found: dict[tuple[str, ...], Term] = {}
    for term in _terms(text[:MOST_TEXT], PROMPT_WORDS):
        found.setdefault(term.forms, term)
    return list(found.values())


def spelt(text: str) -> dict[str, str]:
    """The words of a text as they stand in it, by each form that terms have of them."""
    found: dict[str, str] = {}
    language = detect(text)
    for token in dict.fromkeys(_TOKEN.findall(unicodedata.normalize("NFKC", text[:MOST_TEXT]))):
        unspaced = _UNSPACED_RUN.match(token)
        for term in _pairs(token) if unspaced else _word_terms(token[:_LONGEST], language, frozenset()):
            for form in term.forms:
                found.setdefault(form, form if unspaced else token)
    return found


def _terms(text: str, fillers: frozenset[str] = frozenset()) -> Iterator[Term]:
    language = detect(text)
    for number, token in enumerate(_TOKEN.findall(unicodedata.normalize("NFKC", text))):
        if _UNSPACED_RUN.match(token):
            yield from _pairs(token)
        else:
            # "why Go?": a filler that is written as a name is one.
            plain = not number or not is_name(token)
            yield from _word_terms(token[:_LONGEST], language, fillers if plain else frozenset())


def is_name(word: str) -> bool:
    """Whether a word inside a sentence is written as a name."""
    return word[:1].isupper() and word not in _NO_NAMES


def named(text: str) -> list[Term]:
    """What a text names: terms of words that are written as names inside its sentences; none where every noun is."""
    if (language := detect(text)) == "german":
        return []
    names = (
        token
        for match in _TOKEN.finditer(text[:MOST_TEXT])
        if len(token := match.group()[:_LONGEST]) > 2 and is_name(token) and token not in _DATES
        if not _opens_a_sentence(text, match.start())
    )
    return [term for name in dict.fromkeys(names) for term in _word_terms(name, language, frozenset())]


def _opens_a_sentence(text: str, at: int) -> bool:
    """Whether only blanks stand between this place and what ends a sentence, or the text's beginning."""
    while at and text[at - 1] not in _SENTENCE_ENDS and text[at - 1].isspace():
        at -= 1
    return not at or text[at - 1] in _SENTENCE_ENDS


def _pairs(run: str) -> Iterator[Term]:
    if len(run) == 1:
        yield Term((run,), False)
    for left, right in pairwise(run):
        yield Term((left + right,), False)


def _word_terms(token: str, language: str, fillers: frozenset[str]) -> Iterator[Term]:
    parts = [part for piece in _PART.findall(token) for part in _CAMEL.split(piece) if part]
    compound = len(parts) > 1 or token.endswith(("+", "#"))
    # Not "e.g.": letters alone between dots are an abbreviation.
    if compound and (len(parts) == 1 or any(len(part) > 1 or part.isdigit() for part in parts)):
        yield Term((_folded(token.casefold()),), _PLAIN_COMPOUND.fullmatch(token) is None)
    for part in parts:
        word = part.casefold()
        if word in STOP_WORDS["english"] or word in STOP_WORDS[language] or word in fillers:
            continue
        if len(word) == 1 and (compound or not word.isdigit()):
            continue
        yield Term(_forms(word, language), not word.isalpha() and not word.isdigit())


@lru_cache(maxsize=50_000)
def _forms(word: str, language: str) -> tuple[str, ...]:
    """The word's English stem and the one of its own language, folded; a number as it is."""
    if not word.isalpha():
        return (_folded(word),)
    stems = [_stemmer(name).stemWord(word) for name in ("english", language)]
    return tuple(dict.fromkeys(_folded(stem) for stem in stems))


def stemmed(word: str, language: str) -> str:
    """The stem of a word in small letters, folded; a word that holds more than letters as it is."""
    return _forms(word, language)[-1]


def _folded(word: str) -> str:
    """Without accents, in letters that have any."""
    if word.isascii():
        return word
    return "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))


def _stemmer(language: str) -> Any:
    """One stemmer a thread and language: a stemmer holds the word it works on."""
    known: dict[str, Any] = _STEMMERS.__dict__
    if language not in known:
        import snowballstemmer

        known[language] = snowballstemmer.stemmer(language)
    return known[language]
