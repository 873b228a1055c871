"""The service as a process: one, bounded, and gone without a trace."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memory_plugin import __version__
from memory_plugin.memory import places, starter
from memory_plugin.memory.files import try_lock
from memory_plugin.service import client, control, lifecycle
from tests.support.data import REPOSITORY
from tests.support.patience import PATIENCE, eventually
from tests.support.service import Sandbox, is_alive, services_of

COMMAND = [sys.executable, "-I", "-X", "utf8", str(REPOSITORY / "memory_plugin" / "__main__.py"), "service", "run"]


def leftovers(state: Path) -> list[str]:
    names = (places.SOCKET_NAME, lifecycle.LOCK_NAME, lifecycle.INFORMATION_NAME)
    return [name for name in names if os.path.lexists(state / name)]


def test_one_service_out_of_many_starters(sandbox: Sandbox) -> None:
    starters = [subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(6)]
    assert [starter.communicate(timeout=60)[0] for starter in starters] == [b""] * 6
    assert [starter.returncode for starter in starters] == [0] * 6
    assert eventually(lambda: sandbox.pid)
    assert eventually(lambda: services_of(sandbox.state) == {sandbox.pid})
    first = sandbox.pid
    subprocess.run(COMMAND, check=True)
    assert eventually(lambda: services_of(sandbox.state) == {first})
    assert client.call("/status")["pid"] == first


def test_it_is_detached_from_whoever_started_it(sandbox: Sandbox) -> None:
    process = sandbox.start()
    parent, group, session = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1:4]
    assert int(parent) != os.getpid()
    assert int(session) != os.getsid(0)
    assert int(group) != os.getpgid(0)
    targets = [os.readlink(f"/proc/{process}/fd/{number}") for number in range(3)]
    assert targets == [os.devnull, *[str(sandbox.state / lifecycle.LOG_NAME)] * 2]


def test_only_its_user_may_come_in(sandbox: Sandbox) -> None:
    sandbox.start()
    assert stat.S_IMODE(sandbox.state.stat().st_mode) == 0o700
    assert stat.S_IMODE((sandbox.state / places.SOCKET_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE((sandbox.state / lifecycle.LOG_NAME).stat().st_mode) == 0o600


def test_it_gets_none_of_the_clients_secrets(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-the-client")
    process = sandbox.start()
    assert b"a-key-of-the-client" not in Path(f"/proc/{process}/environ").read_bytes()


def test_it_has_no_child_processes(sandbox: Sandbox) -> None:
    sandbox.configure(embedding={"provider": "builtin"})
    (sandbox.home / "MEMORY.md").write_text("- We deploy to staging with `make ship`.\n")
    process = sandbox.start()
    assert eventually(lambda: client.call("/status").get("without_vector") == 0)
    assert eventually(lambda: client.call("/status")["embedder"]["search"] == "keywords and vectors")
    assert sandbox.context("how do we deploy to staging?")
    children = [task.joinpath("children").read_text() for task in Path(f"/proc/{process}/task").iterdir()]
    assert "".join(children) == ""


@pytest.mark.parametrize(
    "limits", [{"idle": 0.2}, {"memory": 1 << 20}, {"age": 0.2}], ids=["idle", "memory", "a day old"]
)
def test_at_its_limit_it_ends_and_leaves_nothing(sandbox: Sandbox, limits: dict[str, float]) -> None:
    process = sandbox.start_limited(**limits)
    assert eventually(lambda: not is_alive(process))
    assert leftovers(sandbox.state) == []
    assert services_of(sandbox.state) == set()
    assert "ends because" in (sandbox.state / lifecycle.LOG_NAME).read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(sandbox: Sandbox, number: signal.Signals) -> None:
    process = sandbox.start()
    os.kill(process, number)
    assert eventually(lambda: not is_alive(process))
    assert leftovers(sandbox.state) == []
    assert "Traceback" not in (sandbox.state / lifecycle.LOG_NAME).read_text()


def test_it_ends_when_its_state_folder_is_gone(sandbox: Sandbox) -> None:
    process = sandbox.start_limited()
    sandbox.state.rename(sandbox.folder / "gone")
    assert eventually(lambda: not is_alive(process))
    assert not sandbox.state.exists()


def test_it_leaves_alone_what_its_successor_made_in_a_new_state_folder(sandbox: Sandbox) -> None:
    process = sandbox.start_limited(check_every=1.0)
    sandbox.state.rename(sandbox.folder / "elsewhere")
    successor = sandbox.start()
    assert eventually(lambda: not is_alive(process))
    assert client.call("/status")["pid"] == successor
    assert leftovers(sandbox.state) != []


def test_it_ends_when_the_plugin_on_disk_is_another(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    root = sandbox.folder / "plugin"
    shutil.copytree(REPOSITORY / "memory_plugin", root / "memory_plugin", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("tests.support.service.REPOSITORY", root)
    process = sandbox.start_limited()
    assert lifecycle.information(str(sandbox.state))["root"] == str(root)
    version = root / "memory_plugin" / "__init__.py"
    version.write_text(version.read_text().replace('__version__ = "', '__version__ = "9.'))
    assert eventually(lambda: not is_alive(process))
    assert leftovers(sandbox.state) == []


def test_a_killed_service_is_replaced_at_the_next_prompt(sandbox: Sandbox) -> None:
    (sandbox.home / "MEMORY.md").write_text("- The dev server listens on port 8377.\n")
    process = sandbox.start()
    os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not is_alive(process))
    assert leftovers(sandbox.state) != []
    assert sandbox.context("which port has the dev server?") == ""
    assert eventually(lambda: sandbox.pid not in (0, process))
    assert eventually(lambda: "8377" in sandbox.context("which port has the dev server?"))


def test_a_stale_socket_and_lock_are_no_obstacle(sandbox: Sandbox) -> None:
    sandbox.state.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(sandbox.state / places.SOCKET_NAME))
    (sandbox.state / lifecycle.LOCK_NAME).touch()
    (sandbox.state / lifecycle.INFORMATION_NAME).write_text("{torn")
    sandbox.start()
    assert control.status()["running"]


def test_a_lock_whose_file_was_removed_is_not_taken_for_the_lock(tmp_path: Path) -> None:
    state = str(tmp_path)
    left = try_lock(os.path.join(state, lifecycle.LOCK_NAME))
    os.unlink(os.path.join(state, lifecycle.LOCK_NAME))
    held = lifecycle.take_lock(state)
    assert left is not None
    assert held is not None
    assert lifecycle.take_lock(state) is None
    left.close()
    held.close()


@pytest.mark.parametrize(
    "name", ["s" * 120, "with a blank and 'quotes'", "状態 – été"], ids=["long", "quotes", "not Latin"]
)
def test_any_state_folder_will_do(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    state = sandbox.folder / name / "state"
    monkeypatch.setenv("MEMORY_PLUGIN_STATE", str(state))
    here = os.getcwd()
    assert control.ensure_started(60)
    assert control.status()["state"] == str(state)
    (sandbox.home / "MEMORY.md").write_text("- The dev server listens on port 8377.\n")
    assert eventually(lambda: "8377" in sandbox.context("which port has the dev server?"))
    assert os.getcwd() == here
    assert control.stop()


def test_a_long_log_is_started_anew(sandbox: Sandbox) -> None:
    log = sandbox.state / lifecycle.LOG_NAME
    log.parent.mkdir(parents=True)
    log.write_bytes(b"old\n" * (1 << 19))
    sandbox.start()
    assert log.stat().st_size < 100_000
    assert log.with_name("service.log.1").stat().st_size == 4 << 19


def test_stopping_what_does_not_run_says_so(sandbox: Sandbox) -> None:
    assert control.stop() is False
    assert control.status()["running"] is False
    assert "memory-plugin service start" in control.status()["problem"]


def test_a_service_that_hangs_is_killed(sandbox: Sandbox) -> None:
    process = sandbox.start()
    os.kill(process, signal.SIGSTOP)
    assert control.stop(timeout=0.1)
    assert eventually(lambda: not is_alive(process))
    assert control.ensure_started(60)


def test_the_next_service_takes_over_from_one_that_hangs(sandbox: Sandbox) -> None:
    (sandbox.home / "MEMORY.md").write_text("- The dev server listens on port 8377.\n")
    hung = sandbox.start()
    assert eventually(lambda: "8377" in sandbox.context("which port has the dev server?"))
    os.kill(hung, signal.SIGSTOP)
    mark = sandbox.state / places.HUNG_NAME
    mark.write_bytes(b"")
    assert not starter.service_listens()
    sandbox.start_limited(hung=0.5)
    assert eventually(lambda: sandbox.pid not in (0, hung) and not is_alive(hung))
    assert eventually(lambda: "8377" in sandbox.context("which port has the dev server?", session="s2"))
    assert not mark.exists()


def test_a_service_that_answers_is_left_alone_and_no_longer_said_to_hang(sandbox: Sandbox) -> None:
    process = sandbox.start()
    mark = sandbox.state / places.HUNG_NAME
    mark.write_bytes(b"")
    sandbox.start_limited(hung=0.5)
    assert eventually(lambda: not mark.exists())
    assert client.call("/status")["pid"] == process


@pytest.mark.parametrize("variable", ["MEMORY_PLUGIN_HOME", "MEMORY_PLUGIN_SETTINGS"])
def test_a_service_for_something_else_is_replaced(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    first = sandbox.start()
    monkeypatch.setenv(variable, str(sandbox.folder / "another"))
    second = sandbox.start()
    assert second != first
    assert not is_alive(first)
    assert client.call("/hello") == {"yours": True}


@pytest.mark.parametrize(("version", "served"), [(__version__, True), ("99.0", False)])
def test_a_copy_of_the_same_version_is_served_and_another_version_ends_it(
    sandbox: Sandbox, version: str, served: bool
) -> None:
    process = sandbox.start()
    copy = sandbox.folder / "copy"
    for name in ("memory_plugin", "hooks"):
        shutil.copytree(REPOSITORY / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "memory_plugin" / "__init__.py").write_text(f'__version__ = "{version}"\n')
    hook = [sys.executable, "-I", "-S", str(copy / "hooks" / "user_prompt_submit.py")]
    subprocess.run(hook, input=sandbox.event("which database?"), check=True, timeout=PATIENCE)
    if served:
        assert client.call("/status")["pid"] == process
    else:
        assert eventually(lambda: not is_alive(process))


def test_the_answer_to_a_stop_comes_before_the_end(sandbox: Sandbox) -> None:
    for _ in range(5):
        sandbox.start()
        assert client.call("/stop", {"why": "x" * 100_000}) == {"stopping": True}
        assert eventually(lambda: leftovers(sandbox.state) == [])
