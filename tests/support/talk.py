"""Pages of the history for the tests: a conversation given as (time, prompt, answer)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memory_plugin.memory import pages, retelling
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.transcript import Message

SESSION = "7a1c5e55-0000-4000-8000-000000000001"


def page(
    exchanges: Iterable[tuple[str, str, str]],
    *,
    day: str = "2026-11-20",
    session: str = SESSION,
    project: str = "github.com/acme/shop",
    summary_after: int | None = None,
    facts: dict[int, Fact] | None = None,
) -> str:
    """The page of a conversation; `summary_after`: the client compacts it after so many exchanges; `facts`: what was
    captured, by the number of the exchange."""
    writer = pages.Writer(pages.new(day, session, project))
    end = 0
    for number, (time, prompt, answer) in enumerate(exchanges):
        for role, text in (("user", prompt), ("assistant", answer)):
            end += 1
            message = Message("user" if role == "user" else "assistant", text, "", session, "", end)
            noted = [facts[number]] if facts and number in facts and role == "user" else []
            piece = retelling.of_message(message, text, (day, time), noted, opens=role == "user")
            if piece:
                writer.add(piece)
        if number + 1 == summary_after:
            end += 1
            piece = retelling.of_message(
                Message("summary", "What was done.", "", session, "", end), "What was done.", (day, time)
            )
            assert piece
            writer.add(piece)
    return pages.render(writer.done())


def write(folder: Path, text: str, *, day: str = "2026-11-20", session: str = SESSION) -> Path:
    """Put a page into a namespace's folder."""
    path = folder / "history" / f"{day}-{session[:8]}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
