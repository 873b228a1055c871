"""Texts that a regular expression matches, made from the expression itself: each of its branches is taken."""

from __future__ import annotations

import random
import re
import re._constants as kinds  # type: ignore[import-not-found]  # no public module says what an expression holds
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from typing import Any

_LETTERS = "azbyèQ"
_CATEGORIES = {
    kinds.CATEGORY_DIGIT: "38",
    kinds.CATEGORY_SPACE: " ",
    kinds.CATEGORY_WORD: _LETTERS,
    kinds.CATEGORY_NOT_DIGIT: "x",
    kinds.CATEGORY_NOT_SPACE: "x",
    kinds.CATEGORY_NOT_WORD: " ,",
}
_CANDIDATES = _LETTERS + " ,.:;`/38-'"


def examples(source: str, flags: int = 0, *, rounds: int = 30) -> Iterator[str]:
    """Texts that the expression matches somewhere, some `rounds` for each alternative of its widest branch."""
    pattern = re.compile(source, flags)
    tree = parser.parse(source, flags)
    turns: dict[int, int] = {}
    chance = random.Random(source)
    for _ in range(rounds * (1 + _widest(tree))):
        made = _made(tree, turns, chance)
        for text in (made, f"well {made} then"):
            if pattern.search(text):
                yield text


def _widest(tree: Any) -> int:
    widest = 0
    for kind, value in tree:
        if kind is kinds.BRANCH:
            widest = max(widest, len(value[1]), *map(_widest, value[1]))
        elif kind is kinds.SUBPATTERN:
            widest = max(widest, _widest(value[3]))
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            widest = max(widest, _widest(value[2]))
    return widest


def _made(tree: Any, turns: dict[int, int], chance: random.Random) -> str:
    """One text; each branch takes its alternatives in turn."""
    text = ""
    for kind, value in tree:
        if kind is kinds.LITERAL:
            text += chr(value)
        elif kind is kinds.NOT_LITERAL:
            text += chance.choice([each for each in _CANDIDATES if each != chr(value)])
        elif kind is kinds.ANY:
            text += chance.choice(_CANDIDATES)
        elif kind is kinds.IN:
            text += _one_of(value, chance)
        elif kind is kinds.BRANCH:
            turn = turns[id(value)] = turns.get(id(value), chance.randrange(len(value[1]))) + 1
            text += _made(value[1][turn % len(value[1])], turns, chance)
        elif kind is kinds.SUBPATTERN:
            text += _made(value[3], turns, chance)
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            least, most, inner = value
            count = chance.choice([int(least), min(int(most), int(least) + 1), min(int(most), int(least) + 3)])
            text += "".join(_made(inner, turns, chance) for _ in range(count))
        elif kind not in (kinds.AT, kinds.ASSERT, kinds.ASSERT_NOT):
            raise NotImplementedError(kind)
    return text


def _one_of(items: Any, chance: random.Random) -> str:
    if items[0][0] is kinds.NEGATE:
        refused = re.compile("[" + "".join(_written(kind, value) for kind, value in items[1:]) + "]")
        return chance.choice([each for each in _CANDIDATES if not refused.match(each)])
    kind, value = chance.choice(items)
    if kind is kinds.LITERAL:
        return chr(value)
    if kind is kinds.RANGE:
        return chr(chance.choice([value[0], value[1], (value[0] + value[1]) // 2]))
    return chance.choice(_CATEGORIES[value])


def _written(kind: Any, value: Any) -> str:
    """An item of a class as it is written."""
    if kind is kinds.LITERAL:
        return re.escape(chr(value))
    if kind is kinds.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return {kinds.CATEGORY_DIGIT: r"\d", kinds.CATEGORY_SPACE: r"\s", kinds.CATEGORY_WORD: r"\w"}.get(value, r"\W")
