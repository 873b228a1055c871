"""A flush: what was said in a transcript since the last one becomes facts in Markdown.

    watermark ─▶ transcript ─▶ extraction ─▶ daily log, MEMORY.md ─▶ events ─▶ receipt ─▶ watermark

Each step is durable before the next, and each can be done again: a crash anywhere costs nothing but the repeat.
The order matters: a fact is known by its line in the log or its event, so a repeat writes neither twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime

from memory_plugin.memory import events, journal, places, watermark
from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import Candidate, Fact, make
from memory_plugin.memory.files import append_line, lock, read_bytes
from memory_plugin.memory.frame import without_frames
from memory_plugin.memory.log import log
from memory_plugin.memory.namespaces import Namespace, namespace_of
from memory_plugin.memory.redaction import redact
from memory_plugin.memory.summary import split_facts
from memory_plugin.memory.transcript import Carried, Message, Reader, working_folder
from memory_plugin.memory.watermark import Watermark

RECEIPTS = "receipts.jsonl"
LOCK = os.path.join(places.EVENTS_FOLDER, "lock")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one flush did. start and end are byte offsets; facts are the ids of those written."""

    at: str
    transcript: str
    session: str
    namespace: str
    trigger: str
    start: int
    end: int
    lines: int
    malformed: int
    messages: int
    facts: tuple[str, ...]


def flush_transcript(
    transcript: str, *, trigger: str, project: str | None = None, home: str | None = None, state: str | None = None
) -> Receipt:
    """Flush a transcript from its watermark to its end and say what was done.

    The namespace is that of the folder the session started in, else of `project`. Raises OSError when the transcript
    cannot be read or the memory home cannot be written; then the watermark stays where it was.
    """
    transcript = os.path.abspath(transcript)
    home, state = home or places.memory_home(), state or places.state_folder()
    mark = watermark.read(state, transcript)
    reader = Reader(transcript, mark.offset, Carried(dict(mark.open_tools), list(mark.queued)))
    namespace = namespace_of(working_folder(transcript) or project or os.path.dirname(transcript))
    session = os.path.splitext(os.path.basename(transcript))[0]
    progress = _progress(mark)
    found: list[Fact] = []
    messages = 0
    for message in reader:
        messages += 1
        facts, progress = _facts(message, progress, namespace.name)
        found += facts
    identity = hashlib.sha256(f"{transcript}\0{mark.offset}\0{reader.position}".encode(errors="replace")).hexdigest()[
        :12
    ]
    written = _record(home, namespace, found, f"{trigger}, session {session[:8]}", transcript, identity)
    receipt = Receipt(
        at=datetime.now().astimezone().isoformat(timespec="seconds"),
        transcript=transcript,
        session=session,
        namespace=namespace.name,
        trigger=trigger,
        start=mark.offset,
        end=reader.position,
        lines=reader.lines,
        malformed=reader.malformed,
        messages=messages,
        facts=tuple(fact.id for fact in written),
    )
    if reader.position != mark.offset:
        append_line(os.path.join(state, RECEIPTS), json.dumps(asdict(receipt)).encode())
        carried = reader.carried
        watermark.write(
            state,
            Watermark(
                transcript,
                reader.position,
                progress=progress.to_json(),
                open_tools=carried.open_tools,
                queued=carried.queued,
            ),
        )
    return receipt


def remember(fact: Fact, namespace: Namespace, home: str) -> bool:
    """Write one fact that the user stated directly; False when it is in the memory already."""
    return bool(_record(home, namespace, [fact], "added", "", "added"))


def unflushed(folder: str, state: str) -> Iterator[tuple[str, int]]:
    """The transcripts of a client's project folder with bytes that were never flushed, newest first."""
    entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.is_file()]
    for entry in sorted(entries, key=lambda each: each.stat().st_mtime, reverse=True):
        if waiting := watermark.pending(state, os.path.abspath(entry.path)):
            yield entry.path, waiting


def receipts(state: str) -> list[Receipt]:
    """All receipts, oldest first."""
    found = []
    for line in read_bytes(os.path.join(state, RECEIPTS)).splitlines():
        try:
            receipt = Receipt(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found.append(receipt)
    return found


def local_time(timestamp: str) -> tuple[str, str]:
    """Day and time of day, local, of an ISO 8601 timestamp; now when there is none."""
    try:
        moment = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError:
        moment = datetime.now()
    moment = moment.astimezone()
    return moment.strftime("%Y-%m-%d"), moment.strftime("%H:%M")


def _progress(mark: Watermark) -> Progress:
    try:
        return Progress.from_json(mark.progress) if mark.progress else Progress()
    except (ValueError, TypeError, KeyError, AttributeError):
        return Progress()


def _facts(message: Message, progress: Progress, namespace: str) -> tuple[list[Fact], Progress]:
    text = redact(without_frames(message.text))
    stated: list[Candidate] = []
    if message.role == "summary":
        text, stated = split_facts(text)
    said = Message(message.role, text, message.uuid, message.session, message.time, message.end)
    candidates, progress = extract(said, progress)
    day, at = local_time(message.time)
    source = f"{message.session[:8]}#{message.uuid[:8]}"
    return [make(candidate, namespace, day, at, source) for candidate in [*stated, *candidates]], progress


def _record(
    home: str, namespace: Namespace, facts: Iterable[Fact], heading: str, transcript: str, identity: str
) -> list[Fact]:
    """Write facts under the home's lock, day by day, then their pointers, then their events."""
    by_day: dict[str, list[Fact]] = {}
    for fact in {fact.id: fact for fact in reversed(list(facts))}.values():  # said twice: the first stands
        by_day.setdefault(fact.day, []).insert(0, fact)
    if not by_day:
        return []
    folder = os.path.join(home, namespace.name)
    with lock(os.path.join(home, LOCK)):
        known = events.known_ids(home)
        written: list[Fact] = []
        unrecorded: list[Fact] = []
        for day, group in by_day.items():
            new = [fact for fact in group if fact.id not in known]
            # a crash between the log and the events leaves lines without an event: those are recorded now
            unrecorded += new
            written += journal.append_facts(folder, day, new, f"{group[0].at} {heading}")
        if unrecorded:
            try:
                journal.update_pointers(folder, namespace.identity, journal.point_to(unrecorded))
            except OSError as error:  # pointers are a convenience: the facts stand in the log
                log(f"{namespace.name}: MEMORY.md not updated: {error}")
            events.append(home, [events.captured(fact, namespace.name, transcript, identity) for fact in unrecorded])
    return written
