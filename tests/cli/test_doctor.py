"""What doctor says after a fault, and what `doctor --fix` does about it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memory_plugin.memory import spool
from memory_plugin.memory.files import try_lock
from memory_plugin.memory.namespaces import namespace_of
from memory_plugin.memory.spool import Job
from memory_plugin.service import client, control
from tests.cli.conftest import Command
from tests.support.damage import end_whoever_searches, memory_of_any_machine
from tests.support.patience import eventually
from tests.support.service import Sandbox, is_alive
from tests.support.transcripts import stated

PATH = "/usr/bin:/bin"


def findings(command: Command) -> dict[str, str]:
    """What is not well, by its subject."""
    found = json.loads(command("doctor", "--json", PATH=PATH).stdout)
    ours = [each for each in found if each["subject"] not in ("client", "plugin", "hooks")]
    return {each["subject"]: f"{each['grade']} {each['text']}" for each in ours if each["grade"] != "OK"}


def fixed(command: Command) -> str:
    done = command("doctor", "--fix", PATH=PATH)
    assert done.returncode == 0, done.stdout + done.stderr
    return "\n".join(line for line in done.stdout.splitlines() if line.startswith("FIXED"))


def test_what_was_torn_is_named_and_put_back(command: Command, sandbox: Sandbox) -> None:
    for number in range(3):
        assert command("add", stated(number)).returncode == 0
    folder = sandbox.home / namespace_of(str(sandbox.project)).name
    [log], [events] = folder.glob("[0-9]*.md"), (sandbox.home / ".events").glob("*.jsonl")
    log.write_bytes(log.read_bytes()[:-70])
    events.write_bytes(events.read_bytes() + b'{"event":"captu')
    memory = (folder / "MEMORY.md").read_bytes()
    (folder / "MEMORY.md").write_bytes(memory[:-30])
    assert findings(command)["events"] == f"WARN {events}: 1 torn, passed by"
    assert "end of its block" in findings(command)["files"] or "was torn" in findings(command)["files"]
    done = fixed(command)
    assert f"{log}: put back 1 fact of its torn end" in done
    assert f"{events}: took out 1 torn line" in done
    assert log.read_text().count(stated(2)) == 1
    assert (folder / "MEMORY.md").read_bytes() == memory
    assert findings(command) == {}


def test_a_folder_in_the_place_of_memory_md_is_named(command: Command, sandbox: Sandbox) -> None:
    path = sandbox.home / namespace_of(str(sandbox.project)).name / "MEMORY.md"
    path.mkdir(parents=True)
    command("add", stated(0))
    assert findings(command)["files"] == f"WARN {path} is a folder: nothing points to the facts beside it"


def test_what_is_owed_is_flushed_and_the_log_put_aside(
    command: Command, sandbox: Sandbox, transcript: Callable[..., Path]
) -> None:
    path = transcript("s1", stated(0))
    spool.add(str(sandbox.state), Job(str(path), "session end", str(sandbox.project)))
    (sandbox.state / "logs").mkdir(exist_ok=True)
    (sandbox.state / "logs" / "hooks.log").write_text("2026-11-30 12:00:00 catch-up: OSError: no\n")
    assert set(findings(command)) == {"flushes", "log"}
    assert "flushed 1 of 1 owed conversations: 1 new facts" in fixed(command)
    assert findings(command) == {}
    assert (sandbox.state / "logs" / "hooks.log.1").exists()


def test_the_doctor_waits_for_a_flush_that_is_under_way(
    command: Command, sandbox: Sandbox, transcript: Callable[..., Path]
) -> None:
    path = transcript("s1", stated(0))
    sandbox.start()
    spool.add(str(sandbox.state), Job(str(path), "session end", str(sandbox.project)))
    held = try_lock(os.path.join(sandbox.state, spool.LOCK))
    assert held is not None
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(fixed, command)
        assert not eventually(said.done, seconds=3)
        held.close()
        assert "flushed 1 of 1 owed conversations: 1 new facts" in said.result()


def test_a_service_that_was_killed_is_named_and_replaced(command: Command, sandbox: Sandbox) -> None:
    process = sandbox.start()
    os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not is_alive(process))
    assert "killed, or crashed" in findings(command)["service"]
    assert "started the service" in fixed(command)
    assert findings(command) == {}


def test_an_index_that_ends_the_service_is_made_anew_and_named(command: Command, sandbox: Sandbox) -> None:
    (sandbox.home / "MEMORY.md").write_text("- The mascot is a heron.\n- Backups run at three.\n")
    sandbox.start()
    client.call("/sync", {})
    control.stop()
    end_whoever_searches(sandbox.state / "index.lance")
    with memory_of_any_machine():
        assert eventually(lambda: "heron" in sandbox.context("Is the mascot a heron?"))
    log = (sandbox.state / "logs" / "service.log").read_text()
    assert "memory allocation" in log
    assert "Fatal Python error: Aborted" in log
    assert "ended by SIGABRT" in findings(command)["index"]
    assert "The mascot is a heron." in (sandbox.home / "MEMORY.md").read_text()


def test_an_index_that_ends_the_service_is_mended_by_the_doctor(command: Command, sandbox: Sandbox) -> None:
    (sandbox.home / "MEMORY.md").write_text("- The mascot is a heron.\n- Backups run at three.\n")
    sandbox.start()
    client.call("/sync", {})
    control.stop()
    end_whoever_searches(sandbox.state / "index.lance")
    with memory_of_any_machine():
        assert "started the service" in fixed(command)
    assert "The mascot is a heron." in command("search", "mascot").stdout


def test_rows_that_are_not_what_the_files_say_are_made_so(command: Command, sandbox: Sandbox) -> None:
    from memory_plugin.index.table import Index

    (sandbox.home / "MEMORY.md").write_text("- The mascot is a heron.\n- Backups run at three.\n")
    sandbox.start()
    client.call("/sync", {})
    control.stop()
    with Index.open(str(sandbox.state)) as index:
        rotten = {"whole": "replace(whole, 'is a heron', 'is a her0n')"}
        index._table.update(where="contains(whole, 'heron')", values_sql=rotten)
        index._table.update(where="contains(whole, 'three')", values={"terms": "nothing"})
    assert "index: " in fixed(command)
    assert "The mascot is a heron." in command("search", "mascot").stdout
    assert "Backups run at three." in command("search", "backups").stdout


def test_a_folder_that_may_not_be_written_is_made_writable(command: Command, sandbox: Sandbox) -> None:
    sandbox.home.chmod(0o500)
    assert f"{sandbox.home} may be written again" in fixed(command)
    assert sandbox.home.stat().st_mode & 0o777 == 0o700
