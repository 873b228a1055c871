"""What the assistant found out and says plainly: a cause, its fix, a pitfall, a command, what is open."""

from __future__ import annotations

from collections.abc import Iterator

from memory_plugin.memory.extraction.language import Speech
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.extraction.statements import sentences


def findings(line: str, speech: Speech) -> Iterator[tuple[Cue, str]]:
    """The findings of a joined line, each without the sentences around it that don't belong to it."""
    cue: Cue | None = None
    text = ""
    for sentence in sentences(line):
        shown = speech.found_cue(sentence)
        belongs = shown.category == cue.category if cue and shown else speech.follows(sentence)
        if cue is not None and belongs:
            text = f"{text} {sentence}"
            continue
        if cue is not None and worth_keeping(text):
            yield cue, text
        cue, text = (shown, sentence) if shown is not None and not speech.dangles(sentence) else (None, "")
    if cue is not None and worth_keeping(text):
        yield cue, text
