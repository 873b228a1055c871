"""The index's table: what is written is found, and what breaks is made anew."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pytest

from memory_plugin.index import counts, table
from memory_plugin.index.chunks import Chunk, Source, chunks
from memory_plugin.index.embedding import Vectors
from memory_plugin.index.rows import Row, as_rows
from memory_plugin.index.sources import Roots
from memory_plugin.index.sync import sync
from memory_plugin.index.table import FOLDER, Index, IndexDamaged, IndexInUse, IndexUnavailable
from memory_plugin.index.terms import query_terms
from tests.support.damage import end_whoever_searches, memory_of_any_machine
from tests.support.data import REPOSITORY
from tests.support.words_embedder import WordsEmbedder


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index.open(str(tmp_path / "state")) as opened:
        yield opened


def notes(*texts: str, namespace: str = "project", path: str = "/home/project/2026-11-30.md") -> list[Chunk]:
    return chunks("".join(f"- {text}\n" for text in texts), Source(path, namespace, "log"))


def found(index: Index, query: str, where: str = "") -> list[str]:
    return [row.chunk.text for row in index.by_keyword(query_terms(query), where, 10)]


def test_what_is_written_is_found_at_once_without_an_embedder(index: Index) -> None:
    assert index.replace([], notes("We index with LanceDB.", "Backups at three.")) == (2, 0, 0)
    assert found(index, "lancedb") == ["We index with LanceDB."]
    assert found(index, "unheard of") == []
    assert (index.count(), index.missing(), index.identity) == (2, 2, None)


def test_rows_are_found_before_and_after_optimize(index: Index) -> None:
    index.replace([], notes("We index with LanceDB."))
    index.optimize()
    index.replace([], notes("LanceDB is pinned.", path="/home/project/b.md"))
    assert sorted(found(index, "lancedb")) == ["LanceDB is pinned.", "We index with LanceDB."]
    index.optimize()
    assert sorted(found(index, "lancedb")) == ["LanceDB is pinned.", "We index with LanceDB."]


def test_a_filter_keeps_other_namespaces_out(index: Index) -> None:
    index.replace([], notes("We index with LanceDB."))
    index.replace([], notes("LanceDB elsewhere.", namespace="it's another", path="/home/other/a.md"))
    assert found(index, "lancedb", "namespace IN ('it''s another')") == ["LanceDB elsewhere."]


def test_rows_that_meet_a_condition_are_counted(index: Index) -> None:
    index.replace([], notes("We index with LanceDB.", "Backups at three."))
    index.replace([], notes("LanceDB elsewhere.", namespace="other", path="/home/other/a.md"))
    assert (index.count(), index.count("namespace = 'other'"), index.count("namespace = 'none'")) == (3, 1, 0)


@pytest.mark.parametrize(
    "text", ["quote \" and ' and \\", "a:b AND (c OR d)*", "emoji 🎉 and 記憶", "x" * 5000, "% _ ~ ^ + - ! { } [ ]"]
)
def test_any_text_is_stored_and_searched_as_it_is(index: Index, text: str) -> None:
    index.replace([], notes(f"{text} word"))
    assert found(index, f"{text} word")
    assert index.rows_of(["/home/project/2026-11-30.md"])[0].chunk == notes(f"{text} word")[0]


def test_vectors_follow_and_are_searched_by_cosine(index: Index) -> None:
    embedder = WordsEmbedder()
    index.replace([], notes("We index with LanceDB.", "Backups at three.", "The sky is blue."))
    assert [index.embed_missing(embedder, batch=2) for _ in range(3)] == [2, 1, 0]
    assert (index.missing(), index.identity) == (0, embedder.identity)
    assert index.centre is not None
    vector = index.centre.of_prompt(embedder.query("backups"))
    assert [row.chunk.text for row in index.by_vector(vector, "", 1)] == ["Backups at three."]


def test_a_text_that_changes_while_it_is_embedded_does_not_get_the_old_vector(index: Index) -> None:
    class Slow(WordsEmbedder):
        def documents(self, texts: Sequence[str]) -> Vectors:
            vectors = super().documents(texts)
            if texts == ["We index with LanceDB."]:
                index.replace(index.rows_of([old.path]), [new])
            return vectors

    (old,) = chunks("- We index with LanceDB. <!-- m:aaaa1111 -->", Source("/home/project/a.md", "project", "log"))
    (new,) = chunks("- We index with pgvector. <!-- m:aaaa1111 -->", Source("/home/project/a.md", "project", "log"))
    index.replace([], [old])
    index.embed_missing(Slow())
    assert index.missing() == 1


def test_another_embedder_starts_over_and_vectors_are_never_mixed(index: Index) -> None:
    index.replace([], notes("We index with LanceDB.", "Backups at three."))
    first, second = WordsEmbedder(), WordsEmbedder(name="others", dimension=32)
    index.embed_missing(first)
    assert index.use(second.identity) is True
    assert (index.missing(), index.identity, index.centre) == (2, second.identity, None)
    assert found(index, "lancedb") == ["We index with LanceDB."]
    assert index.by_vector(second.query("lancedb"), "", 5) == []
    index.embed_missing(second)
    assert {row.vector.shape for row in index.rows_of(["/home/project/2026-11-30.md"]) if row.vector is not None} == {
        (32,)
    }


def test_the_same_embedder_changes_nothing(index: Index) -> None:
    index.replace([], notes("We index with LanceDB."))
    index.embed_missing(WordsEmbedder())
    assert index.use(WordsEmbedder().identity) is False
    assert index.missing() == 0


def test_what_is_stored_is_there_after_reopening(tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with Index.open(str(tmp_path)) as index:
        assert index.stale
        index.replace([], notes("We index with LanceDB."))
        index.embed_missing(embedder)
    with Index.open(str(tmp_path)) as index:
        assert (index.stale, index.identity, index.missing()) == (False, embedder.identity, 0)
        assert index.centre is not None
        assert found(index, "lancedb") == ["We index with LanceDB."]


def test_the_vocabulary_is_the_same_counted_step_by_step_or_at_once(tmp_path: Path) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB.", "Backups at three.", "Gone soon."))
        path = "/home/project/2026-11-30.md"
        index.replace(index.rows_of([path]), notes("We index with LanceDB.", "Backups at four."))
        stepwise = index.vocabulary()
    (tmp_path / FOLDER / counts.FILE).unlink()
    with Index.open(str(tmp_path)) as index:
        assert index.vocabulary() == stepwise


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    code = "import sys; from memory_plugin.index.table import Index; Index.open(sys.argv[1])"
    with Index.open(str(tmp_path)):
        with pytest.raises(IndexInUse, match="another process"):
            Index.open(str(tmp_path))
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
        assert "IndexInUse" in done.stderr
    Index.open(str(tmp_path)).close()


def _delete(folder: Path) -> None:
    shutil.rmtree(folder)


def _delete_table(folder: Path) -> None:
    shutil.rmtree(folder / "chunks.lance")


def _delete_manifest(folder: Path) -> None:
    (folder / "files.sqlite").unlink()


def _scribble(pattern: str) -> Callable[[Path], None]:
    def scribble(folder: Path) -> None:
        for path in folder.glob(pattern):
            if path.is_file():
                path.write_bytes(b"scribble")

    return scribble


def _lose(statement: str) -> Callable[[Path], None]:
    def lose(folder: Path) -> None:
        with contextlib.closing(sqlite3.connect(folder / "files.sqlite", isolation_level=None)) as database:
            database.execute(statement)

    return lose


def _rename_a_column(folder: Path) -> None:
    for path in (folder / "chunks.lance" / "_versions").iterdir():
        path.write_bytes(path.read_bytes().replace(b"confidence", b"confid:nce"))


def _claim_to_be_long(folder: Path) -> None:
    """The last bytes of a version say where it begins, and there its length stands; LanceDB panics at this one."""
    for path in (folder / "chunks.lance" / "_versions").glob("*.manifest"):
        content = bytearray(path.read_bytes())
        content[int.from_bytes(content[-16:-8], "little") + 3] = 0x7D
        path.write_bytes(content)


def _replace_by_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


DAMAGE = {
    "folder deleted": _delete,
    "table deleted": _delete_table,
    "manifest deleted": _delete_manifest,
    "data scribbled": _scribble("chunks.lance/data/*"),
    "versions scribbled": _scribble("chunks.lance/_versions/*"),
    "search index scribbled": _scribble("chunks.lance/_indices/**/*"),
    "everything scribbled": _scribble("**/*"),
    "a column by another name": _rename_a_column,
    "a version that claims to be long": _claim_to_be_long,
    "its build lost, its files known": _lose("DELETE FROM about"),
    "a path that is no text": _lose("UPDATE file SET path = CAST(x'ccff' AS TEXT)"),
    "a file in its place": _replace_by_a_file,
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    (home / "project" / "2026-11-30.md").write_text("- We index with LanceDB.\n- Backups at three.\n")
    return home


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_an_index_damaged_between_two_runs_is_made_anew_from_the_files(
    tmp_path: Path, home: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    state = tmp_path / "state"
    with Index.open(str(state)) as index:
        sync(index, Roots(str(home)))
        index.optimize()
    damage(state / FOLDER)
    with caplog.at_level(logging.WARNING), Index.open(str(state)) as index:
        _sync_until_whole(index, home)
        assert found(index, "lancedb") == ["We index with LanceDB."]
        assert index.count() == 2


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_an_index_damaged_while_it_is_open_is_made_anew_from_the_files(
    tmp_path: Path, home: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    state = tmp_path / "state"
    with caplog.at_level(logging.WARNING), Index.open(str(state)) as index:
        sync(index, Roots(str(home)))
        index.optimize()
        damage(state / FOLDER)
        _sync_until_whole(index, home)
        assert found(index, "lancedb") == ["We index with LanceDB."]
        assert index.count() == 2


def _sync_until_whole(index: Index, home: Path) -> None:
    """What the service does: search, and sync again whenever the index turns out to be stale."""
    for _ in range(3):
        try:
            sync(index, Roots(str(home)))
            found(index, "lancedb")
        except IndexDamaged:
            assert index.stale
        except RuntimeError:  # its words are made anew meanwhile
            continue
        else:
            if not index.stale:
                return
    pytest.fail("still damaged")


def test_words_that_cannot_be_read_are_indexed_anew_and_vectors_stay(
    index: Index, caplog: pytest.LogCaptureFixture
) -> None:
    index.replace([], notes("We index with LanceDB.", "Backups at three."))
    index.embed_missing(WordsEmbedder())
    build, index.stale = index.build, False
    for path in Path(index.folder).glob("chunks.lance/_indices/*/*"):
        path.write_bytes(b"scribble")
    index._table = lancedb.connect(index.folder).open_table("chunks")
    with pytest.raises(RuntimeError):
        found(index, "lancedb")
    assert found(index, "lancedb") == ["We index with LanceDB."]
    assert (index.build, index.stale, index.missing()) == (build, False, 0)
    assert "full-text index in chunks is damaged" in caplog.text


def test_an_index_that_ends_the_process_is_made_anew_by_the_next_one(
    tmp_path: Path, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state = tmp_path / "state"
    with Index.open(str(state)) as index:
        sync(index, Roots(str(home)))
        index.optimize()
    end_whoever_searches(state / FOLDER)
    code = """
        import sys
        from memory_plugin.index.table import Index
        from memory_plugin.index.terms import query_terms
        with Index.open(sys.argv[1]) as index:
            index.by_keyword(query_terms("lancedb"), "", 10)
    """
    with memory_of_any_machine():
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(state)], check=False)
        assert done.returncode == -signal.SIGABRT
        with caplog.at_level(logging.WARNING), Index.open(str(state)) as index:
            assert index.stale
            _sync_until_whole(index, home)
            assert found(index, "lancedb") == ["We index with LanceDB."]
    assert "ended by SIGABRT); making it anew" in caplog.text


def test_a_whole_index_survives_the_end_of_the_process_that_had_it(tmp_path: Path) -> None:
    code = """
        import os, sys
        from memory_plugin.index.chunks import Source, chunks
        from memory_plugin.index.table import Index
        index = Index.open(sys.argv[1])
        index.replace([], chunks("- We index with LanceDB.", Source("/home/a.md", "project", "log")))
        index.stale = False
        print(index.build, flush=True)
        os.abort()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)], capture_output=True, text=True, check=False
    )
    with Index.open(str(tmp_path)) as index:
        assert (index.build, index.stale) == (done.stdout.strip(), False)
        assert found(index, "lancedb") == ["We index with LanceDB."]


def test_no_other_process_looks_at_an_index_that_was_closed(tmp_path: Path) -> None:
    code = """
        import sys
        from memory_plugin.index.table import Index
        for _ in range(2):
            Index.open(sys.argv[1]).close()
    """
    report = tmp_path / "report"
    counter = [sys.executable, str(REPOSITORY / "tests" / "support" / "process_counter.py"), str(report)]
    subprocess.run([*counter, sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "state")], check=True)
    assert json.loads(report.read_text()) == []


def test_damage_is_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), Index.open(str(tmp_path)) as index:
        shutil.rmtree(tmp_path / FOLDER)
        with pytest.raises(IndexDamaged):
            index.count()
        assert "making it anew" in caplog.text
        assert (index.count(), index.stale) == (0, True)


def test_a_full_disk_is_told_and_the_index_stays_as_it_was(tmp_path: Path) -> None:
    code = """
        import resource, signal, sys
        from memory_plugin.index.table import Index, IndexUnavailable
        from memory_plugin.index.chunks import Source, chunks
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        index = Index.open(sys.argv[1])
        index.replace([], chunks("- We index with LanceDB.", Source("/home/a.md", "project", "log")))
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        long = "".join(f"- Note {n} {'word ' * 100}{n}\\n" for n in range(500))
        try:
            index.replace([], chunks(long, Source("/home/b.md", "project", "log")))
        except IndexUnavailable as error:
            print("told")
        print(index.count(), index.stale)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["told", "1", "True"], done.stderr


@pytest.mark.parametrize(
    "mistake",
    [
        lambda index: index.by_filter("no_such_column = 3", 3),
        lambda index: index.by_filter("path = 'a", 3),
        lambda index: index.by_vector(np.ones(7, np.float32), "no_such_column = 3", 3),
        lambda index: index.manifest.about(("no", "name")),
        lambda index: index.replace([], [replace(notes("Backups at three.")[0], line=1 << 40)]),
    ],
    ids=[
        "an unknown column",
        "a broken filter",
        "a vector of another length",
        "a value of no type",
        "a number too large",
    ],
)
@pytest.mark.parametrize("embedded", [False, True], ids=["text", "vectors"])
def test_a_mistake_in_a_question_costs_no_index(
    index: Index, mistake: Callable[[Index], object], embedded: bool
) -> None:
    index.replace([], notes("We index with LanceDB."))
    if embedded:
        index.embed_missing(WordsEmbedder())
    build, index.stale = index.build, False
    with contextlib.suppress(Exception), index._guarded():
        mistake(index)
    assert (index.build, index.stale, index.count()) == (build, False, 1)
    assert found(index, "lancedb") == ["We index with LanceDB."]


def columns_read(index: Index, search: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def note(found: pa.Table, column: str | None) -> list[Row]:
        seen.extend(found.column_names)
        return as_rows(found, column)

    with monkeypatch.context() as patch:
        patch.setattr(table, "as_rows", note)
        search()
    return seen


def test_a_row_is_read_in_one_piece(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    index.replace([], notes("We index with LanceDB."))
    index.embed_missing(WordsEmbedder())
    read = columns_read(index, lambda: found(index, "lancedb"), monkeypatch)
    assert read == ["whole", index._column, "_score"]


def test_a_search_by_vector_compares_eight_rows_more_than_it_wants(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = WordsEmbedder()
    index.replace([], notes(*(f"Fact {number} of many." for number in range(40))))
    index.embed_missing(embedder)
    asked, given = embedder.query("Fact 7 of many."), list[int]()

    def note(found: pa.Table, column: str | None) -> list[Row]:
        given.append(found.num_rows)
        return as_rows(found, column)

    monkeypatch.setattr(table, "as_rows", note)
    rows = index.by_vector(asked, "", 5)
    assert (len(rows), given) == (5, [13])
    near = [float(row.vector @ asked) for row in rows if row.vector is not None]
    assert near == sorted(near, reverse=True)


@pytest.mark.parametrize(
    "change",
    [
        {"namespace": "'another'"},
        {"line": "7"},
        {"resident": "true"},
        {"terms": "'lancedb'"},
        {"key": "'other'"},
        {"whole": "replace(whole, 'LanceDB', 'MonceDB')"},
    ],
    ids=lambda change: " ".join(f"{name} {value}" for name, value in change.items()),
)
def test_distrust_drops_rows_whose_columns_are_not_what_their_text_makes(index: Index, change: dict[str, str]) -> None:
    index.replace([], notes("We index with LanceDB.", "Backups at three."))
    index._table.update(where="contains(whole, 'LanceDB')", values_sql=change)
    index.distrust()
    assert [row.chunk.text for row in index.by_filter("", 10)] == ["Backups at three."]


def test_an_index_with_a_row_that_is_none_is_made_anew(index: Index) -> None:
    index.replace([], notes("We index with LanceDB.", "Backups at three."))
    index._table.update(where="contains(whole, 'LanceDB')", values_sql={"whole": "'[]'"})
    with pytest.raises(IndexDamaged):
        index.by_filter("", 10)
    assert (index.count(), index.stale) == (0, True)


def test_many_small_writes_are_merged_when_it_is_time(index: Index) -> None:
    for number in range(45):
        index.replace([], notes(f"Note number {number} says something.", path=f"/home/project/{number}.md"))
    data = Path(index.folder, "chunks.lance", "data")
    before = len(os.listdir(data))
    assert index.optimize_if_due() is True
    assert index.optimize_if_due() is False
    assert before == 45
    assert len(found(index, "note number")) == 10


@pytest.mark.parametrize(
    "refusal",
    ["database or disk is full", "cannot rollback - no transaction is active", "unable to open database file"],
)
def test_what_the_system_refuses_to_the_manifest_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], chunks("- We index with LanceDB.", Source("/home/a.md", "project", "log")))
        index.stale = False

        def refuse() -> None:
            raise sqlite3.OperationalError(refusal)

        with monkeypatch.context() as patch:
            patch.setattr(index.manifest, "entries", refuse)
            with pytest.raises(IndexUnavailable):
                index.files()
        assert (index.count(), index.stale) == (1, False)


def bytes_of(index: Index) -> bytes:
    return b"".join(path.read_bytes() for path in Path(index.folder).rglob("*") if path.is_file())


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("merged", [False, True], ids=["many files", "one file"])
def test_nothing_of_a_removed_row_is_left_after_scrubbing(index: Index, embedded: bool, merged: bool) -> None:
    # LanceDB packs text; what is as random as this stays readable
    secret = "Zq0J7xVb2Kw9Rt4LmN8c"
    for number in range(12):
        index.replace([], notes(f"Fact {number} of many.", path=f"/home/project/{number}.md"))
    index.replace([], notes(f"The word is {secret}.", path="/home/project/secret.md"))
    if embedded:
        while index.embed_missing(WordsEmbedder()):
            pass
    if merged:
        for _ in range(3):
            index.optimize()
    assert secret.encode() in bytes_of(index) or merged
    index.replace_files(["/home/project/secret.md"], [], [])
    index.scrub()
    left = bytes_of(index)
    assert secret.encode() not in left
    assert secret.lower().encode() not in left
    assert (index.count(), len(found(index, "fact many"))) == (12, 10)
    assert index.missing() == (0 if embedded else 12)
    index.replace([], notes("LanceDB is pinned.", path="/home/project/b.md"))
    assert found(index, "lancedb") == ["LanceDB is pinned."]


def test_scrubbing_rewrites_a_file_of_which_one_row_in_a_thousand_went(index: Index) -> None:
    index.replace([], notes(*(f"Fact {number} of a thousand." for number in range(1000))))
    for _ in range(3):
        index.optimize()
    [before] = (Path(index.folder) / "chunks.lance" / "data").iterdir()
    rows = index.rows_of(["/home/project/2026-11-30.md"])
    index.replace(rows[:1], [])
    index.optimize()
    assert before.exists()
    index.scrub()
    assert not before.exists()
    assert index.count() == 999


def test_searches_go_on_while_the_index_is_scrubbed(index: Index) -> None:
    index.replace([], notes(*(f"Fact {number} of many." for number in range(50))))
    counts: list[int] = []
    done = threading.Event()

    def search() -> None:
        while not done.is_set():
            counts.append(len(found(index, "fact many")))

    searching = threading.Thread(target=search)
    searching.start()
    index.scrub()
    done.set()
    searching.join()
    assert set(counts) == {10}
