"""The shape of a language's cue table. A new language is one more module like english, listed in language.py."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that shows what a sentence is for.

    pattern is a regular expression, matched without regard to case; weight is added to a statement's score, and what is
    above 1 raises its importance. words, if any, have strokes between, in small letters: a sentence without any of them
    is not looked at, which costs a hundredth of a pattern. Each begins where a word begins, at least with its first
    three letters or, if it is shorter, as a whole: "was" or "was " for "was caused by", not "aused".
    """

    category: str
    predicate: str
    weight: float
    pattern: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class LanguageCues:
    """What one language's speakers write when they say something worth keeping, and when they don't.

    stated: said by the user. noted: said by anybody. Of both the strongest match decides, the earlier of two as strong.
    Their patterns see small letters only, unless one holds a part that minds capitals, (?-i:[A-Z]).
    openers: words at the start that carry nothing when a mark follows, soft_openers: whatever follows.
    narration: a sentence that only tells what is done this moment. dangling: a start that points at something said
    before. agreement: the user's whole answer is a yes. choice_question: the part of a question that precedes what is
    to be decided, chosen: the label of the decision. ordinals: words for the first, second … option.
    pronouns: words that stand for something said elsewhere. generic_headings: titles that name no subject.
    found: what the assistant found out or left open, said so plainly that it is kept where there is room for little.
    follows: a sentence that completes such a one. requests: how the user begins to ask for work. errands: how a
    question of general knowledge begins. ours: words of a project, which make it one about the project.
    reported: what the assistant says of a thing that is finished, given up or open again.
    report_words: of which each such sentence holds one, or the start of one. conditions: in such a sentence of
    the user's, something that is to be finished, not something that is.
    supposes: an idea, a doubt or a question without its mark: nothing that is so. passing: an instruction for this
    moment, a farewell. points_back: the thing that a
    sentence changes stands in one before it. subjects: what a sentence is about, in its group "subject".
    still_open: the lead-in or title of what is left to do, open_label: how such a task is named. settled: a task that
    needs nothing any more. severities: how grave a lesson is, the gravest first.
    markers, letters: words and letters of which one shows that a text is in this language, script: the first character
    of the scripts that do. A language without markers is looked for in every text.
    """

    stated: tuple[Cue, ...] = ()
    noted: tuple[Cue, ...] = ()
    openers: tuple[str, ...] = ()
    narration: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    agreement: tuple[str, ...] = ()
    choice_question: tuple[str, ...] = ()
    chosen: str = ""
    ordinals: dict[str, int] = field(default_factory=dict)
    pronouns: str = ""
    generic_headings: tuple[str, ...] = ()
    found: tuple[Cue, ...] = ()
    errands: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    soft_openers: tuple[str, ...] = ()
    reported: tuple[Cue, ...] = ()
    report_words: str = ""
    conditions: tuple[str, ...] = ()
    supposes: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    points_back: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    still_open: tuple[str, ...] = ()
    open_label: str = ""
    settled: tuple[str, ...] = ()
    severities: tuple[tuple[str, str], ...] = ()
    markers: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    script: str = "\U0010ffff"
