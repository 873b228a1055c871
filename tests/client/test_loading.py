"""The client accepts the plugin, in both ways of installing it, and its hooks run."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.dialogue import DECISION, script
from tests.support.claude import NEWEST, World
from tests.support.data import REPOSITORY
from tests.support.fake_anthropic import FakeAnthropic
from tests.support.patience import eventually

PARTS = (
    ".claude-plugin",
    "hooks",
    "commands",
    "skills",
    "agents",
    "bin",
    "memory_plugin",
    "plugin.json",
    "pyproject.toml",
)


def copy_of_the_plugin(folder: Path) -> Path:
    """The plugin's own files, as a clone would have them."""
    folder.mkdir(parents=True)
    for name in PARTS:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


@pytest.mark.parametrize("target", [".", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
def test_the_client_finds_the_manifests_valid(world: World, target: str) -> None:
    outcome = world.run("plugin", "validate", str(REPOSITORY / target))
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "Validation passed" in outcome.stdout


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_every_hook_of_a_session_exits_with_success_and_complains_of_nothing(world: World, api: FakeAnthropic) -> None:
    script(api)
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
        talk.say("Good. What is next?")
    reports = [(hook["hook_event"], hook["exit_code"], hook["outcome"], hook["stderr"]) for hook in talk.hooks()]
    started = ("SessionStart", 0, "success", "")
    prompted = ("UserPromptSubmit", 0, "success", "")
    assert reports == [started, prompted, started, prompted]


@pytest.mark.parametrize("name", ["with a space", "l'été $HOME `id`"])
def test_the_hooks_run_from_a_folder_of_any_name(world: World, api: FakeAnthropic, tmp_path: Path, name: str) -> None:
    script(api)
    world = replace(world, plugins=(copy_of_the_plugin(tmp_path / name),))
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
        talk.say("/compact")
    assert "LanceDB" in world.log("orchard")


def test_the_marketplace_installs_the_plugin_and_its_removal_leaves_the_memory(
    world: World, api: FakeAnthropic, tmp_path: Path
) -> None:
    script(api)
    clone = copy_of_the_plugin(tmp_path / "clone")
    world = replace(world, plugins=())
    for arguments in (("marketplace", "add", str(clone)), ("install", "memory-plugin@memory-plugin")):
        outcome = world.run("plugin", *arguments)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    with world.conversation(world.project("orchard")) as talk:
        talk.say(DECISION)
    assert eventually(lambda: "LanceDB" in world.log("orchard"))

    outcome = world.run("plugin", "uninstall", "memory-plugin@memory-plugin")
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    with world.conversation(world.project("orchard")) as talk:
        talk.say("Good morning.")
    assert "memory-notes" not in api.about("Good morning.").text
    assert "LanceDB" in world.log("orchard")
