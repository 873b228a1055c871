"""What several commands share: the project option, errors that say what to do, JSON, the service at hand."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import click

from memory_plugin.memory import places
from memory_plugin.memory.namespaces import Namespace, namespace_of
from memory_plugin.service import client, control, lifecycle

Command = TypeVar("Command", bound=Callable[..., Any])


def project_option(command: Command) -> Command:
    """Adds --project, a folder: the memory of which project."""
    return click.option(
        "--project",
        type=click.Path(file_okay=False, path_type=str),
        default=None,
        help="The project's folder (default: where you are).",
    )(command)


def json_option(command: Command) -> Command:
    """Adds --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")(command)


def namespace(project: str | None) -> Namespace:
    """The namespace of the project named, or of the one that the command runs in."""
    if project and not os.path.isdir(project):
        raise click.ClickException(f"there is no folder {project}")
    return namespace_of(project or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())


def memory_home() -> str:
    """The memory home, or an error that says what to set."""
    try:
        return places.memory_home()
    except places.NoHomeError as error:
        raise click.ClickException(str(error)) from error


def counted(number: int, noun: str) -> str:
    """`1 fact`, `2 facts`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sized(size: int) -> str:
    """`34 KB`, `2.1 MB`: bytes for a person."""
    return f"{size / (1 << 20):.1f} MB" if size >= 1 << 20 else f"{-(-size // 1024)} KB"


def print_json(value: Any) -> None:
    """JSON in ASCII, so that no console's encoding can break it."""
    click.echo(json.dumps(value, indent=2))


def ask(path: str, payload: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the service answers; it is started where needed."""
    need_service()
    try:
        return client.call(path, payload)
    except client.ServiceError as error:
        raise click.ClickException(str(error)) from error


def need_service() -> None:
    """Have the service running, or an error that says where to look."""
    memory_home()
    try:
        started = control.ensure_started(60.0)
    except OSError as error:
        raise click.ClickException(f"the state folder cannot be used: {error}; set MEMORY_PLUGIN_STATE") from error
    if not started:
        log = os.path.join(places.state_folder(), lifecycle.LOG_NAME)
        raise click.ClickException(f"the service does not start; its log says why: {log}")


def progress_bar(length: int, label: str) -> AbstractContextManager[Any]:
    """A progress bar on standard error: a terminal sees it, a pipe of the results does not."""
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
