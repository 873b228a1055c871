"""Evidence recall on LoCoMo, and how often a prompt about something else gets anything. `python -m benchmarks.recall`

Each conversation is a namespace, each of its sessions a daily log with one line a turn. Every question of the
categories 1 to 4 is asked of its own namespace. What should get nothing is asked of it too: 300 prompts of small talk
and coding (data/off_topic.json, written without a look at the product), those that the calibration set asks of its
project, and the questions of the other conversations. `--keyword` leaves the embedder out, `--ollama` takes all-MiniLM
behind the tests' server that speaks Ollama's protocol, `--conversations N` takes the first N only.
`--calibrate FILE.png` draws what higher and lower bars would keep and let in (it wants `pip install matplotlib`).
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.calibration import DATA
from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import Embedder, Vectors
from memory_plugin.index.layers import LAYERS
from memory_plugin.index.ollama import OllamaEmbedder
from memory_plugin.index.recall import Recalled, recall
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.memory.settings import Embedding
from tests.support.data import data_folder
from tests.support.ollama_server import ollama_server

_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
OFF_TOPIC = DATA.with_name("off_topic.json")
_OTHERS = 60  # questions of other conversations asked of each
_PROMPT: dict[str, Any] = {"limit": 4, "token_budget": 500}  # what a prompt may get


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a conversation and the notes (`path#Lline`) that hold its evidence."""

    namespace: str
    text: str
    category: int
    evidence: frozenset[str]


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    folder = data_folder()
    if folder is None or not (folder / "locomo" / "locomo_dev.json").is_file():
        print("LoCoMo is not here: name its folder's parent in MEMORY_PLUGIN_DATA.")
        return
    conversations = json.loads((folder / "locomo" / "locomo_dev.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as closing:
        home = Path(scratch, "home").resolve()
        questions = [question for each in conversations[: arguments.conversations] for question in _write(home, each)]
        embedder = None if arguments.keyword else _Remembering(closing.enter_context(_embedder(arguments.ollama)))
        with Index.open(str(Path(scratch, "state"))) as index:
            started = time.perf_counter()
            report = sync(index, Roots(str(home)), embedder)
            print(f"{report.added} notes indexed in {time.perf_counter() - started:.0f} s, {len(questions)} questions,")
            print(f"{'keyword only' if embedder is None else embedder.identity.model} on {platform.machine()}\n")
            if arguments.calibrate:
                _draw(_curve(questions, _asker(index, embedder)), arguments.calibrate)
                return
            _print_recall(questions, _asker(index, embedder))
            print("\nprompts that should get nothing, and the share that gets a note")
            for name, got in _quiet(questions, _asker(index, embedder)).items():
                print(f"{name:24}{sum(got) / len(got):8.3f}{len(got):8}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--keyword", action="store_true", help="without an embedder")
    parser.add_argument("--ollama", action="store_true", help="with all-MiniLM behind the tests' Ollama server")
    parser.add_argument("--calibrate", metavar="FILE", help="draw the curve of the bars")
    parser.add_argument("--conversations", type=int, default=None, help="only so many of them")
    return parser.parse_args()


def _write(home: Path, conversation: dict[str, Any]) -> Iterator[Question]:
    """Write a conversation's logs; its questions."""
    namespace = conversation["sample_id"]
    folder = home / namespace
    folder.mkdir(parents=True)
    sources: dict[str, str] = {}
    days: dict[str, list[str]] = {}
    said = conversation["conversation"]
    for number in range(1, 100):
        if f"session_{number}" not in said:
            continue
        day = datetime.strptime(said[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").strftime("%Y-%m-%d")
        lines = days.setdefault(day, [f"# {day}", ""])
        for turn in said[f"session_{number}"]:
            lines.append(f"- {_line(turn)}")
            sources[turn["dia_id"]] = f"{folder / day}.md#L{len(lines)}"
    for day, lines in days.items():
        (folder / f"{day}.md").write_text("\n".join(lines) + "\n", "utf-8")
    for asked in conversation["qa"]:
        evidence = frozenset(sources[turn] for turn in asked.get("evidence", ()) if turn in sources)
        if asked["category"] in _CATEGORIES and evidence:
            yield Question(namespace, asked["question"], asked["category"], evidence)


def _line(turn: dict[str, Any]) -> str:
    picture = f" ({turn['blip_caption']})" if turn.get("blip_caption") else ""
    return " ".join(f"{turn['speaker']}: {turn['text']}{picture}".split())


@contextmanager
def _embedder(ollama: bool) -> Iterator[Embedder]:
    """The built-in model, or all-MiniLM behind the tests' server, which speaks Ollama's protocol."""
    if not ollama:
        yield BuiltinEmbedder()
        return
    with ollama_server() as server:
        yield OllamaEmbedder.connect(Embedding(provider="ollama", ollama_url=server.url), None)


class _Remembering:
    """Embeds a question once, however many ways it is asked."""

    def __init__(self, embedder: Embedder) -> None:
        self.identity = embedder.identity
        self.documents = embedder.documents
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        if text not in self._known:
            self._known[text] = self._embedder.query(text, timeout)
        return self._known[text]


Ask = Callable[..., Recalled]


def _asker(index: Index, embedder: Embedder | None) -> Ask:
    def ask(text: str, namespace: str, **options: Any) -> Recalled:
        now = datetime(2024, 1, 1)
        return recall(text, index=index, embedder=embedder, namespaces=(namespace, "global"), now=now, **options)

    return ask


def _print_recall(questions: Sequence[Question], ask: Ask) -> None:
    ways: dict[str, dict[str, Any]] = {
        "@5": {"limit": 5, "for_prompt": False},
        "@10": {"limit": 10, "for_prompt": False},
        "1500 tokens": {"limit": 40, "token_budget": 1500},
        "a prompt's": _PROMPT,
        "... no bar": _PROMPT | {"for_prompt": False},
    }
    rows: dict[str, list[list[float]]] = {name: [] for name in [*_CATEGORIES.values(), "all"]}
    for question in questions:
        found = [_share_found(question, ask, **way) for way in ways.values()]
        rows[_CATEGORIES[question.category]].append(found)
        rows["all"].append(found)
    print(f"{'evidence recall':16}" + "".join(f"{name:>13}" for name in ways) + f"{'questions':>13}")
    for name, figures in rows.items():
        means = [sum(column) / len(figures) for column in zip(*figures, strict=True)]
        print(f"{name:16}" + "".join(f"{mean:13.3f}" for mean in means) + f"{len(figures):13}")


def _share_found(question: Question, ask: Ask, **options: Any) -> float:
    notes = ask(question.text, question.namespace, **options).notes
    return len(question.evidence & {note.source for note in notes}) / len(question.evidence)


def _quiet(questions: Sequence[Question], ask: Ask, **options: Any) -> dict[str, list[bool]]:
    """Whether each prompt about something else gets a note, out of every conversation's memory."""
    off_topic = json.loads(OFF_TOPIC.read_text("utf-8"))
    project = [fact["prompt"] for fact in json.loads(DATA.read_text("utf-8"))["facts"]]
    choice = random.Random(1)
    kinds: dict[str, list[bool]] = {"small talk": [], "coding": [], "another project": [], "other questions": []}
    for namespace in sorted({question.namespace for question in questions}):
        others = [question.text for question in questions if question.namespace != namespace]
        asked = (
            off_topic["small_talk"],
            off_topic["coding"],
            project,
            choice.sample(others, min(_OTHERS, len(others))),
        )
        for kind, prompts in zip(kinds.values(), asked, strict=True):
            kind += [bool(ask(prompt, namespace, **_PROMPT, **options).notes) for prompt in prompts]
    return {name: got for name, got in kinds.items() if got}


_HEIGHTS = (0.4, 0.6, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0)  # times the bars as they are


def _curve(questions: Sequence[Question], ask: Ask) -> dict[str, list[float]]:
    """What bars of these heights keep of the evidence that is found without any, and how often they let in a note."""
    found = sum(_share_found(each, ask, **_PROMPT, for_prompt=False) for each in questions)
    curve: dict[str, list[float]] = {}
    for height in _HEIGHTS:
        layers = [replace(each, bars={key: bar.raised(height) for key, bar in each.bars.items()}) for each in LAYERS]
        kept = sum(_share_found(each, ask, **_PROMPT, layers=layers) for each in questions)
        shares = {"evidence kept": kept / found}
        shares |= {name: sum(got) / len(got) for name, got in _quiet(questions, ask, layers=layers).items()}
        print(f"{height:5} " + "".join(f"  {name} {share:.3f}" for name, share in shares.items()))
        for name, share in shares.items():
            curve.setdefault(name, []).append(share)
    return curve


def _draw(curve: dict[str, list[float]], file: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4), dpi=100, layout="constrained")
    axes = figure.subplots()
    for name, shares in curve.items():
        axes.plot(_HEIGHTS, shares, marker="o", markersize=3, label=name)
    axes.axvline(1.0, color="grey", linewidth=0.8)
    axes.set(xlabel="height of the bars, times what it is", ylabel="share", ylim=(0, 1))
    axes.legend(loc="center right")
    figure.savefig(file)


if __name__ == "__main__":
    main()
