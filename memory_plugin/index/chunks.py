"""A Markdown file's text cut into chunks: facts one by one, other text by heading, about 400 tokens each."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, NamedTuple

from memory_plugin.index.front_matter import front_matter, named
from memory_plugin.index.tokens import ESTIMATED, estimate_tokens
from memory_plugin.memory.fact import CONFIDENCE_STATED, DEFAULT_IMPORTANCE, Fact, parse_line
from memory_plugin.memory.journal import identity, item_end
from memory_plugin.memory.redaction import redact_lines

Role = Literal["log", "topic", "pointers", "note", "history"]
Kind = Literal["fact", "text", "episode", "exchange"]
TALK = frozenset(("episode", "exchange"))

CHUNKING = "6"  # another number: every file is cut anew at the next sync
CHUNK_TOKENS = 400
OVERLAP_TOKENS = 80
_LONGEST_FACT = 1200  # characters; a longer list item is prose and is cut as prose

_TIME = re.compile(r"\d{1,2}:\d{2}\b")  # a flush's heading says when, not what about
_DATED = re.compile(r"^(\d{4}-\d{2}-\d{2})(?!\d)")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*)$")
_TOP_ITEM = re.compile(r"^\s{0,3}[-*+]\s+\S")
_OURS = re.compile(r"<!--\s*m:[0-9a-z]{4,16}\b")
_STRUCK = re.compile(r"~~(?=\S)[^\n]*?(?<=\S)~~")
_STRUCK_FROM = re.compile(r"\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\*\*\w+\*\*\s+)?~~")
_STRUCK_TO = re.compile(r"~~\s{0,9}<!--")
_COMMENT = re.compile(r"(?:(?<!\s)\s+)?<!--.*?-->")
_ONLY_DATED = re.compile(r"^[\W_]*\d{4}-\d{2}-\d{2}[\W_]*$")
_MARK_START = "<!-- memory-plugin:start"
_MARK_END = "<!-- memory-plugin:end"


class Source(NamedTuple):
    """A file to index. resident: the client loads it by itself, so no prompt needs it again."""

    path: str
    namespace: str
    role: Role = "note"
    resident: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is indexed. id: the fact's own, else a hash; unique within its file. Lines count from 1, both included.

    context is the title (by its front matter, else the file's name) and heading path above the text; of an exchange,
    what was said before it. date is YYYY-MM-DD or empty; importance and confidence are 0 to 1. Those from status to
    seen are a fact's own (see memory.fact): replaces holds the ids of the facts that it supersedes or contradicts, with
    spaces between. facts: the ids of those captured from an exchange or noted in an episode, with spaces between.
    """

    id: str
    text: str
    context: str
    path: str
    line: int
    end_line: int
    namespace: str
    category: str
    kind: Kind
    date: str
    importance: float
    confidence: float
    resident: bool
    status: str = "active"
    reason: str = ""
    until: str = ""
    by: str = ""
    replaces: str = ""
    severity: str = ""
    seen: str = ""
    facts: str = ""

    @property
    def embedded_text(self) -> str:
        """What an embedder and the keyword index see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of lines that belong together; first and last are their numbers."""

    first: int
    last: int
    text: str


def chunks(text: str, source: Source) -> list[Chunk]:
    """The chunks of one file, in order, without its secrets. Nothing that a file holds makes this fail."""
    written = _lines(text)
    lines = _visible(redact_lines("\n".join(written)).split("\n"))
    title, said, start = front_matter(lines)
    if not title and source.role != "history" and not _opens_with_title(lines[start:]):
        title = named(source.path)
    dated = _DATED.match(source.path.replace("\\", "/").rsplit("/", 1)[-1])
    day = dated[1] if dated else ""
    found = list(_facts(written, lines, start, title, source, day))
    covered = {number for _, first, last in found for number in range(first, last + 1)}
    result = {chunk.id: chunk for chunk, _, _ in reversed(found)}  # of two lines with one id the first stands
    ordered = [chunk for chunk, _, _ in found if result.get(chunk.id) is chunk]
    rest = ["" if number in covered else line for number, line in enumerate(lines)]
    sections = list(_sections(rest, start, title, source.role == "note"))
    if said:
        context, blocks = sections[0] if sections else (title, [])
        sections[:1] = [(context, [_Block(1, start - 2, said), *blocks])]
    return ordered + list(_prose(sections, source, day))


def cut(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Numbered lines as texts of a chunk's size, each with the numbers of its first and last line."""
    blocks: list[_Block] = []
    run: list[tuple[int, str]] = []
    for number, line in lines:
        if not line.strip() and run:
            blocks.append(_block(run))
            run = []
        elif line.strip():
            run.append((number, line))
    if run:
        blocks.append(_block(run))
    yield from _packed(blocks)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _visible(written: Sequence[str]) -> list[str]:
    """The lines, with what must not be found emptied: our own block of pointers, comments, what is struck through."""
    lines = list(written)
    fence, ours, comment = "", False, False
    for number, line in enumerate(lines):
        if ours:
            ours = _MARK_END not in line
            lines[number] = ""
        elif fence:
            mark = _FENCE.match(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif comment:
            comment = "-->" not in line
            lines[number] = line.split("-->", 1)[1] if not comment else ""
        elif mark := _FENCE.match(line):
            fence = mark[1]
        elif line.lstrip().startswith(_MARK_START):
            ours, lines[number] = True, ""
        elif _is_struck(line):
            lines[number] = ""
        else:
            line = _without_struck(line)
            head, opened, tail = line.rpartition("<!--")
            if opened and "-->" not in tail:
                comment, line = True, head
            lines[number] = line
    return lines


def _is_struck(line: str) -> bool:
    """Whether a line, but for its list's mark, its kind and our comment, is struck through."""
    begun, line = _STRUCK_FROM.match(line), line.rstrip()
    if not begun:
        return False
    commented = line.endswith("-->") and _STRUCK_TO.search(line, begun.end()) is not None
    return commented or line.endswith("~~", begun.end())


def _without_struck(line: str) -> str:
    """A line without what is struck through in it. Behind the last mark that ends something there is nothing to look
    for: a search from each of many marks that nothing ends would take for ever."""
    end = line.rfind("~~")
    while end > 0 and line[end - 1].isspace():
        end = line.rfind("~~", 0, end)
    return _STRUCK.sub("", line[: end + 2]) + line[end + 2 :] if end > 0 else line


def _title(heading: re.Match[str]) -> str:
    """A heading's words, without the marks that may close it."""
    return heading[2].rstrip().rstrip("#").rstrip()


def _opens_with_title(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line.strip()), "")
    found = _HEADING.match(first)
    return found is not None and len(found[1]) == 1


def _facts(
    written: list[str], lines: list[str], start: int, title: str, source: Source, day: str
) -> Iterator[tuple[Chunk, int, int]]:
    """The list items that are facts, each with its first and last line's index, by the ids that commands know."""
    path: list[tuple[int, str]] = []
    fence, number = False, start
    while number < len(lines):
        line = lines[number]
        if _FENCE.match(line):
            fence = not fence
        elif not fence and (found := _HEADING.match(line)):
            path = [each for each in path if each[0] < len(found[1])] + [(len(found[1]), _title(found))]
        elif not fence and _TOP_ITEM.match(line):
            ours = _is_ours(line)
            if ours or source.role in ("log", "topic"):
                fact = parse_line(line, source.namespace, day)
                last = item_end(written, number)
                if ours and _length(lines, number, last) > _LONGEST_FACT:
                    last = number
                if fact and _length(lines, number, last) <= _LONGEST_FACT:
                    context = "" if ours else _context_of_item(title, path)
                    fact = replace(fact, id=identity(written, number, source.namespace))
                    yield _fact_chunk(fact, lines, number, last, context, source), number, last
                    number = last
        number += 1


def _is_ours(line: str) -> bool:
    return "<!--" in line and _OURS.search(line) is not None


def _length(lines: list[str], first: int, last: int) -> int:
    return sum(map(len, lines[first : last + 1]))


def _context_of_item(title: str, path: list[tuple[int, str]]) -> str:
    """The title and the headings above a list item, without those that say when: a log's title does, and a flush's."""
    about = [each for each in path if not _TIME.match(each[1])]
    return _context(title, [each for each in about if each is path[-1] or not _ONLY_DATED.match(each[1])])


def _fact_chunk(fact: Fact, lines: list[str], first: int, last: int, context: str, source: Source) -> Chunk:
    more = [_without_comments(line) for line in lines[first + 1 : last + 1] if line.strip()]
    return Chunk(
        id=fact.id,
        text="\n".join([_without_comments(fact.text), *more]),
        context=context,
        path=source.path,
        line=first + 1,
        end_line=last + 1,
        namespace=source.namespace,
        category=fact.category,
        kind="fact",
        date=fact.day,
        importance=round(fact.importance, 4),
        confidence=round(fact.confidence, 4),
        resident=source.resident,
        status=fact.status,
        reason=fact.reason,
        until=fact.until,
        by=fact.by,
        replaces=" ".join((*fact.supersedes, *fact.contradicts)),
        severity=fact.severity,
        seen=fact.seen,
    )


def _prose(sections: Iterable[tuple[str, list[_Block]]], source: Source, day: str) -> Iterator[Chunk]:
    blank = Chunk(
        *("", "", "", source.path, 0, 0, source.namespace, "", "text", day),
        importance=DEFAULT_IMPORTANCE,
        confidence=CONFIDENCE_STATED,
        resident=source.resident,
    )
    seen: dict[str, int] = {}
    for context, blocks in sections:
        for first, last, text in _packed(blocks):
            digest = f"{context}\0{text}"
            seen[digest] = seen.get(digest, -1) + 1
            identity = hashlib.sha256(f"{source.path}\0{digest}\0{seen[digest]}".encode(errors="replace"))
            yield replace(
                blank, id=identity.hexdigest()[:12], text=text, context=context, line=first + 1, end_line=last + 1
            )


def _sections(lines: list[str], start: int, title: str, headings_alone: bool) -> Iterator[tuple[str, list[_Block]]]:
    """Each heading's path and the blocks under it; a heading with nothing below it is a block itself, if wanted."""
    path: list[tuple[int, str]] = []
    blocks: list[_Block] = []
    alone: _Block | None = None
    for block, level in _blocks(lines, start):
        if not level:
            blocks.append(block)
            alone = None
            continue
        if blocks:
            yield _context(title, path), blocks
        elif alone and headings_alone and path and level <= path[-1][0]:
            yield _context(title, path[:-1]), [alone]
        path = [each for each in path if each[0] < level] + [(level, block.text)]
        blocks, alone = [], block
    if blocks:
        yield _context(title, path), blocks
    elif alone and headings_alone:
        yield _context(title, path[:-1]), [alone]


def _context(title: str, path: list[tuple[int, str]]) -> str:
    return " > ".join(each for each in (title, *(heading for _, heading in path)) if each)[:400]


def _blocks(lines: list[str], start: int) -> Iterator[tuple[_Block, int]]:
    """Paragraphs, lists and whole code blocks, each with level 0; headings with their level, 1 to 6."""
    run: list[tuple[int, str]] = []
    fence = ""
    for number in range(start, len(lines)):
        line = lines[number]
        mark = _FENCE.match(line)
        if fence:
            run.append((number, line))
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
                yield _block(run), 0
                run = []
            continue
        heading = _HEADING.match(line)
        line = _without_comments(line)
        if run and (heading or mark or not line.strip()):
            yield _block(run), 0
            run = []
        if heading:
            if title := _title(heading):
                yield _Block(number, number, _without_comments(title)), len(heading[1])
        elif mark:
            fence = mark[1]
            run = [(number, line)]
        elif line.strip() and not re.fullmatch(r"\s*(?:[-*_]\s*){3,}|[\s=|:-]+", line):
            run.append((number, line))
    if run:
        yield _block(run), 0


def _block(run: list[tuple[int, str]]) -> _Block:
    return _Block(run[0][0], run[-1][0], "\n".join(line.rstrip() for _, line in run).strip("\n"))


def _without_comments(line: str) -> str:
    end = line.rfind("-->") + 3 if "<!--" in line else 0
    return _COMMENT.sub("", line[:end]) + line[end:] if end > 3 else line


def _packed(blocks: list[_Block]) -> Iterator[tuple[int, int, str]]:
    """Blocks joined up to a chunk's size, the end of one repeated at the start of the next."""
    held: list[_Block] = []
    size, fresh = 0, False
    for piece in (piece for block in blocks for piece in _pieces(block)):
        tokens = estimate_tokens(piece.text)
        if fresh and size + tokens > CHUNK_TOKENS:
            yield held[0].first, held[-1].last, "\n\n".join(each.text for each in held)
            held = _tail(held[-1])
            size = sum(estimate_tokens(each.text) for each in held)
        held.append(piece)
        size, fresh = size + tokens, True
    if fresh:
        yield held[0].first, held[-1].last, "\n\n".join(each.text for each in held)


def _tail(block: _Block) -> list[_Block]:
    """The last lines of a block, up to the overlap; none of a code block, whose end alone says nothing."""
    if _FENCE.match(block.text):
        return []
    kept: list[str] = []
    for line in reversed(block.text.split("\n")):
        if estimate_tokens("\n".join([line, *kept])) > OVERLAP_TOKENS:
            break
        kept.insert(0, line)
    if not kept:
        end = block.text[-OVERLAP_TOKENS * 4 :]
        begins = [found.start() for found in ESTIMATED.finditer(end)][-OVERLAP_TOKENS:]
        words = end[begins[0] :]
        kept = [words.split(" ", 1)[-1]]
    return [_Block(max(block.first, block.last - len(kept) + 1), block.last, "\n".join(kept))]


def _pieces(block: _Block) -> Iterator[_Block]:
    """A block that fits as it is; a larger one cut between lines, a longer line between words."""
    if estimate_tokens(block.text) <= CHUNK_TOKENS:
        yield block
        return
    run: list[tuple[int, str]] = []
    size = 0
    for offset, line in enumerate(block.text.split("\n")):
        for part in _line_parts(line):
            tokens = estimate_tokens(part) + 1
            if run and size + tokens > CHUNK_TOKENS:
                yield _block(run)
                run, size = [], 0
            run.append((block.first + offset, part))
            size += tokens
    if run:
        yield _block(run)


def _line_parts(line: str) -> Iterator[str]:
    while found := next(islice(ESTIMATED.finditer(line), CHUNK_TOKENS, None), None):
        width = found.start()
        cut = max(line.rfind(mark, width // 2, width) for mark in (" ", "。", "、", "，"))
        cut = cut + 1 if cut > 0 else width
        yield line[:cut].rstrip()
        line = line[cut:].lstrip()
    if line:
        yield line
