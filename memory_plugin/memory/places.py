"""Where everything lies: four folders and a file, each movable by an environment variable.

Only `os` is imported, not even `__future__`: the prompt hook reads this module before every prompt.
"""

import os

PLUGIN_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOCKET_NAME = "service.sock"  # in the state folder
HUNG_NAME = "service.hung"  # beside it: a prompt waited for the service in vain
INDEX_FOLDER = "index.lance"
MEMORY_FILE = "MEMORY.md"
HISTORY_FOLDER = "history"
TOPICS_FOLDER = "topics"
EVENTS_FOLDER = ".events"
GLOBAL_NAMESPACE = "global"


class NoHomeError(Exception):
    """There is no home folder to stand on: HOME is unset and the user database has none."""


def _under_home(*parts: str) -> str:
    if not os.environ.get("HOME"):
        # expanduser falls back on the user database only when HOME is absent, not when it is empty
        os.environ.pop("HOME", None)
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        raise NoHomeError("no home folder: set HOME, or MEMORY_PLUGIN_HOME and MEMORY_PLUGIN_STATE")
    return os.path.join(home, *parts)


def _named(variable: str) -> str | None:
    value = os.environ.get(variable)
    if value and (value == "~" or value.startswith("~/")):
        return os.path.abspath(_under_home(value[2:]))
    return os.path.abspath(os.path.expanduser(value)) if value else None


def memory_home() -> str:
    """The user's own Markdown: MEMORY_PLUGIN_HOME, default ~/.claude/memory."""
    return _named("MEMORY_PLUGIN_HOME") or _under_home(".claude", "memory")


def state_folder() -> str:
    """This machine's expendable state: MEMORY_PLUGIN_STATE, default ~/.local/state/memory-plugin."""
    return _named("MEMORY_PLUGIN_STATE") or _under_home(".local", "state", "memory-plugin")


def settings_file() -> str:
    """The user's settings: MEMORY_PLUGIN_SETTINGS, default ~/.config/memory-plugin/settings.json."""
    return _named("MEMORY_PLUGIN_SETTINGS") or _under_home(".config", "memory-plugin", "settings.json")


def environment_folder() -> str:
    """The virtual environment: MEMORY_PLUGIN_ENV, default ~/.local/share/memory-plugin/env."""
    return _named("MEMORY_PLUGIN_ENV") or _under_home(".local", "share", "memory-plugin", "env")


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it, links followed."""
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath((path, folder)) == folder


def client_folder() -> str:
    """Claude Code's own configuration: CLAUDE_CONFIG_DIR, default ~/.claude."""
    return _named("CLAUDE_CONFIG_DIR") or _under_home(".claude")


def client_slug(folder: str) -> str:
    """The name that Claude Code gives a project's folder below its own `projects`: every non-alphanumeric a hyphen."""
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in folder)
