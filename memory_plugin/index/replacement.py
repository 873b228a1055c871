"""Whether a text says that a value which another one names has made way: "moved from X to Y", "X is over"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_plugin.index.concepts import VERBS
from memory_plugin.index.evidence import Rarity, measure
from memory_plugin.index.wording import Word, Wording, found_in, read

_RARE = 0.4  # what ties two texts together is rarer than this among the facts of the project
_NEAR = 0.9  # in the unit of index.centring: so near, two texts need no word in common but the value
_FACT, _STORY = 16, 22  # words that say something: what has more holds several facts, or tells a story
# What is said before or behind a value that goes. `X` stands for the value.
_GOES = (
    r"\b(?:from|left|leave|leaving|instead of|rather than|not|no longer|no more|any more|goodbye,?|replace[sd]?"
    r"|replacing|drop(?:ped|ping|s)?|scrap(?:ped)?|ditch(?:ed)?|retired?|removed?|abandon(?:ed)?|gave up|give up"
    r"|used to be|too much for|over from|out of|rid of)(?: the| our| its| on| using)? X\b",
    r"\bX(?: [\w-]+){0,2}(?: is| was| has been| has| got|'s|,)? (?:gone|over|out|dead|dropped|retired|removed|history"
    r"|wrong|switched off|turned off|replaced|finished|no longer|no more|not any more|too small|too short|too low"
    r"|too slow)\b",
    r"\b(?:adieu,?|quitte[rz]?|quitté|abandonne[rz]?|abandonné|plutôt que?|au lieu de?|laisse tomber|lâche|lâché"
    r"|remplace[rz]?|remplacé|viré?e?|arrête|arrêté|pas|fini|pass\w+(?:-l[ea])? de)(?: le| la| les| à| d'| de)? X\b",
    r"\bX,? (?:c'est (?:fini|terminé|mort|passé)|est (?:mort|fini|terminé|parti|partie|abandonné)|n'est plus"
    r"|plus jamais)",
)


def replacement(old: str, new: str, nearness: float | None, rarity: Rarity) -> str:
    """The value of `old` in whose place `new` puts another one; "" when it does not.

    nearness and rarity are those of `reconciliation.compare`.
    """
    before, after = read(old), read(new)
    if len(before.content) > _STORY or len(after.content) > _STORY:
        return ""
    topic = _topic(before, after, rarity)
    for word in before.words:
        kinds = _kinds(before, word)
        here = next((each for each in after.words if kinds and each.plain == word.plain), None)
        near = nearness is not None and nearness >= _NEAR and not word.number
        if here is None or not (topic or near) or not _goes(here, after.text):
            continue
        others = [each for each in after.words if each.plain != word.plain and _kinds(after, each)]
        others = [each for each in others if not found_in(each, before.words)]
        if any(kinds & _kinds(after, each) or (not word.number and each.name and not each.path) for each in others):
            return word.plain
    return ""


def holds_several(text: str) -> bool:
    """Whether a fact says so much that a change of one value leaves most of it as it is."""
    return len(read(text).content) > _FACT


def _goes(word: Word, text: str) -> bool:
    value = re.escape(word.plain.replace("_", " "))
    return any(re.search(row.replace("X", value), text) for row in _GOES)


def _kinds(text: Wording, word: Word) -> set[str]:
    """Of what kinds a value is: what a number measures, the rows of a known word, a name."""
    if word.number:
        return {measure(text, word)}
    if word.kinds:
        return {f"kind {each}" for each in word.kinds}
    return {"name"} if word.name and not word.path else set()


def _topic(before: Wording, after: Wording, rarity: Rarity) -> bool:
    """Whether both speak of the same thing, their values left aside."""
    right = list(_plain(after))
    return any(rarity(word.root) >= _RARE and found_in(word, right) for word in _plain(before))


def _plain(text: Wording) -> Iterable[Word]:
    return (word for word in text.content if not text.is_value(word) and not word.name and word.plain not in VERBS)
