"""The review by hand: what it would do, and doing it."""

from __future__ import annotations

from itertools import groupby

import click

from memory_plugin.cli.shared import json_option, memory_home, namespace, print_json, project_option
from memory_plugin.memory import clock, injected, places, pointers
from memory_plugin.memory import review as reviewing
from memory_plugin.memory.frame import inert
from memory_plugin.memory.ledger import Ledger


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.option("--weekly", is_flag=True, help="Look for patterns across weeks too.")
@click.option("--all", "everything", is_flag=True, help="Every project, not this one and what holds everywhere.")
@project_option
@json_option
def review(dry_run: bool, weekly: bool, everything: bool, project: str | None, as_json: bool) -> None:
    """Tidy up: move proven facts to topics, renew MEMORY.md.

    Facts that were said again, pinned or used move from the daily logs to topics/<category>.md; what holds no longer
    or has expired leaves MEMORY.md, never the disk. The service does the same by itself, once a day and once a week.

    \b
    Examples:
      memory-plugin review --dry-run
      memory-plugin review --weekly --all
    """
    home, today = memory_home(), clock.today()
    if everything and project:
        raise click.UsageError("name a project, or --all: not both")
    names = _every_namespace(home) if everything else [namespace(project).name, places.GLOBAL_NAMESPACE]
    ledger = Ledger(home).refresh()
    steps = reviewing.plan(home, names, ledger, today, used=injected.used(), weekly=weekly)
    if not dry_run:
        reviewing.apply(home, steps, today)
    if as_json:
        found = [{name: getattr(each, name) for name in ("namespace", "kind", "what", "why", "text")} for each in steps]
        print_json({"dry_run": dry_run, "steps": found})
        return
    for name, group in groupby(steps, key=lambda each: each.namespace):
        click.echo(name)
        for step in group:
            click.echo(f"  {inert(str(step))}")
    if not steps:
        click.echo("Nothing to do.")
    elif dry_run:
        click.echo("Nothing was written: leave out --dry-run to do it.")


def _every_namespace(home: str) -> list[str]:
    try:
        return pointers.namespaces_of(home)
    except FileNotFoundError:
        return []
