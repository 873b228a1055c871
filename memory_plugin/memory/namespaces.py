"""Which memory a folder belongs to: by git remote, else git common directory, else the folder itself.

Worktrees and clones of one repository share a memory; namesakes don't. Git's own files are read, no process
is started: a hook has no time for one.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass

from memory_plugin.memory.files import read_bytes

_REMOTE = re.compile(r'^\s*\[remote\s+"(?P<name>[^"]*)"\]', re.I)
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>.+?)\s*$", re.I)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)$", re.I)
_SCP = re.compile(r"^(?:[^@/]+@)?(?P<host>[^/:]+):(?!//)(?P<path>.+)$")
_LARGEST_CONFIG = 1 << 20


@dataclass(frozen=True, slots=True)
class Namespace:
    """name: the folder in the memory home; identity: what it stands for, in words; root: the project's folder."""

    name: str
    identity: str
    root: str


def namespace_of(folder: str) -> Namespace:
    """The namespace of a project folder, which need not exist any more."""
    folder = os.path.realpath(folder)
    root, git = _git_folder(folder)
    if git is None:
        return Namespace(_name(os.path.basename(folder), folder), folder, folder)
    common = _common_folder(git)
    remote = _remote(os.path.join(common, "config"))
    if remote:
        return Namespace(_name(remote.rsplit("/", 1)[-1], remote), remote, root)
    place = os.path.dirname(common) if os.path.basename(common) == ".git" else common
    return Namespace(_name(os.path.basename(place), common), place, root)


def _name(title: str, identity: str) -> str:
    """A folder name that reads well and that no other identity has."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", title).casefold())
    readable = "-".join(words)[:40].strip("-") or "project"
    return f"{readable}-{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:8]}"


def _git_folder(folder: str) -> tuple[str, str | None]:
    """The repository's root and its git directory, from the folder upwards."""
    at = folder
    while True:
        dot_git = os.path.join(at, ".git")
        if os.path.isdir(dot_git):
            return at, dot_git
        if os.path.isfile(dot_git):  # a worktree or a submodule: "gitdir: PATH"
            pointer = read_bytes(dot_git, 4096).decode(errors="surrogateescape").strip()
            if pointer.startswith("gitdir:"):
                return at, os.path.realpath(os.path.join(at, pointer[len("gitdir:") :].strip()))
        parent = os.path.dirname(at)
        if parent == at:
            return folder, None
        at = parent


def _common_folder(git: str) -> str:
    """A worktree's git directory names the one it shares in a file `commondir` (gitrepository-layout(5))."""
    try:
        pointer = read_bytes(os.path.join(git, "commondir"), 4096).decode(errors="surrogateescape").strip()
    except OSError:
        pointer = ""
    return os.path.realpath(os.path.join(git, pointer)) if pointer else git


def _remote(config: str) -> str | None:
    """host/path of `origin`, else of the first remote by name, or None."""
    try:
        lines = read_bytes(config, _LARGEST_CONFIG).decode(errors="surrogateescape").splitlines()
    except OSError:
        return None
    remotes: dict[str, str] = {}
    section = None
    for line in lines:
        if line.lstrip().startswith("["):
            opened = _REMOTE.match(line)
            section = opened["name"] if opened else None
        elif section is not None and (found := _URL.match(line)):
            remotes.setdefault(section, found["url"].strip('"'))
    for name in ["origin", *sorted(remotes)]:
        if name in remotes and (identity := remote_identity(remotes[name])):
            return identity
    return None


def remote_identity(url: str) -> str | None:
    """`host/owner/name` of a remote's URL, the same for https and ssh, without credentials; a local path as it is."""
    found = _SCHEME.match(url) or _SCP.match(url)
    if not found:
        return url.rstrip("/") or None
    path = found["path"].strip("/")
    path = path[: -len(".git")] if path.endswith(".git") else path
    return f"{found['host']}/{path}".casefold() if path else None
