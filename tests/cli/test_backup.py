"""backup create, list, verify and restore, as a user runs them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memory_plugin.cli import main
from memory_plugin.memory.contents import contents
from tests.cli.conftest import Command
from tests.support.service import Sandbox

PORT = "Staging listens on port 8080."


@pytest.fixture
def backup(sandbox: Sandbox) -> Callable[..., Result]:
    """`backup …` in this process: what needs no service needs none of its own."""
    return lambda *arguments: CliRunner().invoke(main, ["backup", *arguments])


def notes(sandbox: Sandbox) -> dict[str, bytes]:
    """The Markdown of the home. (The service adds events.)"""
    found = contents(str(sandbox.home)).files
    return {inside: (sandbox.home / inside).read_bytes() for inside in found if inside.endswith(".md")}


def name_of(said: str) -> str:
    """The name of the snapshot that a command says it made."""
    return said.split("Made ")[1].split(":")[0]


def test_make_damage_restore_and_take_that_back(command: Command, sandbox: Sandbox) -> None:
    sandbox.start()
    command("add", PORT)
    made = command("backup", "create")
    assert made.returncode == 0
    assert str(sandbox.state / "backups") in made.stdout
    before = notes(sandbox)
    assert command("search", "staging port").stdout.startswith("1. ")
    for path in sandbox.home.rglob("????-??-??.md"):
        path.unlink()
    (sandbox.home / "later.md").write_text("A note about the harbour.\n")
    damaged = set(notes(sandbox))
    done = command("backup", "restore")
    assert done.returncode == 0, done.stderr
    assert f"Restored {name_of(made.stdout)}" in done.stdout
    assert "The index is made anew." in done.stdout
    assert notes(sandbox) == before
    assert PORT in command("search", "staging port").stdout
    said = b"".join(path.read_bytes() for path in (sandbox.home / ".events").glob("*.jsonl"))
    assert b"retracted" not in said  # nobody is taken to have deleted anything
    back = done.stdout.split("memory-plugin ", 1)[1].split()
    assert command(*back).returncode == 0
    assert set(notes(sandbox)) == damaged


def test_nothing_new_is_said_so(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    (sandbox.home / "note.md").write_text("A note.\n")
    made = name_of(backup("create").stdout)
    assert f"Nothing changed since {made}" in backup("create").stdout
    assert f"is as it was in {made} already" in backup("restore").stdout


def test_a_restore_done_twice_does_not_take_itself_back(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    note = sandbox.home / "note.md"
    note.write_text("Whole.\n")
    made = name_of(backup("create").output)
    note.write_text("Torn.\n")
    for said in (f"Restored {made}", f"is as it was in {made} already"):
        assert said in backup("restore").output
        assert note.read_text() == "Whole.\n"


def test_the_list_is_the_latest_first(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    assert "No snapshot yet" in backup("list").stdout
    names = list[str]()
    for number in range(3):
        (sandbox.home / "note.md").write_text(f"{number}\n")
        names.append(name_of(backup("create").stdout))
    lines = backup("list").stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == names[::-1]
    found = json.loads(backup("list", "--json").stdout)
    assert [each["name"] for each in found["snapshots"]] == names[::-1]
    assert found["snapshots"][0]["kind"] == "by hand"
    assert found["snapshots"][0]["files"] == 1


def test_a_name_may_be_begun_and_must_be_one(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    for number in range(2):
        (sandbox.home / "note.md").write_text(f"{number}\n")
        name = name_of(backup("create").stdout)
    several = backup("restore", name[:10])
    assert several.exit_code == 1
    assert "more than one begins with" in several.stderr
    assert "`memory-plugin backup list` shows them" in backup("restore", "1999").stderr
    assert "already" in backup("restore", name).stdout


def test_verify_says_what_is_damaged_and_create_mends_it(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    (sandbox.home / "note.md").write_text("A note.\n")
    backup("create")
    assert "1 snapshot (1 content, 1 KB): all as written." in backup("verify").stdout
    (path,) = (path for path in (sandbox.state / "backups" / "objects").rglob("*") if path.is_file())
    path.write_bytes(b"A nope.\n")
    done = backup("verify")
    assert done.exit_code == 1
    assert "note.md: its content is not what was written" in done.stderr
    assert backup("restore").exit_code == 1
    assert backup("create").exit_code == 0
    assert backup("verify").exit_code == 0


def test_to_another_folder(backup: Callable[..., Result], sandbox: Sandbox, tmp_path: Path) -> None:
    (sandbox.home / "note.md").write_text("A note.\n")
    backup("create")
    (sandbox.home / "note.md").write_text("Another.\n")
    done = backup("restore", "--to", str(tmp_path / "then"))
    assert done.exit_code == 0
    assert (tmp_path / "then" / "note.md").read_text() == "A note.\n"
    assert (sandbox.home / "note.md").read_text() == "Another.\n"
    assert "in the memory itself" in backup("restore", "--to", str(sandbox.home / "then")).stderr
    assert "holds something" in backup("restore", "--to", str(tmp_path / "then")).stderr


@pytest.mark.parametrize("arguments", [("create",), ("list",), ("restore",), ("verify",)])
def test_a_folder_that_cannot_be_used_is_said(
    backup: Callable[..., Result], sandbox: Sandbox, arguments: tuple[str, ...]
) -> None:
    sandbox.configure(backup={"folder": str(sandbox.folder / "unplugged" / "memory")})
    done = backup(*arguments)
    assert done.exit_code == 1
    assert "mount its disk, or make the folder" in done.stderr
    assert not (sandbox.folder / "unplugged").exists()


def test_without_a_home_there_is_nothing_to_keep(backup: Callable[..., Result], sandbox: Sandbox) -> None:
    assert "there is no memory yet" in backup("create").stderr
    sandbox.home.rmdir()
    assert "there is no memory yet" in backup("create").stderr
    assert "there is no snapshot" in backup("restore").stderr
    assert not sandbox.home.exists()


def test_status_and_doctor_say_how_they_stand(
    backup: Callable[..., Result], sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows() -> tuple[str, str]:
        status, doctor = CliRunner().invoke(main, ["status"]), CliRunner().invoke(main, ["doctor"])
        (of_status,) = [line for line in status.output.splitlines() if line.startswith("backups")]
        return of_status, doctor.output[doctor.output.index("backups") - 5 :].split("\nOK")[0]

    monkeypatch.chdir(sandbox.project)
    note = sandbox.home / "note.md"
    note.write_text("A note.\n")
    assert all("none yet" in row for row in rows())
    os.utime(note, (1_700_000_000, 1_700_000_000))
    assert "WARN backups   there is something that no snapshot holds" in rows()[1]
    assert "`memory-plugin backup create` makes one now" in rows()[1]
    made = name_of(backup("create").output)
    when = f"last {made[:10]} {made[11:13]}:{made[13:15]}, 1 snapshot, 1 KB"
    assert rows() == (f"backups      {when}", f"OK   backups   {when}")
    (sandbox.state / "backups.json").write_text('{"problem": "the disk was full", "damage": "3"}')
    assert "WARN backups   3 files in snapshots are damaged" in rows()[1]
    backup("verify")
    assert "WARN backups   the disk was full" in rows()[1]
    backup("create")
    assert rows()[1].startswith("OK   backups")
    sandbox.configure(backup={"enabled": False})
    assert "none by itself" in rows()[0]
    (sandbox.state / "backups" / "unfinished").write_text(made)
    assert f"WARN backups   the restore of {made} was not finished" in rows()[1]
