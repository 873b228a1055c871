"""The answer to /memory-plugin:memory: its arguments come on standard input, as they were typed."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable

import click

from memory_plugin.cli import tasks, trace, why
from memory_plugin.cli.facts import SIMPLE, Outcome, correct_fact
from memory_plugin.cli.history import described as described_stretches
from memory_plugin.cli.history import found_stretches
from memory_plugin.cli.history import listed as listed_conversations
from memory_plugin.cli.look import results
from memory_plugin.cli.naming import SeveralFit, fitting, listed, namespaces
from memory_plugin.cli.remember import Given, add_fact
from memory_plugin.cli.shared import ask, memory_home, namespace
from memory_plugin.cli.status import collect, describe
from memory_plugin.memory import amendments
from memory_plugin.memory import history as kept
from memory_plugin.memory.extraction.words import STOP_WORDS
from memory_plugin.memory.frame import inert
from memory_plugin.memory.journal import Held

_NOTES = 8
_STRETCHES = 3
_LONGEST = 100_000  # bytes
_CUT_OFF = "Error: only a part arrived, so nothing was done. Say it again without three backticks in a row."
_USAGE = (
    "Say `search WORDS`, `add FACT`, `correct FACT: NEW WORDS`, `forget FACT`, `restore FACT`, `confirm FACT`, "
    "`pin FACT`, `unpin FACT`, `promote FACT`, `undo FACT`, `trace FACT`, `history WORDS`, `history list`, `tasks`, "
    "`tasks done WORDS`, `tasks drop WORDS`, `tasks reopen WORDS`, `why`, `why ID`, `status`, or just ask. FACT is an "
    "id, or a few of the fact's words."
)
_PURGE = "That cannot be taken back, so it asks first: run `memory-plugin forget --purge {fact}` in a terminal."
_ID_FIRST = re.compile(r"(?P<fact>[0-9a-z]{4,16})(?:\s*(?:->|→|=>|:)\s*|\s+)(?P<text>.+)", re.S)
_PARTED = re.compile(r"(?P<fact>.+?)(?:\s*:\s+|\s+(?:->|→|=>)\s+)(?P<text>.+)", re.S)
_QUOTED = re.compile(r"[\"“«](?P<fact>[^\"”»]+)[\"”»]\s*(?P<text>.+)", re.S)


@click.command(hidden=True)
@click.option("--last-line", default="", help="What standard input ends with when all of it has arrived.")
def slash(last_line: str) -> None:
    """Answer a slash command in Markdown; reads its arguments from standard input, always exits 0.

    Claude Code ends the command's here-document early when the arguments hold a code fence: half a fact is no fact.

    \b
    Example:
      echo "search staging" | memory-plugin slash
    """
    sent = sys.stdin.buffer.read(_LONGEST).decode("utf-8", errors="replace").rstrip()
    if not sent.endswith(last_line):
        click.echo(_CUT_OFF)
        return
    try:
        click.echo(answer(sent.removesuffix(last_line).strip()))
    except click.ClickException as error:
        click.echo("Error: " + _inert(error.message))


def answer(words: str) -> str:
    """What a slash command's arguments ask for.

    A question is one whatever word it begins with: what ends in a question mark changes nothing.
    """
    verb, rest = (*words.split(None, 1), "", "")[:2]
    verb = verb.lower().rstrip(":")
    if words.endswith(("?", "？")) and not (verb == "history" and rest):
        return _search(rest if verb == "search" else words)
    match verb:
        case "" | "help":
            return _USAGE
        case "status" if not rest:
            return "\n".join(f"- {name}: {value}" for name, value in describe(collect(namespace(None))))
        case "tasks" if not rest or rest.split(None, 1)[0].lower() in ("done", "drop", "reopen", "all"):
            return _tasks(rest)
        case "search" if rest:
            return _search(rest)
        case "add" if rest:
            added = add_fact(rest, Given(), None)
            return f"{added.said} as {added.fact.category}: {inert(added.fact.text)}"
        case "why" if not rest:
            return _inert(why.explained(why.of_prompt(None)))
        case "why" if " " not in rest:
            return _why(rest)
        case "history" if rest:
            return _history(rest)
        case "trace" if rest:
            return _inert("\n\n".join(map(trace.told, trace.history(memory_home(), rest, namespaces(None)))))
        case "forget" if rest.startswith("--"):
            return _PURGE.format(fact=inert(rest.split(None, 1)[-1] if " " in rest else "FACT"))
        case "correct" if rest:
            return _correct(rest)
        case _ if verb in SIMPLE and rest:
            find = amendments.taken_back_in if verb == "restore" else amendments.held_in
            _be_sure(rest, find(memory_home(), namespaces(None)))
            return _told(SIMPLE[verb](rest, None))
        case _ if verb in ("add", "search", "trace", "correct", *SIMPLE):
            return _USAGE
    return _search(words)


def _correct(rest: str) -> str:
    """`7k2m9qab: new words`, `7k2m9qab new words`, `some words: new words`, `"some words" new words`."""
    parted = _QUOTED.fullmatch(rest) or _PARTED.fullmatch(rest)
    if begun := _ID_FIRST.fullmatch(rest):
        meant = amendments.find(memory_home(), begun["fact"], namespaces(None))
        if meant and all(each.fact.id.startswith(begun["fact"]) for each in meant):
            parted = begun
    if not parted:
        return "Say `correct FACT: NEW WORDS`; FACT is an id, or a few of the fact's words."
    wanted = parted["fact"].strip()
    _be_sure(wanted, amendments.held_in(memory_home(), namespaces(None)))
    return _told(correct_fact(wanted, parted["text"].strip().strip('"“”«» '), None))


def _be_sure(wanted: str, held: Iterable[Held]) -> None:
    """Nothing is done to a fact that a sentence merely touches: it must hold all words that say something.

    Raises SeveralFit with the facts that may be meant.
    """
    found = fitting(list(held), wanted)
    bare = "".join(each for each in unicodedata.normalize("NFKD", wanted) if not unicodedata.combining(each))
    words = [word for word in re.findall(r"[^\W_]+[+#]*", bare.casefold()) if word not in STOP_WORDS]
    if any(not fitting([each], word) for each in found for word in words) and not _is_id(wanted, found):
        raise SeveralFit(
            "it is not sure which fact is meant, so nothing was done; name it by its id, or by its own words alone:\n"
            + listed(found)
        )


def _is_id(wanted: str, found: Iterable[Held]) -> bool:
    return all(each.fact.id.startswith(wanted.strip().lower()) for each in found)


def _told(outcome: Outcome) -> str:
    back = f"\nTo take that back: `{outcome.back}`" if outcome.back else ""
    return _inert(outcome.said + back)


def _tasks(rest: str) -> str:
    verb, words = (*rest.split(None, 1), "", "")[:2]
    if words:
        closed = verb.lower() == "reopen"
        _be_sure(words, (each for each in tasks.all_tasks(None) if each.fact.is_open_task is not closed))
    match verb.lower():
        case "":
            return _inert(tasks.described(tasks.open_tasks(None)))
        case "all" if not words:
            return _inert(tasks.described(tasks.all_tasks(None)))
        case "done" if words:
            return _inert(tasks.finish(words, "done", None))
        case "drop" if words:
            return _inert(tasks.finish(words, "dropped", None))
        case "reopen" if words:
            return _inert(tasks.reopen_task(words, None))
    return _USAGE


def _why(note: str) -> str:
    """How a note fares; what is no note's id is a question ("why postgres")."""
    try:
        return _inert(why.told(why.of_note(note, None)))
    except SeveralFit:
        raise
    except click.ClickException:
        return _search(f"why {note}")


def _search(query: str) -> str:
    found = ask("/search", {"query": query, "limit": _NOTES, "project": namespace(None).root})
    return _inert(results(found))


def _history(rest: str) -> str:
    """`list`, `search WORDS`, or just the words."""
    if rest.lower() == "list":
        return _inert(listed_conversations(kept.conversations(memory_home(), (namespace(None).name,))))
    words = rest.split(None, 1)[-1] if rest.lower().startswith("search ") else rest
    return _inert(described_stretches(found_stretches(words, _STRETCHES, namespace(None).root)))


def _inert(text: str) -> str:
    """The lines, each unable to pose as anything; what they are indented by stays."""
    return "\n".join(" " * (len(line) - len(line.lstrip(" "))) + inert(line) for line in text.split("\n"))
