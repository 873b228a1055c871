"""Which files of the memory home are the memory's: all but the hidden ones, which are other programs', and the events.

A namespace's folder, and its topics and history, may be links to where the user keeps them, and any file may be one;
other folders are not followed out of the home.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from memory_plugin.memory.places import EVENTS_FOLDER, HISTORY_FOLDER, TOPICS_FOLDER

LARGEST = 64 << 20  # bytes of a file that is read
_EVENTS = ".jsonl"
_LINKED = (TOPICS_FOLDER, HISTORY_FOLDER)  # of a namespace: folders that may be links


@dataclass(slots=True)
class Contents:
    """files: each with its status, by its path from the home with `/`, events first, then by name.

    left_out: what is there and is not taken, with the reason in words; a folder that cannot be listed ends with `/`.
    """

    files: dict[str, os.stat_result] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def walk(
    home: str, is_foreign: Callable[[str], bool], failed: Callable[[OSError], None] | None = None
) -> Iterator[tuple[str, list[str]]]:
    """Each folder of a home with the names of the files in it, but for folders whose name is foreign.

    `failed` is called with the error of a folder that cannot be listed.
    """
    for folder, below, names in os.walk(home, followlinks=True, onerror=failed):
        depth = len(os.path.relpath(folder, home).split(os.sep)) if folder != home else 0
        below[:] = sorted(
            name
            for name in below
            if not is_foreign(name) and (_may_be_linked(depth, name) or not os.path.islink(os.path.join(folder, name)))
        )
        yield folder, sorted(names)


def contents(home: str) -> Contents:
    """What a memory home holds. OSError when the home itself cannot be listed."""
    found = Contents()

    def failed(error: OSError) -> None:
        if error.filename == home:
            raise error
        found.left_out[f"{_inside(str(error.filename), home)}/"] = error.strerror or str(error)

    _take(found, home, os.path.join(home, EVENTS_FOLDER), _event_names(home))
    for folder, names in walk(home, _is_hidden, failed):
        _take(found, home, folder, [name for name in names if not _is_hidden(name)])
    return found


def _event_names(home: str) -> list[str]:
    try:
        names = os.listdir(os.path.join(home, EVENTS_FOLDER))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name for name in names if name.endswith(_EVENTS) and not _is_hidden(name))


def _take(found: Contents, home: str, folder: str, names: list[str]) -> None:
    for name in names:
        path = os.path.join(folder, name)
        inside = _inside(path, home)
        try:
            status = os.stat(path)
        except OSError as error:
            is_link = os.path.islink(path)
            found.left_out[inside] = "a link to nothing" if is_link else error.strerror or str(error)
            continue
        if not stat.S_ISREG(status.st_mode):
            found.left_out[inside] = "not a file"
        elif status.st_size > LARGEST:
            found.left_out[inside] = f"larger than {LARGEST >> 20} MB"
        else:
            found.files[inside] = status


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _inside(path: str, home: str) -> str:
    return os.path.relpath(path, home).replace(os.sep, "/")


def _may_be_linked(depth: int, name: str) -> bool:
    return depth == 0 or (depth == 1 and name in _LINKED)


def leads_out(inside: str, home: str) -> bool:
    """Whether a path goes through a link that `contents` would not follow."""
    folder = home
    for depth, name in enumerate(inside.split("/")[:-1]):
        folder = os.path.join(folder, name)
        if os.path.islink(folder) and not _may_be_linked(depth, name):
            return True
    return False


def is_unsafe(inside: str) -> bool:
    """Whether a path from an archive is none that `contents` would give: absolute, upwards, or of a hidden file."""
    parts = inside.split("/")
    if len(parts) == 2 and parts[0] == EVENTS_FOLDER and parts[1].endswith(_EVENTS):
        parts = parts[1:]
    return "\0" in inside or any(_first(part) in ("", ".") for part in parts)


def _first(name: str) -> str:
    """The first letter that is seen: some file systems pass over those that are not."""
    return next((each for each in name if each.isprintable() and not each.isspace()), "")
