"""search, recall, status and doctor."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from memory_plugin import __version__
from memory_plugin.cli.doctor import of_service
from memory_plugin.cli.status import describe_service
from memory_plugin.memory import injected
from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support.service import Sandbox

FACT = "We go with SQLite in WAL mode for the bookings, because nobody there can look after Postgres."
FIELDS = {"id", "text", "source", "namespace", "category", "score", "vector", "keyword", "date"}


@pytest.fixture
def remembered(command: Command) -> Command:
    """The command, with two facts in the memory."""
    command("add", FACT)
    command("add", "The staging server listens on port 8123.")
    return command


def test_search_shows_the_note_with_its_source(remembered: Command) -> None:
    done = remembered("search", "sqlite", "bookings")
    assert done.returncode == 0
    first, second = done.stdout.splitlines()[:2]
    assert FACT in first
    assert ".md#L" in second


def test_search_prints_json_for_programs(remembered: Command) -> None:
    notes = json.loads(remembered("search", "sqlite bookings", "--json").stdout)
    assert set(notes[0]) >= FIELDS
    assert notes[0]["text"] == FACT
    path, _, line = notes[0]["source"].partition("#L")
    assert FACT in Path(path).read_text().splitlines()[int(line) - 1]


def test_search_finds_nothing_in_words(command: Command) -> None:
    assert command("search", "zeppelin").stdout.startswith("Nothing found.")


def test_another_project_is_not_searched(remembered: Command, sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    assert remembered("search", "sqlite bookings", "--project", str(other)).stdout.startswith("Nothing found.")
    missing = remembered("search", "sqlite", "--project", str(sandbox.folder / "nowhere"))
    assert (missing.returncode, "there is no folder" in missing.stderr) == (1, True)


def test_recall_prints_the_context_that_the_hook_prints(remembered: Command, sandbox: Sandbox) -> None:
    prompt = "is it SQLite or Postgres for the bookings?"
    printed = remembered("recall", prompt).stdout
    assert FACT in printed
    assert printed == sandbox.context(prompt) + "\n"


def test_recall_says_why_there_is_nothing(remembered: Command) -> None:
    assert remembered("recall", "write a haiku about the sea").stdout.startswith("Nothing is injected: ")
    found = json.loads(remembered("recall", "--json", "is it SQLite or Postgres for the bookings?").stdout)
    assert {"context", "reason", "considered", "degraded"} <= set(found)


def test_status_before_anything_happened(command: Command, sandbox: Sandbox) -> None:
    done = command("status")
    assert done.returncode == 0
    assert "none yet" in done.stdout
    assert "not running" in done.stdout
    assert json.loads(command("status", "--json").stdout)["home"] == str(sandbox.home)


def test_status_tells_of_the_index(remembered: Command) -> None:
    remembered("search", "sqlite")
    found = json.loads(remembered("status", "--json").stdout)
    assert found["service"]["running"]
    assert found["service"]["chunks"] == 2


@pytest.mark.parametrize(
    ("reconciliation", "review", "rows"),
    [
        ({}, {}, ["all facts", "not yet (it waits until nobody asks anything)"]),
        ({"waiting": 3, "last_pass": {}, "problem": ""}, {"day": "2026-11-30", "problem": ""},
         ["all but 3 facts", "last 2026-11-30"]),
        ({"waiting": 1, "last_pass": {"problems": ["a: locked", "b: locked"]}, "problem": "No room."},
         {"day": "2026-11-30", "week": "2026-W49", "problem": "shop-1 is not reviewed: locked"},
         ["all but 1 fact: No room.; a: locked; b: locked", "last 2026-11-30: shop-1 is not reviewed: locked"]),
    ],
)  # fmt: skip
def test_status_and_doctor_tell_of_what_is_reconciled_and_reviewed(
    reconciliation: dict[str, Any], review: dict[str, Any], rows: list[str]
) -> None:
    service = {"running": True, "pid": 1, "version": __version__, "started": 0.0}
    service |= {"reconciliation": reconciliation, "review": review}
    told = dict(describe_service(service))
    assert [told["reconciled"], told["reviewed"]] == rows
    problems = [row.partition(": ")[2] for row in rows if ": " in row]
    assert [found.text for found in of_service(service) if found.grade == "WARN"] == problems


def test_doctor_is_content_with_a_fresh_start(command: Command) -> None:
    done = command("doctor", PATH="/usr/bin:/bin")
    assert done.returncode == 0
    assert "FAIL" not in done.stdout


def test_doctor_says_what_stands_in_the_way_of_the_embedder(command: Command, sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "ollama", "ollama_url": "http://127.0.0.1:9"})
    said = command("doctor", PATH="/usr/bin:/bin").stdout
    assert "WARN embedder" in said
    assert "start Ollama" in said
    sandbox.configure(embedding={"provider": "auto", "ollama_url": "http://127.0.0.1:9"})
    assert "embedder  built in, for no Ollama answers" in command("doctor", PATH="/usr/bin:/bin").stdout


@pytest.mark.parametrize(
    ("service", "told"),
    [
        ({"chunks": 1, "files": 1, "unindexed": 1}, "OK 1 note of 1 file"),
        ({"chunks": 9000, "files": 2, "unindexed": 5000}, "WARN 9000 notes of 2 files, 5000 outside the"),
        ({"last_sync": {"problems": ["a.md: locked"]}}, "WARN 1 of the files not read: a.md: locked"),
        ({"embedder": {"provider": "ollama", "model": "m", "search": "keywords only", "problem": "It is away."}},
         "WARN ollama m: It is away."),
        ({"embedder": {"provider": "builtin", "model": "e5", "search": "keywords and vectors", "problem": ""}},
         "OK builtin e5, search by keywords and vectors"),
        ({"embedder": {"search": "keywords only", "problem": "It is being loaded."}}, "WARN none: It is being loaded."),
        ({"embedder": {"search": "keywords only", "problem": "It is being loaded."}, "started": None},
         "OK none yet"),
    ],
)  # fmt: skip
def test_doctor_tells_how_much_the_searches_cover(sandbox: Sandbox, service: dict[str, Any], told: str) -> None:
    sandbox.configure(embedding={"provider": "auto"})
    running = {"running": True, "pid": 1, "version": __version__, "started": 0.0} | service
    if running["started"] is None:  # just now, which is later than when the cases were listed
        running["started"] = time.time()
    found = [f"{each.grade} {each.text}" for each in of_service(running) if each.subject != "service"]
    assert len(found) == 1
    assert found[0].startswith(told)


def test_status_tells_age_memory_and_room(command: Command, sandbox: Sandbox) -> None:
    command("add", "Staging listens on port 8080.")
    command("search", "staging")
    found = json.loads(command("status", "--json").stdout)
    assert found["service"]["memory"] > 1 << 20
    assert found["service"]["unindexed"] <= 1
    assert found["index_bytes"] > 1000
    said = command("status").stdout
    assert re.search(r"^service +running for 0 min, process [0-9]+, [0-9]+ MB of memory$", said, re.M)
    assert re.search(r"^index +1 note of all projects, [0-9.]+ [KM]B, 1 not embedded yet$", said, re.M)
    assert re.search(r"^home .* GB free\)$", said, re.M)


def test_status_tells_which_notes_were_last_put_before_a_model(command: Command, sandbox: Sandbox) -> None:
    name = namespace_of(str(sandbox.project)).name
    assert "last notes" not in command("status").stdout
    injected.record("s1", ["a", "b"], "SessionStart", name)
    injected.record("s2", ["c"], "UserPromptSubmit", "another-0a1b2c3d")
    assert re.search(r"^last notes +[0-9-]+ [0-9:]+: 2 notes at a session's start$", command("status").stdout, re.M)


@pytest.mark.parametrize("name", ["home", "state"])
def test_doctor_fails_when_a_folder_is_a_file(command: Command, sandbox: Sandbox, name: str) -> None:
    path = sandbox.folder / "a file"
    path.write_text("x")
    done = command("doctor", **{f"MEMORY_PLUGIN_{name.upper()}": str(path)})
    assert done.returncode == 1
    assert f"FAIL {name}" in done.stdout
    assert f"set MEMORY_PLUGIN_{name.upper()}" in done.stdout


@pytest.mark.parametrize(
    ("enabled", "place", "grade"),
    [(None, ".", "WARN"), (False, ".", "FAIL"), (True, ".", "OK"), (True, "gone", "FAIL")],
)
def test_doctor_knows_whether_the_plugin_is_installed_enabled_and_there(
    command: Command, sandbox: Sandbox, enabled: bool | None, place: str, grade: str
) -> None:
    folder = sandbox.folder / "client"
    (folder / "plugins").mkdir(parents=True)
    plugins = {} if enabled is None else {"memory-plugin@memory-plugin": enabled}
    (folder / "settings.json").write_text(json.dumps({"enabledPlugins": plugins}))
    known = {"memory-plugin": {"installLocation": str(sandbox.folder / place)}}
    (folder / "plugins" / "known_marketplaces.json").write_text(json.dumps(known))
    found = json.loads(command("doctor", "--json").stdout)
    assert [each["grade"] for each in found if each["subject"] == "plugin"] == [grade]


def test_status_tells_this_project_from_the_others(command: Command, sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    command("add", FACT)
    assert json.loads(command("status", "--json").stdout)["facts"] == 1
    assert json.loads(command("status", "--json", "--project", str(other)).stdout)["facts"] == 0


def test_doctor_warns_of_a_broken_setting(command: Command, sandbox: Sandbox) -> None:
    sandbox.settings.write_text('{"recall": {"max_notes": "four"}}')
    found = json.loads(command("doctor", "--json").stdout)
    assert [each["grade"] for each in found if each["subject"] == "settings"] == ["WARN"]
