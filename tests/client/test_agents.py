"""The two agents that come with the plugin, as the real client takes them."""

from __future__ import annotations

import re
import shlex

import pytest

from memory_plugin.cli import main
from tests.client.test_loading import PARTS
from tests.support.claude import NEWEST, World
from tests.support.data import REPOSITORY
from tests.support.fake_anthropic import FakeAnthropic, Reply

AGENTS = ("memory-curator", "memory-quick")
LAUNCHER = '"${CLAUDE_PLUGIN_ROOT}/bin/memory-plugin"'


def parts_of(agent: str) -> tuple[dict[str, str], str]:
    """An agent's front matter and its instruction."""
    _, front, body = (REPOSITORY / "agents" / f"{agent}.md").read_text(encoding="utf-8").split("---\n", 2)
    return dict(line.split(": ", 1) for line in front.splitlines()), body


def test_these_are_all_agents() -> None:
    assert sorted(path.stem for path in (REPOSITORY / "agents").iterdir()) == list(AGENTS)
    assert "agents" in PARTS, "a copy of the plugin has them too"


LOOKING = ("search", "recall", "trace")
MAY_RUN = {
    "memory-quick": LOOKING,
    "memory-curator": (*LOOKING, "status", "review --dry-run", "correct", "confirm", "forget", "undo"),
}


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_is_small_and_may_run_only_what_it_needs(agent: str) -> None:
    front, _ = parts_of(agent)
    assert set(front) == {"name", "description", "tools", "model"}
    assert (front["name"], front["model"]) == (agent, "haiku")
    assert front["tools"] == ", ".join([*(f"Bash({LAUNCHER} {each}:*)" for each in MAY_RUN[agent]), "Read"])
    assert ": " not in front["description"], "YAML would read it as a mapping"


@pytest.mark.parametrize("agent", AGENTS)
def test_every_command_that_an_agent_is_told_of_exists(agent: str) -> None:
    _, body = parts_of(agent)
    lines = [line for block in re.findall(r"```bash\n(.*?)```", body, re.DOTALL) for line in block.splitlines()]
    spoken = [shlex.split(line, comments=True) for line in lines if not line.startswith("M=")]
    assert len(spoken) >= 3
    for program, name, *arguments in spoken:
        assert program in ("$M", LAUNCHER.strip('"'))
        assert name in {each.split()[0] for each in MAY_RUN[agent]}
        command = main.commands[name]
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in arguments if word.startswith("-")} <= options


def test_the_client_offers_both(world: World) -> None:
    with world.conversation(world.project("orchard")) as talk:
        talk.say("Good morning.")
    (began,) = (event for event in talk.events if event.get("subtype") == "init")
    assert {f"memory-plugin:{agent}" for agent in AGENTS} <= set(began["agents"])


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_runs_on_the_small_model_with_two_tools_and_knows_the_path(
    world: World, api: FakeAnthropic, agent: str
) -> None:
    call = {
        "description": "look",
        "prompt": "Which port did we give the quince?",
        "subagent_type": f"memory-plugin:{agent}",
        "run_in_background": False,
    }
    api.on("Please delegate", Reply(tool="Agent", tool_input=call), uses=1)
    with world.conversation(world.project("orchard")) as talk:
        talk.say("Please delegate.")
    (request,) = (each for each in api.requests if "haiku" in str(each.body.get("model")))
    assert "quince" in request.text
    assert [tool["name"] for tool in request.body["tools"]] == ["Bash", "Read"]
    assert f'"{REPOSITORY}/bin/memory-plugin" ' in request.text or f'M="{REPOSITORY}/bin/memory-plugin"' in request.text
    assert "CLAUDE_PLUGIN_ROOT" not in request.text


@pytest.mark.parametrize("version", [NEWEST], indirect=True)
def test_the_client_finds_the_agents_valid(world: World) -> None:
    outcome = world.run("plugin", "validate", str(REPOSITORY))
    assert "Validation passed" in outcome.stdout
    assert all(f"agents: memory-plugin:{agent}" in outcome.stdout for agent in AGENTS)
