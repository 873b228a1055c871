"""The script that the client starts every hook by."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory_plugin.memory.summary import INSTRUCTION
from tests.support.data import REPOSITORY
from tests.support.environment import linked_environment
from tests.support.nobody import as_nobody, given_to_nobody, use_system_python_for_nobody
from tests.support.patience import PATIENCE, eventually
from tests.support.transcripts import stated
from tests.support.world import World


@pytest.mark.parametrize(
    ("hook", "printed", "later"), [("pre_compact", f"{INSTRUCTION}\n", 0.0), ("session_end", "", PATIENCE)]
)
def test_a_hook_does_its_work_in_the_plugins_own_environment(
    world: World, hook: str, printed: str, later: float
) -> None:
    world.variables["MEMORY_PLUGIN_ENV"] = str(linked_environment(world.root / "environment"))
    world.say([stated(0)])
    assert world.hook(hook).stdout == printed.encode()
    assert eventually(lambda: len(world.facts()) == 1, later)


def read_only_copy(folder: Path) -> Path:
    """The plugin as another user installed it: nothing compiled, and nothing to be written."""
    for part in ("hooks", "memory_plugin"):
        shutil.copytree(REPOSITORY / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def test_a_plugin_that_may_not_be_written_is_compiled_into_the_state_folder(world: World) -> None:
    plugin = read_only_copy(world.root / "plugin")
    state = world.root / "a state"
    state.mkdir()
    world.variables["MEMORY_PLUGIN_STATE"] = str(state)
    world.say([stated(0)])
    given_to_nobody(world)
    use_system_python_for_nobody(world)
    for hook in ("pre_compact", "user_prompt_submit"):
        assert as_nobody(world, hook, run=plugin / "hooks" / "run").returncode == 0
    assert len(world.facts()) == 1
    compiled = {path.name.split(".")[0] for path in state.rglob("*.pyc")}
    assert {"doorbell", "places", "flush"} <= compiled
    assert not list(plugin.rglob("__pycache__"))
