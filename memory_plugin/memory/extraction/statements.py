"""From a message to statements: markup stripped, lists and headings resolved, one line each that can stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from memory_plugin.memory.extraction.pattern import Pattern

# What is looked at in one message: a pasted log of many megabytes must not cost more than a long report.
MESSAGE_LIMIT = 60_000
STATEMENT_LIMIT = 300
_CONTEXT_LIMIT = 160
_COMMAND_LIMIT = 120
_HEADINGS = 3
_LOWEST = 7

# Blocks that a client or plugin wrote into a message carry hyphenated tags (system-reminder, task-notification,
# command-name, memory-notes …), as no HTML element does.
_TAG = Pattern(
    r"<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|[a-z][a-z0-9]*(?=\s+[a-z_-]+=))\b[^<>]{0,500}>",
    re.IGNORECASE,
)
_PLAIN_TAG = Pattern(r"</?(?:analysis|summary|thinking|example|br|b|i|p|details)\s*/?>", re.IGNORECASE)
_OWN_TAG = "memory-notes"
_UNPRINTABLE = Pattern(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

# The same for ASCII, twenty times as fast.
_PRINTABLE = bytes(code if 31 < code < 127 or code in b"\t\n" else ord(" ") for code in range(128)) + bytes(128)

_FENCES = ("```", "~~~")
_FENCE = Pattern(r"\s{0,12}(```|~~~)")
_HEADING = Pattern(r"\s{0,3}#{1,6}\s+(\S(?:.*[^\s#])?)[\s#]*$")
_BOLD_LINE = Pattern(r"\s*(?:\d{1,2}[.)]\s+)?(?:\*\*|__)([^*_\n]{2,90}?)(?:\*\*|__)\s*:?\s*$")
_NUMBERED_TITLE = Pattern(r"\d{1,2}[.)]\s+([^.!?\n]{3,80}):$")
_ITEM = Pattern(r"(\s*)(?:[-*•+‣–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_LETTERED = Pattern(r"\s*[A-F][.)]\s")
_ROW = Pattern(r"\s*\|(.+)\|\s*$")
# "3. Errors and fixes": the number says nothing away from its page.
_NUMBER = Pattern(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]|step \d+:)\s+", re.IGNORECASE)
_RULE = Pattern(r"[\s|:=_*-]+$")
_BOX = Pattern(r"[─-╿▀-▟]")
# What a program printed: a diff, a prompt, a stack trace.
_PRINTED = Pattern(
    r"\s*(?:[-+@]{2,}|diff --git|index [0-9a-f]{6,}|at .+\(.+:\d+\)|File \".+\", line \d+)|\s{0,3}[>$❯%]\s"
)
# Each begins with its mark, for which a text is scanned many times as fast as for what stands before one.
_EMPHASIS = Pattern(r"\*\*|__(?=\S)|__(?<=\S__)|\*(?<![\w*]\*)(?=[^\s*])|\*(?<=[^\s*]\*)(?![\w*])")
_LINK = Pattern(r"!?\[([^\]\n]{1,200})\]\((?:[^()\s]{1,300})\)")
# A sentence ends at its mark before a space and anything but a lower-case letter; Chinese and Japanese need no space.
_SENTENCE_END = Pattern(r"[.!?…。！？](?:(?<=[.!?…])[\"'»”)\]]*\s+(?=[^\sa-z])|(?<=[。！？])\s*)")
_ABBREVIATION = Pattern(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Dr|M|Mme|p\.\s?ex|env|no|approx)|\b[A-Z])\.$")
_HARD_CUT = Pattern(r".*[\s,;:]", re.DOTALL)


# kind, text, headings, lead-in
_Block = tuple[str, str, tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A block of a message: its sentences, and the words above it that say what they are about.

    headings are the titles above it, the outermost first, at most three.
    kind is 'paragraph', 'item', 'option' (one of A, B, C), 'row' or 'command' (a short code block after its lead-in).
    """

    kind: str
    sentences: tuple[str, ...]
    headings: tuple[str, ...]
    lead: str

    @property
    def topic(self) -> str:
        """The nearest words above: the lead-in of a list, else the heading."""
        return self.lead or (self.headings[-1] if self.headings else "")


def clean(text: str) -> str:
    """A message without what other programs put into it, at most MESSAGE_LIMIT characters of it."""
    if len(text) > MESSAGE_LIMIT:
        text = text[:MESSAGE_LIMIT]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "<" in text:
        text = _PLAIN_TAG.sub("\n", _without_tag_blocks(text))
    return text.encode().translate(_PRINTABLE).decode() if text.isascii() else _UNPRINTABLE.sub(" ", text)


def _without_tag_blocks(text: str) -> str:
    kept: list[str] = []
    position = 0
    unclosed: set[str] = set()
    while (match := _TAG.search(text, position)) is not None:
        kept.append(text[position : match.start()])
        name = match.group(1)
        end = -1 if name in unclosed else text.find(f"</{name}>", match.end())
        if end >= 0:
            position = end + len(name) + 3
        elif name.lower() == _OWN_TAG:
            return "".join(kept)
        else:
            unclosed.add(name)
            kept.append(match.group())
            position = match.end()
    kept.append(text[position:])
    return "".join(kept)


def statements(text: str) -> list[Statement]:
    """The blocks of a cleaned message in order. Code, diffs, stack traces, drawings and quotes are left out."""
    blocks = filter(itemgetter(1), _blocks(text))
    return [Statement(kind, tuple(sentences(body)), headings, lead) for kind, body, headings, lead in blocks]


def _blocks(text: str) -> Iterator[_Block]:
    reader = _BlockReader()
    for line in text.split("\n"):
        yield from reader.feed(line)
    yield from reader.flush()


class _BlockReader:
    """Reads a message line by line and hands out its blocks as (kind, text, headings, lead-in)."""

    def __init__(self) -> None:
        self.kind = ""
        self.lines: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.lead = ""
        self.parents: list[tuple[int, str]] = []
        self.indent = 0
        self.row = ""
        self.fence: list[str] | None = None

    def feed(self, line: str) -> Iterator[_Block]:
        said = line.strip()
        if said.startswith(_FENCES) and _FENCE.match(line):
            yield from self._fence_line()
        elif self.fence is not None:
            if len(self.fence) < 3:
                self.fence.append(said)
        elif not said or _printed(line[:200]):
            yield from self.flush()
        elif match := _heading(line, said):
            yield from self.flush()
            self._head(line, _title(match.group(1)))
        elif match := _ROW.match(line) if said[0] == "|" else None:
            if _RULE.match(line):  # what stood above it names the columns
                self.row = ""
                return
            yield from self.flush()
            cells = [cell for cell in (plain(cell) for cell in match.group(1).split("|")) if cell]
            self.row = " – ".join(cells) if len(cells) > 1 else ""
        elif match := _ITEM.match(line):
            yield from self.flush()
            self.kind = "option" if _LETTERED.match(line) else "item"
            self.lines, self.indent = [match.group(2)], len(match.group(1).expandtabs(4))
        else:
            if self.kind in ("item", "option") and not line.startswith((" ", "\t")):
                yield from self.flush()
            self.kind = self.kind or "paragraph"
            self.lines.append(line)

    def _head(self, line: str, title: str) -> None:
        """A heading ends those of its level and below; a bold line or numbered title stands below all others."""
        level = len(line) - len(line.lstrip("#")) or _LOWEST
        self.headings = [*((above, other) for above, other in self.headings if above < level), (level, title)]
        self.lead, self.parents = "", []

    def _titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.headings[-_HEADINGS:])

    def _fence_line(self) -> Iterator[_Block]:
        if self.fence is None:
            yield from self.flush()
            self.fence = []
            return
        commands, self.fence = [line for line in self.fence if line], None
        if self.lead and 0 < len(commands) < 3 and sum(map(len, commands)) <= _COMMAND_LIMIT:
            yield "command", f"`{' && '.join(commands)}`", self._titles(), self.lead

    def flush(self) -> Iterator[_Block]:
        if self.row:
            row, self.row = self.row, ""
            yield "row", row, self._titles(), self.lead
        if not self.lines:
            return
        kind, text = self.kind, plain(" ".join(self.lines))
        self.kind, self.lines = "", []
        if kind == "paragraph":
            self.parents = []
            self.lead = _lead_in(text)
            yield kind, text, self._titles(), ""
            return
        while self.parents and self.parents[-1][0] >= self.indent:
            self.parents.pop()
        lead = self.parents[-1][1] if self.parents else self.lead
        self.parents.append((self.indent, shorten(text.rstrip(" :"), _CONTEXT_LIMIT)))
        yield kind, text, self._titles(), lead


def _heading(line: str, said: str) -> re.Match[str] | None:
    """The title that a line is, said being the line without the spaces around it."""
    match = _HEADING.match(line) if said[0] == "#" else None
    if match is None and ("**" in line or "__" in line):
        match = _BOLD_LINE.match(line)
    return match or (_NUMBERED_TITLE.match(line) if line.endswith(":") else None)


def _printed(line: str) -> bool:
    """Whether a line was drawn or printed by a program."""
    return _PRINTED.match(line) is not None or (not line.isascii() and _BOX.search(line) is not None)


def _title(text: str) -> str:
    title = plain(text).rstrip(" :")
    return _NUMBER.sub("", title) if _NUMBER.match(title) else title


def _lead_in(text: str) -> str:
    """The last sentence of a paragraph when it announces what follows."""
    if not text.endswith((":", "：")):
        return ""
    return shorten(sentences(text)[-1].rstrip(" :："), _CONTEXT_LIMIT)


def plain(text: str) -> str:
    """A line without Markdown emphasis, link targets and repeated spaces."""
    if "[" in text:
        text = _LINK.sub(r"\1", text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub("", text)
    return " ".join(text.split())


def sentences(text: str) -> list[str]:
    """A line cut into sentences; abbreviations and initials do not end one."""
    parts: list[str] = []
    begin = 0
    for end in _SENTENCE_END.compiled.finditer(text):
        _add(parts, text[begin : end.start() + 1])
        begin = end.end()
    _add(parts, text[begin:])
    return parts


def _add(parts: list[str], part: str) -> None:
    if not part:
        return
    if parts and _ABBREVIATION.search(parts[-1][-12:]):
        parts[-1] += " " + part
    else:
        parts.append(part.strip())


def shorten(text: str, limit: int = STATEMENT_LIMIT) -> str:
    """A text of at most `limit` characters, cut after a sentence if one ends late enough, else between words."""
    if len(text) <= limit:
        return text
    head = ""
    for sentence in sentences(text[: limit + 1])[:-1]:
        head = f"{head} {sentence}".strip()
    if len(head) >= limit // 2:
        return head
    match = _HARD_CUT.match(text[:limit])
    return (match.group() if match and match.end() > limit // 2 else text[: limit - 1]).rstrip(" ,;:-–(") + "…"
