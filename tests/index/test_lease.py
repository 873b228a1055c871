"""Who has the index open, and whether the one before closed it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memory_plugin.index.lease import Lease
from tests.support.data import REPOSITORY


def taken(path: Path) -> Lease:
    lease = Lease.take(str(path))
    assert lease is not None
    return lease


def test_one_has_it_at_a_time(tmp_path: Path) -> None:
    first = taken(tmp_path / "lock")
    assert Lease.take(str(tmp_path / "lock")) is None
    first.give_back()
    taken(tmp_path / "lock").give_back()


def test_what_was_given_back_needs_no_look(tmp_path: Path) -> None:
    for _ in range(2):
        lease = taken(tmp_path / "lock")
        assert not lease.left_open
        lease.give_back()


def test_what_a_process_held_that_ended_was_left_open_until_it_is_given_back(tmp_path: Path) -> None:
    code = (
        f"import os, sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
        "from memory_plugin.index.lease import Lease\n"
        "lease = Lease.take(sys.argv[1])\n"
        "os.abort()"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / "lock")], check=False, stderr=subprocess.DEVNULL)
    lease = taken(tmp_path / "lock")
    assert lease.left_open
    lease.give_back()
    lease = taken(tmp_path / "lock")
    assert not lease.left_open
    lease.give_back()


def test_a_process_that_inherits_it_holds_it_too(tmp_path: Path) -> None:
    lease = taken(tmp_path / "lock")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(lease.fileno(),)) as heir:
        lease.give_back()
        assert Lease.take(str(tmp_path / "lock")) is None
        assert heir.stdin is not None
        heir.stdin.close()
        heir.wait()
    taken(tmp_path / "lock").give_back()
