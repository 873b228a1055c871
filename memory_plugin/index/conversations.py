"""A page of the history cut into chunks: its exchanges, each with the one before it as context, and its episodes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from memory_plugin.index.chunks import Chunk, Source, cut
from memory_plugin.memory import excerpt, history, pages
from memory_plugin.memory.fact import CONFIDENCE_STATED, DEFAULT_IMPORTANCE
from memory_plugin.memory.pages import Section
from memory_plugin.memory.redaction import redact_lines

_CONTEXT = 200  # characters of the first words before, and as many of the last
_MOST_USED = 400  # characters of the tools used in an exchange
_LOOKED_AT_ONLY = ("Read ", "Grep ", "Glob ", "LS ", "TodoWrite", "Task")


def conversation_chunks(text: str, source: Source) -> list[Chunk] | None:
    """The chunks of a page, in order; None for a file that is none. What tools gave back is not among them: it was said
    by nobody."""
    day = history.day_of(source.path)
    page = pages.parse(text, day)
    if page is None:
        return None
    text = redact_lines(text)  # an older version may have written it, or a person into it
    if not day:  # the copy that a sync tool made of one
        return []
    found: list[Chunk] = []
    before: Section | None = None
    known = Counter[tuple[str, str]]()
    for section in pages.sections(text):
        same = known[section.time, section.title]
        known[section.time, section.title] += 1
        if section.kind == "episode":
            found += _chunks(section, same, cut(section.body), "", day, source)
        else:
            found += _chunks(section, same, cut(_said(section)), _words_before(before), day, source)
            before = section
    return found


def _chunks(
    section: Section, same: int, parts: Iterator[tuple[int, int, str]], context: str, day: str, source: Source
) -> Iterator[Chunk]:
    """The chunks of a section. same: how many sections before it have its time and title too."""
    name = "so far" if section.kind == "episode" and not section.closing else f"{section.time} {section.title}"
    name = f"{name}\0{same}" if same else name
    opening = section.turns[0].text if section.turns else ""
    for number, (first, last, text) in enumerate(parts):
        identity = f"{source.path}\0{section.kind}\0{name}\0{number}"
        yield Chunk(
            id=hashlib.sha256(identity.encode(errors="replace")).hexdigest()[:12],
            text=text,
            # further parts of a long exchange are about what was asked at its beginning
            context=excerpt.beginning(opening, _CONTEXT) if number and opening else context,
            path=source.path,
            line=first,
            end_line=max(first, min(last, section.end_line)),
            namespace=source.namespace,
            category="",
            kind=section.kind,
            date=day,
            importance=DEFAULT_IMPORTANCE,
            confidence=CONFIDENCE_STATED,
            resident=source.resident,
            facts=" ".join(dict.fromkeys(section.facts)),
        )


def _said(section: Section) -> Iterator[tuple[int, str]]:
    """The numbered lines of what was said, then the tools that changed something or gave an answer."""
    for turn in section.turns:
        for number, line in enumerate(f"{turn.speaker}: {turn.text}".split("\n"), turn.line):
            yield min(number, section.end_line), line
        yield min(turn.line, section.end_line), ""
    used = dict.fromkeys(call.rpartition(" → ")[0] for _, call in section.calls if not call.startswith(_LOOKED_AT_ONLY))
    if used:
        yield section.calls[0][0], f"Used: {'; '.join(used)}"[:_MOST_USED]


def _words_before(section: Section | None) -> str:
    """What the exchange before was about: its first words and its last."""
    if section is None or not section.turns:
        return ""
    first, last = section.turns[0], section.turns[-1]
    parts = [f"{first.speaker}: {excerpt.beginning(first.text, _CONTEXT)}"]
    if last is not first:
        parts.append(f"{last.speaker}: {excerpt.end(last.text, _CONTEXT)}")
    return "\n".join(parts)
