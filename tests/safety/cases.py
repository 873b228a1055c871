"""The lists of what must be masked and what must survive, with the values in them made when they are read."""

from __future__ import annotations

import random
import re
import string
from dataclasses import dataclass
from pathlib import Path

_ALPHABETS = {
    "b62": string.ascii_letters + string.digits,
    "b64": string.ascii_letters + string.digits + "_-",
    "std": string.ascii_letters + string.digits + "+/",
    "b36": string.ascii_lowercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "up": string.ascii_uppercase + "234567",
    "hex": "0123456789abcdef",
    "num": string.digits,
}
_MADE = re.compile(r"\{(\w+):(\d+)\}")
_MARKED = re.compile("⟨(.*?)⟩", re.S)


@dataclass(frozen=True)
class Case:
    """A text and the secrets in it; at: the number of its line in the list."""

    at: int
    text: str
    secrets: tuple[str, ...]


def read(name: str) -> list[Case]:
    """The cases of a list beside this file."""
    cases = []
    for number, line in enumerate((Path(__file__).parent / name).read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            chance = random.Random(number)
            text = _MADE.sub(lambda found, chance=chance: _made(chance, found[1], int(found[2])), line)  # type: ignore[misc]
            text = text.replace("⏎", "\n")
            cases.append(Case(number, _MARKED.sub(r"\1", text), tuple(_MARKED.findall(text))))
    return cases


def traces(secret: str) -> tuple[str, ...]:
    """Parts of a secret that nobody writes by chance: of a short one all of it."""
    bare = secret.strip('"')
    return (bare,) if len(bare) < 12 else (bare[:12], bare[4:12], bare[-8:])


def _made(chance: random.Random, kind: str, length: int) -> str:
    """A value of an alphabet that begins and ends with a letter or digit and holds a digit, as nearly all do."""
    alphabet = _ALPHABETS[kind]
    plain = [each for each in alphabet if each.isalnum()]
    made = [chance.choice(alphabet) for _ in range(length)]
    made[0], made[-1] = chance.choice(plain), chance.choice(plain)
    if length > 6 and not any(each.isdigit() for each in made):
        made[length // 2] = chance.choice([each for each in alphabet if each.isdigit()])
    return "".join(made)


MUST_MASK = read("must_mask.txt")
MUST_SURVIVE = read("must_survive.txt")
