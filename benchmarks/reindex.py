"""What it costs to keep the index up to date: `python -m benchmarks.reindex`

    python -m benchmarks.reindex [--files 10000] [--flushes 5000] [--embedded 300]

A sync that finds nothing changed beside `os.walk` with `stat` over the same files, interleaved, medians of CPU time; a
reindex with the built-in model beside the bare embedder over the same texts; the bytes and files of an index after so
many small flushes, each followed by a sync, with no vectors; how long after it was saved a file is found by a search of
the service, which waits for a file to be quiet.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import lancedb

from benchmarks.filling import real_texts
from benchmarks.hooks import ROOT
from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import Vectors
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import embed_all, sync
from memory_plugin.index.table import Index
from memory_plugin.service import client, control

_ROUNDS = 7
_YOUNG = 2.5  # seconds in which a changed file is read once more
_SAVED = 5
_FACTS_A_DAY = 50


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000, help="unchanged files")
    parser.add_argument("--flushes", type=int, default=5_000, help="small flushes")
    parser.add_argument("--embedded", type=int, default=300, help="texts that are embedded")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    for measure, size in ((unchanged, arguments.files), (embedded, arguments.embedded), (flushed, arguments.flushes)):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), size)
    with tempfile.TemporaryDirectory() as folder:
        saved(Path(folder))


def unchanged(folder: Path, files: int) -> None:
    """A sync with nothing to do."""
    home = folder / "memory"
    for number in range(files):
        _add(home / f"project-{number % 50}", number // 50, f"- **lesson** The cache of tenant {number} broke.\n")
    walked, synced = list[float](), list[float]()
    with Index.open(str(folder / "state")) as index:
        sync(index, Roots(str(home)))
        time.sleep(_YOUNG)
        sync(index, Roots(str(home)))
        for _ in range(_ROUNDS):
            begin = time.process_time()
            for path, _, names in os.walk(home):
                for name in names:
                    os.stat(os.path.join(path, name))
            middle = time.process_time()
            sync(index, Roots(str(home)))
            walked.append(middle - begin)
            synced.append(time.process_time() - middle)
    walk, whole = statistics.median(walked), statistics.median(synced)
    print(f"{files} files, none changed: {whole * 1000:.0f} ms, {whole / walk:.2f} times os.walk with stat")


def embedded(folder: Path, size: int) -> None:
    """A reindex with vectors."""
    texts = real_texts(size)
    for number, text in enumerate(texts):
        _add(folder / "memory" / "project", number // _FACTS_A_DAY, f"- **lesson** {text}\n")
    embedder = _Noting()
    embedder.query("warm")
    begin = time.process_time()
    with Index.open(str(folder / "state")) as index:
        sync(index, Roots(str(folder / "memory")))
        embed_all(index, embedder)
    whole = time.process_time() - begin
    texts = list(embedder.seen)
    begin = time.process_time()
    embedder.documents(texts)
    bare = time.process_time() - begin
    print(f"{len(texts)} texts indexed and embedded: {whole:.1f} s of CPU, {whole / bare:.2f} times the bare embedder")


class _Noting(BuiltinEmbedder):
    """The built-in model, which notes what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        return super().documents(texts)


def flushed(folder: Path, flushes: int) -> None:
    """Many small flushes, each followed by a sync."""
    home, state = folder / "memory", folder / "state"
    text = 0
    begin = time.process_time()
    with Index.open(str(state)) as index:
        for number in range(flushes):
            line = f"- **lesson** Ticket {number}: the cache of tenant {number} broke when the queue was full.\n"
            _add(home / "project", number // _FACTS_A_DAY, line)
            text += len(line)
            sync(index, Roots(str(home)))
    seconds = time.process_time() - begin
    print(f"{flushes} small flushes: {seconds / flushes * 1000:.0f} ms of CPU each; {_held(state, text)}")
    database = lancedb.connect(str(state / "index.lance"))
    warnings.simplefilter("ignore")  # that nobody else may read meanwhile
    for name in database.list_tables().tables:
        database.open_table(name).optimize(cleanup_older_than=timedelta(0))
    print(f"  … once the versions of the last ten minutes are gone: {_held(state, text)}")


def _held(state: Path, text: int) -> str:
    """The files of an index, for people."""
    held = [path.stat().st_size for path in (state / "index.lance").rglob("*") if path.is_file()]
    return f"{len(held)} files, {sum(held) / 1e6:.1f} MB, {sum(held) / text:.1f} times the text"


def saved(folder: Path) -> None:
    """Seconds from saving a file to finding it."""
    (folder / "settings.json").write_text(json.dumps({"embedding": {"provider": "none"}}))
    os.environ |= {
        "HOME": str(folder),
        "MEMORY_PLUGIN_HOME": str(folder / "memory"),
        "MEMORY_PLUGIN_STATE": str(folder / "state"),
        "MEMORY_PLUGIN_SETTINGS": str(folder / "settings.json"),
        "MEMORY_PLUGIN_ENV": sys.prefix,
        "CLAUDE_CONFIG_DIR": str(folder / "client"),
        "CLAUDE_PLUGIN_ROOT": str(ROOT),
    }
    _add(folder / "memory" / "project", 0, "- **lesson** The first fact of all.\n")
    waits: list[float] = []
    try:
        if not control.ensure_started(60):
            raise SystemExit("the service does not start")
        client.call("/sync", {}, timeout=600)
        for number in range(_SAVED):
            time.sleep(_YOUNG)
            before = client.call("/status")["chunks"]
            _add(folder / "memory" / "project", number + 1, f"- **lesson** Saved by hand, number {number}.\n")
            begin = time.perf_counter()
            while client.call("/status")["chunks"] == before:
                time.sleep(0.02)
            waits.append(time.perf_counter() - begin)
    finally:
        control.stop()
    usual, longest = statistics.median(waits), max(waits)
    print(f"a saved file stands in the index after {usual:.1f} s (longest of {_SAVED}: {longest:.1f})")


def _add(namespace: Path, day: int, line: str) -> None:
    """A line more in a day's log."""
    namespace.mkdir(parents=True, exist_ok=True)
    name = f"{2000 + day // 336}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}.md"
    with (namespace / name).open("a", encoding="utf-8") as log:
        log.write(line)


if __name__ == "__main__":
    main()
