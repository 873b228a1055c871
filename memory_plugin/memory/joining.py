"""From the statements of a message to lines that could be kept: joined, without openers and narration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_plugin.memory import languages
from memory_plugin.memory.quality import asks
from memory_plugin.memory.statements import STATEMENT_LIMIT, Statement, shorten


def joined(blocks: Sequence[Statement]) -> Iterator[str]:
    """The message's lines, each the sentences of one heading that fit in STATEMENT_LIMIT characters.

    A sentence stands with the one that completes it, an item with its lead-in, a command with what it does: such a line
    is understood, and found again, where a single sentence would not be.
    """
    line, heading, lead = "", "", ""
    for block in blocks:
        for index, sentence in enumerate(_telling(block)):
            piece = f"{block.lead}: {sentence}" if block.lead and block.lead != lead else sentence
            separator = "; " if index == 0 and block.kind != "paragraph" and block.lead == lead else " "
            if line and heading == block.heading and len(line) + len(separator) + len(piece) <= STATEMENT_LIMIT:
                line = f"{line.rstrip(' ;.') if separator == '; ' else line}{separator}{piece}"
            else:
                if line:
                    yield line
                piece = f"{block.lead}: {sentence}" if block.lead else sentence
                line = shorten(f"{block.heading}: {piece}" if block.heading else piece)
            heading, lead = block.heading, block.lead
    if line:
        yield line


def _telling(block: Statement) -> Iterator[str]:
    """The sentences of a block that say something: no narration, no question, no pointing at what is not there."""
    first = True
    for sentence in block.sentences:
        text = languages.straight(languages.without_openers(sentence))
        if languages.narrates(text) or asks(text) or text.endswith((":", "：")):
            continue
        if first and not block.topic and languages.dangles(text):
            continue
        first = False
        yield text
