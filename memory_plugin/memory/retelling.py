"""What was said and done, as the Markdown that a page of the history holds: redacted, tools and their output pruned.

Every piece is made from one message or one tool call alone, so that a conversation reads the same whether it was
flushed at once or in many steps. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from memory_plugin.memory.extraction import compaction
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.frame import without_frames
from memory_plugin.memory.redaction import redact
from memory_plugin.memory.transcript import Call, Message

SPEAKERS = {"user": "User", "assistant": "Assistant"}
LONGEST_TITLE = 80  # characters
OUTPUT_MARK = "  > "
LONGEST_TEXT = 200_000  # characters of one message; a pasted log is not masked to its end only to be dropped

_REMINDER = re.compile(r"<system-reminder\b[^>]{0,200}>.*?(?:</system-reminder>|\Z)", re.S | re.I)
_ENDS = 3  # lines of an output's head, and of its tail
_LINE = 160  # characters
_WINDOW = 600  # characters looked at for either
_TARGET = 140
_TORN = 40  # characters beside a cut: as many as may stand between a secret's name and its end
# What may be told from an output only when all of it is seen: a key's lines, what was marked private.
_WHOLE = ("private key", "<private", "</private")  # in small letters
_TARGETS = (
    *("command", "file_path", "notebook_path", "pattern", "url", "query", "description", "subject", "skill"),
    *("path", "prompt", "element", "text", "code"),
)
_OPENING = re.compile(r"\AThis session is being continued from a previous conversation[^\n]*\n*")
_ANALYSIS = re.compile(r"\A\s*(?:<analysis>.*?</analysis>|Analysis:.*?(?=^(?:Summary:|<summary>)))", re.S | re.M)
_TO_THE_MODEL = re.compile(r"^(?:If you need specific details from before|Please continue the conversation from)", re.M)
_OF_FILES = frozenset("Read Grep Glob LS Edit MultiEdit Write NotebookRead NotebookEdit TodoWrite TodoRead".split())
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^(\s{0,3})(#{1,6})(?=\s)")
# Lines by which a page is read: said by somebody, they must not pass for ours.
_OURS = re.compile(
    r"^(?:#{1,2} (?:\d\d:\d\d|Episode)\b|\*\*(?:User|Assistant) \d\d:\d\d:\*\*|<!-- facts:|Facts:(?: [0-9a-z]{4,16})+$"
    r"|- \S.* → (?:ok|error|rejected)$)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that was said or done. day and time are local; end is the offset after its line in the transcript.

    title: of a message, its first words; text: its Markdown without a break at its end; opens: an exchange begins here;
    facts: what was captured from it.
    """

    kind: Literal["message", "call", "summary"]
    day: str
    time: str
    title: str
    text: str
    end: int
    opens: bool = False
    facts: tuple[Fact, ...] = ()


def told(text: str) -> str:
    """What somebody said, without what was put there by us or by hooks, and without secrets."""
    return redact(without_reminders(without_frames(text)))


def without_reminders(text: str) -> str:
    """A text without what the client or a hook added to it in `<system-reminder>` tags."""
    return _REMINDER.sub(" ", text) if "<system-reminder" in text else text


def of_message(
    message: Message, text: str, moment: tuple[str, str], facts: Iterable[Fact] = (), *, opens: bool = False
) -> Piece | None:
    """A message as a piece, or None when nothing of it is left. text: `told` of what it says; moment: day and time."""
    day, time = moment
    facts = tuple(facts)
    text = text.strip()
    if message.role == "summary":
        text = _essence(text)
        return Piece("summary", day, time, "", body_of(text), message.end, facts=facts) if text or facts else None
    title = title_of(text)
    shown = "\n\n".join(filter(None, (body_of(text), " ".join(["[image]"] * message.images))))
    if not shown and message.role == "user" and "<private" in message.text.lower():
        shown = title = "(private)"
    if not shown:
        return None
    return Piece("message", day, time, title, _spoken(message.role, time, shown), message.end, opens, facts)


def of_call(call: Call, moment: tuple[str, str], root: str = "") -> Piece:
    """A tool call as a piece: name, target and outcome on one line, below it the head and the tail of its output.

    What the files say stands in the files: of a tool that reads or changes them, only an error's output is kept. Files
    below `root`, the project's folder, are named from there.
    """
    target = _target(call.input, root)
    telling = call.outcome != "ok" or call.tool not in _OF_FILES
    shown = f" `{target}`" if target else ""
    lines = [f"- {_one_line(call.tool)}{shown} → {call.outcome}"]
    lines += [OUTPUT_MARK + line for line in _pruned(without_reminders(call.output))] if telling else []
    return Piece("call", *moment, "", "\n".join(lines), call.end)


def _essence(summary: str) -> str:
    """The client's summary without what it says to the model that goes on, and without its thinking aloud."""
    text = _TO_THE_MODEL.split(_OPENING.sub("", summary))[0]
    return compaction.told(_ANALYSIS.sub("", text)).strip().removeprefix("Summary:").strip()


def title_of(text: str) -> str:
    """The first words of a text, on one line, fit for a heading."""
    first = next((line for line in text.splitlines() if re.search(r"\w", line)), "")
    return _cut(_one_line(first[: 4 * LONGEST_TITLE]).lstrip("#>*-+ ").replace("*", ""), LONGEST_TITLE)


def body_of(text: str) -> str:
    """A text as part of a page: its headings two levels lower, its code closed, none of its lines passing for ours."""
    lines, fence = list[str](), ""
    for line in text.split("\n"):
        line = line.rstrip()
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif heading := _HEADING.match(line):
            line = f"{heading[1]}{'#' * min(len(heading[2]) + 2, 6)}{line[heading.end() :]}"
        lines.append("\\" + line if _OURS.match(line) else line)
    if fence:
        lines.append(fence)
    return "\n".join(lines)


def _spoken(role: str, time: str, text: str) -> str:
    # what begins a list, a quotation or code must begin its line
    gap = "\n\n" if re.match(r"\s{0,3}(?:[-*+>|#`~]|\d{1,3}[.)]\s)", text) else " "
    return f"**{SPEAKERS[role]} {time}:**{gap}{text}"


def _target(given: dict[str, Any], root: str) -> str:
    """What a tool was used on: the first telling value of its input."""
    values = [given[name] for name in _TARGETS if name in given] or list(given.values())
    found = next((value for value in values if isinstance(value, str) and value.strip()), "")
    found = found.removeprefix(f"{root}/") if root else found
    return _cut(_one_line(_head(found, 2 * _TARGET)).replace("`", "'"), _TARGET)


def _pruned(output: str) -> list[str]:
    """The first and the last lines of an output, each cut, and between them how many are left out."""
    output = output.strip()
    if not output:
        return []
    folded = output.lower()
    if any(mark in folded for mark in _WHOLE):
        output = redact(output[:LONGEST_TEXT])
    if len(output) <= 2 * _WINDOW:
        lines = redact(output).split("\n")
        if len(lines) <= 2 * _ENDS + 1:
            return [_cut(_clean(line), _LINE) for line in lines]
        head, tail = lines[:_ENDS], lines[-_ENDS:]
    else:
        head, tail = _head(output, _WINDOW).split("\n")[:_ENDS], _tail(output, _WINDOW).split("\n")[-_ENDS:]
    between = max(output.count("\n") + 1 - len(head) - len(tail), 0)
    return [
        *(_cut(_clean(line), _LINE) for line in head),
        f"[… {between} lines …]" if between else "[…]",
        *(_cut(_clean(line), _LINE) for line in tail),
    ]


def _head(text: str, length: int) -> str:
    """The beginning of a text, redacted; a secret that the cut runs through is left out, for it no longer shows."""
    if len(text) <= length:
        return redact(text)
    head = redact(text[:length])[:-_TORN]
    return head[: max(head.rfind(" "), head.rfind("\n"), 0)]


def _tail(text: str, length: int) -> str:
    tail = redact(text[-length:])[_TORN:]
    found = re.search(r"\s", tail)
    return tail[found.end() :] if found else ""


def _one_line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    """Without what a terminal obeys, and without a comment's marks, which could hide what follows."""
    if text.isprintable() and "--" not in text:
        return text
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\t", "  ")
    return "".join(filter(str.isprintable, text)).replace("<!--", "<! --").replace("-->", "-- >")


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
