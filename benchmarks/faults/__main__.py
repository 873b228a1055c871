"""Inject faults at random points, and see what is left: `python -m benchmarks.faults --seed 1 --times 200`

Each injection is a small life of its own (real hooks, commands, files, service; search by keyword alone) with a seed of
its own, so that one that failed is run again by `--seed N --times 1 --only NAME`. Prints one table.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults import files, serving, writing
from benchmarks.faults.scene import Fault, Scene

FAULTS: dict[str, Fault] = {
    "hook killed": writing.hook_killed,
    "command killed": writing.command_killed,
    "service killed": serving.service_killed,
    "disk full (file size limit)": writing.disk_full,
    "disk full (tmpfs)": writing.volume_full,
    "home read-only": writing.home_read_only,
    "clock set back": writing.clock_set_back,
    "table corrupted": files.table_corrupted,
    "Markdown torn": files.markdown_torn,
    "events torn": files.events_torn,
    "service lost in a hook": serving.hook_let_down,
    "index damaged under a service": serving.index_damaged,
    "service hung": serving.service_hung,
    "stale locks and socket": serving.leftovers,
    "upgraded while running": serving.upgraded,
}
NEEDS_ROOT = frozenset(("disk full (tmpfs)",))


@dataclass(frozen=True)
class Outcome:
    """One fault's injections. failed: the seeds of those that left something lost, doubled or broken."""

    name: str
    times: int
    failed: tuple[int, ...]
    seconds: float


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the first injection; each next one has the next seed")
    parser.add_argument("--times", type=int, default=200, help="injections of each fault")
    parser.add_argument("--only", action="append", choices=list(FAULTS), help="this fault alone (may be repeated)")
    parser.add_argument("--minutes", type=float, default=1e9, help="for each fault at most; it then says how many")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    print("\n| fault | injected | survived | first failing seed | s each |\n|---|---|---|---|---|")
    failed = False
    for name in arguments.only or FAULTS:
        outcome = inject(name, range(arguments.seed, arguments.seed + arguments.times), arguments.minutes * 60)
        failed = failed or bool(outcome.failed)
        print(row(outcome), flush=True)
    sys.exit(failed)


def inject(name: str, seeds: range, seconds: float = 1e9) -> Outcome:
    """Inject a fault once for each seed, until the time is over."""
    if name in NEEDS_ROOT and os.getuid():
        return Outcome(name, 0, (), 0.0)
    failed, times, started = list[int](), 0, time.monotonic()
    for seed in seeds:
        if times and time.monotonic() - started > seconds:
            break
        times += 1
        problems = list(_injected(name, seed))
        if problems:
            failed.append(seed)
            print(f"{name}, seed {seed}: {problems[0]}", file=sys.stderr, flush=True)
    return Outcome(name, times, tuple(failed), (time.monotonic() - started) / max(times, 1))


def _injected(name: str, seed: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="fault-", ignore_cleanup_errors=True) as folder:
        scene = Scene(Path(folder) / "u", random.Random(f"{name} {seed}"))
        scene.make()
        try:
            FAULTS[name](scene)
        except Exception as error:
            yield f"{type(error).__name__}: {error}\n" + "".join(traceback.format_tb(error.__traceback__)[-3:])
        finally:
            scene.end()


def row(outcome: Outcome) -> str:
    """The table's line."""
    survived, first = outcome.times - len(outcome.failed), outcome.failed[0] if outcome.failed else ""
    return f"| {outcome.name} | {outcome.times} | {survived} | {first} | {outcome.seconds:.1f} |"


if __name__ == "__main__":
    main()
