"""Whatever people do to the Markdown by hand, the events come to say what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_plugin.memory import hand, journal
from memory_plugin.memory.hand import Observer
from memory_plugin.memory.ledger import Ledger
from tests.support.facts import NAMESPACE, capture, fact

PORT, INDEX = fact("Staging listens on port 8080."), fact("We index with LanceDB, not pgvector.")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "_SETTLE", 0.0)


def log(home: Path) -> Path:
    return home / NAMESPACE / f"{PORT.day}.md"


WORDS = st.lists(st.sampled_from(["port", "staging", "Zoë", "~~", "**goal**", "-", "`x`", "pin"]), min_size=1).map(
    " ".join
)
MARKS = st.sampled_from(
    [
        *("pin", "n=3", "conf=0.9", "imp=0.1", "sev=low", "seen=2026-12-01", "until=2026-12-01", "by=abcd1234"),
        *(
            "status=superseded",
            "status=archived",
            "why=done",
            "why=nonsense",
            "supports=abcd1234",
            "related=x,,y",
            "on=no",
        ),
    ]
)
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("words"), WORDS),
        st.tuples(st.just("mark"), MARKS),
        st.tuples(st.just("unmark"), MARKS),
        st.tuples(st.just("write"), WORDS),
        st.tuples(st.sampled_from(["strike", "delete", "uncomment", "double"]), st.just("")),
    ),
    max_size=6,
)


def edited(lines: list[str], number: int, kind: str, value: str) -> list[str]:
    """The lines of a log after an edit of one of them."""
    line = lines[number]
    comment = line.rpartition("<!--")[2] if "<!--" in line else ""
    after = {
        "words": f"- {value} <!--{comment}" if comment else f"- {value}",
        "mark": line.replace(" -->", f" {value} -->"),
        "unmark": line.replace(f" {value}", ""),
        "strike": f"~~{line}~~",
        "delete": "",
        "uncomment": line.partition("<!--")[0],
        "double": f"{line}\n{line}",
        "write": f"{line}\n- {value}",
    }[kind]
    return "\n".join([*lines[:number], after, *lines[number + 1 :]]).split("\n")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(looks=st.lists(st.tuples(st.integers(0, 30), EDITS), max_size=4))
def test_after_a_look_the_events_say_what_the_lines_say(
    tmp_path_factory: pytest.TempPathFactory, looks: list[tuple[int, list[tuple[str, str]]]]
) -> None:
    home = tmp_path_factory.mktemp("home")
    capture(home, [PORT, INDEX])
    for number, edits in looks:
        for kind, value in edits:
            lines = log(home).read_text().split("\n")
            log(home).write_text("\n".join(edited(lines, number % len(lines), kind, value)))
        before = log(home).read_bytes()
        observer = Observer(str(home))
        observer.look()
        assert log(home).read_bytes() == before
        assert observer.look() == []
        assert Observer(str(home)).look() == []
        entries = Ledger(str(home)).refresh().entries
        lines_now = {line.fact.id: line for line in reversed(list(journal.read_lines(str(log(home)), NAMESPACE)))}
        stands = {key: line for key, line in lines_now.items() if not line.struck and (line.ours or not line.below)}
        held = {identity for (_, identity), each in entries.items() if not each.retracted}
        assert held == set(stands) | {key for key in held & set(lines_now) if any_stands(home, key)}
        for identity, line in stands.items():
            told = entries[NAMESPACE, identity].fact
            assert (told.text, told.status, told.pinned) == (line.fact.text, line.fact.status, line.fact.pinned)
            assert not line.ours or (told.category, told.severity, told.support) == (
                line.fact.category, line.fact.severity, line.fact.support)  # fmt: skip


def any_stands(home: Path, identity: str) -> bool:
    return any(each.fact.id == identity and not each.struck for each in journal.read_lines(str(log(home)), NAMESPACE))
