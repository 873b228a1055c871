"""Where a fact's words stand in a text, whatever their case, their Unicode form and what is between them. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MASK = "[purged]"
_CUT = 3  # words of a fact's beginning or end that tell of it, where a text was cut
_WORD = re.compile(r"\w+[+#]*")
_MAY_BE_CUT = re.compile(r"^(?:## .*|.*….*)$", re.M)  # lines of a page
_JAMO = range(0x1160, 0x1200)  # the later parts of a Korean syllable, where it is written in parts

Wordings = tuple[str, ...]  # what a fact says, and said
Span = tuple[int, int]
Placed = tuple[str, int, int]  # a word, with where it begins and ends


def words_of(text: str) -> list[str]:
    """The words of a text, in one case and form."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=4)
def _sought(wordings: Wordings) -> tuple[tuple[str, ...], ...]:
    """The words of each wording, the longest first."""
    found = {tuple(words_of(each)) for each in wordings} - {()}
    return tuple(sorted(found, key=lambda words: (-len(words), words)))


def holds(text: str, wordings: Wordings) -> bool:
    """Whether the words stand in a text, whatever their case and what is between them."""
    said = f" {' '.join(words_of(text))} "
    return any(f" {' '.join(words)} " in said for words in _sought(wordings))


def masked(text: str, wordings: Wordings) -> str:
    """The text with MASK where the words stand that `holds` finds."""
    return masked_at(text, _whole(text, wordings)) if holds(text, wordings) else text


def masked_at(text: str, spans: list[Span]) -> str:
    """The text with MASK in these places, which follow each other."""
    pieces, after = list[str](), 0
    for start, end in spans:
        pieces += [text[after:start], MASK]
        after = end
    return "".join([*pieces, text[after:]])


def _whole(text: str, wordings: Wordings) -> list[Span]:
    """Where the words stand that `holds` finds, in order."""
    said, found, number = _placed(text), list[Span](), 0
    while number < len(said):
        here = tuple(word for word, _, _ in said[number : number + len(_sought(wordings)[0])])
        words = next((each for each in _sought(wordings) if here[: len(each)] == each), ())
        if words:
            found.append((said[number][1], said[number + len(words) - 1][2]))
        number += len(words) or 1
    return found


def kept_in_page(page: str, wordings: Wordings) -> list[Span]:
    """Where a page of the history holds the words, or a part of them beside a cut; each place once, in order."""
    found = _whole(page, wordings) if holds(page, wordings) else []
    merged = list[Span]()
    for start, end in sorted([*found, *_parts(page, wordings)]):
        if merged and start < merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


def _parts(page: str, wordings: Wordings) -> list[Span]:
    """Where a page shows the beginning of the words before a cut, or their end behind one.

    A heading holds the first line of what was said, up to a length; what a tool was used on, and the first and last
    words of an episode, are cut by their length alone. The word at the cut may itself be a part.
    """
    found = list[Span]()
    longest = max((len(text) for text in wordings), default=0)
    for line in _MAY_BE_CUT.finditer(page):
        cuts = [place for place, letter in enumerate(line[0]) if letter == "…"]
        ends = [*cuts, *([len(line[0])] if line[0].startswith("## ") else [])]
        for end in ends:
            first = max(end - 2 * longest, 0)
            found += _moved(_beginning(_placed(line[0][first:end]), wordings), line.start() + first)
        for cut in cuts:
            after = line[0][cut + 1 : cut + 1 + 2 * longest]
            found += _moved(_end(_placed(after), wordings), line.start() + cut + 1)
    return found


def _moved(span: Span | None, by: int) -> list[Span]:
    return [(span[0] + by, span[1] + by)] if span else []


def _beginning(said: list[Placed], wordings: Wordings) -> Span | None:
    """The last of some words that are the beginning of a wording: at least _CUT of them."""
    for words in _sought(wordings):
        for count in range(min(len(words), len(said)), _CUT - 1, -1):
            here = tuple(word for word, _, _ in said[-count:])
            if here[:-1] == words[: count - 1] and words[count - 1].startswith(here[-1]):
                return said[-count][1], said[-1][2]
    return None


def _end(said: list[Placed], wordings: Wordings) -> Span | None:
    """The first of some words that are the end of a wording: at least _CUT of them."""
    for words in _sought(wordings):
        for count in range(min(len(words), len(said)), _CUT - 1, -1):
            here = tuple(word for word, _, _ in said[:count])
            if here[1:] == words[len(words) - count + 1 :] and words[-count].endswith(here[0]):
                return said[0][1], said[count - 1][2]
    return None


def _placed(text: str) -> list[Placed]:
    """The words of a text as `words_of` reads them, each with where it begins and ends."""
    folded, places = _folded(text)
    return [(found[0], places[found.start()], places[found.end()]) for found in _WORD.finditer(folded)]


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as `words_of` reads it; for each character of it, and for its end, where that stands in the text."""
    folded, places, start = list[str](), list[int](), 0
    while start < len(text):
        end = start + 1
        while end < len(text) and (unicodedata.combining(text[end]) or ord(text[end]) in _JAMO):
            end += 1
        folded.append(unicodedata.normalize("NFKC", text[start:end]).casefold())
        places += [start] * len(folded[-1])
        start = end
    return "".join(folded), [*places, len(text)]
