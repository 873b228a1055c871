"""Looking into the memory: search, recall, status."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from memory_plugin.cli.shared import ask, json_option, memory_home, namespace, print_json, project_option
from memory_plugin.memory import flush, places, spool
from memory_plugin.service import control


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="At most so many notes.")
@project_option
@json_option
def search(query: tuple[str, ...], limit: int, project: str | None, as_json: bool) -> None:
    """Search this project's memory.

    The global memory is searched too.

    \b
    Example:
      memory-plugin search "which database did we choose"
    """
    answer = ask("/search", {"query": " ".join(query), "limit": limit, "project": namespace(project).root})
    if as_json:
        print_json(answer["notes"])
        return
    click.echo(results(answer))


def results(answer: dict[str, Any]) -> str:
    """Search results for a person: text, then where it stands and how well it fits."""
    blocks = []
    for number, note in enumerate(answer["notes"], start=1):
        label = " ".join(part for part in (note["date"], note["category"]) if part)
        blocks.append(
            f"{number}. {label + ': ' if label else ''}{note['text']}\n   {note['source']}  ({note['score']:.2f})"
        )
    if not blocks:
        blocks = ["Nothing found."]
    if answer.get("degraded"):
        blocks.append("(by keyword only; `memory-plugin status` says why)")
    return "\n".join(blocks)


@click.command()
@click.argument("prompt", nargs=-1, required=True)
@project_option
@json_option
def recall(prompt: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Print the context that a prompt would get.

    Exactly what Claude Code would put before the model, or why it puts nothing.

    \b
    Example:
      memory-plugin recall "how do we deploy to staging?"
    """
    answer = ask("/recall", {"prompt": " ".join(prompt), "project": namespace(project).root})
    if as_json:
        print_json(answer)
        return
    if answer["context"]:
        click.echo(answer["context"])
    else:
        click.echo(f"Nothing is injected: {answer['reason']}.")


@click.command()
@project_option
@json_option
def status(project: str | None, as_json: bool) -> None:
    """Show the last flush, the index, the service.

    \b
    Example:
      memory-plugin status
    """
    found = collect(namespace(project).name)
    if as_json:
        print_json(found)
        return
    click.echo("\n".join(f"{name:<12}{value}" for name, value in describe(found)))


def collect(namespace_name: str) -> dict[str, Any]:
    """The state of everything, as data."""
    home, state = memory_home(), places.state_folder()
    receipts = flush.receipts(state)
    last = receipts[-1] if receipts else None
    return {
        "home": home,
        "state": state,
        "namespace": namespace_name,
        "files": sum(name.endswith(".md") for _, _, names in os.walk(home) for name in names),
        "flushes": len(receipts),
        "last_flush": None
        if last is None
        else {
            "at": last.at,
            "transcript": last.transcript,
            "trigger": last.trigger,
            "lines": last.lines,
            "facts": len(last.facts),
        },
        "owed": spool.count(state),
        "service": control.status(),
    }


def describe(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The state for a person: a name and a sentence each."""
    last, service = found["last_flush"], found["service"]
    rows = [
        ("home", f"{found['home']} ({found['files']} Markdown files)"),
        ("project", found["namespace"]),
        (
            "last flush",
            "none yet"
            if last is None
            else f"{last['at']}: {last['facts']} facts from {last['lines']} lines ({last['trigger']})",
        ),
    ]
    if last is not None:
        rows.append(("", last["transcript"]))
    if found["owed"]:
        rows.append(("owed", f"{found['owed']} transcripts wait for their flush; `memory-plugin flush` does it now"))
    rows.append(("service", _service(service)))
    if "chunks" in service:
        waiting = service.get("without_vector", 0)
        rows.append(("index", f"{service['chunks']} notes" + (f", {waiting} not embedded yet" if waiting else "")))
        rows.append(("embedder", _embedder(service["embedder"])))
    return rows


def _service(service: dict[str, Any]) -> str:
    if not service["running"]:
        return "not running (it starts with the next session, or with `memory-plugin service start`)"
    if "pid" not in service:
        return str(service["problem"])
    minutes = int(time.time() - service["started"]) // 60
    return f"running for {minutes} min, process {service['pid']}" + (
        f"; {service['problem']}" if service.get("problem") else ""
    )


def _embedder(embedder: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in embedder.items() if value not in (None, "", []))
