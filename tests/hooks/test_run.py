"""The script that the client starts every hook by."""

from __future__ import annotations

import pytest

from memory_plugin.memory.summary import INSTRUCTION
from tests.support.environment import linked_environment
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
