"""How long the service took for each hook."""

from __future__ import annotations

import json

import pytest

from memory_plugin.service.timings import KEPT, Timings


def test_nothing_was_asked_yet() -> None:
    assert Timings().status() == {}


def test_each_hook_has_its_own_times() -> None:
    timings = Timings()
    for hook in ("prompt", "session_end", "prompt"):
        with timings.measured(hook):
            pass
    found = timings.status()
    assert {hook: each["answered"] for hook, each in found.items()} == {"prompt": 2, "session_end": 1}
    assert all(0 <= each["median_ms"] <= each["p95_ms"] for each in found.values())
    assert json.loads(json.dumps(found)) == found


def test_what_fails_took_its_time_too() -> None:
    timings = Timings()
    with pytest.raises(ValueError, match="mine"), timings.measured("prompt"):
        raise ValueError("mine")
    assert timings.status()["prompt"]["answered"] == 1


def test_the_last_ones_are_kept() -> None:
    timings = Timings()
    for _ in range(KEPT + 5):
        with timings.measured("prompt"):
            pass
    found = timings.status()["prompt"]
    assert found["answered"] == len(found["milliseconds"]) == KEPT
    assert min(found["milliseconds"]) <= found["median_ms"] <= found["p95_ms"] <= max(found["milliseconds"])
