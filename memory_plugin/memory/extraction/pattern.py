"""Regular expressions that cost nothing until they are used: a hook is a process of its own and needs few of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property


def any_of(sources: Iterable[str]) -> str:
    """One source that matches wherever one of the sources does; nothing matches no sources."""
    return "|".join(f"(?:{source})" for source in sources) or "(?!)"


class Pattern:
    """A regular expression, compiled when it first meets a text."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, self.flags)

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.search

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.fullmatch

    @cached_property
    def sub(self) -> Callable[[str, str], str]:
        return self.compiled.sub

    @cached_property
    def split(self) -> Callable[[str], list[str]]:
        return self.compiled.split

    @cached_property
    def findall(self) -> Callable[[str], list[str]]:
        return self.compiled.findall
