"""A stretch of a transcript as a model gets it: exchanges of a few thousand characters, a few to a request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from memory_plugin.memory.extraction.words import content_words, unspaced
from memory_plugin.memory.frame import without_frames
from memory_plugin.memory.redaction import redact
from memory_plugin.memory.transcript import Message, Reader

LARGEST_REQUEST = 6_000  # characters of conversation
_MOST_OF_USER = 3_000
_MOST_EXCHANGES = 3
_LOOKED_AT = 20_000  # characters of one message; a pasted log is not masked to its end only to be dropped
_LEAST_WORDS = 4  # content words; "ok, go on" and its answer hold no fact
_CUT = " […] "


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of the user's and the answers up to the next one, redacted and cut to LARGEST_REQUEST characters.

    end is the byte offset after its last line, where the next exchange begins.
    """

    messages: tuple[Message, ...]
    end: int

    @property
    def length(self) -> int:
        return sum(len(message.text) for message in self.messages)


def exchanges(transcript: str, start: int, stop: int, since: datetime) -> Iterator[Exchange]:
    """What the user and the assistant said between two offsets, as exchanges that may hold a fact.

    What was said before `since`, or nobody knows when, is passed by. Raises OSError when the transcript is gone.
    """
    for group in _grouped(Reader(transcript, start, stop=stop)):
        told = [replace(message, text=_told(message.text)) for message in group if _is_since(message.time, since)]
        kept = _fitted([message for message in told if message.text and message.role != "summary"])
        text = " ".join(message.text for message in kept)
        if len(content_words(text)) >= _LEAST_WORDS or unspaced(text) > 2 * _LEAST_WORDS:
            yield Exchange(tuple(kept), group[-1].end)


def batches(found: Iterable[Exchange]) -> Iterator[list[Exchange]]:
    """Neighbouring exchanges, as many as go into one request."""
    batch: list[Exchange] = []
    for exchange in found:
        if batch and (
            len(batch) == _MOST_EXCHANGES or sum(each.length for each in batch) + exchange.length > LARGEST_REQUEST
        ):
            yield batch
            batch = []
        batch.append(exchange)
    if batch:
        yield batch


def as_json(batch: Iterable[Exchange]) -> str:
    """The conversation as a JSON list: nothing that was said in it can end it or pose as an instruction of ours."""
    said = [{"role": message.role, "text": message.text} for each in batch for message in each.messages]
    return json.dumps(said, ensure_ascii=False, indent=0)


def _grouped(messages: Iterable[Message]) -> Iterator[list[Message]]:
    group: list[Message] = []
    for message in messages:
        # a question of the client's and its answer stand on one line, and stay together
        if group and message.role == "user" and message.end != group[-1].end:
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def _is_since(time: str, since: datetime) -> bool:
    try:
        moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
    except ValueError:
        return False
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)) >= since


def _told(text: str) -> str:
    text = text[:_LOOKED_AT].encode(errors="replace").decode()  # half a surrogate pair can't be sent
    return redact(without_frames(text)).strip()


def _fitted(messages: list[Message]) -> list[Message]:
    """The user's words first, then the last of the answers: there stands what came of it."""
    room, kept = LARGEST_REQUEST, dict[int, Message]()
    for place, message in sorted(enumerate(messages), key=lambda each: (each[1].role != "user", -each[0])):
        text = _clipped(message.text, min(room, _MOST_OF_USER) if message.role == "user" else room)
        if text:
            room -= len(text)
            kept[place] = replace(message, text=text)
    return [kept[place] for place in sorted(kept)]


def _clipped(text: str, room: int) -> str:
    """The text, or its beginning and its end with a mark between."""
    if len(text) <= room:
        return text
    half = (room - len(_CUT)) // 2
    return text[:half] + _CUT + text[-half:] if half > 0 else ""
