"""Reading a Claude Code transcript as a stream of what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["user", "assistant", "summary"]


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that was said: by the user, by the assistant, or by the client's own compaction summary.

    time is the entry's ISO 8601 timestamp (UTC, may be empty); end is the byte offset just after its line.
    """

    role: Role
    text: str
    uuid: str
    session: str
    time: str
    end: int
