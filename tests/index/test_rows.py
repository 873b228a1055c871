"""Rows as the table holds them: what goes in comes out, and what is no row is told."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.rows import FILLER, SCHEMA, Row, as_rows, as_table, key_of

CHUNK = Chunk(
    id="m7k2q",
    text="We index with LanceDB.",
    context="Decisions",
    path="/home/project/2026-11-30.md",
    line=3,
    end_line=4,
    namespace="project",
    category="decision",
    kind="fact",
    date="2026-11-30",
    importance=0.7,
    confidence=0.1 + 0.2,
    resident=True,
    status="superseded",
    reason="update",
    until="2026-12-01",
    by="m9",
    replaces="m1 m2",
    severity="high",
    seen="2026-12-01",
    facts="m3",
)
ROW = Row(key_of(CHUNK), CHUNK, "index lancedb", None)

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(_TEXT, _TEXT, st.floats(0, 1), st.integers(0, 2**31 - 1), st.booleans())
def test_a_row_comes_back_as_it_was_written(text: str, path: str, value: float, line: int, resident: bool) -> None:
    chunk = replace(CHUNK, text=text, path=path, confidence=value, importance=value, end_line=line, resident=resident)
    rows = [ROW, Row(key_of(chunk), chunk, text, None), FILLER]
    assert as_rows(as_table(rows), None) == rows


def test_what_is_searched_and_filtered_by_stands_in_columns_of_its_own() -> None:
    table = as_table([ROW])
    assert table.schema == SCHEMA
    (held,) = table.drop_columns(["whole"]).to_pylist()
    assert held.pop("key") == ROW.key
    assert held.pop("terms") == ROW.terms
    assert held == {name: getattr(CHUNK, name) for name in held}
    assert set(held) >= {
        "id",
        "path",
        "line",
        "end_line",
        "namespace",
        "kind",
        "category",
        "status",
        "date",
        "resident",
    }


def test_a_row_has_its_vector_once_there_is_one() -> None:
    values = pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float32(), 2))
    rows = as_rows(as_table([ROW, ROW, FILLER]).append_column("vector_a", values), "vector_a")
    assert rows[1].vector is None
    assert [row.vector.tolist() for row in rows if row.vector is not None] == [[1, 2], [3, 4]]
    assert as_rows(as_table([]).append_column("vector_a", values.slice(0, 0)), "vector_a") == []


@pytest.mark.parametrize(
    ("whole", "told"),
    [("", "Expecting"), ("{", "Expecting"), *((each, "") for each in ("[]", "7", "null", '["a", "b", "c"]', "{}"))],
)
def test_what_is_no_row_is_told(whole: str, told: str) -> None:
    with pytest.raises(ValueError, match=told or "a row that is none|not enough values"):
        as_rows(pa.table({"whole": [whole]}), None)
