"""Whatever comes in: exit code 0, nothing on standard error, the right output, a line in the log, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory.frame import CLOSING, OPENING, utf16_length
from memory_plugin.memory.summary import INSTRUCTION
from tests.support.nobody import as_nobody, given_to_nobody, use_system_python_for_nobody
from tests.support.patience import eventually
from tests.support.small_disk import fill, small_disk
from tests.support.transcripts import SESSION, conversation, entry, lines, stated
from tests.support.world import RUN, World, files_of

__all__ = ["small_disk"]

HOOKS = ["session_start", "pre_compact", "session_end"]
ASKED = (INSTRUCTION + "\n").encode()


def message(output: bytes) -> str:
    """The one line for the user, when there is nothing for the model."""
    answer = json.loads(output)
    assert list(answer) == ["systemMessage"]
    return str(answer["systemMessage"])


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(
    "raw", [b"", b"\n", b'{"session_id": "5e5', b"not json", b"[1, 2]", b"null", b"\xff\xfe\x00", b"[" * 100_000]
)
def test_standard_input_that_is_no_event(world: World, hook: str, raw: bytes) -> None:
    world.say([stated(0)])
    assert world.hook(hook, raw).stdout == b""
    assert len(world.log()) == 1
    assert world.log()[0].startswith("standard input is no JSON object")
    assert not world.home.exists()


@pytest.mark.parametrize("hook", HOOKS)
def test_standard_input_of_fifty_megabytes(world: World, hook: str) -> None:
    raw = json.dumps(world.event(custom_instructions="x" * 50_000_000)).encode()
    assert world.hook(hook, raw).stdout == b""
    assert world.log()[0] == f"standard input is {len(raw)} bytes long; at most 2000000 are read"


@pytest.mark.parametrize("hook", HOOKS)
def test_standard_input_that_is_closed(world: World, hook: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'sh "{RUN}" {hook} <&-'],
        capture_output=True,
        env=world.environment(),
        cwd=world.root,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("hook", HOOKS)
def test_standard_output_that_nobody_reads(world: World, hook: str) -> None:
    world.say([stated(0)])
    done = subprocess.run(
        ["sh", "-c", f'sh "{RUN}" {hook} >&-'],
        input=json.dumps(world.event()).encode(),
        capture_output=True,
        env=world.environment(),
        cwd=world.root,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert eventually(lambda: len(world.facts()) == 1)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("make", [None, empty, Path.mkdir, os.mkfifo], ids=["missing", "empty", "folder", "pipe"])
def test_a_transcript_that_holds_nothing(world: World, make: Callable[[Path], None] | None) -> None:
    world.transcript.parent.mkdir()
    if make:
        make(world.transcript)
    assert world.hook("pre_compact").stdout == ASKED
    assert [line.partition(" put off")[0] for line in world.log()] == (
        [] if make is empty else [f"flush of {world.transcript}"]
    )
    assert world.hook("session_end").stdout == b""
    assert "set-up is not finished" in message(world.hook("session_start").stdout)
    assert eventually(lambda: not list((world.state / "spool").glob("*.json")))
    assert not world.home.exists()


@pytest.mark.parametrize(
    "path",
    ["", 5, None, "nul\0in it", "\ud83d", "../../../../../../nonexistent/x.jsonl", "/dev/zero", "/proc/self/mem"],
)
def test_transcript_paths_that_lead_nowhere(world: World, path: Any) -> None:
    outputs = [world.hook(hook, world.event(transcript_path=path)).stdout for hook in ("pre_compact", "session_end")]
    readable = isinstance(path, str) and path.startswith(("/", "."))
    assert outputs == [ASKED if readable else b"", b""]
    assert not world.facts()


@pytest.mark.parametrize(
    "session", ["../../../x", "a/b", "", "x" * 5000, "nul\0", "line\nbreak", "\ud83d", "日本語", 5]
)
def test_session_ids_that_are_no_plain_names(world: World, session: Any) -> None:
    world.say([stated(0)])
    before = set(files_of(world.root))
    for source in ("startup", "compact", "resume"):
        answer = json.loads(world.hook("session_start", world.event(session_id=session, source=source)).stdout)
        assert stated(0) in answer["hookSpecificOutput"]["additionalContext"]
    new = set(files_of(world.root)) - before
    assert all(path.startswith((str(world.home), str(world.state))) for path in new)


@pytest.mark.parametrize(
    "name", ["with space", "quo\"te's", "line\nbreak", "日本語のプロジェクト", "$(touch pwned)", "`x`", "..", "-rf"]
)
def test_projects_and_transcripts_may_be_called_anything(world: World, name: str) -> None:
    project = world.root / "projects" / name if name != ".." else world.root / "projects" / "x" / ".."
    project.mkdir(parents=True, exist_ok=True)
    transcript = conversation(world.root / "t" / f"{name}.jsonl", [stated(0)], cwd=project)
    world.variables["CLAUDE_PROJECT_DIR"] = str(project)
    event = world.event(transcript_path=str(transcript), cwd=str(project))
    assert world.hook("pre_compact", event, cwd=project).stdout == ASKED
    assert len(world.facts()) == 1
    answer = json.loads(world.hook("session_start", event).stdout)
    assert stated(0) in answer["hookSpecificOutput"]["additionalContext"]
    assert not list(world.root.rglob("pwned"))


def test_a_folder_that_is_gone_under_the_hook(world: World) -> None:
    world.say([stated(0)])
    folder = world.root / "gone"
    folder.mkdir()
    world.variables["CLAUDE_PROJECT_DIR"] = None
    for hook in HOOKS:
        done = subprocess.run(
            ["sh", "-c", f'mkdir -p gone; cd gone; rmdir ../gone; exec sh "{RUN}" {hook}'],
            input=json.dumps(world.event(cwd=5)).encode(),
            capture_output=True,
            env=world.environment(),
            cwd=world.root,
            check=False,
        )
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr  # a shell may complain of the folder
        assert (done.stdout == ASKED) is (hook == "pre_compact")
    assert len(world.facts()) == 1


@pytest.mark.parametrize("home", [None, "", "relative", "/nonexistent/home"])
def test_without_a_home_folder_what_is_named_is_enough(world: World, home: str | None) -> None:
    world.say([stated(0)])
    world.variables["HOME"] = home
    assert world.hook("pre_compact").stdout == ASKED
    assert len(world.facts()) == 1


def test_with_no_place_to_stand_on_nothing_is_done(world: World) -> None:
    world.say([stated(0)])
    world.variables |= dict.fromkeys(("MEMORY_PLUGIN_HOME", "MEMORY_PLUGIN_STATE", "MEMORY_PLUGIN_SETTINGS"))
    world.variables["HOME"] = "relative"
    before = files_of(world.root)
    for hook in HOOKS:
        assert world.hook(hook).stdout == b""
    assert files_of(world.root) == before


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b"\xff\xfe", b'{"capture": 5}', b"[" * 100_000, b'{"capture": {"enabled": {}}}']
)
def test_broken_settings_stop_nothing_and_are_named(world: World, content: bytes) -> None:
    world.settings.write_bytes(content)
    world.say([stated(0)])
    assert world.hook("pre_compact").stdout == ASKED
    assert len(world.facts()) == 1
    answer = json.loads(world.hook("session_start").stdout)
    assert f"settings: {world.settings}: " in answer["systemMessage"]


def make_file(home: Path) -> None:
    home.write_bytes(b"")


def make_file_of_events(home: Path) -> None:
    home.mkdir()
    (home / ".events").write_bytes(b"")


def make_folder_of_lock(home: Path) -> None:
    (home / ".events" / "lock").mkdir(parents=True)


@pytest.mark.parametrize("spoil", [make_file, make_file_of_events, make_folder_of_lock])
@pytest.mark.parametrize("again", ["pre_compact", "session_end", "session_start"])
def test_a_home_that_cannot_be_written_owes_nothing_in_the_end(
    world: World, spoil: Callable[[Path], None], again: str
) -> None:
    world.say([stated(0), stated(1)])
    spoil(world.home)
    assert world.hook("pre_compact").stdout == ASKED
    assert "put off" in world.log()[0]
    assert not (world.state / "watermarks").exists()
    assert len(list((world.state / "spool").glob("*.json"))) == 1
    if spoil is make_file:
        assert message(world.hook("session_start").stdout).startswith(
            f"memory-plugin: nothing can be kept: {world.home} is not a folder; "
        )
    subprocess.run(["rm", "-rf", str(world.home)], check=True)
    world.hook(again)
    assert eventually(lambda: len(world.facts()) == 2)
    world.hook("pre_compact")
    assert len(world.facts()) == 2


def test_a_transcript_that_may_not_be_read_yet(world: World) -> None:
    world.variables["MEMORY_PLUGIN_ENV"] = str(world.root / "none")
    world.say([stated(0)])
    given_to_nobody(world)
    use_system_python_for_nobody(world)
    world.transcript.chmod(0)
    assert as_nobody(world, "pre_compact").stdout == ASKED
    assert "PermissionError" in world.log()[0]
    assert not world.home.exists()
    assert len(list((world.state / "spool").glob("*.json"))) == 1
    world.transcript.chmod(0o600)
    as_nobody(world, "pre_compact")
    assert len(world.facts()) == 1


@pytest.mark.parametrize("again", ["pre_compact", "session_start"])
def test_a_home_that_is_read_only(world: World, again: str) -> None:
    world.say([stated(0)])
    world.home.mkdir()
    given_to_nobody(world)
    use_system_python_for_nobody(world)
    world.home.chmod(0o500)
    assert as_nobody(world, "pre_compact").stdout == ASKED
    assert "PermissionError" in world.log()[0]
    assert message(as_nobody(world, "session_start").stdout).startswith(
        f"memory-plugin: nothing can be kept: {world.home} is not writable; "
    )
    assert not (world.state / "watermarks").exists()
    world.home.chmod(0o700)
    as_nobody(world, again)
    assert eventually(lambda: len(world.facts()) == 1)


def test_a_full_disk(world: World, small_disk: Path) -> None:
    world.variables["MEMORY_PLUGIN_HOME"] = str(small_disk / "memory")
    world.say(stated(number) for number in range(30))
    full = fill(small_disk)
    assert world.hook("pre_compact").stdout == ASKED
    assert "No space left on device" in world.log()[0]
    assert not (world.state / "watermarks").exists()
    assert len(list((world.state / "spool").glob("*.json"))) == 1
    full.unlink()
    assert world.hook("pre_compact").stdout == ASKED
    [log] = small_disk.glob("memory/*/[0-9]*.md")
    assert log.read_text().count("\n- **") == 30
    assert (log.parent / "MEMORY.md").read_text().count("\n- **") == 30


@pytest.mark.parametrize("spoilt", ["state is a file", "spool is a file", "logs is a file", "full disk"])
def test_a_state_folder_that_cannot_be_written_costs_no_fact(
    world: World, request: pytest.FixtureRequest, spoilt: str
) -> None:
    world.say([stated(0)])
    state = world.root / "other-state"
    if spoilt == "full disk":
        state = request.getfixturevalue("small_disk")
        fill(state)
    elif spoilt == "state is a file":
        state.write_bytes(b"")
    else:
        state.mkdir()
        (state / spoilt.split()[0]).write_bytes(b"")
    world.variables["MEMORY_PLUGIN_STATE"] = str(state)
    for _ in range(2):
        assert world.hook("pre_compact").stdout == ASKED
        assert len(world.facts()) == 1
    assert world.hook("session_end").stdout == b""


def test_memory_and_logs_edited_into_nonsense(world: World) -> None:
    world.say([stated(0)])
    world.hook("pre_compact")
    for path in [world.home / "MEMORY.md", world.notes / "MEMORY.md", *world.notes.glob("[0-9]*.md")]:
        with open(path, "ab") as stream:
            stream.write(b"\r\n\xff\xfe\x00 binary\r\n<!-- memory-plugin:end -->\n<!-- memory-plugin:start -->\n" * 3)
    world.say([stated(0), stated(1)])
    answer = json.loads(world.hook("session_start").stdout)
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert context.startswith(OPENING)
    assert context.endswith(CLOSING)
    assert len(world.facts()) == 2


@pytest.mark.parametrize("folder", ["watermarks", "spool", "injections"])
def test_corrupted_state_costs_at_most_a_repeat(world: World, folder: str) -> None:
    world.say([stated(0)])
    for hook in ("session_end", "pre_compact", "session_start"):
        world.hook(hook)
        assert hook != "session_end" or eventually(lambda: not list((world.state / "spool").glob("*.json")))
    before = files_of(world.home)
    for path in [*(world.state / folder).iterdir(), world.state / "receipts.jsonl"]:
        path.write_bytes(b'\xff\x00{"offset": -5')
    for hook in HOOKS:
        world.hook(hook)
    assert eventually(lambda: not list((world.state / "spool").glob("*.json")))
    assert files_of(world.home) == before


def test_notes_by_the_thousand_stay_within_what_the_client_takes(world: World) -> None:
    world.settings.write_text('{"briefing": {"max_characters": 9500}}')
    world.notes.mkdir(parents=True)
    (world.home / "MEMORY.md").write_text(
        "- 👩‍💻 emoji </memory-notes> 👩‍💻 " * 20 + "\n- and more 🙂🙂🙂 of it\n" * 20_000
    )
    (world.notes / "MEMORY.md").write_text("- 日本語🙂 " * 50 + "\n" + "- a line of the user's\n" * 20_000)
    world.say(stated(number) for number in range(100))
    context = json.loads(world.hook("session_start").stdout)["hookSpecificOutput"]["additionalContext"]
    assert utf16_length(context) <= 9500
    assert context.count("<") == 2


def big_transcript(path: Path, megabytes: int, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(lines([entry(stated(0), 0, cwd=str(path.parent))]))
        block = line * max((1 << 20) // len(line), 1)
        for _ in range(megabytes * (1 << 20) // len(block)):
            stream.write(block)
        stream.write(lines([entry(stated(1), 1, cwd=str(path.parent))]))


TOOL_OUTPUT = lines([entry([{"type": "tool_result", "tool_use_id": "t", "content": "x" * 2000}])])
SNAPSHOT = lines([{"type": "prompt_snapshot", "sessionId": SESSION, "tools": "y" * 280_000}])
PASTED = lines([entry("a_log_without_a_space🙂" * 400_000)])  # of no more bytes than a line that is read


@pytest.mark.parametrize(
    ("megabytes", "line"),
    [(200, TOOL_OUTPUT), (200, SNAPSHOT), (200, b"x" * (100 << 20) + b"\n"), (60, PASTED)],
    ids=["tool output", "snapshots", "two lines of a hundred megabytes", "pasted logs"],
)
def test_a_transcript_of_two_hundred_megabytes_takes_bounded_memory(world: World, megabytes: int, line: bytes) -> None:
    big_transcript(world.transcript, megabytes, line)
    program = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(['sh', sys.argv[1], 'pre_compact'], stdin=0)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.returncode, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(RUN)],
        input=json.dumps(world.event()).encode(),
        capture_output=True,
        env=world.environment(),
        check=True,
    )
    peak, status = done.stderr.split()
    unit = 1 if sys.platform == "darwin" else 1024
    assert (done.stdout, status) == (ASKED, b"0")
    assert int(peak) * unit < 150 * (1 << 20)
    assert [sum(stated(number) in fact for fact in world.facts()) for number in range(2)] == [1, 1]
    assert int(peak) * unit > 5 * (1 << 20)
