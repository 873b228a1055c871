"""Which prompts are worth a search."""

from __future__ import annotations

import pytest

from memory_plugin.index.gate import refusal


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("/compact", "slash command"),
        ("/memory-plugin:memory search lancedb", "slash command"),
        ("<task-notification>\n<task-id>x</task-id>", "made by a machine"),
        ("<system-reminder>The date changed.</system-reminder>", "made by a machine"),
        ("<bash-input>ls</bash-input>", "made by a machine"),
        ("<local-command-stdout>ok</local-command-stdout>", "made by a machine"),
        ("yes", "says only to go on"),
        ("Yes, go on.", "says only to go on"),
        ("continue", "says only to go on"),
        ("ok merci", "says only to go on"),
        ("oui vas-y", "says only to go on"),
        ("d'accord, parfait !", "says only to go on"),
        ("looks good, please proceed", "says only to go on"),
        ("ja bitte", "says only to go on"),
        ("👍", "says only to go on"),
        ("???", "says only to go on"),
        ("what was that?", "says only to go on"),
        ("why not?", "says only to go on"),
        ("run the tests", "says only to go on"),
    ],
)
def test_a_prompt_that_needs_nothing_is_refused(prompt: str, why: str) -> None:
    assert refusal(prompt) == why


@pytest.mark.parametrize(
    "prompt",
    [
        "which database do we use?",
        "deploy",
        "fix the checkout test",
        "/etc/nginx/nginx.conf is broken",
        "why <b>bold</b>?",
        "<MyComponent> does not render",
        "yes, use port 8443",
        "continue with the migration",
        "où est le cahier des charges ?",
        "データベースは？",
        "run the tests of the billing module",
        "how do I run the tests?",
        "comment lancer les tests ?",
        "where do we push?",
    ],
)
def test_a_prompt_that_may_need_something_passes(prompt: str) -> None:
    assert refusal(prompt) is None
