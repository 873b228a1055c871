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
from memory_plugin.memory.places import GLOBAL_NAMESPACE

_SECTION = re.compile(r"^\s*\[(?P<section>[^\]]*)\](?P<rest>.*)$")
_REMOTE = re.compile(r'^remote\s+"(?P<name>[^"]*)"$', re.I)
_URL = re.compile(r'^\s*url\s*=\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s#;"]+))', re.I)
_SCHEME = re.compile(
    r"^(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[^/]*@)?(?P<host>\[[^\]/]*\]|[^/:]*)(?::\d+)?/(?P<path>.+)$", re.I
)
_SCP = re.compile(r"^(?:[^@/:]+@)?(?P<host>\[[^\]/]*\]|[^/:\\]{2,}):(?!//)(?P<path>.+)$")
_PROJECT = re.compile(r"-[0-9a-f]{8}$")  # how `_name` ends
_LARGEST_CONFIG = 1 << 20


@dataclass(frozen=True, slots=True)
class Namespace:
    """name: the folder in the memory home; identity: what it stands for, in words; root: the project's folder."""

    name: str
    identity: str
    root: str


def namespace_of(folder: str) -> Namespace:
    """The namespace of a project folder, which need not exist any more.

    A folder of another system (`C:\\work`, in a transcript that came from there) stands for itself.
    """
    if not os.path.isabs(folder):
        return Namespace(_name(re.split(r"[/\\]", folder.rstrip("/\\"))[-1], folder), folder, folder)
    folder = os.path.realpath(folder)
    root, git = _git_folder(folder)
    if git is None:
        return Namespace(_name(os.path.basename(folder), folder), folder, folder)
    identity = _identity(git, root)
    return Namespace(_name(os.path.basename(identity), identity), identity, root)


def _identity(git: str, root: str, steps: int = 3) -> str:
    """What a repository is known by: its remote; a remote on this machine is followed to what that is known by."""
    common = _common_folder(git)
    remote = _remote(os.path.join(common, "config"), root)
    if remote is None:
        return os.path.dirname(common) if os.path.basename(common) == ".git" else common
    if os.path.isabs(remote) and steps:
        for folder in (os.path.join(remote, ".git"), remote):
            if os.path.lexists(os.path.join(folder, "HEAD")):
                return _identity(folder, remote, steps - 1)
    return remote


def everywhere() -> Namespace:
    """What holds in every project."""
    return Namespace(GLOBAL_NAMESPACE, "every project", "")


def shared(home: str) -> list[str]:
    """What every project sees beside its own: `global`, and folders of the home that are no project's (a vault's)."""
    try:
        with os.scandir(home) as entries:
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        folders = []
    own = [name for name in folders if not name.startswith(".") and not _PROJECT.search(name)]
    return sorted({GLOBAL_NAMESPACE, *own})


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
        if os.path.lexists(os.path.join(dot_git, "HEAD")):  # else git takes it for no repository either
            return at, dot_git
        if os.path.isfile(dot_git):  # a worktree or a submodule: "gitdir: PATH"
            pointer = _pointer(dot_git)
            if pointer.startswith("gitdir:"):
                return at, os.path.realpath(os.path.join(at, pointer[len("gitdir:") :].strip()))
        parent = os.path.dirname(at)
        if parent == at:
            return folder, None
        at = parent


def _common_folder(git: str) -> str:
    """A worktree's git directory names the one it shares in a file `commondir` (gitrepository-layout(5))."""
    pointer = _pointer(os.path.join(git, "commondir"))
    return os.path.realpath(os.path.join(git, pointer)) if pointer else git


def _pointer(path: str) -> str:
    """What a one-line file of git's says; "" when it can't be read, or says what no path may hold."""
    try:
        line = read_bytes(path, 4096).decode(errors="surrogateescape").strip()
    except OSError:
        return ""
    return "" if "\0" in line else line


def _remote(config: str, root: str) -> str | None:
    """host/path of `origin`, else of the first remote by name, or None."""
    try:
        lines = read_bytes(config, _LARGEST_CONFIG).decode(errors="surrogateescape").splitlines()
    except OSError:
        return None
    remotes: dict[str, str] = {}
    section = None
    for line in lines:
        if header := _SECTION.match(line):
            opened = _REMOTE.match(header["section"].strip())
            section, line = opened["name"] if opened else None, header["rest"]
        if section is not None and (found := _URL.match(line)):
            remotes.setdefault(section, found["quoted"] or found["bare"] or "")
    for name in ["origin", *sorted(remotes)]:
        if name in remotes and (identity := remote_identity(remotes[name], root)):
            return identity
    return None


def remote_identity(url: str, root: str = "/") -> str | None:
    """`host/owner/name` of a remote's URL, the same for https and ssh, without credentials.

    A local repository's is its path, from the folder `root` where it is relative.
    """
    found = _SCHEME.match(url) or _SCP.match(url)
    if found and found["host"] and found.groupdict().get("scheme", "").lower() != "file":
        path = found["path"].strip("/")
        path = path[: -len(".git")] if path.endswith(".git") else path
        return f"{found['host']}/{path}".casefold() if path else None
    local = "/" + found["path"] if found else url
    return os.path.realpath(os.path.join(root, local)) if local and "://" not in local and "\0" not in local else None
