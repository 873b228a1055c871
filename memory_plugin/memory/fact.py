"""A fact, and the one line of Markdown that holds it.

    - **decision** We index with LanceDB, not pgvector. <!-- m:7k2m9qab project decided lancedb imp=0.8 conf=0.70
      at=14:32 src=1f3a9c#4be1 -->            (on one line)

The comment may be missing: a list item written by hand is a fact too, with the defaults below. A line struck
through (`~~…~~`) is a retraction: it parses as nothing. What became of a fact later stands in its comment, the text
stays: `seen=2026-12-04 n=3 status=superseded until=2026-12-11 by=a1b2c3d4`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, fields

# category: (days until it is stale, None for never; importance when nothing else is known)
CATEGORIES: dict[str, tuple[int | None, float]] = {
    "identity": (None, 0.9),
    "relationship": (None, 0.7),
    "health": (180, 0.7),
    "preference": (90, 0.8),
    "habit": (90, 0.6),
    "constraint": (365, 0.8),
    "project": (180, 0.6),
    "decision": (365, 0.8),
    "goal": (14, 0.7),
    "procedure": (365, 0.7),
    "reference": (365, 0.6),
    "lesson": (None, 0.8),
    "event": (30, 0.5),
}
PREDICATES = frozenset(
    (
        *("is", "has", "named", "located", "knows", "works_with"),
        *("uses", "prefers", "requires", "avoids", "wants", "plans"),
        *("decided", "did", "learnt", "causes", "fixes", "fails"),
        *("runs", "builds", "tests", "deploys"),
    )
)
STATUSES = ("active", "superseded", "contradicted", "archived")
CLOSED_FOR = ("done", "dropped")  # of a task
ARCHIVED_FOR = (*CLOSED_FOR, "repeat")
SEVERITIES = ("low", "medium", "high", "critical")  # of a lesson
SEVERE = frozenset(SEVERITIES[2:])
RELATIONS = ("supersedes", "contradicts", "supports", "related")
DEFAULT_CATEGORY = "project"
CONFIDENCE_RULE = 0.55
CONFIDENCE_STATED = 0.70
DEFAULT_IMPORTANCE = 0.6
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Candidate:
    """What extraction found in one message, before it has a place, an id or a date.

    text is one line of at most 300 characters that stands alone; importance and confidence are 0 to 1;
    category is a key of CATEGORIES, predicate one of PREDICATES; subject and object are lower-case slugs.
    """

    text: str
    category: str
    predicate: str
    subject: str
    object: str
    importance: float
    confidence: float
    severity: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A remembered fact. day is YYYY-MM-DD, at is HH:MM (both local time), source is `session#entry`, shortened.

    seen is the day it was last said ("": never again), support how many independent times. A fact that is not active
    is so since the day `until`, because of the fact `by` (its id) or for a `reason` (one of ARCHIVED_FOR). The last
    four name the facts that this one supersedes, contradicts, supports or is related to.
    """

    id: str
    text: str
    category: str
    predicate: str
    subject: str
    object: str
    importance: float
    confidence: float
    day: str
    at: str
    source: str
    severity: str = ""
    seen: str = ""
    support: int = 1
    status: str = "active"
    reason: str = ""
    until: str = ""
    by: str = ""
    pinned: bool = False
    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def last_seen(self) -> str:
        """The day it was last said."""
        return self.seen or self.day

    @property
    def is_open_task(self) -> bool:
        """Whether it is something that is still to be done."""
        return self.category == "goal" and self.status == "active"


DEFAULTS = {
    each.name: each.default
    for each in fields(Fact)
    if each.name in ("severity", "seen", "support", "status", "reason", "until", "by", "pinned", *RELATIONS)
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_ITEM = re.compile(r"^\s{0,3}[-*+]\s+(?P<body>\S.*)$")
# As long as the facts that a pattern stands on may be many, and up to the next comment at most.
_COMMENT = re.compile(r"<!--\s{0,9}m:(?P<id>[0-9a-z]{4,16})\b(?P<rest>(?:[^<]|<(?!!--)){0,20000}?)-->")
_BELOW = re.compile(r"(?P<start>\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?)(?P<body>\S.*)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CATEGORY = re.compile(r"^\*\*(?P<category>[a-z]+)\*\*(?:\s+(?P<text>.*))?$")
_UNNAMED = re.compile(r"[^\w.-]|-(?=-)")
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no letter that reads as another


def clean(text: str) -> str:
    """The text on one line, without control characters or anything that would end the line's comment."""
    text = " ".join(_CONTROL.sub(" ", text).split())
    text = text.replace("<!--", "‹!--").replace("-->", "--›")
    while text.startswith("~~") and text.endswith("~~"):
        text = text[2:-2].strip()
    return text


def slug(text: str, words: int = 4) -> str:
    """Lower-case words joined by hyphens, in any script; `-` when there is none."""
    found = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    return "-".join(found[:words])[:60] or "-"


def fact_id(namespace: str, text: str) -> str:
    """Eight characters (40 bits) that depend on the namespace and the words, not on case, spacing or punctuation.

    `+` and `#` after a word belong to it: C, C++ and C# are three things.
    """
    words = " ".join(re.findall(r"\w+[+#]*", unicodedata.normalize("NFKC", text).casefold()))
    digest = hashlib.sha256(f"{namespace}\0{words or text}".encode(errors="surrogatepass")).digest()
    number = int.from_bytes(digest[:5], "big")
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(35, -5, -5))


def source_of(session: str, entry: str) -> str:
    """`session#entry`, each cut to eight characters that can stand in a line's comment."""
    return f"{_UNNAMED.sub('_', session[:8])}#{_UNNAMED.sub('_', entry[:8])}"


def session_of(fact: Fact) -> str:
    """The conversation that a fact comes from, shortened as its source names it."""
    return fact.source.split("#")[0]


def make(candidate: Candidate, namespace: str, day: str, at: str, source: str) -> Fact:
    """The fact that a candidate becomes in a namespace."""
    text = clean(candidate.text)
    return Fact(
        id=fact_id(namespace, text),
        text=text,
        category=candidate.category,
        predicate=candidate.predicate,
        subject=slug(candidate.subject),
        object=slug(candidate.object),
        importance=candidate.importance,
        confidence=candidate.confidence,
        day=day,
        at=at,
        source=source,
        severity=candidate.severity,
    )


def format_line(fact: Fact, *, dated: bool = False) -> str:
    """The fact's line of Markdown, without its line break; `dated` where the file's name does not say the day."""
    return f"- **{fact.category}** {fact.text} {format_comment(fact, dated=dated)}"


def format_comment(fact: Fact, *, dated: bool = False) -> str:
    """What a fact's line says besides its words: values that are the usual ones are left out."""
    marks = {
        "imp": f"{fact.importance:.2f}",
        "conf": f"{fact.confidence:.2f}",
        "on": fact.day if dated else "",
        "at": fact.at or "-",
        "src": fact.source or "-",
        "sev": fact.severity,
        "seen": fact.seen,
        "n": str(fact.support) if fact.support > 1 else "",
        "status": fact.status if fact.status != "active" else "",
        "why": fact.reason,
        "until": fact.until,
        "by": fact.by,
        **{relation: ",".join(getattr(fact, relation)) for relation in RELATIONS},
    }
    words = [f"{name}={value}" for name, value in marks.items() if value] + ["pin"] * fact.pinned
    return f"<!-- m:{fact.id} {fact.subject} {fact.predicate} {fact.object} {' '.join(words)} -->"


def parse_line(line: str, namespace: str, day: str) -> Fact | None:
    """The fact that a line of a daily log or topic file holds, or None: no list item, struck through, or empty."""
    item = _ITEM.match(line)
    if not item or item["body"].startswith("~~"):
        return None
    body = item["body"].strip()
    comment = _COMMENT.search(body)
    if comment:
        body = (body[: comment.start()] + " " + body[comment.end() :]).strip()
    found = _CATEGORY.match(body)
    category = found["category"] if found and found["category"] in CATEGORIES else ""
    text = (found["text"] or "").strip() if found and category else body
    if not text or (text.startswith("~~") and text.endswith("~~")):
        return None
    words = comment["rest"].split() if comment else []
    values = dict(word.split("=", 1) for word in words if "=" in word)
    names, pinned = _names([word for word in words if "=" not in word])
    default = CATEGORIES[category][1] if category else DEFAULT_IMPORTANCE
    return Fact(
        id=comment["id"] if comment else fact_id(namespace, text),
        text=text,
        category=category or DEFAULT_CATEGORY,
        predicate=names[1] if len(names) == 3 and names[1] in PREDICATES else "is",
        subject=names[0] if len(names) == 3 else "project",
        object=names[2] if len(names) == 3 else "-",
        importance=_share(values.get("imp"), default),
        confidence=_share(values.get("conf"), CONFIDENCE_STATED),
        day=_day(values.get("on")) or day,
        at=_written(values.get("at")),
        source=_written(values.get("src")),
        severity=_one_of(SEVERITIES, values.get("sev"), ""),
        seen=_day(values.get("seen")),
        support=_count(values.get("n")),
        status=_one_of(STATUSES, values.get("status"), "active"),
        reason=_one_of(ARCHIVED_FOR, values.get("why"), ""),
        until=_day(values.get("until")),
        by=_written(values.get("by")),
        pinned=pinned,
        **{relation: tuple(filter(None, values.get(relation, "").split(","))) for relation in RELATIONS},
    )


def restate(line: str, fact: Fact, *, dated: bool = False) -> str:
    """A line of Markdown, made to say what the fact is now; its visible words stay as they are when they say it."""
    item = _ITEM.match(line)
    if not item:
        return format_line(fact, dated=dated)
    said = parse_line(line, "", "")
    start, body = line[: item.start("body")], item["body"].rstrip()
    comment = _COMMENT.search(body)
    if said is None or (said.text, said.category) != (fact.text, fact.category):
        return f"{start}**{fact.category}** {fact.text} {format_comment(fact, dated=dated)}"
    visible = body[: comment.start()].rstrip() if comment else body
    after = body[comment.end() :].rstrip() if comment else ""
    return f"{start}{visible} {format_comment(fact, dated=dated)}{after}"


def label(category: str, severity: str = "", status: str = "active", reason: str = "", until: str = "") -> str:
    """What kind of fact it is, in the words that stand before it where it is shown."""
    if category == "goal" and status == "active":
        return "open task"
    if category == "goal" and status == "archived" and reason in CLOSED_FOR:
        return f"task {reason} {until}".rstrip()
    kind = f"{severity} {category}" if severity in SEVERE else category
    ended = "no longer held" if status == "archived" else status
    return kind if status == "active" else f"{kind}, {ended} {until}".rstrip()


def line_id(line: str) -> str:
    """The id that a line of ours names, struck through or not; "" for any other."""
    found = _COMMENT.search(line) if "<!--" in line else None
    return found["id"] if found else ""


def strike(line: str) -> str:
    """A fact's line struck through, which retracts it: our comment stays readable to us behind it."""
    item = _ITEM.match(line)
    if not item or item["body"].startswith("~~"):
        return line
    start, body = line[: item.start("body")], item["body"].rstrip()
    comment = _COMMENT.search(body)
    if not comment or body[comment.end() :].strip():  # what a person wrote behind it is struck with it
        return f"{start}~~{body}~~"
    return f"{start}~~{body[: comment.start()].rstrip()}~~ {comment[0]}"


def unstrike(line: str) -> str:
    """A line that `strike` made, or a person in whatever way, as it was before."""
    first, last = line.find("~~"), line.rfind("~~")
    if first + 2 > last or parse_line(line, "", ""):
        return line
    bare = line[:first] + line[first + 2 : last] + line[last + 2 :]
    return bare if parse_line(bare, "", "") else line


def strike_below(line: str) -> str:
    """A line that a struck item goes on in, struck through; what begins a block of code, or is struck, stays."""
    said = line.rstrip()
    found = _BELOW.fullmatch(said)
    if not found or found["body"].startswith(("~", "```")):
        return line
    return f"{found['start']}~~{found['body']}~~{line[len(said) :]}"


def unstrike_below(line: str) -> str:
    """A line that `strike_below` made, as it was before."""
    said = line.rstrip()
    found = _BELOW.fullmatch(said)
    struck = re.fullmatch(r"~~([^~].*)~~", found["body"]) if found else None
    return f"{found['start']}{struck[1]}{line[len(said) :]}" if found and struck else line


def _names(words: list[str]) -> tuple[list[str], bool]:
    """Subject, predicate and object of a comment, and whether it says `pin`, which may be the subject's or object's
    own name, too."""
    if "pin" not in words or len(words) == 3:
        return words, False
    last = len(words) - 1 - words[::-1].index("pin")
    return words[:last] + words[last + 1 :], True


def _written(value: str | None) -> str:
    return "" if value in (None, "-") else str(value)


def _day(value: str | None) -> str:
    return value if value and _DAY.fullmatch(value) else ""


def _one_of(known: tuple[str, ...], value: str | None, default: str) -> str:
    return value if value in known else default


def _count(value: str | None) -> int:
    return min(max(int(value), 1), 9999) if value and value.isdecimal() and value.isascii() else 1


def _share(written: str | None, default: float) -> float:
    try:
        value = float(written) if written else default
    except ValueError:
        return default
    return min(max(value, 0.0), 1.0) if value == value else default
