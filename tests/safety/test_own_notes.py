"""A secret in the user's own notes stays there, untouched, and goes nowhere else: not into index, pointer or prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.pointers import MARK_START
from memory_plugin.service import client
from tests.safety import playing
from tests.safety.cases import MUST_MASK, Case
from tests.support.service import Sandbox

PRIVATE = "<private>\nThe kestrel nests behind the third shed.\n\n- The merlin, too.\n</private>\n"
OURS = "<!-- m:7k2m9qab project is kestrels imp=0.80 conf=0.70 at=14:32 src=1f3a9c#4be1 -->"


def first_line(case: Case) -> str:
    return case.text.split("\n")[0]


@pytest.fixture
def notes(sandbox: Sandbox) -> dict[Path, str]:
    """Files in which a user wrote down every secret there is, in all the ways and places that are read."""
    namespace = sandbox.home / namespace_of(str(sandbox.project)).name
    prose = "\n\n".join(f"## The box of {case.at}\n\n{case.text}" for case in MUST_MASK)
    items = "\n".join(f"- **decision** The box of {case.at}: {first_line(case)}" for case in MUST_MASK)
    nested = "\n".join(f"- the box of {case.at}:\n  {first_line(case)}" for case in MUST_MASK)
    lines = "\n\n".join(case.text for case in MUST_MASK)
    files = {
        sandbox.home / "credentials.md": f"# Boxes\n\n{prose}\n\n{PRIVATE}",
        sandbox.home / "MEMORY.md": f"{PRIVATE}\n{lines}\n",
        namespace / "MEMORY.md": f"# Mine\n\n{lines}\n\n{PRIVATE}",
        namespace / "2026-11-30.md": f"# 2026-11-30\n\n{PRIVATE}\n{items}\n- **decision** Kestrels again. {OURS}\n",
        namespace / "topics" / "reference.md": f"# Reference\n\n{items}\n\n{PRIVATE}",
        namespace / "runbook.md": f"---\ntitle: Boxes\npassword: kestrelwing7\n---\n\n{nested}\n",
        sandbox.project / "STATUS.md": f"# Status\n\n{items}\n\n{PRIVATE}",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return files


def test_it_stays_in_the_note_and_goes_nowhere_else(sandbox: Sandbox, notes: dict[Path, str]) -> None:
    transcript = playing.write(sandbox.folder / "transcripts", playing.said([], sandbox.project))
    sandbox.start()
    client.call("/sync", {})
    told = [playing.hook(sandbox, "session_start", transcript, source=source) for source in ("startup", "compact")]
    for number, case in enumerate(MUST_MASK[::12]):
        told.append(sandbox.context(f"What is written about the box of {case.at}?", session=f"s{number}"))
        answer = client.call("/search", {"query": f"box {case.at}", "project": str(sandbox.project)})
        told.append(str(answer))
    playing.hook(sandbox, "session_end", transcript)
    playing.flushed(sandbox, transcript)
    client.call("/sync", {})

    block = ""
    for path, text in notes.items():
        now = path.read_bytes().decode()
        if path.name == "MEMORY.md" and MARK_START in now:
            own, _, ours = now.partition(MARK_START)
            assert own.rstrip() == text.rstrip()
            block += ours
        else:
            assert now == text
    assert block.count("[masked]") > 10
    found = {
        **playing.written(sandbox.state, sandbox.home / ".events"),
        "MEMORY.md": block,
        "what a model is told": "\n".join(told),
    }
    leaks = list(playing.leaks(MUST_MASK, found))
    assert leaks == [], "\n".join(leaks)
    for place, text in found.items():
        assert "third shed" not in text, place
        assert "merlin" not in text, place
        assert "kestrelwing7" not in text, place
    assert found["rows of the index"].count("[masked]") > len(MUST_MASK)
    assert found["what a model is told"].count("[masked]") > 10
