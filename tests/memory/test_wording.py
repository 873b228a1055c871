"""Where a fact's words stand in a page of the history."""

from __future__ import annotations

import pytest

from memory_plugin.memory import wording

FACT = "The boss of Étienne is called Zacharias Zimmermann."
FORMER = "Étienne's boss is Zacharias Zimmermann, since May."


@pytest.mark.parametrize(
    ("page", "left"),
    [
        (f"**User 14:32:** {FACT} Right?", "**User 14:32:** [purged]. Right?"),
        ("**User 14:32:** the boss of Étienne\nis called ZACHARIAS\nZimmermann", "**User 14:32:** [purged]"),
        ("- the boss of\n  > Étienne is called *Zacharias* Zimmermann", "- [purged]"),
        ("## 14:32 Well, the boss of Étienne is", "## 14:32 Well, [purged]"),
        ("## 14:32 The boss of Étienne is called Zacha…", "## 14:32 [purged]…"),
        ('- Bash `add "The boss of Étienne is ca…` → ok', '- Bash `add "[purged]…` → ok'),
        ("Said last: …called Zacharias Zimmermann. Good.", "Said last: …[purged]. Good."),
        ("Said last: …rias Zimmermann, since May. Good.", "Said last: …[purged]. Good."),
        ("  > …the boss of Étienne… and … called Zacharias Zimmermann", "  > …[purged]… and … [purged]"),
        (f"## 14:32 {FACT}\n\n{FORMER} {FACT}", "## 14:32 [purged].\n\n[purged]. [purged]."),
    ],
)
def test_the_words_are_masked_whole_and_beside_a_cut(page: str, left: str) -> None:
    masked = wording.masked_at(page, wording.kept_in_page(page, (FACT, FORMER)))
    assert masked == left
    assert wording.kept_in_page(masked, (FACT, FORMER)) == []


@pytest.mark.parametrize(
    "page",
    [
        "**User 14:32:** Who is the boss of Étienne?",
        "## 14:32 Who is the boss of Étienne now?",
        "## 14:32 Is she the boss",
        "Said last: …Zacharias Zimmermann rang.",
        "**User 14:32:** The boss of Étienne is\n\n**Assistant 14:33:** called Zacharias Zimmermann.",
        "…",
    ],
)
def test_what_is_no_part_beside_a_cut_stays(page: str) -> None:
    assert wording.kept_in_page(page, (FACT, FORMER)) == []
