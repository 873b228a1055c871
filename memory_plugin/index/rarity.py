"""How rare each word is among the facts of a project: what stands in all of them ties no two of them together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from memory_plugin.index.evidence import Rarity
from memory_plugin.index.wording import read

_FEW = 8  # facts: among fewer, none of their words is known to be common


def rarity_among(texts: Iterable[str]) -> Rarity | None:
    """The rarity of words among these texts, by root: 1 for what none of them holds, 0 for what all of them hold.

    None when the texts are too few to tell.
    """
    held = [{word.root for word in read(text).content} for text in texts]
    if len(held) < _FEW:
        return None
    count = Counter(root for each in held for root in each)
    scale = math.log(len(held) + 1)
    return lambda root: math.log((len(held) + 1) / (count[root] + 1)) / scale
