"""Where one user's plugin keeps its things, in a folder of the test's own."""

from __future__ import annotations

from pathlib import Path


class Folders:
    """The plugin's folders and settings file below `root`, and the variables that name them.

    No variable names an environment that exists: there is no service, and no set-up of one is started.
    """

    root: Path

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def settings(self) -> Path:
        return self.root / "settings.json"

    def pass_over_set_up(self) -> None:
        """The set-up of search has been started a moment ago: no hook starts it here."""
        self.state.mkdir(parents=True, exist_ok=True)
        (self.state / "set-up-started").touch()

    def places(self) -> dict[str, str]:
        return {
            "MEMORY_PLUGIN_HOME": str(self.memory),
            "MEMORY_PLUGIN_STATE": str(self.state),
            "MEMORY_PLUGIN_SETTINGS": str(self.settings),
            "MEMORY_PLUGIN_ENV": str(self.root / "no-environment"),
        }
