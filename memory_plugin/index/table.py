"""The index: one LanceDB table of chunks in the state folder, written by one process at a time.

It is derived. A folder that is missing, damaged or half-written is thrown away and made anew, empty, with `stale` set:
the next sync fills it from the Markdown.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from threading import RLock
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.query import MatchQuery

from memory_plugin.index import counts, health
from memory_plugin.index.centring import VERSION, Centre, centre_of
from memory_plugin.index.chunks import TALK, Chunk
from memory_plugin.index.conditions import one_of, parts_of, quoted
from memory_plugin.index.embedding import Embedder, Identity, Vectors
from memory_plugin.index.indices import SPARE, drop_many, index_many, index_words
from memory_plugin.index.lease import Lease
from memory_plugin.index.manifest import Entry, Manifest
from memory_plugin.index.rows import FILLER, SCHEMA, Row, as_rows, as_table, key_of
from memory_plugin.index.terms import Term, index_terms
from memory_plugin.index.vocabulary import Vocabulary
from memory_plugin.memory.files import make_folder

FOLDER = "index.lance"
LOCK = "index.lock"
FORMAT = "4"  # another one: a rebuild
_TABLE = "chunks"
_MANIFEST = "files.sqlite"
# Many conversations are hours of work: they wait until what every prompt needs is done.
_EMBEDDED_IN_ORDER = (("fact", "text"), ("episode",), ("exchange",))
_MOST_TERMS = 32  # of a prompt that are searched for
_RETENTION = timedelta(minutes=10)
_SEARCH_SECONDS = 0.5  # after which a search in an older version has ended
_UNINDEXED = 2000  # rows that the full-text index may lag behind
_FRAGMENTS = 40

_log = logging.getLogger(__name__)


class IndexInUse(Exception):
    """Another process has the index open for writing."""


class IndexUnavailable(Exception):
    """The system refused a read or write (disk full, no permission); the index is as it was."""


class IndexDamaged(Exception):
    """The index could not be used; it has been made anew, empty. Sync, then ask again."""


class Index:
    """The chunks of all known files. Methods may be called from several threads; all raise IndexDamaged."""

    def __init__(self, state_folder: str, lease: Lease) -> None:
        self.folder = os.path.join(state_folder, FOLDER)
        self.stale = False
        self._lease = lease
        self._mutex = RLock()
        self._vocabularies: dict[bool, Vocabulary] | None = None
        self._connect(lease.left_open)

    @classmethod
    def open(cls, state_folder: str) -> Index:
        """The index in a state folder, made if need be. Raises IndexInUse while another process has it."""
        make_folder(state_folder)
        lease = Lease.take(os.path.join(state_folder, LOCK))
        if lease is None:
            raise IndexInUse(f"another process has the index in {state_folder} open")
        try:
            return cls(state_folder, lease)
        except BaseException:
            lease.give_back()
            raise

    def close(self) -> None:
        """Give the index free for another process."""
        with self._mutex:
            self._keep_counts()
            self.manifest.close()
            self._lease.give_back()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- opening, and starting over

    def _connect(self, left_open: bool = False) -> None:
        try:
            if left_open and (problem := health.damage_seen_apart(self._lease.fileno(), *self._whereabouts())):
                raise ValueError(problem)
            self._open_or_create()
        except Exception as error:
            if not health.may_be_damage(error):
                raise
            if health.is_refusal(str(error)):
                raise IndexUnavailable(f"the index in {self.folder} cannot be opened: {error}") from error
            _log.warning("the index in %s is damaged (%s); making it anew", self.folder, error)
            health.discard(self.folder)
            self._open_or_create()
            self.stale = True

    def _open_or_create(self) -> None:
        fresh = not os.path.isdir(self.folder)
        make_folder(self.folder)
        self.manifest = Manifest(os.path.join(self.folder, _MANIFEST))
        try:
            database = lancedb.connect(self.folder)
            build = self.manifest.about("build")
            if build is None:
                self._table = self._create(database)
                self.stale = True
            else:
                self._table = database.open_table(_TABLE)
                metadata = self._table.schema.metadata or {}
                if metadata.get(b"build", b"").decode() != build or metadata.get(b"format", b"").decode() != FORMAT:
                    raise ValueError("its table and its list of files don't belong together")
                if problem := health.damage_of_schema(self._table.schema):
                    raise ValueError(problem)
                self._table.search().limit(1).to_arrow()
            self.build = self.manifest.about("build")
            if not fresh and build is None:
                _log.warning("the index in %s was incomplete; making it anew", self.folder)
        except BaseException:
            self.manifest.close()
            raise
        self._vocabularies = None
        self._load_embedder()

    def _load_embedder(self) -> None:
        """What the prompt hook needs, kept at hand so that it never waits for a writer."""
        self._column = next(iter(self._vector_columns()), None)
        stored = self.manifest.about("embedder")
        identity = Identity.from_json(json.loads(stored)) if stored else None
        self._identity = identity if identity and _column_of(identity) == self._column else None
        centre = self.manifest.about(f"centre {self._column}")
        self._centre = Centre.from_json(centre) if self._identity and centre else None

    def _create(self, database: Any) -> Any:
        build = uuid.uuid4().hex
        schema = SCHEMA.with_metadata({"build": build, "format": FORMAT})
        if _TABLE in database.list_tables().tables:
            database.drop_table(_TABLE)
        table = database.create_table(_TABLE, schema=schema)
        index_words(table)
        # A list that lost its build to a crash may still name files, whose rows are gone with the old table.
        self.manifest.forget_everything()
        self.manifest.set_about("build", build)
        return table

    def reset(self) -> None:
        """Throw everything away; the next sync makes it anew."""
        with self._mutex:
            self.manifest.close()
            health.discard(self.folder)
            self._connect()
            self.stale = True

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn damage into a fresh index and IndexDamaged, a system's refusal into IndexUnavailable.

        What fails although the files are whole is raised as it is: a mistake costs no index.
        """
        seen = self.manifest
        if not seen.in_place():
            with self._mutex:  # one that is being made anew is waited for
                seen = self.manifest
                if not seen.in_place():
                    self._start_over(seen, "its folder is gone")
        try:
            yield
        except Exception as error:
            if not health.may_be_damage(error):
                raise
            if health.is_refusal(str(error)):
                raise IndexUnavailable(f"the index in {self.folder} cannot be used: {error}") from error
            with self._mutex:
                if self.manifest is not seen:
                    raise IndexDamaged(str(error)) from error
                self._look(seen)
                raise

    def _look(self, seen: Manifest) -> None:
        """Raises IndexDamaged if the files are damaged; if not, connects anew: what is held may be behind the files."""
        problem = health.damage(*self._whereabouts()) if seen.in_place() else "its folder is gone"
        if health.is_refusal(problem):
            raise IndexUnavailable(f"the index in {self.folder} cannot be used: {problem}")
        if problem:
            self._start_over(seen, problem)
        self._table, self._vocabularies = lancedb.connect(self.folder).open_table(_TABLE), None

    def _whereabouts(self) -> tuple[str, str, str]:
        return self.folder, _TABLE, os.path.join(self.folder, _MANIFEST)

    def _start_over(self, seen: Manifest, reason: str) -> None:
        with self._mutex:
            if self.manifest is seen:  # another thread may have made it anew already
                _log.warning("the index in %s cannot be used (%s); making it anew", self.folder, reason)
                self.reset()
        raise IndexDamaged(reason)

    # --- reading

    def count(self, where: str = "") -> int:
        """How many chunks there are that meet a condition, if one is given."""
        with self._guarded():
            return int(self._table.count_rows(where or None))

    def missing(self) -> int:
        """How many chunks have no vector yet; all of them while nobody has embedded."""
        with self._guarded():
            column = self._column
            return int(self._table.count_rows(f"{column} IS NULL" if column else None))

    def unindexed(self) -> int:
        """How many chunks the index of words does not cover yet: LanceDB looks at each of them for every question."""
        with self._guarded():
            return int(self._table.index_stats("terms_idx").num_unindexed_rows)

    def vocabulary(self, talk: bool = False) -> Vocabulary:
        """The terms of all notes, or of all conversations (talk), and how many rows have each.

        Each has its own: what is common in talk says nothing of what is common in notes.
        """
        if self._vocabularies is not None:
            return self._vocabularies[talk]
        with self._mutex, self._guarded():
            if self._vocabularies is None:
                self._vocabularies = counts.load(self.folder, self._stamp()) or counts.count(self._table)
            return self._vocabularies[talk]

    def _stamp(self) -> str:
        """What the table is now: counts of its words that were kept with another stamp are not its own."""
        return f"{self.build} {self._table.version}"

    def _keep_counts(self) -> None:
        """Keep the counts for the next process, if there are any; without them it counts anew."""
        if self._vocabularies is not None:
            with contextlib.suppress(OSError, RuntimeError, ValueError):
                counts.save(self.folder, self._stamp(), self._vocabularies)

    def rows_of(self, paths: Sequence[str]) -> list[Row]:
        """All rows of these files."""
        return [row for where in parts_of("path", paths) for row in self._rows(lambda: self._table.search(), where)]

    def by_ids(self, ids: Sequence[str], where: str) -> list[Row]:
        """The rows of these facts."""
        every = [f"({part}) AND {where}" if where else part for part in parts_of("id", ids)]
        return [row for part in every for row in self._rows(lambda: self._table.search(), part)]

    def by_filter(self, where: str, limit: int) -> list[Row]:
        """Rows that meet a condition, in no order."""
        return self._rows(lambda: self._table.search().limit(limit), where)

    def by_keyword(self, terms: Sequence[Term], where: str, limit: int, *, talk: bool = False) -> list[Row]:
        """The rows that LanceDB's BM25 puts first for any of the terms (the rarest of them, if there are many)."""
        known = self.vocabulary(talk).known(terms, _MOST_TERMS)
        if not known:
            return []
        # Its signature has defaults, its type stub has none.
        words = MatchQuery(" ".join(form for term in known for form in term.forms), "terms")  # type: ignore[call-arg]
        return self._rows(lambda: self._table.search(words, query_type="fts").limit(limit), where, "_score")

    def by_vector(self, vector: Vectors, where: str, limit: int) -> list[Row]:
        """The rows nearest by cosine; none without a column of vectors."""
        column = self._column
        if column is None or not vector.any():
            return []

        def search() -> Any:
            return self._table.search(vector, vector_column_name=column).distance_type("cosine").limit(limit + SPARE)

        rows = self._rows(search, where, "_distance")
        # The compact copy is near enough to find them, not to order them.
        return sorted(rows, key=lambda row: 0.0 if row.vector is None else -float(row.vector @ vector))[:limit]

    def _rows(self, search: Callable[[], Any], where: str, *score: str) -> list[Row]:
        with self._guarded():
            found = search()
            if where:
                found = found.where(where, prefilter=True)
            # A search's own column is asked for: Lance warns on standard error when it isn't.
            column = self._column
            return as_rows(found.select(["whole", *filter(None, [column]), *score]).to_arrow(), column)

    def files(self) -> dict[str, Entry]:
        """What is known of each indexed file, by its path."""
        with self._mutex, self._guarded():
            return self.manifest.entries()

    # --- writing

    def replace_files(
        self, paths: Sequence[str], new: Sequence[Chunk], entries: Sequence[Entry]
    ) -> tuple[int, int, int]:
        """Make these chunks all that there is of these files; a path without an entry is forgotten.

        Returns the rows (added, updated, removed). Killed half-way, the next sync finds the files marked dirty.
        """
        with self._mutex:
            with self._guarded():
                self.manifest.mark_dirty(paths)
            counts = self.replace(self.rows_of(paths), new)
            with self._guarded():
                self.manifest.record(entries)
                self.manifest.forget(set(paths) - {entry.path for entry in entries})
        return counts

    def touch_files(self, entries: Sequence[Entry]) -> None:
        """Note new times of files whose content is the same."""
        with self._mutex, self._guarded():
            self.manifest.record(entries)

    def distrust(self) -> None:
        """Look for damage, index words anew, and have the next sync compare every file with its rows."""
        with self._mutex, self._guarded():
            self._look(self.manifest)
            for where in parts_of("key", health.rotten(self._table)):
                self._table.delete(where)
            self.manifest.record(each._replace(hash="", mtime_ns=-1) for each in self.manifest.entries().values())
            index_words(self._table)

    def replace(self, old: Sequence[Row], new: Sequence[Chunk]) -> tuple[int, int, int]:
        """Bring the rows of some files from `old` to `new`: (added, updated, removed). Texts keep their vectors."""
        before = {row.key: row for row in old}
        after = {key_of(chunk): chunk for chunk in new}
        kept = {row.chunk.embedded_text: row.vector for row in old if row.vector is not None}
        removed = [row for key, row in before.items() if key not in after]
        added = [Row(key, c, *self._derived(c, kept)) for key, c in after.items() if key not in before]
        changed = [
            Row(key, chunk, *self._derived(chunk, kept))
            for key, chunk in after.items()
            if key in before and before[key].chunk != chunk
        ]
        with self._mutex:
            if removed or added or changed:
                self.vocabulary()  # counted before the rows change
            with self._guarded():
                try:
                    self._write(changed, added, removed)
                except BaseException:
                    self._vocabularies = None  # some of the rows may be written
                    raise
            for row in [*removed, *(before[row.key] for row in changed)]:
                self.vocabulary(row.chunk.kind in TALK).remove([row.terms])
            for row in [*added, *changed]:
                self.vocabulary(row.chunk.kind in TALK).add([row.terms])
        return len(added), len(changed), len(removed)

    def _write(self, changed: Sequence[Row], added: Sequence[Row], removed: Sequence[Row]) -> None:
        if changed:
            merge = self._table.merge_insert("key").when_matched_update_all()
            # LanceDB takes a null vector, which a row has until it is embedded, for a bad one.
            merge.execute(self._as_table(changed), on_bad_vectors="null")
        if added:
            self._table.add(self._as_table(added), on_bad_vectors="null")
        for where in parts_of("key", [row.key for row in removed]):
            self._table.delete(where)

    def _derived(self, chunk: Chunk, kept: Mapping[str, Vectors]) -> tuple[str, Vectors | None]:
        return index_terms(chunk.embedded_text), kept.get(chunk.embedded_text)

    def _as_table(self, rows: Sequence[Row]) -> pa.Table:
        table = as_table(rows)
        column = self._column
        if column:
            type_ = self._table.schema.field(column).type
            table = table.append_column(column, pa.array([row.vector for row in rows], type=type_))
        return table

    def optimize_if_due(self) -> bool:
        """Fold new rows into the full-text index, merge fragments and drop old versions, when enough has piled up."""
        with self._mutex, self._guarded():
            fragments = self._table.stats()["fragment_stats"]["num_fragments"]
            if fragments <= _FRAGMENTS and self._table.index_stats("terms_idx").num_unindexed_rows <= _UNINDEXED:
                return False
            self.optimize()
            return True

    def optimize(self) -> None:
        """Fold new rows into the indices, merge fragments and drop versions past their retention."""
        with self._mutex, self._guarded():
            self._table.optimize(cleanup_older_than=_RETENTION)
            index_many(self._table, self._column)
            self._keep_counts()

    def scrub(self) -> None:
        """Rewrite all files, so that nothing of a removed row is left in them, nor in an old version of them."""
        with self._mutex, self._guarded():
            drop_many(self._table)
            # LanceDB rewrites a file for a tenth of its rows at least, but always to merge it with a newer one.
            self._table.add(self._as_table([FILLER]), on_bad_vectors="null")
            for _ in range(2):  # the first indexes the new row, without which the second can't merge it
                self._table.optimize(cleanup_older_than=_RETENTION)
            self._table.delete(f"key = {quoted(FILLER.key)}")
            index_words(self._table)  # one that is only merged keeps the words of rows that are gone
            index_many(self._table, self._column)
            time.sleep(_SEARCH_SECONDS)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of searches in old versions: those have ended
                self._table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)
            self.vocabulary()  # else words of what is gone would stay in the file
            self._keep_counts()

    # --- vectors

    @property
    def identity(self) -> Identity | None:
        """Whose vectors these are; None while nobody has embedded."""
        return self._identity

    @property
    def centre(self) -> Centre | None:
        """The middle that the vectors are seen from; None before anything is embedded."""
        return self._centre

    def use(self, identity: Identity) -> bool:
        """Make room for this embedder's vectors; True when another's had to go. Vectors of two are never mixed."""
        column = _column_of(identity)
        with self._mutex, self._guarded():
            others = [name for name in self._vector_columns() if name != column]
            if others:
                self._table.drop_columns(others)
                self._load_embedder()
            if column not in self._table.schema.names:
                # The column's name says whose it is, so that it and its vectors come and go in one step.
                self.manifest.set_about("embedder", json.dumps(identity.to_json()))
                self._table.add_columns(pa.field(column, pa.list_(pa.float32(), identity.dimension)))
                self._load_embedder()
            return bool(others)

    def embed_missing(self, embedder: Embedder, batch: int = 64) -> int:
        """Embed up to `batch` chunks that have no vector yet: how many, 0 when none is left.

        Raises EmbedderUnavailable as the embedder does. Interrupted anywhere, what is written stays.
        """
        self.use(embedder.identity)
        column = _column_of(embedder.identity)
        centre = self._centre
        if centre is None:
            centre = centre_of(embedder)
            with self._mutex, self._guarded():
                self.manifest.set_about(f"centre {column}", centre.to_json())
                self._load_embedder()
        with self._guarded():
            rows = list[Row]()
            for kinds in _EMBEDDED_IN_ORDER:
                without = f"{column} IS NULL AND {one_of('kind', kinds)}"
                wanted = self._table.search().where(without).select(["whole"])
                rows += as_rows(wanted.limit(batch - len(rows)).to_arrow(), None) if len(rows) < batch else []
        if not rows:
            return 0
        texts = [row.chunk.embedded_text for row in rows]
        vectors = centre.of_notes(np.asarray(embedder.documents(texts), dtype=np.float32))
        with self._mutex, self._guarded():
            if column not in self._table.schema.names:  # another embedder took over meanwhile
                return len(rows)
            # A row whose text changed while it was embedded must not get the old text's vector.
            now = {row.key: row.chunk.embedded_text for row in self._keyed([row.key for row in rows])}
            fit = [n for n, row in enumerate(rows) if now.get(row.key) == texts[n]]
            values = pa.FixedSizeListArray.from_arrays(pa.array(vectors[fit].ravel()), embedder.identity.dimension)
            update = pa.table({"key": pa.array([rows[n].key for n in fit], pa.string()), column: values})
            if fit:
                self._table.merge_insert("key").when_matched_update_all().execute(update)
        return len(rows)

    def _keyed(self, keys: Sequence[str]) -> list[Row]:
        return [row for where in parts_of("key", keys) for row in self._rows(lambda: self._table.search(), where)]

    def _vector_columns(self) -> list[str]:
        return [name for name in self._table.schema.names if name.startswith("vector_")]


def _column_of(identity: Identity) -> str:
    name = json.dumps([identity.to_json(), VERSION], sort_keys=True)
    return f"vector_{hashlib.sha256(name.encode()).hexdigest()[:16]}"
