"""What property tests draw from: any text, JSON of any shape, what a transcript or a Markdown file may hold."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from memory_plugin.memory.fact import (
    ARCHIVED_FOR,
    CATEGORIES,
    PREDICATES,
    SEVERITIES,
    STATUSES,
    Fact,
    clean,
    fact_id,
    format_line,
    slug,
    source_of,
)
from memory_plugin.memory.pointers import MARK_END, MARK_START
from tests.support.transcripts import SESSION

DAY = "2026-11-30"
NAMESPACE = "shop-0a1b2c3d"

# Half a surrogate pair comes out of JSON; the rest is what some program or other takes for the end of a line or word.
_ODD = "\ud83d\udc4d\0\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u00a0\u200b\u200d\u202e\ufeff\r\t~*`<>-#|[]"
letters = st.characters(exclude_categories=()) | st.sampled_from(_ODD)
words = st.sampled_from(
    "we use tabs always never remember port 8443 decided pin imp=0.90 status=archived ~~ ** - # <!-- --> m:7k2m9qab "
    "désormais 日本語 👩‍💻 https://example.org/a(b) `make cut`".split(" ")
)
text = st.text(letters, max_size=60) | st.lists(words | st.text(letters, max_size=4), max_size=12).map(" ".join)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=8,
)

_KINDS = "user assistant summary system progress queue-operation attachment tool_use tool_result text image mode"
_KEYS = (
    "type message content role text uuid sessionId timestamp isMeta isSidechain isCompactSummary operation attachment "
    "prompt toolUseResult tool_use_id id name input is_error answers model cwd parentUuid data version"
)
_values = (
    json_values
    | st.sampled_from(_KINDS.split())
    | st.sampled_from(
        ["enqueue", "dequeue", "remove", "popAll", "queued_command", "<synthetic>", "AskUserQuestion", "t1"]
    )
)
# What looks like an entry of a transcript: the client's own keys, with values of any type in any depth.
entries = st.recursive(
    st.dictionaries(st.sampled_from(_KEYS.split()), _values, max_size=8),
    lambda inner: st.dictionaries(
        st.sampled_from(_KEYS.split()), _values | inner | st.lists(inner | _values, max_size=3), max_size=8
    ),
    max_leaves=4,
)


_typed = st.fixed_dictionaries(
    {"type": st.sampled_from(["summary", "system", "progress", "mode", "attachment", "user"])}
)


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


@st.composite
def torn(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Bytes that lost their beginning or their end."""
    content = draw(whole)
    place = draw(st.integers(0, len(content)))
    return content[:place] if draw(st.booleans()) else content[place:]


_entry_lines = entries.map(_dumped)
# A line of a transcript, without its break, that is no message or perhaps one.
junk = (st.binary(max_size=80) | _entry_lines | torn(_entry_lines) | json_values.map(_dumped)).map(
    lambda line: line.replace(b"\n", b" ")
) | st.sampled_from(
    [b"", b"\r", b"\0" * 9, b"[" * 3000, b'{"a":' * 3000, b'{"type":"user"', b"1" * 5000, b"\xef\xbb\xbf"]
)


@st.composite
def messages(draw: st.DrawFn, said: str) -> dict[str, Any]:
    """An entry in which somebody says this: its keys in any order, others among them."""
    role = draw(st.sampled_from(["user", "assistant"]))
    block = {"type": "text", "text": said}
    content = draw(st.sampled_from([said, [block], [{"type": "thinking", "thinking": "x"}, block], [None, 5, block]]))
    entry = {
        "type": role,
        "message": {"role": role, "content": content},
        "sessionId": SESSION,
        "uuid": draw(text),
        **draw(st.dictionaries(st.sampled_from(["cwd", "version", "data", "toolUseResult"]), json_values | _typed)),
    }
    return {key: entry[key] for key in draw(st.permutations(list(entry)))}


def _many(count: int) -> tuple[str, ...]:
    return tuple(fact_id(NAMESPACE, str(number)) for number in range(count))


days = st.dates().map(lambda day: f"{day:%Y-%m-%d}".zfill(10))
ids = text.map(lambda each: fact_id(NAMESPACE, each))
_several = st.lists(ids, max_size=3, unique=True).map(tuple) | st.integers(0, 400).map(_many)
_slugs = st.sampled_from(["-", "pin", "project"]) | text.map(slug)
shares = st.integers(0, 100).map(lambda share: share / 100)


@st.composite
def facts(draw: st.DrawFn, text: st.SearchStrategy[str] = text) -> Fact:
    """A fact that says something, in whatever state it may be."""
    words = draw(text.map(clean).filter(bool))
    status = draw(st.sampled_from(STATUSES))
    return Fact(
        id=fact_id(NAMESPACE, words),
        text=words,
        category=draw(st.sampled_from(sorted(CATEGORIES))),
        predicate=draw(st.sampled_from(sorted(PREDICATES))),
        subject=draw(_slugs),
        object=draw(_slugs),
        importance=draw(shares),
        confidence=draw(shares),
        day=DAY,
        at=draw(st.sampled_from(["", "00:00", "14:32"])),
        source=source_of(draw(text), draw(text)),
        severity=draw(st.sampled_from(["", *SEVERITIES])),
        seen=draw(st.just("") | days),
        support=draw(st.integers(1, 9999)),
        status=status,
        reason=draw(st.sampled_from(["", *ARCHIVED_FOR])),
        until=draw(st.just("") | days),
        by=draw(st.just("") | ids),
        pinned=draw(st.booleans()),
        supersedes=draw(_several),
        contradicts=draw(_several),
        supports=draw(_several),
        related=draw(_several),
    )


_own_lines = st.sampled_from(
    [
        *("", " ", "\t", "# Title", "## Earlier", "prose", "- by hand", "* by hand too", "1. one", "> quoted", "---"),
        *("  more on it", "    code", "  - below", "\tbelow", "```", "~~~", "<!-- mine", "-->", "- ~~struck~~"),
        *(MARK_START, MARK_END, "- **goal** mine", "- [ ] a box", "| a | b |", "&nbsp;", "- ~~half"),
    ]
)
# A line of Markdown that a person wrote, as bytes, without its break; what is no UTF-8 among them.
own_lines = (
    (_own_lines | st.text(letters, max_size=20)).map(lambda line: line.encode("utf-8", "surrogatepass"))
    | st.binary(max_size=8)
).map(lambda line: line.replace(b"\n", b" "))
breaks = st.sampled_from([b"\n", b"\r\n"])


@st.composite
def pages(draw: st.DrawFn, ours: list[bytes], own: st.SearchStrategy[bytes] = own_lines) -> bytes:
    """A Markdown file in which these lines of ours stand in this order among a person's own."""
    lines = list[bytes]()
    for each in ours:
        lines += [*draw(st.lists(own, max_size=3)), each]
    lines += draw(st.lists(own, max_size=3))
    end = draw(breaks)
    mark = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    return mark + end.join(lines) + draw(st.sampled_from([b"", end]))


def line_of(fact: Fact, *, dated: bool = False) -> bytes:
    """The fact's line as a file holds it."""
    return format_line(fact, dated=dated).encode()


_FIELDS = "session_id transcript_path cwd hook_event_name source trigger reason prompt custom_instructions"
_field_values = json_values | st.sampled_from(
    ["startup", "compact", "resume", "clear", "manual", "/", ".", "~", "/dev/null"]
)


def hook_inputs(transcript: str) -> st.SearchStrategy[bytes]:
    """What may stand on a hook's standard input: its own fields with values of any type, this transcript's path among
    them, torn or not, and any bytes."""
    values = _field_values | st.just(transcript)
    own = st.dictionaries(st.sampled_from(_FIELDS.split()), values, max_size=9).map(_dumped)
    return own | torn(own) | json_values.map(_dumped) | st.binary(max_size=60)
