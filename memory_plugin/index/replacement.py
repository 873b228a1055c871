"""Whether a text says that a value which another one names has made way: "moved from X to Y", "X is over"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_plugin.index.concepts import VERBS
from memory_plugin.index.evidence import Rarity, measure
from memory_plugin.index.wording import Word, Wording, found_in, read

_RARE = 0.4  # what ties two texts together is rarer than this among the facts of the project
_NEAR = 0.9  # in the unit of index.centring: so near, two texts need no word in common but the value
_FACT, _STORY, _SHORT = (
    24,
    24,
    6,
)  # words that say something: what has more holds several facts, or tells a story; a short one says one thing
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
    r"\b(?:at present|currently|so far|until now|up to now|till now|actuellement|jusqu'ici|jusqu'à présent)\b"
    r"[^.;:]{0,60}\bX\b",
    r"\bX,? (?:c'est (?:fini|terminé|mort|passé)|est (?:mort|fini|terminé|parti|partie|abandonné)|n'est plus"
    r"|plus jamais)",
)
# … and where it goes on under another name.
_BECAME = (
    r"\brenam(?:e|ed|ing|es)\b[^.;]{0,40}(?<![\w/.-])X(?![\w/-])`? (?:is now|to|into|as|->|→) `?\w",
    r"\brenomm\w+ [^.;]{0,40}(?<![\w/.-])X(?![\w/-])`? (?:en|->|→) `?\w",
    r"(?<![\w/.-])X(?![\w/-])`? (?:is|was|has been|est|a été) (?:now |désormais |maintenant )?"
    r"(?:called|named|renamed(?: to)?|rebaptisée?|renommée?(?: en)?) (?!by\b|from\b|in\b|on\b|after\b|par\b)`?\w",
    r"(?<![\w/.-])X(?![\w/-])`? s'appelle (?:désormais|maintenant) `?\w",
)
_SPAN = re.compile(r"`[^`\n]+`")

# What a project has one of at a time: by the root of the words that name it, the roots of which its value is one.
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_SLOTS = {"release": _DAYS, "review": frozenset[str](), "own": frozenset[str]()}  # none: a person's name
_DATED = frozenset({"release", "launch", "due"})  # what has a date
_WRITTEN = {
    "tests": re.compile(
        r"\b((?:make|just|npm|pnpm|yarn|bun|cargo|go|rake|tox|nox|gradle|mvn|task) (?:run )?\w*test\w*"
        r"|pytest|vitest|jest)\b"
    ),
    "port": re.compile(r"(?:\bport(?: is|:)? |localhost:|\b(?:on|auf|sur) (?:le )?(?:port )?)(\d{4,5})\b(?!-)"),
}
_OF_ITS_THING = frozenset({"own", "port"})  # of each thing one, so the thing must be named in both
# What holds for somebody or something alone changes nothing for the others.
_ONLY = re.compile(
    r"\b(?:only|just for|except|unless|apart from|seulement|uniquement|sauf|chez (?:lui|elle|moi|eux|toi)"
    r"|on (?:his|her|their|my|your) (?:machine|laptop|branch|fork))\b"
)
_IT = re.compile(r"\b(?:put|move|serve|run|mets|passe)[ -](?:it|that|le|la|ça)\b")
_TAKES = re.compile(r"\b(?:takes?|took|taking)\b.{0,40}\b(?:over|from)\b|\bask\b|\b(?:belongs? to|reprend|repris)\b")
_NEWS = ("anew", "gone", "corrected")
_PUT = re.compile(
    r"\b(?:everywhere|put \w+ as|partout|mets \w+ comme|from (?:today|tomorrow|now)|as of|changes?|changed|changement"
    r"|à partir|on avance|on décale)\b"
)


def replacement(old: str, new: str, nearness: float | None, rarity: Rarity) -> str:
    """The value of `old` in whose place `new` puts another one, or of what that is one; "" when it does not.

    nearness and rarity are those of `reconciliation.compare`.
    """
    before, after = read(old), read(new)
    if len(before.content) > _STORY or len(after.content) > _STORY:
        return ""
    topic = _topic(before, after, rarity)
    code = _code(before.text) + _code(after.text)
    for word in before.words:
        kinds = _kinds(before, word) - ({"name"} if word.plain in code else set())
        here = next((each for each in after.words if kinds and each.plain == word.plain), None)
        near = nearness is not None and nearness >= _NEAR and not word.number
        near = near or (word.name and len(before.content) <= _SHORT and rarity(word.root) >= _RARE)
        if here is None or not (topic or near) or not _goes(here, after.text):
            continue
        others = [each for each in after.words if each.plain != word.plain and _kinds(after, each)]
        others = [each for each in others if not found_in(each, before.words)]
        if any(kinds & _kinds(after, each) or (not word.number and each.name and not each.path) for each in others):
            return word.plain
    return _other_value(before, after, topic)


def renamed(old: str, new: str, rarity: Rarity) -> str:
    """The name in `old` that `new` says to be another one now; "" when there is none. The rest of `old` holds."""
    before, after = read(old), read(new)
    topic, code = _topic(before, after, rarity), _code(before.text)
    for word in before.words:
        name, value = word.name or word.plain in code, re.escape(word.plain)
        goes_on = any(re.search(row.replace("X", value), after.text) for row in _BECAME)
        if name and goes_on and (topic or not word.plain.isalpha()):
            return word.plain
    return ""


def restates(value: str, old: str, other: str) -> bool:
    """Whether another text gives the value that `old` lost, of the same kind: as large, as long, the same name."""
    before, beside = read(old), read(other)
    lost = {kind for word in before.words if word.plain == value for kind in _kinds(before, word)}
    return any(word.plain == value and lost & _kinds(beside, word) for word in beside.words)


def answers_anew(old: str, new: str, question: str) -> bool:
    """Whether a later text gives another value than `old` of what a question asks for, of which there is one at a time,
    and `old` names nothing of what the question is about that the later text does not."""
    before, after = read(old), read(new)
    came, went = _slots(after), _slots(before)
    differ = [slot for slot in went if slot in came and not went[slot] & came[slot]]
    if not differ:
        return False
    asked = read(question)
    slots = [slot for slot in differ if any(word.root == slot for word in asked.words)]
    about = [word for word in asked.content if word.root not in came]
    missed = any(found_in(word, before.content) and not found_in(word, after.content) for word in about)
    tied = any(found_in(word, after.content) for word in about)
    return not missed and any(tied or slot not in _OF_ITS_THING for slot in slots)


def holds_several(text: str) -> bool:
    """Whether a fact says so much that a change of one value leaves the rest of it as it is."""
    wording = read(text)
    return len(wording.content) > _FACT or len(_slots(wording)) > 1


def _other_value(before: Wording, after: Wording, topic: bool) -> str:
    """The value in `before` of something of which there is one at a time, when `after` gives it another one."""
    said = (any(after.says(table) for table in _NEWS) or _PUT.search(after.text)) and not _ONLY.search(after.text)
    if not said or before.says("happened") or before.says("negated"):
        return ""
    new = _slots(after)
    for slot, values in _slots(before).items():
        came = new.get(slot, frozenset()) - values
        known = topic or slot not in _OF_ITS_THING or (slot == "port" and _IT.search(after.text))
        if came and known and not _apart(before, after):
            return slot
    return ""


def _slots(text: Wording) -> dict[str, frozenset[str]]:
    """The values of what a project has one of at a time."""
    roots = {word.root for word in text.words} | ({"own"} if _TAKES.search(text.text) else set())
    named = frozenset(word.plain for word in text.words if _is_person(text, word))
    found = {
        slot: frozenset(word.root for word in text.words if word.root in days) if days else named
        for slot, days in _SLOTS.items()
        if slot in roots
    }
    found |= {slot: frozenset(row.findall(text.text)) for slot, row in _WRITTEN.items()}
    found["date"] = frozenset(_dates(text)) if roots & _DATED else frozenset()
    return {slot: values for slot, values in found.items() if values}


def _dates(text: Wording) -> Iterable[str]:
    """The days of a month that a text names: 14 December, December 14."""
    for left, right in zip(text.words, text.words[1:], strict=False):
        month = next((each.root for each in (left, right) if each.root in _MONTHS), "")
        day = next((each.plain for each in (left, right) if each.number), "")
        if month and day:
            yield f"{day} {month}"


def _is_person(text: Wording, word: Word) -> bool:
    """Whether a word may be somebody's name; the first of a text too, before a verb."""
    plain = word.capital and word.plain.isalpha() and not word.kinds and not word.filler and not word.sides
    return plain and word.root not in _SLOTS and (word.name or (word.place == 0 and _begins(text)))


def _begins(text: Wording) -> bool:
    """Whether the first word does what the second one says."""
    second = text.words[1] if len(text.words) > 1 else None
    return second is not None and (second.plain in VERBS or second.plain == "does" or second.root in _SLOTS)


def _apart(before: Wording, after: Wording) -> bool:
    """Whether each names another one of two neighbours: staging and production, the API and the database."""
    for side in {side for word in before.words for side in word.sides}:
        here, there = ({word.root for word in each.words if side in word.sides} for each in (before, after))
        if there and not here & there:
            return True
    return False


def _code(text: str) -> str:
    """What stands in a text as code: names there are those of its parts."""
    return "\n".join(_SPAN.findall(text))


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
