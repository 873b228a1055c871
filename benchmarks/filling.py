"""Notes and conversations to fill a memory with: real texts, each as it is, then joined to others by the thousand.

The real texts are LoCoMo's turns and the Markdown of the data folder, else the project's own documents and the texts of
its other benchmarks. A text that is joined of two has the vectors of both, mixed and with noise, so that a hundred
thousand take minutes instead of hours.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memory_plugin.index.chunks import Chunk, Kind
from memory_plugin.index.embedding import Embedder, Identity, Vectors
from tests.support.data import REPOSITORY, data_folder

OWN = "project"  # the namespace that is asked
_OTHERS = 10  # namespaces beside it
_KINDS: tuple[tuple[Kind, str], ...] = (("fact", "lesson"), ("fact", "decision"), ("text", ""), ("exchange", ""))
_PIECE = (40, 600)  # characters
_SHARE_OF_SECOND = 0.5  # of a joined text's vector
_NOISE = 0.3  # its length beside that of a text's own vector
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NUMBER = re.compile(r"\d+")


def real_texts(most: int, leave_out: frozenset[str] = frozenset()) -> list[str]:
    """Up to `most` distinct real texts, always the same ones in the same order."""
    folder = data_folder()
    found = [*_said(folder), *_written(folder)] if folder else []
    if not found:
        found = list(_own_texts())
    fit = [text for text in dict.fromkeys(found) if _PIECE[0] <= len(text) <= _PIECE[1] and text not in leave_out]
    random.Random(1).shuffle(fit)
    return fit[:most]


def _said(folder: Path) -> Iterator[str]:
    """What was said in LoCoMo's conversations."""
    file = folder / "locomo" / "locomo_dev.json"
    for each in json.loads(file.read_text("utf-8")) if file.is_file() else ():
        for name, turns in each["conversation"].items():
            if re.fullmatch(r"session_\d+", name):
                yield from (" ".join(f"{turn['speaker']}: {turn['text']}".split()) for turn in turns)


def _written(folder: Path) -> Iterator[str]:
    for file in sorted((folder / "markdown").rglob("*.md")):
        yield from _paragraphs(file)


def _paragraphs(file: Path) -> Iterator[str]:
    """A Markdown file's paragraphs and list items, each on one line."""
    for block in re.split(r"\n\s*\n|\n(?=\s*[-*+|] )", file.read_text("utf-8", "replace")):
        yield " ".join(block.split())


def _own_texts() -> Iterator[str]:
    for file in (*sorted(REPOSITORY.glob("*.md")), *sorted((REPOSITORY / "docs").glob("*.md"))):
        yield from (sentence for text in _paragraphs(file) for sentence in _SENTENCE.split(text))
    for file in sorted((REPOSITORY / "benchmarks" / "data").glob("*.json")):
        yield from _strings(json.loads(file.read_text("utf-8")))


def _strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


@dataclass(frozen=True, slots=True)
class Filling:
    """Real texts and their vectors, shape (n, dimension), from which any number of chunks is made."""

    texts: Sequence[str]
    vectors: Vectors

    def chunk(self, number: int) -> Chunk:
        """The chunk of this number: half are of the project that is asked, a quarter of each were said."""
        kind, category = _KINDS[number % 4]
        other = number // 4 % (2 * _OTHERS)
        namespace = OWN if other < _OTHERS else f"project-{other - _OTHERS}"
        day = f"{2026 - number % 2}-{number // 31 % 12 + 1:02}-{number % 28 + 1:02}"
        path = f"/memory/{namespace}/{'history/' if kind == 'exchange' else ''}{day}-{number // 100}.md"
        line = number % 100 + 1
        return Chunk(
            id=f"filling{number:06}",
            text=self.text(number),
            context="",
            path=path,
            line=line,
            end_line=line,
            namespace=namespace,
            category=category,
            kind=kind,
            date=day,
            importance=0.7,
            confidence=0.7,
            resident=False,
        )

    def text(self, number: int) -> str:
        """A real text, or one with a sentence of another, its numbers changed."""
        first, second = self._parts(number)
        if second is None:
            return self.texts[first]
        choose = random.Random(number)
        joined = f"{self.texts[first]} {_SENTENCE.split(self.texts[second])[0]} (#{number})"
        return _NUMBER.sub(lambda found: str(choose.randrange(10 ** len(found[0]))), joined)

    def vector(self, number: int) -> Vectors:
        """The real text's vector, or the mixture of the two with noise, normalised; as an embedder gives it."""
        first, second = self._parts(number)
        if second is None:
            row: Vectors = self.vectors[first]
            return row
        noise = np.random.default_rng(number).standard_normal(self.vectors.shape[1])
        noise *= _NOISE / np.linalg.norm(noise)
        mixed = self.vectors[first] + _SHARE_OF_SECOND * self.vectors[second] + noise
        result: Vectors = (mixed / np.linalg.norm(mixed)).astype(np.float32)
        return result

    def _parts(self, number: int) -> tuple[int, int | None]:
        """Which real text, and which other one is joined to it."""
        again, first = divmod(number, len(self.texts))
        return first, (first + 137 * again) % len(self.texts) if again else None


class Prepared:
    """An embedder that knows the vectors of some texts, and asks another one for the rest, if there is one."""

    def __init__(self, identity: Identity, known: dict[str, Vectors], behind: Embedder | None = None) -> None:
        self.identity = identity
        self.known = known
        self._behind = behind

    def documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of the texts, shape (n, dimension)."""
        unknown = list(dict.fromkeys(text for text in texts if text not in self.known))
        if unknown:
            found = self._asked().documents(unknown)
            self.known |= dict(zip(unknown, found, strict=True))
        return np.stack([self.known[text] for text in texts])

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        """The vector of a question, shape (dimension,)."""
        name = f"query: {text}"
        if name not in self.known:
            self.known[name] = self._asked().query(text, timeout)
        return self.known[name]

    def _asked(self) -> Embedder:
        if self._behind is None:
            raise LookupError("a text whose vector was not prepared")
        return self._behind
