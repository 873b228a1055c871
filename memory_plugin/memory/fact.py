"""A fact, and the one line of Markdown that holds it.

    - **decision** We index with LanceDB, not pgvector. <!-- m:7k2m9qab project decided lancedb imp=0.8 conf=0.70 at=14:32 src=1f3a9c#4be1 -->

The comment may be missing: a list item written by hand is a fact too, with the defaults below.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

# category: (days until it is stale, None for never; importance when nothing else is known)
CATEGORIES: dict[str, tuple[int | None, float]] = {
    "identity": (None, 0.9),
    "relationship": (None, 0.7),
    "health": (180, 0.7),
    "preference": (90, 0.8),
    "habit": (90, 0.6),
    "constraint": (365, 0.8),
    "project": (180, 0.6),
    "decision": (365, 0.8),
    "goal": (14, 0.7),
    "procedure": (365, 0.7),
    "reference": (365, 0.6),
    "lesson": (None, 0.8),
    "event": (30, 0.5),
}
PREDICATES = frozenset(
    "is has uses prefers requires avoids decided plans did wants knows learnt causes fixes fails runs builds tests deploys "
    "located named works_with".split()
)
DEFAULT_CATEGORY = "project"
CONFIDENCE_RULE = 0.55
CONFIDENCE_STATED = 0.70


@dataclass(frozen=True, slots=True)
class Candidate:
    """What extraction found in one message, before it has a place, an id or a date.

    text is one line of at most 300 characters that stands alone; importance and confidence are 0 to 1;
    category is a key of CATEGORIES, predicate one of PREDICATES; subject and object are lower-case slugs.
    """

    text: str
    category: str
    predicate: str
    subject: str
    object: str
    importance: float
    confidence: float
