"""The indices of the table: of its words always, of its vectors and of what prompts filter by once it is large."""

from __future__ import annotations

from typing import Any

from lancedb.index import FTS, Bitmap, BTree, IvfSq

MANY = 5000  # rows with a vector, from which on reading all of them for each question costs more than all else
MOST_PARTS = 16  # of the vectors' index: LanceDB adds one at each `optimize` and never merges them
SPARE = 8  # rows beyond the wanted ones that are compared by their whole vectors, since the compact copy is not exact
_FILTERED = ("kind", "namespace", "resident")  # by every prompt
# One byte a dimension, kept in memory, and all of it compared with each question: 10 ms of CPU for 100,000 rows where
# reading the vectors takes 100. Nothing depends on how vectors cluster, so it neither misses one nor wears out.
# `python -m benchmarks.scale` measures it.
_COMPACT = IvfSq(distance_type="cosine", num_partitions=1, max_iterations=1)


def index_words(table: Any) -> None:
    """Make the full-text index anew. One analyser serves index and query, ours: LanceDB only splits at spaces."""
    whole = FTS(
        base_tokenizer="whitespace",
        with_position=False,
        max_token_length=None,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        lower_case=False,
    )
    table.create_index("terms", config=whole, replace=True)


def index_many(table: Any, vector_column: str | None) -> None:
    """In a large table, make the indices that vector searches and filters want: those that are missing or worn.

    Rows that come later are searched without them until LanceDB's `optimize` folds them in.
    """
    if vector_column is None or table.count_rows(f"{vector_column} IS NOT NULL") < MANY:
        return
    known = {name for index in table.list_indices() for name in index.columns}
    wanted: dict[str, Bitmap | BTree | IvfSq] = {vector_column: _COMPACT, **{name: Bitmap() for name in _FILTERED}}
    wanted["path"] = BTree()  # for what stands beside a hit
    worn = vector_column in known and table.index_stats(f"{vector_column}_idx").num_indices > MOST_PARTS
    for name, config in wanted.items():
        if name not in known or (worn and name == vector_column):
            table.create_index(name, config=config, replace=True)


def drop_many(table: Any) -> None:
    """Drop what `index_many` made: LanceDB merges no file that such an index covers with one that it does not."""
    for index in table.list_indices():
        if index.columns != ["terms"]:
            table.drop_index(index.name)
