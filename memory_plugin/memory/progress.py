"""What extraction remembers of a conversation between two messages: a few small numbers and two bitmaps."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

OFFER_LIMIT = 600
_BITS = 8192
_FULL = _BITS // 4


@dataclass(frozen=True, slots=True)
class Progress:
    """said and kept are characters since the conversation began; offer is the question the assistant last asked, with its options.

    seen and older are bitmaps of word stems already kept. When seen is a quarter full it becomes older, so that a word
    forgotten long ago counts as new again and the size stays the same however long a conversation lasts.
    """

    said: int = 0
    kept: int = 0
    offer: str = ""
    seen: int = 0
    older: int = 0

    def to_json(self) -> dict[str, Any]:
        """At most about 4 KB of JSON."""
        return {
            "said": self.said, "kept": self.kept, "offer": self.offer,
            "seen": _packed(self.seen), "older": _packed(self.older),
        }  # fmt: skip

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Progress:
        """What to_json wrote; whatever is missing or damaged starts over."""
        return cls(
            said=_count(stored.get("said")),
            kept=_count(stored.get("kept")),
            offer=offer[:OFFER_LIMIT] if isinstance(offer := stored.get("offer"), str) else "",
            seen=_unpacked(stored.get("seen")),
            older=_unpacked(stored.get("older")),
        )

    def knows(self, stem: str) -> bool:
        """Whether a word with this stem was kept lately (or, rarely, another that shares its bit)."""
        bit = _bit(stem)
        return bool((self.seen >> bit | self.older >> bit) & 1)

    def learn(self, stems: Iterable[str]) -> Progress:
        """This progress with the stems known."""
        seen, older = self.seen, self.older
        for stem in stems:
            seen |= 1 << _bit(stem)
        if seen.bit_count() > _FULL:
            seen, older = 0, seen
        return Progress(self.said, self.kept, self.offer, seen, older)


def _bit(stem: str) -> int:
    return zlib.crc32(stem.encode("utf-8", "replace")) % _BITS


def _packed(bitmap: int) -> str:
    return base64.b85encode(zlib.compress(bitmap.to_bytes(_BITS // 8, "little"))).decode("ascii")


def _unpacked(packed: object) -> int:
    if not isinstance(packed, str):
        return 0
    try:
        decompressor = zlib.decompressobj()
        return int.from_bytes(decompressor.decompress(base64.b85decode(packed), _BITS // 8), "little")
    except (ValueError, binascii.Error, zlib.error):
        return 0


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
