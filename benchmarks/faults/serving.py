"""Faults of the resident service: killed, hung, what a dead one left behind, another version in its place."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from benchmarks.faults.invariants import check, doctor_mends, doctor_says, recover
from benchmarks.faults.scene import Fault, Scene, expect, socket_of
from benchmarks.faults.writing import WRITERS
from memory_plugin.memory import places
from memory_plugin.service import lifecycle
from tests.support.damage import corrupt, memory_of_any_machine
from tests.support.data import REPOSITORY
from tests.support.patience import eventually
from tests.support.service import is_alive

_EMPTY = (lifecycle.LOCK_NAME, places.HUNG_NAME, "index.lock", "spool.lock")


def service_killed(scene: Scene) -> None:
    """kill -9 of the service while it starts, indexes or reconciles; the next prompt has another one started."""
    new = scene.say(5)
    scene.hook("pre_compact")
    scene.acknowledged += new
    scene.start_service()
    expect(eventually(lambda: scene.service), "no service starts")
    if scene.chance.random() < 0.5:
        scene.answered(new[-1])
        new = scene.say(5)
        scene.hook("pre_compact")
        scene.acknowledged += new
    time.sleep(scene.chance.random() * 1.5)
    killed = scene.service
    os.kill(killed, signal.SIGKILL)
    expect(eventually(lambda: not is_alive(killed)), "a killed process runs")
    if scene.chance.random() < 0.1:
        doctor_says(scene, "service")
        doctor_mends(scene, "service", "index")
    scene.answered(new[-1])
    check(scene)
    recover(scene)


def hook_let_down(scene: Scene) -> None:
    """The service is killed or stops while it does a hook's work, which the hook then does itself, or leaves owed."""
    scene.acknowledged += scene.say(3)
    scene.hook("pre_compact")
    scene.start_service()
    scene.answered(scene.said[-1])
    service = scene.service
    scene.say(scene.chance.choice((1, 5, 30)))
    hook = scene.start_hook(scene.chance.choice(WRITERS))
    time.sleep(scene.chance.random() * 0.15)
    os.kill(service, scene.chance.choice((signal.SIGKILL, signal.SIGSTOP)))
    _, err = hook.communicate()
    expect((hook.returncode, err) == (0, b""), f"a hook ended with {hook.returncode}: {err!r}")
    check(scene)
    scene.start_service()
    expect(eventually(lambda: not is_alive(service)), "the service that was stopped is not ended")
    recover(scene)


def index_damaged(scene: Scene) -> None:
    """The index is damaged under a service that runs, or after one that was stopped or killed; the doctor mends it."""
    new = scene.say(5)
    scene.hook("pre_compact")
    scene.acknowledged += new
    with memory_of_any_machine():
        scene.start_service()
        scene.answered(new[-1])
        kind = scene.chance.choice(("running", "stopped", "killed"))
        if kind == "stopped":
            scene.stop_service()
        elif kind == "killed":
            os.kill(scene.service, signal.SIGKILL)
        corrupt(scene.state / "index.lance", scene.chance)
        for text in new[: scene.chance.randrange(3)]:
            scene.ask(text, MEMORY_PLUGIN_ENV=sys.prefix)  # told or silent
        doctor_mends(scene, "service")
        scene.answered(new[-1])
    if b"; making it anew" in (scene.state / lifecycle.LOG_NAME).read_bytes():
        doctor_says(scene, "index")
    check(scene)
    recover(scene)


def service_hung(scene: Scene) -> None:
    """SIGSTOP of the service while it starts, indexes or rests; prompts are silent until the next one takes over."""
    new = scene.say(3)
    scene.hook("pre_compact")
    scene.acknowledged += new
    scene.start_service()
    expect(eventually(lambda: socket_of(scene).exists() and scene.service), "no service starts")
    time.sleep(scene.chance.choice((0.0, 2.0)) * scene.chance.random())
    hung = scene.service
    os.kill(hung, signal.SIGSTOP)
    expect(scene.ask(new[0]) == "", "a stopped process answered")
    expect((scene.state / places.HUNG_NAME).exists(), "nobody took note of the wait")
    before = (scene.state / "logs" / "hooks.log").read_bytes()
    expect(scene.ask(new[0]) == "", "a stopped process answered")
    expect((scene.state / "logs" / "hooks.log").read_bytes() == before, "the second prompt waited, too")
    if scene.chance.random() < 0.1:
        doctor_says(scene, "service", "FAIL")
        doctor_mends(scene, "service")
    else:
        scene.start_service()
    expect(eventually(lambda: not is_alive(hung)), "the hung service is not ended")
    scene.answered(new[-1])
    recover(scene)


def leftovers(scene: Scene) -> None:
    """Locks, a socket, a mark and a process id that are stale, in any combination; the id is that of an innocent."""
    new = scene.say(3)
    scene.hook("pre_compact")
    scene.acknowledged += new
    innocent = subprocess.Popen(["sleep", "600"])
    try:
        for make in (_dead_socket, _information_of(innocent.pid), *map(_empty, _EMPTY)):
            if scene.chance.random() < 0.6:
                make(scene)
        if socket_of(scene).exists() and scene.chance.random() < 0.1:
            doctor_says(scene, "service")
            doctor_mends(scene, "service")
        scene.answered(new[-1])
        expect(innocent.poll() is None, "a process that is no service was killed")
        recover(scene)
    finally:
        innocent.kill()
        innocent.wait()


def _information_of(process: int) -> Fault:
    def write(scene: Scene) -> None:
        content = json.dumps({"pid": process, "started": time.time(), "version": "1", "root": "/", "home": "/"})
        (scene.state / lifecycle.INFORMATION_NAME).write_text(content[: scene.chance.choice((len(content), 9))])

    return write


def _empty(name: str) -> Fault:
    return lambda scene: (scene.state / name).touch()


def _dead_socket(scene: Scene) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(socket_of(scene)))


def upgraded(scene: Scene) -> None:
    """The service of another version answers when the hooks are of this one, and the other way round."""
    new = scene.say(3)
    scene.hook("pre_compact")
    scene.acknowledged += new
    other = scene.folder / "other"
    for name in ("memory_plugin", "hooks"):
        shutil.copytree(REPOSITORY / name, other / name, ignore=shutil.ignore_patterns("__pycache__"))
    (other / "memory_plugin" / "__init__.py").write_text('__version__ = "0.0.1"\n')
    scene.start_service(other)
    expect(eventually(lambda: scene.service), "no service starts")
    old = scene.service
    time.sleep(scene.chance.random() * 2.0)
    kind = scene.chance.choice(("prompt", "doctor", "command"))
    if kind == "prompt":
        expect(scene.ask(new[0], MEMORY_PLUGIN_ENV=sys.prefix) == "", "a service of another version answered")
    elif kind == "doctor":
        doctor_says(scene, "service")
        doctor_mends(scene, "service")
    else:
        word = new[-1].split()[5]  # a search waits three seconds for what is being indexed, no longer
        search = ("search", "--project", str(scene.project), word)
        found = eventually(lambda: new[-1] in scene.run(*search, variables={"MEMORY_PLUGIN_ENV": sys.prefix}))
        expect(found, f"no search finds {new[-1]!r}")
    scene.answered(new[-1])
    expect(eventually(lambda: not is_alive(old)), "the old service still runs")
    recover(scene)
