"""How the memory is: what was written last, what waits, the index and the service."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from memory_plugin.cli.shared import counted, json_option, memory_home, namespace, print_json, project_option, sized
from memory_plugin.memory import accounts, clock, flush, journal, places, spool
from memory_plugin.memory.flush import Receipt
from memory_plugin.memory.namespaces import Namespace
from memory_plugin.service import backups, control


@click.command()
@project_option
@json_option
def status(project: str | None, as_json: bool) -> None:
    """Show the last flush, the index, the service.

    \b
    Example:
      memory-plugin status
    """
    found = collect(namespace(project))
    if as_json:
        print_json(found)
        return
    click.echo("\n".join(f"{name:<13}{value}" for name, value in describe(found)))


def collect(project: Namespace) -> dict[str, Any]:
    """The state of everything, as data."""
    home, state = memory_home(), places.state_folder()
    receipts = flush.receipts(state)
    ours = [receipt for receipt in receipts if receipt.namespace == project.name]
    return {
        "home": home,
        "state": state,
        "namespace": project.name,
        "project": project.identity,
        "facts": len(journal.standing(os.path.join(home, project.name))),
        "files": sum(name.endswith(".md") for _, _, names in os.walk(home) for name in names),
        "flushes": len(receipts),
        "last_flush": _last(ours),
        "last_flush_anywhere": _last(receipts),
        "owed": spool.count(state),
        "prompts": accounts.counted(accounts.read(state, project.name), clock.now()),
        "backups": backups.standing(home, state),
        "service": control.status(),
    }


def _last(receipts: list[Receipt]) -> dict[str, Any] | None:
    if not receipts:
        return None
    last = receipts[-1]
    return {
        "at": last.at,
        "namespace": last.namespace,
        "transcript": last.transcript,
        "trigger": last.trigger,
        "lines": last.lines,
        "facts": len(last.facts),
    }


def describe(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The state for a person: a name and a sentence each."""
    last = found["last_flush"]
    rows = [
        ("project", f"{found['project']} ({counted(found['facts'], 'fact')} in {found['namespace']}/)"),
        ("last flush", _flush(last)),
    ]
    if found["last_flush_anywhere"] != last:
        rows.append(
            ("elsewhere", f"{_flush(found['last_flush_anywhere'])}, {found['last_flush_anywhere']['namespace']}")
        )
    if found["owed"]:
        rows.append(("owed", f"{counted(found['owed'], 'transcript')} to flush; `memory-plugin flush` does it now"))
    if found["prompts"]["prompts"]:
        rows.append(("prompts", _prompts(found["prompts"])))
    rows.append(("home", f"{found['home']} ({counted(found['files'], 'Markdown file')} of all projects)"))
    rows.append(("backups", describe_backups(found["backups"])))
    return rows + describe_service(found["service"])


def describe_backups(found: dict[str, Any]) -> str:
    """The snapshots for a person."""
    name = found["last"]
    if not name:
        none = "none yet (the service makes one when nobody asks anything)" if found["enabled"] else "none, and off"
        return none + (f": {found['problem']}" if found["problem"] else "")
    last = f"last {name[:10]} {name[11:13]}:{name[13:15]}"
    since = f" (nothing changed until {found['looked']})" if found["looked"] > name[:10] else ""
    kept = f"{counted(found['count'], 'snapshot')}, {sized(found['size'])}"
    told = f"{last}{since}, {kept}" + ("" if found["enabled"] else ", none by itself (backup.enabled)")
    return told + (f": {found['problem']}" if found["problem"] else "")


def describe_service(service: dict[str, Any]) -> list[tuple[str, str]]:
    """The service and its index for a person."""
    rows = [("service", _service(service))]
    if "chunks" in service:
        waiting = service.get("without_vector", 0)
        index = f"{counted(service['chunks'], 'note')} of all projects"
        rows.append(("index", index + (f", {waiting} not embedded yet" if waiting else "")))
        rows.append(("embedder", _embedder(service["embedder"])))
    if service.get("extraction", {}).get("provider", "none") != "none":
        rows.append(("reads along", _reader(service["extraction"])))
    if "reconciliation" in service:
        rows.append(("reconciled", _reconciled(service["reconciliation"])))
    if "review" in service:
        rows.append(("reviewed", _reviewed(service["review"])))
    return rows


def reconciliation_problem(reconciliation: dict[str, Any]) -> str:
    """What stands in the way of reconciling, by the service's status; "" when nothing does."""
    problems = [reconciliation.get("problem"), *reconciliation.get("last_pass", {}).get("problems", ())]
    return "; ".join(str(problem) for problem in problems if problem)


def _flush(last: dict[str, Any] | None) -> str:
    if last is None:
        return "none yet"
    facts, lines = counted(last["facts"], "new fact"), counted(last["lines"], "line")
    return f"{last['at']}: {facts} from {lines} ({last['trigger']}) of {last['transcript']}"


def _prompts(counts: dict[str, Any]) -> str:
    tokens = f" ({counts['average_tokens']} tokens on average)" if counts["injected"] else ""
    degraded = f", {counts['degraded']} by keyword only" if counts["degraded"] else ""
    told = f"{counts['injected']} of {counts['prompts']} got notes{tokens}, {counts['silent']} none{degraded}"
    return f"{told}, since {counts['since'][:10]}"


def _service(service: dict[str, Any]) -> str:
    if not service["running"]:
        return "not running (it starts with the next session, or with `memory-plugin service start`)"
    if "pid" not in service:
        return str(service["problem"])
    minutes = int(time.time() - service["started"]) // 60
    problem = f"; {service['problem']}" if service.get("problem") else ""
    return f"running for {minutes} min, process {service['pid']}{problem}"


def _embedder(embedder: dict[str, Any]) -> str:
    who = " ".join(str(embedder[name]) for name in ("provider", "model") if embedder.get(name)) or "none"
    return f"{who}, search by {embedder['search']}" + (f": {embedder['problem']}" if embedder.get("problem") else "")


def _reader(reader: dict[str, Any]) -> str:
    who = " ".join(str(reader[name]) for name in ("provider", "model") if reader.get(name))
    waiting = f", {reader['waiting']} to read" if reader.get("waiting") else ""
    spent = f"{reader['tokens_today']:,} of {reader.get('daily_tokens', 0):,} tokens today{waiting}"
    return f"{who}, {spent}" + (f": {reader['problem']}" if reader.get("problem") else "")


def _reconciled(reconciliation: dict[str, Any]) -> str:
    waiting = reconciliation.get("waiting", 0)
    problem = reconciliation_problem(reconciliation)
    return (f"all but {counted(waiting, 'fact')}" if waiting else "all facts") + (f": {problem}" if problem else "")


def _reviewed(review: dict[str, Any]) -> str:
    last = f"last {review['day']}" if review.get("day") else "not yet (it waits until nobody asks anything)"
    return last + (f": {review['problem']}" if review.get("problem") else "")
