"""Which facts hold in every project."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_plugin.memory import flush
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.scope import holds_everywhere
from tests.support.transcripts import conversation
from tests.support.world import World


def candidate(text: str, category: str = "preference", subject: str = "user") -> Candidate:
    return Candidate(text, category, "prefers", subject, "-", 0.8, 0.7)


@pytest.mark.parametrize(
    "text",
    [
        "A few things about me: keep answers short and use no emojis anywhere.",
        "Please answer in French when I write in French.",
        "Désormais, réponds-moi en anglais.",
        "Règle générale : quand j'écris en allemand tu me réponds en allemand.",
        "Call me Ren, everybody does.",
        "The user always wants answers in French.",
        "The user prefers short explanations.",
        "Commit messages are in English from now on, in all my projects.",
        "Les messages de commit sont en français, sur les deux projets.",
        "Never push by yourself, whatever the repo.",
        "Every project of mine has an English README.",
        "I want every repo to have a licence.",
        "Each project gets its own virtual environment.",
        "Write commit messages in the imperative in each of my repositories.",
        "Quel que soit le projet, jamais de push sans demander.",
        "Reply in German, with few words.",
        "In all my repositories the database password stays out of the code.",
        "Give me a solution first, explanations in short.",
    ],
)
def test_how_to_speak_to_the_user_and_what_names_all_projects_holds_everywhere(text: str) -> None:
    assert holds_everywhere(candidate(text))


@pytest.mark.parametrize(
    "text",
    [
        "From now on, run the tests with pnpm.",
        "Put Ines as reviewer everywhere.",
        "The bot of this project must answer in English.",
        "Responses of the API never hold an envelope, keep `data` at the top.",
        "On livre le jeudi, partout.",
        "I prefer small functions here.",
        "Use four spaces in src/legacy.",
    ],
)
def test_what_belongs_to_the_project_stays_there(text: str) -> None:
    assert not holds_everywhere(candidate(text))


@pytest.mark.parametrize(
    "text",
    [
        "From now on, every repository class gets a docstring.",
        "Always build each project in the solution before you push.",
        "All repositories inherit from SqlStore.",
        "I want every repository to be stubbed in unit tests.",
        "Inject all repositories through the constructor.",
        "Each repository method is async.",
        "From now on, all projects in the monorepo use nox.",
        "Every project of the workspace shares one lock file.",
        "Keep every project file sorted by name.",
        "Don't touch any project settings by hand.",
        "Never edit all project files at once.",
        "Désormais, chaque projet de la solution a son propre fichier de tests.",
        "Tous les projets du monorepo partagent un lint.",
        "In all projects below src/legacy, leave the formatting alone.",
        "Run the linter in every project of this repo.",
    ],
)
def test_the_projects_and_repositories_of_one_program_stay_with_it(text: str) -> None:
    assert not holds_everywhere(candidate(text))


@pytest.mark.parametrize(
    "text",
    [
        "Always respond with 404 when the booking is missing.",
        "Never respond with a 500 when the cache is down, respond with a 503.",
        "Reply with an error code when the token is stale.",
        "Answer with JSON only, never HTML.",
        "Keep error responses short and without stack traces.",
        "Please never return HTTP responses in French.",
        "Support replies are always in English.",
        "Give me brief responses in the logs.",
        "No emojis in the UI.",
        "The user gets short answers, never more than a line.",
        "Show the user brief answers.",
        "The webhook must answer in French, whoever calls.",
        "Réponds toujours 404 quand la commande manque.",
        "Les réponses d'erreur sont toujours courtes, réponds en anglais.",
    ],
)
def test_how_a_program_answers_stays_with_it(text: str) -> None:
    assert not holds_everywhere(candidate(text))


def test_who_the_user_is_holds_everywhere_unless_it_is_about_the_project() -> None:
    assert holds_everywhere(candidate("I'm Oda Lind, a data engineer in Bergen.", "identity"))
    assert holds_everywhere(candidate("The user's name is Oda Lind.", "identity"))
    assert not holds_everywhere(candidate("I'm the one who maintains this repo.", "identity"))
    assert not holds_everywhere(candidate("The service is called Tern.", "identity", "project"))


@pytest.mark.parametrize("category", ["decision", "lesson", "reference", "event", "goal"])
def test_no_decision_or_event_of_a_project_leaves_it(category: str) -> None:
    assert not holds_everywhere(candidate("Both repos were moved to the new host.", category, "project"))


def test_a_flush_writes_what_holds_everywhere_into_global(world: World) -> None:
    world.say(["From now on, always answer me in French.", "From now on, always run the tests with nox."])
    flush.flush_transcript(str(world.transcript), trigger="test", home=str(world.home), state=str(world.state))
    [everywhere] = (world.home / "global").glob("2*.md")
    [here] = world.notes.glob("2*.md")
    assert "answer me in French" in everywhere.read_text()
    assert "nox" not in everywhere.read_text()
    assert "nox" in here.read_text()
    assert "French" not in here.read_text()


def test_a_second_flush_of_it_writes_nothing(world: World, tmp_path: Path) -> None:
    texts = ["From now on, always answer me in French."]
    world.say(texts)
    for transcript in (world.transcript, conversation(tmp_path / "other.jsonl", texts, cwd=world.project)):
        flush.flush_transcript(str(transcript), trigger="test", home=str(world.home), state=str(world.state))
    assert sum(line.count("answer me in French") for line in world.facts()) == 1
