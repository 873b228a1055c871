"""Starting a program that outlives this process: the service, or a flush that the client won't wait for."""

from __future__ import annotations

import os

from memory_plugin.memory import places

# The client's environment holds API keys, which the resident process has no business with.
_KEPT = frozenset(("HOME", "PATH", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CLAUDE_CONFIG_DIR"))
_KEPT_PREFIXES = ("MEMORY_PLUGIN_", "OLLAMA_", "OMP_", "LC_", "LD_", "DYLD_", "SSL_CERT_")
# How packages are reached: for the set-up alone.
PACKAGE_PREFIXES = (
    "HTTP",
    "http",
    "NO_PROXY",
    "no_proxy",
    "ALL_PROXY",
    "PIP_",
    "UV_",
    "REQUESTS_CA",
    "CURL_CA",
    "XDG_",
)


def interpreter() -> str | None:
    """The Python of the plugin's own environment, or None before `memory-plugin setup` has made it."""
    python = os.path.join(places.environment_folder(), "bin", "python")
    return python if os.access(python, os.X_OK) else None


def start_service() -> bool:
    """Start the resident service detached, if its environment exists. A second one ends at once by itself."""
    python = interpreter()
    return python is not None and start(python, ("service", "run")) is not None


def start(python: str, arguments: tuple[str, ...]) -> int | None:
    """Run `memory-plugin ARGUMENTS` in a session of its own, its streams on the null device.

    Returns its process id, or None when it can't be started. It stays a child of this process until one of the two
    ends: who lives on must wait for it.
    """
    main = os.path.join(places.PLUGIN_ROOT, "memory_plugin", "__main__.py")
    return run_detached([python, "-I", "-X", "utf8", main, *arguments])


def run_detached(command: list[str], also: tuple[str, ...] = ()) -> int | None:
    """Run a command in a session of its own, its streams on the null device; its process id, or None.

    also: beginnings of names of environment variables that it gets beside the usual ones.
    """
    prefixes = (*_KEPT_PREFIXES, *also)
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(prefixes)}
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_DUP2, 0, 2),
    ]
    try:
        return os.posix_spawn(command[0], command, kept, file_actions=streams, setsid=True)
    except (OSError, NotImplementedError):
        return None


def service_listens() -> bool:
    """Whether the service's socket takes a connection, and no prompt has waited for an answer in vain."""
    import _socket

    state, here = places.state_folder(), os.getcwd()
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        os.chdir(state)  # a socket's path may be too long, its name never is
        connection.connect(places.SOCKET_NAME)
        return not os.path.exists(places.HUNG_NAME)
    except OSError:
        return False
    finally:
        connection.close()
        os.chdir(here)
