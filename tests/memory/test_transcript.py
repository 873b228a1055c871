"""Reading a transcript as a stream."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_plugin.memory.transcript import LONGEST_LINE, Carried, Reader, path_in, read_messages, working_folder
from tests.support.transcripts import DAY, entry, lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def said(path: Path, start: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in read_messages(str(path), start)]


def text_block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


USED = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "a file\n"}
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        (entry("Hello."), [("user", "Hello.")]),
        (entry([text_block("Hello."), text_block("Again.")]), [("user", "Hello.\n\nAgain.")]),
        (entry([{"type": "image", "source": {"data": "iVBOR"}}, text_block("See?")]), [("user", "See?")]),
        (entry([text_block("Hi."), USED], role="assistant"), [("assistant", "Hi.")]),
        (entry([{"type": "thinking", "thinking": "Hm."}], role="assistant"), []),
        (entry("1.0 wrote strings.", role="assistant"), [("assistant", "1.0 wrote strings.")]),
        (entry("The story so far.", isCompactSummary=True), [("summary", "The story so far.")]),
        (entry("Hello.", isMeta=True), []),
        (entry("Hello.", isSidechain=True), []),
        (entry([RESULT]), []),
        (entry([RESULT, text_block("And this.")]), [("user", "And this.")]),
        (entry("<command-name>/compact</command-name>"), []),
        (entry("<local-command-stdout>Compacted</local-command-stdout>"), []),
        (entry("<task-notification>\n<task-id>1</task-id>"), []),
        (entry("<session-start-hook>notes</session-start-hook>"), []),
        (entry("<user-prompt-submit-hook>notes</user-prompt-submit-hook>"), []),
        (entry("[Request interrupted by user for tool use]"), []),
        (
            entry([{**text_block("No response requested.")}], role="assistant") | {"message": {"model": "<synthetic>"}},
            [],
        ),
        ({"type": "summary", "summary": "A title", "leafUuid": "x"}, []),
        ({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}, []),
        ({"type": "system", "subtype": "microcompact_boundary", "content": "Context microcompacted"}, []),
        ({"type": "file-history-snapshot", "snapshot": {}}, []),
        ({"type": "progress", "data": {"message": {"type": "user", "message": {"content": "sub"}}}}, []),
        (
            {"type": "queue-operation", "operation": "enqueue", "content": "And then?", "sessionId": "s"},
            [],
        ),
        ({"type": "queue-operation", "operation": "dequeue", "sessionId": "s"}, []),
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "More."}}, [("user", "More.")]),
        (
            {"type": "attachment", "attachment": {"type": "queued_command", "prompt": [text_block("More.")]}},
            [("user", "More.")],
        ),
        ({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["notes"]}}, []),
        ([], []),
        (5, []),
        (None, []),
        ({"type": "user"}, []),
        ({"type": "user", "message": "text"}, []),
        ({"type": "user", "message": {"content": {"text": "x"}}}, []),
        ({"type": "user", "message": {"content": [None, 5, {"type": "text", "text": 7}]}}, []),
        ({"type": ["user"]}, []),
        (entry("no ids", uuid=5, sessionId=None, timestamp=[]), [("user", "no ids")]),
    ],
)
def test_only_what_was_said_comes_out(path: Path, content: Any, messages: list[tuple[str, str]]) -> None:
    path.write_bytes(lines([content]))
    reader = Reader(str(path))
    assert [(message.role, message.text) for message in reader] == messages
    assert (reader.position, reader.lines, reader.malformed) == (path.stat().st_size, 1, 0)


def test_a_message_knows_where_it_stands(path: Path) -> None:
    path.write_bytes(lines([entry("One.", 1), entry("Two.", 2)]))
    one, two = read_messages(str(path))
    assert (one.uuid[:8], one.session[:8], one.time) == ("00000001", "5e55104e", f"{DAY}T12:01:00.000Z")
    assert (one.end, two.end) == (len(lines([entry("One.", 1)])), path.stat().st_size)


@pytest.mark.parametrize("tool", ["Bash", "mcp__mail__send", None])
def test_words_that_reject_a_tool_are_the_users_if_the_tool_is_the_clients(path: Path, tool: str | None) -> None:
    result = {**RESULT, "is_error": True, "content": REJECTED + "Use pnpm here, never npm."}
    used = [entry([{**USED, "name": tool}], role="assistant")] if tool else []
    path.write_bytes(lines([*used, entry([result])]))
    assert said(path) == ([("user", "Use pnpm here, never npm.")] if tool == "Bash" else [])


def test_answers_to_the_assistants_questions_are_the_users(path: Path) -> None:
    used = entry([{**USED, "name": "AskUserQuestion"}], role="assistant")
    answers = {"answers": {"Which database?": "LanceDB", "Why?": 5}}
    path.write_bytes(lines([used, entry([RESULT], toolUseResult=answers)]))
    assert said(path) == [("assistant", "Which database?"), ("user", "LanceDB")]
    path.write_bytes(lines([entry([RESULT], toolUseResult=answers)]))
    assert said(path) == []


def queue(operation: str, content: str | None = None) -> dict[str, Any]:
    written = {"type": "queue-operation", "operation": operation, "sessionId": "s"}
    return written if content is None else {**written, "content": content}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([queue("enqueue", "Use pnpm."), queue("remove")], ["Use pnpm."]),
        ([queue("enqueue", "Use pnpm."), queue("dequeue"), entry("Use pnpm.")], ["Use pnpm."]),
        ([queue("enqueue", "Use pnp"), queue("popAll", "Use pnp"), entry("Use pnpm.")], ["Use pnpm."]),
        ([queue("enqueue", "One."), queue("enqueue", "Two."), queue("remove"), queue("remove")], ["One.", "Two."]),
        ([queue("enqueue", "One."), queue("enqueue", "Two."), queue("dequeue"), queue("remove")], ["Two."]),
        ([queue("enqueue", "Never handed over.")], []),
        ([queue("remove"), queue("dequeue"), queue("popAll")], []),
        ([queue("enqueue", "<task-notification>x"), queue("remove")], []),
        (
            [
                queue("enqueue", "More."),
                queue("remove"),
                {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "More."}},
            ],
            ["More."],
        ),
    ],
)
def test_a_prompt_typed_while_the_assistant_works_is_said_once_and_when_it_is_handed_over(
    path: Path, entries: list[dict[str, Any]], expected: list[str]
) -> None:
    path.write_bytes(lines(entries))
    assert said(path) == [("user", text) for text in expected]
    # one line a step comes to the same
    stepwise, position, carried = list[str](), 0, Carried()
    for line in lines(entries).splitlines(keepends=True):
        reader = Reader(str(path), position, carried, stop=position + len(line))
        stepwise += [message.text for message in reader]
        position = reader.position
    assert stepwise == expected


def test_a_waiting_prompt_is_carried_without_its_words(path: Path) -> None:
    path.write_bytes(lines([queue("enqueue", "Use pnpm.")]))
    reader = Reader(str(path))
    assert list(reader) == []
    assert "pnpm" not in repr(reader.carried)


@pytest.mark.parametrize(
    "line",
    [
        lines([entry("Hello.")])[:-1] * 2,
        lines([entry("Hello.")])[:-1] + b" " + lines([entry("Hello.")])[:-1],
    ],
)
def test_two_objects_on_one_line_are_two_entries(path: Path, line: bytes) -> None:
    path.write_bytes(line + b"\n")
    assert said(path) == [("user", "Hello.")] * 2


@pytest.mark.parametrize(
    "silent", [{"type": "progress", "data": {}, "sessionId": "s"}, {"type": "summary", "summary": "x"}]
)
def test_a_silent_object_does_not_hide_the_one_behind_it(path: Path, silent: dict[str, Any]) -> None:
    path.write_bytes(lines([silent])[:-1] + lines([entry("Hello.")]))
    assert said(path) == [("user", "Hello.")]


@pytest.mark.parametrize(
    "before", [entry("Torn."), {"sessionId": "s", "type": "progress", "data": {"message": "lost"}}]
)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_torn_object_does_not_hide_the_whole_one_behind_it(path: Path, before: dict[str, Any], share: float) -> None:
    torn = lines([before])
    path.write_bytes(torn[: int(len(torn) * share)] + lines([entry("Hello.")]) + lines([entry("Next.")]))
    assert said(path) == [("user", "Hello."), ("user", "Next.")]


def test_a_block_inside_a_torn_line_is_no_entry(path: Path) -> None:
    inner = {"type": "user", "message": {"content": "from a tool"}}
    torn = json.dumps({"parentUuid": "x", "type": "user", "toolUseResult": [inner], "message": {}})[:-5]
    path.write_bytes(torn.encode() + b"\n")
    reader = Reader(str(path))
    assert list(reader) == []
    assert (reader.position, reader.malformed) == (path.stat().st_size, 1)


@pytest.mark.parametrize("kind", ["summary", "progress", "attachment", "tool_result"])
def test_the_type_of_something_within_an_entry_is_not_the_entrys(path: Path, kind: str) -> None:
    path.write_bytes(lines([{"data": {"type": kind}, **entry("Hello.")}]))
    assert said(path) == [("user", "Hello.")]


@pytest.mark.parametrize(
    "noise",
    [
        b"\n",
        b"\r\n",
        b"   \n",
        b"garbage\n",
        b"\xff\xfe\x00\n",
        b"\0" * 4096 + b"\n",
        b"[" * 100_000 + b"\n",
        b'{"type":"user"\n',
    ],
)
def test_noise_between_lines_is_passed_by(path: Path, noise: bytes) -> None:
    path.write_bytes(noise + lines([entry("One.")]) + noise + lines([entry("Two.")]) + noise)
    assert said(path) == [("user", "One."), ("user", "Two.")]


def test_bytes_that_are_no_utf_8_cost_only_themselves(path: Path) -> None:
    path.write_bytes(lines([entry("Caf#.")]).replace(b"#", b"\xe9"))
    assert said(path) == [("user", "Caf\ufffd.")]


def test_nuls_that_a_crash_left_before_a_line_do_not_hide_it(path: Path) -> None:
    path.write_bytes(b"\0" * 512 + b"\xef\xbb\xbf" + lines([entry("Hello.")]))
    assert said(path) == [("user", "Hello.")]


def test_a_torn_last_line_is_left_for_the_next_reader_wherever_it_is_torn(path: Path) -> None:
    whole = lines([entry("One.")])
    last = lines(
        [entry([text_block("Zwö."), {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}], role="assistant")]
    )
    last = json.dumps(json.loads(last), ensure_ascii=False).encode() + b"\n"
    for cut in range(1, len(last) - 1):
        path.write_bytes(whole + last[:cut])
        reader = Reader(str(path))
        assert [message.text for message in reader] == ["One."], cut
        assert (reader.position, reader.malformed) == (len(whole), 0)
    path.write_bytes(whole + last[:-1])
    reader = Reader(str(path))
    assert [message.text for message in reader] == ["One.", "Zwö."]
    assert reader.position == len(whole + last) - 1
    with open(path, "ab") as stream:
        stream.write(b"\n" + whole)
    assert [message.text for message in Reader(str(path), reader.position)] == ["One."]


def test_a_second_object_torn_on_the_last_line_is_not_lost(path: Path) -> None:
    both = lines([entry("One.")])[:-1] + lines([entry("Two.")])
    path.write_bytes(both[:-20])
    reader = Reader(str(path))
    assert (list(reader), reader.position) == ([], 0)
    path.write_bytes(both)
    assert said(path) == [("user", "One."), ("user", "Two.")]


@pytest.mark.parametrize("position", [10_000, 1 << 40])
def test_a_start_beyond_the_end_reads_nothing(path: Path, position: int) -> None:
    path.write_bytes(lines([entry("One.")]))
    reader = Reader(str(path), position)
    assert (list(reader), reader.position) == ([], position)


def test_a_line_too_long_is_passed_by_unread(path: Path) -> None:
    long = b'{"type":"user","message":{"content":"' + b"x" * LONGEST_LINE + b'"}}'
    path.write_bytes(long)
    reader = Reader(str(path))
    assert (list(reader), reader.position) == ([], 0)  # it may yet go on
    path.write_bytes(long + b"\n" + lines([entry("After.")]))
    reader = Reader(str(path))
    assert [message.text for message in reader] == ["After."]
    assert (reader.position, reader.malformed) == (path.stat().st_size, 1)


@pytest.mark.parametrize("error", [FileNotFoundError, IsADirectoryError])
def test_what_cannot_be_opened_raises(path: Path, error: type[OSError]) -> None:
    if error is IsADirectoryError:
        path.mkdir()
    with pytest.raises(error):
        list(Reader(str(path)))


MIXED = [
    entry("Hello.", 1),
    entry([text_block("Hi."), USED], 2, role="assistant"),
    {"type": "queue-operation", "operation": "enqueue", "content": "Use pnpm.", "sessionId": "s"},
    entry([{**RESULT, "is_error": True, "content": REJECTED + "Not so."}], 3),
    {"type": "progress", "data": {}, "sessionId": "s"},
    entry("Use pnpm.", 4),
    entry([{**USED, "id": "t2", "name": "AskUserQuestion"}], 5, role="assistant"),
    entry([{**RESULT, "tool_use_id": "t2"}], 6, toolUseResult={"answers": {"Which?": "Ünïcode 日本"}}),
    entry("The story so far.", 7, isCompactSummary=True),
    entry("Use pnpm.", 8),
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(cuts=st.lists(st.integers(0, 3000), max_size=8), order=st.randoms(use_true_random=False))
def test_in_any_steps_the_same_is_said_as_at_once(path: Path, cuts: list[int], order: random.Random) -> None:
    entries = MIXED * 2
    order.shuffle(entries)
    whole = b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in entries)
    path.write_bytes(whole)
    at_once = said(path)
    in_steps, position, carried = list[tuple[str, str]](), 0, Carried()
    for cut in [*sorted(cut % len(whole) for cut in cuts), len(whole)]:
        path.write_bytes(whole[:cut])
        reader = Reader(str(path), position, carried)
        in_steps += [(message.role, message.text) for message in reader]
        position, carried = reader.position, reader.carried
        assert position <= cut
    assert in_steps == at_once
    assert position == len(whole)


@pytest.mark.parametrize(
    ("entries", "folder"),
    [
        ([{"type": "summary"}, entry("x", cwd="/work/a"), entry("y", cwd="/work/b")], "/work/a"),
        ([entry("x", cwd="")], None),
        ([entry("x", cwd="nul\0in it"), entry("y", cwd="/work/b")], "/work/b"),
        ([entry("x", cwd="half \ud83d"), entry("y", cwd="/work/b")], "/work/b"),
        ([{"cwd": 5}], None),
        ([], None),
        ([entry("x", cwd="C:\\work")], "C:\\work"),
    ],
)
def test_the_folder_a_session_started_in(path: Path, entries: list[Any], folder: str | None) -> None:
    path.write_bytes(b"torn{\n" + lines(entries))
    assert working_folder(str(path)) == folder


def test_a_transcript_that_is_not_there_started_nowhere(path: Path) -> None:
    assert working_folder(str(path)) is None


@pytest.mark.parametrize(
    ("value", "expected"), [("/a b/日", "/a b/日"), ("a\0b", ""), ("\ud83d", ""), (None, ""), (5, "")]
)
def test_paths_that_no_system_call_would_take_are_none(value: Any, expected: str) -> None:
    assert path_in({"cwd": value}, "cwd") == expected
