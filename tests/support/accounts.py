"""Accounts of prompts, as the tests of several folders want them."""

from __future__ import annotations

from typing import Any

from memory_plugin.memory.accounts import Account, Considered, Figures

FIGURES: dict[str, Any] = {
    "nearness": 0.9,
    "wanted": 0.27,
    "importance": 0.6,
    "confidence": 0.7,
    "recency": 1.0,
    "beside": 0.0,
    "diversity": 0.0,
    "least": 0.3,
    "clear": 0.34,
}


def considered(reason: str = "in", **changes: Any) -> Considered:
    """A note that a prompt met; figures are changed by their names."""
    figures = Figures(**{name: changes.pop(name, value) for name, value in FIGURES.items()})
    fields: dict[str, Any] = {
        "id": "7k2m9qab",
        "label": "reference",
        "date": "2026-11-30",
        "text": "Staging listens on port 8123.",
        "source": "/home/shop-1/2026-11-30.md#L3",
        "score": 0.52,
        "keyword": 0.4,
        "words": ("port", "staging"),
        "figures": figures,
        "reason": reason,
    }
    return Considered(**{**fields, **changes})


def account(*notes: Considered, **changes: Any) -> Account:
    """What was done with a prompt."""
    shown = any(each.reason == "in" for each in notes)
    fields: dict[str, Any] = {
        "at": "2026-11-30T14:32:00+00:00",
        "session": "5e551000-1",
        "namespace": "shop-1",
        "prompt": "which port does staging have?",
        "gate": "",
        "reason": "" if shown else "nothing in memory is relevant enough",
        "spoken": True,
        "asks": "",
        "together": False,
        "degraded": False,
        "tokens": 61 if shown else 0,
        "looked_at": len(notes),
        "considered": notes,
    }
    return Account(**{**fields, **changes})
