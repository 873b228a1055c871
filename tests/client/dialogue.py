"""What is said in the test conversations, and how to find our own words in a request."""

from __future__ import annotations

import re

from tests.support.fake_anthropic import SUMMARY_REQUEST, FakeAnthropic, Reply

DECISION = "We decided to use LanceDB for the vector index instead of pgvector, because there is no server to run."
INSTRUCTION = "From now on, always run `make check` before you commit."
OTHER_DECISION = "We decided to use Elasticsearch for the vector index, because the vineyard team already runs it."
SUMMARY_FACT = "Releases are cut from the branch named stable on Tuesdays"
SUMMARY = f"""<analysis>Looked at everything that was said.</analysis>
<summary>
1. Primary Request and Intent:
   The user set up the project's conventions.

## Durable facts
- [procedure] {SUMMARY_FACT}, after the nightly build is green.
</summary>"""
AUTOMATIC = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
OVERFLOW = 190_000
"""Input tokens that make a client with that window compact at the start of its next turn."""

_FRAME = re.compile(r"<memory-notes\b.*?</memory-notes>", re.DOTALL)


def script(api: FakeAnthropic) -> None:
    """The model's side of the conversations."""
    api.on("pgvector", Reply("Understood. I will set the index up that way."))
    api.on("make check", Reply("Noted."))
    api.on("Fill the window", Reply("That was a long one.", input_tokens=OVERFLOW))
    api.on(SUMMARY_REQUEST, Reply(SUMMARY))


def notes_in(text: str) -> str:
    """What stands inside our frames in a request."""
    return "\n".join(_FRAME.findall(text))
