"""Looking into the memory: search and recall."""

from __future__ import annotations

from typing import Any

import click

from memory_plugin.cli.shared import ask, json_option, namespace, print_json, project_option


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
        label = " ".join(part for part in (note["date"], note["label"]) if part)
        text = "\n   ".join(note["text"].splitlines())
        where = f"{note['source']}  ({note['score']:.2f})  {note['id']}"
        blocks.append(f"{number}. {label + ': ' if label else ''}{text}\n   {where}")
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
