"""Which prompts are worth a search."""

from __future__ import annotations

import pytest

from memory_plugin.index.gate import asks_anything, asks_memory, asks_tasks, refusal


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
        "which CI do we use?",
        "is it Go?",
        "why Go?",
        "what does the CI run on?",
    ],
)
def test_a_prompt_that_may_need_something_passes(prompt: str) -> None:
    assert refusal(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "asks"),
    [
        ("which database did we choose, and why?", True),
        ("what have we agreed on for the release?", True),
        ("What's our rule for migrations?", True),
        ("remind me who owns the DNS", True),
        ("qu'avait-on décidé pour les paiements ?", True),
        ("Rappelle-moi l'adresse du serveur", True),
        ("was haben wir letztes Mal entschieden?", True),
        ("上次说的数据库是哪个？", True),
        ("which port does our API listen on these days?", True),
        ("A customer wants to know how long we keep his data.", True),
        ("At which registrar were the domains before?", True),
        ("who looks after the search cluster here?", True),
        ("is the move to the new queue still to do?", True),
        ("do I still have to write the runbook?", True),
        ("since when do we sign the releases?", True),
        ("how do we start the workers?", True),
        ("how do I run the end-to-end tests?", True),
        ("qui relit nos demandes de fusion ?", True),
        ("c'était quoi déjà notre hébergeur ?", True),
        ("la migration, c'est fait ?", True),
        ("what's the difference between a list and a tuple?", False),
        ("why does this test fail?", False),
        ("how do I run a shell command from Python?", False),
        ("what would happen if I deleted this line?", False),
        ("comment trier une liste en Python ?", False),
        ("who would you rather be?", False),
        (f"{'A long report of what I tried. ' * 20} which of these goes first here?", False),
        ("write a haiku about the sea", False),
        ("fix the login form", False),
        ("how do I sort a list in Python?", False),
        ("ajoute un bouton en bas de la page", False),
    ],
)
def test_a_prompt_that_asks_for_the_memory_is_known(prompt: str, asks: bool) -> None:
    assert bool(asks_memory(prompt)) is asks


@pytest.mark.parametrize(
    ("prompt", "asks"),
    [
        ("what is still open?", True),
        ("What's left to do?", True),
        ("what do we still have to do?", True),
        ("any open tasks?", True),
        ("qu'est-ce qu'il reste à faire ?", True),
        ("quelles sont les tâches ouvertes ?", True),
        ("what is the open port?", False),
        ("open the file and tell me what is wrong", False),
        ("il faut faire le ménage", False),
        (f"what is still open? {'And here is a long log of it. ' * 5}", False),
    ],
)
def test_a_prompt_that_asks_what_is_still_to_be_done_is_known(prompt: str, asks: bool) -> None:
    assert asks_tasks(prompt) is asks


@pytest.mark.parametrize(
    "prompt",
    [
        "When is Easter this year?",
        "who wrote Hamlet?",
        "How many planets were discovered since 1990?",
        "does python have tail calls yet?",
        "Which sorting algorithm is used here?",
    ],
)
def test_what_anybody_may_be_asked_is_not_surely_asked_of_the_memory(prompt: str) -> None:
    assert asks_memory(prompt) != "surely"


@pytest.mark.parametrize("prompt", ["which port does our API listen on?", "qui relit nos demandes de fusion ?"])
def test_what_is_so_here_is_surely_asked_of_the_memory(prompt: str) -> None:
    assert asks_memory(prompt) == "surely"


@pytest.mark.parametrize(
    ("prompt", "question"),
    [
        ("which port?", True),
        ("which port? i forgot", True),
        ("Où est le port ?", True),
        ("Où est le port ? Je l'ai oublié", True),
        ("Fix it.\nDid we agree on that?\nThanks.", True),
        ('why "staging"?)', True),
        ("数据库是什么？", True),
        ("fix `x ? a : b` in the parser", False),
        ("see https://example.org/?a=b", False),
        ("rename this", False),
    ],
)
def test_a_question_is_told_from_an_order(prompt: str, question: bool) -> None:
    assert asks_anything(prompt) is question
