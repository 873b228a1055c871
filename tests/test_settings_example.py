"""The example shows every setting with its default."""

from __future__ import annotations

import json

from memory_plugin.memory.settings import Settings, as_json
from tests.support.data import REPOSITORY


def test_the_example_is_the_defaults() -> None:
    example = json.loads((REPOSITORY / "settings.example.json").read_text(encoding="utf-8"))
    assert example == as_json(Settings())
