"""Which lines of a message are worth a share of the memory: joined, scored, and taken while the share lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory_plugin.memory import languages
from memory_plugin.memory.cues import Cue
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, Candidate
from memory_plugin.memory.progress import Progress
from memory_plugin.memory.quality import asks, worth_keeping
from memory_plugin.memory.statements import STATEMENT_LIMIT, Statement, shorten
from memory_plugin.memory.transcript import Role
from memory_plugin.memory.words import content_words, slug, stem

_SHARE = 0.09
_ALLOWANCE = 60
_FLOOR = 2.0
_IDENTIFIER = re.compile(r"`[^`\n]{2,80}`|\b\w+(?:[._/]\w+)+(?:\(\))?|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|--[a-z][\w-]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that could be kept: its text, what it is for, how much it holds and its distinct stems."""

    text: str
    cue: Cue | None
    score: float
    stems: frozenset[str]


def admit(progress: Progress, found: list[Candidate]) -> tuple[Progress, list[Candidate]]:
    """What the user stated, counted as kept."""
    stems = {stem(word) for candidate in found for word in content_words(candidate.text)}
    progress = progress.learn(stems)
    return replace(progress, kept=progress.kept + sum(len(candidate.text) for candidate in found)), found


def choose(role: Role, blocks: Sequence[Statement], progress: Progress) -> tuple[Progress, list[Candidate]]:
    """The best lines of a message that the conversation's share still pays for, in the order in which they were said."""
    lines = [line for text in joined(blocks) if (line := _scored(role, text)) is not None]
    left = int(_SHARE * progress.said) + _ALLOWANCE - progress.kept
    taken: list[int] = []
    while lines:
        worth = {
            index: _worth(line, progress)
            for index, line in enumerate(lines)
            if index not in taken and len(line.text) <= left
        }
        best = max(worth, key=lambda index: worth[index], default=None)
        if best is None or worth[best] < _FLOOR:
            break
        taken.append(best)
        left -= len(lines[best].text)
        progress = replace(progress.learn(lines[best].stems), kept=progress.kept + len(lines[best].text))
    return progress, [_candidate(lines[index]) for index in sorted(taken)]


def _worth(line: Line, progress: Progress) -> float:
    new = sum(not progress.knows(word) for word in line.stems)
    return line.score * new / max(6, len(line.stems))


def joined(blocks: Sequence[Statement]) -> Iterator[str]:
    """The message's lines: the sentences of a paragraph, or neighbouring items under their lead-in, up to the limit."""
    current, key = "", ("", "", "")
    for block in blocks:
        body = " ".join(_telling(block))
        if not body:
            continue
        block_key = (block.kind, block.heading, block.lead)
        if current and block.kind != "paragraph" and block_key == key and len(current) + 2 + len(body) <= STATEMENT_LIMIT:
            current = f"{current.rstrip('.;')}; {body}"
            continue
        if current:
            yield shorten(current)
        topic = block.topic
        current, key = (f"{topic}: {body}" if topic else body), block_key
    if current:
        yield shorten(current)


def _telling(block: Statement) -> Iterator[str]:
    """The sentences of a block that say something: no narration, no question, no pointing at what is not there."""
    first = True
    for sentence in block.sentences:
        text = languages.straight(languages.without_openers(sentence))
        if languages.narrates(text) or asks(text) or text.endswith(":"):
            continue
        if first and languages.dangles(text) and not block.topic:
            continue
        first = False
        yield text


def _scored(role: Role, text: str) -> Line | None:
    if not worth_keeping(text):
        return None
    stems = frozenset(stem(word) for word in content_words(text))
    cue = languages.noted_cue(text)
    identifiers = len(_IDENTIFIER.findall(text))
    score = len(stems) / 4 + min(identifiers, 4) * 0.3 + (cue.weight if cue else 0)
    return Line(text, cue, score, stems)


def _candidate(line: Line) -> Candidate:
    category, predicate = (line.cue.category, line.cue.predicate) if line.cue else ("project", "is")
    importance = CATEGORIES[category][1] - 0.1
    return Candidate(line.text, category, predicate, "project", slug(line.text), round(importance, 2), CONFIDENCE_RULE)
