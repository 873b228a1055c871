"""How much of the machine the service takes."""

from __future__ import annotations

from memory_plugin.service.footprint import memory_in_use


def test_it_says_what_it_holds_of_memory() -> None:
    assert 1 << 20 < memory_in_use() < 1 << 36
