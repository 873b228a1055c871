"""What comes from another machine: the new comes in, the known stays, nothing is doubled or lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memory_plugin.memory import amendments, archive, contents, events, hand, journal, merger, pointers, purge
from memory_plugin.memory.archive import ArchiveError
from memory_plugin.memory.fact import Fact
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.merger import Imported
from memory_plugin.memory.snapshots import BEFORE_IMPORT, BY_HAND, Store
from tests.memory.test_archive import made, named
from tests.support.facts import NAMESPACE, capture, fact
from tests.support.facts import held as held_in

PORT, INDEX = fact("Staging listens on port 8080."), fact("We index with LanceDB.", day="2026-11-03")
FRIDAY, TABS = fact("We release on Fridays."), fact("Indent with tabs.", day="2026-11-04", category="preference")


class Machine:
    """A memory of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir(parents=True)
        self.store = Store(str(root / "state" / "backups"))

    @property
    def folder(self) -> Path:
        return self.home / NAMESPACE

    def file(self) -> Path:
        """All of it as an archive."""
        path = self.root / f"{len(list(self.root.iterdir()))}.tar.gz"
        with self.store.locked():
            archive.write(self.store, self.store.make(str(self.home), BY_HAND)[0], str(path))
        return path

    def takes(self, other: Machine | Path) -> Imported:
        return merger.take_in(self.store, str(self.home), str(other if isinstance(other, Path) else other.file()))

    def contents(self) -> dict[str, bytes]:
        return {inside: (self.home / inside).read_bytes() for inside in contents.contents(str(self.home)).files}

    def facts(self) -> list[str]:
        """The ids that stand, each as often as it does."""
        return sorted(each.fact.id for each in journal.all_held(str(self.folder)))

    def events(self) -> list[tuple[str, str]]:
        return sorted((str(each["event"]), str(each.get("id"))) for each in events.read(str(self.home)))


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "there")


def ids(*facts: Fact) -> list[str]:
    return sorted(each.id for each in facts)


def settled(machine: Machine) -> bool:
    """Whether lines and events say the same: nobody is taken to have done anything by hand."""
    return hand.Observer(str(machine.home)).look() == []


def test_an_empty_machine_has_the_same_memory_afterwards(here: Machine, there: Machine) -> None:
    capture(there.home, [PORT, INDEX])
    old, new = held_in(there.home, PORT.id), held_in(there.home, INDEX.id)
    amendments.replaced(str(there.home), old, new, relation="supersedes", how="x")
    events.append(str(there.home), [events.event("reconciled", NAMESPACE, "", ids=[PORT.id, INDEX.id])])
    (there.home / "note.md").write_text("Mine.\n")
    (there.home / "map.png").write_bytes(bytes(range(256)))
    done = here.takes(there)
    assert here.contents() == there.contents()
    assert (sorted(done.facts), done.before, done.refused) == (ids(PORT, INDEX), None, {})
    assert Ledger(str(here.home)).refresh().entries == Ledger(str(there.home)).refresh().entries
    assert settled(here)


def test_a_second_time_changes_nothing(here: Machine, there: Machine) -> None:
    capture(there.home, [PORT, INDEX])
    capture(here.home, [FRIDAY, INDEX])
    (here.home / "note.md").write_text("Here.\n")
    (there.home / "note.md").write_text("There.\n")
    path = there.file()
    assert here.takes(path).changed
    before = here.contents()
    done = here.takes(path)
    assert not done.changed
    assert here.contents() == before


def test_new_facts_come_with_their_history_and_known_ones_stay(here: Machine, there: Machine) -> None:
    capture(here.home, [FRIDAY, INDEX])
    capture(there.home, [PORT, INDEX, TABS])
    amendments.confirm(str(there.home), held_in(there.home, PORT.id), seen="2026-11-20", how="by command")
    amendments.confirm(str(there.home), held_in(there.home, INDEX.id), seen="2026-11-20", how="by command")
    before = here.contents()
    done = here.takes(there)
    assert (sorted(done.facts), done.known) == (ids(PORT, TABS), 1)
    assert here.facts() == ids(FRIDAY, INDEX, PORT, TABS)
    assert all(content in here.contents()[inside] for inside, content in before.items())
    assert here.events().count(("captured", INDEX.id)) == 1
    assert ("confirmed", PORT.id) in here.events()
    assert ("confirmed", INDEX.id) not in here.events()
    assert held_in(here.home, PORT.id).fact == held_in(there.home, PORT.id).fact
    assert "imported" in (here.folder / "2026-11-02.md").read_text()
    assert settled(here)


def test_what_was_new_is_compared_with_what_is_known_here(here: Machine, there: Machine) -> None:
    capture(here.home, [INDEX])
    capture(there.home, [PORT])
    events.append(str(there.home), [events.event("reconciled", NAMESPACE, "", ids=[PORT.id])])
    here.takes(there)
    assert not Ledger(str(here.home)).refresh().entries[NAMESPACE, PORT.id].reconciled


def test_what_was_taken_back_here_does_not_come_again(here: Machine, there: Machine) -> None:
    for machine in (here, there):
        capture(machine.home, [PORT, INDEX])
    amendments.retract(str(here.home), held_in(here.home, PORT.id), how="by command")
    before = here.contents()
    done = here.takes(there)
    assert not done.changed
    assert here.contents() == before


def test_what_was_purged_here_does_not_come_again_in_any_form(here: Machine, there: Machine) -> None:
    for machine in (here, there):
        capture(machine.home, [PORT, INDEX])
    amendments.confirm(str(there.home), held_in(there.home, PORT.id), seen="2026-11-20", how="by command")
    target = purge.target(str(here.home), held_in(here.home, PORT.id))
    purge.run(str(here.home), str(here.root / "state"), NAMESPACE, target)
    (here.folder / "2026-11-02.md").unlink()  # so that the file as a whole is new
    here.takes(there)
    assert not any(b"8080" in content for content in here.contents().values())


def test_what_was_purged_there_is_told_and_stays(here: Machine, there: Machine) -> None:
    for machine in (here, there):
        capture(machine.home, [PORT, INDEX])
    target = purge.target(str(there.home), held_in(there.home, PORT.id))
    purge.run(str(there.home), str(there.root / "state"), NAMESPACE, target)
    done = here.takes(there)
    assert done.purged == [PORT.id]
    assert PORT.id in here.facts()
    assert settled(here)


def test_what_was_purged_there_and_is_unknown_here_is_not_captured_here(here: Machine, there: Machine) -> None:
    capture(there.home, [PORT, INDEX])
    target = purge.target(str(there.home), held_in(there.home, PORT.id))
    purge.run(str(there.home), str(there.root / "state"), NAMESPACE, target)
    here.takes(there)
    assert Ledger(str(here.home)).refresh().entries[NAMESPACE, PORT.id].purged


def test_topics_get_what_is_new_in_its_place(here: Machine, there: Machine) -> None:
    for machine, one in ((here, INDEX), (there, PORT), (there, FRIDAY)):
        capture(machine.home, [one])
        journal.move_to_topic(held_in(machine.home, one.id), "project")
    with open(there.folder / "topics" / "project.md", "a") as stream:
        stream.write("- Production is on port 443,\n  behind the proxy.\n")
    here.takes(there)
    assert set(ids(FRIDAY, INDEX, PORT)) < set(here.facts())
    assert {each.file for each in journal.all_held(str(here.folder))} == {"topics/project.md"}
    words = {each.words for each in journal.all_held(str(here.folder))}
    assert words == {*(each.text for each in (FRIDAY, INDEX, PORT)), "Production is on port 443, behind the proxy."}
    assert not here.takes(there).changed


def test_lines_by_hand_come_with_what_is_indented_below_them(here: Machine, there: Machine) -> None:
    capture(here.home, [PORT])
    capture(there.home, [FRIDAY])
    with open(there.folder / "2026-11-02.md", "a") as stream:
        stream.write("- kind: note\n  title: the harbour\n- ~~struck by hand~~\n\nAn evening's thought.\n")
    done = here.takes(there)
    text = (here.folder / "2026-11-02.md").read_text()
    assert "- kind: note\n  title: the harbour\n- ~~struck by hand~~\n" in text
    (beside,) = done.beside.values()
    assert (here.home / beside).read_text() == "An evening's thought.\n"
    assert not here.takes(there).changed


def test_notes_that_say_something_else_come_beside(here: Machine, there: Machine) -> None:
    (here.home / "note.md").write_text("Here.\n")
    (there.home / "note.md").write_text("There.\n")
    done = here.takes(there)
    assert (here.home / "note.md").read_text() == "Here.\n"
    assert (here.home / done.beside["note.md"]).read_text() == "There.\n"


@pytest.mark.parametrize(("ours", "theirs", "after"), [("a\n", "a\nb\n", "a\nb\n"), ("a\nb\n", "a\n", "a\nb\n")])
def test_of_a_note_that_goes_on_on_one_machine_the_longer_stays(
    here: Machine, there: Machine, ours: str, theirs: str, after: str
) -> None:
    (here.home / "note.md").write_text(ours)
    (there.home / "note.md").write_text(theirs)
    done = here.takes(there)
    assert (here.home / "note.md").read_text() == after
    assert done.beside == {}


def page(read_to: int, *said: str) -> str:
    exchanges = "".join(
        f"\n## 14:3{number} {text}\n**User 14:3{number}:** {text}\n" for number, text in enumerate(said)
    )
    front = f"---\nsession: s1\nproject: p\nended: open\nread_to: {read_to}\n---\n# Conversation of 2026-11-30\n"
    return f"{front}{exchanges}\n## Episode 14:30–14:3{len(said)} <!-- so far -->\n{said[-1]}\n<!-- end -->\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "wins", "kept"),
    [
        (page(10, "one"), page(20, "one", "two"), "theirs", False),
        (page(20, "one", "two"), page(10, "one"), "ours", False),
        (page(10, "[purged]"), page(20, "one", "two"), "ours", True),
    ],
)
def test_of_a_conversation_the_longer_page_stays_unless_it_was_changed_here(
    here: Machine, there: Machine, ours: str, theirs: str, wins: str, kept: bool
) -> None:
    for machine, text in ((here, ours), (there, theirs)):
        (machine.folder / "history").mkdir(parents=True)
        (machine.folder / "history" / "2026-11-30-s1.md").write_text(text)
    done = here.takes(there)
    assert (here.folder / "history" / "2026-11-30-s1.md").read_text() == (theirs if wins == "theirs" else ours)
    assert bool(done.kept) is kept
    assert done.beside == {}


def test_of_memory_md_only_the_users_own_words_count(here: Machine, there: Machine) -> None:
    pointer = "- **project** {} ([2026-11-02](2026-11-02.md) aaaaaaaa)"
    block = f"{pointers.MARK_START}\n{pointer}\n{pointers.MARK_END}\n"
    for machine, own, what in ((here, "# Mine\n", "one"), (there, "# Mine\n", "two")):
        machine.folder.mkdir()
        (machine.folder / "MEMORY.md").write_text(own + block.format(what))
    assert not here.takes(there).changed
    (there.folder / "MEMORY.md").write_text("# Mine\nSpeak slowly.\n" + block.format("two"))
    (beside,) = here.takes(there).beside.values()
    assert (here.home / beside).read_text() == "# Mine\nSpeak slowly.\n"


def test_a_snapshot_of_what_was_here_is_made_first(here: Machine, there: Machine) -> None:
    capture(here.home, [INDEX])
    capture(there.home, [PORT])
    before = here.contents()
    done = here.takes(there)
    assert done.before
    assert done.before.kind == BEFORE_IMPORT
    assert {inside: here.store.content(entry) for inside, entry in done.before.files.items()} == before
    assert not here.store.verify().problems


def test_nothing_of_a_damaged_archive_comes_in(here: Machine, there: Machine) -> None:
    capture(here.home, [INDEX])
    capture(there.home, [PORT])
    path = there.file()
    path.write_bytes(path.read_bytes()[:-40])
    before = here.contents()
    with pytest.raises(ArchiveError):
        here.takes(path)
    assert here.contents() == before
    assert not [each for each in Path(here.store.folder).rglob("*") if each.is_file() and each.name != "lock"]


def test_a_disk_without_room_takes_nothing(here: Machine, there: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    capture(there.home, [PORT])
    monkeypatch.setattr(merger, "LEAST_FREE", 1 << 60)
    with pytest.raises(ArchiveError, match="no room"):
        here.takes(there)
    assert here.contents() == {}


def test_links_of_the_users_own_lead_nobody_out_of_the_home(here: Machine, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "note.md").write_text("Mine.\n")
    (here.home / "a").mkdir()
    (here.home / "a" / "out").symlink_to(outside)
    (here.home / "linked.md").symlink_to(outside / "note.md")
    (here.home / "file.md").mkdir()
    members = [
        (named(f"memory/{inside}", content), content)
        for inside, content in {
            "a/out/evil.md": b"evil",
            "linked.md": b"Mine.\nevil",
            "file.md": b"evil",
            "note.md/x.md": b"evil",
        }.items()
    ]
    (here.home / "note.md").write_text("a file\n")
    done = here.takes(made(tmp_path / "evil.tar.gz", members))
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"note.md": "Mine.\n"}
    assert done.refused["a/out/evil.md"] == "a link of yours stands in its way"
    assert set(done.refused) == {"a/out/evil.md", "note.md/x.md", "file.md"}
    assert set(done.beside) == {"linked.md"}


def test_events_that_are_none_are_left_out(here: Machine, tmp_path: Path) -> None:
    content = b'{"event":"captured","namespace":"../x","id":"aaaaaaaa"}\ntorn\n[]\n{"event":"captured","id":"a"}\n'
    done = here.takes(made(tmp_path / "a.tar.gz", [(named("memory/.events/x-2026-11.jsonl", content), content)]))
    assert done.events == 0
    assert here.contents() == {}


def test_events_of_one_machine_are_never_written_into_its_own_file(here: Machine, there: Machine) -> None:
    capture(here.home, [INDEX])
    capture(there.home, [PORT])
    before = {path.name: path.read_bytes() for path in (here.home / ".events").glob("*.jsonl")}
    here.takes(there)
    after = {path.name: path.read_bytes() for path in (here.home / ".events").glob("*.jsonl")}
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 1


@pytest.mark.parametrize("seed", range(5))
def test_whatever_two_machines_did_nothing_is_lost_or_doubled(here: Machine, there: Machine, seed: int) -> None:
    chance = random.Random(seed)
    said = [
        fact(f"Service {number} listens on port {8000 + number}.", day=f"2026-11-0{number % 3 + 2}")
        for number in range(9)
    ]
    for machine in (here, there):
        for one in chance.sample(said, 6):
            live(machine, one, chance)
        hand.Observer(str(machine.home)).look()
    before, facts, known = here.contents(), set(here.facts()), set(Ledger(str(here.home)).refresh().entries)
    theirs = set(there.facts())
    done = here.takes(there)
    assert set(here.facts()) == facts | {each for each in theirs if (NAMESPACE, each) not in known}
    assert len(here.facts()) == len(set(here.facts()))
    assert sorted(done.facts) == sorted(set(here.facts()) - facts)
    for inside, content in before.items():
        lines = here.contents()[inside].split(b"\n")
        assert all(line in lines for line in content.split(b"\n"))
    entries = Ledger(str(here.home)).refresh().entries
    assert set(entries) == known | set(Ledger(str(there.home)).refresh().entries)
    assert settled(here)
    assert not here.takes(there).changed


def live(machine: Machine, one: Fact, chance: random.Random) -> None:
    """A fact is said, and then something may become of it."""
    home = str(machine.home)
    capture(machine.home, [one])
    held = held_in(machine.home, one.id)
    match chance.choice(("nothing", "confirmed", "corrected", "retracted", "topic", "purged", "struck", "deleted")):
        case "confirmed":
            amendments.confirm(home, held, seen="2026-11-20", how="by command")
        case "corrected":
            amendments.correct(home, held, f"{one.text[:-1]}, since May.")
        case "retracted":
            amendments.retract(home, held, how="by command")
        case "topic":
            journal.move_to_topic(held, "project")
        case "purged":
            purge.run(home, str(machine.root / "state"), NAMESPACE, purge.target(home, held))
        case "struck" | "deleted" as what:
            path = Path(held.path)
            lines = path.read_text().split("\n")
            line = lines[held.line - 1]
            lines[held.line - 1 : held.line] = [f"- ~~{line[2:]}~~"] if what == "struck" else []
            path.write_text("\n".join(lines))
