"""Questions about a time: "what did we finish on the 14th?", « qu'a-t-on décidé mardi dernier ? ». Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.terms import Term, query_terms
from memory_plugin.memory.dates import named_days

_ISO = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
# What is asked of a day when nothing else is: these words name no subject.
_OF_ANY_DAY = query_terms(
    """
    accomplish achieve change close complete decide discuss do done event fix finish happen learn merge note release say
    ship start talk tell thing work today yesterday week month day
    accomplir avancer bosser changer décider dire discuter faire finir fermer jour livrer mois noter parler passer
    semaine sortir terminer travailler chose est-ce dit fait discuté parlé fini avancé
    """
)
_INVERTED = frozenset(("qu", "a-t-on", "a-t-il", "avons-nous"))
_GENERIC = _INVERTED | frozenset(form for term in _OF_ANY_DAY for form in term.forms)


@dataclass(frozen=True, slots=True)
class Occasion:
    """The days that a question names, as YYYY-MM-DD, both included; about: its terms that name a subject."""

    first: str
    last: str
    about: tuple[Term, ...]

    @property
    def where(self) -> str:
        """The condition on a row: what was noted, last said, or ended on these days."""
        return " OR ".join(
            f"({each} >= '{self.first}' AND {each} <= '{self.last}')" for each in ("date", "seen", "until")
        )

    def holds(self, chunk: Chunk) -> bool:
        """Whether a chunk is of these days, by its own or by one that its words name."""
        days = [chunk.date, chunk.seen, chunk.until, *_ISO.findall(chunk.text)]
        return any(self.first <= day <= self.last for day in days)


def occasion(question: str, today: date) -> Occasion | None:
    """The days that have begun which a question names, or None; of several the first."""
    for start, end, first, last in named_days(question, today):
        if first <= today:
            about = subject_terms(f"{question[:start]} {question[end:]}")
            return Occasion(first.isoformat(), last.isoformat(), tuple(about))
    return None


def subject_terms(question: str) -> Sequence[Term]:
    """The terms that name a subject."""
    return [term for term in query_terms(question) if _GENERIC.isdisjoint(term.forms)]


def days_named(question: str, today: date) -> tuple[tuple[str, str] | None, str]:
    """The days that have begun which a question names, as (first, last), or None; and the question without them, ""
    when it names no subject beside."""
    for start, end, first, last in named_days(question, today):
        if first <= today:
            rest = f"{question[:start]} {question[end:]}"
            return (first.isoformat(), last.isoformat()), rest if subject_terms(rest) else ""
    return None, question
