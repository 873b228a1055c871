"""The memory-plugin command: asks the layers below and shows what they say."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from memory_plugin import __version__
from memory_plugin.cli.backup import backup
from memory_plugin.cli.care import reindex, service, setup
from memory_plugin.cli.demo import demo
from memory_plugin.cli.doctor import doctor
from memory_plugin.cli.facts import confirm, correct, forget, pin, promote, restore, undo, unpin
from memory_plugin.cli.history import history
from memory_plugin.cli.look import recall, search
from memory_plugin.cli.remember import add, flush
from memory_plugin.cli.review import review
from memory_plugin.cli.slash import slash
from memory_plugin.cli.status import status
from memory_plugin.cli.tasks import tasks
from memory_plugin.cli.trace import trace
from memory_plugin.cli.transfer import export, import_
from memory_plugin.cli.why import why


class _Command(click.Group):
    """Says what the system refused, and what to look at, instead of where in the program."""

    def invoke(self, context: click.Context) -> Any:
        _open_streams()
        try:
            return super().invoke(context)
        except OSError as error:
            raise click.ClickException(f"{error}; `memory-plugin doctor` checks the folders") from error


def _open_streams() -> None:
    """A stream that the caller closed is None, and whatever asks it whether it is a terminal fails."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


@click.group(cls=_Command, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="memory-plugin")
def main() -> None:
    """Long-term memory for Claude Code, in Markdown files that you own.

    \b
    Start here:
      memory-plugin demo      see it work on a sample conversation
      memory-plugin setup     install it into Claude Code
    """


for command in (
    *(setup, demo, status, doctor, search, recall, why, history, trace, tasks, add, flush),
    *(
        correct,
        confirm,
        forget,
        restore,
        pin,
        unpin,
        promote,
        undo,
        review,
        backup,
        export,
        import_,
        reindex,
        service,
        slash,
    ),
):
    main.add_command(command)
