"""What does a snapshot of a memory cost, beside copying it? `python -m benchmarks.backups`

A home of 1,000 files (`--files` says another number), facts and pages of conversations, as they lie after a year or
so, is copied file by file, then kept as a snapshot; then ten files change, as on a day, and both are done again. Each
is done three times, in folders of its own, and the median shown. Then everything is read through and compared, and
written into an archive.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memory_plugin.memory import archive
from memory_plugin.memory.fact import Candidate, make
from memory_plugin.memory.journal import append_facts
from memory_plugin.memory.snapshots import BY_HAND, Store

_ROUNDS = 3
_CHANGED = 10  # files a day
_FACTS, _EXCHANGES = 8, 12  # a file


def fill(home: Path, files: int) -> None:
    """A home of so many files, half of them logs of days and half pages of conversations."""
    for number in range(files // 2):
        folder = home / f"project{number % 10}-0a1b2c3{number % 10}"
        day = f"{2020 + number // 280}-{number // 28 % 10 + 1:02}-{number % 28 + 1:02}"
        candidates = [
            Candidate(f"Service {number}.{each} listens on port {each}.", "project", "is", "a", "b", 0.6, 0.7)
            for each in range(_FACTS)
        ]
        facts = [make(each, folder.name, day, "14:32", f"s{number}#e1") for each in candidates]
        append_facts(str(folder), day, facts, "14:32 session end")
        page = folder / "history" / f"{day}-{number:08}.md"
        page.parent.mkdir(exist_ok=True)
        said = (f"## 14:{each:02} Question {number}.{each}\n\n**User:** {'word ' * 60}\n" for each in range(_EXCHANGES))
        page.write_text("\n".join(said))
    for path in home.rglob("*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def change(home: Path, round_: int) -> None:
    """What a day does to a memory: some files get longer."""
    for path in sorted(home.rglob("*.md"))[: _CHANGED * 50 : 50]:
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(f"- Something that was said on day {round_}.\n")
        os.utime(path, (1_700_000_000, 1_700_000_000 + round_))


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def size(folder: Path) -> int:
    """Bytes of the files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(root: Path, home: Path, round_: int) -> dict[str, tuple[float, int]]:
    """Of each thing that is done in a round its seconds, and the bytes that it adds to the disk."""
    store, copies = Store(str(root / f"store{round_}")), root / f"copies{round_}"

    def make() -> None:
        with store.locked():
            store.make(str(home), BY_HAND)

    found = dict[str, tuple[float, int]]()
    for name in ("first", "second"):
        found[f"a {name} copy"] = seconds(lambda to=copies / name: shutil.copytree(home, to)), size(copies / name)  # type: ignore[misc]
        before = size(Path(store.folder)) if name == "second" else 0
        taken = seconds(make)
        found[f"the {name} snapshot"] = taken, size(Path(store.folder)) - before
        change(home, round_)
    found["nothing changed"] = seconds(make), 0
    found["verifying both"] = seconds(store.verify), 0
    path = root / f"{round_}.tar.gz"
    found["an archive"] = seconds(lambda: archive.write(store, store.snapshots()[0], str(path))), path.stat().st_size
    return found


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    arguments.add_argument("--files", type=int, default=1000)
    files = arguments.parse_args().files
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        fill(home, files)
        count, total = sum(1 for path in home.rglob("*.md")), size(home)
        rounds = [measure(Path(folder), home, number + 1) for number in range(_ROUNDS)]
    copied = statistics.median(each["a first copy"][0] for each in rounds)
    print(f"{count} files, {total / 1e6:.1f} MB; Python {platform.python_version()}, {platform.machine()}")
    print(f"{'':20}{'seconds':>9}{'of a copy':>11}{'bytes':>12}{'of a copy':>11}")
    for name in rounds[0]:
        taken = statistics.median(each[name][0] for each in rounds)
        added = statistics.median(each[name][1] for each in rounds)
        print(f"{name:20}{taken:9.2f}{taken / copied:11.2f}{added:12,.0f}{added / total:11.3f}")


if __name__ == "__main__":
    main()
