"""What a sentence is for, by the cue tables of the languages that its message is written in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property

from memory_plugin.memory.extraction.languages.english import ENGLISH
from memory_plugin.memory.extraction.languages.french import FRENCH
from memory_plugin.memory.extraction.languages.other import OTHER
from memory_plugin.memory.extraction.languages.table import Cue, LanguageCues
from memory_plugin.memory.extraction.pattern import Pattern, any_of
from memory_plugin.memory.extraction.words import words

LANGUAGES = (ENGLISH, FRENCH, OTHER)
PRONOUNS = frozenset(word for table in LANGUAGES for word in table.pronouns.split())
_CURLY = str.maketrans("’‘ʼ“”\u00a0\u202f", "'''\"\"  ")
_AFTER_OPENER = r"(?:\s*[,.!:;…]+\s*|\s*[–—]\s*|\s+-+\s+)"
_MOST_OPENERS = 4
# Of a sentence, in characters: patterns with a ".*" cost the square of what they look at.
_LOOKED_AT = 500
_CHOOSING = Pattern(
    r"(?:(?:yes|yeah|ok|okay|oui|d'accord|sure|so)[,.! ]+)?(?:(?:let'?s |i'?d |i'll |we'll |please |je |j'|on )?"
    r"(?:go|going|do|take|pick|choose|prefer|say|like|prends|choisis|pr[eé]f[eè]re|part|pars|va)\s+)?(?:with |"
    r"for |sur |avec |pour )?"
    r"(?:the |option |l'option |la |le |number |num[eé]ro |#|n°)*(?P<choice>[a-f1-9]|\w+)\b(?: (?:one|option|"
    r"approach|solution))?[).!,]*$",
    re.IGNORECASE,
)


def straight(text: str) -> str:
    """A text with straight quotes and ordinary spaces: what the patterns expect."""
    return text if text.isascii() else text.translate(_CURLY)


def spoken_in(text: str) -> Speech:
    """The speech of a text: English, and each further language that a word of it gives away."""
    found = frozenset(words(text))
    letters = "" if text.isascii() else text.lower()
    return _speech(tuple(number for number, table in enumerate(LANGUAGES) if _shows(table, found, letters)))


def _shows(table: LanguageCues, found: frozenset[str], letters: str) -> bool:
    if not table.markers or not table.markers.isdisjoint(found):
        return True
    return bool(letters) and (not table.letters.isdisjoint(letters) or max(letters) >= table.script)


@cache
def _speech(numbers: tuple[int, ...]) -> Speech:
    return Speech([_language(number) for number in numbers])


@cache
def _language(number: int) -> Language:
    return Language(LANGUAGES[number])


class _Row:
    """A cue and its pattern. One that sees no difference between capitals and small letters is given small ones: five
    times as fast as to ignore the difference."""

    def __init__(self, cue: Cue) -> None:
        self.cue = cue
        self.cased = "(?-i:" in cue.pattern
        self.pattern = Pattern(cue.pattern, re.IGNORECASE if self.cased else 0)
        self.words = tuple(cue.words.split("|")) if cue.words else ()

    def shows(self, sentence: str, lowered: str) -> bool:
        """Whether the cue is in a sentence, which is given in small letters too."""
        if self.words and not any(word in lowered for word in self.words):
            return False
        return self.pattern.search(sentence if self.cased else lowered) is not None


class Language:
    """The patterns of one table."""

    def __init__(self, table: LanguageCues) -> None:
        self.table = table
        self.stated = [_Row(cue) for cue in table.stated]
        self.noted = [_Row(cue) for cue in table.noted]
        self.found = [_Row(cue) for cue in table.found]
        self.reported = [_Row(cue) for cue in table.reported]
        self.opener = Pattern(f"(?:{any_of(table.openers)}){_AFTER_OPENER}", re.IGNORECASE)
        self.soft_opener = Pattern(rf"(?:{any_of(table.soft_openers)})\s+(?=\S+\s)", re.IGNORECASE)
        self.narration = Pattern(any_of(table.narration), re.IGNORECASE)
        self.dangling = Pattern(any_of(table.dangling), re.IGNORECASE)
        self.agreement = Pattern(any_of(table.agreement), re.IGNORECASE)
        self.choice_question = Pattern(any_of(table.choice_question), re.IGNORECASE)
        self.request = Pattern(any_of(table.requests), re.IGNORECASE)
        self.errand = Pattern(any_of(table.errands), re.IGNORECASE)
        self.ours = Pattern(any_of(table.ours), re.IGNORECASE)
        self.follows = Pattern(any_of(table.follows), re.IGNORECASE)
        self.report_words = tuple(table.report_words.split())
        self.conditions = Pattern(any_of(table.conditions), re.IGNORECASE)
        self.supposed = Pattern(any_of(table.supposes), re.IGNORECASE)
        self.passing = Pattern(any_of(table.passing), re.IGNORECASE)
        self.points_back = Pattern(any_of(table.points_back), re.IGNORECASE)
        self.subjects = [Pattern(source, re.IGNORECASE) for source in table.subjects]
        self.still_open = Pattern(any_of(table.still_open), re.IGNORECASE)
        self.settled = Pattern(any_of(table.settled), re.IGNORECASE)
        self.severities = [(name, Pattern(source, re.IGNORECASE)) for name, source in table.severities]
        self.generic_heading = Pattern(any_of(table.generic_headings), re.IGNORECASE)


class Speech:
    """The languages of a message together: each question is answered by all of them."""

    def __init__(self, languages: list[Language]) -> None:
        self.languages = languages

    @cached_property
    def _stated(self) -> list[_Row]:
        return _by_strength(row for language in self.languages for row in language.stated)

    @cached_property
    def _noted(self) -> list[_Row]:
        return _by_strength(row for language in self.languages for row in language.noted)

    @cached_property
    def _found(self) -> list[_Row]:
        return _by_strength(row for language in self.languages for row in language.found)

    @cached_property
    def _reported(self) -> list[_Row]:
        return _by_strength(row for language in self.languages for row in language.reported)

    def reported_cue(self, sentence: str) -> Cue | None:
        """The cue of a sentence of the assistant's that says that a thing is finished, given up or open again."""
        return _first(self._reported, sentence)

    def may_report(self, text: str) -> bool:
        """Whether a text holds a word that such a sentence needs."""
        text = text.lower()
        return any(word in text for language in self.languages for word in language.report_words)

    def conditional(self, sentence: str) -> bool:
        """Whether a sentence speaks of what is to be finished, or isn't, rather than of what is."""
        return any(language.conditions.search(sentence[:_LOOKED_AT]) for language in self.languages)

    def stated_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of something that the user stated, or None."""
        return _first(self._stated, sentence)

    def noted_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of a sentence said by anybody, or None."""
        return _first(self._noted, sentence)

    def found_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of a cause, a fix, a pitfall, a command or an open item that is named as such, or None."""
        return _first(self._found, sentence)

    def follows(self, sentence: str) -> bool:
        """Whether a sentence completes the one before it."""
        return any(language.follows.match(sentence) for language in self.languages)

    def supposes(self, sentence: str) -> bool:
        """Whether a sentence is an idea, a doubt or a question without its mark."""
        sentence = sentence[:_LOOKED_AT]
        return any(language.supposed.search(sentence) for language in self.languages)

    def passing(self, sentence: str) -> bool:
        """Whether a sentence is meant for this moment alone ("Don't change anything.", "See you tomorrow.")."""
        return any(language.passing.search(sentence[:_LOOKED_AT]) for language in self.languages)

    def points_back(self, sentence: str) -> bool:
        """Whether a sentence changes a thing that it does not name ("let's put it on 9090")."""
        return any(language.points_back.match(sentence) for language in self.languages)

    def subject(self, sentence: str) -> str:
        """The thing that a sentence is about ("the export"), or nothing."""
        sentence = sentence[:_LOOKED_AT]
        for language in self.languages:
            for pattern in language.subjects:
                if match := pattern.search(sentence):
                    return match["subject"]
        return ""

    def still_open(self, text: str) -> tuple[str, str] | None:
        """The label of open tasks and what follows it ("Not done yet: the print style"), or nothing after a title.

        None for a text that does not open so.
        """
        for language in self.languages:
            if match := language.still_open.match(text):
                rest = text[match.end() :]
                if not rest.strip(" :."):
                    return language.table.open_label, ""
                if rest[:2].strip()[:1] == ":":
                    return language.table.open_label, rest.strip(" :")
        return None

    def settled(self, task: str) -> bool:
        """Whether a listed task needs nothing any more, or is none."""
        return any(language.settled.search(task) for language in self.languages)

    def severity(self, text: str) -> str:
        """How grave a lesson is, by the gravest of its words: critical, high or low; else medium."""
        text = text[:_LOOKED_AT]
        found = {name for each in self.languages for name, pattern in each.severities if pattern.search(text)}
        return next((name for name in ("critical", "high", "low") if name in found), "medium")

    def requests(self, sentence: str) -> bool:
        """Whether a sentence of the user's asks for work."""
        return any(language.request.match(sentence) for language in self.languages)

    def errand(self, request: str) -> bool:
        """Whether a text asks for something of this moment that has nothing to do with a project."""
        return any(language.errand.match(request) for language in self.languages) and not any(
            language.ours.search(request) for language in self.languages
        )

    def without_openers(self, sentence: str) -> str:
        """A sentence without the words at its start that carry nothing ("OK, so …"); its capital stays one."""
        text = sentence
        for _ in range(_MOST_OPENERS):
            match = self._opener(text)
            if match is None or match.end() >= len(text):
                break
            text = text[match.end() :]
        if text is not sentence and text[0].islower() and sentence[0].isupper():
            text = text[0].upper() + text[1:]
        return text

    def only_opens(self, sentence: str) -> bool:
        """Whether a sentence is no more than such words ("Good call.")."""
        return any(language.opener.fullmatch(sentence) for language in self.languages)

    def _opener(self, text: str) -> re.Match[str] | None:
        for language in self.languages:
            if match := language.opener.match(text) or language.soft_opener.match(text):
                return match
        return None

    def narrates(self, sentence: str) -> bool:
        """Whether a sentence only tells what is being done this moment."""
        return any(language.narration.match(sentence) for language in self.languages)

    def dangles(self, sentence: str) -> bool:
        """Whether a sentence opens by pointing at something said before it."""
        return any(language.dangling.match(sentence) for language in self.languages)

    def names_a_subject(self, heading: str) -> bool:
        """Whether a heading says what the lines under it are about ("Deploy script", not "Summary")."""
        heading = heading.rstrip(" :")
        if not heading or self.still_open(heading):
            return False
        return not any(language.generic_heading.fullmatch(heading) for language in self.languages)

    def agrees(self, answer: str) -> bool:
        """Whether a whole answer is a yes."""
        return any(language.agreement.fullmatch(answer) for language in self.languages)

    def chosen_option(self, answer: str) -> int:
        """The option an answer picks ("the second", "B", "option 2"), counted from 1; 0 when it picks none."""
        match = _CHOOSING.match(answer)
        if match is None:
            return 0
        choice = match.group("choice").lower()
        if choice.isdecimal():
            return int(choice)
        if len(choice) == 1 and choice in "abcdef":
            return ord(choice) - ord("a") + 1
        return next((n for language in self.languages if (n := language.table.ordinals.get(choice, 0))), 0)

    def decided(self, question: str) -> tuple[str, str] | None:
        """('Decided', 'use X') for "Should we use X?": what a yes to it decides. None for other questions."""
        for language in self.languages:
            if match := language.choice_question.match(question):
                return language.table.chosen, question[match.end() :].rstrip("?. ！？")
        return None


def _by_strength(rows: Iterable[_Row]) -> list[_Row]:
    """The rows of several languages, so that a strong cue of one beats a weak one of another."""
    return sorted(rows, key=lambda row: -row.cue.weight)


def _first(rows: list[_Row], sentence: str) -> Cue | None:
    sentence = sentence[:_LOOKED_AT]
    lowered = sentence.lower()
    return next((row.cue for row in rows if row.shows(sentence, lowered)), None)
