"""A flush: what was said in a transcript since the last one becomes facts and history in Markdown.

    watermark ─▶ transcript ─▶ extraction ─▶ daily log, MEMORY.md ─▶ events ─▶ history ─▶ receipt ─▶ watermark

Each step is durable before the next, and each can be done again: a crash anywhere costs nothing but the repeat.
The order matters: a fact is known by its line in the log or its event, and a page of the history says how far it goes,
so a repeat writes nothing twice.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone

from memory_plugin.memory import clock, events, history, journal, places, pointers, retelling, settings, watermark
from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.extraction.quality import worth_keeping
from memory_plugin.memory.fact import Candidate, Fact, clean, fact_id, make, session_of, source_of
from memory_plugin.memory.files import append, read_bytes, sweep
from memory_plugin.memory.log import log
from memory_plugin.memory.namespaces import Namespace, everywhere, namespace_of
from memory_plugin.memory.retelling import Piece
from memory_plugin.memory.scope import holds_everywhere
from memory_plugin.memory.summary import split_facts
from memory_plugin.memory.transcript import Call, Carried, Message, Reader, working_folder
from memory_plugin.memory.watermark import Watermark

_CLOCK_SKEW = timedelta(days=1)
STRETCH = 4 << 20  # bytes of transcript
RECEIPTS = "receipts.jsonl"
_PASSING = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM))


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one flush did. start and end are byte offsets; facts are the ids of those that are new to the memory."""

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


@dataclass(slots=True)
class _Heard:
    """What was taken from a stretch so far. end: where the last message's line ends."""

    progress: Progress
    facts: dict[Namespace, list[Fact]] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    messages: int = 0
    end: int = -1
    moments: dict[str, tuple[str, str]] = field(default_factory=dict)

    def moment(self, timestamp: str) -> tuple[str, str]:
        """Day and time, local; what was said in one minute is looked up once."""
        minute = timestamp[:16] if timestamp.endswith("Z") else timestamp
        if minute not in self.moments:
            self.moments[minute] = local_time(timestamp)
        return self.moments[minute]


def flush_transcript(
    transcript: str, *, trigger: str, project: str | None = None, home: str | None = None, state: str | None = None
) -> Receipt:
    """Flush a transcript from its watermark to its end and say what was done.

    The namespace is that of the folder the session started in, else of `project`. Raises OSError when the transcript
    cannot be read (or is no file) or the memory home cannot be written; then the watermark stays where it was.
    """
    transcript = os.path.abspath(transcript)
    if os.path.exists(transcript) and not os.path.isfile(transcript):  # a pipe would never end
        raise OSError(errno.EINVAL, "not a file", transcript)
    home, state = home or places.memory_home(), state or places.state_folder()
    namespace = namespace_of(working_folder(transcript) or project or os.path.dirname(transcript))
    total = receipt = _flush_stretch(transcript, trigger, namespace, home, state)
    while receipt.end - receipt.start >= STRETCH:
        receipt = _flush_stretch(transcript, trigger, namespace, home, state)
        total = replace(
            total,
            end=receipt.end,
            lines=total.lines + receipt.lines,
            malformed=total.malformed + receipt.malformed,
            messages=total.messages + receipt.messages,
            facts=total.facts + receipt.facts,
        )
    return total


def _flush_stretch(transcript: str, trigger: str, namespace: Namespace, home: str, state: str) -> Receipt:
    """Flush what comes next, to the line that ends beyond STRETCH bytes: a flush that is stopped keeps what it did."""
    mark = watermark.read(state, transcript)
    carried = Carried(dict(mark.open_tools), list(mark.queued), list(mark.delivered), dict(mark.calls))
    reader = Reader(transcript, mark.offset, carried, stop=mark.offset + STRETCH)
    session = clean(os.path.splitext(os.path.basename(transcript))[0])
    keeps_history = settings.load(namespace.root)[0].history.enabled
    heard = _Heard(_progress(mark))
    for item in reader.everything() if keeps_history else reader:
        _hear(heard, item, namespace)
    identity = hashlib.sha256(f"{transcript}\0{mark.offset}\0{reader.position}".encode(errors="replace")).hexdigest()[
        :12
    ]
    heading = f"{trigger}, session {session[:8]}"
    written = [
        fact
        for place, facts in heard.facts.items()
        for fact in record(home, place, facts, heading, transcript, identity)
    ]
    if keeps_history:
        _keep(home, namespace, session, heard.pieces, trigger)
    receipt = Receipt(
        at=clock.now().isoformat(timespec="seconds"),
        transcript=transcript,
        session=session,
        namespace=namespace.name,
        trigger=trigger,
        start=mark.offset,
        end=reader.position,
        lines=reader.lines,
        malformed=reader.malformed,
        messages=heard.messages,
        facts=tuple(fact.id for fact in written),
    )
    if reader.position != mark.offset:
        append(os.path.join(state, RECEIPTS), json.dumps(asdict(receipt)).encode())
        watermark.write(
            state,
            Watermark(
                transcript,
                reader.position,
                progress=heard.progress.to_json(),
                open_tools=carried.open_tools,
                queued=carried.queued,
                delivered=carried.delivered,
                calls=carried.calls,
            ),
        )
    return receipt


def remember(fact: Fact, namespace: Namespace, home: str) -> bool:
    """Write one fact that the user stated directly; False when it stands in the memory already.

    One that was captured once and since deleted, struck through or corrected is written again: the user says so.
    """
    same = journal.standing(os.path.join(home, namespace.name)).get(fact.id)
    if same and fact_id(namespace.name, same.text) == fact.id:
        if fact.id not in events.known_sessions(home):  # who wrote its line was killed before its event
            record(home, namespace, [same], "added", "", "added")
        return False
    if same:  # its line says something else by now, and keeps the id
        fact = replace(fact, id=fact_id(namespace.name, f"{fact.text} {fact.day} {fact.at}"))
    return bool(record(home, namespace, [fact], "added", "", "added", again=True))


def tidy_pointers(home: str) -> None:
    """Make the pointers of every namespace's MEMORY.md anew from the facts that stand; one that cannot be written is
    passed by, and logged. Raises OSError when the home cannot be read or locked.
    """
    with journal.locked(home):
        for namespace in pointers.namespaces_of(home):
            try:
                pointers.rebuild(os.path.join(home, namespace), namespace, clock.today())
            except OSError as error:
                log(f"{namespace}: {places.MEMORY_FILE} not updated: {error}")


def receipts(state: str) -> list[Receipt]:
    """All receipts, oldest first."""
    found = []
    for line in read_bytes(os.path.join(state, RECEIPTS)).splitlines():
        try:
            receipt = Receipt(**json.loads(line))
            found.append(replace(receipt, facts=tuple(receipt.facts)))
        except (ValueError, TypeError, RecursionError):  # a torn line
            continue
    return found


def local_time(timestamp: str) -> tuple[str, str]:
    """Day and time of day, local, of an ISO 8601 timestamp, UTC unless it says otherwise.

    Now when it is none, or lies in the future, where a fact would never grow old.
    """
    now = clock.now()
    try:
        moment = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
        local = (moment if moment < now + _CLOCK_SKEW else now).astimezone()
    except (ValueError, OverflowError, OSError):  # a year that no clock of the system shows
        local = now.astimezone()
    return f"{local:%Y-%m-%d}".zfill(10), f"{local:%H:%M}"


def _progress(mark: Watermark) -> Progress:
    try:
        return Progress.from_json(mark.progress) if mark.progress else Progress()
    except (ValueError, TypeError, KeyError, AttributeError):
        return Progress()


def _hear(heard: _Heard, item: Message | Call, namespace: Namespace) -> None:
    """Take the facts and the history from one thing that was said or done."""
    moment = heard.moment(item.time)
    if isinstance(item, Call):
        heard.pieces.append(retelling.of_call(item, moment, namespace.root))
        return
    # a summary's facts stand at its end; of anything else extraction looks at the beginning
    most = retelling.LONGEST_TEXT
    text = retelling.told(item.text[-most:] if item.role == "summary" else item.text[:most])
    stated: list[Candidate] = []
    if item.role == "summary":
        text, stated = split_facts(text)
    facts = list[Fact]()
    if item.text.strip():  # else an image
        heard.messages += 1
        said = replace(item, text=text)
        candidates, heard.progress = extract(said, heard.progress)
        for candidate in [*(each for each in stated if worth_keeping(each.text)), *candidates]:
            place = everywhere() if holds_everywhere(candidate) else namespace
            fact = make(candidate, place.name, *moment, source_of(item.session, item.uuid))
            heard.facts.setdefault(place, []).append(fact)
            facts.append(fact)
    # a question of the client's and its answer stand on one line, and stay together
    opens = item.role == "user" and item.end != heard.end
    heard.end = item.end
    if piece := retelling.of_message(item, text, moment, facts, opens=opens):
        heard.pieces.append(piece)


def _keep(home: str, namespace: Namespace, session: str, pieces: list[Piece], trigger: str) -> None:
    """Add to the history. Pages that can't be written are passed by, for they must not hold up the facts; while the
    disk is full the flush waits as a whole."""
    try:
        history.write(home, namespace, session, pieces, trigger)
    except OSError as error:
        if error.errno in _PASSING:
            raise
        log(f"{namespace.name}: the history of {session} is not kept: {error}")


def record(
    home: str,
    namespace: Namespace,
    facts: Iterable[Fact],
    heading: str,
    transcript: str,
    identity: str,
    *,
    again: bool = False,
) -> list[Fact]:
    """Write facts under the home's lock, day by day, then their pointers, then their events.

    Returns those that are new to the memory; `again` writes those too that were captured before.
    """
    by_day: dict[str, list[Fact]] = {}
    for fact in {fact.id: fact for fact in reversed(list(facts))}.values():  # said twice: the first stands
        by_day.setdefault(fact.day, []).insert(0, fact)
    if not by_day:
        return []
    folder = os.path.join(home, namespace.name)
    with journal.locked(home):
        sweep(folder)
        if any(_is_cut(journal.day_file(folder, day)) for day in by_day):
            from memory_plugin.memory import tears  # rare, and much to import for a hook

            tears.put_back(home, f"{clock.now():%H:%M}")  # before what is appended hides the tear
        known = {} if again else events.known_sessions(home)
        new, repeated = list[Fact](), list[Fact]()
        for day, group in by_day.items():
            unknown = [fact for fact in group if fact.id not in known]
            written = journal.append_facts(folder, day, unknown, f"{group[0].at} {heading}", again=again)
            # a crash between the log and the events leaves lines without an event: those are recorded now
            new += written if again else unknown
            repeated += [fact for fact in group if fact.id in known and session_of(fact) not in known[fact.id]]
        if new:
            _point_to(folder, namespace, new)
        events.append(home, [
            *(events.captured(fact, namespace.name, transcript, identity) for fact in new),
            *(_heard(fact, namespace.name, transcript) for fact in repeated),
        ])  # fmt: skip
    return new


def _is_cut(path: str) -> bool:
    """Whether a file ends without a line's break, as none of ours does."""
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) != b"\n"
    return False


def _heard(fact: Fact, namespace: str, transcript: str) -> events.Event:
    """A fact said again in the same words: whoever reconciles makes it surer, once a session."""
    return events.event("heard", namespace, fact.id, session=session_of(fact), seen=fact.day, transcript=transcript)


def _point_to(folder: str, namespace: Namespace, facts: list[Fact]) -> None:
    """Bring MEMORY.md up to date. One that can't be written is passed by, for the facts stand in the log; while the
    disk is full the flush waits as a whole, since a pointer is written only with its fact."""
    try:
        pointers.update(folder, namespace.identity, facts, clock.today())
    except OSError as error:
        if error.errno in _PASSING:
            raise
        log(f"{namespace.name}: {places.MEMORY_FILE} not updated: {error}")
