"""Conditions on rows: any value may stand in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory_plugin.index.chunks import Source, chunks
from memory_plugin.index.conditions import one_of, parts_of, quoted
from memory_plugin.index.table import Index


@pytest.mark.parametrize("value", ["a", "it's", "''", "' OR '1' = '1", "a\nb", 'say "no"', "%_\\", "", "記憶"])
def test_any_value_is_found_as_it_is_and_no_other(tmp_path: Path, value: str) -> None:
    (chunk,) = chunks("- We index with LanceDB.", Source("/home/a.md", "project", "log"))
    written = [replace(chunk, category=each, id=f"m{number}") for number, each in enumerate((value, "other", "x"))]
    with Index.open(str(tmp_path)) as index:
        index.replace([], written)
        assert [row.chunk.category for row in index.by_filter(f"category = {quoted(value)}", 5)] == [value]
        found = index.by_filter(one_of("category", [value, "other"]), 5)
    assert sorted(row.chunk.id for row in found) == ["m0", "m1"]


def test_many_values_are_asked_for_in_parts() -> None:
    assert list(parts_of("id", [])) == []
    assert list(parts_of("id", ["a", "b"])) == ["id IN ('a', 'b')"]
    parts = list(parts_of("id", (str(number) for number in range(1201))))
    assert [part.count(",") + 1 for part in parts] == [500, 500, 201]
