"""The main job on a sample conversation: the real hooks, service and index, in a folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone

import click

from memory_plugin.cli.look import results
from memory_plugin.cli.shared import ask, need_service
from memory_plugin.memory import excerpt, places, spool
from memory_plugin.memory.journal import is_day_file, read_facts
from memory_plugin.memory.transcript import read_messages
from memory_plugin.service import control

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample")
QUESTION = "which database did we choose, and why?"
QUESTION_IN_FRENCH = "quel prestataire de paiement a-t-on retenu ?"
OFF_TOPIC = "write a haiku about the sea"
_WIDTH = 108  # characters of what was said
_FLUSH_SECONDS = 60.0
_EMBEDDING_SECONDS = 60.0


@click.command()
@click.option("--keep", is_flag=True, help="Leave the sample's files for a closer look.")
def demo(keep: bool) -> None:
    """See it work on a sample conversation.

    What is written, what a search finds, and what a prompt gets; in a scratch folder.

    \b
    Example:
      memory-plugin demo
    """
    with _scratch(keep) as folder:
        project = os.path.join(folder, "orchard")
        transcripts = os.path.join(folder, "transcripts")
        os.makedirs(project)
        os.makedirs(transcripts)
        try:
            _converse(project, transcripts)
            _show_facts(places.memory_home())
            _ask(project)
            _show_files(places.memory_home())
        finally:
            control.stop()


def _converse(project: str, transcripts: str) -> None:
    """Play the two conversations up to each hook, as the client would."""
    _title("A conversation from last week; half-way it is compacted, then it ends")
    lines = _sample("conversation-1.jsonl", project, days_ago=7)
    boundary = next(index for index, line in enumerate(lines) if b'"compact_boundary"' in line)
    first = os.path.join(transcripts, "conversation-1.jsonl")
    _write(first, lines[:boundary])
    _show_said(first)
    asked = _hook("pre_compact", project, first, trigger="manual")
    click.echo(f"  [compaction; its summary is asked for more: “{' '.join(asked.split())[:88]}…”]")
    _write(first, lines)
    _hook("session_end", project, first, reason="prompt_input_exit")
    _title("A conversation of today, in French; it just ends")
    second = os.path.join(transcripts, "conversation-2.jsonl")
    _write(second, _sample("conversation-2.jsonl", project, days_ago=0))
    _show_said(second)
    _hook("session_end", project, second, reason="prompt_input_exit")
    if not _wait(lambda: spool.count(places.state_folder()) == 0, _FLUSH_SECONDS):
        raise click.ClickException("the detached flush did not end; `memory-plugin doctor` may know why")


def _show_said(transcript: str) -> None:
    for message in read_messages(transcript):
        click.echo(f"  {'>' if message.role == 'user' else ' '} {excerpt.beginning(message.text, _WIDTH)}")


def _show_facts(home: str) -> None:
    _title("What was written down")
    for path in _markdown(home):
        if is_day_file(os.path.basename(path)):
            for _, fact in read_facts(path, ""):
                click.echo(f"  {fact.day} {fact.category}: {fact.text}")


def _show_files(home: str) -> None:
    _title("Where it stands, in files of your own")
    for path in _markdown(home):
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        click.echo(f"  {os.path.relpath(path, home)}")
        shown = next(line for line in lines if line.startswith("- "))
        click.echo(f"      {shown}\n      …")


def _markdown(home: str) -> list[str]:
    found = [os.path.join(folder, name) for folder, _, names in os.walk(home) for name in names if name.endswith(".md")]
    return sorted(found)


def _ask(project: str) -> None:
    need_service()
    if not _wait(_embedded, _EMBEDDING_SECONDS):
        click.echo(f"\n(by keyword only: {control.status().get('embedder', {}).get('problem', 'no embedder')})")
    _title(f'memory-plugin search "{QUESTION_IN_FRENCH}"')
    click.echo(results(ask("/search", {"query": QUESTION_IN_FRENCH, "limit": 3, "project": project})))
    for prompt in (QUESTION, OFF_TOPIC):
        _title(f"What the prompt “{prompt}” gets in the next conversation")
        answer = _hook("user_prompt_submit", project, "", prompt=prompt)
        click.echo(json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else "(nothing)")


def _embedded() -> bool:
    found = control.status()
    ready = found.get("chunks", 0) > 0 and found.get("without_vector") == 0
    return ready and found["embedder"]["search"] == "keywords and vectors"


def _hook(name: str, project: str, transcript: str, **fields: str) -> str:
    """Run a hook as the client does, through the shell script; what it prints."""
    event = {"session_id": f"demo-{name}", "transcript_path": transcript, "cwd": project, **fields}
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": project}
    done = subprocess.run(
        ["sh", os.path.join(places.PLUGIN_ROOT, "hooks", "run"), name],
        input=json.dumps(event).encode(),
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    return done.stdout.decode()


def _sample(name: str, project: str, days_ago: int) -> list[bytes]:
    """The lines of a sample transcript, moved to this project's folder and to a recent day."""
    with open(os.path.join(SAMPLE, name), encoding="utf-8") as stream:
        entries = [json.loads(line) for line in stream]
    last = datetime.fromisoformat(entries[-1]["timestamp"].replace("Z", "+00:00"))
    shift = datetime.now(timezone.utc) - timedelta(days=days_ago) - last
    for entry in entries:
        moment = datetime.fromisoformat(entry["timestamp"].replace("Z", "+00:00")) + shift
        entry.update(cwd=project, timestamp=moment.isoformat().replace("+00:00", "Z"))
    return [json.dumps(entry, ensure_ascii=False).encode() + b"\n" for entry in entries]


def _write(path: str, lines: list[bytes]) -> None:
    with open(path, "wb") as stream:
        stream.writelines(lines)


def _wait(done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _title(text: str) -> None:
    click.echo(f"\n== {text}")


@contextlib.contextmanager
def _scratch(keep: bool) -> Iterator[str]:
    """A home, state and settings of the demo's own; the environment stays the user's."""
    environment = places.environment_folder()
    folder = tempfile.mkdtemp(prefix="memory-plugin-demo-")
    before = dict(os.environ)
    os.environ.update(
        MEMORY_PLUGIN_HOME=os.path.join(folder, "memory"),
        MEMORY_PLUGIN_STATE=os.path.join(folder, "state"),
        MEMORY_PLUGIN_SETTINGS=os.path.join(folder, "settings.json"),
        MEMORY_PLUGIN_ENV=environment,
    )
    try:
        yield folder
    finally:
        os.environ.clear()
        os.environ.update(before)
        if keep:
            click.echo(f"\nEverything is kept in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
