"""What is purged is gone from everything of ours, and nothing else is touched."""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest

from memory_plugin.memory import (
    accounts,
    amendments,
    events,
    files,
    flush,
    hand,
    journal,
    purge,
    review,
    snapshots,
    watermark,
)
from memory_plugin.memory.accounts import Account
from memory_plugin.memory.fact import Candidate, Fact, fact_id, make
from memory_plugin.memory.journal import Held
from memory_plugin.memory.ledger import Ledger
from memory_plugin.memory.namespaces import Namespace
from memory_plugin.memory.purge import Target, Traces
from memory_plugin.memory.snapshots import Snapshot, Store
from memory_plugin.memory.watermark import Watermark
from memory_plugin.memory.wording import MASK
from tests.support.accounts import account, considered
from tests.support.facts import capture, fact

Form = Literal["NFC", "NFD", "NFKD"]
PLACE = Namespace("shop-0a1b2c3d", "example.org/shop", "/shop")
DAY = "2026-11-30"
SECRET = "The boss of Étienne is called Zacharias Zimmermann."
OTHER = "We index with LanceDB, not pgvector."
ID = fact_id(PLACE.name, SECRET)
TELLING = (b"zacha", b"Zacharias", b"zacharias", b"ZACHARIAS", b"Zimmermann")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the fact in many places, and a state folder beside it."""
    home = tmp_path / "home"
    record(home, SECRET, OTHER)
    return home


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    return tmp_path / "state"


def made(text: str, source: str = "5e551000#e1") -> Fact:
    return make(Candidate(text, "relationship", "is", "a", "b", 0.8, 0.7), PLACE.name, DAY, "14:32", source)


def record(home: Path, *texts: str, source: str = "5e551000#e1") -> None:
    facts = [made(text, source) for text in texts]
    flush.record(str(home), PLACE, facts, "session end", str(home.parent / "t.jsonl"), "f1")


def held(home: Path, wanted: str = ID) -> Held:
    return amendments.find(str(home), wanted, [PLACE.name])[0]


def purged(home: Path, state: Path, wanted: Held | None = None) -> tuple[Target, Traces]:
    found = wanted or held(home)
    target = purge.target(str(home), found)
    traces = purge.look(str(home), str(state), target)
    purge.run(str(home), str(state), PLACE.name, target)
    return target, traces


def contents(*folders: Path) -> dict[str, bytes]:
    found = (path for folder in folders for path in sorted(folder.rglob("*")))
    return {str(path): path.read_bytes() for path in found if path.is_file()}


def telling(*folders: Path) -> list[str]:
    """The files that still hold the words."""
    return [path for path, content in contents(*folders).items() if any(word in content for word in TELLING)]


def snapshot(home: Path, state: Path) -> Snapshot:
    store = Store(str(state / snapshots.FOLDER))
    with store.locked():
        return store.make(str(home), snapshots.BY_HAND)[0]


def spread(home: Path, state: Path) -> None:
    """Bring the fact's words wherever the program itself may have brought them."""
    amendments.correct(str(home), held(home), "Étienne's boss is Zacharias Zimmermann, since May.")
    amendments.confirm(str(home), held(home), seen=DAY, how="by command")
    other = held(home, OTHER)
    amendments.relate(str(home), other, "supports", ID, f"in the words of {ID}: {SECRET}")
    folder = home / PLACE.name
    (folder / "history").mkdir()
    (folder / "history" / f"{DAY}-5e551000.md").write_text(f"user: Hello.\n\nuser: {SECRET.lower()} Right?\n")
    (folder / f"{DAY} (conflict).md").write_bytes((folder / f"{DAY}.md").read_bytes())
    (home / ".stversions" / PLACE.name).mkdir(parents=True)
    (home / ".stversions" / PLACE.name / f"{DAY}~1.md").write_bytes((folder / f"{DAY}.md").read_bytes())
    (folder / ".writing-0123456789abcdef").write_bytes((folder / f"{DAY}.md").read_bytes())
    (home / ".events" / "laptop-2026-10.jsonl").write_text(
        json.dumps(events.captured(made(SECRET), PLACE.name, "", ""))
        + f'\n{{"event":"captured","id":"x","text":"{SECRET}'
    )
    transcript = home.parent / "t.jsonl"
    transcript.write_text("{}\n")
    mark = Watermark(
        str(transcript), 3, progress={"offer": f"You said: {SECRET}", "words": [["zacha", 2, 1], ["index", 1, 1]]}
    )
    watermark.write(str(state), mark)
    snapshot(home, state)
    (folder / f"{DAY}.md").write_bytes((folder / f"{DAY}.md").read_bytes() + b"\nLater.\n")
    snapshot(home, state)
    (state / "logs").mkdir()
    (state / "logs" / "service.log").write_text(f"12:00 started\n12:01 odd line: {SECRET}\n")


def test_the_words_are_gone_from_everything_of_ours(home: Path, state: Path) -> None:
    spread(home, state)
    assert len(telling(home, state)) >= 9
    _, traces = purged(home, state)
    assert telling(home, state) == []
    assert MASK in (state / "logs" / "service.log").read_text()
    assert watermark.read(str(state), str(home.parent / "t.jsonl")).progress == {
        "offer": f"You said: {MASK}.",
        "words": [["index", 1, 1]],
    }
    assert traces.transcripts == [str(home.parent / "t.jsonl")]


def test_every_other_byte_stays_as_it_is(home: Path, state: Path) -> None:
    log = home / PLACE.name / f"{DAY}.md"
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes() + b"\r\n\xff\xfe stray\r\n- by hand\n\n\n~~gone~~ no end")
    memory = home / PLACE.name / "MEMORY.md"
    memory.write_bytes(b"# Mine\n\xff\n" + memory.read_bytes() + b"after\r\n")
    before = contents(home)
    purged(home, state)
    after = contents(home)
    assert set(before) == set(after)
    for path, content in after.items():
        kept = [line for line in before[path].split(b"\n") if ID.encode() not in line]
        ours = [line for line in content.split(b"\n") if b'"event":"purged"' not in line]
        assert ours == kept


def test_the_users_own_notes_are_named_and_left_alone(home: Path, state: Path) -> None:
    note = home / "people.md"
    note.write_text(f"# People\n\n- {SECRET}\nzacharias   zimmermann alone\n")
    in_project = home / PLACE.name / "notes.md"
    in_project.write_text(f"{SECRET.upper()}\n")
    memory = home / PLACE.name / "MEMORY.md"
    memory.write_text(f"My own: {SECRET}\n{memory.read_text()}")
    _, traces = purged(home, state)
    assert sorted(traces.notes) == sorted([f"{note}#L3", f"{in_project}#L1", f"{memory}#L1"])
    assert note.read_text().count("Zacharias") == 1
    assert SECRET.upper() in in_project.read_text()
    assert memory.read_text().startswith(f"My own: {SECRET}\n")
    assert ID not in memory.read_text()


def test_where_it_stands_is_told_before_anything_is_done(home: Path, state: Path) -> None:
    before = contents(home)
    traces = purge.look(str(home), str(state), purge.target(str(home), held(home)))
    assert contents(home) == before
    places = {place.split("#L")[0] for place in traces.lines}
    assert places == {str(home / PLACE.name / f"{DAY}.md"), str(home / PLACE.name / "MEMORY.md")}
    assert list(traces.events.values()) == [1]
    assert traces.notes == []


def test_it_is_not_captured_again_and_the_event_that_says_so_holds_no_word(home: Path, state: Path) -> None:
    amendments.correct(str(home), held(home), "Étienne's boss is Zacharias Zimmermann, since May.")
    purged(home, state)
    before = contents(home)
    record(home, SECRET, "Étienne's boss is Zacharias Zimmermann, since May.")
    assert telling(home) == []
    assert contents(home).keys() == before.keys()
    record(home, SECRET, source="5e552000#e9")
    assert telling(home) == []
    assert Ledger(str(home)).refresh().entries[PLACE.name, ID].purged


def test_who_says_it_again_on_purpose_is_heard(home: Path, state: Path) -> None:
    purged(home, state)
    assert flush.remember(made(SECRET, "added"), PLACE, str(home))
    entry = Ledger(str(home)).refresh().entries[PLACE.name, ID]
    assert (entry.fact.text, entry.purged) == (SECRET, False)


def test_a_fact_that_was_struck_or_deleted_can_be_purged(home: Path, state: Path) -> None:
    amendments.retract(str(home), held(home))
    [gone] = amendments.find_taken_back(str(home), "zimmermann", [PLACE.name])
    purged(home, state, gone)
    assert telling(home) == []


def test_a_line_without_our_comment_goes_too(home: Path, state: Path) -> None:
    topics = home / PLACE.name / "topics"
    topics.mkdir()
    (topics / "people.md").write_text(f"# People\n\n* {SECRET}\n* ~~{SECRET}~~\n* Somebody else.\n")
    purged(home, state)
    assert (topics / "people.md").read_text() == "# People\n\n* Somebody else.\n"


def test_another_fact_in_the_same_words_is_named_and_stays(home: Path, state: Path) -> None:
    longer = f"{SECRET} He likes tea."
    record(home, longer)
    _, traces = purged(home, state)
    assert list(traces.others) == [fact_id(PLACE.name, longer)]
    assert longer in (home / PLACE.name / f"{DAY}.md").read_text()
    captured = [each for each in events.read(str(home)) if each.get("id") == fact_id(PLACE.name, longer)]
    assert [each["text"] for each in captured] == [longer]


def test_what_is_one_common_word_is_masked_nowhere_else(home: Path, state: Path) -> None:
    record(home, "Tea")
    (state / "note.log").write_text("tea at noon\n")
    purged(home, state, held(home, fact_id(PLACE.name, "Tea")))
    assert (state / "note.log").read_text() == "tea at noon\n"


def test_a_git_repository_is_named_and_not_entered(home: Path, state: Path) -> None:
    (home / ".git").mkdir()
    (home / ".git" / "packed").write_text(SECRET)
    _, traces = purged(home, state)
    assert traces.repository == str(home)
    assert (home / ".git" / "packed").read_text() == SECRET


@pytest.mark.parametrize("linked", ["the project", "the topics", "the file"])
def test_what_lies_behind_a_link_goes_too(home: Path, state: Path, linked: str) -> None:
    topics = home / PLACE.name / "topics"
    topics.mkdir()
    (topics / "relationship.md").write_text(f"# Relationship\n\n- {SECRET}\n")
    path = {"the project": home / PLACE.name, "the topics": topics, "the file": topics / "relationship.md"}[linked]
    away = home.parent / f"elsewhere{path.suffix}"
    path.rename(away)
    path.symlink_to(away)
    target = purge.target(str(home), held(home))
    assert len(purge.look(str(home), str(state), target).lines) >= 3
    assert purge.run(str(home), str(state), PLACE.name, target).ours == []
    assert telling(home, away if away.is_dir() else home) == []
    assert not any(word in away.read_bytes() for word in TELLING if away.is_file())
    assert path.is_symlink()


def test_a_link_of_the_users_own_is_not_followed_out_of_the_home(home: Path, state: Path) -> None:
    away = home.parent / "elsewhere"
    away.mkdir()
    (away / f"{DAY}.md").write_bytes((home / PLACE.name / f"{DAY}.md").read_bytes())
    (home / PLACE.name / "attachments").symlink_to(away)
    (home / PLACE.name / "topics").symlink_to(home)  # goes round in a circle
    purged(home, state)
    assert telling(home) == []
    assert SECRET in (away / f"{DAY}.md").read_text()


def test_what_is_left_is_told(home: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = home / PLACE.name / f"{DAY}.md"
    monkeypatch.setattr(purge, "_without_lines", lambda path, home, wanted, before: before)
    left = purge.run(str(home), str(state), PLACE.name, purge.target(str(home), held(home)))
    assert any(place.startswith(f"{log}#L") for place in left.ours)


def test_a_file_that_cannot_be_looked_into_is_named(home: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "large.md").write_bytes(b"x" * 5000)
    monkeypatch.setattr(purge, "_LARGEST", 4000)
    _, traces = purged(home, state)
    assert traces.unread == [str(home / "large.md")]


def test_no_attachment_of_a_vault_is_read(home: Path, state: Path) -> None:
    (home / "plan.pdf").write_text(SECRET)
    os.mkfifo(home / "pipe.md")
    _, traces = purged(home, state)
    assert traces.notes == []
    assert traces.unread == []


def test_a_vault_is_read_before_the_home_is_locked(home: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "note.md").write_text("Nothing of it.\n")
    locked, read = list[bool](), list[tuple[str, bool]]()
    plain = files.read_bytes

    @contextlib.contextmanager
    def watched(home: str) -> Iterator[None]:
        locked.append(True)
        yield
        locked.clear()

    def reading(path: str, limit: int | None = None) -> bytes:
        read.append((path, bool(locked)))
        return plain(path, limit)

    monkeypatch.setattr(journal, "locked", watched)
    monkeypatch.setattr(purge, "read_bytes", reading)
    purged(home, state)
    assert (str(home / "note.md"), False) in read
    assert (str(home / "note.md"), True) not in read


COMMITS = (
    ("2026-10-02", "I want small commits with one topic."),
    ("2026-10-12", "Please make small commits, one topic each."),
    ("2026-10-20", "Commits are small and have one topic."),
    ("2026-10-28", "Small commits, one topic, always."),
)


def test_a_pattern_that_stands_on_it_goes_and_is_concluded_anew_from_the_rest(home: Path, state: Path) -> None:
    facts = [fact(text, namespace=PLACE.name, category="preference", subject="user", day=day) for day, text in COMMITS]
    capture(home, facts, PLACE.name)
    review_of(home, date(2026, 11, 2))
    worldview = home / PLACE.name / "topics" / "worldview.md"
    said = worldview.read_text()
    [told] = [each for each in facts if each.text in said]
    target, traces = purged(home, state, held(home, told.id))
    assert len(target.patterns) == 1
    assert f"{worldview}#L3" in traces.lines
    assert not [path for path, content in contents(home, state).items() if told.text[:-1].encode() in content]
    review_of(home, date(2026, 11, 9))
    assert "3 conversations since" in worldview.read_text()
    assert told.text not in worldview.read_text()


def review_of(home: Path, today: date) -> None:
    ledger = Ledger(str(home)).refresh()
    review.apply(str(home), review.plan(str(home), [PLACE.name], ledger, today, weekly=True), today)


@pytest.mark.parametrize("struck", [False, True])
def test_an_item_that_a_hand_wrote_over_several_lines_goes_whole(home: Path, state: Path, struck: bool) -> None:
    log = home / PLACE.name / f"{DAY}.md"
    before = log.read_text()
    log.write_text(before + "- The gateway listens\n  on the port of Zacharias,\n\n\tsince May.\n\n- Another.\n")
    found = held(home, "gateway listens")
    if struck:
        amendments.retract(str(home), found)
        [found] = amendments.find_taken_back(str(home), "gateway listens", [PLACE.name])
    _, traces = purged(home, state, found)
    assert log.read_text() == before + "\n- Another.\n"
    assert len(traces.lines) == 4


def test_an_item_by_hand_behind_an_editors_mark_goes_too(home: Path, state: Path) -> None:
    path = home / PLACE.name / "2026-11-02.md"
    path.write_bytes(b"\xef\xbb\xbf- The gateway of Zacharias listens.\n- Another.\n")
    purged(home, state, held(home, "Zacharias"))
    assert path.read_bytes() == b"- Another.\n"


@pytest.mark.parametrize("ours", [False, True])
def test_what_stands_below_its_first_line_is_sought_in_conversations_too(home: Path, state: Path, ours: bool) -> None:
    log, page = home / PLACE.name / f"{DAY}.md", home / PLACE.name / "history" / f"{DAY}-5e551000.md"
    first = next(each for each in log.read_text().split("\n") if SECRET in each) if ours else f"- {SECRET}"
    log.write_text(f"{first}\n  - ask him at the harbour office\n  - kind: note\n")
    page.parent.mkdir()
    page.write_text("user: Ask him at the harbour office!\n\nuser: What kind? Note it.\n")
    purged(home, state, held(home, "Zacharias"))
    assert page.read_text() == f"user: {MASK}!\n\nuser: What kind? Note it.\n"


def test_what_is_indented_below_its_line_goes_too_but_another_fact(home: Path, state: Path) -> None:
    log = home / PLACE.name / f"{DAY}.md"
    before = log.read_text()
    line, other = (next(each for each in before.split("\n") if text in each) for text in (SECRET, OTHER))
    log.write_text(
        before.replace(f"{line}\n", f"{line}\n  - He said so twice.\n  {other}\n").replace(f"\n{other}", "", 1)
    )
    assert len(purged(home, state)[1].lines) == 3  # and its pointer
    assert "twice" not in log.read_text()
    assert other in log.read_text()


def test_of_items_by_hand_that_begin_alike_one_is_purged_and_the_others_stay(home: Path, state: Path) -> None:
    log = home / PLACE.name / f"{DAY}.md"
    before = log.read_text()
    first, last = "- kind: note\n  Flour has come.\n", "- kind: note\n- kind: note\n  The till is new.\n"
    log.write_text(f"{before}{first}- kind: note\n  The oven is broken.\n{last}")
    hand.Observer(str(home)).look()
    _, traces = purged(home, state, held(home, "oven broken"))
    assert log.read_text() == f"{before}{first}{last}"
    assert len(traces.lines) == 3  # and its pointer
    assert "oven" not in "".join(path.read_text() for path in (home / ".events").glob("*.jsonl"))
    assert hand.Observer(str(home)).look() == []


def test_another_facts_pointer_is_no_note_of_the_user(home: Path, state: Path) -> None:
    longer = f"{SECRET} He likes tea."
    record(home, longer)
    _, traces = purged(home, state)
    assert "He likes tea" in (home / PLACE.name / "MEMORY.md").read_text()
    assert traces.notes == []
    assert list(traces.others) == [fact_id(PLACE.name, longer)]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
@pytest.mark.parametrize(
    "text",
    [SECRET, "Le déploiement de préproduction passe par Zoë.", "Der Maßstab heißt Weiß.", "배포는 금요일에 한다."],
)
def test_words_are_masked_in_whatever_form_they_are_written(home: Path, state: Path, text: str, form: Form) -> None:
    record(home, text)
    log = state / "service.log"
    log.write_text(f"before: {unicodedata.normalize(form, text).upper()} after\n")
    purged(home, state, held(home, fact_id(PLACE.name, text)))
    assert log.read_text() == f"before: {MASK}. after\n"


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("survived", range(0, 36, 2))
def test_a_purge_that_was_killed_is_finished_by_another(
    home: Path, state: Path, survived: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spread(home, state)
    target, done = purge.target(str(home), held(home)), list[str]()

    def dying(write: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            if len(done) >= survived:
                raise Killed
            done.append(write.__name__)
            return write(*arguments, **options)

        return counted

    for module, name in (
        (journal, "write_whole"),
        (snapshots, "write_whole"),
        (os, "unlink"),
        (events, "append"),
        (purge, "_mask_file"),
    ):
        monkeypatch.setattr(module, name, dying(getattr(module, name)))
    with contextlib.suppress(Killed):
        purge.run(str(home), str(state), PLACE.name, target)
    monkeypatch.undo()
    assert len(done) == survived or (survived > 20 and telling(home, state) == [])
    names = [PLACE.name]
    found = amendments.find(str(home), ID, names) or amendments.find_taken_back(str(home), ID, names)
    again = found[0] if found else Held(Ledger(str(home)).refresh().entries[PLACE.name, ID].fact, PLACE.name, "", 0)
    purged(home, state, again)
    assert telling(home, state) == []
    record(home, SECRET)
    assert telling(home, state) == []


@pytest.mark.parametrize(
    "told",
    [
        account(considered(id=ID, text="The boss of Étienne is called Zacharias Zi…"), prompt="Is it Zimmermann?"),
        account(considered(id="0ther000", words=("Zacharias",)), prompt=f"Remember: {SECRET}"),
        account(considered(id="0ther000", words=("Zacharias",)), prompt="Zacharias? The boss of Étienne is calle…"),
        account(considered(id="0ther000", text=f"user: {SECRET} Right?"), prompt="and Zimmermann?"),
        account(considered(id="0ther000", text="We spoke of tea. The boss of Étienne is called Zacha…")),
    ],
    ids=["considered", "said in the prompt", "cut in the prompt", "said in a conversation", "cut in a note"],
)  # fmt: skip
def test_of_a_prompt_that_met_the_fact_only_figures_are_left(home: Path, state: Path, told: Account) -> None:
    untouched = account(considered(), prompt="which port is it?")
    for each in (told, untouched):
        accounts.append(str(state), each)
    target = purge.target(str(home), held(home))
    assert list(purge.look(str(home), str(state), target).state.values()) == [1]
    assert purge.run(str(home), str(state), PLACE.name, target).ours == []
    assert accounts.read(str(state), "shop-1") == [replace(told, prompt=MASK, considered=()), untouched]
    assert telling(state) == []


def test_what_a_prompt_met_while_the_index_was_cleaned_goes_too(home: Path, state: Path) -> None:
    target, _ = purged(home, state)
    accounts.append(str(state), account(considered(id=ID, text=SECRET)))
    purge.mask_state(str(state), target)
    assert telling(state) == []


def test_snapshots_are_amended_told_and_whole_afterwards(home: Path, state: Path) -> None:
    first = snapshot(home, state)
    record(home, "Something else, said later.")
    second = snapshot(home, state)
    (home / "own.md").write_text(f"{SECRET}\n")
    _, traces = purged(home, state)
    store = Store(str(state / "backups"))
    assert sorted(traces.snapshots.values()) == [3, 3]  # the log, the pointers and the events
    assert set(map(os.path.basename, traces.snapshots)) == {f"{first.name}.json", f"{second.name}.json"}
    assert telling(state) == []
    assert [each.name for each in store.snapshots()] == [second.name, first.name]
    assert not store.verify().problems
    left = store.content(store.snapshots()[1].files[f"{PLACE.name}/{DAY}.md"]).decode()
    assert OTHER in left
    assert purge.look(str(home), str(state), purge.target(str(home), held(home, OTHER))).snapshots


def test_a_snapshot_that_nobody_can_read_goes_and_that_is_told(home: Path, state: Path) -> None:
    made = snapshot(home, state)
    path = state / "backups" / f"{made.name}.json"
    path.write_bytes(path.read_bytes()[:-5])
    _, traces = purged(home, state)
    assert traces.snapshots == {str(path): 0}
    assert not path.exists()
    assert telling(state) == []


def test_snapshots_on_a_disk_that_is_not_there_are_told(
    home: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(home.parent / "settings.json"))
    snapshot(home, state)
    missing = home.parent / "unplugged"
    (home.parent / "settings.json").write_text(json.dumps({"backup": {"folder": f"{missing}/memory"}}))
    _, traces = purged(home, state)
    assert any(str(missing) in each for each in traces.unread)
    (missing / "memory").mkdir(parents=True)
    purged(home, state, Held(made(SECRET), PLACE.name, "", 0))
    assert telling(state) == []


def test_a_secret_in_a_line_by_hand_goes_from_where_an_older_version_wrote_it(home: Path, state: Path) -> None:
    said = "The passphrase of the safe is kestrel-merlin-osprey-heron."
    with open(home / PLACE.name / f"{DAY}.md", "a") as log:
        log.write(f"- {said}\n")
    (home / ".events" / "laptop-2025-01.jsonl").write_text(
        json.dumps({"event": "captured", "namespace": PLACE.name, "id": fact_id(PLACE.name, said), "text": said}) + "\n"
    )
    purged(home, state, held(home, fact_id(PLACE.name, said)))
    assert [path for path, content in contents(home, state).items() if b"merlin" in content] == []
