"""Which memory a folder belongs to, with repositories made by git itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memory_plugin.memory.namespaces import namespace_of, remote_identity, shared


def git(folder: Path, *arguments: str) -> None:
    settings = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    )


def repository(folder: Path, remote: str | None = None) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def name_of(folder: Path) -> str:
    return namespace_of(str(folder)).name


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/shop.git",
        "https://github.com/acme/shop",
        "https://github.com/acme/shop/",
        "https://GitHub.com/Acme/Shop.git",
        "https://zoe:t0ken@github.com/acme/shop.git",
        "https://zoe:t0k@n@github.com/acme/shop.git",
        "http://github.com:8080/acme/shop.git",
        "git@github.com:acme/shop.git",
        "git@github.com:/acme/shop.git",
        "github.com:acme/shop",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@github.com:22/acme/shop",
        "git://github.com/acme/shop.git",
        "git+ssh://git@github.com/acme/shop.git",
    ],
)
def test_every_way_to_write_a_remote_is_the_same_project(tmp_path: Path, url: str) -> None:
    assert remote_identity(url) == "github.com/acme/shop"
    found = namespace_of(str(repository(tmp_path / "clone", url)))
    assert (found.identity, found.root) == ("github.com/acme/shop", str(tmp_path / "clone"))
    assert found.name.startswith("shop-")
    assert found.name == name_of(repository(tmp_path / "other", "https://github.com/acme/shop.git"))


@pytest.mark.parametrize(
    ("url", "identity"),
    [
        ("", None),
        ("https://github.com/", None),
        ("https://zoe:t0ken@", None),
        ("ssh://git@[::1]:22/acme/shop.git", "[::1]/acme/shop"),
        ("git@[::1]:acme/shop.git", "[::1]/acme/shop"),
        ("/srv/git/shop.git", "/srv/git/shop.git"),
        ("file:///srv/git/shop.git", "/srv/git/shop.git"),
        ("../shop.git", "/work/shop.git"),
        ("C:/git/shop", "/work/here/C:/git/shop"),
        ("nul\0in it", None),
    ],
)
def test_identities_of_remotes(url: str, identity: str | None) -> None:
    assert remote_identity(url, "/work/here") == identity


@pytest.mark.parametrize(
    "url", ["https://zoe:t0ken@github.com/acme/shop", "https://zoe:t0ken@[::1]/acme", "ssh://zoe:t0ken@h", "zoe:t0ken@"]
)
def test_no_credentials_are_part_of_an_identity(url: str) -> None:
    assert "t0ken" not in (remote_identity(url) or "").replace("/t0ken@", "")


def test_worktrees_share_and_subfolders_belong(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere" / "feature"))
    (main / "src" / "deep").mkdir(parents=True)
    names = {name_of(folder) for folder in (main, main / "src" / "deep", tmp_path / "elsewhere" / "feature")}
    assert len(names) == 1
    assert namespace_of(str(main / "src")).root == str(main)


def test_a_worktree_that_was_deleted_still_belongs_when_it_lay_inside(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    assert name_of(main / ".worktrees" / "gone" / "src") == name_of(main)


def test_worktrees_of_a_bare_repository_share(tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    git(tmp_path, "clone", "-q", "--bare", str(source), "shop.git")
    git(tmp_path / "shop.git", "remote", "remove", "origin")
    for name in ("one", "two"):
        git(tmp_path / "shop.git", "worktree", "add", "-q", "-b", name, str(tmp_path / name))
    assert name_of(tmp_path / "one") == name_of(tmp_path / "two")
    assert name_of(tmp_path / "one").startswith("shop-git-")


def test_local_clones_share_with_what_they_were_cloned_from(tmp_path: Path) -> None:
    source = repository(tmp_path / "shop")
    git(tmp_path, "clone", "-q", str(source), "copy")
    git(tmp_path, "clone", "-q", str(tmp_path / "copy"), "copy of the copy")
    assert name_of(tmp_path / "copy") == name_of(source) == name_of(tmp_path / "copy of the copy")
    git(source, "remote", "add", "origin", "git@github.com:acme/shop.git")
    assert namespace_of(str(tmp_path / "copy of the copy")).identity == "github.com/acme/shop"


def test_repositories_that_name_each_other_as_remotes_end(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "one", "../two"), repository(tmp_path / "two", "../one")
    assert name_of(one)
    assert name_of(two)


def test_namesakes_do_not_share(tmp_path: Path) -> None:
    folders = [repository(tmp_path / parent / "shop") for parent in "ab"]
    folders += [repository(tmp_path / parent / "shop", "../origin.git") for parent in "cd"]
    folders += [tmp_path / "e" / "shop", tmp_path / "f" / "shop"]
    assert len({name_of(folder) for folder in folders}) == len(folders)


def test_a_submodule_has_a_memory_of_its_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    main = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    git(main, "submodule", "--quiet", "add", str(library), "vendor/library")
    assert name_of(main / "vendor" / "library") == name_of(library)
    git(main / "vendor" / "library", "remote", "remove", "origin")
    assert name_of(main / "vendor" / "library") not in (name_of(main), name_of(library))


def test_a_link_to_a_folder_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository(tmp_path / "shop"))
    assert name_of(tmp_path / "link") == name_of(tmp_path / "shop")


@pytest.mark.parametrize("dot_git", ["empty folder", "file", "binary", "points nowhere", "loop"])
def test_what_git_takes_for_no_repository_is_none(tmp_path: Path, dot_git: str) -> None:
    folder = tmp_path / "outer" / "project"
    folder.mkdir(parents=True)
    place = tmp_path / "outer" / ".git"
    if dot_git == "empty folder":
        place.mkdir()
    elif dot_git == "loop":
        place.symlink_to(place)
    else:
        place.write_bytes({"file": b"", "binary": b"gitdir: \0\xff", "points nowhere": b"gitdir: /nowhere\n"}[dot_git])
    found = namespace_of(str(folder))
    if dot_git == "points nowhere":  # as a worktree whose repository was moved away
        assert found.root == str(tmp_path / "outer")
    else:
        assert (found.identity, found.root) == (str(folder), str(folder))


@pytest.mark.parametrize(
    "config",
    [
        b'[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
        b'[remote "origin"] url = git@github.com:acme/shop.git\n',
        b'[Remote "origin"]\r\n\tURL = "git@github.com:acme/shop.git" ; ours\r\n',
        b'[remote "origin"]\n url = git@github.com:acme/shop.git # ours\n url = git@elsewhere:x/y\n',
        b'[core]\n\turl = no\n[remote "up"]\n url = git@h:a/b\n[remote "origin"]\nurl=git@github.com:acme/shop.git',
        b'[remote "mine"]\n\turl = git@github.com:acme/shop.git\n[branch "main"]\n\tremote = mine\n',
        b'\xff\xfe nonsense ]\n[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
    ],
)
def test_configurations_as_people_write_them(tmp_path: Path, config: bytes) -> None:
    folder = repository(tmp_path / "clone")
    (folder / ".git" / "config").write_bytes(config)
    assert namespace_of(str(folder)).identity == "github.com/acme/shop"


@pytest.mark.parametrize("config", [None, b"", b"[remote", b'[remote "origin"]\n\turl =\n', b"\0" * 100])
def test_without_a_remote_the_repository_stands_for_itself(tmp_path: Path, config: bytes | None) -> None:
    folder = repository(tmp_path / "shop")
    (folder / ".git" / "config").unlink()
    if config is not None:
        (folder / ".git" / "config").write_bytes(config)
    assert namespace_of(str(folder)).identity == str(folder)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("with space", "with-space-"),
        ("quo\"te's", "quo-te-s-"),
        ("line\nbreak", "line-break-"),
        ("日本語の店", "日本語の店-"),
        ("Ünïcode", "ünïcode-"),
        ("Магазин", "магазин-"),
        ("🙂", "project-"),
        ("..hidden", "hidden-"),
        ("x" * 200, "x" * 40 + "-"),
        (os.fsdecode(b"bad\xff"), "bad-"),
    ],
)
def test_names_that_are_no_plain_words(tmp_path: Path, name: str, start: str) -> None:
    for folder in (tmp_path / "plain" / name, repository(tmp_path / "git" / name)):
        found = namespace_of(str(folder))
        assert found.name.startswith(start)
        assert found.name.encode().isalnum() or "/" not in found.name
        (tmp_path / found.name).mkdir()


@pytest.mark.parametrize("folder", ["C:\\work\\shop", "C:/work/shop", "\\\\server\\shop"])
def test_a_folder_of_another_system_is_not_looked_for_on_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(repository(tmp_path / "here"))
    found = namespace_of(folder)
    assert found.identity == folder
    assert found.name.startswith("shop-")


def test_what_every_project_sees_is_global_and_the_folders_that_are_no_projects(tmp_path: Path) -> None:
    for name in ("shop-0a1b2c3d", "runbooks", "Projekt-Notizen", ".obsidian", ".events"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").touch()
    assert shared(str(tmp_path)) == ["Projekt-Notizen", "global", "runbooks"]
    assert shared(str(tmp_path / "none")) == ["global"]
