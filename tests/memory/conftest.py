"""Fixtures of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.world import world

__all__ = ["world"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The empty folder of a namespace."""
    path = tmp_path / "shop-1"
    path.mkdir()
    return path
