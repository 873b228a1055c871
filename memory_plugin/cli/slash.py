"""The answer to /memory-plugin:memory: its arguments come on standard input, as they were typed."""

from __future__ import annotations

import sys

import click

from memory_plugin.cli.look import results
from memory_plugin.cli.remember import add_fact
from memory_plugin.cli.shared import ask, namespace
from memory_plugin.cli.status import collect, describe
from memory_plugin.memory.frame import inert

_NOTES = 8
_LONGEST = 100_000  # bytes
_CUT_OFF = "Error: only a part arrived, so nothing was done. Say it again without three backticks in a row."
_USAGE = "Say `search WORDS`, `add FACT`, `status`, or just ask."


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
        click.echo(f"Error: {error.message}")


def answer(words: str) -> str:
    """What a slash command's arguments ask for."""
    verb, _, rest = words.partition(" ") if " " in words else (words, "", "")
    rest = rest.strip()
    match verb.lower():
        case "" | "help":
            return _USAGE
        case "status" if not rest:
            return "\n".join(f"- {name}: {value}" for name, value in describe(collect(namespace(None))))
        case "add" if rest:
            fact, written = add_fact(rest, None, False, None)
            return f"{'Noted' if written else 'Known already'} as {fact.category}: {inert(fact.text)}"
        case "search" if rest:
            return _search(rest)
        case "add" | "search":
            return _USAGE
    return _search(words)


def _search(query: str) -> str:
    found = ask("/search", {"query": query, "limit": _NOTES, "project": namespace(None).root})
    return "\n".join(
        inert(line) if not line.startswith("   ") else "   " + inert(line) for line in results(found).split("\n")
    )
