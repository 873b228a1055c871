"""What each hook costs, as the client runs it: a shell, JSON on standard input, a warm service.

    python -m benchmarks.hooks [--chunks 1000 10000] [--files 10000] [--rounds 40] [--vectors]

Interleaved with a bare `python -S -c pass` of the same interpreter: a time means something only beside another of
the same run. One table for each size of the memory: milliseconds of a process, median and 95th percentile; both as
ratios to the median of the bare one; and the ratio of the CPU time that the process and its shell took, which moves
less where others use the machine, too.

`less the service` is the same runs, each less the time that the service says it worked for it. A session starts in a
project with twenty conversations, all of them flushed; before each PreCompact and SessionEnd a message has been added
to one. `no service` is the hook without the shell where none answers. With `--files`, a session starts once more in a
home of so many Markdown files.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from memory_plugin.memory.doorbell import PROMPT as PROMPT_HOOK
from memory_plugin.memory.files import read_bytes
from memory_plugin.memory.hooks import HOOKS
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client, control
from tests.support.environment import linked_environment
from tests.support.transcripts import conversation, entry, lines

ROOT = Path(__file__).resolve().parents[1]
BARE = "python -S -c pass"
PROMPT = "Which port does the staging dev server listen on?"
OFF_TOPIC = "What shall we have for lunch?"
CONVERSATIONS = 20  # of the project, flushed
_WORDS = (
    "cache queue worker invoice tenant schema index commit branch build deploy router token socket "
    "ledger parser cursor batch shard replica mirror webhook cron mailer upload search export import"
).split()


@dataclass
class Command:
    """What is run: the command line, the hook that the service knows it by ("" for none), its prompt, and its times.

    grows: whether a message is added to a conversation before each run, and the service left to settle after it.
    """

    line: list[str]
    hook: str = ""
    prompt: str = PROMPT
    grows: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    served: list[float] = field(default_factory=list)


def main() -> None:
    """Read the arguments and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=[1000, 10_000], help="sizes of the memory, in facts")
    parser.add_argument("--files", type=int, default=10_000, help="Markdown files in the home; 0 for no such table")
    parser.add_argument("--rounds", type=int, default=40, help="runs of each command")
    parser.add_argument("--vectors", action="store_true", help="embed as well, and wait for it")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    for chunks in arguments.chunks:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), chunks, arguments.rounds, arguments.vectors)
    if arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), 100, arguments.rounds, vectors=False, files=arguments.files)


def measure(folder: Path, chunks: int, rounds: int, vectors: bool, files: int = 0) -> None:
    """Print the table of one size: of all hooks, or with `files` of a session's start."""
    project = folder / "project"
    project.mkdir()
    (folder / "settings.json").write_text(json.dumps({"embedding": {"provider": "builtin" if vectors else "none"}}))
    os.environ |= {
        "HOME": str(folder),
        "MEMORY_PLUGIN_HOME": str(folder / "memory"),
        "MEMORY_PLUGIN_STATE": str(folder / "state"),
        "MEMORY_PLUGIN_SETTINGS": str(folder / "settings.json"),
        # else the start of a session would set about making the environment that runs this
        "MEMORY_PLUGIN_ENV": str(linked_environment(folder / "environment")),
        "CLAUDE_CONFIG_DIR": str(folder / "client"),
        "CLAUDE_PLUGIN_ROOT": str(ROOT),
        "CLAUDE_PROJECT_DIR": str(project),
    }
    fill(folder / "memory" / namespace_of(str(project)).name, chunks)
    scatter(folder / "memory", files)
    talks = [conversation(talk_of(folder, number), ["Good morning."], cwd=project) for number in range(CONVERSATIONS)]
    try:
        if not control.ensure_started(60):
            raise SystemExit("the service does not start")
        settle()
        while vectors and client.call("/status").get("without_vector") != 0:
            time.sleep(1)
        groups = commands(folder)
        if files:
            groups = [{name: groups[0][name] for name in (BARE, "SessionStart")}]
        for group in groups:
            run(group.values(), rounds, talks[0])
        found = client.call("/status")
    finally:
        control.stop()
    print(f"\n{found['chunks']} chunks, {found['files']} files, {found['embedder']['search']}, {rounds} rounds")
    for group in groups:
        print_table(group)


def fill(namespace: Path, chunks: int) -> None:
    """Daily logs of a hundred facts each."""
    namespace.mkdir(parents=True)
    choose = random.Random(7)
    texts = ["- **reference** The staging dev server listens on port 8377.\n"]
    while len(texts) < chunks:
        words = " ".join(choose.choice(_WORDS) for _ in range(8))
        texts.append(f"- **lesson** Ticket {len(texts)}: the {words} broke and was mended.\n")
    for start in range(0, chunks, 100):
        day = f"{2000 + start // 100 // 336}-{start // 100 // 28 % 12 + 1:02}-{start // 100 % 28 + 1:02}"
        (namespace / f"{day}.md").write_text("".join(texts[start : start + 100]))


def scatter(home: Path, files: int) -> None:
    """Notes in other folders of the home, until it holds so many files."""
    for number in range(files - sum(1 for _ in home.rglob("*.md"))):
        folder = home / f"vault-{number // 500}"
        folder.mkdir(exist_ok=True)
        (folder / f"note-{number}.md").write_text(f"# Note {number}\n\nThe {_WORDS[number % len(_WORDS)]} again.\n")


def talk_of(folder: Path, number: int) -> Path:
    """The transcript of a conversation in the project."""
    return folder / "client" / "projects" / "project" / f"{number:08x}-0000-4000-8000-000000000000.jsonl"


def settle() -> None:
    """Wait until nothing is left to do for the service; that a summary is to be read once it is written is no work."""
    client.call("/sync", {}, timeout=3600)
    while ends_owed() or client.call("/status")["reconciliation"].get("waiting"):
        time.sleep(0.2)
    client.call("/sync", {}, timeout=3600)


def ends_owed() -> bool:
    """Whether a session that ended is still to be flushed, by the service or without one."""
    debts = Path(os.environ["MEMORY_PLUGIN_STATE"]).parent.glob("*/spool/*.json")
    return any(b'"session end"' in read_bytes(str(path)) for path in debts)


def commands(folder: Path) -> list[dict[str, Command]]:
    """What is run, by its name in the table: what changes nothing, and what has the service at work afterwards."""
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    python = [f"{os.environ['MEMORY_PLUGIN_ENV']}/bin/python", "-I", "-S", "-X", "utf8"]
    shell = {name: ["/bin/sh", "-c", entries[0]["hooks"][0]["command"]] for name, entries in hooks.items()}
    alone = {name: [*python, str(ROOT / "hooks" / f"{name}.py")] for name in (*HOOKS, "user_prompt_submit")}
    nobody = folder / "state of no service"
    nobody.mkdir()
    (nobody / "set-up-started").touch()
    without = {"MEMORY_PLUGIN_STATE": str(nobody), "MEMORY_PLUGIN_ENV": str(folder / "no environment")}
    bare = [python[0], "-S", "-c", "pass"]
    quick = {
        BARE: Command(bare),
        "UserPromptSubmit": Command(shell["UserPromptSubmit"], PROMPT_HOOK),
        "UserPromptSubmit, off-topic": Command(shell["UserPromptSubmit"], PROMPT_HOOK, OFF_TOPIC),
        "… without the shell, refused": Command(alone["user_prompt_submit"], PROMPT_HOOK, "/help"),
        "SessionStart": Command(shell["SessionStart"], "session_start"),
        "SessionStart, no service": Command(alone["session_start"], variables=without),
    }
    slow = {
        BARE: Command(bare),
        "PreCompact": Command(shell["PreCompact"], "pre_compact", grows=True),
        "SessionEnd": Command(shell["SessionEnd"], "session_end", grows=True),
        "PreCompact, no service": Command(alone["pre_compact"], grows=True, variables=without),
        "SessionEnd, no service": Command(alone["session_end"], grows=True, variables=without),
    }
    return [quick, slow]


def run(commands: Iterable[Command], rounds: int, talk: Path) -> None:
    """Run them in turns, and note how long each took; the first round fills the caches and does not count."""
    for number in range(rounds + 1):
        for place, command in enumerate(commands):
            if command.grows:
                message = entry(f"Number {number}.{place}.", number, cwd=os.environ["CLAUDE_PROJECT_DIR"])
                talk.write_bytes(talk.read_bytes() + lines([message]))
            # A session of its own for each prompt, so that none is answered with silence for having been asked before.
            event = {"session_id": f"{place}-{number}", "prompt": command.prompt, "source": "startup"}
            event |= {"transcript_path": str(talk), "cwd": os.environ["CLAUDE_PROJECT_DIR"], "trigger": "manual"}
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            started = time.perf_counter()
            subprocess.run(
                command.line,
                input=json.dumps(event).encode(),
                capture_output=True,
                check=True,
                env={**os.environ, **command.variables},
            )
            command.seconds.append(time.perf_counter() - started)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            command.processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            if command.hook:
                command.served.append(client.call("/status")["hooks"][command.hook]["milliseconds"][-1] / 1000)
            if command.grows:
                settle()


def print_table(commands: dict[str, Command]) -> None:
    """One row a command; one more for what is left of it without the service's time."""
    print(f"{'':<30}{'median ms':>10}{'p95 ms':>10}{'ratio':>8}{'p95':>8}{'CPU':>8}")
    bare = statistics.median(commands[BARE].seconds[1:])
    least = statistics.median(commands[BARE].processor[1:])
    for name, command in commands.items():
        processor = f"{statistics.median(command.processor[1:]) / least:>8.2f}"
        print_row(name, command.seconds[1:], bare, processor)
        if command.hook:
            left = [whole - served for whole, served in zip(command.seconds[1:], command.served[1:], strict=True)]
            print_row("  less the service", left, bare)


def print_row(name: str, seconds: list[float], bare: float, processor: str = "") -> None:
    """One row: milliseconds, and the ratios to a bare process."""
    median, slow = statistics.median(seconds), sorted(seconds)[int(len(seconds) * 0.95)]
    print(f"{name:<30}{median * 1000:>10.1f}{slow * 1000:>10.1f}{median / bare:>8.2f}{slow / bare:>8.2f}{processor}")


if __name__ == "__main__":
    main()
