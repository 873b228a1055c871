"""From the statements of a message to lines that could be kept: joined, without openers and narration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import asks
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.extraction.words import content_words
from memory_plugin.memory.transcript import Role

# "A. At commit time – …": one of the options of a question, before anybody has chosen.
_OPTION_ROW = Pattern(r"(?:option )?(?:[A-F]|\d)[.):]? ", re.IGNORECASE)
_SHORT = 240
_WORD_OR_TWO = 12


def joined(blocks: Sequence[Statement], speech: Speech, role: Role) -> Iterator[str]:
    """The message's lines, each the sentences of one heading that fit in STATEMENT_LIMIT characters.

    A sentence stands with the one that completes it, an item with its lead-in, a command with what it does: such a line
    is understood, and found again, where a single sentence would not be. No line opens by pointing at another.
    """
    line, headings, lead, last = "", tuple[str, ...](), "", ""
    for block in blocks:
        if block.kind == "option" or (block.kind == "row" and _OPTION_ROW.match(block.sentences[0])):
            continue
        above = straight(speech.without_openers(block.lead))
        topic = "".join(f"{heading}: " for heading in block.headings if speech.names_a_subject(heading))
        for index, sentence in enumerate(_telling(block, speech, role)):
            joint = ": " if above and above == last else _joint(block, index == 0, above, lead)
            if line and headings == block.headings and len(line) + len(joint) + len(sentence) <= STATEMENT_LIMIT:
                line = f"{line.rstrip(' ;.') if joint[0] in ';:' else line}{joint}{sentence}"
            elif topic or above or not speech.dangles(sentence):
                if line and line.rstrip(" .:") != last:
                    yield line
                line = shorten(f"{topic}{above}{': ' if above else ''}{sentence}")
            else:
                continue
            headings, lead, last = block.headings, above, sentence.rstrip(" .:")
    if line:
        yield line


def _joint(block: Statement, begins: bool, above: str, lead: str) -> str:
    """What stands between a line and the next sentence: a lead-in not yet named, a semicolon between items, a space."""
    if above and above != lead:
        return f" {above}: "
    return "; " if begins and block.kind != "paragraph" else " "


def _telling(block: Statement, speech: Speech, role: Role) -> Iterator[str]:
    """The sentences of a block that say something: no narration, no question, no bare lead-in.

    What the user says to open a question is part of it, unless it is long enough to be a report.
    """
    if block.lead and speech.narrates(block.lead):
        return
    opens_a_question = role == "user" and sum(map(len, block.sentences)) <= _SHORT
    for sentence, following in zip(block.sentences, (*block.sentences[1:], ""), strict=True):
        text = straight(speech.without_openers(sentence))
        if role == "user" and speech.requests(text):
            continue
        if speech.narrates(text) or asks(text) or text.endswith((":", "：")) or (asks(following) and opens_a_question):
            continue
        # not "Hi!", "Done.", "Good call."
        if (len(text) > _WORD_OR_TWO or len(content_words(text)) > 1) and not speech.only_opens(text):
            yield text
