"""All cue tables together, compiled once: which cue a sentence shows, in whatever language it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_plugin.memory.extraction.languages.english import ENGLISH
from memory_plugin.memory.extraction.languages.french import FRENCH
from memory_plugin.memory.extraction.languages.other import OTHER
from memory_plugin.memory.extraction.languages.table import Cue

LANGUAGES = (ENGLISH, FRENCH, OTHER)
_FLAGS = re.IGNORECASE
_CURLY = str.maketrans("’‘ʼ“”\u00a0\u202f", "'''\"\"  ")


def _any_of(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _interleaved(tables: list[tuple[Cue, ...]]) -> list[tuple[Cue, re.Pattern[str]]]:
    """The rows of all languages in order of strength, so that a strong cue of one beats a weak one of another."""
    rows = [cue for table in tables for cue in table]
    rows.sort(key=lambda cue: -cue.weight)
    return [(cue, re.compile(cue.pattern, _FLAGS)) for cue in rows]


_STATED = _interleaved([language.stated for language in LANGUAGES])
_NOTED = _interleaved([language.noted for language in LANGUAGES])
_ANY_STATED = re.compile(_any_of(cue.pattern for cue, _ in _STATED), _FLAGS)
_OPENER = re.compile(
    rf"(?:{_any_of(p for language in LANGUAGES for p in language.openers)})(?:\s*[,.!:;…]+\s*|\s*[–—]\s*|\s+-+\s+)",
    _FLAGS,
)
_SOFT_OPENER = re.compile(
    r"(?:so|and|but|then|also|yeah|yes|yep|ah|oh|ok|okay|well|nah|please|i think that|i think|alors|donc|et|"
    r"mais|oui|bon|puis|je pense que|du coup)\s+(?=\S+\s)",
    _FLAGS,
)
_NARRATION = re.compile(_any_of(p for language in LANGUAGES for p in language.narration), _FLAGS)
_DANGLING = re.compile(_any_of(p for language in LANGUAGES for p in language.dangling), _FLAGS)
_AGREEMENT = re.compile(_any_of(p for language in LANGUAGES for p in language.agreement), _FLAGS)
_CHOICE = [
    (re.compile(_any_of(language.choice_question), _FLAGS), language.chosen)
    for language in LANGUAGES
    if language.chosen
]
_ORDINALS = {word: number for language in LANGUAGES for word, number in language.ordinals.items()}
_CHOOSING = re.compile(
    r"(?:(?:yes|yeah|ok|okay|oui|d'accord|sure|so)[,.! ]+)?(?:(?:let'?s |i'?d |i'll |we'll |please |je |j'|on )?"
    r"(?:go|going|do|take|pick|choose|prefer|say|like|prends|choisis|pr[eé]f[eè]re|part|pars|va)\s+)?(?:with |"
    r"for |sur |avec |pour )?"
    r"(?:the |option |l'option |la |le |number |num[eé]ro |#|n°)*(?P<choice>[a-f1-9]|\w+)\b(?: (?:one|option|"
    r"approach|solution))?[).!,]*$",
    _FLAGS,
)
_GENERIC_HEADING = re.compile(_any_of(p for language in LANGUAGES for p in language.generic_headings), _FLAGS)
PRONOUNS = frozenset(word for language in LANGUAGES for word in language.pronouns.split())


def straight(text: str) -> str:
    """A text with straight quotes and ordinary spaces: what the patterns expect."""
    return text if text.isascii() else text.translate(_CURLY)


def stated_cue(sentence: str) -> Cue | None:
    """The strongest cue of something that the user stated, or None."""
    if not _ANY_STATED.search(sentence):
        return None
    return next((cue for cue, pattern in _STATED if pattern.search(sentence)), None)


def noted_cue(sentence: str) -> Cue | None:
    """The strongest cue of a sentence said by anybody, or None."""
    return next((cue for cue, pattern in _NOTED if pattern.search(sentence)), None)


def without_openers(sentence: str) -> str:
    """A sentence without the words at its start that carry nothing ("OK, so …"); a capital at its start stays one."""
    text = sentence
    for _ in range(4):
        match = _OPENER.match(text) or _SOFT_OPENER.match(text)
        if match is None or match.end() >= len(text):
            break
        text = text[match.end() :]
    if text is not sentence and text[0].islower() and sentence[0].isupper():
        text = text[0].upper() + text[1:]
    return text


def narrates(sentence: str) -> bool:
    """Whether a sentence only tells what is being done this moment."""
    return _NARRATION.match(sentence) is not None


def dangles(sentence: str) -> bool:
    """Whether a sentence opens by pointing at something said before it."""
    return _DANGLING.match(sentence) is not None


def names_a_subject(heading: str) -> bool:
    """Whether a heading says what the lines under it are about ("Deploy script", not "Summary")."""
    return bool(heading) and _GENERIC_HEADING.fullmatch(heading.rstrip(" :")) is None


def agrees(answer: str) -> bool:
    """Whether a whole answer is a yes."""
    return _AGREEMENT.fullmatch(answer) is not None


def chosen_option(answer: str) -> int:
    """The option an answer picks ("the second", "B", "option 2"), counted from 1; 0 when it picks none."""
    match = _CHOOSING.match(answer)
    if match is None:
        return 0
    choice = match.group("choice").lower()
    if choice.isdigit():
        return int(choice)
    if len(choice) == 1 and choice in "abcdef":
        return ord(choice) - ord("a") + 1
    return _ORDINALS.get(choice, 0)


def decided(question: str) -> tuple[str, str] | None:
    """('Decided', 'use X') for "Should we use X?": what a yes to that question decides. None for other questions."""
    for pattern, label in _CHOICE:
        if match := pattern.match(question):
            return label, question[match.end() :].rstrip("?. ！？")
    return None
