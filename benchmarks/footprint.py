"""What the resident service holds in memory, and what it leaves: `python -m benchmarks.footprint`

    python -m benchmarks.footprint [--chunks 10000] [--prompts 10000] [--vectors]

A service of its own is started, indexes so many facts, is started again, answers so many prompts and is ended. Memory
is read from /proc/PID/smaps_rollup (Linux): RSS counts every page that is mapped, PSS shares those that other processes
map too among them. `--vectors` embeds with the built-in model as well, which takes minutes of CPU.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.hooks import OFF_TOPIC, PROMPT, ROOT, fill
from memory_plugin.memory import places
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client, control, lifecycle
from tests.support.service import is_alive

_STATIONS = 4
_PATIENCE = 60.0  # seconds


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=10_000, help="facts in the memory")
    parser.add_argument("--prompts", type=int, default=10_000, help="prompts that are answered")
    parser.add_argument("--vectors", action="store_true", help="embed as well, and wait for it")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), arguments.chunks, arguments.prompts, arguments.vectors)


def measure(folder: Path, chunks: int, prompts: int, vectors: bool) -> None:
    """Print the table of one service."""
    project = folder / "project"
    project.mkdir()
    settings = {"embedding": {"provider": "builtin" if vectors else "none"}}
    (folder / "settings.json").write_text(json.dumps(settings))
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
    print(f"{chunks} facts, {'the built-in model' if vectors else 'no model'}")
    print(f"{'':<28}{'RSS MB':>8}{'PSS MB':>8}{'own MB':>8}{'threads':>9}")
    namespace = folder / "memory" / namespace_of(str(project)).name
    process = started()
    try:
        client.call("/sync", {}, timeout=3600)
        station(process, "empty")
        fill(namespace, chunks)
        client.call("/sync", {}, timeout=3600)
        while vectors and client.call("/status").get("without_vector") != 0:
            time.sleep(1)
        station(process, "indexed")
        control.stop()
        process = started()
        client.call("/sync", {}, timeout=3600)
        station(process, "started again")
        for number in range(_STATIONS):
            begin, end = prompts * number // _STATIONS, prompts * (number + 1) // _STATIONS
            for each in range(begin, end):
                ask(each, str(project))
            station(process, f"{end} prompts")
    finally:
        control.stop()
    print(f"left behind: {', '.join(left_behind(process)) or 'nothing'}")


def started() -> int:
    """The id of a service that was started and answers."""
    if not control.ensure_started(_PATIENCE):
        raise SystemExit("the service does not start")
    return int(lifecycle.information(places.state_folder())["pid"])


def ask(number: int, project: str) -> None:
    """One prompt, each in a session of its own; every third needs nothing."""
    prompt = OFF_TOPIC if number % 3 == 2 else f"{PROMPT} And what broke in ticket {number}?"
    event = {"session_id": f"session-{number}", "prompt": prompt, "cwd": project, "transcript_path": ""}
    with contextlib.suppress(client.ServiceError):  # no content: nothing is shown
        client.call("/hook/prompt", event)


def station(process: int, name: str) -> None:
    """Print what the process holds now."""
    held = memory(process)
    own = held["Private_Clean"] + held["Private_Dirty"]
    threads = len(os.listdir(f"/proc/{process}/task"))
    print(f"{name:<28}{held['Rss'] / 1e6:>8.0f}{held['Pss'] / 1e6:>8.0f}{own / 1e6:>8.0f}{threads:>9}", flush=True)


def memory(process: int) -> dict[str, int]:
    """Bytes by the names of smaps_rollup: Rss, Pss, Private_Dirty, … OSError where the system has no such file."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()[1:]
    return {name: int(value.split()[0]) << 10 for name, _, value in (line.partition(":") for line in lines)}


def left_behind(process: int) -> list[str]:
    """What an ended service should have taken with it and has not."""
    state = Path(places.state_folder())
    names = (places.SOCKET_NAME, lifecycle.LOCK_NAME, lifecycle.INFORMATION_NAME)
    files = [name for name in names if (state / name).exists()]
    return [*files, *([f"process {process}"] if is_alive(process) else [])]


if __name__ == "__main__":
    main()
