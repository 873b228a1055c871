"""Whatever a person's Markdown holds: what is written into it is read back, and all that was there stays."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_plugin.memory import journal, pointers
from memory_plugin.memory.fact import Fact
from tests.support.strategies import DAY, NAMESPACE, facts, line_of, own_lines, pages

OWN = pages([]) | st.binary(max_size=80)


def place(folder: Path, name: str, content: bytes) -> Path:
    """A file of this content in an otherwise empty namespace."""
    for path in folder.glob("*.md"):
        path.unlink()
    (folder / name).write_bytes(content)
    return folder / name


def words(content: bytes) -> list[bytes]:
    """The lines that say something, in order of their letters."""
    lines = (line.strip() for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    return sorted(line for line in lines if line not in (b"", b"## Earlier"))


@settings(max_examples=40)
@given(before=OWN, fact=facts())
def test_what_is_added_to_a_log_is_read_back_and_stands_below_what_was_there(
    folder: Path, before: bytes, fact: Fact
) -> None:
    log = place(folder, f"{DAY}.md", before)
    journal.append_facts(str(folder), DAY, [fact], "14:32 test")
    assert log.read_bytes().startswith(before)
    assert fact in [found for _, found in journal.read_facts(str(log), NAMESPACE)]


@given(content=OWN)
def test_any_file_can_be_read_and_what_stands_in_it_has_one_id_wherever_it_is_asked(
    folder: Path, content: bytes
) -> None:
    log = place(folder, f"{DAY}.md", content)
    read = list(journal.read_lines(str(log), NAMESPACE))
    assert {line.fact.id for line in read} <= journal.ids_in(str(log), NAMESPACE)
    found = journal.edit_lines(str(log), NAMESPACE, {line.fact.id: lambda each: each for line in read if line.is_fact})
    assert log.read_bytes() == content
    assert found == {line.fact.id for line in read if line.is_fact}


@settings(max_examples=50)
@given(first=facts(), second=facts(), data=st.data())
def test_what_ended_goes_below_in_a_topic_file_and_no_line_is_lost(
    first: Fact, second: Fact, data: st.DataObject
) -> None:
    before = data.draw(pages([line_of(first, dated=True), line_of(second, dated=True)]))
    after = journal.arranged(before, NAMESPACE)
    assert words(after) == words(before)
    assert journal.arranged(after, NAMESPACE) == after


@settings(max_examples=40)
@given(fact=facts(), data=st.data())
def test_around_the_pointers_not_a_byte_changes(folder: Path, fact: Fact, data: st.DataObject) -> None:
    own = own_lines.filter(lambda line: b"memory-plugin:" not in line)
    above, below = data.draw(pages([], own)), data.draw(pages([], own))
    block = f"{pointers.MARK_START}\n{pointers.MARK_END}".encode()
    memory = place(folder, "MEMORY.md", above + block + below)
    journal.append_facts(str(folder), DAY, [fact], "14:32 test")
    today = date.fromisoformat(DAY)
    pointers.update(str(folder), "shop", [fact], today)
    after = memory.read_bytes()
    assert after.startswith(above + pointers.MARK_START.encode())
    assert after.endswith(pointers.MARK_END.encode() + below)
    assert [each.id for each in pointers.read(str(folder))] == [fact.id] * pointers.is_listed(fact, today)
