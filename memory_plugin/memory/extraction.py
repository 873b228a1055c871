"""Which facts a message holds: a pure, streaming function of the message and of what came before it.

Two ways lead into memory. What the user states (an instruction, a preference, a decision, a correction, a name, an address) is
kept sentence by sentence, whatever else was kept. Everything else said competes for a share of the conversation: the statements
of a message are joined into lines of at most 300 characters, scored by what they hold and by what is new in them, and the best
are taken while the share lasts. A decision never looks at a later message, so a flush in many steps keeps what one flush keeps.
"""

from __future__ import annotations

from dataclasses import replace

from memory_plugin.memory import offers, scoring, stated
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.progress import Progress
from memory_plugin.memory.statements import clean, statements
from memory_plugin.memory.transcript import Message

__all__ = ["Progress", "extract"]


def extract(message: Message, progress: Progress) -> tuple[list[Candidate], Progress]:
    """The facts of one message, in the order in which they were said, and the progress to give with the next message.

    Looks at the first statements.MESSAGE_LIMIT characters of a message. Never raises, whatever the text holds.
    """
    text = clean(message.text)
    blocks = statements(text)
    progress = replace(progress, said=progress.said + len(text))
    found: list[Candidate] = []
    if message.role == "user":
        found += offers.answered(text, progress.offer)
        found += stated.from_user(blocks)
    progress, found = scoring.admit(progress, found)
    progress, chosen = scoring.choose(message.role, blocks, progress)
    return found + chosen, replace(progress, offer=offers.made(message.role, text, blocks, progress.offer))
