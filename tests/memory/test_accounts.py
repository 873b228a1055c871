"""What recall did with each prompt, as it is kept and counted."""

from __future__ import annotations

import stat
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import accounts
from memory_plugin.memory.accounts import Account
from tests.support.accounts import account, considered

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=timezone.utc)


def before(**ago: float) -> str:
    return (NOW - timedelta(**ago)).isoformat(timespec="seconds")


def test_what_is_kept_is_read_again_the_oldest_first(tmp_path: Path) -> None:
    kept = [
        account(prompt="first"),
        account(considered(), considered("shown before", nearness=None, words=()), prompt="« é » 港 😀"),
    ]
    for each in kept:
        accounts.append(str(tmp_path), each)
    assert accounts.read(str(tmp_path), "shop-1") == kept


def test_another_project_is_not_read(tmp_path: Path) -> None:
    accounts.append(str(tmp_path), account(namespace="other-1"))
    assert accounts.read(str(tmp_path), "shop-1") == []


def test_nothing_was_kept_yet(tmp_path: Path) -> None:
    assert accounts.read(str(tmp_path / "nowhere"), "shop-1") == []


def test_the_file_is_the_users_alone(tmp_path: Path) -> None:
    accounts.append(str(tmp_path / "state"), account())
    assert stat.S_IMODE((tmp_path / "state" / accounts.FILE).stat().st_mode) == 0o600


def test_it_stays_bounded_and_the_last_prompts_are_always_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "LARGEST", 20_000)
    for number in range(100):
        accounts.append(str(tmp_path), account(*[considered()] * 12, prompt=f"prompt {number}"))
        sizes = [path.stat().st_size for path in tmp_path.iterdir()]
        assert max(sizes) < 30_000
    assert len(sizes) == 2
    kept = [each.prompt for each in accounts.read(str(tmp_path), "shop-1")]
    assert kept == [f"prompt {number}" for number in range(100 - len(kept), 100)]
    assert len(kept) >= 4


@pytest.mark.parametrize(
    "line", [b'{"at":"2026-11', b"[]", b"null", b"{}", b'{"considered":[{}]}', b'{"considered":[],"more":1}', b"\xff"]
)
def test_a_torn_line_or_one_of_another_version_spoils_no_other(tmp_path: Path, line: bytes) -> None:
    accounts.append(str(tmp_path), account(prompt="first"))
    with open(tmp_path / accounts.FILE, "ab") as stream:
        stream.write(line)
    accounts.append(str(tmp_path), account(prompt="second"))
    assert [each.prompt for each in accounts.read(str(tmp_path), "shop-1")] == ["first", "second"]


def test_without_words_only_the_figures_are_left() -> None:
    bare = accounts.wordless(account(considered()))
    assert (bare.prompt, bare.considered, bare.tokens, bare.looked_at) == ("", (), 61, 1)


WEEK = [
    account(considered(), at=before(days=8), tokens=900),
    account(considered(), at=before(days=6), tokens=60),
    account(considered(), at=before(days=3), tokens=91, degraded=True),
    account(at=before(days=2), degraded=True),
    account(at=before(days=1), gate="says only to go on"),
    account(at=before(hours=2), gate="slash command", spoken=False),
]


@pytest.mark.parametrize(
    ("kept", "counts"),
    [
        (WEEK, {"since": before(days=6), "prompts": 4, "injected": 2, "silent": 2, "gated": 1, "degraded": 2,
                "average_tokens": 76}),
        (WEEK[3:5], {"since": before(days=2), "prompts": 2, "injected": 0, "silent": 2, "gated": 1, "degraded": 1,
                     "average_tokens": 0}),
        (WEEK[:1], {"since": None, "prompts": 0, "injected": 0, "silent": 0, "gated": 0, "degraded": 0,
                    "average_tokens": 0}),
        ([], {"since": None, "prompts": 0, "injected": 0, "silent": 0, "gated": 0, "degraded": 0,
              "average_tokens": 0}),
    ],
)  # fmt: skip
def test_a_weeks_prompts_are_counted_without_commands(kept: list[Account], counts: dict[str, Any]) -> None:
    assert accounts.counted(kept, NOW) == counts
