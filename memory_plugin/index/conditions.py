"""Conditions on rows, as the table's filters are written. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_MOST_VALUES = 500  # in one filter


def quoted(value: str) -> str:
    """A value as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def one_of(column: str, values: Iterable[str]) -> str:
    """The condition that a column has one of these values (at least one)."""
    return f"{column} IN ({', '.join(map(quoted, values))})"


def parts_of(column: str, values: Iterable[str]) -> Iterator[str]:
    """Conditions that together hold for any of the values, a bounded number in each; none without values."""
    known = list(values)
    for start in range(0, len(known), _MOST_VALUES):
        yield one_of(column, known[start : start + _MOST_VALUES])
