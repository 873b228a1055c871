"""Columns of secrets: what stands below a heading that names one, in a Markdown table or comma-separated values."""

from __future__ import annotations

from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.redaction.secrecy import is_given, is_mixed, is_word

Span = tuple[int, int]

# Names, each with letters that it begins with, up to the end of their cell.
_ENDED = r"[*\"`]{0,3} {0,20}(?=[|,;\t\r\n])"
_NAMES = tuple(
    (literal, Pattern(literal + rest + _ENDED))
    for literal, rest in (
        ("pass", r"(?:word|wd|phrase|wort|e|)"),
        ("pwd", ""),
        ("mdp", ""),
        ("secret", ""),
        ("token", ""),
        ("key", ""),
    )
)
# What stands before a name in its cell, with the sign that parts it from the one before.
_OPENED = Pattern(r"(?:(?P<sign>[|,;\t])|(?:\A|\n)) {0,20}[*\"`]{0,3}(?:(?:[a-z]{1,20}|mot de)[ _-])?\Z")
_CELLS = Pattern(r"\s*(?:[^\W\d_][\w *\"`-]{0,30}[,;]\s?){1,20}[^\W\d_][\w *\"`-]{0,30}\s*")  # of values, no sentence
_AROUND = " *\"'`\r"
_MOST_ROWS = 200
_LONGEST_ROW = 2000  # characters


def spans(text: str, folded: str) -> list[Span]:
    """Where the cells lie that stand below such a heading. folded: the text in small letters, of the same length."""
    found = list[Span]()
    for literal, pattern in _NAMES:
        if literal in folded:
            rows = (0, 0)
            for name in pattern.compiled.finditer(folded):
                if not rows[0] <= name.start() < rows[1]:
                    opened = _OPENED.search(folded[max(name.start() - 50, 0) : name.start()])
                    sign = (opened["sign"] or folded[name.end()]) if opened else ""
                    if sign.strip("\r\n"):
                        cells, rows = _below(text, name.end(), sign)
                        found += cells
    return found


def _below(text: str, name_end: int, sign: str) -> tuple[list[Span], Span]:
    """The cells below a name that ends there, and where their rows lie."""
    start = text.rfind("\n", max(name_end - _LONGEST_ROW, 0), name_end) + 1
    first = end = text.find("\n", name_end, name_end + _LONGEST_ROW)
    if end < 0 or end - start > _LONGEST_ROW or (sign in ",;" and not _CELLS.fullmatch(text[start:end])):
        return [], (0, 0)
    found = list[Span]()
    column, signs = text.count(sign, start, name_end), text.count(sign, start, end)
    for _ in range(_MOST_ROWS):
        start, end = end + 1, text.find("\n", end + 1, end + _LONGEST_ROW)
        row = text[start : end if end >= 0 else start + _LONGEST_ROW]
        if row.count(sign) != signs:
            break
        cells = row.split(sign)
        value = cells[column].strip(_AROUND)
        if is_given(value) and (is_mixed(value) or is_word(value)):
            at = start + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].index(value)
            found.append((at, at + len(value)))
        if end < 0:
            break
    return found, (first, start)
