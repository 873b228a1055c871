"""The example shows every setting with its default, and the README explains it."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest

from memory_plugin.memory.settings import Settings, as_json
from tests.support.data import REPOSITORY


def test_the_example_is_the_defaults() -> None:
    example = json.loads((REPOSITORY / "settings.example.json").read_text(encoding="utf-8"))
    assert example == as_json(Settings())


@pytest.mark.parametrize("section", [each.name for each in fields(Settings)])
def test_the_readme_explains_every_setting(section: str) -> None:
    table = (REPOSITORY / "README.md").read_text(encoding="utf-8").split("## Settings")[1]
    rows = [line for line in table.splitlines() if line.startswith(f"| `{section}.")]
    named = {name.split(".")[-1] for line in rows for name in re.findall(r"`([\w.]+)`", line.split("|")[1])}
    assert named == {each.name for each in fields(getattr(Settings(), section))}
