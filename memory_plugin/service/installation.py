"""What a service was started for: one version, one memory home, one settings file. Another of these, another service.

Not one folder: a client may run the hooks from its own copy of the plugin, and the command from the user's clone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from memory_plugin import __version__
from memory_plugin.memory import doorbell, places
from memory_plugin.memory.files import read_bytes

VERSION_HEADER = "memory-plugin-version"
HOME_HEADER = "memory-plugin-home"
SETTINGS_HEADER = "memory-plugin-settings"
PROJECT_HEADER = "claude-project-dir"


@dataclass(frozen=True, slots=True)
class Installation:
    """root: the plugin's folder; home: the memory home; settings: the user's settings file; code: its version line."""

    root: str
    home: str
    settings: str
    code: bytes

    def serves(self, headers: Mapping[str, str]) -> bool:
        """Whether a request with these headers comes from a client of the same version, home and settings."""
        asked = (unescape(headers.get(name, "")) for name in (VERSION_HEADER, HOME_HEADER, SETTINGS_HEADER))
        return tuple(asked) == (__version__, self.home, self.settings)

    def is_outdated(self) -> bool:
        """Whether the plugin on disk is another than the one that runs, or gone."""
        return _code(self.root) != self.code


def current() -> Installation:
    """What this process stands for."""
    root = places.PLUGIN_ROOT
    return Installation(root, places.memory_home(), places.settings_file(), _code(root))


def headers() -> dict[str, str]:
    """What a client says of itself."""
    return {
        VERSION_HEADER: __version__,
        HOME_HEADER: doorbell.escape(places.memory_home()),
        SETTINGS_HEADER: doorbell.escape(places.settings_file()),
    }


def unescape(value: str) -> str:
    """The path that `doorbell.escape` wrote."""
    return os.fsdecode(unquote_to_bytes(value))


def _code(root: str) -> bytes:
    try:
        return read_bytes(os.path.join(root, "memory_plugin", "__init__.py"))
    except OSError:
        return b""
