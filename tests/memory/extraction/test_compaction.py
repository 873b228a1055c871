from __future__ import annotations

from memory_plugin.memory.extraction.compaction import told

SUMMARY = """Summary:
1. Primary Request and Intent:
   The archive moves to object storage.

2. All user messages:
   - "move the archive"
   - "1. not a section"

3. Pending Tasks:
   - Delete the originals.
"""


def test_a_summary_does_not_repeat_what_the_user_said() -> None:
    kept = told(SUMMARY)
    assert "object storage" in kept
    assert "Delete the originals" in kept
    assert "move the archive" not in kept


def test_a_summary_without_sections_stays_as_it_is() -> None:
    assert told("The archive moves to object storage.") == "The archive moves to object storage."
