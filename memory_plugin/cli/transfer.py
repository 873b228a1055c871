"""export and import: the whole memory in one file, for another machine."""

from __future__ import annotations

import os

import click

from memory_plugin.cli.backup import first_of, home_with_something, told_as_errors
from memory_plugin.cli.naming import tell_service
from memory_plugin.cli.shared import counted, json_option, memory_home, print_json, sized
from memory_plugin.memory import archive, flush, merger, places, snapshots
from memory_plugin.memory.merger import Imported
from memory_plugin.memory.snapshots import Store


@click.command("export")
@click.argument("file", type=click.Path(dir_okay=False))
@json_option
@told_as_errors
def export(file: str, as_json: bool) -> None:
    """Write your whole memory into one file, for another machine.

    A tar.gz of your notes, facts, conversations and events, as they are at this moment; for your eyes alone.

    \b
    Example:
      memory-plugin export memory.tar.gz
    """
    store, home = Store(snapshots.place(places.state_folder())), home_with_something()
    if places.is_inside(file, home):
        raise click.ClickException(f"{file} would lie in the memory itself: name a file elsewhere")
    if not os.path.isdir(os.path.dirname(os.path.abspath(file))):
        raise click.ClickException(f"there is no folder {os.path.dirname(file)}")
    if os.path.lexists(file):
        raise click.ClickException(f"{file} is there already: name another file, or move that one away")
    with store.locked():
        made, _ = store.make(home, snapshots.EXPORTED, thorough=True)
        size = archive.write(store, made, file)
        store.prune()
    if as_json:
        described = {"file": os.path.abspath(file), "size": size, "files": len(made.files)}
        print_json({**described, "left_out": dict(made.left_out)})
        return
    click.echo(f"Wrote {counted(len(made.files), 'file')} into {file}: {sized(size)}.")
    for line in first_of([f"{inside!a} ({why})" for inside, why in made.left_out.items()]):
        click.echo(f"  left out: {line}", err=True)
    click.echo("On the other machine: memory-plugin import FILE")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@json_option
@told_as_errors
def import_(file: str, as_json: bool) -> None:
    """Take in what another machine has exported.

    What is new comes in, what is here stays as it is, and nothing is doubled. A snapshot is made first.

    \b
    Example:
      memory-plugin import memory.tar.gz
    """
    store, home = Store(snapshots.place(places.state_folder())), memory_home()
    done = merger.take_in(store, home, file)
    flush.tidy_pointers(home)
    tell_service()
    if as_json:
        print_json(
            {
                "facts": done.facts,
                "known": done.known,
                "files": done.files,
                "grown": done.grown,
                "beside": done.beside,
                "kept": done.kept,
                "events": done.events,
                "purged": done.purged,
                "refused": done.refused,
                "before": done.before.name if done.before else None,
            }
        )
        return
    click.echo("\n".join(_told(done)))


def _told(done: Imported) -> list[str]:
    if not done.changed:
        here = f": {counted(done.known, 'fact')} of it known already" if done.known else ""
        lines = [f"Nothing new{here}."]
    else:
        files = f"{counted(len(done.files), 'new file')}" + (f", {len(done.grown)} that go on" if done.grown else "")
        lines = [f"{counted(len(done.facts), 'new fact')}, {done.known} known already and left as they are; {files}."]
    for what, found in (
        ("says something else here, so it came in beside:", [f"{new}" for new in done.beside.values()]),
        ("differs, and stays as it is here:", done.kept),
        ("purged there and not here; `memory-plugin forget --purge` does it:", done.purged),
        ("not taken:", [f"{name!a} ({why})" for name, why in done.refused.items()]),
    ):
        lines += [f"  {what} {each}" for each in first_of(found)]
    if done.before and done.changed:
        lines.append(f"What was here before: memory-plugin backup restore {done.before.name}")
    return lines
