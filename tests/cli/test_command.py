"""The command as a whole: help, errors, exit codes, and that the README names all of it."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from memory_plugin import __version__
from memory_plugin.cli import main
from tests.cli.conftest import Command
from tests.support.data import REPOSITORY
from tests.support.service import Sandbox


def _commands(group: click.Group, prefix: str = "") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    for name, each in group.commands.items():
        found[prefix + name] = each
        if isinstance(each, click.Group):
            found |= _commands(each, f"{prefix}{name} ")
    return found


COMMANDS = _commands(main)
SHOWN = [name for name, each in COMMANDS.items() if not each.hidden]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    text = COMMANDS[name].help or ""
    assert "Example" in text
    assert f"memory-plugin {name.split()[0]}" in text


@pytest.mark.parametrize("name", SHOWN)
def test_every_command_fits_on_its_line_of_the_help(name: str) -> None:
    assert not COMMANDS[name].get_short_help_str(limit=60).endswith("...")


@pytest.mark.parametrize("name", [name.split()[0] for name in SHOWN])
def test_the_readme_names_every_command(name: str) -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert f"`memory-plugin {name}" in readme or f", `{name}`" in readme


def test_the_version_is_that_of_the_package(command: Command) -> None:
    done = command("--version")
    assert (done.returncode, done.stdout) == (0, f"memory-plugin, version {__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("search",),
        ("add", "--category", "nonsense", "x"),
        ("search", "--limit", "0", "x"),
        ("flush", "--all", "x"),
    ],
)
def test_wrong_usage_exits_with_two_and_names_the_help(command: Command, arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert "--help" in done.stderr or "one of the three" in done.stderr


def test_without_any_home_it_says_what_to_set(command: Command) -> None:
    done = command("status", HOME="relative", MEMORY_PLUGIN_HOME="")
    assert done.returncode == 1
    assert "MEMORY_PLUGIN_HOME" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("stream", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize("name", ["flush", "status"])
def test_a_closed_stream_stops_no_command(sandbox: Sandbox, name: str, stream: str) -> None:
    program = f'"{sys.executable}" -I -X utf8 "{REPOSITORY}/memory_plugin/__main__.py" {name} {stream}'
    done = subprocess.run(["sh", "-c", program], cwd=sandbox.project, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_system_refuses_is_an_error_and_no_traceback(command: Command, sandbox: Sandbox) -> None:
    (sandbox.state / "receipts.jsonl").mkdir(parents=True)
    done = command("status")
    assert done.returncode == 1
    assert "receipts.jsonl" in done.stderr
    assert "memory-plugin doctor" in done.stderr
    assert "Traceback" not in done.stderr
