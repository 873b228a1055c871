"""What several conversations say alike: patterns, concluded from facts that hold. Pure.

A pattern stands on at least three facts of one kind that share at least two words that say something, from as many
conversations, over two weeks or more. It is careful rather than complete: facts that merely speak of the same thing
("the staging server …") are no pattern, so the shared words must be much of what each fact says.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from memory_plugin.memory import excerpt
from memory_plugin.memory.extraction.words import STOP_WORDS
from memory_plugin.memory.fact import CATEGORIES, LONGEST_TEXT, Fact, fact_id, session_of

SOURCE = "review"  # of a pattern, where a fact names its conversation
FEWEST_FACTS = 3
FEWEST_CONVERSATIONS = 3
FEWEST_DAYS = 14  # between the first and the last
_FEWEST_SHARED = 2  # words that all of them have in common
_MOST_WORDS = 5  # of them in a sentence
_LEAST_SHARE, _MEAN_SHARE = 0.4, 0.6  # of each fact's words, and of all of them
_COMMON_WORD = 0.2  # share of a namespace's facts in which a word says nothing (the project's name)
_MANY_FACTS = 20  # from which on that is looked at
_LEAST_CONFIDENCE, _MOST_CONFIDENCE, _CONFIDENCE_STEP = 0.55, 0.95, 0.05
# In which kinds a repetition tells more than each of its facts; kinds that are mixed up easily are one.
_FAMILIES = {
    **dict.fromkeys(("preference", "habit", "constraint"), "preference"),
    **dict.fromkeys(("lesson", "event"), "lesson"),
    **dict.fromkeys(("decision", "procedure"), "decision"),
    "health": "health",
}
_WORD = re.compile(r"[^\W_]+[+#]*")
_NEGATION = re.compile(
    r"\b(?:no|not|never|without|nor|none|cannot|don't|doesn't|didn't|won't|can't|isn't|stop|avoid|"
    r"pas|jamais|sans|aucune?|plus de|ni|evite\w*)\b"
)
_NEGATED = "¬"
# Words that such facts are made of, whatever they are about.
_FILLERS = (
    "user always never please want wants wanted prefer prefers preferred like likes use used uses using keep keeps "
    "make makes made remember note project work working agreed decided decide choose chose new one two "
    "way thing things time times day today yesterday really first last next still get got put set every everything "
    "utilisateur toujours jamais veut veux voulons prefere preferer aime utilise utiliser utilisons garde garder "
    "projet decide choisi nouveau nouvelle chose choses fois jour hier aujourd hui stop avoid evite eviter"
)
_FEWEST_LETTERS = 3
_STEM_LETTERS = 4
_ENDINGS = (
    *("ements", "ement", "ations", "ation", "ments", "ment", "ions", "ings", "ing", "ion", "ers", "ees", "ent"),
    *("ed", "er", "es", "ee", "ez", "ly", "e", "s"),
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Facts that say something alike, the oldest first. shared: the words in common, as the clearest of them has them;
    conversations: how many said it, from the day `first` to the day `last`."""

    facts: tuple[Fact, ...]
    shared: tuple[str, ...]
    conversations: int
    first: str
    last: str

    @property
    def ids(self) -> tuple[str, ...]:
        """The facts that it stands on."""
        return tuple(fact.id for fact in self.facts)


def is_pattern(fact: Fact) -> bool:
    """Whether a fact was concluded by the review, not said."""
    return session_of(fact) == SOURCE


def find(facts: Iterable[Fact], sessions: Mapping[str, frozenset[str]]) -> list[Pattern]:
    """The patterns among the facts of a namespace, those of most facts first; none shares a fact with another.

    `sessions` names, by a fact's id, more conversations that said it than its source does.
    """
    candidates = sorted(
        (fact for fact in facts if fact.status == "active" and fact.category in _FAMILIES and not is_pattern(fact)),
        key=lambda fact: (fact.day, fact.id),
    )
    words = _words_of(candidates)
    counted = Counter(word for each in words.values() for word in each)
    groups: dict[tuple[str, ...], list[Fact]] = {}
    for fact in candidates:
        frequent = sorted(word for word in words[fact.id] - {_NEGATED} if counted[word] >= FEWEST_FACTS)
        for pair in combinations(frequent, _FEWEST_SHARED):
            groups.setdefault((_FAMILIES[fact.category], *pair), []).append(fact)
    found, taken = list[Pattern](), set[str]()
    for _, group in sorted(groups.items(), key=lambda each: (-len(each[1]), each[0])):
        for side in (True, False):  # what some want and others refuse is no pattern
            free = [fact for fact in group if fact.id not in taken and (_NEGATED in words[fact.id]) is side]
            pattern = _concluded(free, words, sessions)
            if pattern:
                found.append(pattern)
                taken.update(pattern.ids)
    return found


def conversations(facts: Iterable[Fact], sessions: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The conversations that said one of the facts; what was written by hand comes from none."""
    said = (sessions.get(fact.id, frozenset()) | {session_of(fact)} for fact in facts)
    return frozenset[str]().union(*said) - {""}


def sentence(pattern: Pattern) -> str:
    """The pattern in a sentence: what was said alike, how often and since when, in the words of the plainest fact."""
    shared = ", ".join(pattern.shared[:_MOST_WORDS])
    start = f"{pattern.conversations} conversations since {pattern.first} came back to {shared}; most plainly: "
    return start + excerpt.beginning(_clearest(pattern.facts).text, LONGEST_TEXT - len(start))


def fact_of(pattern: Pattern, namespace: str, day: str) -> Fact:
    """The pattern as a fact of the worldview, concluded on this day."""
    clearest = _clearest(pattern.facts)
    counted = Counter(fact.category for fact in pattern.facts)
    category = min(counted, key=lambda each: (-counted[each], each))
    confidence = min(_LEAST_CONFIDENCE + _CONFIDENCE_STEP * len(pattern.facts), _MOST_CONFIDENCE)
    return Fact(
        id=fact_id(namespace, f"{SOURCE} {' '.join(sorted(pattern.ids[:FEWEST_FACTS]))}"),
        text=sentence(pattern),
        category=category,
        predicate=clearest.predicate,
        subject=clearest.subject,
        object=clearest.object,
        importance=CATEGORIES[category][1],
        confidence=round(confidence, 2),
        day=day,
        at="",
        source=SOURCE,
        seen=pattern.last if pattern.last != day else "",
        support=pattern.conversations,
        supports=pattern.ids,
    )


def _concluded(
    group: Sequence[Fact], words: Mapping[str, frozenset[str]], sessions: Mapping[str, frozenset[str]]
) -> Pattern | None:
    """The pattern of a group that shares two words, without its facts that say too much else; None when it is none."""
    while len(group) >= FEWEST_FACTS:
        shared = frozenset[str].intersection(*(words[fact.id] for fact in group))
        shares = {fact.id: len(shared) / len(words[fact.id]) for fact in group}
        if min(shares.values()) >= _LEAST_SHARE and sum(shares.values()) / len(shares) >= _MEAN_SHARE:
            return _pattern(group, shared, sessions)
        least = min(group, key=lambda fact: (shares[fact.id], fact.id))
        group = [fact for fact in group if fact is not least]
    return None


def _pattern(group: Sequence[Fact], shared: frozenset[str], sessions: Mapping[str, frozenset[str]]) -> Pattern | None:
    said_in = conversations(group, sessions)
    own = {session_of(fact) for fact in group} - {""}
    first, last = group[0].day, max(fact.last_seen for fact in group)
    spread = _days_between(first, max(fact.day for fact in group))
    if min(len(own), len(said_in)) < FEWEST_CONVERSATIONS or spread < FEWEST_DAYS:
        return None
    spoken = [each for each in _WORD.findall(_clearest(group).text) if _stem(_folded(each)) in shared]
    return Pattern(tuple(group), tuple(dict.fromkeys(map(str.lower, spoken))), len(said_in), first, last)


def _clearest(facts: Sequence[Fact]) -> Fact:
    """The fact with the fewest words beside those that all share; the latest of them."""
    return min(reversed(facts), key=lambda fact: len(_words(fact.text)))


def _words_of(facts: Sequence[Fact]) -> dict[str, frozenset[str]]:
    """The words of each fact that say something, by its id; those that most of the facts have say nothing."""
    words = {fact.id: _words(fact.text) for fact in facts}
    counted = Counter(word for each in words.values() for word in each)
    most = len(facts) * _COMMON_WORD if len(facts) >= _MANY_FACTS else len(facts)
    common = {word for word, count in counted.items() if count > most} - {_NEGATED}
    return {identity: each - common for identity, each in words.items()}


def _words(text: str) -> frozenset[str]:
    folded = _folded(text)
    found = {_stem(word) for word in _WORD.findall(folded) if len(word) >= _FEWEST_LETTERS and word not in _EMPTY}
    return frozenset(found | ({_NEGATED} if _NEGATION.search(folded) else set()))


def _folded(text: str) -> str:
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return bare.casefold().replace("’", "'")


_EMPTY = frozenset(map(_folded, STOP_WORDS)) | frozenset(_FILLERS.split())


def _stem(word: str) -> str:
    """The word without its ending, English or French: only good for comparing."""
    ending = next((each for each in _ENDINGS if word.endswith(each) and len(word) - len(each) >= _STEM_LETTERS), "")
    stem = word[: len(word) - len(ending)]
    return stem[:-1] if len(stem) > _STEM_LETTERS and stem[-1] == stem[-2] else stem


def _days_between(first: str, last: str) -> int:
    try:
        return (date.fromisoformat(last) - date.fromisoformat(first)).days
    except ValueError:
        return 0
