"""The settings: one table of defaults, the user's file over it, then what a project may change.

A broken file or a value of the wrong type never stops anything: the default stands, and the problem is
reported to whoever asked (`memory-plugin doctor` prints it).
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from memory_plugin.memory import places

_KINDS = {bool: "true or false", int: "a whole number", str: "a text"}
PROJECT_FILE = os.path.join(".claude", "memory-plugin.json")
# A project's file comes with a clone: it may be quieter or louder, not send anything to another address or model.
PROJECT_SECTIONS = ("capture", "history", "compaction", "briefing", "recall")


@dataclass(frozen=True, slots=True)
class Capture:
    """What a flush may write."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class History:
    """Whether conversations are kept, beside the facts in them."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Compaction:
    """What is asked of the client's own compaction summary."""

    ask_for_facts: bool = True


@dataclass(frozen=True, slots=True)
class Briefing:
    """What SessionStart injects; the length is in UTF-16 units, the client's own measure."""

    enabled: bool = True
    max_characters: int = field(default=6000, metadata={"least": 200, "most": 9500})


@dataclass(frozen=True, slots=True)
class Recall:
    """What a prompt may get."""

    enabled: bool = True
    max_notes: int = field(default=4, metadata={"least": 1, "most": 20})
    max_tokens: int = field(default=500, metadata={"least": 50, "most": 2000})


@dataclass(frozen=True, slots=True)
class Embedding:
    """Who embeds. `auto`: Ollama if it answers when the index is first built, else the built-in model."""

    provider: str = field(default="auto", metadata={"choices": ("auto", "ollama", "builtin", "none")})
    model: str | None = None
    ollama_url: str | None = None
    keep_alive: str = "30m"


@dataclass(frozen=True, slots=True)
class Extraction:
    """Which model, if any, reads what was flushed too: one of the Ollama that embeds, or `claude -p`.

    daily_tokens counts what is sent and what is answered, each local day.
    """

    provider: str = field(default="none", metadata={"choices": ("none", "ollama", "claude")})
    model: str | None = None
    daily_tokens: int = field(default=50_000, metadata={"least": 20_000, "most": 10_000_000})


@dataclass(frozen=True, slots=True)
class Backup:
    """Whether the service makes snapshots of the memory home, and in which folder; null is one in the state folder."""

    enabled: bool = True
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Service:
    """The resident process."""

    idle_minutes: int = field(default=20, metadata={"least": 1, "most": 1440})
    memory_limit_mb: int = field(default=1500, metadata={"least": 200, "most": 65536})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    capture: Capture = Capture()
    history: History = History()
    compaction: Compaction = Compaction()
    briefing: Briefing = Briefing()
    recall: Recall = Recall()
    embedding: Embedding = Embedding()
    extraction: Extraction = Extraction()
    backup: Backup = Backup()
    service: Service = Service()


def load(project: str | None = None) -> tuple[Settings, list[str]]:
    """The settings in force for a project folder, and the problems found on the way, each a sentence."""
    settings, problems = Settings(), list[str]()
    settings = _overlay(settings, places.settings_file(), None, problems)
    if project:
        settings = _overlay(settings, os.path.join(project, PROJECT_FILE), PROJECT_SECTIONS, problems)
    return settings, problems


def as_json(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings as the file would hold them."""
    return asdict(settings)


def _overlay(settings: Settings, path: str, allowed: tuple[str, ...] | None, problems: list[str]) -> Settings:
    found = _read(path, problems)
    known = [each.name for each in fields(settings)]
    for name, values in found.items():
        if name not in known:
            problems.append(f"{path}: unknown section {name!r}; known: {', '.join(known)}")
        elif allowed is not None and name not in allowed:
            problems.append(f"{path}: a project may not set {name!r}; put it into {places.settings_file()}")
        elif not isinstance(values, dict):
            problems.append(f"{path}: {name!r} must be an object")
        else:
            settings = replace(
                settings, **{name: _section(getattr(settings, name), values, f"{path}: {name}", problems)}
            )
    return settings


def _read(path: str, problems: list[str]) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8-sig") as stream:
            found = json.load(stream)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        problems.append(f"{path}: not readable as JSON ({error}); its settings are not in force")
        return {}
    if not isinstance(found, dict):
        problems.append(f"{path}: must hold one JSON object; its settings are not in force")
        return {}
    return found


def _section(section: Any, values: dict[str, Any], where: str, problems: list[str]) -> Any:
    known = {each.name: each for each in fields(section)}
    for name, value in values.items():
        if name not in known:
            problems.append(f"{where}.{name}: unknown setting; known: {', '.join(known)}")
            continue
        complaint = _complaint(value, getattr(type(section)(), name), known[name].type, dict(known[name].metadata))
        if complaint:
            problems.append(f"{where}.{name}: {complaint}; {getattr(section, name)!r} stays in force")
        else:
            section = replace(section, **{name: value})
    return section


def _shown(value: Any) -> str:
    return f"a {type(value).__name__}" if isinstance(value, (dict, list)) else f"{value!r:.60}"


def _complaint(value: Any, default: Any, declared: Any, limits: dict[str, Any]) -> str | None:
    optional = "None" in str(declared)
    if value is None and optional:
        return None
    wanted: type = str if default is None else type(default)
    # bool is an int to Python, not to a person
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        return f"must be {'null or ' if optional else ''}{_KINDS[wanted]}, not {_shown(value)}"
    if "choices" in limits and value not in limits["choices"]:
        return f"must be one of {', '.join(limits['choices'])}, not {_shown(value)}"
    if "least" in limits and not limits["least"] <= value <= limits["most"]:
        return f"must lie between {limits['least']} and {limits['most']}, not {value}"
    return None
