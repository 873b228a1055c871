"""What is well and what isn't: a line each, with the next step."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from typing import Any

import click

from memory_plugin import __version__
from memory_plugin.cli import safety, sightings
from memory_plugin.cli.finding import Finding
from memory_plugin.cli.mending import mend
from memory_plugin.cli.shared import counted, json_option, print_json
from memory_plugin.cli.status import describe_backups, reconciliation_problem
from memory_plugin.memory import clock, events, places, pointers, settings, spool, tears
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.log import LOG_NAME
from memory_plugin.service import backups, control, lifecycle, prerequisites

OLDEST_CLIENT = (2, 0, 77)
_LOG_LINES = 3
_LOADING = 120.0  # seconds that a model may take on a busy machine
_NO_EMBEDDER = "none: search is by keyword alone (embedding.provider)"
_UNINDEXED = 4000  # rows: twice as many as an idle service leaves
_REMADE = "; making it anew"  # of index/table


@click.command()
@click.option("--fix", is_flag=True, help="First mend what can be mended, and say what was done.")
@json_option
def doctor(fix: bool, as_json: bool) -> None:
    """Say what is wrong, and what to do about it.

    Exits with 1 when something fails. --fix makes folders writable, puts back what torn files have lost, flushes what
    is owed, replaces a service that hangs, and compares the index with the files.

    \b
    Examples:
      memory-plugin doctor
      memory-plugin doctor --fix
    """
    if fix:
        for done in _mended():
            click.echo(f"FIXED {done}", err=as_json)
    found = list(examine())
    if as_json:
        print_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            click.echo(
                f"{finding.grade:<5}{finding.subject:<10}{finding.text}"
                + (f"\n{'':15}→ {finding.step}" if finding.step else "")
            )
    if any(finding.grade == "FAIL" for finding in found):
        click.get_current_context().exit(1)


def _mended() -> Iterator[str]:
    try:
        yield from mend()
    except places.NoHomeError as error:
        raise click.ClickException(str(error)) from error


def examine() -> Iterator[Finding]:
    """Every check, in the order in which things depend on each other."""
    try:
        home, state = places.memory_home(), places.state_folder()
    except places.NoHomeError as error:
        yield Finding("FAIL", "home", str(error))
        return
    yield _folder("home", home, "MEMORY_PLUGIN_HOME")
    yield _folder("state", state, "MEMORY_PLUGIN_STATE")
    yield safety.permissions(home, state)
    yield safety.disk(home, state)
    yield safety.locks(home)
    yield from _settings()
    yield _client()
    yield _plugin()
    yield sightings.hooks(state)
    yield _owed(state)
    yield from _files(home)
    yield _backups(home, state)
    yield from _service()
    yield _tokens(state)
    yield _log(state)


def _folder(subject: str, path: str, variable: str) -> Finding:
    if os.path.isdir(path):
        if os.access(path, os.W_OK | os.X_OK):
            return Finding("OK", subject, path)
        return Finding("FAIL", subject, f"{path} is not writable", f"chmod u+rwx it, or set {variable}")
    if os.path.exists(path):
        return Finding("FAIL", subject, f"{path} is not a folder", f"move the file away, or set {variable}")
    return Finding("OK", subject, f"{path} (made when it is first needed)")


def _settings() -> Iterator[Finding]:
    _, problems = settings.load(os.getcwd())
    for problem in problems:
        yield Finding("WARN", "settings", problem, "see settings.example.json")
    if not problems:
        yield Finding(
            "OK", "settings", places.settings_file() if os.path.exists(places.settings_file()) else "defaults"
        )


def _client() -> Finding:
    program = shutil.which("claude")
    if program is None:
        return Finding("WARN", "client", "claude is not on the PATH", "install Claude Code, or add it to the PATH")
    try:
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("WARN", "client", f"claude --version: {error}", "start claude once by hand")
    version = done.stdout.strip().split(" ")[0]
    parts = tuple(int(part) for part in version.split(".") if part.isdigit())
    if len(parts) == 3 and parts < OLDEST_CLIENT:
        return Finding("WARN", "client", f"Claude Code {version} knows no plugins", "update Claude Code")
    return Finding("OK", "client", f"Claude Code {version}")


def _plugin() -> Finding:
    """What the client's own files say of this plugin: installed, enabled, its folder still there."""
    folder = places.client_folder()
    enabled = _object(os.path.join(folder, "settings.json")).get("enabledPlugins")
    enabled = enabled if isinstance(enabled, dict) else {}
    name = next((name for name in enabled if name.startswith("memory-plugin@")), None)
    if name is None:
        return Finding("WARN", "plugin", "not installed in Claude Code", "run setup, or start claude with --plugin-dir")
    if not enabled[name]:
        return Finding("FAIL", "plugin", f"{name} is disabled", "`claude plugin enable memory-plugin`")
    known = _object(os.path.join(folder, "plugins", "known_marketplaces.json")).get(name.partition("@")[2])
    place = known.get("installLocation") if isinstance(known, dict) else None
    if isinstance(place, str) and not os.path.isdir(place):
        return Finding("FAIL", "plugin", f"its folder {place} is gone", "run setup from where the folder is now")
    return Finding("OK", "plugin", f"{name} is enabled" + (f", from {place}" if place else ""))


def _object(path: str) -> dict[str, Any]:
    try:
        found = json.loads(read_bytes(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _owed(state: str) -> Finding:
    owed = spool.count(state)
    if owed:
        return Finding(
            "WARN", "flushes", f"{owed} owed", "the next session does them; `memory-plugin flush` does them now"
        )
    return Finding("OK", "flushes", "none owed")


def _files(home: str) -> Iterator[Finding]:
    """Whether the facts' files and the events are whole, and the events not of a day that is still to come."""
    fix = "`memory-plugin doctor --fix` "
    try:
        torn, broken = tears.tears(home), list(tears.torn_events(home))
        names = (
            [os.path.join(home, name, places.MEMORY_FILE) for name in os.listdir(home)] if os.path.isdir(home) else []
        )
        folders = [path for path in names if os.path.isdir(path)]
        blocks = [path for path in names if os.path.isfile(path) and pointers.is_torn(read_bytes(path))]
        latest = max((str(each.get("at", "")) for each in events.read(home)), default="")
    except OSError as error:
        yield Finding("FAIL", "files", f"cannot be read: {error}", "make it readable for you")
        return
    for tear in torn:
        lost = f"{len(tear.lost)} fact{'s' * (len(tear.lost) != 1)} of it"
        yield Finding("WARN", "files", f"{tear.path} was torn: {lost} missing", f"{fix}puts them back")
    for path in folders:
        yield Finding(
            "WARN", "files", f"{path} is a folder: nothing points to the facts beside it", "give it another name"
        )
    for path in blocks:
        yield Finding("WARN", "files", f"{path}: the end of its block was torn off", f"{fix}makes it anew")
    for path, lines in broken:
        yield Finding("WARN", "events", f"{path}: {lines} torn, passed by", f"{fix}takes them out")
    tomorrow = f"{clock.now().astimezone(timezone.utc) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    if latest > tomorrow:
        text = f"the newest event is of {latest[:10]}: the clock was set back, or ran ahead when it was written"
        yield Finding("WARN", "clock", text, "set the clock; what was written keeps its order, nothing is lost")
    if not torn and not broken and not blocks and not folders:
        yield Finding("OK", "files", "no fact's file and no event is torn")


def _backups(home: str, state: str) -> Finding:
    """Whether what is in the home stands in a snapshot, too."""
    found = backups.standing(home, state)
    if found["problem"]:
        return Finding("WARN", "backups", found["problem"], found["step"])
    if found["behind"] and found["enabled"]:
        return Finding("WARN", "backups", "there is something that no snapshot holds for days now", found["step"])
    return Finding("OK", "backups", describe_backups(found))


def _service() -> Iterator[Finding]:
    state, found = places.state_folder(), control.status()
    if not found["running"] and os.path.lexists(os.path.join(state, places.SOCKET_NAME)):
        text = "not running: the last one was killed, or crashed"
        yield Finding("WARN", "service", text, "the next session starts it; so does `memory-plugin doctor --fix`")
        return
    yield from of_service(found)
    if not found["running"]:
        yield _who_would_embed()
    yield from _remade(state)


def _remade(state: str) -> Iterator[Finding]:
    """What the service's log says of an index that was damaged, for a day."""
    lines = read_bytes(os.path.join(state, lifecycle.LOG_NAME)).decode(errors="replace").splitlines()
    since = f"{datetime.now() - timedelta(days=1):%Y-%m-%d %H:%M:%S}"
    remade = [line for line in lines if _REMADE in line and line[:19] > since]
    if remade:
        text = f"was damaged {remade[-1][:16]}, and made anew: {remade[-1].partition(': ')[2][:160]}"
        yield Finding("WARN", "index", text, "nothing to do; if it comes again, check the disk")


def of_service(found: dict[str, Any]) -> Iterator[Finding]:
    """What the status of the service says, as `control.status` gives it."""
    if not found["running"]:
        yield Finding("OK", "service", "not running; each session starts it by itself")
        return
    if found.get("problem"):
        step = "`memory-plugin service stop`, then try again; `memory-plugin doctor --fix` does it"
        yield Finding("FAIL", "service", str(found["problem"]), step)
        return
    who = f"process {found['pid']}, version {found['version']}"
    if found["version"] != __version__:
        yield Finding("WARN", "service", f"{who}; this is {__version__}", "the next prompt or command replaces it")
    else:
        yield Finding("OK", "service", who)
    if "chunks" in found:
        yield _index(found)
    if problems := found.get("last_sync", {}).get("problems"):
        text = f"{len(problems)} of the files not read: {problems[0]}"
        yield Finding("WARN", "index", text, "make them readable for you; they are tried again at each change")
    if "embedder" in found:
        yield _embedder(found["embedder"], time.time() - found["started"])
    again = "it tries again by itself; else `memory-plugin service stop`, then try again"
    if problem := reconciliation_problem(found.get("reconciliation", {})):
        yield Finding("WARN", "reconcile", problem, again)
    if problem := found.get("review", {}).get("problem", ""):
        yield Finding("WARN", "review", problem, "it tries again the next day; `memory-plugin review` does it now")


def _index(found: dict[str, Any]) -> Finding:
    """How much of the notes both searches cover."""
    text = f"{counted(found['chunks'], 'note')} of {counted(found.get('files', 0), 'file')}"
    waiting, unindexed = found.get("without_vector", 0), found.get("unindexed", 0)
    if waiting and settings.load()[0].embedding.provider != "none":
        step = "it embeds in the background; else `memory-plugin reindex`"
        return Finding("WARN", "index", f"{text}, {waiting} by keyword only", step)
    if unindexed > _UNINDEXED:
        step = "it takes them in when it is idle; else `memory-plugin reindex --rebuild`"
        return Finding("WARN", "index", f"{text}, {unindexed} outside the index of words, which slows searches", step)
    return Finding("OK", "index", text)


def _embedder(embedder: dict[str, Any], age: float) -> Finding:
    """Who embeds, as a service of this age, in seconds, says."""
    who = " ".join(str(embedder[name]) for name in ("provider", "model") if embedder.get(name))
    if settings.load()[0].embedding.provider == "none":
        return Finding("OK", "embedder", _NO_EMBEDDER)
    if not who and age < _LOADING:
        return Finding("OK", "embedder", "none yet: it is being chosen and loaded")
    if embedder.get("problem"):
        step = "see to that; until then prompts are searched by keyword. `memory-plugin reindex --embedder` switches"
        return Finding("WARN", "embedder", f"{who or 'none'}: {embedder['problem']}", step)
    return Finding("OK", "embedder", f"{who or 'none yet'}, search by {embedder['search']}")


def _who_would_embed() -> Finding:
    """Whether Ollama answers, while no service tells who embeds."""
    chosen = settings.load()[0].embedding
    if chosen.provider == "none":
        return Finding("OK", "embedder", _NO_EMBEDDER)
    if chosen.provider == "builtin":
        return Finding("OK", "embedder", "built in (embedding.provider)")
    url, models, problem = prerequisites.installed_models(chosen)
    if problem and chosen.provider == "auto" and not chosen.model:
        return Finding("OK", "embedder", f"built in, for no Ollama answers at {url}")
    if problem:
        return Finding("WARN", "embedder", problem, "start Ollama, or leave embedding.provider out of the settings")
    if chosen.model and not {chosen.model, f"{chosen.model}:latest"} & models:
        return Finding("WARN", "embedder", f"Ollama has no {chosen.model}", f"`ollama pull {chosen.model}`")
    return Finding("OK", "embedder", f"Ollama answers at {url}, with {counted(len(models), 'model')}")


def _tokens(state: str) -> Finding:
    if problem := prerequisites.problem_of_tokens(state):
        return Finding("WARN", "tokens", problem, "it is made anew at the next prompt; else run setup again")
    return Finding("OK", "tokens", "can be counted")


def _log(state: str) -> Finding:
    path = os.path.join(state, LOG_NAME)
    lines = read_bytes(path).decode(errors="replace").splitlines()[-_LOG_LINES:]
    if lines:
        return Finding(
            "WARN",
            "log",
            f"{path}: " + " | ".join(line[:160] for line in lines),
            "delete the log when this is dealt with (`memory-plugin doctor --fix` puts it aside)",
        )
    return Finding("OK", "log", "nothing went wrong in a hook")
