"""Which snapshots are kept: of the daily ones the last of each of seven days and four weeks, of the others seven. Pure.

A day on which nothing changed has no snapshot, so these are the last seven days, and weeks, on which something did.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

DAILY = "daily"
DAYS, WEEKS, OTHERS = 7, 4, 7


class Made(NamedTuple):
    """A snapshot: its name, the moment it was made (they sort by it), its local day, what it was made for, of which
    home."""

    name: str
    moment: str
    day: date
    kind: str
    home: str


def kept(snapshots: Iterable[Made]) -> set[str]:
    """The names of those that are kept."""
    homes = dict[str, list[Made]]()
    for each in sorted(snapshots, key=lambda each: (each.moment, each.name), reverse=True):
        homes.setdefault(each.home, []).append(each)
    return set[str]().union(*map(_kept, homes.values()))


def _kept(latest_first: list[Made]) -> set[str]:
    """Those of one home."""
    daily = [each for each in latest_first if each.kind == DAILY]
    days, weeks = dict[date, str](), dict[tuple[int, int], str]()
    for each in daily:
        days.setdefault(each.day, each.name)
        weeks.setdefault(each.day.isocalendar()[:2], each.name)
    others = [each.name for each in latest_first if each.kind != DAILY]
    return {*list(days.values())[:DAYS], *list(weeks.values())[:WEEKS], *others[:OTHERS]}
