"""From the statements of a message to lines that could be kept: joined, without openers and narration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.quality import asks
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten


def joined(blocks: Sequence[Statement], speech: Speech) -> Iterator[str]:
    """The message's lines, each the sentences of one heading that fit in STATEMENT_LIMIT characters.

    A sentence stands with the one that completes it, an item with its lead-in, a command with what it does: such a line
    is understood, and found again, where a single sentence would not be. No line opens by pointing at another.
    """
    line, heading, lead = "", "", ""
    for block in blocks:
        topic = f"{block.heading}: " if speech.names_a_subject(block.heading) else ""
        for index, sentence in enumerate(_telling(block, speech)):
            joint = _joint(block, index == 0, lead)
            if line and heading == block.heading and len(line) + len(joint) + len(sentence) <= STATEMENT_LIMIT:
                line = f"{line.rstrip(' ;.') if joint == '; ' else line}{joint}{sentence}"
            elif topic or block.lead or not speech.dangles(sentence):
                if line:
                    yield line
                line = shorten(f"{topic}{block.lead}{': ' if block.lead else ''}{sentence}")
            else:
                continue
            heading, lead = block.heading, block.lead
    if line:
        yield line


def _joint(block: Statement, begins: bool, lead: str) -> str:
    """What stands between a line and the next sentence: a lead-in not yet named, a semicolon between items, a space."""
    if block.lead and block.lead != lead:
        return f" {block.lead}: "
    return "; " if begins and block.kind != "paragraph" else " "


def _telling(block: Statement, speech: Speech) -> Iterator[str]:
    """The sentences of a block that say something: no narration, no question, no bare lead-in."""
    for sentence in block.sentences:
        text = straight(speech.without_openers(sentence))
        if not (speech.narrates(text) or asks(text) or text.endswith((":", "："))):
            yield text
