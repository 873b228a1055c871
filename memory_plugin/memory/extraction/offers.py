"""Short answers: a yes, or "the second one", means something only with the question it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_plugin.memory.extraction.language import spoken_in, straight
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.progress import OFFER_LIMIT
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.extraction.statements import Statement, shorten
from memory_plugin.memory.extraction.words import content_words, slug
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, Candidate
from memory_plugin.memory.transcript import Role

_ANSWER_LIMIT = 60
_OPTION = Pattern(
    r"\s*(?:\|\s*)?[-*•]?\s*(?:\*\*)?\s*(?:option\s+)?(\d{1,2}|[A-Fa-f])\s*[).:–—]\s*(?:\*\*)?\s*(.+)", re.IGNORECASE
)
_MARKS = Pattern(r"\*\*|__|`(?=\*)|\s*\((?:recommended|recommandée?)\)", re.IGNORECASE)
_CELL = Pattern(r"\s*\|\s*")
# How to go about this session is no decision about the project; "with it" needs what stood above.
_ELSEWHERE = Pattern(
    r"\b(?:this|separate|parallel|cette|autre) session\b|\bsub-?agents?\b|\b(?:it|this|that|them|[cç]a|cela)\W*$",
    re.IGNORECASE,
)


def made(role: Role, text: str, blocks: Sequence[Statement]) -> str:
    """What the next answer may answer: the options and the last question of an assistant message, at most OFFER_LIMIT
    characters.

    A message of the assistant that asks nothing leaves nothing to answer; the user's own message uses the offer up.
    """
    if role != "assistant" or not blocks or "?" not in text[-400:]:
        return ""
    options = _last_options(text)
    question = next((s for block in reversed(blocks[-4:]) for s in reversed(block.sentences) if s.endswith("?")), "")
    lines = [shorten(question, 200), *(shorten(option, 120) for option in options)]
    return "\n".join(lines)[:OFFER_LIMIT]


def _last_options(text: str) -> list[str]:
    """The options listed last in a message: those numbered or lettered from the start, at most six."""
    options: list[str] = []
    for line in text[-4000:].split("\n"):
        if match := _OPTION.match(line[:200]):
            if match.group(1).lower() in ("1", "a"):
                options = []
            options.append(_CELL.sub(" – ", _MARKS.sub("", match.group(2)).strip(" |")))
    return options[:6] if len(options) > 1 else []


def answered(text: str, offer: str) -> list[Candidate]:
    """What a short answer decides, given the question before it: at most one decision that stands alone."""
    answer = straight(text.strip())
    if not offer or len(answer) > _ANSWER_LIMIT or "\n" in answer:
        return []
    question, *options = offer.split("\n")
    speech = spoken_in(f"{answer}\n{question}")
    line = ""
    number = speech.chosen_option(answer)
    if options and 0 < number <= len(options):
        line = f"{_label(question)}: {_about(question)}{options[number - 1]}"
    elif speech.agrees(answer) and (found := speech.decided(straight(question))):
        line = f"{found[0]}: {found[1]}."
    if not line or not worth_keeping(line) or _ELSEWHERE.search(line):
        return []
    return [
        Candidate(
            shorten(line),
            "decision",
            "decided",
            "project",
            slug(line.split(":", 1)[1]),
            CATEGORIES["decision"][1],
            CONFIDENCE_STATED,
        )
    ]


def _label(question: str) -> str:
    return (
        "Décidé"
        if re.search(r"\b(?:quelle?|préfères-tu|préférez-vous|voulez-vous|veux-tu|lequel)\b", question, re.I)
        else "Decided"
    )


def _about(question: str) -> str:
    """The question before the option that was picked, as a topic: "Which storage should we use? – "."""
    return f"{question} – " if len(content_words(question)) > 1 else ""
