"""The index as the running service keeps it: what is edited is found, what breaks is made anew."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.hand import Observer
from memory_plugin.service import client, installation
from memory_plugin.service.library import Library
from tests.support.patience import eventually
from tests.support.service import Sandbox, is_alive

OTHERS = "".join(f"- Rule {number} of the {name} guild.\n" for number, name in enumerate(("owl", "elm", "ivy", "oak")))


def texts(query: str) -> str:
    """What `search` finds, all of it."""
    return "\n".join(note["text"] for note in client.call("/search", {"query": query, "limit": 50})["notes"])


def status() -> dict[str, Any]:
    return client.call("/status")


def chunks(count: int) -> Callable[[], bool]:
    """Whether the service has so many notes; asks nothing that would make it look by itself."""
    return lambda: status().get("chunks") == count


def test_hand_edits_are_noticed_by_themselves(sandbox: Sandbox) -> None:
    notes = sandbox.home / "2026-11-30.md"
    notes.write_text("- The mascot is a heron.\n- The colour is teal.\n")
    sandbox.start()
    assert eventually(chunks(2))
    with notes.open("a") as stream:
        stream.write("- The motto is festina lente.\n")
    assert eventually(chunks(3))
    (sandbox.home / "another").mkdir()
    (sandbox.home / "another" / "2026-11-30.md").write_text("- The anthem is a waltz.\n")
    assert eventually(chunks(4))
    notes.write_text("- ~~The mascot is a heron.~~\n- The colour is teal.\n")
    assert eventually(chunks(2))
    notes.unlink()
    assert eventually(chunks(1))


def test_an_edit_is_found_by_the_very_next_search(sandbox: Sandbox) -> None:
    notes = sandbox.home / "2026-11-30.md"
    notes.write_text("- The mascot is a heron.\n" + OTHERS)
    sandbox.start()
    assert "heron" in texts("mascot")
    notes.write_text("- The mascot is a badger.\n" + OTHERS)
    assert "heron" not in texts("mascot")
    assert "badger" in texts("mascot")
    notes.rename(sandbox.home / "2026-11-29.md")
    (found,) = client.call("/search", {"query": "mascot", "limit": 1})["notes"]
    assert found["source"] == f"{sandbox.home / '2026-11-29.md'}#L1"
    (sandbox.home / "2026-11-29.md").unlink()
    assert texts("mascot") == ""


def test_what_changed_while_no_service_ran_is_found(sandbox: Sandbox) -> None:
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    process = sandbox.start()
    assert eventually(chunks(1))
    client.call("/stop", {})
    assert eventually(lambda: not is_alive(process))
    (sandbox.home / "2026-11-01.md").unlink()
    (sandbox.home / "2026-11-02.md").write_text("- The motto is festina lente.\n- The colour is teal.\n")
    sandbox.start()
    assert eventually(chunks(2))
    assert "heron" not in texts("mascot motto colour")


def test_a_home_that_is_missing_may_come_later_and_come_back(sandbox: Sandbox) -> None:
    sandbox.home.rmdir()
    sandbox.start()
    assert eventually(lambda: status()["ready"])
    assert sandbox.context("Is the mascot a heron?") == ""
    sandbox.home.mkdir()
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    assert eventually(chunks(1))
    sandbox.home.rename(sandbox.folder / "away")
    sandbox.home.mkdir()
    (sandbox.home / "2026-11-02.md").write_text("- The motto is festina lente.\n- The colour is teal.\n")
    assert eventually(chunks(2))


@pytest.mark.parametrize("kind", ["a file", "unreadable"])
def test_a_home_that_cannot_be_read_is_a_problem_not_an_end(sandbox: Sandbox, kind: str) -> None:
    sandbox.home.rmdir()
    if kind == "a file":
        sandbox.home.write_text("not a folder")
    else:
        sandbox.home.symlink_to("nowhere/at/all")
    process = sandbox.start()
    assert eventually(lambda: status().get("last_sync"))
    assert str(sandbox.home.parent) in str(status()["last_sync"]["problems"])
    assert sandbox.context("Is the mascot a heron?") == ""
    assert is_alive(process)


def _remove(folder: Path) -> None:
    """Remove a folder in which another process writes."""
    gone = folder.with_name("gone.lance")
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _garble(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in (".lance", ".manifest", ".sqlite"):
            path.write_bytes(b"garbage" * 100)


def _replace_by_file(folder: Path) -> None:
    while True:
        _remove(folder)
        try:
            folder.write_text("no index")
            return
        except IsADirectoryError:  # the service was quicker, and has made another
            continue


@pytest.mark.parametrize("damage", [_remove, _garble, _replace_by_file], ids=["deleted", "garbled", "a file"])
def test_an_index_that_breaks_while_the_service_runs_is_made_anew(
    sandbox: Sandbox, damage: Callable[[Path], None]
) -> None:
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n" + OTHERS)
    process = sandbox.start()
    assert eventually(lambda: "heron" in sandbox.context("Is the mascot a heron?"))
    damage(sandbox.state / "index.lance")
    assert eventually(lambda: "heron" in sandbox.context("Is the mascot a heron?", session="s2"))
    assert "heron" in texts("mascot")
    assert sandbox.pid == process


def test_a_prompt_meets_a_broken_index_with_silence_or_its_note(sandbox: Sandbox) -> None:
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n" + OTHERS)
    sandbox.start()
    assert eventually(lambda: "heron" in sandbox.context("Is the mascot a heron?"))
    for number in range(5):
        shutil.rmtree(sandbox.state / "index.lance", ignore_errors=True)
        done = sandbox.hook(sandbox.event("Is the mascot a heron?", session=f"s{number}"))
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == b"" or b"heron" in done.stdout


def test_an_index_that_somebody_removed_comes_back_unasked(sandbox: Sandbox) -> None:
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    sandbox.start_limited(check_every=0.2)
    client.call("/sync", {})
    _remove(sandbox.state / "index.lance")
    assert eventually((sandbox.state / "index.lance" / "files.sqlite").exists)
    assert eventually(chunks(1))


def test_reindexing_from_nothing_gives_the_same_answers(sandbox: Sandbox) -> None:
    note = sandbox.home / "2026-11-01.md"
    note.write_text("- The mascot is a heron.\n- The motto is festina lente.\n" + OTHERS)
    os.utime(note, (1e9, 1e9))  # what was written a moment ago is read twice: it may still change
    sandbox.start()
    client.call("/sync", {})
    before = client.call("/search", {"query": "mascot motto"})
    *progress, result = client.stream("/reindex", {"rebuild": False})
    assert progress == []
    assert (result["added"], result["unchanged"], result["chunks"]) == (0, 1, 6)
    *progress, result = client.stream("/reindex", {"rebuild": True})
    assert progress == [{"stage": "text", "done": 1, "total": 1}]
    assert (result["added"], result["finished"]) == (6, True)
    assert client.call("/search", {"query": "mascot motto"}) == before


def test_an_embedder_that_nobody_has_is_refused_with_what_to_do(sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "none", "ollama_url": "http://127.0.0.1:9"})
    sandbox.start()
    with pytest.raises(client.ServiceError, match="ollama serve"):
        list(client.stream("/reindex", {"embedder": "ollama:no-such-model"}))
    assert status()["embedder"]["search"] == "keywords only"


def test_while_a_question_is_open_the_service_is_not_idle(sandbox: Sandbox) -> None:
    library = Library(str(sandbox.state), installation.current())
    with library.asked():
        assert library.idle_seconds() == 0
        with library.asked():
            pass
        assert library.idle_seconds() == 0
    first = library.idle_seconds()
    assert 0 < first < library.idle_seconds()


def test_while_facts_are_reconciled_the_service_is_not_idle(sandbox: Sandbox) -> None:
    library = Library(str(sandbox.state), installation.current())
    time.sleep(0.1)
    before = library.idle_seconds()
    library.reconciling.worked_at = time.monotonic()
    assert library.idle_seconds() < before


def test_what_comes_in_the_way_of_looking_for_edits_by_hand_stops_no_indexing(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(_: Observer) -> None:
        raise RecursionError("a file such as nobody has seen")

    monkeypatch.setattr(Observer, "look", breaks)
    sandbox.configure(embedding={"provider": "none"})
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    library = Library(str(sandbox.state), installation.current())
    library.start()
    try:
        assert library.refresh(60.0)
        assert library.status()["chunks"] == 1
    finally:
        library.stop()
    assert "such as nobody has seen" in caplog.text


def test_an_index_that_another_process_holds_is_waited_for(sandbox: Sandbox) -> None:
    from memory_plugin.index.table import Index

    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    with Index.open(str(sandbox.state)):
        sandbox.start()
        assert eventually(lambda: status()["problem"])
        assert "another process" in status()["problem"]
        assert sandbox.context("Is the mascot a heron?") == ""
    assert eventually(chunks(1))
    assert status()["problem"] == ""


def test_it_takes_no_note_of_what_is_no_note(sandbox: Sandbox) -> None:
    (sandbox.home / "2026-11-01.md").write_text("- The mascot is a heron.\n")
    sandbox.start()
    assert eventually(chunks(1))
    synced = status()["last_sync"]["at"]
    (sandbox.home / ".events").mkdir()
    for number in range(5):
        (sandbox.home / ".events" / f"{number}.jsonl").write_text("{}\n")
    (sandbox.home / ".git").mkdir()
    (sandbox.home / "2026-11-02.md").write_text("- The motto is festina lente.\n")
    assert eventually(chunks(2))
    assert status()["files"] == 2
    assert status()["last_sync"]["at"] >= synced
    os.unlink(sandbox.home / "2026-11-02.md")


@pytest.mark.parametrize("name", ["foo", "builtin:x", "none", "all-minilm"])
def test_an_embedder_by_an_unknown_name_is_refused_with_the_known_ones(sandbox: Sandbox, name: str) -> None:
    sandbox.start()
    with pytest.raises(client.ServiceError, match="known: builtin, ollama, ollama:MODEL"):
        list(client.stream("/reindex", {"embedder": name}))
