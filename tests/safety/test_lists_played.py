"""No secret of the list is in any file, whatever hook or command it went through; what only looks like one is kept."""

from __future__ import annotations

from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.service import client
from tests.safety import playing
from tests.safety.cases import MUST_MASK, MUST_SURVIVE
from tests.support.service import Sandbox


def test_the_lists_are_long() -> None:
    assert len(MUST_MASK) >= 150
    assert len(MUST_SURVIVE) >= 150


def test_nothing_that_must_be_masked_is_written_whoever_said_it(sandbox: Sandbox) -> None:
    transcript = playing.write(sandbox.folder / "transcripts", playing.said(MUST_MASK, sandbox.project))
    playing.hook(sandbox, "pre_compact", transcript)
    sandbox.start()
    client.call("/sync", {})
    for case in MUST_MASK[::20]:
        sandbox.context(f"What did we say of the importer and this: {case.text}", transcript_path=str(transcript))
    briefing = playing.hook(sandbox, "session_start", transcript, source="compact")
    playing.hook(sandbox, "session_end", transcript)
    playing.flushed(sandbox, transcript)
    client.call("/sync", {})
    found = {**playing.written(sandbox.home, sandbox.state), "briefing": briefing}
    leaks = list(playing.leaks(MUST_MASK, found))
    assert leaks == [], chr(10).join(leaks)
    namespace = sandbox.home / namespace_of(str(sandbox.project)).name
    assert sum(text.count("[masked]") for text in found.values()) > 5 * len(MUST_MASK)
    assert sum(path.read_text().count("importer of") for path in namespace.glob("[0-9]*.md")) > 100


def test_what_must_survive_stands_in_the_history_as_it_was_said(sandbox: Sandbox) -> None:
    transcript = playing.write(sandbox.folder / "transcripts", playing.said(MUST_SURVIVE, sandbox.project))
    playing.hook(sandbox, "pre_compact", transcript)
    pages = "".join(path.read_text() for path in sandbox.home.glob("*/history/*.md"))
    assert [case.text for case in MUST_SURVIVE if case.text.rstrip() not in pages] == []
