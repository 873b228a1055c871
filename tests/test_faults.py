"""A few of each fault, with fixed seeds; `python -m benchmarks.faults` injects as many as one likes."""

from __future__ import annotations

import pytest

from benchmarks.faults import serving
from benchmarks.faults.__main__ import FAULTS, NEEDS_ROOT, inject

# Each of these starts services, which costs seconds; a hung one is in tests/service/test_lifecycle.py, too.
COSTLY = frozenset(name for name, fault in FAULTS.items() if fault.__module__ == serving.__name__)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_at_a_random_point_loses_doubles_and_breaks_nothing(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = inject(name, range(1, 2 if name in COSTLY else 3))
    if not outcome.times:
        assert name in NEEDS_ROOT
        pytest.skip("no file system may be mounted here")
    assert outcome.failed == (), capsys.readouterr().err
