"""What was said: search, show and list the conversations that are kept."""

from __future__ import annotations

import os
import textwrap
from typing import Any

import click

from memory_plugin.cli.shared import ask, counted, json_option, memory_home, namespace, print_json, project_option
from memory_plugin.memory import history as kept
from memory_plugin.memory import pages
from memory_plugin.memory.history import Conversation
from memory_plugin.memory.redaction import redact

_BESIDE_LINES = 6  # of what came before, and after
_LISTED = 30
_ENDED = {"open": "left open", "compacted": "compacted", "ended": "ended"}

everywhere_option = click.option("--all", "everywhere", is_flag=True, help="All projects, not only this one.")


@click.group()
def history() -> None:
    """What was said in earlier conversations.

    \b
    Examples:
      memory-plugin history search "what did we say about the importer last Tuesday"
      memory-plugin history list
      memory-plugin history show --last
    """


@history.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="At most so many stretches.")
@everywhere_option
@project_option
@json_option
def search_history(query: tuple[str, ...], limit: int, everywhere: bool, project: str | None, as_json: bool) -> None:
    """Search what was said, in whole stretches.

    With each: what came before and after, when it was, in which project, and how the conversation ended. Days in words
    ("last Tuesday", "en mars", "three months ago") narrow it.

    \b
    Example:
      memory-plugin history search "why did we drop the cache, last week"
    """
    found = found_stretches(" ".join(query), limit, None if everywhere else namespace(project).root)
    if as_json:
        print_json(found["stretches"])
    else:
        click.echo(described(found))


@history.command("show")
@click.argument("which", required=False)
@click.option("--last", is_flag=True, help="The last conversation of this project.")
@project_option
@json_option
def show_history(which: str | None, last: bool, project: str | None, as_json: bool) -> None:
    """Print a conversation.

    It is named by its session, by the first letters of that, or by a file.

    \b
    Examples:
      memory-plugin history show 5e55104e
      memory-plugin history show --last
    """
    if bool(which) == last:
        raise click.UsageError("name a session or a file, or say --last")
    chosen = conversation(which or "", project)
    texts = [_read(path) for path in chosen.paths]
    if as_json:
        print_json({**_plain(chosen), "text": "\n".join(texts)})
    else:
        click.echo("\n".join(texts).rstrip("\n"))


@history.command("list")
@everywhere_option
@project_option
@json_option
def list_history(everywhere: bool, project: str | None, as_json: bool) -> None:
    """List the conversations that are kept, the newest first.

    \b
    Example:
      memory-plugin history list --all
    """
    found = kept.conversations(memory_home(), () if everywhere else (namespace(project).name,))
    if as_json:
        print_json([_plain(each) for each in found])
    else:
        click.echo(listed(found))


def found_stretches(query: str, limit: int, root: str | None) -> dict[str, Any]:
    """What the service finds in the conversations of a project, or of all (None)."""
    return ask("/history", {"query": query, "limit": limit, "project": root})


def conversation(which: str, project: str | None) -> Conversation:
    """The conversation with this session or file, or the last one of the project (""). ClickException when there is
    none, or more than one."""
    home = memory_home()
    if not which:
        found = kept.conversations(home, (namespace(project).name,))[:1]
    elif which.endswith(".md") or os.sep in which:
        path = os.path.realpath(which)
        found = [each for each in kept.conversations(home) if path in map(os.path.realpath, each.paths)]
    else:
        found = [each for each in kept.conversations(home) if each.session.startswith(which)]
        found = [each for each in found if each.session == which] or found
    if not found:
        raise click.ClickException(
            "no conversation is kept of this project yet"
            if not which
            else f"no conversation {which!r}; `memory-plugin history list --all` shows them"
        )
    if len(found) > 1:
        raise click.ClickException(f"{which!r} fits {counted(len(found), 'conversation')}:\n{listed(found)}")
    return found[0]


def described(found: dict[str, Any]) -> str:
    """Stretches for a person, each with what stands around it."""
    blocks = []
    for number, each in enumerate(found["stretches"], start=1):
        what = "summary of " if each["kind"] == "episode" else ""
        when = f"{each['day']} {each['time']}" + (f"–{each['until']}" if each["until"] != each["time"] else "")
        lines = [f"{number}. {when}  {what}{each['project']}  ({_ENDED.get(each['ended'], each['ended'])})"]
        lines += _beside("before", each["before"])
        lines += [textwrap.indent(each["text"].strip(), "   ")]
        lines += _beside("after", each["after"])
        lines += [f"   {each['file']}#L{each['line']}"]
        blocks.append("\n".join(lines))
    if not blocks:
        blocks = ["Nothing found."]
    if found.get("degraded"):
        blocks.append("(by keyword only; `memory-plugin status` says why)")
    return "\n\n".join(blocks)


def listed(found: list[Conversation]) -> str:
    """Conversations for a person, one a line."""
    lines = [
        f"{each.last_day}  {each.session[:8]}  {os.path.basename(each.project.rstrip('/')) or each.namespace}  "
        f"{_opening(each)}  ({_ENDED.get(each.ended, each.ended)})"
        for each in found[:_LISTED]
    ]
    if len(found) > _LISTED:
        lines.append(f"and {len(found) - _LISTED} older ones; --json lists them all")
    return "\n".join(lines) or "No conversation is kept yet."


def _beside(where: str, text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    shown = lines if len(lines) <= _BESIDE_LINES else [*lines[: _BESIDE_LINES - 2], "[…]", lines[-1]]
    return [f"   {where}:", *(f"   | {line[:160]}" for line in shown)]


def _opening(each: Conversation) -> str:
    """The first words of a conversation."""
    for section in pages.sections(_read(each.paths[0])):
        if section.kind == "exchange":
            return section.title
    return ""


def _read(path: str) -> str:
    with open(path, encoding="utf-8-sig", errors="replace") as stream:
        return redact(stream.read())


def _plain(each: Conversation) -> dict[str, Any]:
    return {
        "session": each.session,
        "namespace": each.namespace,
        "project": each.project,
        "first_day": each.first_day,
        "last_day": each.last_day,
        "ended": each.ended,
        "opening": _opening(each),
        "files": list(each.paths),
    }
