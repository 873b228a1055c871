"""Fixtures of this folder."""

from __future__ import annotations

from tests.support.world import world

__all__ = ["world"]
