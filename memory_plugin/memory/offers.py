"""Short answers: a yes, or "the second one", means something only with the question it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_plugin.memory import languages
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, Candidate
from memory_plugin.memory.progress import OFFER_LIMIT
from memory_plugin.memory.quality import worth_keeping
from memory_plugin.memory.statements import Statement, sentences, shorten
from memory_plugin.memory.transcript import Role
from memory_plugin.memory.words import slug

_ANSWER_LIMIT = 60
_OPTION = re.compile(r"\s*[-*•]?\s*(?:\*\*)?\s*(?:option\s+)?(?:\d{1,2}|[A-Fa-f])\s*[).:–—-]\s*(?:\*\*)?\s*(.+)", re.IGNORECASE)
_MARKS = re.compile(r"\*\*|__|`(?=\*)")


def made(role: Role, text: str, blocks: Sequence[Statement]) -> str:
    """What the next answer may answer: the options and the last question of an assistant message, at most OFFER_LIMIT characters.

    A message of the assistant that asks nothing leaves nothing to answer; the user's own message uses the offer up.
    """
    if role != "assistant" or not blocks or "?" not in text[-400:]:
        return ""
    options = [match.group(1).strip() for line in text.split("\n") if (match := _OPTION.match(line[:200]))]
    options = [_MARKS.sub("", option) for option in options[:6]] if len(options) > 1 else []
    question = next((s for block in reversed(blocks[-4:]) for s in reversed(block.sentences) if s.endswith("?")), "")
    lines = [shorten(question, 200), *(shorten(option, 120) for option in options)]
    return "\n".join(lines)[:OFFER_LIMIT]


def answered(text: str, offer: str) -> list[Candidate]:
    """What a short answer decides, given the question before it: at most one decision that stands alone."""
    answer = languages.straight(text.strip())
    if not offer or len(answer) > _ANSWER_LIMIT or "\n" in answer:
        return []
    question, *options = offer.split("\n")
    line = ""
    number = languages.chosen_option(answer)
    if options and 0 < number <= len(options):
        line = f"{_label(question)}: {_about(question)}{options[number - 1]}"
    elif languages.agrees(answer) and (found := languages.decided(languages.straight(question))):
        line = f"{found[0]}: {found[1]}."
    if not line or not worth_keeping(line):
        return []
    return [
        Candidate(
            shorten(line), "decision", "decided", "project", slug(line.split(":", 1)[1]), CATEGORIES["decision"][1], CONFIDENCE_STATED
        )
    ]


def _label(question: str) -> str:
    return "Décidé" if re.search(r"\b(?:quelle?|préfères-tu|préférez-vous|voulez-vous|veux-tu|lequel)\b", question, re.I) else "Decided"


def _about(question: str) -> str:
    """The question before the option that was picked, as a topic: "Which storage should we use? – "."""
    last = sentences(question)[-1:] or [""]
    return f"{last[0]} – " if last[0] else ""
