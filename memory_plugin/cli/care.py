"""Looking after the plugin: setup, reindex, service."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import click

from memory_plugin.cli.shared import json_option, memory_home, need_service, print_json, progress_bar
from memory_plugin.cli.status import describe_service
from memory_plugin.memory import accounts, flush, injected, places, snapshots, spool, watermark
from memory_plugin.memory.files import make_folder, read_bytes, write_whole
from memory_plugin.service import backups, client, control, lifecycle, reviewing

PLUGIN = "memory-plugin@memory-plugin"
MARKETPLACE = "memory-plugin"
_COMMAND_SOURCE = os.path.join(places.PLUGIN_ROOT, "commands", "memory.md")
_OURS = b"MEMORY_PLUGIN_ARGUMENTS_"  # of the slash command, and of nothing else
_UNQUOTABLE = frozenset('"$`\\\n')
# Everything of ours in the state folder. What the index half makes is named here: its modules cost a second to import.
_STATE = (
    *(places.INDEX_FOLDER, "index.lock", "tiktoken", "projects.json", "logs", "set-up-started"),
    *(spool.FOLDER, spool.LOCK, watermark.FOLDER, injected.FOLDER, flush.RECEIPTS),
    *(accounts.FILE, f"{accounts.FILE}.1"),
    *(lifecycle.INFORMATION_NAME, lifecycle.LOCK_NAME, places.SOCKET_NAME, places.HUNG_NAME),
    *(backups.DONE_NAME, reviewing.DONE_NAME),
)
_SLASH_MEMORY = "Have plain /memory ask this memory? It replaces Claude Code's own /memory (the editor of CLAUDE.md)."


@click.command()
@click.option(
    "--slash-memory/--no-slash-memory",
    default=None,
    help="Have plain /memory ask this memory; it replaces Claude Code's own /memory.",
)
@click.option("--undo", is_flag=True, help="Take out what setup put in; your memory files stay.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
def setup(slash_memory: bool | None, undo: bool, yes: bool) -> None:
    """Install the plugin into Claude Code.

    From this folder, as a marketplace of its own; then start the service.

    \b
    Examples:
      memory-plugin setup --slash-memory
      memory-plugin setup --undo
    """
    home = memory_home()
    if undo:
        _undo(home, yes)
        return
    try:
        make_folder(home)
    except OSError as error:
        raise click.ClickException(f"the memory home cannot be made: {error}; set MEMORY_PLUGIN_HOME") from error
    if slash_memory and _is_foreign(command_file()):
        raise click.ClickException(f"{command_file()} is a command of your own; rename it, or leave out --slash-memory")
    _client("plugin", "marketplace", "add", places.PLUGIN_ROOT)
    _client("plugin", "install", PLUGIN)
    if slash_memory is None:
        may_ask = sys.stdin.isatty() and not yes and not os.path.exists(command_file())
        slash_memory = may_ask and click.confirm(_SLASH_MEMORY)
    if slash_memory:
        click.echo(f"/memory: {_write_command()}")
    need_service()
    click.echo(f"Installed. Your memory is {home}, yours to read, edit and delete.")
    click.echo(
        "In Claude Code: work as usual; what is decided is written down when a conversation is compacted or ends."
    )
    click.echo("Look at it with `memory-plugin status`, or /memory-plugin:memory in a conversation.")
    if shutil.which("memory-plugin") is None:
        launcher = os.path.join(places.PLUGIN_ROOT, "bin", "memory-plugin")
        click.echo(f"To have the command at hand: ln -s {shlex.quote(launcher)} ~/.local/bin/")


def _client(*arguments: str) -> None:
    """Run a command of Claude Code's that must succeed."""
    program = shutil.which("claude")
    if program is None:
        raise click.ClickException(
            "Claude Code (`claude`) is not on the PATH: install it or add its folder to the PATH, then run setup again"
        )
    done = subprocess.run(
        [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    said = (done.stdout + done.stderr).strip()
    if done.returncode and "already" not in said:
        raise click.ClickException(f"`claude {' '.join(arguments)}` failed:\n{said}")
    click.echo(said.splitlines()[-1] if said else f"claude {arguments[0]} {arguments[1]}: done")


def command_file() -> str:
    """Where the user's own /memory command lies."""
    return os.path.join(places.client_folder(), "commands", "memory.md")


def _write_command() -> str:
    path = command_file()
    if not _UNQUOTABLE.isdisjoint(places.PLUGIN_ROOT):
        raise click.ClickException(f"{places.PLUGIN_ROOT!r} cannot stand in a shell command: move the folder")
    text = read_bytes(_COMMAND_SOURCE).replace(b"${CLAUDE_PLUGIN_ROOT}", places.PLUGIN_ROOT.encode())
    write_whole(path, text)
    return path


def _is_foreign(path: str) -> bool:
    before = read_bytes(path)
    return bool(before) and _OURS not in before


def _undo(home: str, yes: bool) -> None:
    environment, state = places.environment_folder(), places.state_folder()
    if any(places.is_inside(home, folder) for folder in (environment, state)):
        raise click.ClickException(f"{home} lies inside what would be removed; move your memory out of it first")
    if not yes:
        click.confirm(f"Remove the plugin from Claude Code, {environment} and {state}?", abort=True)
    spool.drain(state)  # what is owed is written first
    if shutil.which("claude"):
        for arguments in (("plugin", "uninstall", PLUGIN), ("plugin", "marketplace", "remove", MARKETPLACE)):
            try:
                _client(*arguments)
            except click.ClickException as error:
                click.echo(error.message, err=True)
    if _OURS in read_bytes(command_file()):
        os.unlink(command_file())
    # This very process runs from the environment, and needs nothing of it any more. Without it no session that is
    # still open can start the service again.
    _remove_environment(environment)
    control.stop()
    _remove_state(state)
    kept = os.path.join(state, snapshots.FOLDER)
    if os.path.isdir(kept):
        click.echo(f"Your backups stay in {kept}; delete that folder when you want them no longer.")
    for folder in (state, environment):
        if os.path.exists(folder) and os.listdir(folder) != [snapshots.FOLDER]:
            click.echo(f"{folder} holds more than ours; what is left of it is yours to delete", err=True)
    click.echo(f"Removed. Your memory stays in {home} (delete that folder to forget everything),")
    click.echo(f"and so do your settings, if there are any, in {places.settings_file()}.")


def _remove_state(folder: str) -> None:
    """Remove what is ours in the state folder, and the folder when that was all."""
    for name in _STATE:
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        elif os.path.lexists(path):
            os.unlink(path)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _remove_environment(folder: str) -> None:
    """Remove the environment if it was made here: it holds a copy of the lock file."""
    if os.path.exists(os.path.join(folder, "requirements.lock")):
        shutil.rmtree(folder, ignore_errors=True)
        place, name = os.path.split(folder)
        for leftover in (f"{folder}.lock", os.path.join(place, f".{name}-memory-plugin-log")):
            if os.path.exists(leftover):
                os.unlink(leftover)


@click.command()
@click.option("--rebuild", is_flag=True, help="Start over instead of touching only what changed.")
@click.option("--embedder", help="Switch: builtin, ollama or ollama:MODEL.")
@json_option
def reindex(rebuild: bool, embedder: str | None, as_json: bool) -> None:
    """Bring the index to what the Markdown files say.

    \b
    Examples:
      memory-plugin reindex
      memory-plugin reindex --rebuild
      memory-plugin reindex --embedder ollama:bge-m3
    """
    need_service()
    try:
        flush.tidy_pointers(memory_home())
    except OSError as error:
        click.echo(f"MEMORY.md is not brought up to date: {error}", err=True)
    try:
        result = _followed(client.stream("/reindex", {"rebuild": rebuild, "embedder": embedder}))
    except client.ServiceError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        print_json(result)
        return
    changes = ", ".join(f"{result[kind]} {kind}" for kind in ("added", "updated", "removed"))
    click.echo(
        f"Notes: {changes}; {result['chunks']} in all, {result['embedded']} embedded now."
        f" {result['unchanged']} files unchanged. {result['seconds']} s."
    )
    for problem in result.get("problems", []):
        click.echo(f"  {problem}", err=True)


def _followed(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Show a bar for each stage as it goes on, and return what comes at the end."""
    result: dict[str, Any] = {}
    shown, before = "", 0
    with contextlib.ExitStack() as stack:
        for event in events:
            if "stage" not in event:
                result = event
                continue
            if event["stage"] != shown:
                stack.close()
                shown, before = event["stage"], 0
                bar = stack.enter_context(progress_bar(event["total"], shown.capitalize()))
            bar.update(event["done"] - before)
            before = event["done"]
    return result


@click.group()
def service() -> None:
    """Start, stop or look at the search service.

    One process a user holds the index; sessions start it, and it ends when idle.

    \b
    Example:
      memory-plugin service status
    """


@service.command("start")
def service_start() -> None:
    """Start it, if it doesn't run.

    \b
    Example:
      memory-plugin service start
    """
    need_service()
    click.echo("The service runs.")


@service.command("stop")
def service_stop() -> None:
    """End it; the next session starts it again.

    \b
    Example:
      memory-plugin service stop
    """
    click.echo("The service has ended." if control.stop() else "The service was not running.")


@service.command("status")
@json_option
def service_status(as_json: bool) -> None:
    """Say whether it runs, and how it is.

    \b
    Example:
      memory-plugin service status --json
    """
    found = control.status()
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(f"{name:<13}{value}" for name, value in describe_service(found)))


@service.command("run", hidden=True)
def service_run() -> None:
    """Be the service, detached.

    \b
    Example:
      memory-plugin service run
    """
    lifecycle.run()
