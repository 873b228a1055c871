"""What recall did with a prompt, as it is kept and explained: see memory.accounts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memory_plugin.memory import excerpt
from memory_plugin.memory.accounts import Account, Considered
from memory_plugin.memory.redaction import redact

if TYPE_CHECKING:
    from memory_plugin.index.layers import Scored
    from memory_plugin.service.prompts import Answer, Asked

MOST_NOTES = 12
LONGEST_PROMPT, LONGEST_TEXT = 200, 80  # characters
_LONGEST_READ = 8000  # characters of a prompt, in which the words in common are looked for


def account(asked: Asked, answer: Answer, at: datetime, state: str) -> Account:
    """The account of a prompt that was answered at some moment; state: the folder with the tables that count tokens."""
    # The index is imported in the background when the service starts: nobody waits for it here.
    from memory_plugin.index.gate import NOT_SPOKEN
    from memory_plugin.index.terms import spelt
    from memory_plugin.index.tokens import TokenCounter

    prompt, recalled = redact(asked.prompt), answer.recalled
    notes = recalled.considered if recalled else ()
    best = sorted(notes, key=lambda each: (each not in answer.shown, -each.score))[: max(MOST_NOTES, len(answer.shown))]
    said = spelt(prompt[-_LONGEST_READ:])  # what is masked is no word in common
    gate = (recalled.gate if recalled else None) or ""
    return Account(
        at=at.isoformat(timespec="seconds"),
        session=asked.session,
        namespace=answer.namespace,
        prompt=excerpt.beginning(prompt, LONGEST_PROMPT) or "(private)",
        gate=gate,
        reason=answer.reason,
        spoken=gate not in NOT_SPOKEN,
        asks=recalled.asks if recalled else "",
        together=answer.together,
        degraded=bool(recalled and recalled.degraded),
        tokens=TokenCounter(state)(answer.context) if answer.context else 0,
        looked_at=len(notes),
        considered=tuple(_considered(each, said, answer) for each in best),
    )


def _considered(note: Scored, said: dict[str, str], answer: Answer) -> Considered:
    reason = note.reason
    if reason == "in" and note not in answer.shown:
        left_out = "has no word of the prompt itself" if answer.together else "no room in the context"
        reason = left_out if answer.context else answer.reason
    return Considered(
        id=note.id,
        label=note.label or note.kind,
        date=note.date,
        text=excerpt.beginning(redact(note.text), LONGEST_TEXT),
        source=note.source,
        score=note.score,
        keyword=note.keyword,
        words=tuple(dict.fromkeys(said[form] for form in note.terms if form in said)),
        figures=note.figures,
        reason=reason,
    )
