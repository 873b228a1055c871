"""Fixtures that several folders of tests share."""

from __future__ import annotations

from tests.support.ollama_server import ollama

__all__ = ["ollama"]
