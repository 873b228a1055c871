"""What a Markdown file says of itself: its front matter, and its name. Some notes say nothing elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_MOST_LINES = 200
_LONGEST_TITLE = 300  # characters
_TITLE = re.compile(r"^(?:title|name|description)\s*:\s*(\S.*)$", re.I)
_PROPERTY = re.compile(r"^\s*(\w[\w .-]{0,60}?)\s*:(?:\s+(.*))?$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")
# Of a property's value: what marks lists, quotations and links.
_MARKUP = re.compile(r"\[\[|\]\]|[\[\]\"]|^'|'$")
_ADDRESS = re.compile(r"^https?://\S+$")
# What the client writes at the head of each file of its own memory, for itself.
_CLIENTS_OWN = re.compile(
    r"^(?:type: (?:user|feedback|project|reference)|metadata:|(?:node_type|originSessionId): .*)$"
)
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}(?!\d)")
# Names that any folder has, whatever is in it.
_CUSTOMARY = frozenset(("agents", "claude", "index", "memory", "notes", "readme", "status"))


class FrontMatter(NamedTuple):
    """title: its title, name and description; text: what else it says, a property a line; end: how many lines it
    takes, its marks included (0: there is none)."""

    title: str = ""
    text: str = ""
    end: int = 0


def front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a file's lines; an empty one where nothing closes it."""
    if not lines or lines[0].lstrip("\ufeff").strip() != "---":
        return FrontMatter()
    for end, line in enumerate(lines[1:_MOST_LINES], 1):
        if line.strip() in ("---", "..."):
            inside = lines[1:end]
            titles = [found[1].rstrip().strip("\"'") for each in inside if (found := _TITLE.match(each))]
            return FrontMatter(" – ".join(titles)[:_LONGEST_TITLE], _properties(inside), end + 1)
    return FrontMatter()


def named(path: str) -> str:
    """What a file's name says it is about, or "": in a folder of notes the name is often all that does."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if day := _DAY.match(name):
        name = name[day.end() :]
        if not name.startswith((" ", "-", "_")):  # the copy that a sync tool made of a log has a dot there
            return ""
    words = name.strip() if " " in name.strip() else " ".join(re.split(r"[-_]+", name)).strip()
    return words if words.casefold() not in _CUSTOMARY and re.search(r"[^\W\d_]", words) else ""


def _properties(lines: Sequence[str]) -> str:
    said: list[str] = []
    for line in lines:
        if _TITLE.match(line):
            continue
        if item := _ITEM.match(line):
            value = _value(item[1])
            if said and value:
                said[-1] += f" {value}" if said[-1].endswith(":") else f", {value}"
        elif found := _PROPERTY.match(line):
            said.append(f"{found[1]}: {_value(found[2] or '')}".rstrip())
    return "\n".join(each for each in said if not _CLIENTS_OWN.match(each))


def _value(text: str) -> str:
    plain = _MARKUP.sub("", text.strip()).strip()
    return "" if _ADDRESS.match(plain) else plain
