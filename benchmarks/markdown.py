"""Is the right file found among Markdown that people keep? `python -m benchmarks.markdown`

The files of six public repositories (notes of assistants, daily logs, an Obsidian vault; English, French, Chinese) lie
in one memory home, each repository a namespace, a hidden folder without its dot. A hundred and fifty questions, written
from the files alone, are searched for in all namespaces, then put as prompts in the namespace of their file. It embeds
for about ten minutes; `--keyword` leaves the embedder out, `--misses` prints what is not found.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import Embedder
from memory_plugin.index.recall import recall
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import Index
from memory_plugin.memory.places import GLOBAL_NAMESPACE
from tests.support.data import data_folder

DATA = Path(__file__).with_name("data") / "markdown_questions.json"
DEPTHS = (1, 5, 10)  # notes of a search that are looked at
_NOW = datetime(2026, 6, 1)  # shortly after the latest of the files


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the file that answers it as a path below the folder of the files."""

    file: str
    text: str

    @property
    def namespace(self) -> str:
        return self.file.split("/")[0]


@dataclass(frozen=True, slots=True)
class Found:
    """Where a question's file stands among the files of a search's ten notes, 1 for the first note (0: not there);
    whether the prompt gets a note of it; the file of the first note, or ""."""

    question: Question
    place: int
    prompted: bool
    first: str


def markdown_folder() -> Path | None:
    """The folder with the files; None if absent."""
    folder = data_folder()
    return folder / "markdown" if folder and (folder / "markdown").is_dir() else None


def questions() -> list[Question]:
    """All of them."""
    return [Question(each["file"], each["question"]) for each in json.loads(DATA.read_text("utf-8"))]


def lay_out(folder: Path, home: Path) -> None:
    """Copy the Markdown below a folder into a memory home, under the names that `placed` gives."""
    for path in folder.rglob("*.md"):
        target = home / placed(path.relative_to(folder).as_posix())
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def placed(file: str) -> str:
    """Where a file stands below the home: nobody keeps notes there in a hidden folder, which is not looked into."""
    return "/".join(part.removeprefix(".") for part in file.split("/"))


def ask(question: Question, index: Index, embedder: Embedder | None, home: Path) -> Found:
    """Search for one question in all namespaces, then put it as a prompt in its file's."""
    wanted = str(home / placed(question.file))
    searched = recall(
        *(question.text,), index=index, embedder=embedder, namespaces=(), now=_NOW, limit=max(DEPTHS), for_prompt=False
    )
    own = (question.namespace, GLOBAL_NAMESPACE)
    prompted = recall(
        *(question.text,), index=index, embedder=embedder, namespaces=own, now=_NOW, limit=4, token_budget=500
    )
    files = [_file_of(note.source) for note in searched.notes]
    return Found(
        question,
        files.index(wanted) + 1 if wanted in files else 0,
        wanted in {_file_of(note.source) for note in prompted.notes},
        str(Path(files[0]).relative_to(home)) if files else "",
    )


def share_within(found: Sequence[Found], depth: int) -> float:
    """The share of the questions whose file is that of one of the first so many notes."""
    return sum(0 < each.place <= depth for each in found) / len(found)


def share_prompted(found: Sequence[Found]) -> float:
    """The share of the questions that get a note of their file as prompts."""
    return sum(each.prompted for each in found) / len(found)


def _file_of(source: str) -> str:
    return source.rpartition("#L")[0]


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    folder = markdown_folder()
    if folder is None:
        print("The Markdown is not here: name its folder's parent in MEMORY_PLUGIN_DATA.")
        return
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch, "home").resolve()
        lay_out(folder, home)
        embedder = None if arguments.keyword else BuiltinEmbedder()
        with Index.open(str(Path(scratch, "state"))) as index:
            started = time.process_time()
            report = sync(index, Roots(str(home)), embedder)
            seconds = time.process_time() - started
            print(f"{report.added} notes indexed in {seconds:.0f} s of CPU time on {platform.machine()}\n")
            print(f"{'file recall':24}" + "".join(f"{f'@{depth}':>8}" for depth in DEPTHS) + f"{'prompt':>8}")
            for name, each in (("built-in and keywords", embedder), ("keywords alone", None)):
                if each is not None or name == "keywords alone":
                    found = [ask(question, index, each, home) for question in questions()]
                    shares = [*(share_within(found, depth) for depth in DEPTHS), share_prompted(found)]
                    print(f"{name:24}" + "".join(f"{share:8.3f}" for share in shares))
                    if arguments.misses:
                        _print_misses(found)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--keyword", action="store_true", help="without an embedder")
    parser.add_argument("--misses", action="store_true", help="print the questions whose file is not in the first five")
    return parser.parse_args()


def _print_misses(found: Sequence[Found]) -> None:
    for each in found:
        if not 0 < each.place <= 5:
            print(f"  {each.place:2} {each.question.file}: {each.question.text}\n     first: {each.first}")


if __name__ == "__main__":
    main()
