from __future__ import annotations

from memory_plugin.memory.extraction.progress import Progress, checksum, most_heard, with_line


def test_progress_survives_being_stored() -> None:
    progress = Progress(90, 40, 3, 20, 1.5, "Which one?", "the export", True, {"table": (4, 1)}, (7, 8))
    assert Progress.from_json(progress.to_json()) == progress


def test_the_words_heard_most_are_remembered_and_the_later_among_equals() -> None:
    words = {f"w{number}": (1, 0) for number in range(300)} | {"often": (9, 2)}
    kept = most_heard(words)
    assert len(kept) == 240
    assert kept["often"] == (9, 2)
    assert "w299" in kept
    assert "w0" not in kept


def test_the_oldest_lines_are_forgotten() -> None:
    lines: tuple[int, ...] = ()
    for number in range(200):
        lines = with_line(lines, f"line {number}")
    assert checksum("Line 199!") in lines
    assert checksum("line 0") not in lines
