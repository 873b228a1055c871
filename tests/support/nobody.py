"""Hooks run as a user whom the modes of files stop, whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.world import RUN, World

NOBODY = 65534


def as_nobody(world: World, hook: str, run: Path = RUN) -> subprocess.CompletedProcess[bytes]:
    """Run a hook as a user whom modes stop."""
    if os.getuid():
        return world.hook(hook, run=run)
    return world.hook(hook, run=run, user=NOBODY, group=NOBODY, extra_groups=[])


def given_to_nobody(world: World) -> None:
    """Make the world that user's own. Skips the test where no other user may reach it."""
    if os.getuid():
        return
    for path in [world.root, *world.root.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    for parent in world.root.parents:
        if not os.stat(parent).st_mode & 0o001:
            if parent.name.startswith("pytest-"):
                parent.chmod(parent.stat().st_mode | 0o011)
            else:
                pytest.skip(f"no other user may pass through {parent}")


def use_system_python_for_nobody(world: World) -> None:
    """Another user may not be able to run the python3 that is first on the path of this one, or to read the clone."""
    if os.getuid():
        return
    found = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; open(sys.argv[1]); print(sys.version_info >= (3, 10))", str(RUN)],
        capture_output=True,
        user=NOBODY,
        check=False,
    )
    if found.stdout.strip() != b"True":
        pytest.skip("another user has no Python 3.10 here, or may not read this clone")
    world.variables["PATH"] = "/usr/bin:/bin"
