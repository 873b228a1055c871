"""How good a flush is and what it costs: `python -m benchmarks.flush [FOLDER]`.

FOLDER holds transcripts (*.jsonl), some with a *.reference.json beside them: what another tool's model says was learnt.
A reference item is covered when one kept line holds at least 40 % of its content words (stemmed to five letters). The
share is the kept characters over the characters said, the mean over the transcripts. Times are CPU seconds of this
process; extraction is also given as a multiple of `json.loads` over the same lines in the same run. "Read and told" is
the history: everything read, tools included, and turned into the Markdown of its pages.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.retelling import Piece, of_call, of_message, told
from memory_plugin.memory.transcript import Call, Message, Reader, read_messages
from tests.support.data import data_folder

THRESHOLD = 0.4
_ROUNDS = 5
_STOP = frozenset(
    "the a an and or of to in on for with is are was were be been it its this that these those as by at from not no "
    "can could should would will must may has have had do does did so if when than then there their they you your we "
    "our i me my into over only also more most very need needs needed using use used via per each all any both before "
    "after rather which while during instead within without across".split()
)
_WORD = re.compile(r"[a-zA-Z0-9_À-ÿ]+")
_OTHERS = ("<command-", "<local-command", "<task-notification", "<system-reminder")

# Runs in a process of its own, so that its peak is the flush's: (transcript, home, state) -> CPU seconds and megabytes.
_FLUSH = """
import pathlib, resource, sys, time
from memory_plugin.memory.flush import flush_transcript
transcript, home, state = sys.argv[1:]
begin = time.process_time()
receipt = flush_transcript(transcript, trigger="benchmark", project="/nowhere", home=home, state=state)
seconds = time.process_time() - begin
pages = sum(path.stat().st_size for path in pathlib.Path(home).glob("*/history/*.md"))
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(receipt.facts), pages / 1e6)
"""


def content(text: str) -> set[str]:
    """The content words of a text, stemmed to five letters."""
    return {word[:5] for word in _WORD.findall(text.lower()) if word not in _STOP and len(word) > 2}


def items(reference: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """The items of a reference by kind, those with three content words at least."""
    summary = reference.get("summary") or {}
    learnt = summary.get("learnings") or {}
    pairs = [(kind, text) for kind in ("repo", "workflow") for text in learnt.get(kind) or []]
    pairs += [("code", finding.get("finding", "")) for finding in learnt.get("code") or []]
    pairs += [(kind, text) for kind in ("friction", "open_items") for text in summary.get(kind) or []]
    pairs += [(kind, summary.get(kind) or "") for kind in ("intent", "outcome")]
    return ((kind, stems) for kind, text in pairs if len(stems := content(text)) > 2)


def characters_said(transcript: Path) -> int:
    """What was said in a transcript, as the measure counts it: the main conversation's text blocks."""
    total = 0
    for line in transcript.open(encoding="utf-8", errors="replace"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("type") not in ("user", "assistant") or entry.get("isMeta") or entry.get("isSidechain"):
            continue
        blocks = (entry.get("message") or {}).get("content")
        text = (
            blocks
            if isinstance(blocks, str)
            else "\n".join(b.get("text", "") for b in blocks or [] if isinstance(b, dict) and b.get("type") == "text")
        )
        if text.strip() and not text.lstrip().startswith(_OTHERS):
            total += len(text)
    return total


def kept(messages: list[Message]) -> list[str]:
    """The lines that extraction keeps of a conversation."""
    progress, lines = Progress(), []
    for message in messages:
        facts, progress = extract(message, progress)
        lines += [fact.text for fact in facts]
    return lines


@dataclass
class Tally:
    """What was kept of some transcripts: the share of each, and by kind whether an item is covered."""

    shares: list[float] = field(default_factory=list)
    covered: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def coverage(self) -> float:
        """The part of all items that is covered."""
        hits = [hit for kind in self.covered.values() for hit in kind]
        return sum(hits) / max(1, len(hits))

    def share(self) -> float:
        """The mean of the shares."""
        return sum(self.shares) / max(1, len(self.shares))


def quality(transcripts: list[Path]) -> None:
    """Prints coverage by kind and the share kept, over the transcripts that have a reference; those that hold a
    compaction have a line of their own."""
    everything, compacted = Tally(), Tally()
    for transcript in transcripts:
        reference = json.loads(transcript.with_suffix(".reference.json").read_text(encoding="utf-8"))
        if not reference.get("summary"):
            continue
        messages = list(read_messages(str(transcript)))
        lines = kept(messages)
        tallies = [everything, compacted] if any(message.role == "summary" for message in messages) else [everything]
        stems = [content(line) for line in lines]
        hits = [
            (kind, max((len(item & line) / len(item) for line in stems), default=0.0) >= THRESHOLD)
            for kind, item in items(reference)
        ]
        for tally in tallies:
            tally.shares.append(sum(map(len, lines)) / max(1, characters_said(transcript)))
            for kind, hit in hits:
                tally.covered[kind].append(hit)
    count = sum(map(len, everything.covered.values()))
    print(f"{len(everything.shares)} transcripts with a reference, {count} items")
    print(f"  share of the text kept   {everything.share():.3f}  (largest {max(everything.shares, default=0):.3f})")
    print(f"  coverage                 {everything.coverage():.3f}")
    for kind, of_kind in sorted(everything.covered.items()):
        print(f"    {kind:<22} {sum(of_kind) / len(of_kind):.2f} of {len(of_kind)}")
    count = sum(map(len, compacted.covered.values()))
    print(f"  of these, {len(compacted.shares)} hold a compaction, {count} items")
    print(f"  share of the text kept   {compacted.share():.3f}")
    print(f"  coverage                 {compacted.coverage():.3f}")


def retold(item: Message | Call) -> Piece | None:
    """What the history keeps of one thing that was said or done."""
    if isinstance(item, Call):
        return of_call(item, ("2026-11-30", "12:00"))
    return of_message(item, told(item.text), ("2026-11-30", "12:00"))


def cost(transcripts: list[Path]) -> None:
    """Prints what reading and extraction cost over all transcripts, against parsing their lines: medians of _ROUNDS,
    the steps taking turns."""
    size = sum(transcript.stat().st_size for transcript in transcripts) / 1e6
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(_ROUNDS + 1):
        steps = _steps(transcripts)
        for name, step in steps.items():
            begin = time.process_time()
            step()
            if number:  # the first round compiles the patterns
                times[name].append(time.process_time() - begin)
        if number:
            times["read, extracted"].append(times["reader"][-1] + times["extraction"][-1])
    print(f"{len(transcripts)} transcripts, {size:.1f} MB, medians of {_ROUNDS} rounds")
    parsing = statistics.median(times["json.loads"])
    for name, each in times.items():
        seconds = statistics.median(each)
        rate = size / max(seconds, 1e-9)
        print(f"  {name:<16} {seconds:6.2f} s  {rate:7.1f} MB/s  {seconds / parsing:5.2f} x json.loads")


def _steps(transcripts: list[Path]) -> dict[str, Callable[[], object]]:
    """What is measured, by its name in the table, to be done in this order."""
    conversations: list[list[Message]] = []
    return {
        "json.loads": lambda: sum(map(_parsed, transcripts)),
        "reader": lambda: conversations.extend(list(read_messages(str(path))) for path in transcripts),
        "extraction": lambda: [kept(messages) for messages in conversations],
        "read and told": lambda: [retold(item) for path in transcripts for item in Reader(str(path)).everything()],
    }


def _parsed(transcript: Path) -> int:
    """How many lines of a transcript are JSON, all of them parsed."""
    whole = 0
    with transcript.open("rb") as lines:
        for line in lines:
            with contextlib.suppress(ValueError):
                json.loads(line)
                whole += 1
    return whole


def grown(transcripts: list[Path], target: Path, size: int) -> None:
    """Writes a transcript of about `size` bytes made of whole lines of real ones, the largest transcripts first."""
    with target.open("wb") as file:
        while file.tell() < size:
            for transcript in sorted(transcripts, key=lambda path: -path.stat().st_size):
                for line in transcript.open("rb"):
                    if line.endswith(b"\n") and file.tell() < size:
                        file.write(line)


def whole_flush(transcripts: list[Path]) -> None:
    """Prints CPU and peak memory of whole flushes, and of a second one after one per cent more transcript."""
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (4, 40):
            transcript = Path(folder, f"{megabytes}.jsonl")
            grown(transcripts, transcript, int(megabytes * 1e6))
            first = _flush(transcript, folder)
            more = transcript.read_bytes()[: int(megabytes * 1e4)]
            with transcript.open("ab") as file:
                file.write(more[: more.rfind(b"\n") + 1])
            second = _flush(transcript, folder)
            print(f"  {megabytes:>3} MB at once   {_told(first)}")
            print(f"      then 1 % more {_told(second)}  {second[0] / first[0]:.1%} of the CPU")


def _flush(transcript: Path, folder: str) -> list[float]:
    """CPU seconds, peak megabytes, facts and megabytes of history of a flush in a process of its own."""
    command = [
        sys.executable,
        "-c",
        _FLUSH,
        str(transcript),
        os.path.join(folder, "home"),
        os.path.join(folder, "state"),
    ]
    return [float(each) for each in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def _told(flush: list[float]) -> str:
    return f"{flush[0]:6.2f} s CPU  {flush[1]:6.1f} MB peak  {flush[2]:5.0f} facts  {flush[3]:5.2f} MB of history"


def main() -> int:
    """Exit code 0, or 2 when there is nothing to measure."""
    data = data_folder()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else data / "transcripts" if data else None
    transcripts = sorted(folder.rglob("*.jsonl")) if folder else []
    if not transcripts:
        print("no transcripts: name their folder, or set MEMORY_PLUGIN_DATA", file=sys.stderr)
        return 2
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {folder}")
    referenced = [path for path in transcripts if path.with_suffix(".reference.json").exists()]
    if referenced:
        quality(referenced)
    cost(transcripts)
    print("whole flush, in a process of its own")
    whole_flush(transcripts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
