"""Whatever a transcript holds: nothing raises, and nothing that was said is lost."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory.transcript import Carried, Message, Reader, client_version, working_folder
from tests.support import strategies
from tests.support.transcripts import lines


def transcript(folder: Path, content: bytes) -> str:
    path = folder / "session.jsonl"
    path.write_bytes(content)
    return str(path)


def read(path: str, start: int = 0) -> list[Message]:
    """What was said, read as a flush without history reads it; one with history reads the same."""
    alone = list(Reader(path, start))
    among = [each for each in Reader(path, start).everything() if isinstance(each, Message) and each.text.strip()]
    assert [(each.role, each.text) for each in among] == [(each.role, each.text) for each in alone]
    return alone


@given(content=st.lists(strategies.junk, max_size=8).map(b"\n".join), start=st.integers(0, 200))
def test_nothing_that_a_transcript_holds_makes_reading_it_raise(folder: Path, content: bytes, start: int) -> None:
    path = transcript(folder, content)
    reader = Reader(path, start)
    found = list(reader)
    assert reader.position <= max(len(content), start)
    assert all(each.end <= reader.position and each.text.strip() for each in found)
    read(path, start)
    working_folder(path)
    client_version(path)


@given(data=st.data())
def test_no_message_is_lost_whatever_stands_on_the_lines_around_it(folder: Path, data: st.DataObject) -> None:
    content, said = b"", list[str]()
    for number in range(data.draw(st.integers(1, 4))):
        for line in data.draw(st.lists(strategies.junk, max_size=3)):
            content += line + b"\n"
        said.append(f"said {number}: {data.draw(strategies.text)}")
        content += lines([data.draw(strategies.messages(said[-1]))])
    found = [message.text for message in read(transcript(folder, content))]
    assert [each for each in found if each in said] == said


@given(content=st.lists(strategies.junk, max_size=6).map(b"\n".join), cuts=st.lists(st.integers(0, 400), max_size=4))
def test_what_is_read_while_it_is_written_is_what_is_read_at_once(
    folder: Path, content: bytes, cuts: list[int]
) -> None:
    content += b"\n"
    in_steps, position, carried = list[tuple[str, str]](), 0, Carried()
    for cut in [*sorted(cut % len(content) for cut in cuts), len(content)]:
        reader = Reader(transcript(folder, content[:cut]), position, carried)
        in_steps += [(each.role, each.text) for each in reader]
        position, carried = reader.position, reader.carried
    assert in_steps == [(each.role, each.text) for each in Reader(transcript(folder, content))]
    assert position == len(content)
