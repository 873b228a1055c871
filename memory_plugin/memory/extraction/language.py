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
_CURLY = tuple(zip("’‘ʼ“”\u00a0\u202f", "'''\"\"  ", strict=True))
_AFTER_OPENER = r"(?:\s*[,.!:;…]+\s*|\s*[–—]\s*|\s+-+\s+)"
_MOST_OPENERS = 4
_HEAD = 3  # letters
_LATELY = 256  # sentences
_OTHER_SCRIPTS = "\u0400"
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
    if not text.isascii():
        for curly, plain in _CURLY:
            text = text.replace(curly, plain)
    return text


def small(text: str) -> str:
    """A text in small letters, as long as it was, so that what is found in it has the same place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(letter if len(letter.lower()) > 1 else letter.lower() for letter in text)


def spoken_in(text: str) -> Speech:
    """The speech of a text: English, and each further language that a word of it gives away."""
    found = frozenset(words(text))
    letters = frozenset[str]() if text.isascii() else frozenset(text.lower())
    return _speech(tuple(number for number, table in enumerate(LANGUAGES) if _shows(table, found, letters)))


def _shows(table: LanguageCues, found: frozenset[str], letters: frozenset[str]) -> bool:
    if not table.markers or not table.markers.isdisjoint(found):
        return True
    return bool(letters) and (not table.letters.isdisjoint(letters) or max(letters) >= table.script)


@cache
def _speech(numbers: tuple[int, ...]) -> Speech:
    return Speech([_language(number) for number in numbers])


@cache
def _language(number: int) -> Language:
    return Language(LANGUAGES[number], number)


class _Row:
    """A cue and its pattern. One that sees no difference between capitals and small letters is given small ones: five
    times as fast as to ignore the difference. rank: the lower, the stronger."""

    def __init__(self, cue: Cue, rank: tuple[float, int, int]) -> None:
        self.cue = cue
        self.rank = rank
        self.cased = "(?-i:" in cue.pattern
        self.pattern = Pattern(cue.pattern, re.IGNORECASE if self.cased else 0)


_Sign = tuple[str, _Row]


class _Rows:
    """The cues of one kind in one language, by the first letters of the words of which their sentences hold one.

    anywhere: those with a word that has no letters, elsewhere: with one in a script that may put no space before it.
    """

    def __init__(self, cues: Iterable[Cue], language: int) -> None:
        self.by_head: dict[str, list[_Sign]] = {}
        self.anywhere: list[_Sign] = []
        self.elsewhere: list[_Sign] = []
        for number, cue in enumerate(cues):
            row = _Row(cue, (-cue.weight, language, number))
            for word in cue.words.split("|"):  # one that is empty stands in every sentence
                head = next(iter(words(word)), "")[:_HEAD]
                if not head:
                    self.anywhere.append((word, row))
                elif head >= _OTHER_SCRIPTS:
                    self.elsewhere.append((word, row))
                else:
                    self.by_head.setdefault(head, []).append((word, row))
        self.heads = self.by_head.keys()


class Language:
    """The patterns of one table. They are given small letters, but for those that mind capitals."""

    def __init__(self, table: LanguageCues, number: int = 0) -> None:
        self.table = table
        self.number = number
        self.opener = Pattern(f"(?:{any_of(table.openers)}){_AFTER_OPENER}")
        self.soft_opener = Pattern(rf"(?:{any_of(table.soft_openers)})\s+(?=\S+\s)")
        self.narration = Pattern(any_of(table.narration))
        self.dangling = Pattern(any_of(table.dangling), re.IGNORECASE)
        self.agreement = Pattern(any_of(table.agreement))
        self.choice_question = Pattern(any_of(table.choice_question))
        self.request = Pattern(any_of(table.requests))
        self.errand = Pattern(any_of(table.errands))
        self.ours = Pattern(any_of(table.ours))
        self.follows = Pattern(any_of(table.follows))
        self.report_words = tuple(table.report_words.split())
        self.conditions = Pattern(any_of(table.conditions))
        self.supposed = Pattern(any_of(table.supposes))
        self.passing = Pattern(any_of(table.passing))
        self.points_back = Pattern(any_of(table.points_back), re.IGNORECASE)
        self.subjects = [Pattern(source, re.IGNORECASE) for source in table.subjects]
        self.still_open = Pattern(any_of(table.still_open))
        self.settled = Pattern(any_of(table.settled))
        self.severities = [(name, Pattern(source)) for name, source in table.severities]
        self.generic_heading = Pattern(any_of(table.generic_headings))

    @cached_property
    def stated(self) -> _Rows:
        """The cues of what the user states."""
        return _Rows(self.table.stated, self.number)

    @cached_property
    def noted(self) -> _Rows:
        """The cues of what anybody says."""
        return _Rows(self.table.noted, self.number)

    @cached_property
    def found(self) -> _Rows:
        """The cues of what the assistant found out."""
        return _Rows(self.table.found, self.number)

    @cached_property
    def reported(self) -> _Rows:
        """The cues of what the assistant reports as finished, given up or open again."""
        return _Rows(self.table.reported, self.number)


class Speech:
    """The languages of a message together: each question is answered by all of them."""

    def __init__(self, languages: list[Language]) -> None:
        self.languages = languages
        # what was said of the last sentences: a message is gone through by one rule after the other
        self._opened: dict[str, str] = {}
        self._subjects: dict[str, bool] = {}

    def reported_cue(self, sentence: str) -> Cue | None:
        """The cue of a sentence of the assistant's that says that a thing is finished, given up or open again."""
        return _first((language.reported for language in self.languages), sentence)

    def may_report(self, text: str) -> bool:
        """Whether a text holds a word that such a sentence needs."""
        lowered = text.lower()
        for language in self.languages:
            for word in language.report_words:
                if word in lowered:
                    return True
        return False

    def conditional(self, sentence: str) -> bool:
        """Whether a sentence speaks of what is to be finished, or isn't, rather than of what is."""
        lowered = small(sentence[:_LOOKED_AT])
        return any(language.conditions.search(lowered) for language in self.languages)

    def stated_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of something that the user stated, or None."""
        return _first((language.stated for language in self.languages), sentence)

    def noted_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of a sentence said by anybody, or None."""
        return _first((language.noted for language in self.languages), sentence)

    def found_cue(self, sentence: str) -> Cue | None:
        """The strongest cue of a cause, a fix, a pitfall, a command or an open item that is named as such, or None."""
        return _first((language.found for language in self.languages), sentence)

    def follows(self, sentence: str) -> bool:
        """Whether a sentence completes the one before it."""
        lowered = small(sentence)
        return any(language.follows.match(lowered) for language in self.languages)

    def supposes(self, sentence: str) -> bool:
        """Whether a sentence is an idea, a doubt or a question without its mark."""
        lowered = small(sentence[:_LOOKED_AT])
        return any(language.supposed.search(lowered) for language in self.languages)

    def passing(self, sentence: str) -> bool:
        """Whether a sentence is meant for this moment alone ("Don't change anything.", "See you tomorrow.")."""
        lowered = small(sentence[:_LOOKED_AT])
        return any(language.passing.search(lowered) for language in self.languages)

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
        lowered = small(text)
        for language in self.languages:
            if match := language.still_open.match(lowered):
                rest = text[match.end() :]
                if not rest.strip(" :."):
                    return language.table.open_label, ""
                if rest[:2].strip()[:1] == ":":
                    return language.table.open_label, rest.strip(" :")
        return None

    def settled(self, task: str) -> bool:
        """Whether a listed task needs nothing any more, or is none."""
        lowered = small(task)
        return any(language.settled.search(lowered) for language in self.languages)

    def severity(self, text: str) -> str:
        """How grave a lesson is, by the gravest of its words: critical, high or low; else medium."""
        lowered = small(text[:_LOOKED_AT])
        found = {name for each in self.languages for name, pattern in each.severities if pattern.search(lowered)}
        return next((name for name in ("critical", "high", "low") if name in found), "medium")

    def requests(self, sentence: str) -> bool:
        """Whether a sentence of the user's asks for work."""
        lowered = small(sentence)
        return any(language.request.match(lowered) for language in self.languages)

    def errand(self, request: str) -> bool:
        """Whether a text asks for something of this moment that has nothing to do with a project."""
        lowered = small(request)
        return any(language.errand.match(lowered) for language in self.languages) and not any(
            language.ours.search(lowered) for language in self.languages
        )

    def without_openers(self, sentence: str) -> str:
        """A sentence without the words at its start that carry nothing ("OK, so …"); its capital stays one."""
        if sentence not in self._opened:
            if len(self._opened) >= _LATELY:
                self._opened.clear()
            self._opened[sentence] = self._without_openers(sentence)
        return self._opened[sentence]

    def _without_openers(self, sentence: str) -> str:
        lowered = small(sentence)
        begin = 0
        for _ in range(_MOST_OPENERS):
            end = self._opener_ends(lowered[begin:])
            if not 0 < end < len(sentence) - begin:
                break
            begin += end
        text = sentence[begin:]
        if begin and text[0].islower() and sentence[0].isupper():
            text = text[0].upper() + text[1:]
        return text

    def only_opens(self, sentence: str) -> bool:
        """Whether a sentence is no more than such words ("Good call.")."""
        lowered = small(sentence)
        return any(language.opener.fullmatch(lowered) for language in self.languages)

    def _opener_ends(self, lowered: str) -> int:
        """Where the words at a text's start that carry nothing end; 0 when there are none."""
        for language in self.languages:
            if match := language.opener.match(lowered) or language.soft_opener.match(lowered):
                return match.end()
        return 0

    def narrates(self, sentence: str) -> bool:
        """Whether a sentence only tells what is being done this moment."""
        lowered = small(sentence)
        return any(language.narration.match(lowered) for language in self.languages)

    def dangles(self, sentence: str) -> bool:
        """Whether a sentence opens by pointing at something said before it."""
        return any(language.dangling.match(sentence) for language in self.languages)

    def names_a_subject(self, heading: str) -> bool:
        """Whether a heading says what the lines under it are about ("Deploy script", not "Summary")."""
        if heading not in self._subjects:
            if len(self._subjects) >= _LATELY:
                self._subjects.clear()
            self._subjects[heading] = self._names_a_subject(heading)
        return self._subjects[heading]

    def _names_a_subject(self, heading: str) -> bool:
        heading = heading.rstrip(" :")
        if not heading or self.still_open(heading):
            return False
        lowered = small(heading)
        return not any(language.generic_heading.fullmatch(lowered) for language in self.languages)

    def agrees(self, answer: str) -> bool:
        """Whether a whole answer is a yes."""
        lowered = small(answer)
        return any(language.agreement.fullmatch(lowered) for language in self.languages)

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
            if match := language.choice_question.match(small(question)):
                return language.table.chosen, question[match.end() :].rstrip("?. ！？")
        return None


def _first(kinds: Iterable[_Rows], sentence: str) -> Cue | None:
    """The strongest cue of a sentence: a strong one of one language beats a weak one of another."""
    sentence = sentence[:_LOOKED_AT]
    lowered = small(sentence)
    heads = {word[:_HEAD] for word in words(sentence)}
    likely: set[_Row] = set()
    for rows in kinds:
        likely.update([row for head in rows.heads & heads for word, row in rows.by_head[head] if word in lowered])
        likely.update([row for word, row in rows.anywhere if word in lowered])
        if rows.elsewhere and max(heads, default="") >= _OTHER_SCRIPTS:
            likely.update([row for word, row in rows.elsewhere if word in lowered])
    for row in sorted(likely, key=_rank) if len(likely) > 1 else likely:
        if row.pattern.search(sentence if row.cased else lowered):
            return row.cue
    return None


def _rank(row: _Row) -> tuple[float, int, int]:
    return row.rank
