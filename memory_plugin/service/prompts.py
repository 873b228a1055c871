"""What a prompt gets, and what is done once it has been answered."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_plugin.memory import accounts, clock, injected, settings, spool
from memory_plugin.memory.frame import frame, note_line
from memory_plugin.memory.namespaces import namespace_of, shared
from memory_plugin.memory.redaction import redact
from memory_plugin.memory.spool import Job
from memory_plugin.service import stretches
from memory_plugin.service.accounts import account
from memory_plugin.service.library import Library, NotReadyError

if TYPE_CHECKING:
    from memory_plugin.index.layers import Scored
    from memory_plugin.index.recall import Recalled

_CONVERSATIONS = 200  # of which the last prompt is kept
_LONGEST_PREVIOUS = 2000  # characters
_SHORT = 40  # characters; a prompt so short may lean on the one before it ("and the port?")
_RESULTS, _MOST_RESULTS = 10, 100
_STRETCHES = 5
_QUESTION_SECONDS = 30.0  # for the command line, which can wait for a model to load
_REFRESH_SECONDS = 3.0
_AFTER_THE_VECTOR = 0.3  # seconds kept for both searches and the rest
_MARGIN = 0.05
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, the one before it ("" for none), the project folder, the ids of the notes shown, the session."""

    prompt: str
    previous: str
    project: str
    shown: frozenset[str]
    session: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a prompt gets. context: framed, or "" with a reason; recalled: None when nothing was looked for.

    together: read with the prompt before it; kept: whether what is said may be kept.
    """

    namespace: str
    context: str = ""
    reason: str = ""
    shown: tuple[Scored, ...] = ()
    recalled: Recalled | None = None
    together: bool = False
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Event:
    """A prompt as the client hands it to the hook; project is the folder the client was started in."""

    session: str
    prompt: str
    project: str
    transcript: str


def parse_event(body: bytes, project: str) -> Event | None:
    """The hook's input, or None when there is no prompt in it."""
    try:
        found = json.loads(body.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("prompt"), str):
        return None
    # JSON can spell lone surrogates, which no file, index or model takes
    session, prompt, folder, transcript = (
        _text(found.get(name)) for name in ("session_id", "prompt", "cwd", "transcript_path")
    )
    folder = project or folder
    if not prompt.strip() or not folder:
        return None
    transcript = os.path.abspath(os.path.expanduser(transcript)) if transcript else ""
    return Event(session, prompt, os.path.abspath(folder), transcript)


def _text(value: object) -> str:
    return value.encode("utf-8", errors="replace").decode() if isinstance(value, str) else ""


class Prompts:
    """Prompts and questions put to a library. Methods may be called from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._previous: OrderedDict[str, str] = OrderedDict()
        self._paying = threading.Lock()
        self._told = deque[tuple[Asked, Answer, datetime]]()  # answered, and not written down yet
        self._writing = threading.Lock()

    def context(self, event: Event, deadline: float) -> str:
        """What the hook puts before the model, framed, or "". It counts as shown unless the deadline has passed.

        deadline: a `time.monotonic()` after which nobody waits for the answer any more.
        """
        previous = self._remember(event)
        asked = Asked(event.prompt, previous, event.project, injected.shown(event.session), event.session)
        try:
            answer = self._answer(asked, deadline)
        except Exception as error:
            reason = "the index was not open yet" if isinstance(error, NotReadyError) else "recall failed"
            kept = settings.load(event.project)[0].capture.enabled
            self._told.append((asked, Answer(namespace_of(event.project).name, reason=reason, kept=kept), clock.now()))
            raise
        late = time.monotonic() > deadline - _MARGIN
        if late:
            answer = replace(answer, context="", reason="the answer came too late", shown=())
        self._told.append((asked, answer, clock.now()))
        if late:
            self._write_down()  # nobody waits, and `afterwards` may have been
        if not answer.context:
            return ""
        injected.record(event.session, [note.id for note in answer.shown], "UserPromptSubmit", answer.namespace)
        return answer.context

    def explain(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """What a prompt would get, and why: {prompt, project, previous?, session?} in.

        Out: context (exact, or ""), reason (when there is none), notes and considered (each with its reason),
        degraded (by keyword only), account (what would be kept of it, see memory.accounts).
        """
        self._catch_up()
        session = _text(payload.get("session"))
        shown = injected.shown(session) if session else frozenset[str]()
        prompt, previous = _text(payload.get("prompt")), _text(payload.get("previous"))
        asked = Asked(prompt, previous, _folder(payload), shown, session)
        answer = self._answer(asked, time.monotonic() + _QUESTION_SECONDS)
        return {
            "context": answer.context,
            "reason": answer.reason,
            "notes": [_plain(note) for note in answer.shown],
            "considered": [_plain(note) for note in answer.recalled.considered] if answer.recalled else [],
            "degraded": answer.recalled.degraded if answer.recalled else False,
            "namespace": answer.namespace,
            "account": asdict(account(asked, answer, clock.now(), self._library.state)),
        }

    def search(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The notes nearest to a query: {query, limit?, project} in, {notes, degraded} out.

        Without a project every namespace is searched.
        """
        self._catch_up()
        project, limit = payload.get("project"), payload.get("limit")
        namespaces = (self._visit(_folder(payload)), *self._shared()) if project else ()
        recalled = self._recall(
            _text(payload.get("query")),
            time.monotonic() + _QUESTION_SECONDS,
            namespaces=namespaces,
            limit=limit if isinstance(limit, int) and 0 < limit <= _MOST_RESULTS else _RESULTS,
            for_prompt=False,
        )
        return {"notes": [_plain(note) for note in recalled.notes], "degraded": recalled.degraded}

    def named(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The notes of a project whose ids begin so: {id, project} in, {notes} out, all that the index has of each."""
        from memory_plugin.index.conditions import one_of, quoted

        self._catch_up()
        names = one_of("namespace", (self._visit(_folder(payload)), *self._shared()))
        begins = f"starts_with(id, {quoted(_text(payload.get('id')))})"
        rows = self._library.index(_QUESTION_SECONDS).by_filter(f"{begins} AND {names}", _MOST_RESULTS)
        return {"notes": [{**asdict(row.chunk), "text": redact(row.chunk.text)} for row in rows]}

    def history(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """What was said about something: {query, limit?, project} in, {stretches, degraded} out.

        Days that the query names narrow it; with nothing else in it, all that was said on them is the answer. Without a
        project every namespace is searched.
        """
        from memory_plugin.index.layers import TALK
        from memory_plugin.index.occasions import days_named

        self._catch_up()
        query, project, limit = _text(payload.get("query")), payload.get("project"), payload.get("limit")
        limit = limit if isinstance(limit, int) and 0 < limit <= _MOST_RESULTS else _STRETCHES
        namespaces = (self._visit(_folder(payload)),) if project else ()
        days, subject = days_named(query, clock.today())
        if days and not subject:
            return {"stretches": stretches.of_days(self._library.installation.home, namespaces, days, limit)}
        recalled = self._recall(
            subject,
            time.monotonic() + _QUESTION_SECONDS,
            namespaces=namespaces,
            limit=3 * limit,  # several may be of one exchange
            for_prompt=False,
            layers=(TALK,),
            days=days,
        )
        found = stretches.around(((note.source, note.score) for note in recalled.notes), limit)
        return {"stretches": found, "degraded": recalled.degraded}

    def afterwards(self, event: Event) -> None:
        """Once the prompt is answered: write down what was done with it, read a summary that waits, look whether the
        project's Markdown changed."""
        try:
            self._write_down()
            state = self._library.state
            if event.transcript and spool.owed(state, event.transcript) and self._paying.acquire(blocking=False):
                try:
                    spool.pay(state, Job(event.transcript, "summary", event.project))
                finally:
                    self._paying.release()
            self._visit(event.project)
            self._library.embedding.request_if_cold()
        except Exception:
            _log.exception("after a prompt")

    def _write_down(self) -> None:
        with self._writing:
            while self._told:
                asked, answer, at = self._told.popleft()
                told = account(asked, answer, at, self._library.state)
                try:
                    accounts.append(self._library.state, told if answer.kept else accounts.wordless(told))
                except OSError as error:
                    _log.warning("what was done with a prompt could not be written down: %s", error)

    def _answer(self, asked: Asked, deadline: float) -> Answer:
        chosen, _ = settings.load(asked.project)
        namespace, kept = namespace_of(asked.project).name, chosen.capture.enabled
        if not chosen.recall.enabled:
            return Answer(namespace, reason="the setting recall.enabled is false", kept=kept)
        namespaces = (namespace, *self._shared())

        def recall(query: str) -> Recalled:
            return self._recall(
                query,
                deadline,
                namespaces=namespaces,
                limit=chosen.recall.max_notes,
                token_budget=chosen.recall.max_tokens - self._library.frame_tokens(),
                exclude_ids=asked.shown,
                session=asked.session,
            )

        recalled = recall(asked.prompt)
        notes, together = recalled.notes, None
        if not notes and not recalled.gate and asked.previous and len(asked.prompt) <= _SHORT:
            together = recall(f"{asked.previous}\n{asked.prompt}")
            notes = tuple(note for note in together.notes if _mentions(note, asked.prompt))
            recalled = together if notes else recalled
        lines = {note_line(note.note): note for note in notes}
        context = frame(lines)
        reason = "" if context else recalled.gate or _nothing(recalled)
        shown = tuple(note for line, note in lines.items() if line in context)
        return Answer(namespace, context, reason, shown, recalled, recalled is together, kept)

    def _recall(self, query: str, deadline: float, **options: Any) -> Recalled:
        from memory_plugin.index.recall import recall

        while True:
            index = self._library.index(deadline - time.monotonic() - _MARGIN)
            found = recall(
                query,
                index=index,
                embedder=self._library.embedding.for_question(),
                now=clock.now(),
                deadline=deadline - _AFTER_THE_VECTOR,
                **options,
            )
            # A new index, or one that turned out to be damaged, is empty; with luck it is filled in time.
            if found.notes or not index.stale or not self._library.refresh(deadline - time.monotonic() - 2 * _MARGIN):
                return found

    def _shared(self) -> list[str]:
        return shared(self._library.installation.home)

    def _catch_up(self) -> None:
        """A person can wait a moment for what was just edited, and for a model that loads."""
        self._library.settle(_REFRESH_SECONDS)

    def _visit(self, project: str) -> str:
        """Note that somebody works in this project; its namespace."""
        namespace = namespace_of(project).name
        if self._library.projects.visit(project, namespace):
            self._library.request_sync()
        return namespace

    def _remember(self, event: Event) -> str:
        """The prompt before this one in the same conversation, or ""."""
        previous = self._previous.pop(event.session, "")
        self._previous[event.session] = event.prompt[-_LONGEST_PREVIOUS:]
        while len(self._previous) > _CONVERSATIONS:
            self._previous.popitem(last=False)
        return previous


def _nothing(recalled: Recalled) -> str:
    """Why a search has nothing to show."""
    known = (each for each in recalled.considered if each.reason == "shown before")
    if any(each.score >= each.figures.clear for each in known):
        return "what may answer it stands in the conversation already"
    return "nothing in memory is relevant enough"


def _mentions(note: Scored, prompt: str) -> bool:
    """Whether a note has a word of the prompt itself, not only of the one before it; what was said, for a question."""
    from memory_plugin.index.chunks import TALK
    from memory_plugin.index.gate import asks_anything
    from memory_plugin.index.terms import index_terms, query_terms

    if note.kind in TALK and not asks_anything(prompt):
        return False
    held = set(index_terms(f"{note.context} {note.text}").split())
    return any(form in held for term in query_terms(prompt) for form in term.forms)


def _plain(note: Scored) -> dict[str, Any]:
    """A note as the command line gets it, which may hand it on to a model: secrets masked."""
    return {**asdict(note), "text": redact(note.text)}


def _folder(payload: Mapping[str, Any]) -> str:
    return os.path.abspath(str(payload.get("project") or os.sep))
