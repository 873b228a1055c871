"""Which fact a person means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_plugin.memory.fact import Candidate, make
from memory_plugin.memory.journal import Held
from memory_plugin.memory.naming import fitting

TEXTS = (
    "Staging listens on port 8080.",
    "Production listens on port 443.",
    "Le déploiement de la facturation se fait le jeudi.",
    "We index with LanceDB, not pgvector: nothing to run.",
    "The rate limiter still has to be deployed.",
    "L'API d'administration est écrite en Rust.",
    "C++ is used for the codec.",
    "C# is used for the tools.",
    "予約には SQLite を使う。",
    "The build cache lies in rate_limit/cache.",
)


def held(text: str, number: int = 0, status: str = "active") -> Held:
    candidate = Candidate(text, "decision", "decided", "a", "b", 0.8, 0.7)
    fact = make(candidate, "shop-1", f"2026-11-{number + 1:02}", "14:32", "s#e")
    return Held(replace(fact, status=status), "shop-1", f"/home/shop-1/2026-11-{number + 1:02}.md", number)


ALL = [held(text, number) for number, text in enumerate(TEXTS)]


def texts(wanted: str, among: list[Held] | None = None) -> list[str]:
    return [each.fact.text for each in fitting(ALL if among is None else among, wanted)]


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        ("the staging port", 0),
        ("STAGING", 0),
        ("what I said about staging", 0),
        ("le truc du port 443", 1),
        ("port 443", 1),
        ("port de production", 1),
        ("deploiement facturation", 2),
        ("le déploiement", 2),
        ("facturation le jeudi", 2),
        ("lancedb", 3),
        ("lance db or pgvector", 3),
        ("pgvectr", 3),
        ("deploy the limiter", 4),
        ("deployments of the limiter", 4),
        ("l’api d’administration", 5),
        ("API en rust", 5),
        ("c++", 6),
        ("c#", 7),
        ("sqlite を使う", 8),
        ("build cache", 9),
        ('"Staging listens on port 8080."', 0),
        ("« L'API d'administration est écrite en Rust »", 5),
    ],
)
def test_a_few_words_name_a_fact(wanted: str, number: int) -> None:
    assert texts(wanted) == [TEXTS[number]]


@pytest.mark.parametrize("wanted", ["port", "listens on a port", "the port it listens on"])
def test_all_that_fit_equally_are_named(wanted: str) -> None:
    assert texts(wanted) == [TEXTS[0], TEXTS[1]]


@pytest.mark.parametrize(
    "wanted", ["", "  ", "…", "kubernetes", "the", "de la", "port of the kubernetes ingress gateway", "x", "0000"]
)
def test_what_names_nothing_finds_nothing(wanted: str) -> None:
    assert texts(wanted) == []


@pytest.mark.parametrize("length", [4, 5, 8])
def test_an_id_or_its_beginning_names_a_fact(length: int) -> None:
    for each in ALL:
        assert fitting(ALL, f" ({each.fact.id[:length].upper()}) ") == [each]


def test_an_id_is_not_looked_for_in_the_words() -> None:
    quoting = held(f"The old rule {ALL[0].fact.id} is gone.", 20)
    assert fitting([quoting, *ALL], ALL[0].fact.id) == [ALL[0]]


def test_three_characters_are_no_id() -> None:
    assert fitting(ALL, ALL[0].fact.id[:3]) == []


def test_the_active_come_first_then_the_older() -> None:
    old, new = held("Staging uses port 1.", 0, "superseded"), held("Staging uses port 2.", 5)
    newest = held("Staging uses port 3.", 7)
    assert fitting([newest, old, new], "staging port") == [new, newest, old]


def test_a_fact_that_stands_twice_is_one() -> None:
    assert fitting([ALL[0], ALL[0]], "staging") == [ALL[0]]


def test_the_whole_text_means_that_fact_alone() -> None:
    short, long = held("Use pnpm."), held("Use pnpm, never npm.", 3)
    assert fitting([long, short], "use pnpm") == [short]


def test_a_phrase_means_the_fact_that_holds_it() -> None:
    one, other = held("Ask Lena about billing tests."), held("Billing: Lena says ask the tests about it.", 3)
    assert fitting([one, other], "ask Lena about billing") == [one]


@pytest.mark.parametrize(
    "wanted",
    [
        "the staging port is 8080 or 443",
        "staging listens on port 9090",
        "the build cache of v2",
        "port 8081",
        "port 44",
        "staging port 443 of the gateway",
        "import",
        "kubernetes port",
    ],
)
def test_what_fits_by_less_than_two_thirds_is_not_meant(wanted: str) -> None:
    assert texts(wanted) == []
