"""correct, confirm, forget, restore, pin, unpin, promote and undo, without a service; forget --purge."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from memory_plugin.cli import main, purging
from memory_plugin.memory import amendments, events, journal, purge
from memory_plugin.memory.files import try_lock
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import namespace_of
from tests.cli.conftest import Command
from tests.support.data import REPOSITORY
from tests.support.service import Sandbox

STAGING, PRODUCTION = "Staging listens on port 8080.", "Production listens on port 443."
LESSON = "Never run the import twice: it doubles every booking."


@pytest.fixture
def home(command: Command, sandbox: Sandbox) -> Path:
    """A home with three facts of the project and one of everywhere."""
    for text in (STAGING, PRODUCTION, LESSON):
        command("add", text)
    command("add", "--global", "Answers are best in British English.")
    return sandbox.home


def held(sandbox: Sandbox, words: str) -> Held:
    names = [namespace_of(str(sandbox.project)).name, "global"]
    return amendments.find(str(sandbox.home), words, names)[0]


def lines(home: Path) -> str:
    return "".join(path.read_text() for path in sorted(home.glob("*/????-??-??.md")))


def as_the_events_say(sandbox: Sandbox, words: str) -> bool:
    """Whether a fact's line and the events agree."""
    found = held(sandbox, words)
    return Ledger(str(sandbox.home)).refresh().entries[found.namespace, found.fact.id].fact == found.fact


def back(said: str) -> list[str]:
    """The command that takes back what was done, as it is told."""
    return shlex.split(said.split("To take that back: memory-plugin ", 1)[1])


@pytest.mark.parametrize("words", ["staging port", "STAGING", "listens on 8080"])
def test_a_fact_is_corrected_and_that_can_be_taken_back(
    command: Command, sandbox: Sandbox, home: Path, words: str
) -> None:
    done = command("correct", words, "Staging", "listens on port 9090.")
    assert done.returncode == 0
    assert f"before: {STAGING}" in done.stdout
    assert "Staging listens on port 9090. <!-- m:" in lines(home)
    assert STAGING not in lines(home)
    assert as_the_events_say(sandbox, "9090")
    assert command(*back(done.stdout)).returncode == 0
    assert STAGING in lines(home)


def test_an_id_names_a_fact(command: Command, sandbox: Sandbox, home: Path) -> None:
    identity = held(sandbox, "staging").fact.id
    assert identity in command("correct", identity[:5], "Staging is gone.").stdout
    assert "Staging is gone." in lines(home)


def test_secrets_are_masked_in_new_words(command: Command, home: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    command("correct", "staging", f"Staging's token is {secret}.")
    assert "Staging's token is [masked]" in lines(home)
    assert secret not in lines(home) + "".join(path.read_text() for path in home.glob(".events/*.jsonl"))


def test_new_words_that_say_nothing_are_refused(command: Command, home: Path) -> None:
    before = lines(home)
    done = command("correct", "staging", "<private>x</private>")
    assert (done.returncode, "there are no new words" in done.stderr) == (1, True)
    assert "says so already" in command("correct", "staging", STAGING).stdout
    assert lines(home) == before


def test_a_confirmed_fact_is_surer(command: Command, sandbox: Sandbox, home: Path) -> None:
    done = command("confirm", "staging", "port", "--json")
    assert "0.75 sure, said 2 times" in json.loads(done.stdout)["said"]
    assert json.loads(done.stdout)["back"] == ""
    assert (held(sandbox, "staging").fact.support, held(sandbox, "staging").fact.confidence) == (2, 0.75)
    assert as_the_events_say(sandbox, "staging")


def test_a_forgotten_fact_is_struck_and_comes_back(command: Command, sandbox: Sandbox, home: Path) -> None:
    before = lines(home)
    done = command("forget", "the", "staging", "port")
    assert done.returncode == 0
    assert f"~~**reference** {STAGING}~~ <!-- m:" in lines(home)
    again = command("forget", "staging port")
    assert again.returncode == 1
    assert "it was taken back" in again.stderr
    assert "memory-plugin restore" in again.stderr
    assert command(*back(done.stdout)).returncode == 0
    assert lines(home) == before
    assert "stands already" in command("restore", "staging").stderr
    assert as_the_events_say(sandbox, "staging")


@pytest.mark.parametrize("how", ["struck", "deleted"])
def test_what_a_hand_took_back_is_restored(command: Command, sandbox: Sandbox, home: Path, how: str) -> None:
    path = Path(held(sandbox, "staging").path)
    text = path.read_text()
    line = next(each for each in text.splitlines() if STAGING in each)
    path.write_text(
        text.replace(line, f"- **reference** ~~{STAGING}~~ " + line[line.index("<!--") :] if how == "struck" else "")
    )
    assert command("restore", "staging port").returncode == 0
    assert held(sandbox, "staging port").fact.text == STAGING
    assert lines(home).count(line) == 1


def test_a_pinned_fact_stands_in_memory_md(command: Command, sandbox: Sandbox, home: Path) -> None:
    memory = home / namespace_of(str(sandbox.project)).name / "MEMORY.md"
    before = memory.read_text()
    done = command("pin", "staging port")
    assert held(sandbox, "staging").fact.pinned
    assert "pinned reference" in memory.read_text()
    assert as_the_events_say(sandbox, "staging")
    command(*back(done.stdout))
    assert not held(sandbox, "staging").fact.pinned
    assert memory.read_text() == before
    again = command("unpin", "staging port")
    assert (again.returncode, "is not pinned" in again.stdout, "take that back" in again.stdout) == (0, True, False)


def test_what_is_pinned_already_is_told_calmly(command: Command, sandbox: Sandbox, home: Path) -> None:
    command("pin", "staging port")
    before = lines(home), list(events.read(str(home)))
    done = command("pin", "staging port")
    assert (done.returncode, "is pinned already" in done.stdout, "take that back" in done.stdout) == (0, True, False)
    assert (lines(home), list(events.read(str(home)))) == before


def test_a_promoted_fact_stands_in_its_topic_file_and_is_pointed_to_there(
    command: Command, sandbox: Sandbox, home: Path
) -> None:
    done = command("promote", "import twice")
    category = held(sandbox, "import twice").fact.category
    assert f"to topics/{category}.md" in done.stdout
    assert LESSON not in lines(home)
    folder = home / namespace_of(str(sandbox.project)).name
    assert LESSON in (folder / "topics" / f"{category}.md").read_text()
    assert f"(topics/{category}.md)" in (folder / "MEMORY.md").read_text()
    assert "stands in" in command("promote", "import twice").stdout
    assert "9090" in command("correct", "staging", "Staging listens on port 9090.").stdout


@pytest.mark.parametrize("which", ["the replaced", "the new"])
def test_a_wrong_merge_is_undone_from_either_side(command: Command, sandbox: Sandbox, home: Path, which: str) -> None:
    old, new = held(sandbox, "staging"), held(sandbox, "production")
    amendments.replaced(str(home), old, new, relation="supersedes", how="same subject")
    assert "does not hold any more (superseded" in command("confirm", "staging").stderr
    done = command("undo", (old if which == "the replaced" else new).fact.id)
    assert done.returncode == 0
    assert STAGING in done.stdout
    assert "take that back" not in done.stdout, "no command merges them again"
    for words, other in (("staging", new), ("production", old)):
        assert held(sandbox, words).fact.status == "active"
        assert held(sandbox, words).fact.supersedes == ()
        entry = Ledger(str(home)).refresh().entries[old.namespace, held(sandbox, words).fact.id]
        assert entry.apart == {other.fact.id}
    assert "nothing was merged" in command("undo", "staging").stderr


def test_what_was_replaced_by_a_fact_that_is_gone_can_be_undone(command: Command, sandbox: Sandbox, home: Path) -> None:
    amendments.replaced(
        str(home), held(sandbox, "staging"), held(sandbox, "production"), relation="supersedes", how="x"
    )
    command("forget", "production")
    assert command("undo", "staging").returncode == 0
    assert held(sandbox, "staging").fact.status == "active"


@pytest.mark.parametrize("verb", ["forget", "confirm", "pin", "promote"])
def test_several_that_fit_are_listed_and_nothing_is_done(
    command: Command, sandbox: Sandbox, home: Path, verb: str
) -> None:
    before = lines(home), list(events.read(str(home)))
    done = command(verb, "port")
    assert done.returncode == 2
    for text in (STAGING, PRODUCTION):
        assert f"{held(sandbox, text).fact.id}  " in done.stderr
        assert text in done.stderr
    assert (lines(home), list(events.read(str(home)))) == before


def test_the_one_active_fact_among_those_that_fit_is_meant(command: Command, sandbox: Sandbox, home: Path) -> None:
    amendments.replaced(
        str(home), held(sandbox, "staging"), held(sandbox, "production"), relation="supersedes", how="x"
    )
    assert command("pin", "port").returncode == 0
    assert held(sandbox, "production").fact.pinned


def test_nothing_that_fits_is_an_error_that_says_how_to_name_a_fact(command: Command, home: Path) -> None:
    done = command("forget", "kubernetes")
    assert (done.returncode, "`memory-plugin search`" in done.stderr) == (1, True)


def test_what_holds_everywhere_is_found_from_a_project(command: Command, home: Path) -> None:
    assert command("forget", "British English").returncode == 0
    assert "~~" in next(home.glob("global/????-??-??.md")).read_text()


def test_another_projects_facts_are_not_found_unless_it_is_named(
    command: Command, sandbox: Sandbox, home: Path
) -> None:
    other = sandbox.folder / "elsewhere"
    other.mkdir()
    command("add", "--project", str(other), "The queue is RabbitMQ there.")
    assert command("forget", "RabbitMQ").returncode == 1
    assert command("forget", "RabbitMQ", "--project", str(other)).returncode == 0


@pytest.mark.parametrize("verb", ["correct", "forget"])
def test_a_home_that_cannot_be_written_is_an_error(command: Command, sandbox: Sandbox, home: Path, verb: str) -> None:
    (home / ".events" / "lock").unlink()
    (home / ".events" / "lock").mkdir()
    done = command(verb, "staging", *(["x y z"] if verb == "correct" else []))
    assert (done.returncode, "the memory home cannot be written" in done.stderr) == (1, True)
    assert STAGING in lines(home)


def test_a_purge_asks_first(command: Command, sandbox: Sandbox, home: Path) -> None:
    before = lines(home)
    done = command("forget", "--purge", "staging port", said="n\n", MEMORY_PLUGIN_YES="1")
    assert done.returncode == 1
    assert f"goes from {held(sandbox, 'staging').path}" in done.stdout
    assert lines(home) == before


def test_a_purged_fact_is_nowhere_and_what_is_out_of_reach_is_said(
    command: Command, sandbox: Sandbox, home: Path
) -> None:
    (home / "own.md").write_text(f"{STAGING}\n")
    done = command("forget", "--purge", "staging port", said="y\n", MEMORY_PLUGIN_YES="1")
    assert done.returncode == 0
    assert "Your own notes hold the same words" in done.stdout
    assert "Out of reach" in done.stdout
    holding = [path.name for path in home.rglob("*") if path.is_file() and b"8080" in path.read_bytes()]
    assert holding == ["own.md"]
    identity = journal.identity([f"- {STAGING}"], 0, namespace_of(str(sandbox.project)).name)
    assert "purged" in command("trace", identity).stdout
    assert command("forget", "--purge", identity, "--yes", MEMORY_PLUGIN_YES="1").returncode == 0
    assert "Noted" in command("add", STAGING).stdout


@pytest.mark.parametrize("options", [[], ["--yes"], ["--yes", "--json"]])
def test_a_purge_that_nobody_at_a_terminal_asks_for_is_refused(
    command: Command, home: Path, options: list[str]
) -> None:
    before = lines(home)
    done = command("forget", "--purge", "staging port", *options, said="y\n")
    assert (done.returncode, "needs a terminal, or MEMORY_PLUGIN_YES=1" in done.stderr) == (2, True)
    assert lines(home) == before


def test_a_purge_is_told_to_a_program(command: Command, sandbox: Sandbox, home: Path) -> None:
    old, new = held(sandbox, "staging"), held(sandbox, "production")
    amendments.replaced(str(home), old, new, relation="supersedes", how="x")
    assert command("forget", "--purge", "--json", new.fact.id, MEMORY_PLUGIN_YES="1").returncode == 2
    done = command("forget", "--purge", "--json", "--yes", new.fact.id, MEMORY_PLUGIN_YES="1")
    said = json.loads(done.stdout)
    assert f"{new.path}#L{new.line}" in said["removed"]
    assert (said["not_removed"], said["notes"]) == ([], [])
    assert said["out_of_reach"]
    assert said["replaced"] == [{"id": old.fact.id, "text": STAGING}]


def test_what_a_purge_has_left_is_an_error(
    sandbox: Sandbox, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_YES", "1")
    monkeypatch.setattr(purge, "_without_lines", lambda path, home, wanted, before: before)
    place = held(sandbox, "staging")
    with pytest.raises(click.ClickException) as error:
        purging.purge_fact(place.fact.id, str(sandbox.project), yes=True, as_json=False)
    assert f"not removed from {place.path}#L{place.line}" in error.value.message
    assert "Purged" not in capsys.readouterr().out


@pytest.mark.parametrize("relation", ["supersedes", "contradicts"])
def test_what_a_forgotten_fact_had_replaced_is_named(
    command: Command, sandbox: Sandbox, home: Path, relation: str
) -> None:
    old, new = held(sandbox, "staging"), held(sandbox, "production")
    amendments.replaced(str(home), old, new, relation=relation, how="x")
    said = json.loads(command("forget", "--json", new.fact.id).stdout)
    assert said["replaced"] == [{"id": old.fact.id, "text": STAGING}]
    assert f"does not hold again:\n  {STAGING}\n  `memory-plugin undo {old.fact.id}`" in said["said"]
    assert command("undo", old.fact.id).returncode == 0
    assert held(sandbox, "staging").fact.status == "active"


def test_of_two_facts_in_the_same_words_that_of_every_project_is_marked(command: Command, home: Path) -> None:
    command("add", "--global", STAGING)
    listed = [line for line in command("forget", "staging port").stderr.splitlines() if STAGING in line]
    assert sorted(line.endswith("(of every project)") for line in listed) == [False, True]


def test_a_fact_that_holds_no_more_holds_again_when_it_is_added(command: Command, sandbox: Sandbox, home: Path) -> None:
    amendments.replaced(
        str(home), held(sandbox, "staging"), held(sandbox, "production"), relation="supersedes", how="x"
    )
    assert command("add", STAGING).stdout.startswith("Noted: ")
    assert held(sandbox, "staging").fact.status == "active"
    assert command("add", STAGING).stdout.startswith("Known already: ")


def test_what_the_skill_and_the_agents_run_are_commands_that_exist() -> None:
    texts = [path.read_text(encoding="utf-8") for path in REPOSITORY.glob("skills/*/SKILL.md")]
    named = {name for text in texts for name in re.findall(r'bin/memory-plugin" ([a-z]+)', text)}
    assert named >= {"search", "add", "correct", "confirm", "tasks", "trace", "undo"}
    assert named <= set(main.commands)


@pytest.mark.parametrize("held_open", [False, True], ids=["free", "in use"])
def test_without_a_service_that_cleans_it_the_index_goes_as_a_whole(sandbox: Sandbox, held_open: bool) -> None:
    (sandbox.state / "index.lance" / "data").mkdir(parents=True)
    lock = try_lock(str(sandbox.state / "index.lock")) if held_open else None
    said = purging.removed_index(str(sandbox.state), OSError("no environment"))
    assert (sandbox.state / "index.lance").exists() == held_open
    assert ("reindex --rebuild" in said) == held_open
    if lock:
        lock.close()
