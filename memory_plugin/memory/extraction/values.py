"""Named values that the assistant states: a port, a command, a version, a limit, a path, an owner, a day of the week.

A short conversation is asked for these later far more often than for what was done in it, so each gets a line of its
own that can be found and replaced alone.
"""

# ruff: noqa: E501 -- a line of a pattern is one kind of word, however long

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.progress import Progress, checksum
from memory_plugin.memory.extraction.quality import asks, worth_keeping
from memory_plugin.memory.extraction.statements import Statement, shorten
from memory_plugin.memory.extraction.words import content_words, slug, stem
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, Candidate

# While so little was said, in characters, values are kept: a base, a part of what was said, and so much at most.
_SHORT = 4_000
_BASE = 250
_SHARE = 0.12
_MOST = 420
_MOST_OF_A_MESSAGE = 5
_LONGEST = 220
_LEAD_LIMIT = 40
_ECHO = 0.8  # of its words
_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?"
_KINDS = (
    (
        "procedure",
        "runs",
        Pattern(
            r"\b(?:run|runs|started|start|starts|launched|called|tests?|workers?|lint\w*|build\w*|deploy\w*|command|lanc\w+|d[eé]marr\w+|commande)\b[^`]{0,40}`\w[^`]* [^`]*`|"
            r"`\w[^`]*` (?:runs|starts|builds|lance|d[eé]marre)\b|"
            rf"\b(?:every|each|online|live|releas\w+|deploy\w*|livr\w+|chaque|mise en ligne)\b[^`.]{{0,20}}\b{_WEEKDAY}\b|"
            rf"\b{_WEEKDAY} (?:is the|is our|is release|is delivery)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "relationship",
        "is",
        Pattern(
            r"\b[A-ZÀ-Ý][a-zà-ÿ]+ (?:reviews?|owns?|maintains?|approves?|releases|deploys|handles|signs|relit|valide|gère|s'occupe)\b|"
            r"\b(?:reviewer|owner|maintainer|approver|on-call)s?\b.{0,12}\b[A-Z][a-z]+|\b[A-Z][a-z]+ is (?:now )?the (?:one to ask|owner|reviewer|maintainer|contact)\b"
        ),
    ),
    (
        "reference",
        "located",
        Pattern(
            r"\bports? \d|\blocalhost:\d|https?://\S|\b(?:listens?|[eé]coute|served?|answers?|answered|runs) (?:now )?(?:on|at|sur|under|behind) (?:port )?(?:\d|`|/)|"
            r"\b(?:hosts?|hosted|inventory|provider|cloud|registry|database|broker|data|backups?|dumps?|h[eé]berg\w+|base|serveur|server)\b.{0,40}(?:\b(?:in|on|at|under|with|says|is|en|dans|chez|sur)\b.{0,15})(?-i:[A-Z]\w|/\w|`/)|"
            r"^(?:data|dumps|backups|logs) in \w|\b(?:cache|logs?|dumps?|backups?|config\w*)\b.{0,30}\b(?:in|under|at|dans|sous) `?/",
            re.IGNORECASE,
        ),
    ),
    (
        "project",
        "is",
        Pattern(
            r"`[A-Z][A-Z_\d]{2,} ?= ?[^`]+`|`[a-z_.-]{3,} ?(?:= ?[\d\"']|: ?\d)[^`]*`|"
            r"\b(?:limit\w*|timeout|retention|max(?:imum)?|min(?:imum)?|version|line (?:length|width)|dur[eé]e|limite|d[eé]lai|interval|quota|threshold|warning)\b.{0,30}\d|"
            r"\bdefault\w* .{0,8}\d|\d.{0,12}\b(?:by|as|par) (?:the )?d[eé]fau\w+|\b\d[\d.,]* ?\w+ (?:per|par) \w+|"
            r"\b(?:service|package|app(?:lication)?)\b[^,.;`]{0,14}`[\w.-]+`|\b(?:formatt(?:er|ing)|linter|editor|framework|ci|pipeline)\b.{0,12}\b(?-i:[A-Z])\w+|"
            r"\b(?-i:[A-Z])[\w+#-]+ v?\d+\.\d+|(?<=\w )(?-i:[A-Z])[\w+#.-]+ v?\d+(?=,? (?:is|through|with|as|in|and)\b|[.;])",
            re.IGNORECASE,
        ),
    ),
)
_RESULT = Pattern(r"[,:;]?\s*\b(?:\d+|all) (?:tests? )?(?:passed|passes|pass[eé]s|failed|green)\b.*$", re.IGNORECASE)
_RUN = Pattern(r"(?:pass|fail|green)", re.IGNORECASE)
_DIGIT = Pattern(r"[0-9]")
# What a run printed, what is only being done, what could be done.
_PASSING = Pattern(
    r"\b\d+ (?:tests? )?(?:passed|passes|pass[eé]s|failed|skipped|errors?|warnings?)\b|^(?:corrig[eé]|renamed|found|i (?:ran|measured|looked|tried|compared|left|checked|found))\b|"
    r"\b(?:would|could|might|if you|i'd|pourrait|serait|si vous|si tu)\b|^(?:at present|currently|so far|for now|at the moment|right now|actuellement|pour l'instant)\b|[:：]$|\bpid=|\b\d\d:\d\d:\d\d\b|\d ms\b|\bbefore:|\bafter:",
    re.IGNORECASE,
)


_NAME = Pattern(r"[\w:,] [A-ZÀ-Ý]|^[A-ZÀ-Ý]\w+ \w+s\b|(?:^| )/\w|" + _WEEKDAY)


def named(
    blocks: Sequence[Statement], progress: Progress, speech: Speech
) -> tuple[list[Candidate], Sequence[Statement]]:
    """The named values of a message of the assistant's, and the blocks without them.

    Nothing once the conversation is long.
    """
    room = min(_MOST, _BASE + _SHARE * progress.said) - progress.valued
    if progress.said > _SHORT or room <= 0:
        return [], blocks
    heard = {stem(word) for word in content_words(progress.asked)}
    found: list[Candidate] = []
    others: list[Statement] = []
    for block in blocks:
        left: list[str] = []
        for sentence, line, kind in _lines(block, speech):
            kind = None if kind and "`" not in line and _echoes(line, heard) else kind
            fits = (
                kind and len(found) < _MOST_OF_A_MESSAGE and len(line) <= room and checksum(line) not in progress.lines
            )
            if fits and kind:
                room -= len(line)
                importance = round(CATEGORIES[kind[0]][1] - 0.1, 2)
                found.append(Candidate(line, kind[0], kind[1], "project", slug(line), importance, CONFIDENCE_RULE))
            else:
                left.append(sentence)
        if left:
            others.append(block if len(left) == len(block.sentences) else replace(block, sentences=tuple(left)))
    return found, others


def _echoes(line: str, heard: set[str]) -> bool:
    """Whether a line repeats what the user has just said."""
    told = {stem(word) for word in content_words(line)}
    return len(told & heard) >= _ECHO * len(told)


def _lines(block: Statement, speech: Speech) -> Iterator[tuple[str, str, tuple[str, str] | None]]:
    """Each sentence of a block, the line that it would be, and its category and predicate if it names a value."""
    if block.kind == "option":
        yield from ((sentence, "", None) for sentence in block.sentences)
        return
    whole = block.kind in ("item", "row") and sum(map(len, block.sentences)) <= _LONGEST
    lead = straight(speech.without_openers(block.lead))
    about = (
        f"{lead}: "
        if 0 < len(lead) <= _LEAD_LIMIT and speech.names_a_subject(lead) and not speech.dangles(lead)
        else ""
    )
    for index, sentence in enumerate(block.sentences):
        said = " ".join(block.sentences) if whole else sentence
        text = straight(speech.without_openers(said))
        text = _RESULT.sub(".", text) if _RUN.search(text) else text
        kind = _kind(text) if not (whole and index) and len(text) <= _LONGEST else None
        cue = (speech.found_cue(text) or speech.noted_cue(text)) if kind else None
        if kind and (
            (cue is not None and (cue.category == "lesson" or cue.weight > 1.45))
            or asks(text)
            or speech.dangles(text)
            or speech.narrates(text)
            or speech.supposes(text)
        ):
            kind = None
        line = shorten(f"{about}{text}") if kind else ""
        yield sentence, line, kind if kind and worth_keeping(line, 1) else None


def _kind(text: str) -> tuple[str, str] | None:
    if "`" not in text and not _holds_a_digit(text) and not _NAME.search(text):
        return None
    kind = next(((category, predicate) for category, predicate, pattern in _KINDS if pattern.search(text)), None)
    return None if kind is None or _PASSING.search(text) else kind


def _holds_a_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None or (not text.isascii() and any(map(str.isdigit, text)))
