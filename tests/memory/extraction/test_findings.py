from __future__ import annotations

import pytest

from memory_plugin.memory.extraction.findings import findings
from memory_plugin.memory.extraction.language import spoken_in


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "The test is real. Root cause: `days()` counts in UTC. The fix is to count in the farm's own time zone.",
            [("lesson", "Root cause: `days()` counts in UTC. The fix is to count in the farm's own time zone.")],
        ),
        (
            "The queue was stuck for an hour. Root cause: the lock is never released. Still open: an alarm for it.",
            [
                ("lesson", "Root cause: the lock is never released."),
                ("goal", "Still open: an alarm for it."),
            ],
        ),
        (
            "La cause était le certificat expiré du proxy. Il reste à prévenir l'équipe réseau.",
            [
                ("lesson", "La cause était le certificat expiré du proxy."),
                ("goal", "Il reste à prévenir l'équipe réseau."),
            ],
        ),
        ("To restore a dump, run `restore.sh`.", [("procedure", "To restore a dump, run `restore.sh`.")]),
        ("The importer reads forty price lists.", []),
        ("It turned out to be that.", []),
    ],
)
def test_findings_stand_apart_from_the_sentences_around_them(line: str, expected: list[tuple[str, str]]) -> None:
    assert [(cue.category, text) for cue, text in findings(line, spoken_in(line))] == expected
