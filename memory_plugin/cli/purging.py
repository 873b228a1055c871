"""forget --purge: shows where a fact stands, asks, removes it, and says what it could not reach."""

from __future__ import annotations

import os
import shutil

import click

from memory_plugin.cli.naming import namespaces, nothing_fits, only, tell_service
from memory_plugin.cli.shared import counted, memory_home, need_service
from memory_plugin.memory import amendments, naming, places, purge
from memory_plugin.memory.files import try_lock
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.purge import Traces
from memory_plugin.service import client

_INDEX, _INDEX_LOCK = "index.lance", "index.lock"  # in the state folder; their module takes a second to import
_MOST_LISTED = 20


def purge_fact(wanted: str, project: str | None, yes: bool) -> None:
    """Remove a fact from everything that is ours. Raises ClickException; asks first unless `yes`."""
    home, state = memory_home(), places.state_folder()
    held = _meant(home, wanted, namespaces(project))
    target = purge.target(home, held)
    traces = purge.look(home, state, target)
    click.echo(f"{held.fact.id}  {held.fact.text or '(its words are gone already)'}")
    click.echo(told(traces))
    if not yes:
        click.confirm("Remove it from these for good?", abort=True)
    try:
        purge.run(home, state, held.namespace, target)
    except OSError as error:
        raise click.ClickException(
            f"not all of it could be removed: {error}\n`memory-plugin forget --purge {held.fact.id}` goes on"
        ) from error
    click.echo(f"Purged {held.fact.id}. {_scrubbed(state)}")
    click.echo(out_of_reach(traces))


def _meant(home: str, wanted: str, names: list[str]) -> Held:
    """The fact that is meant, one that stands first, or that was taken back, or whose purge was not finished."""
    if found := amendments.find(home, wanted, names) or amendments.find_taken_back(home, wanted, names):
        return only(found)
    entries = Ledger(home).refresh().entries
    begun = [Held(each.fact, name, "", 0) for (name, _), each in entries.items() if name in names and each.purged]
    if found := [each for each in naming.fitting(begun, wanted) if each.fact.id.startswith(wanted.strip().lower())]:
        return found[0]
    raise nothing_fits(wanted)


def told(traces: Traces) -> str:
    """Where a fact stands, for a person."""
    lines = [*_listed("goes from", traces.lines)]
    for what, found in (("goes from", traces.events), ("is masked in", traces.state)):
        lines += _listed(what, [f"{path} ({counted(count, 'line')})" for path, count in found.items()])
    if traces.notes:
        lines += ["Your own notes hold the same words, and stay as they are:", *_listed("", traces.notes)]
    if traces.others:
        others = [f"{identity}  {place}" for identity, place in traces.others.items()]
        lines += ["Other facts hold the same words or stand on it, and stay:", *_listed("", others)]
    return "\n".join(lines)


def _listed(what: str, places_: list[str]) -> list[str]:
    lines = [f"  {what} {place}" if what else f"  {place}" for place in places_[:_MOST_LISTED]]
    more = len(places_) - _MOST_LISTED
    return [*lines, *([f"  and {more} more"] if more > 0 else [])]


def out_of_reach(traces: Traces) -> str:
    """What no command of ours can remove."""
    lines = ["Out of reach, if the words must be gone from there too:"]
    lines += [f"  Claude Code's own transcript {path}" for path in traces.transcripts]
    if traces.repository:
        lines.append(f"  the history of the git repository {traces.repository}")
    lines.append("  backups, and copies that a sync tool keeps on other machines")
    return "\n".join(lines)


def _scrubbed(state: str) -> str:
    """Clean the index, and say how that went."""
    if not os.path.isdir(os.path.join(state, _INDEX)):
        tell_service()
        return "There is no search index on this machine."
    try:
        need_service()
        client.call("/scrub", {})
    except (click.ClickException, client.ServiceError) as error:
        return removed_index(state, error)
    return "The search index is cleaned."


def removed_index(state: str, error: Exception) -> str:
    """Without a service that can clean it, the index goes as a whole: it is made from the files."""
    held = try_lock(os.path.join(state, _INDEX_LOCK))
    if held is None:
        return (
            f"The search index could not be cleaned ({error}); `memory-plugin reindex --rebuild` makes it anew, which"
            " removes it too."
        )
    with held:
        shutil.rmtree(os.path.join(state, _INDEX), ignore_errors=True)
    return "The search index was removed, and is made anew from the files when the service starts."
