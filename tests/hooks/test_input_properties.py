"""Whatever stands on a hook's standard input: exit code 0, output that the client takes, a line in the log."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_plugin.memory.summary import INSTRUCTION
from tests.support.strategies import hook_inputs, junk
from tests.support.world import World

TAKES = {
    "session_start": lambda output: not output or isinstance(json.loads(output), dict),
    "user_prompt_submit": lambda output: not output,  # no service is there to answer
    "pre_compact": lambda output: output in (b"", (INSTRUCTION + "\n").encode()),
    "session_end": lambda output: not output,
}


def is_event(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.decode("utf-8", errors="replace")), dict)
    except (ValueError, RecursionError):
        return False


@pytest.mark.parametrize("hook", TAKES)
@settings(max_examples=15)
@given(data=st.data())
def test_any_input_ends_with_0_and_prints_what_the_client_takes(world: World, hook: str, data: st.DataObject) -> None:
    world.transcript.parent.mkdir(exist_ok=True)
    world.transcript.write_bytes(b"\n".join(data.draw(st.lists(junk, max_size=3))))
    raw, logged = data.draw(hook_inputs(str(world.transcript))), len(world.log())
    output = world.hook(hook, raw).stdout  # which sees to the exit code and standard error
    assert TAKES[hook](output)
    if hook != "user_prompt_submit" and not is_event(raw):
        assert output == b""
        assert world.log()[logged:] == [f"standard input is no JSON object ({len(raw)} bytes)"]
