"""The analyser of index and query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.index.languages import detect
from memory_plugin.index.terms import index_terms, named, query_terms, spelt


def meets(query: str, text: str) -> bool:
    """Whether the query asks for something that the text has."""
    held = set(index_terms(text).split())
    return any(form in held for term in query_terms(query) for form in term.forms)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deploying", "We deploy on Friday."),
        ("DÉPLOIEMENTS", "le déploiement est prêt"),
        ("deploiement", "le déploiement est prêt"),
        ("bases", "nous utilisons une base de données"),
        ("wo sind die Datenbanken?", "die Datenbank ist auf dem Server"),
        ("migraciones", "la migración de los datos"),
        ("customer", "call getCustomerById"),
        ("getCustomerById", "call getCustomerById first"),
        ("getcustomerbyid", "call getCustomerById first"),
        ("max retries", "set max_retry_count"),
        ("table.py", "see memory_plugin/index/table.py"),
        ("memory_plugin/index/table.py", "see memory_plugin/index/table.py"),
        ("2.1.332", "pinned to 2.1.332"),
        ("C++", "written in C++"),
        ("8443", "port 8443"),
        ("移行", "データベースの移行は金曜日"),
        ("数据库", "我们使用数据库"),
        ("데이터", "데이터베이스를 옮긴다"),
        ("ＬａｎｃｅＤＢ", "lancedb"),
        ("straße", "STRASSE"),
    ],
)
def test_a_query_meets_a_text_that_says_it_another_way(query: str, text: str) -> None:
    assert meets(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("what is the", "what is the matter"),
        ("can you help me please", "help is near"),
        ("C", "written in C++"),
        ("", "x"),
    ],
)
def test_words_that_say_nothing_meet_nothing(query: str, text: str) -> None:
    assert not meets(query, text)


@pytest.mark.parametrize(
    ("query", "rare"),
    [
        ("getCustomerById", True),
        ("snake_case", True),
        ("docs/oncall.md", True),
        ("v2", True),
        ("C#", True),
        ("end-to-end", False),
        ("database", False),
        ("8443", False),
        ("e.g.", False),
    ],
)
def test_an_identifier_is_rare_and_a_word_is_not(query: str, rare: bool) -> None:
    assert any(term.rare for term in query_terms(query)) is rare


def test_each_term_is_asked_for_once() -> None:
    assert [term.forms for term in query_terms("deploy, deploys, deploying")] == [("deploy",)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The server is in the basement and it is cold.", "english"),
        ("Le serveur est dans la cave et il y fait froid.", "french"),
        ("Der Server ist im Keller und es ist kalt.", "german"),
        ("El servidor está en el sótano y hace frío.", "spanish"),
        ("Il server è nel seminterrato e fa freddo per tutti.", "italian"),
        ("O servidor está no porão e não é quente.", "portuguese"),
        ("De server staat in de kelder en het is er koud.", "dutch"),
        ("Servern är i källaren och det är kallt.", "swedish"),
        ("Сервер находится в подвале, и там холодно.", "russian"),
        ("", "english"),
        ("12345 !!!", "english"),
    ],
)
def test_a_language_is_told_by_its_commonest_words(text: str, language: str) -> None:
    assert detect(text) == language


@given(st.text())
def test_any_text_gives_terms_without_spaces_and_meets_itself(text: str) -> None:
    terms = index_terms(text).split(" ")
    assert all(not any(map(str.isspace, term)) for term in terms)
    held = set(terms)
    assert all(any(form in held for form in term.forms) for term in query_terms(text))


@pytest.mark.parametrize(
    ("text", "form", "word"),
    [
        ("Which databases hold them?", "databas", "databases"),
        ("Comment déployer le serveur qui est dans la cave ?", "deploi", "déployer"),
        ("call getCustomerById first", "custom", "getCustomerById"),
        ("run make-ship", "ship", "make-ship"),
        ("予約はどこですか", "予約", "予約"),
    ],
)
def test_words_are_told_as_they_were_written(text: str, form: str, word: str) -> None:
    assert spelt(text)[form] == word


@given(st.text())
def test_any_text_is_spelt(text: str) -> None:
    assert all(form and word for form, word in spelt(text).items())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("what did Priya say about the Kafka cluster?", ["priya", "kafka"]),
        ("Where does Jérôme live?", ["jerome"]),
        ("qui est Mireille ?", ["mireill"]),
        ("who looks after Priya's dog, does Priya?", ["priya"]),
        ("which port does the CheckoutService use?", ["checkoutservice", "checkout", "servic"]),
        ("do it. Then stop! Why? Because.", []),
        ('she said: "Nobody knows"\n- Yes\n* Maybe', []),
        ("what did we do on Friday in March?", []),
        ("can I ask you? OK, thanks", []),
        ("wo steht die Datenbank, auf dem Server oder nicht?", []),  # every noun has a capital
        ("データベースは Tokyo", ["tokyo"]),
        ("nothing here is a name", []),
        ("", []),
    ],
)
def test_what_a_text_names_is_what_it_writes_as_a_name_inside_a_sentence(text: str, names: list[str]) -> None:
    assert [term.forms[0] for term in named(text)] == names
