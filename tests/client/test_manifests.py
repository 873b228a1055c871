"""What the client reads before any code of ours runs."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.data import REPOSITORY

EVENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreCompact": "pre_compact",
    "SessionEnd": "session_end",
}


def read_json(name: str) -> dict[str, Any]:
    document = json.loads((REPOSITORY / name).read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def hook_entry(event: str) -> dict[str, Any]:
    (group,) = read_json("hooks/hooks.json")["hooks"][event]
    assert set(group) == {"hooks"}, "a matcher would leave out some sources"
    (entry,) = group["hooks"]
    assert isinstance(entry, dict)
    return entry


def test_the_manifest_at_the_top_equals_the_one_that_the_client_reads() -> None:
    manifest = REPOSITORY / ".claude-plugin" / "plugin.json"
    assert not manifest.is_symlink(), "older clients turn a link into an absolute one"
    assert (REPOSITORY / "plugin.json").read_bytes() == manifest.read_bytes()


def test_the_plugin_has_the_version_of_the_package() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.+)"$', project, re.MULTILINE)
    assert found is not None
    assert read_json("plugin.json")["version"] == found[1]


def test_the_marketplace_offers_the_plugin_under_its_own_name() -> None:
    (offer,) = read_json(".claude-plugin/marketplace.json")["plugins"]
    assert (offer["name"], offer["source"]) == (read_json("plugin.json")["name"], "./")


def test_only_events_that_every_version_knows_are_hooked() -> None:
    # One unknown event name, and a client up to 2.1.150 loads none of the hooks.
    assert set(read_json("hooks/hooks.json")["hooks"]) == set(EVENTS)


@pytest.mark.parametrize(("event", "script"), EVENTS.items())
def test_each_event_runs_its_own_script(event: str, script: str) -> None:
    assert script in hook_entry(event)["command"]
    assert (REPOSITORY / "hooks" / f"{script}.py").is_file()


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_whose_files_are_gone_succeeds_and_prints_nothing(event: str, tmp_path: Path) -> None:
    # Exit code 2, which a missing script gives, blocks every prompt in clients up to 2.1.150.
    entry = hook_entry(event)
    outcome = subprocess.run(
        ["/bin/sh", "-c", entry["command"]],
        env={"PATH": "/usr/bin:/bin", "CLAUDE_PLUGIN_ROOT": str(tmp_path / "gone")},
        input=b"{}",
        capture_output=True,
    )
    assert (outcome.returncode, outcome.stdout) == (0, b"")


def test_the_command_text_is_short_since_the_client_shows_it_at_a_compaction() -> None:
    assert len(hook_entry("PreCompact")["command"]) <= 70


def test_the_slash_command_may_run_the_launcher_quoted_or_not_and_nothing_else() -> None:
    # Which of the two forms has to match depends on the client's version.
    text = (REPOSITORY / "commands" / "memory.md").read_text(encoding="utf-8")
    (allowed,) = re.findall(r"^allowed-tools: (.+)$", text, re.MULTILINE)
    launcher = "${CLAUDE_PLUGIN_ROOT}/bin/memory-plugin"
    assert allowed.split(", ") == [f'Bash("{launcher}" slash:*)', f"Bash({launcher} slash:*)"]


def test_the_arguments_of_the_slash_command_reach_the_shell_only_inside_a_quoted_here_document() -> None:
    text = (REPOSITORY / "commands" / "memory.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```!\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    opening, arguments, *_, closing = block.splitlines()
    assert opening.endswith(f"<<'{closing}'")
    assert arguments == "$ARGUMENTS"
    assert text.count("$ARGUMENTS") == 1


def test_the_skill_has_a_name_that_hides_nothing_and_needs_no_permission_to_be_read() -> None:
    text = (REPOSITORY / "skills" / "memory-recall" / "SKILL.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    assert "name: memory-recall\n" in front
    assert "allowed-tools" not in front, "with it the client asks before it loads the skill"
    assert "Verify before you rely on it" in body
