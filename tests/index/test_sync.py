"""The index follows the files."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_plugin.index.chunks import Chunk
from memory_plugin.index.recall import recall
from memory_plugin.index.sources import Project, Roots
from memory_plugin.index.sync import LARGEST_FILE, SyncReport, sync
from memory_plugin.index.table import Index
from tests.support.recalling import NOW
from tests.support.words_embedder import WordsEmbedder

LOG = "# 2026-11-30\n\n## 14:32\n\n- **decision** We index with LanceDB. <!-- m:aaaa1111 -->\n- Backups at three.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "project" / "topics").mkdir(parents=True)
    (home / "MEMORY.md").write_text("# Me\n\nI live in Lyon.\n")
    (home / "project" / "2026-11-30.md").write_text(LOG)
    return home


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index.open(str(tmp_path / "state")) as opened:
        yield opened


def rows(index: Index) -> dict[str, Chunk]:
    return {row.key: row.chunk for row in index.rows_of(list(index.files()))}


def texts(index: Index) -> set[str]:
    return {chunk.text for chunk in rows(index).values()}


def test_everything_is_indexed_once_and_a_second_sync_does_nothing(home: Path, index: Index) -> None:
    assert sync(index, Roots(str(home))) == SyncReport(added=3)
    assert texts(index) == {"I live in Lyon.", "We index with LanceDB.", "Backups at three."}
    assert sync(index, Roots(str(home))) == SyncReport(unchanged=2)


def test_an_edited_line_is_updated_and_the_lines_around_it_are_left_alone(home: Path, index: Index) -> None:
    embedder = WordsEmbedder()
    sync(index, Roots(str(home)), embedder)
    embedder.seen.clear()
    (home / "project" / "2026-11-30.md").write_text(LOG.replace("LanceDB.", "LanceDB 0.40."))
    report = sync(index, Roots(str(home)), embedder)
    assert (report.added, report.updated, report.removed, report.unchanged, report.embedded) == (0, 1, 0, 1, 1)
    assert embedder.seen == ["We index with LanceDB 0.40."]


def test_lines_that_only_moved_keep_their_vectors(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)), WordsEmbedder())
    (home / "project" / "2026-11-30.md").write_text(LOG.replace("## 14:32", "New words.\n\n## 14:32"))
    report = sync(index, Roots(str(home)))
    assert (report.added, report.updated, report.removed) == (1, 2, 0)
    assert index.missing() == 1
    assert {chunk.line for chunk in rows(index).values() if chunk.kind == "fact"} == {7, 8}


@pytest.mark.parametrize(
    "after", [LOG.replace("- Backups at three.\n", ""), LOG.replace("- Backups at three.", "- ~~Backups at three.~~")]
)
def test_a_fact_deleted_or_struck_through_leaves_the_index(home: Path, index: Index, after: str) -> None:
    sync(index, Roots(str(home)))
    (home / "project" / "2026-11-30.md").write_text(after)
    assert sync(index, Roots(str(home))).removed == 1
    assert "Backups at three." not in texts(index)


def test_a_deleted_file_leaves_the_index(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    (home / "project" / "2026-11-30.md").unlink()
    assert sync(index, Roots(str(home))) == SyncReport(removed=2, unchanged=1)
    assert texts(index) == {"I live in Lyon."}


def test_a_renamed_file_keeps_its_vectors(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)), WordsEmbedder())
    os.rename(home / "project" / "2026-11-30.md", home / "project" / "topics" / "decision.md")
    report = sync(index, Roots(str(home)))
    assert (report.added, report.removed, index.missing()) == (2, 2, 0)


def test_a_renamed_namespace_moves_its_notes(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    os.rename(home / "project", home / "other")
    sync(index, Roots(str(home)))
    assert {chunk.namespace for chunk in rows(index).values()} == {"global", "other"}


def test_one_fact_in_two_files_stays_as_long_as_one_of_them_has_it(home: Path, index: Index) -> None:
    copy = home / "project" / "2026-11-30.sync-conflict.md"
    copy.write_text(LOG)
    sync(index, Roots(str(home)))
    assert len(rows(index)) == 5
    (home / "project" / "2026-11-30.md").unlink()
    sync(index, Roots(str(home)))
    assert texts(index) == {"I live in Lyon.", "We index with LanceDB.", "Backups at three."}


def test_a_file_touched_but_not_changed_costs_no_write(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    os.utime(home / "MEMORY.md", (1, 1))
    assert sync(index, Roots(str(home))) == SyncReport(unchanged=2)
    assert index.files()[str(home / "MEMORY.md")].mtime_ns == 10**9


def test_a_change_of_the_same_size_in_the_same_instant_is_seen(home: Path, index: Index) -> None:
    path = home / "MEMORY.md"
    times = path.stat()
    sync(index, Roots(str(home)))
    path.write_text("# Me\n\nI live in Nice.\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert sync(index, Roots(str(home))).added == 1
    assert "I live in Nice." in texts(index)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"a\0b", "not text"), (b"x" * (LARGEST_FILE + 1), "larger than 2 MB"), (b"\x89PNG\r\n\x00\x00", "not text")],
)
def test_what_is_no_text_or_too_large_is_reported_each_time_and_not_indexed(
    home: Path, index: Index, content: bytes, problem: str
) -> None:
    (home / "odd.md").write_bytes(content)
    for _ in range(2):
        report = sync(index, Roots(str(home)))
        assert [problem in each and "odd.md" in each for each in report.problems] == [True]
    assert len(rows(index)) == 3


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"caf\xe9 au lait", "caf\ufffd au lait"),
        ("\ufeffcafé".encode(), "café"),
        ("café".encode("utf-16"), "café"),
        (b"one\r\ntwo", "one\ntwo"),
        (b"torn \xf0\x9f", "torn \ufffd"),
    ],
)
def test_odd_encodings_are_read_as_well_as_they_can_be(home: Path, index: Index, content: bytes, text: str) -> None:
    (home / "odd.md").write_bytes(content)
    assert sync(index, Roots(str(home))).problems == ()
    assert text in texts(index)


@pytest.mark.parametrize(
    "name", ["with space.md", "qu'ote\".md", "new\nline.md", "日本語.md", "UPPER.MD", "%20.markdown"]
)
def test_any_file_name_can_be_indexed_and_leaves_again(home: Path, index: Index, name: str) -> None:
    (home / name).write_text("Something else.")
    assert sync(index, Roots(str(home))).added == 4
    (home / name).unlink()
    assert sync(index, Roots(str(home))).removed == 1


def test_a_home_that_is_away_for_a_while_empties_nothing(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    os.rename(home, home.with_name("elsewhere"))
    report = sync(index, Roots(str(home)))
    assert (report.removed, len(rows(index))) == (0, 3)
    assert "not there" in report.problems[0]


def test_a_namespace_that_is_deleted_is_forgotten(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    (home / "project" / "2026-11-30.md").unlink()
    (home / "project" / "topics").rmdir()
    (home / "project").rmdir()
    assert sync(index, Roots(str(home))).removed == 2


def test_a_project_that_is_not_known_any_more_leaves_the_index(tmp_path: Path, home: Path, index: Index) -> None:
    project = tmp_path / "code"
    project.mkdir()
    (project / "STATUS.md").write_text("All green.")
    sync(index, Roots(str(home), (Project(str(project), "project"),)))
    assert "All green." in texts(index)
    sync(index, Roots(str(home)))
    assert "All green." not in texts(index)


def test_an_embedder_that_is_away_is_a_problem_and_the_text_is_indexed(home: Path, index: Index) -> None:
    report = sync(index, Roots(str(home)), WordsEmbedder(away=True))
    assert report == SyncReport(added=3, problems=("The words embedder is away.",))
    assert sync(index, Roots(str(home)), WordsEmbedder()).embedded == 3


def test_progress_is_told_for_text_and_vectors(home: Path, index: Index) -> None:
    told: list[tuple[str, int, int]] = []
    sync(index, Roots(str(home)), WordsEmbedder(), lambda *each: told.append(each))
    assert told == [("text", 2, 2), ("vectors", 3, 3)]


def test_small_steps_and_a_rebuild_give_the_same_answers(tmp_path: Path, home: Path, index: Index) -> None:
    embedder = WordsEmbedder()
    for step in range(6):
        lines = [f"- Fact {number} about topic {number % 7} of step {step}.\n" for number in range(step, 30 - step)]
        (home / "project" / f"2026-11-0{step % 4 + 1}.md").write_text("# Log\n\n" + "".join(lines))
        sync(index, Roots(str(home)), embedder)
    with Index.open(str(tmp_path / "rebuilt")) as rebuilt:
        sync(rebuilt, Roots(str(home)), embedder)
        for query in ("topic 3", "fact 12 step 5", "LanceDB index", "Lyon"):
            for for_prompt in (True, False):
                answers = [
                    recall(
                        query,
                        index=each,
                        embedder=embedder,
                        namespaces=("project", "global"),
                        now=NOW,
                        limit=8,
                        for_prompt=for_prompt,
                    )
                    for each in (index, rebuilt)
                ]
                # Among what has nothing in common with the query, which rows are looked at is chance.
                close = [[each for each in answer.considered if each.score > 0.2] for answer in answers]
                assert answers[0].notes == answers[1].notes
                assert close[0] == close[1] != []


def test_a_sync_killed_between_its_writes_is_made_good_by_the_next(home: Path, index: Index) -> None:
    sync(index, Roots(str(home)))
    before = rows(index)
    path = str(home / "project" / "2026-11-30.md")
    # What is left when the process dies after the mark and half of the write.
    index.manifest.mark_dirty([path])
    index.replace(index.rows_of([path]), [])
    assert len(rows(index)) == 1
    assert sync(index, Roots(str(home))).added == 2
    assert rows(index) == before


@pytest.mark.parametrize("stage", ["text", "vectors"])
def test_a_process_killed_in_the_middle_leaves_an_index_that_the_next_sync_completes(
    tmp_path: Path, stage: str
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    for number in range(600):
        path = home / f"project{number % 3}" / f"note{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {number}\n\nIt says {number * 7} and {number * 11}.\n")
    code = """
        import sys
        from memory_plugin.index.sources import Roots
        from memory_plugin.index.sync import sync
        from memory_plugin.index.table import Index
        from tests.support.words_embedder import WordsEmbedder
        sync(Index.open(sys.argv[2]), Roots(sys.argv[1]), WordsEmbedder(), lambda *each: print(*each, flush=True))
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(home), str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith(stage) for line in process.stdout)
        process.kill()
    with Index.open(str(state)) as index, Index.open(str(tmp_path / "fresh")) as fresh:
        report = sync(index, Roots(str(home)), WordsEmbedder())
        sync(fresh, Roots(str(home)), WordsEmbedder())
        assert report.added < 600
        assert (index.count(), index.missing()) == (600, 0)
        assert rows(index) == rows(fresh)
