"""Snapshots of the memory home: making, listing, verifying, restoring them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar

import click

from memory_plugin.cli.shared import counted, json_option, memory_home, need_service, print_json, sized
from memory_plugin.memory import places, restoration, snapshots
from memory_plugin.memory.archive import ArchiveError
from memory_plugin.memory.contents import contents
from memory_plugin.memory.restoration import Restored
from memory_plugin.memory.snapshots import BEFORE_RESTORE, DamagedError, PlaceError, Snapshot, Store
from memory_plugin.service import backups, client

_INDEX_SECONDS = 600.0  # every file is compared with its rows
_MOST_LISTED = 10
_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group()
def backup() -> None:
    """Snapshots of your memory: what it was yesterday, last week.

    The service makes one a day while nobody asks anything, and keeps the last seven days and four weeks.

    \b
    Examples:
      memory-plugin backup list
      memory-plugin backup restore 2026-11-30
    """


def told_as_errors(command: _Command) -> _Command:
    """Says what stands in the way of a snapshot as the other errors are said."""

    @wraps(command)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except (PlaceError, DamagedError, ArchiveError) as error:
            raise click.ClickException(str(error)) from error

    return guarded  # type: ignore[return-value]


@backup.command("create")
@json_option
@told_as_errors
def create(as_json: bool) -> None:
    """Make a snapshot now.

    Where nothing changed since the last one, that one is compared with your files instead.

    \b
    Example:
      memory-plugin backup create
    """
    store, home = Store(snapshots.place(places.state_folder())), home_with_something()
    with store.locked():
        made, new = store.make(home, snapshots.BY_HAND, thorough=True)
        store.prune()
    backups.note(places.state_folder(), problem="")
    if as_json:
        print_json({**_described(made), "new": new, "folder": store.folder})
        return
    files = f"{counted(len(made.files), 'file')}, {sized(made.size)}"
    if new:
        click.echo(f"Made {made.name}: {files}. Kept in {store.folder}")
    else:
        click.echo(f"Nothing changed since {made.name} ({files}); it was compared with your files, and is whole.")
    _tell_left_out(made.left_out)


@backup.command("list")
@json_option
@told_as_errors
def listed(as_json: bool) -> None:
    """Show the snapshots, the latest first.

    \b
    Example:
      memory-plugin backup list
    """
    store, home = Store(snapshots.place(places.state_folder())), memory_home()
    found = store.snapshots()
    if as_json:
        print_json({"folder": store.folder, "snapshots": [_described(each) for each in found]})
        return
    for each in found:
        if each.problem:
            click.echo(f"{each.name:<21}cannot be read: {each.problem}")
            continue
        of = f"  of {each.home}" if each.home != home else ""
        files = f"{counted(len(each.files), 'file')}, {sized(each.size)}"
        click.echo(f"{each.name:<21}{each.kind:<17}{files}{of}")
    if not found:
        click.echo("No snapshot yet: the service makes one when it is idle; `memory-plugin backup create` does it now.")
    else:
        click.echo(f"{sized(snapshots.size_of(found))} in all, in {store.folder}")


@backup.command("verify")
@json_option
@told_as_errors
def verify(as_json: bool) -> None:
    """Read all snapshots, and compare them with what was written.

    \b
    Example:
      memory-plugin backup verify
    """
    store = Store(snapshots.place(places.state_folder()))
    with store.locked():
        found, count = store.verify(), len(store.snapshots())
    backups.note(places.state_folder(), damage=f"{len(found.problems) or ''}")
    if as_json:
        print_json({"snapshots": count, "files": found.files, "size": found.size, "problems": list(found.problems)})
    elif not found.problems:
        read = f"{counted(found.files, 'content')}, {sized(found.size)}"
        click.echo(f"{counted(count, 'snapshot')} ({read}): all as written.")
    if found.problems:
        told = "\n".join(f"  {problem}" for problem in first_of(found.problems))
        again = "`memory-plugin backup create` keeps anew what your files still hold"
        raise click.ClickException(f"not all is as it was written:\n{told}\n{again}")


@backup.command("restore")
@click.argument("snapshot", required=False)
@click.option("--to", "folder", type=click.Path(file_okay=False), help="Write it into this folder, and touch nothing.")
@json_option
@told_as_errors
def restore(snapshot: str | None, folder: str | None, as_json: bool) -> None:
    """Make your memory what it was.

    SNAPSHOT is a name that `backup list` shows, or its beginning; without one, the last that was not made before a
    restore. What is there now is kept in a snapshot first, so that this can be taken back; what was purged since stays
    purged.

    \b
    Examples:
      memory-plugin backup restore
      memory-plugin backup restore 2026-11-30
      memory-plugin backup restore 2026-11-30-101500 --to /tmp/memory-then
    """
    store, home = Store(snapshots.place(places.state_folder())), memory_home()
    wanted = named(store, home, snapshot)
    if folder is not None:
        _restore_to(store, wanted, folder, as_json)
        return
    done = restoration.restore(store, wanted, home)
    changed = bool(done.written or done.removed)
    index = reindexed() if changed else "The index stays as it is."
    if as_json:
        before = done.before.name if done.before else None
        told = {"written": done.written, "removed": done.removed, "before": before, "index": index}
        print_json({"snapshot": wanted.name, **told})
    elif not changed:
        click.echo(f"Your memory is as it was in {wanted.name} already. Earlier ones: `memory-plugin backup list`.")
    else:
        changes = f"{counted(len(done.written), 'file')} written, {len(done.removed)} removed"
        click.echo(f"Restored {wanted.name} into {home}: {changes}. {index}")
        if done.before:
            click.echo(f"What was there before: memory-plugin backup restore {done.before.name}")
            _tell_left_out(done.before.left_out, "stays as it is: ")


def _restore_to(store: Store, wanted: Snapshot, folder: str, as_json: bool) -> None:
    if os.path.isdir(folder) and os.listdir(folder):
        raise click.ClickException(f"{folder} holds something: name a folder that is empty or not there")
    if places.is_inside(folder, memory_home()):
        raise click.ClickException(f"{folder} would lie in the memory itself: name a folder elsewhere")
    done: Restored = restoration.restore_to(store, wanted, folder)
    if as_json:
        print_json({"snapshot": wanted.name, "written": done.written, "problems": done.problems})
    else:
        click.echo(f"Wrote {counted(len(done.written), 'file')} of {wanted.name} into {folder}")
    if done.problems:
        told = "\n".join(f"  {problem}" for problem in first_of(done.problems))
        raise click.ClickException(f"not all of it is whole:\n{told}")


def named(store: Store, home: str, name: str | None) -> Snapshot:
    """The snapshot that is meant: by its name or the beginning of it; without, the home's last. ClickException."""
    found = store.snapshots()
    if not found:
        raise click.ClickException(f"there is no snapshot in {store.folder}")
    if name is None:
        unfinished = store.unfinished()
        # not what a restore replaced: done twice, it would take itself back
        of_home = [each for each in found if each.home == home and each.kind != BEFORE_RESTORE and not each.problem]
        fitting = [each for each in found if each.name == unfinished] or of_home[:1]
    else:
        fitting = [each for each in found if each.name == name] or [
            each for each in found if each.name.startswith(name)
        ]
    if not fitting:
        raise click.ClickException(f"no snapshot is {name or f'of {home}'}: `memory-plugin backup list` shows them")
    if len(fitting) > 1:
        names = "\n".join(f"  {each.name}  {each.kind}" for each in fitting)
        raise click.ClickException(f"more than one begins with {name}: name one of\n{names}")
    if fitting[0].problem:
        raise click.ClickException(f"{fitting[0].name} cannot be read: {fitting[0].problem}")
    return fitting[0]


def reindexed() -> str:
    """Have the index compared with the files; a sentence of how that went."""
    try:
        need_service()
        client.call("/mend", {}, timeout=_INDEX_SECONDS)
    except (click.ClickException, client.ServiceError) as error:
        text = error.message if isinstance(error, click.ClickException) else str(error)
        return f"The index follows when the service starts next ({text})."
    return "The index is made anew."


def home_with_something() -> str:
    """The memory home. ClickException when nothing is in it."""
    home = memory_home()
    if not os.path.isdir(home) or not contents(home).files:
        raise click.ClickException(f"there is no memory yet: {home} is empty")
    return home


def _described(each: Snapshot) -> dict[str, Any]:
    return {
        "name": each.name,
        "moment": each.moment,
        "kind": each.kind,
        "home": each.home,
        "files": len(each.files),
        "size": each.size,
        "left_out": dict(each.left_out),
        "problem": each.problem,
    }


def first_of(problems: Sequence[str]) -> list[str]:
    """The first lines of what may be long, and how many more there are."""
    more = len(problems) - _MOST_LISTED
    return [*problems[:_MOST_LISTED], *([f"and {more} more"] if more > 0 else [])]


def _tell_left_out(left_out: Mapping[str, str], what: str = "left out: ") -> None:
    for line in first_of([f"{inside!a} ({why})" for inside, why in left_out.items()]):
        click.echo(f"  {what}{line}", err=True)
