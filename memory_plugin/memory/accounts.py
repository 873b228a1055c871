"""What recall did with each prompt, kept for `why` and for the counts of `status`: one line a prompt, bounded in size.

The resident service writes here once a prompt is answered. It is no loss when it goes.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from memory_plugin.memory.files import note_down, read_bytes

FILE = "recalls.jsonl"  # in the state folder
LARGEST = 2 << 20  # bytes, after which it begins anew; as much again is kept in `.1`
COUNTED_DAYS = 7


@dataclass(frozen=True, slots=True)
class Figures:
    """What made a note's score, and what was wanted of it.

    nearness: its cosine in the embedder's unit (1: a pair that belongs together), None where nothing was compared;
    wanted: how near it had to be with so many words in common, without a vector how many words. importance, confidence
    and recency are 0 to 1; beside: what a better note near it in its file gave to the score; diversity: what its
    likeness to a better note took of it. least: the score it had to reach, clear: the one that the best note had to.
    """

    nearness: float | None
    wanted: float
    importance: float
    confidence: float
    recency: float
    diversity: float
    least: float
    clear: float
    beside: float = 0.0


@dataclass(frozen=True, slots=True)
class Considered:
    """A note that recall looked at. source: `path#Lline`; text: its first words; words: those of the prompt that it
    has; reason: "in", or why it was left out."""

    id: str
    label: str
    date: str
    text: str
    source: str
    score: float
    keyword: float
    words: tuple[str, ...]
    figures: Figures
    reason: str


@dataclass(frozen=True, slots=True)
class Account:
    """What was done with a prompt. at: ISO 8601 with its offset; prompt: its beginning, secrets masked.

    gate: why nothing was looked for, reason: why nothing was injected, or ""; spoken: a person's own words, no slash
    command or machine's; asks: how surely it asks for what is remembered (see index.gate); together: it was read with
    the prompt before it; degraded: by keyword only; tokens: of what was injected; looked_at: how many notes, of which
    `considered` holds the best. Where nothing said may be kept, prompt and considered are empty.
    """

    at: str
    session: str
    namespace: str
    prompt: str
    gate: str
    reason: str
    spoken: bool
    asks: str
    together: bool
    degraded: bool
    tokens: int
    looked_at: int
    considered: tuple[Considered, ...] = ()


def append(state: str, account: Account) -> None:
    """Keep an account. Raises OSError."""
    # The break before the line closes off one that a full disk tore.
    line = json.dumps(asdict(account), separators=(",", ":"))
    note_down(os.path.join(state, FILE), f"\n{line}\n".encode(), LARGEST)


def wordless(account: Account) -> Account:
    """The account without what was said and what that was near to: only the figures."""
    return replace(account, prompt="", considered=())


def read(state: str, namespace: str) -> list[Account]:
    """The accounts of a namespace, the oldest first."""
    return list(_read(state, namespace))


def _read(state: str, namespace: str) -> Iterator[Account]:
    for name in (f"{FILE}.1", FILE):
        for line in read_bytes(os.path.join(state, name)).splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):  # a torn line, or of another version
                if (found := json.loads(line))["namespace"] == namespace:
                    yield parsed(found)


def parsed(found: dict[str, Any]) -> Account:
    """An account from its JSON. Raises TypeError or KeyError for what is none."""
    notes = [
        Considered(**{**each, "words": tuple(each["words"]), "figures": Figures(**each["figures"])})
        for each in found["considered"]
    ]
    return Account(**{**found, "considered": tuple(notes)})


def counted(accounts: Iterable[Account], now: datetime) -> dict[str, Any]:
    """What the prompts of the last days got: since (when the first of them was, None for none), prompts, injected,
    silent, degraded (by keyword only, of both), average_tokens of an injection; gated: those of the silent that the
    gate let nothing be looked for. Commands and machine-made prompts are left out."""
    oldest = now - timedelta(days=COUNTED_DAYS)
    recent = [each for each in accounts if each.spoken and datetime.fromisoformat(each.at) >= oldest]
    tokens = [each.tokens for each in recent if each.tokens]
    return {
        "since": recent[0].at if recent else None,
        "prompts": len(recent),
        "injected": len(tokens),
        "silent": len(recent) - len(tokens),
        "gated": sum(bool(each.gate) for each in recent),
        "degraded": sum(each.degraded for each in recent),
        "average_tokens": round(sum(tokens) / len(tokens)) if tokens else 0,
    }
