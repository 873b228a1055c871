"""Does a large memory answer as a small one does, and what does a recall in it cost? `python -m benchmarks.scale`

The sixty facts of the calibration set stand among other notes and conversations, 1,000, 10,000, then 100,000 chunks in
all (see filling), and the same questions are asked at each size, each time in a process of its own, with the
questions' vectors known. Beside each recall stands LanceDB's own hybrid query on the same table. `--chunks` names other
sizes, `--vectors FILE` keeps the vectors of the real texts for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import lancedb
import numpy as np

from benchmarks.calibration import DATA
from benchmarks.filling import OWN, Filling, Prepared, real_texts
from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.chunks import Source, chunks
from memory_plugin.index.conditions import one_of
from memory_plugin.index.embedding import Embedder, Vectors
from memory_plugin.index.layers import NOTES
from memory_plugin.index.recall import Recalled, recall
from memory_plugin.index.rows import Row, as_rows
from memory_plugin.index.table import Index
from memory_plugin.index.terms import Term, query_terms

_SIZES = (1_000, 10_000, 100_000)
_REAL_TEXTS = 1_500
_PORTION = 10_000  # chunks written at once
_ROUNDS = 3
_HYBRID_ROWS = 32  # what recall asks of its vector search
_NOW = datetime(2026, 12, 1)


@dataclass(frozen=True, slots=True)
class Questions:
    """wanted: prompts and the text of the note that each needs; needless: prompts that need none."""

    wanted: Sequence[tuple[str, str]]
    needless: Sequence[str]

    @property
    def prompts(self) -> list[str]:
        """All of them."""
        return [*(prompt for prompt, _ in self.wanted), *self.needless]


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one query: seconds of this process's CPU and of the clock, and bytes read from files."""

    cpu: float
    wall: float
    read: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What one size showed. shown: for each wanted note the place at which it was shown, or None; answers: the ids of
    all that each prompt got, best first, with their scores; quiet: the needless prompts that got nothing, as a share;
    rows: handed over by the table for a prompt; first: what the first recall of a process costs; disk and memory in
    bytes."""

    size: int
    shown: Sequence[int | None]
    answers: Sequence[Mapping[str, float]]
    quiet: float
    rows: float
    prompt: Cost
    search: Cost
    hybrid: Cost
    first: Cost
    disk: int
    memory: int


class CountingIndex(Index):
    """An index that counts the rows that its searches hand over."""

    rows = 0

    def _rows(self, search: Callable[[], Any], where: str, *score: str) -> list[Row]:
        found = super()._rows(search, where, *score)
        self.rows += len(found)
        return found


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    data = json.loads(DATA.read_text("utf-8"))
    facts = data["facts"]
    wanted = [(each["prompt"], each["text"]) for each in (*facts, *data["asked"])]
    questions = Questions(wanted, [*data["off_topic"], *data["near"]])
    embedder = BuiltinEmbedder()
    prepared = Prepared(embedder.identity, _kept(arguments.vectors), embedder)
    texts = real_texts(_REAL_TEXTS, frozenset((*questions.prompts, *(text for _, text in wanted))))
    filling = Filling(texts, prepared.documents(texts))
    known = {f"query: {prompt}": prepared.query(prompt) for prompt in questions.prompts}
    if arguments.vectors:
        _keep(arguments.vectors, prepared.known)
    core = [f"- **{each['category']}** {each['text']}\n" for each in facts]
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors,")
    print(f"LanceDB {lancedb.__version__}, {embedder.identity.model}, {len(texts)} real texts in the filling\n")
    measured = list[Measured]()
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted(arguments.chunks):
            started = time.process_time()
            with Index.open(folder) as index:
                grow(index, size, core, filling, prepared)
            print(f"{size} chunks made in {time.process_time() - started:.0f} s of CPU", flush=True)
            # A process of its own, so that its memory is what this size takes.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                asked = pool.submit(ask, folder, questions, Prepared(prepared.identity, known), arguments.rounds)
                measured.append(asked.result())
    print("\n" + "\n".join(table(measured)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=_SIZES, help="sizes of the memory")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="how often every question is asked")
    parser.add_argument("--vectors", type=Path, help="a file (.npz) that keeps vectors from run to run")
    return parser.parse_args()


def _kept(file: Path | None) -> dict[str, Vectors]:
    if file is None or not file.is_file():
        return {}
    with np.load(file) as held:
        return dict(zip(held["texts"].tolist(), held["vectors"], strict=True))


def _keep(file: Path, known: dict[str, Vectors]) -> None:
    np.savez(file, texts=np.array(list(known)), vectors=np.stack(list(known.values())))


def grow(index: Index, size: int, core: Sequence[str], filling: Filling, embedder: Prepared) -> None:
    """Bring an index to `size` chunks, embedded: the core, written as a daily log's lines, and filling."""
    held = index.count()
    if not held:
        index.replace([], chunks("".join(core), Source(f"/memory/{OWN}/2026-11-30.md", OWN, "log")))
        index.embed_missing(embedder, len(core))
        held = index.count()
    for start in range(held, size, _PORTION):
        numbers = range(start, min(start + _PORTION, size))
        added = [filling.chunk(number - len(core)) for number in numbers]
        vectors = {each.text: filling.vector(number - len(core)) for each, number in zip(added, numbers, strict=True)}
        index.replace([], added)
        while index.embed_missing(Prepared(embedder.identity, vectors, embedder), _PORTION):
            pass
    index.optimize()


def ask(state_folder: str, questions: Questions, embedder: Embedder, rounds: int) -> Measured:
    """Ask everything of an index, `rounds` times, the ways to ask taking turns."""
    with CountingIndex.open(state_folder) as index:
        assert isinstance(index, CountingIndex)  # which `open` does not say
        first = _cost(lambda: _recalled(index, embedder, questions.wanted[0][0]))
        index.rows = 0
        answers = [_recalled(index, embedder, prompt) for prompt in questions.prompts]
        rows = index.rows / len(answers)
        hybrid = Hybrid(index)
        ways: dict[str, Callable[[str], object]] = {
            "prompt": lambda prompt: _recalled(index, embedder, prompt),
            "search": lambda prompt: _recalled(index, embedder, prompt, for_prompt=False, layers=(NOTES,)),
            "hybrid": lambda prompt: hybrid(prompt, embedder),
        }
        costs: dict[str, list[Cost]] = {name: [] for name in ways}
        asked = [prompt for prompt, _ in questions.wanted]
        for _ in range(rounds):
            for name, way in ways.items():
                costs[name].append(_cost(partial(_each, way, asked), len(asked)))
        return Measured(
            size=index.count(),
            shown=[_place(answer, text) for answer, (_, text) in zip(answers, questions.wanted, strict=False)],
            answers=[{note.id: note.score for note in answer.notes} for answer in answers],
            quiet=statistics.mean(not each.notes for each in answers[len(questions.wanted) :]),
            rows=rows,
            prompt=_median(costs["prompt"]),
            search=_median(costs["search"]),
            hybrid=_median(costs["hybrid"]),
            first=first,
            disk=sum(file.stat().st_size for file in Path(index.folder).rglob("*") if file.is_file()),
            memory=_memory(),
        )


def _each(way: Callable[[str], object], prompts: Iterable[str]) -> None:
    for prompt in prompts:
        way(prompt)


def _recalled(index: Index, embedder: Embedder, prompt: str, **options: Any) -> Recalled:
    asked: dict[str, Any] = {"namespaces": (OWN, "global"), "now": _NOW, "token_budget": 500, **options}
    return recall(prompt, index=index, embedder=embedder, **asked)


class Hybrid:
    """LanceDB's own hybrid query (with its usual reranker) for the same rows, by the same filter, vector and terms."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._table: Any = lancedb.connect(index.folder).open_table("chunks")  # its stub knows no hybrid query
        self._column = next(name for name in self._table.schema.names if name.startswith("vector_"))
        self._where = f"{one_of('kind', NOTES.kinds)} AND {one_of('namespace', (OWN, 'global'))} AND resident = false"

    def __call__(self, prompt: str, embedder: Embedder) -> list[Row]:
        """The rows found."""
        centre = self._index.centre
        assert centre is not None
        vector, terms = centre.of_prompt(embedder.query(prompt)), _words(query_terms(prompt))
        query = self._table.search(query_type="hybrid", vector_column_name=self._column).vector(vector).text(terms)
        found = query.distance_type("cosine").where(self._where, prefilter=True).limit(_HYBRID_ROWS)
        return as_rows(found.to_arrow(), None)


def _words(terms: Iterable[Term]) -> str:
    return " ".join(form for term in terms for form in term.forms)


def _place(answer: Recalled, text: str) -> int | None:
    return next((place for place, note in enumerate(answer.notes) if note.text == text), None)


def _cost(work: Callable[[], object], count: int = 1) -> Cost:
    cpu, wall, read = time.process_time(), time.perf_counter(), _read()
    work()
    return Cost((time.process_time() - cpu) / count, (time.perf_counter() - wall) / count, (_read() - read) / count)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(column) for column in zip(*((c.cpu, c.wall, c.read) for c in costs), strict=True)))


def _read() -> int:
    """The bytes that this process has read from files so far; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])
    except OSError:
        return 0


def _memory() -> int:
    """The memory that this process holds, in bytes; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def table(measured: Sequence[Measured]) -> list[str]:
    """The lines of the table, one column a size."""
    least = measured[0]
    rows: list[tuple[str, Callable[[Measured], str]]] = [
        ("the note needed is shown", lambda m: f"{statistics.mean(each is not None for each in m.shown):.2f}"),
        ("... first", lambda m: f"{statistics.mean(each == 0 for each in m.shown):.2f}"),
        ("... or not, as in the smallest", lambda m: f"{_share(map(_same, m.shown, least.shown)):.2f}"),
        ("all that is shown is the same", lambda m: f"{_share(map(_alike, m.answers, least.answers)):.2f}"),
        ("... but for notes that fit better", lambda m: f"{_share(map(better, m.answers, least.answers)):.2f}"),
        ("needless prompts get nothing", lambda m: f"{m.quiet:.2f}"),
        ("a prompt: CPU ms", lambda m: f"{m.prompt.cpu * 1000:.1f}"),
        ("... times the smallest", lambda m: f"{m.prompt.cpu / least.prompt.cpu:.2f}"),
        ("... clock, times the smallest", lambda m: f"{m.prompt.wall / least.prompt.wall:.2f}"),
        ("... rows handed over", lambda m: f"{m.rows:.0f}"),
        ("... MB read", lambda m: f"{m.prompt.read / 1e6:.2f}"),
        ("a search of the notes: CPU ms", lambda m: f"{m.search.cpu * 1000:.1f}"),
        ("LanceDB's hybrid query: CPU ms", lambda m: f"{m.hybrid.cpu * 1000:.1f}"),
        ("search / hybrid, CPU", lambda m: f"{m.search.cpu / m.hybrid.cpu:.2f}"),
        ("search / hybrid, clock", lambda m: f"{m.search.wall / m.hybrid.wall:.2f}"),
        ("the first prompt: CPU ms", lambda m: f"{m.first.cpu * 1000:.0f}"),
        ("on disk, MB", lambda m: f"{m.disk / 1e6:.0f}"),
        ("in memory, MB", lambda m: f"{m.memory / 1e6:.0f}"),
    ]
    lines = [f"{'chunks':34}" + "".join(f"{each.size:>10}" for each in measured)]
    lines += [f"{name:34}" + "".join(f"{figure(each):>10}" for each in measured) for name, figure in rows]
    return lines


def _same(left: int | None, right: int | None) -> bool:
    return (left is None) == (right is None)


def _alike(left: Mapping[str, float], right: Mapping[str, float]) -> bool:
    return list(left) == list(right)


def better(now: Mapping[str, float], before: Mapping[str, float]) -> bool:
    """Whether an answer (scores by id) is the one that it was in a smaller memory, in any order, but for notes that
    score higher than the least of that: they may have taken the place of as many."""
    come, gone = now.keys() - before.keys(), before.keys() - now.keys()
    if not before:
        return not come
    return len(gone) <= len(come) and all(now[each] >= min(before.values()) for each in come)


def _share(found: Iterable[bool]) -> float:
    return statistics.mean(found)


if __name__ == "__main__":
    main()
