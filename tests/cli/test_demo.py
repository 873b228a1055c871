"""The demo, through the launcher, as the README's first command."""

from __future__ import annotations

import os
import subprocess

from tests.support.data import REPOSITORY
from tests.support.environment import linked_environment
from tests.support.service import Sandbox


def test_the_demo_shows_the_main_job_and_leaves_nothing(sandbox: Sandbox) -> None:
    temporary = sandbox.folder / "tmp"
    temporary.mkdir()
    environment = linked_environment(sandbox.folder / "environment")
    done = subprocess.run(
        [str(REPOSITORY / "bin" / "memory-plugin"), "demo"],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), "MEMORY_PLUGIN_ENV": str(environment)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    written, _, asked = done.stdout.partition("== memory-plugin search")
    assert "decision: orchard stores bookings in SQLite" in written
    assert "decision: Pour les paiements on part sur Mollie" in written
    results, database, off_topic, files = asked.split("\n== ")
    assert "MEMORY.md" in files
    assert "Mollie" in results
    assert "SQLite" in database
    assert "<memory-notes>" in database
    assert off_topic.strip().endswith("(nothing)")
    assert list(temporary.iterdir()) == []
    assert list(sandbox.home.iterdir()) == []
