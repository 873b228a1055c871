"""What each hook costs, as the client runs it: a shell, JSON on standard input, a warm service.

    python -m benchmarks.hooks [--chunks 1000 10000] [--rounds 40] [--vectors]

Interleaved with a bare `python -S -c pass` of the same interpreter: a time means something only beside another of
the same run. Prints one table for each size of the memory: median and 95th percentile in milliseconds, and the ratio
of the medians. `hook alone` is the prompt hook without the shell.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client, control

ROOT = Path(__file__).resolve().parents[1]
BARE = "python -S -c pass"
PROMPT = "Which port does the staging dev server listen on?"
OFF_TOPIC = "What shall we have for lunch?"
_WORDS = (
    "cache queue worker invoice tenant schema index commit branch build deploy router token socket "
    "ledger parser cursor batch shard replica mirror webhook cron mailer upload search export import"
).split()


def main() -> None:
    """Read the arguments and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=[1000, 10_000], help="sizes of the memory, in facts")
    parser.add_argument("--rounds", type=int, default=40, help="runs of each command")
    parser.add_argument("--vectors", action="store_true", help="embed as well, and wait for it")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    for chunks in arguments.chunks:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), chunks, arguments.rounds, arguments.vectors)


def measure(folder: Path, chunks: int, rounds: int, vectors: bool) -> None:
    """Print the table of one size."""
    project = folder / "project"
    project.mkdir()
    (folder / "settings.json").write_text(json.dumps({"embedding": {"provider": "builtin" if vectors else "none"}}))
    os.environ |= {
        "HOME": str(folder),
        "MEMORY_PLUGIN_HOME": str(folder / "memory"),
        "MEMORY_PLUGIN_STATE": str(folder / "state"),
        "MEMORY_PLUGIN_SETTINGS": str(folder / "settings.json"),
        "MEMORY_PLUGIN_ENV": sys.prefix,
        "CLAUDE_CONFIG_DIR": str(folder / "client"),
        "CLAUDE_PLUGIN_ROOT": str(ROOT),
        "CLAUDE_PROJECT_DIR": str(project),
    }
    fill(folder / "memory" / namespace_of(str(project)).name, chunks)
    try:
        if not control.ensure_started(60):
            raise SystemExit("the service does not start")
        client.call("/sync", {}, timeout=3600)
        while vectors and client.call("/status").get("without_vector") != 0:
            time.sleep(1)
        times = run(commands(), rounds)
        found = client.call("/status")
    finally:
        control.stop()
    print(f"\n{found['chunks']} chunks, {found['embedder']['search']}, {rounds} rounds")
    print(f"{'':<28}{'median ms':>10}{'p95 ms':>10}{'ratio':>8}")
    bare = statistics.median(times[BARE])
    for name, each in times.items():
        median, slow = statistics.median(each), sorted(each)[int(len(each) * 0.95)]
        print(f"{name:<28}{median * 1000:>10.1f}{slow * 1000:>10.1f}{median / bare:>8.2f}")


def fill(namespace: Path, chunks: int) -> None:
    """Daily logs of a hundred facts each."""
    namespace.mkdir(parents=True)
    choose = random.Random(7)
    lines = ["- **reference** The staging dev server listens on port 8377.\n"]
    while len(lines) < chunks:
        words = " ".join(choose.choice(_WORDS) for _ in range(8))
        lines.append(f"- **lesson** Ticket {len(lines)}: the {words} broke and was mended.\n")
    for start in range(0, chunks, 100):
        day = f"{2000 + start // 100 // 336}-{start // 100 // 28 % 12 + 1:02}-{start // 100 % 28 + 1:02}"
        (namespace / f"{day}.md").write_text("".join(lines[start : start + 100]))


def commands() -> Mapping[str, tuple[list[str], str]]:
    """What is run, by its name in the table: the command and the prompt that it is given."""
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    python = [sys.executable, "-I", "-S", "-X", "utf8"]
    shell = {name: ["/bin/sh", "-c", entries[0]["hooks"][0]["command"]] for name, entries in hooks.items()}
    return {
        BARE: ([sys.executable, "-S", "-c", "pass"], ""),
        "UserPromptSubmit": (shell["UserPromptSubmit"], PROMPT),
        "UserPromptSubmit, off-topic": (shell["UserPromptSubmit"], OFF_TOPIC),
        "hook alone": ([*python, str(ROOT / "hooks" / "user_prompt_submit.py")], PROMPT),
        "hook alone, refused": ([*python, str(ROOT / "hooks" / "user_prompt_submit.py")], "/help"),
        **{name: (command, PROMPT) for name, command in shell.items() if name != "UserPromptSubmit"},
    }


def run(commands: Mapping[str, tuple[list[str], str]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every run, the commands taking turns."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, (command, prompt) in commands.items():
            # A session of its own for each prompt, so that none is answered with silence for having been asked before.
            event = {"session_id": f"{name}-{number}", "prompt": prompt, "cwd": os.environ["CLAUDE_PROJECT_DIR"]}
            event |= {"transcript_path": "", "source": "startup", "trigger": "manual", "reason": "other"}
            started = time.perf_counter()
            subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, check=True)
            if number:  # the first round fills the caches
                times[name].append(time.perf_counter() - started)
    return times


if __name__ == "__main__":
    main()
