"""Which snapshots are kept."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory.retention import DAILY, Made, kept

START = date(2026, 9, 1)  # a Tuesday


def made(number: int, kind: str = DAILY, home: str = "/home", hour: int = 12) -> Made:
    day = START + timedelta(days=number)
    name = f"{day}-{hour:02}0000"
    return Made(f"{name}{'' if kind == DAILY else kind}{home}", f"{day}T{hour:02}:00:00Z", day, kind, home)


def test_after_two_months_the_last_seven_days_and_four_weeks_are_left() -> None:
    left = list[Made]()
    for number in range(61):
        left.append(made(number))
        names = kept(left)
        left = [each for each in left if each.name in names]
    assert [each.day.isoformat() for each in left] == [
        *("2026-10-11", "2026-10-18"),  # the Sundays before, each the last of its week
        *(f"2026-10-{day}" for day in range(25, 32)),
    ]


def test_of_a_day_the_last_is_kept() -> None:
    names = kept([made(0, hour=9), made(0, hour=21), made(0, hour=15)])
    assert names == {made(0, hour=21).name}


def test_days_without_a_snapshot_do_not_count() -> None:
    days = [0, 40, 80, 120, 160, 200, 240, 280]
    assert kept(map(made, days)) == {made(day).name for day in days[1:]}


def test_those_made_by_hand_do_not_push_out_the_daily_ones() -> None:
    daily, by_hand = [made(number) for number in range(7)], [made(3, "by hand", hour=hour) for hour in range(20)]
    names = kept([*daily, *by_hand])
    assert names == {each.name for each in [*daily, *by_hand[-7:]]}


def test_each_home_has_its_own() -> None:
    one, other = [made(number) for number in range(7)], [made(number + 30, home="/other") for number in range(7)]
    assert kept([*one, *other]) == {each.name for each in [*one, *other]}


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 23)), min_size=1, max_size=40))
def test_the_latest_is_always_kept_and_pruning_again_changes_nothing(when: list[tuple[int, int]]) -> None:
    found = list({made(number, hour=hour) for number, hour in when})
    names = kept(found)
    assert max(found, key=lambda each: each.moment).name in names
    assert kept([each for each in found if each.name in names]) == names
    assert len(names) <= 11
