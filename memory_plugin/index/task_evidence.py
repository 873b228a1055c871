"""What a later saying has to do with a task: features with names, most of them 0 to 1."""

from __future__ import annotations

import re

from memory_plugin.index import task_words
from memory_plugin.index.wording import Word, found_in, read, share

_PATTERNS = {name: tuple(re.compile(row) for row in rows) for name, rows in task_words.TABLES.items()}
_WANTED = re.compile(r"^(?:todo|later|next|please|still|(?:we|i) (?:have|need|want|should) to|il faut|faut|on doit)")


def task_evidence(task: str, later: str, nearness: float | None) -> dict[str, float]:
    """The features of a task and what was said later, by name; those of nearness only when it is known."""
    old, new = read(task), read(later)
    said = {name: float(any(row.search(new.text) for row in rows)) for name, rows in _PATTERNS.items()}
    verb, rest = old.content[:1], old.content[1:]
    others = [word for word in new.claim if not found_in(word, old.content)]
    unheard = [word for word in rest if not found_in(word, new.content)]
    found = {
        **said,
        "verb_kept": share(verb, new.content),
        "object_kept": share(rest or verb, new.content),
        "all_kept": float(not unheard),
        "last_kept": share(rest[-1:], new.content),
        "other_name": float(any(map(_is_mark, others)) and any(map(_is_mark, unheard))),
        "apart": float(_apart(old.words, new.words)),
        "gone": float(new.says("gone") > 0),
        "wanted": float(_WANTED.match(new.text) is not None),
        "others": min(len(others), 6) / 6,
    }
    found["unheard"] = min(len(unheard), 4) / 4
    found["past_swap"] = found["past"] * float(bool(unheard and others))
    found["done_swap"] = found["done"] * float(bool(unheard and others))
    found["plain_all"] = (1 - found["past"]) * found["all_kept"] * (1 - found["not_yet"])
    found["past_verb"] = found["past"] * found["verb_kept"]
    found["past_kept"] = found["past"] * found["object_kept"] * (1 - found["unfinished"])
    found["past_all"] = found["past"] * found["all_kept"] * (1 - found["not_yet"])
    found["past_apart"] = found["past"] * max(found["apart"], found["other_name"])
    found["not_yet_kept"] = found["not_yet"] * found["object_kept"]
    found["done_kept"] = found["done"] * found["object_kept"]
    found["dropped_kept"] = found["dropped"] * found["object_kept"]
    found["again_kept"] = found["again"] * found["object_kept"]
    found["done_unfinished"] = found["done"] * found["unfinished"]
    found["done_apart"] = found["done"] * max(found["apart"], found["other_name"])
    if nearness is not None:
        found |= {"near": nearness, "far": max(0.6 - nearness, 0.0)}
    return found


def _is_mark(word: Word) -> bool:
    return word.number or word.name or bool(word.sides) or bool(word.kinds)


def _apart(old: tuple[Word, ...], new: tuple[Word, ...]) -> bool:
    """Whether the two speak of different neighbours: German and French, unit and end-to-end."""
    for side in {side for word in old for side in word.sides}:
        here, there = ({word.root for word in each if side in word.sides} for each in (old, new))
        if there and not here & there:
            return True
    return False
