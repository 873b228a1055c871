"""How the memory is: what was written last, what waits, the index and the service."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import click

from memory_plugin.cli import safety
from memory_plugin.cli.shared import counted, json_option, memory_home, namespace, print_json, project_option, sized
from memory_plugin.memory import accounts, clock, flush, injected, journal, places, spool
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
        "last_notes": max(injected.latest(project.name).items(), key=lambda each: each[1]["time"], default=None),
        "prompts": accounts.counted(accounts.read(state, project.name), clock.now()),
        "backups": backups.standing(home, state),
        "index_bytes": folder_bytes(os.path.join(state, places.INDEX_FOLDER)),
        "disk_free": safety.free_bytes(home),
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
    if found["last_notes"]:
        rows.append(("last notes", _notes(*found["last_notes"])))
    if found["prompts"]["prompts"]:
        rows.append(("prompts", _prompts(found["prompts"])))
    files = f"{counted(found['files'], 'Markdown file')} of all projects; {found['disk_free'] >> 30} GB free"
    rows.append(("home", f"{found['home']} ({files})"))
    rows.append(("backups", describe_backups(found["backups"])))
    return rows + describe_service(found["service"], found["index_bytes"])


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


def describe_service(service: dict[str, Any], index_bytes: int = 0) -> list[tuple[str, str]]:
    """The service and its index for a person; index_bytes: what that takes on the disk, where it is known."""
    rows = [("service", _service(service))]
    if "chunks" in service:
        waiting = service.get("without_vector", 0)
        size = f", {sized(index_bytes)}" if index_bytes else ""
        index = f"{counted(service['chunks'], 'note')} of all projects{size}"
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
    return f"{_minute(last['at'])}: {facts} from {lines} ({last['trigger']}) of {last['transcript']}"


def _minute(at: str) -> str:
    """An ISO 8601 moment for a person."""
    return at[:16].replace("T", " ")


def _notes(event: str, shown: dict[str, Any]) -> str:
    what = {"SessionStart": "at a session's start", "UserPromptSubmit": "for a prompt"}.get(event, f"({event})")
    return f"{_minute(shown['at'])}: {counted(shown['notes'], 'note')} {what}"


def folder_bytes(folder: str) -> int:
    """What the files of a folder take."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                found += os.path.getsize(os.path.join(place, name))
    return found


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
    hours, minutes = divmod(int(time.time() - service["started"]) // 60, 60)
    age = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    held = f", {service['memory'] >> 20} MB of memory" if "memory" in service else ""
    problem = f"; {service['problem']}" if service.get("problem") else ""
    return f"running for {age}, process {service['pid']}{held}{problem}"


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
