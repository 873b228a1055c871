"""What `doctor` found: one line, with the next step where there is one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """grade is OK, WARN or FAIL; step says what to do, "" when there is nothing."""

    grade: str
    subject: str
    text: str
    step: str = ""
