"""forget --purge: shows where a fact stands, asks, removes it, and says what it could not reach."""

from __future__ import annotations

import os
import shutil
import sys

import click

from memory_plugin.cli.naming import (
    named_elsewhere,
    namespaces,
    nothing_fits,
    only,
    replaced_by,
    tell_service,
    told_replaced,
)
from memory_plugin.cli.shared import counted, memory_home, need_service, print_json
from memory_plugin.memory import amendments, naming, places, purge
from memory_plugin.memory.files import try_lock
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.purge import Traces
from memory_plugin.service import client

_INDEX_LOCK = "index.lock"  # in the state folder; its module takes a second to import
_MOST_LISTED = 20
CONSENT = "MEMORY_PLUGIN_YES"  # the variable that says yes where there is no terminal


def purge_fact(wanted: str, project: str | None, yes: bool, as_json: bool) -> None:
    """Remove a fact from everything that is ours. Raises ClickException; asks first unless `yes`.

    UsageError where nobody sits who could be asked, and no variable says yes.
    """
    if as_json and not yes:
        raise click.UsageError("--json leaves no room for a question: give --yes too")
    if not sys.stdin.isatty() and os.environ.get(CONSENT) != "1":
        raise click.UsageError(f"--purge cannot be taken back, so it needs a terminal, or {CONSENT}=1")
    home, state = memory_home(), places.state_folder()
    held = _meant(home, wanted, project)
    target = purge.target(home, held)
    traces = purge.look(home, state, target)
    freed = replaced_by(held, project)
    if not as_json:
        click.echo(f"{held.fact.id}  {held.words or '(its words are gone already)'}")
        click.echo(told(traces))
    if not yes:
        click.confirm("Remove it from these for good?", abort=True)
    try:
        left = purge.run(home, state, held.namespace, target).ours
    except OSError as error:
        raise click.ClickException(
            f"not all of it could be removed: {error}\n`memory-plugin forget --purge {held.fact.id}` goes on"
        ) from error
    index = _scrubbed(state)
    purge.mask_state(state, target)
    if as_json:
        print_json(
            {
                "id": held.fact.id,
                "namespace": held.namespace,
                "removed": [place for place in traces.ours if place not in left],
                "not_removed": left,
                "patterns": sorted(target.patterns),
                "notes": traces.notes,
                "others": traces.others,
                "index": index,
                "out_of_reach": _out_of_reach(traces),
                "replaced": [{"id": each.fact.id, "text": each.fact.text} for each in freed],
            }
        )
    else:
        click.echo(f"{'Purged' if not left else 'Not all is purged of'} {held.fact.id}. {index}")
        if target.patterns:
            click.echo("What was concluded from it went with it; the weekly review concludes anew from what is left.")
        click.echo("\n".join([*told_replaced(freed), "Out of reach, if the words must be gone from there too:",
                              *_listed("", _out_of_reach(traces))]))  # fmt: skip
    if left:
        raise click.ClickException("\n".join(["not all of it is gone:", *_listed("not removed from", left)]))


def _meant(home: str, wanted: str, project: str | None) -> Held:
    """The fact that is meant, one that stands first, or that was taken back, or whose purge was not finished."""
    names = namespaces(project)
    if found := amendments.find(home, wanted, names) or amendments.find_taken_back(home, wanted, names):
        return only(found)
    entries = Ledger(home).refresh().entries
    begun = [Held(each.fact, name, "", 0) for (name, _), each in entries.items() if name in names and each.purged]
    if found := [each for each in naming.fitting(begun, wanted) if each.fact.id.startswith(wanted.strip().lower())]:
        return found[0]
    if held := named_elsewhere(wanted, project):
        return held
    raise nothing_fits(wanted)


def told(traces: Traces) -> str:
    """Where a fact stands, for a person."""
    lines = [*_listed("goes from", traces.lines)]
    for what, found in (("goes from", traces.events), ("is masked in", traces.state)):
        lines += _listed(what, [f"{path} ({counted(count, 'line')})" for path, count in found.items()])
    amended = [
        f"{path} ({counted(count, 'file')})" if count else f"{path}, which cannot be read"
        for path, count in traces.snapshots.items()
    ]
    lines += _listed("goes from the snapshot", amended)
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


def _out_of_reach(traces: Traces) -> list[str]:
    """What no command of ours can remove."""
    found = [f"Claude Code's own transcript {path}" for path in traces.transcripts]
    found += [f"{path}, which could not be looked into" for path in traces.unread]
    if traces.repository:
        found.append(f"the history of the git repository {traces.repository}")
    return [*found, "other backups than the snapshots, and copies that a sync tool keeps on other machines"]


def _scrubbed(state: str) -> str:
    """Clean the index, and say how that went."""
    if not os.path.isdir(os.path.join(state, places.INDEX_FOLDER)):
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
        shutil.rmtree(os.path.join(state, places.INDEX_FOLDER), ignore_errors=True)
    return "The search index was removed, and is made anew from the files when the service starts."
