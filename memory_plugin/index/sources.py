"""Which files are indexed: the memory home, and of each known project what it and the client keep in Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from memory_plugin.index.chunks import Role, Source
from memory_plugin.memory.places import GLOBAL_NAMESPACE, HISTORY_FOLDER, MEMORY_FILE, client_slug

_MARKDOWN = (".md", ".markdown")
_LOG = re.compile(r"^\d{4}-\d{2}-\d{2}(?!\d)")
_DEEPEST = 12
PROJECT_FILES = (("CLAUDE.md", True), ("STATUS.md", False))  # the client loads the first by itself


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder and the namespace it belongs to."""

    folder: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Roots:
    """Where to look: the memory home, the projects known here, and the client's own folder (empty: none)."""

    home: str
    projects: tuple[Project, ...] = ()
    client_folder: str = ""


class Found(NamedTuple):
    """A file to index, and what tells whether it changed."""

    source: Source
    size: int
    mtime_ns: int


@dataclass(slots=True)
class Discovery:
    """What there is to index. unreadable: folders that could not be listed, of which nothing is known."""

    files: dict[str, Found] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def discover(roots: Roots) -> Discovery:
    """Every file to index, by its path. Links are not followed: a home must not reach out of itself."""
    discovery = Discovery()
    home = os.path.realpath(roots.home)
    for entry, folders in _walk(home, (), discovery):
        namespace = folders[0] if folders else GLOBAL_NAMESPACE
        _take(entry, Source(entry.path, namespace, _role(entry.name, folders)), discovery)
    for project in roots.projects:
        _discover_project(project, roots.client_folder, discovery)
    return discovery


def _discover_project(project: Project, client_folder: str, discovery: Discovery) -> None:
    for entry in _listed(project.folder, discovery, may_be_absent=True):
        for name, resident in PROJECT_FILES:
            if entry.name == name and entry.is_file(follow_symlinks=False):
                _take(entry, Source(entry.path, project.namespace, "note", resident), discovery)
    if not client_folder:
        return
    memory = os.path.join(client_folder, "projects", client_slug(project.folder), "memory")
    for entry in _listed(memory, discovery, may_be_absent=True):
        if entry.name.endswith(_MARKDOWN) and entry.is_file(follow_symlinks=False):
            # Of its auto memory the client loads only MEMORY.md by itself.
            _take(entry, Source(entry.path, project.namespace, "note", entry.name == MEMORY_FILE), discovery)


def _walk(
    folder: str, inside: tuple[str, ...], discovery: Discovery
) -> Iterator[tuple[os.DirEntry[str], tuple[str, ...]]]:
    """Markdown files below a folder, each with the names of the folders it is in."""
    for entry in _listed(folder, discovery, may_be_absent=False):
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if len(inside) < _DEEPEST:
                yield from _walk(entry.path, (*inside, entry.name), discovery)
        elif entry.name.lower().endswith(_MARKDOWN) and entry.is_file(follow_symlinks=False):
            yield entry, inside


def _listed(folder: str, discovery: Discovery, *, may_be_absent: bool) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        if may_be_absent:
            return []
        discovery.problems.append(f"{folder}: not there, so nothing of it is indexed anew")
    except OSError as error:
        discovery.problems.append(f"{folder}: cannot be listed ({error.strerror or error})")
    discovery.unreadable.append(os.path.join(folder, ""))
    return []


def _role(name: str, folders: tuple[str, ...]) -> Role:
    if folders[1:2] == (HISTORY_FOLDER,):
        return "history"
    if _LOG.match(name):
        return "log"
    if "topics" in folders[1:2]:
        return "topic"
    return "pointers" if name == MEMORY_FILE else "note"


def _take(entry: os.DirEntry[str], source: Source, discovery: Discovery) -> None:
    try:
        entry.path.encode()
        stat = entry.stat(follow_symlinks=False)
    except UnicodeEncodeError:
        discovery.problems.append(f"{entry.path!a}: the name is not valid Unicode; rename the file to index it")
    except OSError as error:
        discovery.problems.append(f"{entry.path}: {error.strerror or error}")
        discovery.unreadable.append(entry.path)
    else:
        discovery.files.setdefault(entry.path, Found(source, stat.st_size, stat.st_mtime_ns))
