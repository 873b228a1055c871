"""What people do to the Markdown by hand."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import amendments, events, files, flush, hand, journal
from memory_plugin.memory.fact import Candidate, Fact, fact_id, make
from memory_plugin.memory.hand import Observer
from memory_plugin.memory.ledger import Entry, Key, Ledger
from memory_plugin.memory.namespaces import Namespace

PLACE = Namespace("shop-0a1b2c3d", "example.org/shop", "/shop")
DAY = "2026-11-30"
PORT, INDEX = "Staging listens on port 8080.", "We index with LanceDB, not pgvector."


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "_SETTLE", 0.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that two facts were flushed into."""
    record(tmp_path, PORT, INDEX)
    return tmp_path


def made(text: str, **more: Any) -> Fact:
    candidate = Candidate(text, more.pop("category", "decision"), "decided", "a", "b", 0.8, 0.7, **more)
    return make(candidate, PLACE.name, DAY, "14:32", "5e551000#e1")


def record(home: Path, *texts: str) -> None:
    flush.record(str(home), PLACE, [made(text) for text in texts], "session end", "/t.jsonl", "f1")


def log(home: Path) -> Path:
    return home / PLACE.name / f"{DAY}.md"


def edit(home: Path, change: Callable[[str], str]) -> None:
    path = log(home)
    before = path.read_text()
    after = change(before)
    assert after != before
    path.write_text(after)


def line_of(home: Path, words: str) -> str:
    return next(line for line in log(home).read_text().splitlines() if words in line)


def entry(home: Path, text: str) -> Entry:
    return Ledger(str(home)).refresh().entries[PLACE.name, fact_id(PLACE.name, text)]


def seen(home: Path) -> list[tuple[str, str]]:
    """What one look records: the kinds of events, each with the fact's id."""
    return [(str(each["event"]), str(each["id"])) for each in Observer(str(home)).look()]


ID = fact_id(PLACE.name, PORT)


def test_what_a_flush_wrote_is_nothing_by_hand(home: Path) -> None:
    assert seen(home) == []


@pytest.mark.parametrize(
    "strike",
    [
        lambda line: line.replace(f"**decision** {PORT}", f"~~**decision** {PORT}~~"),
        lambda line: line.replace(PORT, f"~~{PORT}~~"),
        lambda line: f"- ~~{line[2:]}~~",
        lambda line: f"~~{line}~~",
    ],
    ids=["item", "words", "all behind the mark", "the line"],
)
def test_a_struck_line_is_a_retraction_and_back_again_a_restoration(home: Path, strike: Callable[[str], str]) -> None:
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line, strike(line)))
    assert seen(home) == [("retracted", ID)]
    assert entry(home, PORT).retracted
    assert entry(home, PORT).history[-1]["how"] == "by hand: line struck through"
    assert seen(home) == []
    edit(home, lambda text: text.replace(strike(line), line))
    assert seen(home) == [("restored", ID)]
    assert not entry(home, PORT).retracted
    edit(home, lambda text: text.replace(line, strike(line)))
    assert seen(home) == [("retracted", ID)]


def test_one_observer_sees_a_line_struck_twice(home: Path) -> None:
    observer, line = Observer(str(home)), line_of(home, PORT)
    for _ in range(2):
        edit(home, lambda text: text.replace(PORT, f"~~{PORT}~~"))
        assert [each["event"] for each in observer.look()] == ["retracted"]
        assert observer.look() == []
        edit(home, lambda text: text.replace(f"~~{PORT}~~", PORT))
        assert [each["event"] for each in observer.look()] == ["restored"]
    assert line_of(home, PORT) == line


def test_a_deleted_line_is_a_retraction(home: Path) -> None:
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line + "\n", ""))
    assert seen(home) == [("retracted", ID)]
    assert entry(home, PORT).history[-1]["how"] == "by hand: line deleted"
    assert not entry(home, INDEX).retracted


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_deleted_file_or_folder_takes_back_what_stood_in_it(home: Path, what: str) -> None:
    if what == "file":
        log(home).unlink()
    else:
        shutil.rmtree(home / PLACE.name)
    assert {kind for kind, _ in seen(home)} == {"retracted"}
    assert entry(home, PORT).retracted
    assert entry(home, INDEX).retracted
    assert seen(home) == []


@pytest.mark.parametrize("again", [False, True], ids=["the old words", "the new words"])
@pytest.mark.parametrize("change", ["strike", "delete", "correct"])
def test_what_a_hand_took_back_or_corrected_is_not_captured_again(home: Path, change: str, again: bool) -> None:
    new = "Staging listens on port 9090."
    line = line_of(home, PORT)
    after = {"strike": amended(line), "delete": "", "correct": line.replace(PORT, new)}[change]
    edit(home, lambda text: text.replace(line, after))
    seen(home)
    before = log(home).read_bytes()
    record(home, new if again and change == "correct" else PORT)
    assert log(home).read_bytes() == before


def amended(line: str) -> str:
    return line.replace(PORT, f"~~{PORT}~~")


def test_other_words_are_a_correction(home: Path) -> None:
    new = "Staging listens on port 9090."
    edit(home, lambda text: text.replace(PORT, new))
    assert seen(home) == [("corrected", ID)]
    found = entry(home, PORT)
    assert (found.fact.text, found.history[-1]["before"]) == (new, PORT)
    assert found.history[-1]["alias"] == fact_id(PLACE.name, new)
    assert seen(home) == []
    edit(home, lambda text: text.replace(new, PORT))
    assert seen(home) == [("corrected", ID)]
    assert entry(home, PORT).fact.text == PORT


def test_another_category_is_a_correction(home: Path) -> None:
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line, line.replace("decision", "reference", 1)))
    assert seen(home) == [("corrected", ID)]
    assert entry(home, PORT).fact.category == "reference"


@pytest.mark.parametrize(
    ("mark", "kinds"),
    [
        ("status=archived why=done until=2026-12-01", ["archived"]),
        ("status=superseded by=abcd1234", ["superseded"]),
        ("status=contradicted until=2026-12-01 by=abcd1234", ["contradicted"]),
        ("pin", ["pinned"]),
        ("sev=high", ["corrected"]),
        ("n=3 seen=2026-12-01", ["confirmed"]),
        ("supersedes=abcd1234,abcd1235", ["corrected"]),
        ("pin status=archived why=dropped n=2", ["archived", "pinned", "confirmed"]),
        ("nonsense until=2026-12-01 why=whatever =", []),
    ],
)
def test_what_a_comment_says_is_recorded(home: Path, mark: str, kinds: list[str]) -> None:
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line, line.replace(" -->", f" {mark} -->")))
    assert [kind for kind, _ in seen(home)] == kinds
    [now] = [each.fact for each in journal.all_held(str(home / PLACE.name)) if each.fact.id == ID]
    fact = entry(home, PORT).fact
    if kinds:
        assert (fact.status, fact.pinned, fact.severity, fact.support) == (
            now.status, now.pinned, now.severity, now.support)  # fmt: skip
        assert (fact.until, fact.by, fact.reason, fact.supersedes) == (now.until, now.by, now.reason, now.supersedes)
    assert seen(home) == []
    edit(home, lambda text: text.replace(f" {mark} -->", " -->"))
    seen(home)
    assert entry(home, PORT).fact == made(PORT)
    assert seen(home) == []


def test_a_line_written_by_hand_is_a_fact_and_stays_as_it_is(home: Path) -> None:
    edit(home, lambda text: text + "- **lesson** Never test on Fridays.\n* The office is in Lyon.\n")
    before = log(home).read_bytes()
    found = {str(each["text"]): each for each in Observer(str(home)).look()}
    assert log(home).read_bytes() == before
    assert set(found) == {"Never test on Fridays.", "The office is in Lyon."}
    assert {each["event"] for each in found.values()} == {"captured"}
    lesson = entry(home, "Never test on Fridays.").fact
    assert (lesson.category, lesson.source, lesson.day) == ("lesson", "hand", DAY)
    assert seen(home) == []


def test_an_item_by_hand_is_known_by_all_its_words(home: Path) -> None:
    edit(home, lambda text: f"{text}- kind: note\n  Flour has come.\n- kind: note\n  The oven\n  is broken.\n")
    texts = {str(each["text"]) for each in Observer(str(home)).look()}
    assert texts == {"kind: note Flour has come.", "kind: note The oven is broken."}
    edit(home, lambda text: text.replace("The oven\n  is", "The oven is"))
    assert seen(home) == []
    edit(home, lambda text: text.replace("is broken", "is mended"))
    kinds = {str(each["event"]): each for each in Observer(str(home)).look()}
    assert kinds["captured"]["text"] == "kind: note The oven is mended."
    assert kinds["retracted"]["by"] == kinds["captured"]["id"]
    assert kinds["retracted"]["id"] == fact_id(PLACE.name, "kind: note The oven is broken.")


def test_what_an_earlier_version_knew_by_its_first_line_is_told_to_be_the_same_item(home: Path) -> None:
    edit(home, lambda text: text + "- The office is in Lyon.\n")
    seen(home)
    edit(home, lambda text: text + "  On the second floor.\n")
    kinds = {str(each["event"]): each for each in Observer(str(home)).look()}
    assert kinds["retracted"]["by"] == kinds["captured"]["id"]
    assert seen(home) == []


def test_what_is_written_below_a_line_of_ours_is_no_event(home: Path) -> None:
    edit(home, lambda text: text.rstrip("\n") + "\n  I am not sure of that.\n")
    assert seen(home) == []


def test_a_topic_file_is_followed_too(home: Path) -> None:
    topics = home / PLACE.name / "topics"
    topics.mkdir()
    (topics / "reference.md").write_text("# Reference\n\n- The office is in Lyon.\n")
    assert [kind for kind, _ in seen(home)] == ["captured"]
    (topics / "reference.md").write_text("# Reference\n\n- ~~The office is in Lyon.~~\n")
    assert [kind for kind, _ in seen(home)] == ["retracted"]


def test_a_line_by_hand_with_other_words_says_what_it_became(home: Path) -> None:
    edit(home, lambda text: text + "- The office is in Lyon.\n")
    seen(home)
    edit(home, lambda text: text.replace("in Lyon", "in Paris"))
    kinds = {str(each["event"]): each for each in Observer(str(home)).look()}
    assert set(kinds) == {"captured", "retracted"}
    assert kinds["retracted"]["by"] == kinds["captured"]["id"]
    assert seen(home) == []


@pytest.mark.parametrize(("count", "how"), [(50, "line edited, now "), (51, "line deleted")])
def test_what_many_lines_became_is_told_unless_they_are_too_many_to_compare(home: Path, count: int, how: str) -> None:
    lines = [f"- Acme's {chr(97 + number % 26) * 9} machine holds {number:04} bottles.\n" for number in range(count)]
    edit(home, lambda text: text + "".join(lines))
    seen(home)
    edit(home, lambda text: text.replace("Acme", "Zenith"))
    found = Observer(str(home)).look()
    captured = {str(each["id"]): str(each["text"]) for each in found if each["event"] == "captured"}
    retracted = [each for each in found if each["event"] == "retracted"]
    assert len(captured) == len(retracted) == count
    for each in retracted:
        was = Ledger(str(home)).refresh().entries[PLACE.name, str(each["id"])].fact.text
        assert str(each["how"]).startswith(f"by hand: {how}")
        assert captured.get(str(each.get("by", "")), was.replace("Acme", "Zenith")) == was.replace("Acme", "Zenith")


def test_lines_are_compared_while_others_may_write(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, compared = hand.rewordings, 0

    def rewordings(found: Iterable[events.Event], entries: Mapping[Key, Entry]) -> dict[Key, str]:
        nonlocal compared
        compared += 1
        stream = files.try_lock(os.path.join(home, journal.LOCK))
        assert stream is not None
        stream.close()
        return real(found, entries)

    edit(home, lambda text: text + "- The office is in Lyon.\n")
    seen(home)
    monkeypatch.setattr(hand, "rewordings", rewordings)
    edit(home, lambda text: text.replace("in Lyon", "in Paris"))
    assert len(seen(home)) == 2
    assert compared == 1


def test_what_was_edited_once_more_in_the_meantime_is_not_said_to_be_what_it_was(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(home, lambda text: text + "- The office is in Lyon.\n")
    seen(home)
    edit(home, lambda text: text.replace("in Lyon", "in Paris"))
    monkeypatch.setattr(
        "time.sleep", lambda seconds: edit(home, lambda text: text.replace("office is in Paris", "offices are in Rome"))
    )
    [gone] = Observer(str(home)).look()
    assert (gone["event"], gone["how"]) == ("retracted", "by hand: line deleted")
    assert "by" not in gone


def test_a_secret_that_a_hand_wrote_is_in_no_event(home: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    edit(home, lambda text: text.replace(PORT, f"Staging's token is {secret}.") + f"- The bot's token is {secret}.\n")
    assert [kind for kind, _ in seen(home)] == ["corrected", "captured"]
    assert seen(home) == []
    assert secret not in "".join(path.read_text() for path in (home / ".events").glob("*.jsonl"))


@pytest.mark.parametrize(
    "text", ["  - Below another.\n", "```\n- In a block.\n```\n", "- ~~Struck before it was seen.~~\n"]
)
def test_what_is_no_fact_is_not_captured(home: Path, text: str) -> None:
    edit(home, lambda before: f"{before}\n{text}")
    assert seen(home) == []


def test_a_fact_whose_event_is_missing_is_recorded_as_it_stands(home: Path) -> None:
    for path in (home / ".events").glob("*.jsonl"):
        path.unlink()
    assert {kind for kind, _ in seen(home)} == {"captured"}
    assert entry(home, PORT).fact == made(PORT)
    assert seen(home) == []


def test_a_home_that_is_away_says_nothing(home: Path, tmp_path: Path) -> None:
    observer = Observer(str(home))
    observer.look()
    away = tmp_path.parent / "away"
    home.rename(away)
    assert observer.look() == []
    home.mkdir()
    assert observer.look() == []
    home.rmdir()
    away.rename(home)
    assert observer.look() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_listed_says_nothing(home: Path) -> None:
    (home / PLACE.name).chmod(0)
    try:
        assert seen(home) == []
    finally:
        (home / PLACE.name).chmod(0o700)


def test_a_link_to_a_disk_that_is_away_says_nothing(home: Path, tmp_path: Path) -> None:
    disk = tmp_path.parent / "disk"
    (home / PLACE.name).rename(disk)
    (home / PLACE.name).symlink_to(disk)
    assert seen(home) == []
    disk.rename(tmp_path.parent / "unplugged")
    assert seen(home) == []


@pytest.mark.parametrize("content", ["utf-16", "folder", "too long"])
def test_a_file_that_cannot_be_read_takes_nothing_back(
    home: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, before = log(home), log(home).read_text()
    if content == "folder":
        path.unlink()
        path.mkdir()
    elif content == "utf-16":
        path.write_text(before, encoding="utf-16")
    else:
        monkeypatch.setattr(journal, "LARGEST_FILE", 10)
    assert seen(home) == []


@pytest.mark.parametrize(
    "name",
    [f"{DAY} (conflict).md", f"{DAY}.sync-conflict-20261130-143205-ABCDEFG.md", f"{DAY} (laptop's conflicted copy).md"],
)
def test_a_conflict_copy_doubles_nothing(home: Path, name: str) -> None:
    copy = home / PLACE.name / name
    copy.write_text(log(home).read_text() + "- Only in the copy.\n")
    assert seen(home) == []
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line, f"~~{line}~~"))
    assert seen(home) == [("retracted", ID)]
    edit(home, lambda text: text.replace(line_of(home, INDEX), ""))
    assert seen(home) == []  # what stands in the copy alone may be what the other machine wrote
    copy.unlink()
    assert seen(home) == [("retracted", fact_id(PLACE.name, INDEX))]


def test_what_a_command_does_is_done_in_a_conflict_copy_too(home: Path) -> None:
    copy = home / PLACE.name / f"{DAY} (conflict).md"
    copy.write_text(log(home).read_text() + "- Only in the copy.\n")
    amendments.correct(str(home), amendments.find(str(home), ID, [PLACE.name])[0], "Staging listens on port 9090.")
    assert copy.read_text() == log(home).read_text() + "- Only in the copy.\n"
    amendments.retract(str(home), amendments.find(str(home), ID, [PLACE.name])[0])
    assert copy.read_text() == log(home).read_text() + "- Only in the copy.\n"
    assert seen(home) == []


def test_a_conflict_copy_of_a_topic_file_doubles_nothing(home: Path) -> None:
    held = amendments.find(str(home), ID, [PLACE.name])[0]
    amendments.promote(str(home), held)
    topic = home / PLACE.name / "topics" / "decision.md"
    (topic.parent / "decision.sync-conflict-20261130-143205-ABCDEFG.md").write_bytes(topic.read_bytes())
    assert seen(home) == []
    topic.write_text(topic.read_text().replace(PORT, f"~~{PORT}~~"))
    assert seen(home) == [("retracted", ID)]


def test_a_vaults_own_daily_notes_are_not_followed(home: Path) -> None:
    (home / "Journal").mkdir()
    (home / "Journal" / f"{DAY}.md").write_text("- Called my mother.\n")
    assert seen(home) == []


def test_a_line_moved_to_another_project_is_a_fact_there(home: Path) -> None:
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line + "\n", ""))
    (home / "global").mkdir()
    (home / "global" / f"{DAY}.md").write_text(line + "\n")
    assert sorted(seen(home)) == [("captured", ID), ("retracted", ID)]
    assert not Ledger(str(home)).refresh().entries["global", ID].retracted


def test_what_was_purged_stays_so_unless_a_hand_writes_it_again(home: Path) -> None:
    events.append(str(home), [events.event("purged", PLACE.name, ID)])
    assert seen(home) == []
    line = line_of(home, PORT)
    edit(home, lambda text: text.replace(line, f"- {PORT}"))
    assert seen(home) == [("captured", ID)]


@pytest.mark.parametrize(
    "do",
    [
        lambda home, held: amendments.correct(home, held, "Staging listens on port 9090."),
        lambda home, held: amendments.retract(home, held),
        lambda home, held: amendments.confirm(home, held, seen="2026-12-01", how="by command"),
        lambda home, held: amendments.pin(home, held, pinned=True),
        lambda home, held: amendments.promote(home, held),
        lambda home, held: amendments.archive(home, held, "done", how="by command"),
        lambda home, held: amendments.relate(home, held, "supports", "abcd1234", "because"),
    ],
    ids=["correct", "retract", "confirm", "pin", "promote", "archive", "relate"],
)
def test_what_a_command_did_is_nothing_by_hand(home: Path, do: Callable[[str, journal.Held], object]) -> None:
    do(str(home), amendments.find(str(home), ID, [PLACE.name])[0])
    assert seen(home) == []


def test_a_line_that_was_pasted_elsewhere_too_is_taken_back_in_both(home: Path) -> None:
    topics = home / PLACE.name / "topics"
    topics.mkdir()
    line = line_of(home, PORT)
    (topics / "mine.md").write_text(f"{line}\n")
    held = amendments.find(str(home), ID, [PLACE.name])[0]
    amendments.correct(str(home), held, "Staging listens on port 9090.")
    assert "9090" in line_of(home, ID)
    assert f"on={DAY}" not in line_of(home, ID)
    assert "9090" in (topics / "mine.md").read_text()
    amendments.retract(str(home), held)
    assert amendments.find(str(home), ID, [PLACE.name]) == []
    assert seen(home) == []
    amendments.restore(str(home), held)
    assert len(amendments.find(str(home), ID, [PLACE.name])) == 1


def test_what_is_replaced_and_undone_is_nothing_by_hand(home: Path) -> None:
    old, new = (amendments.find(str(home), fact_id(PLACE.name, text), [PLACE.name])[0] for text in (PORT, INDEX))
    amendments.replaced(str(home), old, new, relation="supersedes", how="in a test")
    assert seen(home) == []
    others = list(journal.all_held(str(home / PLACE.name)))
    assert amendments.undo(str(home), next(each for each in others if each.fact.id == ID), others)
    assert seen(home) == []


def test_nothing_is_read_when_no_file_changed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "_YOUNG_NS", -1)
    observer = Observer(str(home))
    assert observer.look() == []
    monkeypatch.setattr(journal, "read_lines", None)
    assert observer.look() == []


def test_a_file_emptied_for_a_moment_is_not_taken_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = log(home).read_text()
    log(home).write_text("")
    monkeypatch.setattr("time.sleep", lambda seconds: log(home).write_text(before))
    assert seen(home) == []


def test_a_pointer_goes_with_its_fact(home: Path) -> None:
    memory = home / PLACE.name / "MEMORY.md"
    assert ID in memory.read_text()
    edit(home, lambda text: text.replace(PORT, f"~~{PORT}~~"))
    seen(home)
    assert ID not in memory.read_text()
