"""Which facts a message holds: a pure, streaming function of the message and of what came before it.

Two ways lead into memory. What the user states (an instruction, a preference, a decision, a correction, a name, an
address) is kept sentence by sentence, whatever else was kept. Everything else said competes for a share of the
conversation: the statements of a message are joined into lines of at most 300 characters, scored by what they hold
and by what is new in them, and the best are taken while the share lasts. What is named as a cause, a fix or an open
item has a little room of its own. A request for the moment and its answer are passed by. A decision never looks at a
later message, so a flush in many steps keeps what one flush keeps.
"""

from __future__ import annotations

from dataclasses import replace

from memory_plugin.memory.extraction import asides, offers, scoring, stated
from memory_plugin.memory.extraction.compaction import told
from memory_plugin.memory.extraction.language import spoken_in
from memory_plugin.memory.extraction.progress import Progress
from memory_plugin.memory.extraction.statements import clean, statements
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.transcript import Message

__all__ = ["Progress", "extract"]


def extract(message: Message, progress: Progress) -> tuple[list[Candidate], Progress]:
    """The facts of one message, in the order in which they were said, and the progress to give with the next message.

    Looks at the first statements.MESSAGE_LIMIT characters of a message. Never raises, whatever the text holds.
    """
    text = clean(message.text)
    blocks, speech = statements(told(text) if message.role == "summary" else text), spoken_in(text)
    if message.role == "user":
        progress = replace(progress, aside=asides.begins(text, progress, speech))
    turn = progress.turn + 1 if message.role == "assistant" else 0
    progress = scoring.hear(replace(progress, turn=turn), text)
    stated_facts: list[Candidate] = []
    if message.role == "user":
        stated_facts = [*offers.answered(text, progress.offer), *stated.from_user(blocks, speech)]
    progress, facts = scoring.admit(progress, stated_facts)
    if not progress.aside or message.role == "summary":
        progress, chosen = scoring.choose(message.role, len(text), blocks, progress, speech)
        facts += chosen
    offer = offers.made(message.role, text, blocks)
    return facts, scoring.settle(replace(progress, offer=offer))
