"""The counts of words that one process keeps for the next: those of the table as it is, or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_plugin.index import counts
from memory_plugin.index.chunks import Chunk, Source, chunks
from memory_plugin.index.counts import FILE, load, save
from memory_plugin.index.table import Index
from memory_plugin.index.vocabulary import Vocabulary
from tests.support.words_embedder import WordsEmbedder


def vocabularies() -> dict[bool, Vocabulary]:
    found = {False: Vocabulary(), True: Vocabulary()}
    found[False].add(["lancedb index", "index backup \ud800", "記憶"])
    found[True].add(["hello"])
    return found


def notes(*texts: str, path: str = "/home/project/2026-11-30.md") -> list[Chunk]:
    return chunks("".join(f"- {text}\n" for text in texts), Source(path, "project", "log"))


def kept_in(state: Path) -> bytes:
    return (state / "index.lance" / FILE).read_bytes()


def test_what_is_kept_comes_back_by_its_stamp_alone(tmp_path: Path) -> None:
    save(str(tmp_path), "build 7", vocabularies())
    assert load(str(tmp_path), "build 7") == vocabularies()
    assert load(str(tmp_path), "build 8") is None
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"7",
        b"[" * 100_000,
        b'{"stamp": "build 7"}',
        b'{"stamp": "build 7", "notes": [1, 2], "talk": [1, 2, {}]}',
        b'{"stamp": "build 7", "notes": 1, "talk": [1, 2, {}]}',
    ],
)
def test_a_file_that_is_torn_is_no_loss(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert load(str(tmp_path), "build 7") is None
    assert load(str(tmp_path / "absent"), "build 7") is None


def test_the_next_process_does_not_read_the_table_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB.", "Backups at three."))
        before = index.vocabulary()
    with monkeypatch.context() as patch, Index.open(str(tmp_path)) as index:
        patch.setattr(counts, "count", lambda _: pytest.fail("counted again"))
        assert index.vocabulary() == before
        assert index.vocabulary(talk=True) == Vocabulary()


def test_counts_of_before_a_process_was_killed_are_not_taken(tmp_path: Path) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
    old = kept_in(tmp_path)
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("Backups at three.", path="/home/project/b.md"))
        now = index.vocabulary()
    (tmp_path / "index.lance" / FILE).write_bytes(old)  # as if it had been killed before it could keep its own
    with Index.open(str(tmp_path)) as index:
        assert index.vocabulary() == now
        assert index.vocabulary().rows == 2


def test_counts_of_an_index_that_was_made_anew_are_not_taken(tmp_path: Path) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
        index.optimize()
        old = kept_in(tmp_path)
        index.reset()
        (tmp_path / "index.lance" / FILE).write_bytes(old)
        assert index.vocabulary() == Vocabulary()


def test_they_are_kept_when_the_index_is_optimized_and_closed_whatever_was_embedded(tmp_path: Path) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
        index.optimize()
        assert load(index.folder, index._stamp())
        index.embed_missing(WordsEmbedder())
        assert load(index.folder, index._stamp()) is None
    with Index.open(str(tmp_path)) as index:
        assert load(index.folder, index._stamp())


def test_a_write_that_fails_half_way_leaves_no_wrong_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
        write = index._write

        def fail(*rows: object) -> None:
            write(*rows)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        monkeypatch.setattr(index, "_write", fail)
        with pytest.raises(KeyboardInterrupt):
            index.replace([], notes("Backups at three.", path="/home/project/b.md"))
        assert index.vocabulary().rows == index.count() == 2
    with Index.open(str(tmp_path)) as index:
        assert index.vocabulary().knows("backup")


def test_no_word_of_a_removed_row_is_left_in_them_after_scrubbing(tmp_path: Path) -> None:
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
        index.replace([], notes("The word is zq0j7xvb2kw9.", path="/home/project/secret.md"))
        index.optimize()
        assert b"zq0j7xvb2kw9" in kept_in(tmp_path)
        index.replace_files(["/home/project/secret.md"], [], [])
        index.scrub()
        assert b"zq0j7xvb2kw9" not in kept_in(tmp_path)
        assert b"lancedb" in kept_in(tmp_path)


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(counts, "write_whole", refuse)
    with Index.open(str(tmp_path)) as index:
        index.replace([], notes("We index with LanceDB."))
        index.optimize()
    assert not os.path.exists(tmp_path / "index.lance" / FILE)
