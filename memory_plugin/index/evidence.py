"""What two facts have to do with each other, read from their words: features with names, most of them 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher

from memory_plugin.index.concepts import AT, BYTES, MEASURES
from memory_plugin.index.wording import Word, Wording, found_in, read, share
from memory_plugin.memory.fact import Fact

_LEAST_PARALLEL = 0.34  # of two sentences whose words run side by side by chance, a third agrees
_NEAR = 1.2  # in the unit of index.centring


# Of a word's root, how rare it is among the facts of its project: 0 (in each) to 1 (in none but one).
Rarity = Callable[[str], float]


def usual(_: str) -> float:
    """The rarity of a word where the project's facts are not known."""
    return 0.75


def evidence(before: Fact, after: Fact, nearness: float | None, rarity: Rarity = usual) -> dict[str, float]:
    """The features of a pair, by name; those of nearness only when it is known."""
    old, new = read(before.text), read(after.text)
    found = {
        **_overlap(old, new),
        **_values(old, new),
        **_types(old, new),
        **_subjects(old, new),
        **_verbs(old, new),
        **_residue(old, new),
        **_frame(old, new),
        **_said(old, new),
    }
    found |= _anchors(old, new, rarity)
    if nearness is not None:
        found |= {"near": nearness, "very_near": max(nearness - _NEAR, 0.0)}
        found |= {"change_near": found["change"] * nearness}
    return found | _together(found)


def _together(found: dict[str, float]) -> dict[str, float]:
    """What says more together than each says alone."""
    change, kept = found["change"], found["topic_kept"]
    value = max(
        found[name] for name in ("unit_differs", "number_differs", "kind", "path_differs", "names", "type_differs")
    )
    return {
        "value_subject": value * found["subject_same"],
        "value_spotless": value * found["spotless"],
        "value_one_clean": value * found["one_both"] * found["clean"],
        "unit_topic": found["unit_differs"] * kept * found["topic_found"],
        "type_subject": found["type_differs"] * found["subject_same"],
        "type_parallel": found["type_differs"] * found["parallel"] * found["clean"],
        "types_apart_same": found["types_apart"] * (1 - change),
        "copula_conflict": found["copula_same"] * found["subject_conflict"],
        "slots_type": found["more_slots"] * found["type_differs"] * (1 - change),
    }


def _overlap(old: Wording, new: Wording) -> dict[str, float]:
    """How many of the words of the one stand in the other, and what is left over."""
    old_left = [word for word in old.content if not found_in(word, new.content)]
    new_left = [word for word in new.claim if not found_in(word, old.content)]
    old_topic, new_topic = _topic(old), _topic(new)
    shared = share(old.content, new.content)
    return {
        "shared_old": shared,
        "shared_new": share(new.claim, old.content),
        "none_shared": float(shared == 0),
        "topic_kept": share(old_topic, new.content),
        "topic_found": share(new_topic, old.content),
        "last_kept": share(old.claim[-1:], new.content),
        "left_old": min(len(old_left), 8) / 8,
        "left_new": min(len(new_left), 8) / 8,
    }


def _topic(wording: Wording) -> list[Word]:
    """What a clause is about: its words that are no value, or the first of all."""
    return [word for word in wording.claim if not wording.is_value(word)] or wording.claim[:1]


def _values(old: Wording, new: Wording) -> dict[str, float]:
    """Whether the values are others: numbers of the same thing, two of a kind, names, paths."""
    before, after = _counted(old), _counted(new)
    units = {unit for unit in before if unit and unit in after}
    old_numbers, new_numbers = _numbers(old), _numbers(new)
    old_paths, new_paths = ({word.plain for word in each.words if word.path} for each in (old, new))
    old_left = [word for word in old.content if not found_in(word, new.content)]
    new_left = [word for word in new.content if not found_in(word, old.content)]
    kinds, more = _kinds(old_left) & _kinds(new_left), _kinds(old.content) & _kinds(new_left)
    return {
        "unit_differs": float(any(not before[unit] & after[unit] for unit in units)),
        "number_differs": float(bool(old_numbers and new_numbers) and not old_numbers & new_numbers),
        "number_same": float(bool(old_numbers & new_numbers)),
        "kind": min(len(kinds), 2) / 2,
        "kind_besides": float(bool(more - kinds)),
        "names": float(all(any(word.name and not word.kinds for word in each) for each in (old_left, new_left))),
        "path_differs": float(bool(old_paths and new_paths) and not old_paths & new_paths),
    }


def _types(old: Wording, new: Wording) -> dict[str, float]:
    """Whether the values are of one type (sizes, times of day, databases, names …) and differ, or of others."""
    before, after = _typed(old), _typed(new)
    shared = before.keys() & after.keys()
    return {
        "type_differs": float(any(not before[each] & after[each] for each in shared)),
        "type_same": float(any(before[each] & after[each] for each in shared)),
        "types_apart": float(bool(before and after) and not shared),
    }


def _typed(wording: Wording) -> dict[str, set[str]]:
    """The values by type; a number's is what it measures, else what it counts."""
    found: dict[str, set[str]] = {}
    for word in wording.words:
        if word.number:
            found.setdefault(measure(wording, word), set()).add(word.plain)
        elif word.path:
            found.setdefault("path", set()).add(word.plain)
        elif word.kinds:
            for kind in word.kinds:
                found.setdefault(f"kind {kind}", set()).add(word.root)
        elif word.name and wording.is_value(word):
            found.setdefault("name", set()).add(word.plain)
    return found


def measure(wording: Wording, word: Word) -> str:
    """What a number of a text measures: a size, a duration, a time of day …, else what it counts."""
    if any(each.plain in BYTES for each in wording.words[word.place + 1 : word.place + 2]):
        return "size"
    around = wording.words[word.place + 1 : word.place + 3], wording.words[max(word.place - 2, 0) : word.place][::-1]
    for near in around:
        for each in near[:1]:
            if each.root in MEASURES:
                return MEASURES[each.root]
    if word.plain.endswith("h") or ":" in word.plain or any(each.plain in AT for near in around for each in near):
        return "time"
    unit = next((each.root for near in around for each in near if not each.filler), "")
    return f"count {unit}"


def _numbers(wording: Wording) -> set[str]:
    return {word.plain for word in wording.words if word.number}


def _counted(wording: Wording) -> dict[str, set[str]]:
    """The numbers by what they count: the word after each, and the last before it that says something."""
    found: dict[str, set[str]] = {}
    for word in wording.words:
        if word.number:
            after = [each for each in wording.words[word.place + 1 :][:1] if not each.filler or each.plain in "%€"]
            before = [each for each in wording.words[max(word.place - 2, 0) : word.place] if not each.filler][-1:]
            for each in after + before:
                found.setdefault(each.root, set()).add(word.plain)
    return found


def _kinds(words: Iterable[Word]) -> set[int]:
    return {kind for word in words for kind in word.kinds}


def _subjects(old: Wording, new: Wording) -> dict[str, float]:
    """Whether what stands before the verbs is the same, goes on in the other, or is two things."""
    left, right = old.subject, new.subject
    both = bool(left and right)
    kept, found = share(left, right) == 1, share(right, left) == 1
    return {
        "no_subjects": float(not left and not right),
        "subject_same": float(both and kept and found),
        "subject_conflict": float(both and not kept and not found),
    }


def _verbs(old: Wording, new: Wording) -> dict[str, float]:
    """Whether both say the same kind of thing of their subjects, as far as their verbs tell."""
    left, right = (each.words[each.verb] if each.verb else None for each in (old, new))
    same = left is not None and right is not None and left.root == right.root
    plain = same and left is not None and left.filler
    return {"verb_same": float(same and not plain), "copula_same": float(plain)}


def _residue(old: Wording, new: Wording) -> dict[str, float]:
    """Whether, values left aside, each says something that the other does not: then they speak of two things."""
    left = [word for word in old.claim if not old.is_value(word) and not found_in(word, new.content)]
    right = [word for word in new.claim if not new.is_value(word) and not found_in(word, old.content)]
    shared = share(old.claim, new.content) > 0
    return {
        "clean": float(shared and not (left and right)),
        "spotless": float(shared and not left and not right),
        "residue": min(len(left), len(right), 3) / 3,
    }


def _frame(old: Wording, new: Wording) -> dict[str, float]:
    """How the sentences run side by side, and where the words differ that stand in the same place."""
    left, right = ([word.root for word in each.words] for each in (old, new))
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    parallel = ratio if (ratio := matcher.ratio()) >= _LEAST_PARALLEL else 0.0
    slots = [
        (old.words[start:end], new.words[start_new:end_new])
        for tag, start, end, start_new, end_new in matcher.get_opcodes()
        if tag != "equal"
    ]
    slots = [each for each in slots if any(not word.filler for side in each for word in side)]
    first = next((word.place for word in old.content), -1)
    leading = bool(slots) and any(word.place == first for word in slots[0][0])
    return {
        "parallel": parallel,
        "one_slot": parallel * (len(slots) == 1),
        "more_slots": parallel * (len(slots) > 1),
        "last_slot_only": parallel * (len(slots) == 1 and not leading),
        **_one_slot(old, new, slots, leading),
    }


def _one_slot(
    old: Wording, new: Wording, slots: Sequence[tuple[Sequence[Word], Sequence[Word]]], leading: bool
) -> dict[str, float]:
    """Whether it is the same sentence with another value in one place, and what the value is."""
    number = name = owner = 0.0
    if len(slots) == 1:
        before, after = ([word for word in side if not word.filler] for side in slots[0])
        several = old.says("several") and new.says("several")
        held = old.says("holds") > 0
        short = 0 < len(before) <= 2 and 0 < len(after) <= 2
        if short and not several and all(word.number or word.path for word in (*before, *after)):
            number = 1.0
        elif short and leading and held and all(_is_name(word) for word in (*before, *after)):
            owner = 1.0
        elif short and not leading and not several and not held:
            valued = all(old.is_value(word) for word in before) and all(new.is_value(word) for word in after)
            name = float(valued or (old.says("one") > 0 and new.says("one") > 0))
    return {"only_number": number, "only_name": name, "only_owner": owner}


def _is_name(word: Word) -> bool:
    """Whether a word may be somebody's name, at the beginning of a sentence too."""
    return word.capital and not word.kinds and not word.number


def _said(old: Wording, new: Wording) -> dict[str, float]:
    """What the words of change and of denial say."""
    anew, gone, corrected = (min(new.says(table), 2) / 2 for table in ("anew", "gone", "corrected"))
    negated = [bool(each.says("negated")) for each in (old, new)]
    return {
        "anew": anew,
        "gone": gone,
        "corrected": corrected,
        "change": max(anew, gone, corrected),
        "negated_new": float(negated[1]),
        "negation_differs": float(negated[0] != negated[1]),
        "happened": float(old.says("happened") > 0),
        "one_both": float(old.says("one") > 0 and new.says("one") > 0),
    }


def _anchors(old: Wording, new: Wording, rarity: Rarity) -> dict[str, float]:
    """What the two share, each word counting for what it tells: a project's own name tells nothing."""
    before = _weighed(old.content, rarity)
    shared = [word for word in old.content if found_in(word, new.content)]
    told = _weighed(shared, rarity)
    topic = min(sum(_weighed((word for word in shared if not old.is_value(word)), rarity).values()), 3.0)
    named = (word for word in shared if old.is_value(word) and not word.number)
    value = min(sum(_weighed(named, rarity).values()), 2.0)
    first = [word for word in shared if word in old.content[:2]]
    return {
        "anchors": min(sum(told.values()), 4.0),
        "anchor": max(told.values(), default=0.0),
        "anchored_old": sum(told.values()) / (sum(before.values()) or 1.0),
        "anchor_topic": topic,
        "anchor_value": value,
        "anchor_first": max(_weighed(first, rarity).values(), default=0.0),
    }


def _weighed(words: Iterable[Word], rarity: Rarity) -> dict[str, float]:
    return {word.root: rarity(word.root) for word in words}
