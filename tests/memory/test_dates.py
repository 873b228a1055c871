from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timezone

import pytest

from memory_plugin.memory.dates import local_day, named_days
from memory_plugin.memory.extraction.tense import looks_ahead

TODAY = date(2026, 11, 18)  # a Wednesday


def read(text: str, today: date = TODAY) -> list[tuple[str, str]]:
    """The words that name days, and the days: one, or two with a stroke between."""
    return [
        (text[start:end], f"{first}" if first == last else f"{first}/{last}")
        for start, end, first, last in named_days(text, today)
    ]


@pytest.mark.parametrize(
    ("text", "words", "days"),
    [
        ("We released 1.4 yesterday.", "yesterday", "2026-11-17"),
        ("It broke last night", "last night", "2026-11-17"),
        ("what did we do this morning?", "this morning", "2026-11-18"),
        ("Released today.", "today", "2026-11-18"),
        ("the day before yesterday it worked", "the day before yesterday", "2026-11-16"),
        ("the demo is tomorrow", "tomorrow", "2026-11-19"),
        ("the day after tomorrow we fly", "the day after tomorrow", "2026-11-20"),
        ("We merged it 3 days ago", "3 days ago", "2026-11-15"),
        ("a couple of days ago it was green", "a couple of days ago", "2026-11-16"),
        ("that was two weeks ago", "two weeks ago", "2026-11-02/2026-11-08"),
        ("a month ago", "a month ago", "2026-10-01/2026-10-31"),
        ("the outage on Tuesday was the proxy", "on Tuesday", "2026-11-17"),
        ("since Wednesday it is slow", "Wednesday", "2026-11-18"),
        ("Friday's outage", "Friday", "2026-11-13"),
        ("last Wednesday", "last Wednesday", "2026-11-11"),
        ("last Fri we shipped", "last Fri", "2026-11-13"),
        ("this Friday", "this Friday", "2026-11-20"),
        ("next Wednesday", "next Wednesday", "2026-11-25"),
        ("on Tuesday of last week", "on Tuesday of last week", "2026-11-10"),
        ("by Friday it must be in", "by Friday", "2026-11-20"),
        ("We will release on Monday", "on Monday", "2026-11-23"),
        ("On Monday we will release", "On Monday", "2026-11-23"),
        ("the outage on Monday means that we must change the proxy", "on Monday", "2026-11-16"),
        ("last week", "last week", "2026-11-09/2026-11-15"),
        ("next month", "next month", "2026-12-01/2026-12-31"),
        ("last year", "last year", "2025-01-01/2025-12-31"),
        ("it was down over the weekend", "over the weekend", "2026-11-14/2026-11-15"),
        ("we finished this on the 14th", "on the 14th", "2026-11-14"),
        ("we finished this on the 20th, late", "on the 20th", "2026-10-20"),
        ("due on the 20th", "on the 20th", "2026-11-20"),
        ("what happened on 14 November?", "14 November", "2026-11-14"),
        ("on November 14th, 2025 we moved", "November 14th, 2025", "2025-11-14"),
        ("Nov 14 was the day", "Nov 14", "2026-11-14"),
        ("the 3rd of May", "the 3rd of May", "2026-05-03"),
        ("on may 3 it broke", "on may 3", "2026-05-03"),
        ("released on 20 December", "20 December", "2025-12-20"),
        ("Tuesday, November 10 was quiet", "November 10", "2026-11-10"),
        ("the deadline is 12 March", "12 March", "2027-03-12"),
        ("we switched in March", "in March", "2026-03-01/2026-03-31"),
        ("since late October", "since late October", "2026-10-21/2026-10-31"),
        ("in early December we left", "in early December", "2025-12-01/2025-12-10"),
        ("by the end of November", "the end of November", "2026-11-21/2026-11-30"),
        ("the audit of September 2025", "September 2025", "2025-09-01/2025-09-30"),
        ("in 2025 we left Heroku", "in 2025", "2025-01-01/2025-12-31"),
        ("what about 2026-11-14?", "2026-11-14", "2026-11-14"),
        ("on 14/11/2026", "14/11/2026", "2026-11-14"),
        ("on 11/14/2026", "11/14/2026", "2026-11-14"),
        ("29 February", "29 February", "2024-02-29"),
        ("due on March 3, 2027.", "on March 3, 2027", "2027-03-03"),
        ("on may 3 2025 it broke", "on may 3 2025", "2025-05-03"),
        ("the 3rd of May of 2025", "the 3rd of May of 2025", "2025-05-03"),
        ("in march 2027 we renew", "in march 2027", "2027-03-01/2027-03-31"),
        ("the audit of March of 2025", "March of 2025", "2025-03-01/2025-03-31"),
        ("in March of 2025 we left", "in March of 2025", "2025-03-01/2025-03-31"),
        ("in March, 2025, we left", "in March, 2025", "2025-03-01/2025-03-31"),
    ],
)
def test_days_named_in_english(text: str, words: str, days: str) -> None:
    assert read(text) == [(words, days)]


@pytest.mark.parametrize(
    ("text", "words", "days"),
    [
        ("j'ai terminé la migration hier", "hier", "2026-11-17"),
        ("avant-hier ça passait", "avant-hier", "2026-11-16"),
        ("livré aujourd’hui", "aujourd’hui", "2026-11-18"),
        ("la démo est demain matin", "demain matin", "2026-11-19"),
        ("après-demain", "après-demain", "2026-11-20"),
        ("il y a 3 jours", "il y a 3 jours", "2026-11-15"),
        ("il y a deux semaines", "il y a deux semaines", "2026-11-02/2026-11-08"),
        ("on a livré mardi", "mardi", "2026-11-17"),
        ("l'incident de mercredi dernier", "mercredi dernier", "2026-11-11"),
        ("mardi prochain", "mardi prochain", "2026-11-24"),
        ("ce vendredi", "ce vendredi", "2026-11-20"),
        ("d'ici vendredi il faut finir", "vendredi", "2026-11-20"),
        ("on livrera lundi", "lundi", "2026-11-23"),
        ("mardi de la semaine dernière", "mardi de la semaine dernière", "2026-11-10"),
        ("la semaine dernière", "la semaine dernière", "2026-11-09/2026-11-15"),
        ("le mois prochain", "le mois prochain", "2026-12-01/2026-12-31"),
        ("cette semaine", "cette semaine", "2026-11-16/2026-11-22"),
        ("le week-end dernier", "le week-end dernier", "2026-11-14/2026-11-15"),
        ("fini le 14", "le 14", "2026-11-14"),
        ("le 14 novembre on a basculé", "le 14 novembre", "2026-11-14"),
        ("mardi 10 novembre", "10 novembre", "2026-11-10"),
        ("le 1er novembre 2025", "le 1er novembre 2025", "2025-11-01"),
        ("le 14/11", "le 14/11", "2026-11-14"),
        ("l'échéance est le 12 mars", "le 12 mars", "2027-03-12"),
        ("en mars on a changé", "en mars", "2026-03-01/2026-03-31"),
        ("début novembre", "début novembre", "2026-11-01/2026-11-10"),
        ("mi-octobre", "mi-octobre", "2026-10-11/2026-10-20"),
        ("fin octobre", "fin octobre", "2026-10-21/2026-10-31"),
        ("en septembre dernier", "en septembre dernier", "2026-09-01/2026-09-30"),
        ("dans trois jours", "dans trois jours", "2026-11-21"),
        ("le 12 mars, 2025", "le 12 mars, 2025", "2025-03-12"),
        ("en mars de 2025", "en mars de 2025", "2025-03-01/2025-03-31"),
    ],
)
def test_days_named_in_french(text: str, words: str, days: str) -> None:
    assert read(text) == [(words, days)]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The launch has been moved to January 12.", "2027-01-12"),
        ("We moved the launch from Tuesday to January 12.", "2027-01-12"),
        ("The demo was postponed to Friday, January 15.", "2027-01-15"),
        ("They pushed back the audit until the 3rd of February", "2027-02-03"),
        ("The release slips to 4 December", "2026-12-04"),
        ("The talk was rescheduled for January 12", "2027-01-12"),
        ("Le lancement a été reporté au 12 janvier.", "2027-01-12"),
        ("La démo est décalée au vendredi 15 janvier", "2027-01-15"),
        ("L'audit a été repoussé au 3 février", "2027-02-03"),
        ("On a repoussé la livraison à mardi", "2026-11-24"),
    ],
)
@pytest.mark.parametrize("judge", [None, lambda *_: False, looks_ahead], ids=["by itself", "looks back", "of a fact"])
def test_what_is_moved_to_a_day_lies_ahead(
    text: str, days: str, judge: Callable[[str, int, int], bool | None] | None
) -> None:
    assert f"{named_days(text, TODAY, judge)[-1][2]}" == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("We moved to Lyon on January 12.", "2026-01-12"),
        ("We moved the queue to Kafka on Tuesday.", "2026-11-17"),
        ("They pushed the fix on 14 November", "2026-11-14"),
        ("On a reporté le bug le 14 novembre", "2026-11-14"),
    ],
)
def test_what_was_moved_on_a_day_lies_behind(text: str, days: str) -> None:
    assert f"{named_days(text, TODAY)[-1][2]}" == days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "you may 3 times sat there, and they march on",
        "the rover on Mars",
        "version 1.14 of the parser, 3.10 at least, v2026.11.14",
        "logs/2026-11-14.md and 2026-11-14T10:00:00",
        "every Tuesday, on Tuesdays, each Friday",
        "Monday to Friday",
        "the Black Friday sale",
        "we built it in two weeks",
        "in 2000 rows",
        "on the 3rd try",
        "31 June and le 31 juin",
        "on 05/06/2026",
        "chaque mardi, tous les mardis, le mardi",
        "on passe finalement au jeudi",
        "il y a 3 jours de retard",
        "le 2 n'est pas bon",
        "sept fichiers, dix tests",
        "port 8080, 14 files, 50 MB",
    ],
)
def test_what_names_no_day(text: str) -> None:
    assert read(text) == []


def test_many_days_come_in_order_and_none_over_another() -> None:
    text = "Broken since last Tuesday, fixed on 14 November 2026, released yesterday."
    assert [words for words, _ in read(text)] == ["last Tuesday", "14 November 2026", "yesterday"]


@pytest.mark.parametrize(
    "text", ["on the " * 20_000, "last " * 20_000, "14 " * 20_000, "mardi " * 5_000, "le 1" * 20_000]
)
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    assert len(named_days(text, TODAY)) <= 5_000


def test_the_ends_of_the_calendar_raise_nothing() -> None:
    assert named_days("two years ago, yesterday, last week, on the 14th", date.min) == []
    named_days("in 3 years, tomorrow, next week, we will on the 14th", date.max)


def test_the_local_day_of_a_timestamp() -> None:
    noon = datetime(2026, 11, 18, 12, tzinfo=timezone.utc)
    assert local_day("2026-11-18T12:00:00Z") == noon.astimezone().date()
    assert local_day("2026-11-18T12:00:00.5+00:00") == noon.astimezone().date()


@pytest.mark.parametrize("timestamp", ["", "now", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_timestamp_has_no_day(timestamp: str) -> None:
    assert local_day(timestamp) is None
