"""Which lines of a message are worth a share of the memory: scored, and taken while the share lasts."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memory_plugin.memory.extraction.findings import findings
from memory_plugin.memory.extraction.joining import joined
from memory_plugin.memory.extraction.language import Speech
from memory_plugin.memory.extraction.languages.table import Cue
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.progress import Progress, checksum, with_line
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.extraction.statements import Statement
from memory_plugin.memory.extraction.words import content_words, slug, stem, stems
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, Candidate
from memory_plugin.memory.transcript import Role

# The share of what was said that may be kept, and what a short conversation may keep beyond it, in characters. The
# first _SILENCE characters earn nothing: a conversation begins by looking around.
_SHARE = 0.116
_ALLOWANCE = 100
_SILENCE = 300
# What a conversation may keep of causes, fixes, commands and open items that are named as such, whatever its share: so
# many characters, a part of what was said, and so many at most. A short one earns too little for its one finding.
_FINDINGS = 250
_FINDINGS_SHARE = 0.06
_FINDINGS_MOST = 400
# A line is taken when it is worth this many times the usual line, more the fuller the share is: what a poor stretch
# saves, a rich one spends.
_THRESHOLD = 1.15
_THRESHOLD_WHEN_FULL = 1.35
# A cause, a decision, a command may be short: it is taken when it is worth this part of what another line must be
# worth.
_EASED_BY_CUE = 0.7
_EASED = frozenset({"causes", "fails", "decided", "runs", "located"})
# A compaction summary is dense: nearly all that it says stands for something, and the share bounds it anyway.
_EASED_IN_SUMMARY = 0.6
_MORE_IN_SUMMARY = 100  # characters, for its open tasks are kept whatever the share
_INERTIA = 0.9
# A word counts by how often it was heard so far: what a conversation turns on is what its memory should hold (the
# finding of every extractive summariser). Kept once, it counts _AGAIN as much. The exponent was measured over 28
# conversations.
_FREQUENCY_POWER = 0.65
_AGAIN = 0.6
_IN_CODE = 1.2
_DIGITS = 0.3
_CODE = Pattern(r"`[^`\n]{1,80}`")
_REPORT_LENGTH = 400
_REPORT_TURN = 4
# Distinct content words that a line needs at least: what the user says in passing has few.
_WORDS: dict[Role, int] = {"user": 6, "assistant": 3, "summary": 3}
_ROLE_WORTH: dict[Role, float] = {"user": 1.1, "assistant": 1.0, "summary": 0.85}
_CUE_WORTH = {"lesson": 1.2, "decision": 1.15, "reference": 1.1, "procedure": 1.1, "goal": 1.1, "constraint": 1.05}


@dataclass(frozen=True, slots=True)
class Line:
    """A line that could be kept: its text, what it is for, and what each of its stems weighs while it is new."""

    text: str
    cue: Cue | None
    weights: dict[str, float]


def hear(progress: Progress, text: str, turn: int, aside: bool) -> Progress:
    """The progress after a message: its length and its words counted, its turn and whether it is an aside."""
    words = dict(progress.words)
    for root, count in Counter(stems(text)).items():
        heard, kept = words.pop(root, (0, 0))
        words[root] = (heard + count, kept)
    return replace(progress, said=progress.said + len(text), words=words, turn=turn, aside=aside)


def admit(progress: Progress, found: Sequence[Candidate]) -> tuple[Progress, list[Candidate]]:
    """What the user stated, each line once, counted as kept."""
    admitted: list[Candidate] = []
    for candidate in found:
        if checksum(candidate.text) not in progress.lines:
            admitted.append(candidate)
            progress = _keep(progress, candidate.text, _each(candidate.text))
    return progress, admitted


def admit_values(progress: Progress, found: Sequence[Candidate]) -> tuple[Progress, list[Candidate]]:
    """The named values, each once, beside the share: of a short conversation they would take all of it."""
    if not found:
        return progress, []
    after, admitted = admit(progress, found)
    return replace(after, kept=progress.kept, valued=progress.valued + after.kept - progress.kept), admitted


def choose(
    role: Role, length: int, blocks: Sequence[Statement], progress: Progress, speech: Speech
) -> tuple[Progress, list[Candidate]]:
    """The best lines of a message that the conversation's share still pays for, in the order in which they were said,
    and after them the findings that the share would not pay for.

    length is the message's, in characters.
    """
    texts = [text for text in joined(blocks, speech, role) if worth_keeping(text, _WORDS[role])]
    lines = [_line(text, progress, speech) for text in texts if checksum(text) not in progress.lines]
    report = 1.1 if role == "assistant" and length > _REPORT_LENGTH and progress.turn >= _REPORT_TURN else 1.0
    weight = report * _ROLE_WORTH[role]
    budget = _budget(progress.said) + (_MORE_IN_SUMMARY if role == "summary" else 0)
    ease = _EASED_IN_SUMMARY if role == "summary" else 1.0
    progress, taken = _best(lines, weight, budget, ease, progress)
    chosen = [_candidate(lines[index].text, lines[index].cue) for index in sorted(taken)]
    if role != "user":
        left = [line.text for index, line in enumerate(lines) if index not in taken]
        progress, found = _found(left, progress, speech)
        chosen += found
    return progress, chosen


def _budget(said: int) -> float:
    """How many characters may be kept of so many that were said."""
    return _SHARE * max(0, said - _SILENCE) + _ALLOWANCE


def _best(
    lines: Sequence[Line], weight: float, budget: float, ease: float, progress: Progress
) -> tuple[Progress, set[int]]:
    """Which lines are worth more than usual and fit in the budget: the best first, each weighed by what it adds.

    ease is the part of what a line must usually be worth that these must.
    """
    queue = [(-weight * _worth(line, progress), index) for index, line in enumerate(lines)]
    usual = progress.usual
    for worth, _ in queue:
        usual = _INERTIA * usual - (1 - _INERTIA) * worth if usual else -worth
    progress = replace(progress, usual=round(usual, 3))
    heapq.heapify(queue)
    taken: set[int] = set()
    while queue:
        _, index = heapq.heappop(queue)
        worth = weight * _worth(lines[index], progress)
        # What was taken since may have made this line less new: worth only falls, so the queue's order is an
        # upper bound.
        if queue and -worth > queue[0][0]:
            heapq.heappush(queue, (-worth, index))
            continue
        filled = min(1.0, progress.kept / budget)
        threshold = ease * usual * (_THRESHOLD + (_THRESHOLD_WHEN_FULL - _THRESHOLD) * filled)
        if worth < threshold * _EASED_BY_CUE:
            break
        if worth < threshold * _ease(lines[index].cue):
            continue
        if progress.kept + len(lines[index].text) <= budget:
            taken.add(index)
            progress = _keep(progress, lines[index].text, lines[index].weights)
            progress = replace(progress, noted=progress.noted + len(lines[index].text))
    return progress, taken


def _found(lines: Sequence[str], progress: Progress, speech: Speech) -> tuple[Progress, list[Candidate]]:
    """The findings of lines that the share did not pay for."""
    limit = min(_FINDINGS_MOST, _FINDINGS + _FINDINGS_SHARE * progress.said)
    found: list[Candidate] = []
    for line in lines if progress.noted < limit else ():
        for cue, text in findings(line, speech):
            if progress.noted + len(text) <= limit and checksum(text) not in progress.lines:
                found.append(_candidate(text, cue))
                progress = _keep(progress, text, _each(text))
                progress = replace(progress, noted=progress.noted + len(text))
    return progress, found


def _each(text: str) -> list[str]:
    """The stem of each word that carries meaning, a word said twice once."""
    return [stem(word) for word in set(content_words(text))]


def _keep(progress: Progress, text: str, roots: Iterable[str]) -> Progress:
    words = dict(progress.words)
    for root in roots:
        if root in words:
            heard, kept = words[root]
            words[root] = (heard, kept + 1)
    return replace(progress, kept=progress.kept + len(text), words=words, lines=with_line(progress.lines, text))


def _line(text: str, progress: Progress, speech: Speech) -> Line:
    in_code = {root for code in _CODE.findall(text) for root in stems(code)} if "`" in text else frozenset()
    weights: dict[str, float] = {}
    for root in stems(text):
        heard, _ = progress.words.get(root, (1, 0))
        weight = float(heard**_FREQUENCY_POWER)
        weights[root] = weight * _DIGITS if root.isdigit() else weight * _IN_CODE if root in in_code else weight
    return Line(text, speech.noted_cue(text), weights)


def _ease(cue: Cue | None) -> float:
    return _EASED_BY_CUE if cue is not None and cue.predicate in _EASED else 1.0


def _worth(line: Line, progress: Progress) -> float:
    words = progress.words
    total = sum(weight * _AGAIN ** words.get(root, (0, 0))[1] for root, weight in line.weights.items())
    return float(total * _CUE_WORTH.get(line.cue.category, 1.0)) if line.cue else total


def _candidate(text: str, cue: Cue | None) -> Candidate:
    category, predicate = (cue.category, cue.predicate) if cue else ("project", "is")
    importance = CATEGORIES[category][1] - (0.0 if category == "goal" else 0.1)
    return Candidate(text, category, predicate, "project", slug(text), round(importance, 2), CONFIDENCE_RULE)
