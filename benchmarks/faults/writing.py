"""Faults that meet whoever writes: processes killed, disks full or read-only, a clock that is set back."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

from benchmarks.faults.invariants import check, doctor_says, recover
from benchmarks.faults.scene import Scene, expect

WRITERS = ("pre_compact", "session_start", "session_end")


def hook_killed(scene: Scene) -> None:
    """kill -9 of a hook and all it started; half of them in the middle of a long conversation."""
    scene.acknowledged += scene.say(scene.chance.choice((1, 30)))
    scene.hook("pre_compact")
    for _ in range(2):
        new = scene.say(scene.chance.choice((1, 5, 30)))
        name = scene.chance.choice((*WRITERS, "user_prompt_submit"))
        killed = scene.kill_somewhere(scene.start_hook(name), 0.4)
        if not killed and name in ("pre_compact", "session_start"):  # one writes its own, the other all of the project
            done = new if name == "pre_compact" else scene.said
            scene.acknowledged += [text for text in done if text not in scene.acknowledged]
            check(scene)
    recover(scene)


def command_killed(scene: Scene) -> None:
    """kill -9 of the command line in the middle of what changes the memory, which is then done again."""
    scene.acknowledged += scene.say(3)
    scene.hook("pre_compact")
    kind = scene.chance.choice(("add", "forget", "flush"))
    arguments: tuple[str, ...]
    if kind == "add":
        text = scene.statement()
        scene.said.append(text)
        arguments = ("add", text)
    elif kind == "forget":
        text = scene.acknowledged.pop()
        arguments = ("forget", text)
    else:
        scene.say(3)
        arguments = ("flush", "--session", scene.last_session())
    killed = scene.kill_somewhere(scene.command(*arguments), 1.5)
    check(scene)
    if kind == "forget" and not killed:
        scene.gone.append(text)
    elif kind == "forget":
        _forget_again(scene, text)
    else:
        scene.run(*arguments)
        if kind == "add":
            scene.acknowledged.append(text)
    recover(scene)


def _forget_again(scene: Scene, text: str) -> None:
    """Its line may be struck through already, then the command finds nothing to forget."""
    process = scene.command("forget", text)
    out, err = process.communicate()
    expect(b"Traceback" not in out + err, f"forget: {(out + err)[-300:]!r}")
    scene.gone.append(text)


def disk_full(scene: Scene) -> None:
    """No file can grow beyond a random size (RLIMIT_FSIZE): hooks write, wait, and write once there is room."""
    scene.acknowledged += scene.say(2)
    scene.hook("pre_compact")
    scene.say(scene.chance.choice((1, 20)))
    most = int(2 ** scene.chance.uniform(4, 14))
    with _file_size(most):
        for _ in range(2):
            scene.hook(scene.chance.choice(WRITERS))
            check(scene)
    recover(scene)


def volume_full(scene: Scene) -> None:
    """A file system of 8 MB (tmpfs), full but for a random rest; needs root."""
    with _volume(scene.folder / "home"), _volume(scene.folder / "state"):
        scene.make()
        scene.acknowledged += scene.say(2)
        scene.hook("pre_compact")
        scene.say(scene.chance.choice((1, 20)))
        full = [_fill(each, scene.chance.randrange(20) * 4096) for each in (scene.home, scene.state)]
        for _ in range(2):
            scene.hook(scene.chance.choice(WRITERS))
            check(scene)
        doctor_says(scene, "disk")
        for path in full:
            path.unlink()
        recover(scene)


def home_read_only(scene: Scene) -> None:
    """The memory home becomes read-only while a hook writes, and writable again later: a volume as root, else modes."""
    with _volume(scene.home) if os.getuid() == 0 else contextlib.nullcontext():
        scene.make()
        scene.acknowledged += scene.say(2)
        scene.hook("pre_compact")
        scene.say(scene.chance.choice((1, 20)))
        process = scene.start_hook(scene.chance.choice(WRITERS))
        time.sleep(scene.chance.random() * 0.3)
        _make_writable(scene, False)
        _, err = process.communicate()
        expect((process.returncode, err) == (0, b""), f"a hook ended with {process.returncode}: {err!r}")
        scene.hook(scene.chance.choice(WRITERS))
        check(scene)
        doctor_says(scene, "home", "FAIL")
        _make_writable(scene, True)
        recover(scene)


def clock_set_back(scene: Scene) -> None:
    """The clock goes back by up to 400 days between what is noted and what is done to it."""
    now = datetime.now(timezone.utc)
    scene.clock.write_text(now.isoformat())
    scene.acknowledged += scene.say(3)
    scene.hook("pre_compact")
    back = timedelta(days=scene.chance.uniform(0.01, 400))
    scene.clock.write_text((now - back).isoformat())
    first, second = scene.acknowledged[:2]
    scene.run("forget", first)
    scene.acknowledged.remove(first)
    scene.gone.append(first)
    check(scene)
    if scene.chance.random() < 0.5:
        scene.run("restore", first)
        scene.gone.remove(first)
        scene.acknowledged.append(first)
    scene.run("confirm", second)
    added = scene.statement()
    scene.run("add", added)
    scene.acknowledged.append(added)
    scene.say(2)
    scene.hook(scene.chance.choice(("pre_compact", "session_start")))
    recover(scene)
    if back > timedelta(days=2):
        with_clock = scene.clock.read_text()
        scene.clock.write_text((now - back).isoformat())
        doctor_says(scene, "clock")
        scene.clock.write_text(with_clock)


@contextlib.contextmanager
def _file_size(most: int) -> Iterator[None]:
    """Processes that are started meanwhile can let no file grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def _volume(folder: Path) -> Iterator[None]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(folder: Path, left: int) -> Path:
    """A file that takes all the room but so many bytes."""
    path = folder / "full"
    with open(path, "wb", buffering=0) as stream:
        with contextlib.suppress(OSError):
            while True:
                stream.write(b"x" * 4096)
        stream.truncate(max(stream.tell() - left, 0))
    return path


def _make_writable(scene: Scene, writable: bool) -> None:
    if os.getuid():
        for folder in (scene.home, scene.notes):
            folder.chmod(0o700 if writable else 0o500)
        return
    command = ["mount", "-o", f"remount,{'rw' if writable else 'ro'}", str(scene.home)]
    while subprocess.run(command, capture_output=True, check=False).returncode:
        time.sleep(0.01)  # busy: a file is open for writing
