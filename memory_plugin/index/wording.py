"""A fact's text taken apart: its words, what each is a case of, and where it goes from its subject to what it says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_plugin.index import changes, concepts
from memory_plugin.index.languages import STOP_WORDS, detect
from memory_plugin.index.terms import stemmed

_JOINER = "\x01"  # between the words of an expression, while the text is cut into words
_TOKEN = re.compile(rf"/?[^\W_{_JOINER}]+(?:{_JOINER}[^\W_{_JOINER}]+)*(?:[-._/:@+#'][^\W_]+)*(?:\+\+|#)?|%|€")
_NUMBER = re.compile(r"\d+(?:[.,:hx]\d+)*h?")
_VERSION = re.compile(r"v\d+(?:\.\d+)*")
_PATH = re.compile(r"[\w:]/\w|/\w+|@|\w\.\w+\.\w|\w\.[a-z]{2,4}$")
_THOUSANDS = re.compile(r"(?<=\d)[\s\u202f\u00a0](?=\d{3}\b)")
_ELIDED = re.compile(r"\b(?:c|d|j|l|m|n|qu|s|t|jusqu|lorsqu|puisqu)'(?=\w)", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:,(–—]|\bbecause\b|\bsince\b|\bso that\b|\bparce que?\b|\bcar\b|\bdepuis\b", re.IGNORECASE)
# The days that the memory writes behind the words for them, and how it marks what is still to be done.
_ADDED = re.compile(
    r" ?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\)|^(?:still open|reste à faire|todo) ?: ?", re.I
)
_FIRST_CLAUSE = 12  # characters at least
_CURLY = str.maketrans("’‘ʼ“”«»", '\'\'\'""""')
LEAST = 5  # letters with which two stems must both begin to be taken for one
_MOST_BEYOND = 4  # letters by which one may then be longer
SPELT = {word: str(number) for row in concepts.NUMBERS for number, word in enumerate(row.split()) if word != "-"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word: in small letters, its root (what stands for all words of its meaning, or its stem), its place from 0.

    kinds and sides are rows of the tables KINDS and APART; a filler says nothing of what the text is about; a name is
    written like one, a capital letter may only begin the sentence.
    """

    plain: str
    root: str
    place: int
    filler: bool
    number: bool
    name: bool
    capital: bool
    path: bool
    kinds: frozenset[int]
    sides: frozenset[int]


@dataclass(frozen=True, slots=True)
class Wording:
    """A text taken apart. text: in small letters; main: how many words its first clause has; verb: the place of the
    first word that is surely a verb, 0 when there is none."""

    text: str
    words: tuple[Word, ...]
    main: int
    verb: int

    @property
    def content(self) -> list[Word]:
        """The words that say something."""
        return [word for word in self.words if not word.filler]

    @property
    def claim(self) -> list[Word]:
        """Those of its first clause: what comes after is mostly a reason."""
        return [word for word in self.content if word.place < self.main] or self.content

    @property
    def subject(self) -> list[Word]:
        """Those before the verb."""
        return [word for word in self.content if word.place < self.verb]

    def is_value(self, word: Word) -> bool:
        """Whether the word is what is said of the subject: a number, a name, a path, one of a known kind."""
        return word.number or word.path or bool(word.kinds) or (word.name and word.place >= max(self.verb, 1))

    def says(self, table: str) -> int:
        """How many rows of a table of `changes` its text matches."""
        return sum(bool(pattern.search(self.text)) for pattern in _PATTERNS[table])


def alike(left: Word, right: Word) -> bool:
    """Whether two words mean the same as far as their letters and the tables say."""
    if left.root == right.root or left.plain == right.plain:
        return True
    if left.number or right.number or (left.name and right.name):
        return False
    if min(len(left.root), len(right.root)) < LEAST or abs(len(left.root) - len(right.root)) > _MOST_BEYOND:
        return False
    return left.root[:LEAST] == right.root[:LEAST]


def found_in(word: Word, words: Iterable[Word]) -> bool:
    """Whether any of the words means the same as this one."""
    return any(alike(word, other) for other in words)


def share(words: Sequence[Word], among: Sequence[Word]) -> float:
    """The part of the words that stands among the others too, 0 to 1."""
    return sum(found_in(word, among) for word in words) / len(words) if words else 0.0


@lru_cache(maxsize=20_000)
def read(text: str) -> Wording:
    """A text taken apart."""
    straight = _ADDED.sub("", unicodedata.normalize("NFKC", text).translate(_CURLY))
    straight = _joined(_ELIDED.sub("", _THOUSANDS.sub("", straight)))
    language = detect(text)
    clause = next(
        (found.start() for found in _CLAUSE.finditer(straight) if found.start() > _FIRST_CLAUSE), len(straight)
    )
    words, main = list[Word](), 0
    for found in _TOKEN.finditer(straight):
        opening = straight[: found.start()].rstrip()[-1:] in ("", ".", ":", "!", "?")
        words.append(_word(found[0].replace(_JOINER, "_"), language, opening, len(words)))
        main += found.start() < clause
    verb = next((word.place for word in words[1:] if word.plain in concepts.VERBS), 0)
    return Wording(straight.replace(_JOINER, " ").casefold(), tuple(words), main, verb)


def _joined(text: str) -> str:
    """The text with the expressions of the tables joined to one word each."""
    small = text.casefold()
    if len(small) != len(text):  # a letter that has no small one of its own: places would not agree
        return text
    for found in reversed(list(_EXPRESSION.finditer(small))):
        text = text[: found.start()] + found[0].replace(" ", _JOINER) + text[found.end() :]
    return text


def _word(written: str, language: str, opening: bool, place: int) -> Word:
    plain = written.casefold().removesuffix("'s")
    plain = SPELT.get(plain, plain[1:] if _VERSION.fullmatch(plain) else plain)
    number = _NUMBER.fullmatch(plain) is not None
    stop = plain in STOP_WORDS["english"] or plain in STOP_WORDS[language]
    root = plain if number or not plain.isalpha() else stemmed(plain, language)
    root = _SAME.get(plain) or _SAME.get(root) or root
    inner = any(each.isupper() for each in written[1:]) or any(each in written for each in "_/.@-")
    name = not number and len(written) > 1 and not stop and (inner or (written[0].isupper() and not opening))
    path = not number and _PATH.search(plain) is not None
    kinds = _KINDS.get(plain, frozenset[int]())
    filler = (stop or plain in concepts.FILLERS) and not kinds
    return Word(
        plain, root, place, filler, number, name, written[0].isupper(), path, kinds, _SIDES.get(plain, frozenset())
    )


def _rows(table: Iterable[str]) -> dict[str, frozenset[int]]:
    """The rows in which each word of a table stands."""
    found: dict[str, set[int]] = {}
    for number, row in enumerate(table):
        for word in row.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


_KINDS = _rows(concepts.KINDS)
_SIDES = _rows(concepts.APART)
_SAME = {word: row.split()[0] for row in concepts.SAME for word in row.split()}
_EXPRESSIONS = {word.replace("_", " ") for table in (_KINDS, _SIDES, _SAME) for word in table if "_" in word}
_LONGEST_FIRST = sorted(map(re.escape, _EXPRESSIONS), key=lambda each: (-len(each), each))
_EXPRESSION = re.compile(rf"\b(?:{'|'.join(_LONGEST_FIRST)})\b")
_PATTERNS = {name: tuple(re.compile(row) for row in rows) for name, rows in changes.TABLES.items()}
