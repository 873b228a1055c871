from __future__ import annotations

from datetime import date

import pytest

from memory_plugin.memory.extraction.dating import dated

WEDNESDAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("We painted the hall on Monday.", "2026-11-16"),
        ("On Monday we painted the hall.", "2026-11-16"),
        ("The oven broke on Saturday.", "2026-11-14"),
        ("Let's paint the door you told me about on Monday.", "2026-11-16"),
        ("No paint was left since May, by the way.", "2026-05"),
        ("As of Friday the kiosk uses German.", "2026-11-13"),
        ("On a livré la maquette lundi.", "2026-11-16"),
        ("Depuis lundi le four est froid.", "2026-11-16"),
    ],
)
def test_what_happened_gets_the_day_that_was(text: str, written: str) -> None:
    assert f"({written})" in dated(text, "event", WEDNESDAY)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Bake the bread Saturday.", ""),
        ("The invoices are sorted, print them Friday.", "2026-11-20"),
        ("Ship the cake Friday.", "2026-11-20"),
        ("The supplier announced that the pallets get moved in February.", "2027-02"),
        ("The new baker starts on Thursday.", "2026-11-19"),
        ("The oven broke and gets replaced on Thursday.", "2026-11-19"),
        ("The museum opens December 14 now.", "2026-12-14"),
        ("Le four sera changé en janvier.", "2027-01"),
        ("Lucie arrive lundi.", "2026-11-23"),
    ],
)
def test_what_is_planned_or_ordered_gets_the_coming_day_or_none(text: str, written: str) -> None:
    found = dated(text, "event", WEDNESDAY)
    assert f"({written})" in found if written else found == text


@pytest.mark.parametrize(
    "text",
    [
        "Tuesday is the day the newsletter goes out.",
        "We bake on Friday.",
        "On livre le jeudi.",
        "Nobody bakes on Friday.",
        "La maquette est livrée le lundi.",
        "The newsletter goes out on Tuesdays.",
        "Wednesday is baking day.",
    ],
)
def test_what_recurs_or_may_be_any_week_gets_no_day(text: str) -> None:
    assert dated(text, "event", WEDNESDAY) == text


def test_a_weekend_to_come_is_not_taken_for_the_one_that_was() -> None:
    assert dated("J'ai repeint l'atelier ce week-end.", "event", WEDNESDAY) == "J'ai repeint l'atelier ce week-end."


def test_the_date_stands_after_the_whole_word() -> None:
    assert dated("Last night's bake was burnt.", "event", WEDNESDAY) == "Last night's (2026-11-17) bake was burnt."
