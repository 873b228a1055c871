from __future__ import annotations

import pytest

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import Candidate
from memory_plugin.memory.transcript import Message, Role


def after(role: Role, text: str, progress: Progress | None = None) -> list[Candidate]:
    """What a message leaves, at the start of a conversation."""
    return extract(Message(role, text, "u", "s", "2026-11-18T10:00:00Z", 1), progress or Progress(said=900))[0]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("The kiosk listens on port 9100 in the workshop.", "reference"),
        ("The posters are printed from the database in Oslo.", "reference"),
        ("Done. The labels are now started with `label print`, 40 passed.", "procedure"),
        ("The workers start with `loom weave`.", "procedure"),
        ("The catalogue goes online every Thursday morning.", "procedure"),
        ("Ada reviews, Ravi owns the shop floor.", "relationship"),
        ("`LOAN_DAYS = 21` as default in the settings.", "project"),
        ("The loan limit is 12 books.", "project"),
        ("The catalogue runs Koha 23.11 on the old server.", "project"),
        ("Le serveur écoute sur le port 9100.", "reference"),
    ],
)
def test_a_value_that_the_assistant_states_is_a_fact_of_its_own(text: str, category: str) -> None:
    assert [fact.category for fact in after("assistant", text)] == [category]


@pytest.mark.parametrize(
    "text",
    [
        "`label print`: 153 passed.",
        "The shelf could take a limit of 12 books.",
        "Shall I set the limit to 12 books?",
        "I measured the limit: 12 books.",
    ],
)
def test_what_a_run_printed_or_what_could_be_is_no_value(text: str) -> None:
    assert after("assistant", text) == []


def test_each_item_of_an_overview_that_names_a_value_is_a_fact() -> None:
    text = (
        "Overview of the shop:\n\n- `till/`: the till server. Development port 4100.\n- `web/`: the pages.\n"
        "- `deploy/`: playbooks for 2 hosts, the inventory says Linode."
    )
    assert [fact.text for fact in after("assistant", text)][:2] == [
        "Overview of the shop: `till/`: the till server. Development port 4100.",
        "Overview of the shop: `deploy/`: playbooks for 2 hosts, the inventory says Linode.",
    ]


def test_a_long_conversation_has_no_room_beside_its_share() -> None:
    text = "\n\n".join(f"The shelf number {number} listens on port {9100 + number} now." for number in range(40))
    assert len(after("assistant", text)) <= 6
    assert (
        after("assistant", "The kiosk listens on port 9100 in the workshop.", Progress(said=50_000, kept=50_000)) == []
    )


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("By the way I write in Emacs, so no tips for others.", "preference"),
        ("We print everything online on Fridays and we ship it out every Monday.", "procedure"),
        ("One more: the loan of a book while somebody waits is 14 days.", "reference"),
    ],
)
def test_what_the_user_states_in_passing_is_kept(text: str, category: str) -> None:
    assert [fact.category for fact in after("user", text)] == [category]


def test_what_the_user_has_just_said_is_not_kept_again_from_the_echo() -> None:
    progress = Progress(said=900, asked="It is 12 books per reader, I think.")
    assert after("assistant", "OK, 12 books per reader.", progress) == []
