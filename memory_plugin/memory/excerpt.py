"""The beginning or the end of a text, on one line, cut between words. Pure."""

from __future__ import annotations

CUT = "…"
_PAUSES = " ,;:"  # what need not stand before a cut


def beginning(text: str, most: int) -> str:
    """A text on one line of at most so many characters (one at least); a longer one ends with CUT.

    Cut between words if that leaves half of it, else between letters: some scripts have no spaces.
    """
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    head, space = text[: most - 1], text.rfind(" ", 0, most)
    return (head[:space] if 2 * space >= most else head).rstrip(_PAUSES) + CUT


def end(text: str, most: int) -> str:
    """The end of a text, as `beginning` gives the other."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    first = len(text) - most + 1
    space = text.find(" ", first - 1)
    return CUT + text[space + 1 if 0 <= space <= len(text) - most // 2 else first :]
