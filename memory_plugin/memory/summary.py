"""The free extraction: what the client's own compaction summary is asked for, and how the answer is read.

PreCompact's plain standard output is appended to the client's summary prompt. The summary then stands in the
transcript, and the next flush reads the section from it.
"""

from __future__ import annotations

import re

from memory_plugin.memory.extraction.language import spoken_in
from memory_plugin.memory.extraction.words import content_words, stem
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, LONGEST_TEXT, SEVERITIES, Candidate, slug

HEADING = "Durable facts"
INSTRUCTION = f"""\
At the very end of the summary, inside its own tags, add a section headed "## {HEADING}": at most 12 lines, each
"- [category] one sentence". Keep what will still matter in a month: decisions with their reason, the user's standing
instructions and preferences, corrections, root causes with their fix, how this project is built, run, tested and
deployed, gotchas, names and addresses, open tasks. Each sentence must be understood by someone who has not seen this
conversation. Leave out secrets, what the files already say and what was only a step on the way. Write in the user's
language. The category is one of: {", ".join(CATEGORIES)}. A lesson names its severity too, one of
{", ".join(SEVERITIES)}: "[lesson, high] …". Give each open task a line of its own, with "[goal]".
If there is nothing of this kind, leave the section out."""

MOST_FACTS = 20
_SECTION = re.compile(rf"^[ \t]{{0,3}}(?:#{{1,6}}|\*\*)?[ \t]{{0,9}}{HEADING}[ \t\r:*]*$", re.I | re.M)
_NEXT_SECTION = re.compile(r"^\s{0,3}#{1,6}\s|^[ \t]*</?summary|^If you need specific details", re.M)
_SEVERITY = r"(?:\s{0,3}[,:/(]\s{0,3}(\w+)\)?)?"  # "[lesson, critical]", "lesson (high):"
_LINE = re.compile(
    r"^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s{0,9}"
    rf"(?:\[(?P<bracket>\w+){_SEVERITY}\]|\*\*\[?(?P<bold>\w+){_SEVERITY}\]?:?\*\*:?|(?P<plain>\w+){_SEVERITY}:)"
    r"[\s:]*(?P<text>\S.*)$"
)
_ITEM = re.compile(r"\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s")
_REPEATED = 0.8  # of an item's words
_PREDICATE = {
    "identity": "is",
    "relationship": "works_with",
    "health": "has",
    "preference": "prefers",
    "habit": "did",
    "constraint": "requires",
    "project": "is",
    "decision": "decided",
    "goal": "plans",
    "procedure": "runs",
    "reference": "located",
    "lesson": "learnt",
    "event": "did",
}
_OF_THE_USER = frozenset({"identity", "preference", "habit", "health", "relationship"})


def split_facts(text: str) -> tuple[str, list[Candidate]]:
    """A compaction summary without its section of durable facts, and those facts; what doesn't parse is no fact.

    An item of the rest that says the same as one of them is left out too.
    """
    openings = list(_SECTION.finditer(text))
    if not openings:
        return text, []
    opening = openings[-1]  # the summary may quote the instruction before it
    rest = text[opening.end() :]
    closing = _NEXT_SECTION.search(rest)
    section, after = (rest[: closing.start()], rest[closing.start() :]) if closing else (rest, "")
    facts = [fact for line in section.splitlines() if (fact := _fact(line))]
    facts = facts[:MOST_FACTS]
    return _without(facts, text[: opening.start()]) + after, facts


def _without(facts: list[Candidate], text: str) -> str:
    """A text without the list items that say what one of the facts says: a pending task that is named there too."""
    said = [{stem(word) for word in content_words(fact.text)} for fact in facts]
    return "".join(line for line in text.splitlines(keepends=True) if not _repeats(line, said))


def _repeats(line: str, said: list[set[str]]) -> bool:
    if not _ITEM.match(line):
        return False
    told = {stem(word) for word in content_words(line)}
    return len(told) > 1 and any(len(told & fact) >= _REPEATED * len(told) for fact in said)


def _fact(line: str) -> Candidate | None:
    found = _LINE.match(line)
    if not found:
        return None
    category = (found["bracket"] or found["bold"] or found["plain"]).lower()
    text = found["text"].strip().strip("*").strip()
    severity = next((word.lower() for word in found.groups()[1:6:2] if word), "")
    if category not in CATEGORIES or not 15 <= len(text) <= LONGEST_TEXT or text.endswith("?"):
        return None
    return Candidate(
        text=text,
        category=category,
        predicate=_PREDICATE[category],
        subject="user" if category in _OF_THE_USER else "project",
        object=slug(text),
        importance=CATEGORIES[category][1],
        confidence=CONFIDENCE_STATED,
        severity=_severity(severity, text) if category == "lesson" else "",
    )


def _severity(said: str, text: str) -> str:
    """How grave a lesson is: as the line says, else by its words."""
    return said if said in SEVERITIES else spoken_in(text).severity(text)
