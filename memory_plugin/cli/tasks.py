"""What is still to be done, as the conversations left it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

import click

from memory_plugin.cli.naming import SeveralFit, amending, listed, namespaces, where
from memory_plugin.cli.shared import counted, json_option, memory_home, print_json, project_option
from memory_plugin.memory import amendments, clock, naming
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.journal import Held

_TASK = "goal"  # the category of a task


def open_tasks(project: str | None) -> list[Held]:
    """What is still to be done in a project and everywhere, oldest first."""
    return [each for each in all_tasks(project) if each.fact.is_open_task]


def all_tasks(project: str | None) -> list[Held]:
    """Every task that stands, oldest first; one that only repeats another is left out."""
    held = amendments.held_in(memory_home(), namespaces(project))
    found = {each.fact.id: each for each in held if each.fact.category == _TASK and each.fact.reason != "repeat"}
    return sorted(found.values(), key=lambda each: (each.fact.day, each.fact.at, each.fact.id))


def finish(wanted: str, reason: str, project: str | None) -> str:
    """Close an open task as done or dropped; says so. Raises ClickException."""
    found = open_tasks(project)
    held = _one_of(found, wanted, "open")
    with amending(held) as home:
        amendments.archive(home, held, reason, how="by command")
    what = "Done" if reason == "done" else "Dropped"
    return f"{what}: {held.fact.text}\nTo take that back: memory-plugin tasks reopen {held.fact.id}"


def reopen_task(wanted: str, project: str | None) -> str:
    """Open a task again; says so. Raises ClickException."""
    held = _one_of([each for each in all_tasks(project) if not each.fact.is_open_task], wanted, "closed")
    with amending(held) as home:
        amendments.reopen(home, held, how="by command", seen=f"{clock.today():%Y-%m-%d}")
    return f"Open again: {held.fact.text}\nTo take that back: memory-plugin tasks done {held.fact.id}"


def _one_of(tasks: list[Held], wanted: str, which: str) -> Held:
    found = naming.fitting(tasks, wanted)
    if len(found) == 1:
        return found[0]
    if found:
        raise SeveralFit(f"several {which} tasks fit; name one by its id, or by more of its words:\n{listed(found)}")
    there_are = f"; there are:\n{listed(tasks)}" if tasks else ", there are none"
    raise click.ClickException(f"no {which} task fits “{wanted}”{there_are}")


def described(tasks: list[Held]) -> str:
    """Tasks for a person: text, then how it stands, its age, where it comes from."""
    if not tasks:
        return "Nothing is open."
    return "\n".join(
        f"{number}. {each.fact.text}\n   {each.fact.id}  {_standing(each.fact)}, {_source(each.fact)}  {where(each)}"
        for number, each in enumerate(tasks, start=1)
    )


def _standing(fact: Fact) -> str:
    if fact.is_open_task:
        return f"open for {counted(_age(fact), 'day')}" if _age(fact) else "open since today"
    by = f" by {fact.by}" if fact.by else ""
    return f"{fact.reason or fact.status}{by}{f' on {fact.until}' if fact.until else ''}"


def _source(fact: Fact) -> str:
    said = f"said on {fact.day}" if fact.day else "by hand"
    return f"{said} in session {fact.source.split('#')[0]}" if "#" in fact.source else said


def _age(fact: Fact) -> int:
    try:
        return max((clock.today() - date.fromisoformat(fact.day)).days, 0)
    except ValueError:
        return 0


def _plain(held: Held) -> dict[str, Any]:
    return {**asdict(held.fact), "namespace": held.namespace, "place": where(held), "age_days": _age(held.fact)}


@click.group(invoke_without_command=True)
@click.option("--all", "everything", is_flag=True, help="Those that are done or dropped too.")
@project_option
@json_option
@click.pass_context
def tasks(context: click.Context, everything: bool, project: str | None, as_json: bool) -> None:
    """List what is still to be done, oldest first.

    As conversations left it; a later one that does a task closes it, and so do you.

    \b
    Examples:
      memory-plugin tasks
      memory-plugin tasks done "rate limiter"
      memory-plugin tasks drop dark mode
    """
    context.obj = project
    if context.invoked_subcommand is not None:
        return
    found = all_tasks(project) if everything else open_tasks(project)
    if as_json:
        print_json([_plain(each) for each in found])
    else:
        click.echo(described(found))


@tasks.command("done")
@click.argument("words", nargs=-1, required=True)
@project_option
@click.pass_obj
def done(above: str | None, words: tuple[str, ...], project: str | None) -> None:
    """Close a task: it is done.

    \b
    Example:
      memory-plugin tasks done "rate limiter"
    """
    click.echo(finish(" ".join(words), "done", project or above))


@tasks.command("drop")
@click.argument("words", nargs=-1, required=True)
@project_option
@click.pass_obj
def drop(above: str | None, words: tuple[str, ...], project: str | None) -> None:
    """Close a task: it will not be done.

    \b
    Example:
      memory-plugin tasks drop dark mode
    """
    click.echo(finish(" ".join(words), "dropped", project or above))


@tasks.command("reopen")
@click.argument("words", nargs=-1, required=True)
@project_option
@click.pass_obj
def reopen(above: str | None, words: tuple[str, ...], project: str | None) -> None:
    """Open a closed task again.

    \b
    Example:
      memory-plugin tasks reopen "rate limiter"
    """
    click.echo(reopen_task(" ".join(words), project or above))
