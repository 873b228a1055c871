"""Which facts a message holds: a pure, streaming function of the message and of what came before it.

Two ways lead into memory. What the user states (an instruction, a preference, a decision, a correction, a name, an
address) is kept sentence by sentence, whatever else was kept. Everything else said competes for a share of the
conversation: the statements of a message are joined into lines of at most 300 characters, scored by what they hold
and by what is new in them, and the best are taken while the share lasts. What is named as a cause, a fix or an open
item has a little room of its own; a task that is listed as open, and a report that one is finished, are always kept.
A fact that names a day gets its date, a lesson its severity. A request for the moment and its answer are passed by.
A decision never looks at a later message, so a flush in many steps keeps what one flush keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from memory_plugin.memory.dates import local_day
from memory_plugin.memory.extraction import answers, asides, offers, scoring, stated, values
from memory_plugin.memory.extraction.closings import reported
from memory_plugin.memory.extraction.compaction import told
from memory_plugin.memory.extraction.dating import dated
from memory_plugin.memory.extraction.language import Speech, spoken_in
from memory_plugin.memory.extraction.progress import ASKED_LIMIT, RECENT_LIMIT, TOLD_LIMIT, Progress, most_heard
from memory_plugin.memory.extraction.statements import Statement, clean, statements
from memory_plugin.memory.extraction.tasks import open_tasks
from memory_plugin.memory.fact import CONFIDENCE_RULE, CONFIDENCE_STATED, Candidate
from memory_plugin.memory.transcript import Message, Role

__all__ = ["Progress", "extract"]

# How much an open task matters: at least as much as any fact of its kind, so that a compaction doesn't lose it.
_TASK = 0.75
_TASK_OF_THE_USER = 0.8
_SENTENCE_LIMIT = 120


def extract(message: Message, progress: Progress) -> tuple[list[Candidate], Progress]:
    """The facts of one message, open tasks last, and the progress to give with the next message.

    Looks at the first statements.MESSAGE_LIMIT characters of a message. Never raises, whatever the text holds.
    """
    text = clean(message.text)
    blocks = statements(told(text) if message.role == "summary" else text)
    speech = spoken_in(text)
    aside = asides.begins(text, progress, speech) if message.role == "user" else progress.aside
    progress = scoring.hear(progress, text, progress.turn + 1 if message.role == "assistant" else 0, aside)
    today = local_day(message.time)
    found, others = _plainly(message.role, text, blocks, progress, speech, today)
    progress, facts = scoring.admit(progress, [_typed(fact, today, speech) for fact in found])
    if message.role == "assistant" and not progress.aside:
        named, others = values.named(others, progress, speech)
        progress, more = scoring.admit_values(progress, [_typed(fact, today, speech) for fact in named])
        facts = [*more, *facts]
    if not progress.aside or message.role == "summary":
        progress, chosen = scoring.choose(message.role, len(text), others, progress, speech)
        typed = [_typed(fact, today, speech) for fact in chosen]
        facts = [*facts, *typed] if message.role == "user" else [*typed, *facts]
    return facts, _ended(message.role, text, blocks, progress)


def _ended(role: Role, text: str, blocks: Sequence[Statement], progress: Progress) -> Progress:
    """The progress with what the next message may answer, cut down to what is worth storing."""
    last = [sentence for block in blocks[-8:] for sentence in block.sentences]
    asked, told_last = progress.asked, progress.told
    if role == "user":
        asked, told_last = answers.ended(last, ASKED_LIMIT), ""
    elif role == "assistant":
        told_last = answers.end(last, TOLD_LIMIT)
    return replace(
        progress,
        offer=offers.made(role, text, blocks),
        recent=_recent(blocks, progress.recent),
        asked=asked,
        told=told_last,
        words=most_heard(progress.words),
    )


def _plainly(
    role: Role, text: str, blocks: Sequence[Statement], progress: Progress, speech: Speech, today: date | None
) -> tuple[list[Candidate], Sequence[Statement]]:
    """What a message says in so many words, kept whatever the share, and the blocks that compete for the share."""
    if role == "user":
        tasks, others = open_tasks(blocks, speech, CONFIDENCE_STATED, _TASK_OF_THE_USER)
        answered = offers.answered(text, progress.offer)
        answered = answered or answers.answer(text, progress.told, progress.asked, "\n" in progress.offer, speech)
        found = stated.from_user(others, speech, progress.recent, today, progress.asked)
        return [*answers.completed(answered, found, text), *tasks], others
    tasks, others = open_tasks(blocks, speech, CONFIDENCE_RULE, _TASK)
    if role == "summary":
        return tasks, others
    closed, rest = reported(text, others, speech)
    return ([] if progress.aside else [*closed, *tasks]), rest


def _typed(fact: Candidate, today: date | None, speech: Speech) -> Candidate:
    """A fact with the dates of the days that it names, a lesson with its severity."""
    severity = speech.severity(fact.text) if fact.category == "lesson" else ""
    return replace(fact, text=dated(fact.text, fact.category, today), severity=severity)


def _recent(blocks: Sequence[Statement], before: str) -> str:
    """The sentences that end the messages so far, the last RECENT_LIMIT characters, one a line."""
    last = [sentence[:_SENTENCE_LIMIT] for block in blocks[-2:] for sentence in block.sentences[-2:]]
    return "\n".join((before, *last))[-RECENT_LIMIT:]
