from __future__ import annotations

import json
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_RULE, CONFIDENCE_STATED, PREDICATES, Candidate
from memory_plugin.memory.transcript import Message, Role
from tests.memory.extraction.cases import ANSWERED, NOT_NOTED, NOT_STATED, NOTED, STATED
from tests.memory.extraction.conversations import CONVERSATIONS

# Enough ordinary talk before a message that the assistant's words have a share to spend.
TALK = [
    ("user", "Nothing is wrong, I only want to know how all this hangs together."),
    *[("assistant", "Let me look at the next folder, and then at how its parts are called from outside. " * 10)] * 3,
]


def said(role: str, text: str, time: str = "2026-11-30T14:32:00Z") -> Message:
    roles: dict[str, Role] = {"user": "user", "assistant": "assistant", "summary": "summary"}
    return Message(roles[role], text, "4be1", "1f3a9c", time, 0)


def run(messages: Sequence[tuple[str, str]], progress: Progress | None = None) -> tuple[list[Candidate], Progress]:
    found: list[Candidate] = []
    progress = progress or Progress()
    for role, text in messages:
        facts, progress = extract(said(role, text), progress)
        found += facts
    return found, progress


def after_talk(role: str, text: str) -> list[Candidate]:
    _, progress = run(TALK)
    return run([(role, text)], progress)[0]


def stated(facts: Sequence[Candidate]) -> list[Candidate]:
    return [fact for fact in facts if fact.confidence == CONFIDENCE_STATED]


@pytest.mark.parametrize(("text", "category", "expected"), STATED, ids=[case[0][:40] for case in STATED])
def test_what_the_user_states_is_kept_as_one_fact_that_stands_alone(text: str, category: str, expected: str) -> None:
    facts = stated(run([("user", text)])[0])
    assert [(fact.category, fact.text) for fact in facts] == [(category, expected)]


@pytest.mark.parametrize("text", NOT_STATED, ids=[text[:40] for text in NOT_STATED])
def test_what_does_not_stand_alone_or_was_not_said_by_a_person_is_left(text: str) -> None:
    assert run([("user", text)])[0] == []


@pytest.mark.parametrize(("text", "category", "part"), NOTED, ids=[case[2][:40] for case in NOTED])
def test_what_the_assistant_found_out_is_kept(text: str, category: str, part: str) -> None:
    facts = after_talk("assistant", text)
    assert [fact.category for fact in facts if part in fact.text] == [category]


@pytest.mark.parametrize("text", NOT_NOTED, ids=[text[:40] for text in NOT_NOTED])
def test_what_the_assistant_is_doing_this_moment_is_left(text: str) -> None:
    assert after_talk("assistant", text) == []


@pytest.mark.parametrize(
    ("question", "answer", "expected"), ANSWERED, ids=[case[1] + " " + case[0][:20] for case in ANSWERED]
)
def test_a_short_answer_is_kept_with_its_question_or_not_at_all(question: str, answer: str, expected: str) -> None:
    _, progress = run([("assistant", question)])
    facts = stated(run([("user", answer)], progress)[0])
    assert [fact.category for fact in facts] == (["decision"] if expected else [])
    assert expected in "".join(fact.text for fact in facts)


@pytest.mark.parametrize("title", CONVERSATIONS)
def test_a_whole_conversation_leaves_what_is_worth_remembering_and_nothing_else(title: str) -> None:
    messages, expected = CONVERSATIONS[title]
    assert [(fact.category, fact.text) for fact in run(messages)[0]] == expected


def test_an_answer_counts_once_and_only_for_the_message_just_before() -> None:
    question = ("assistant", "Should we keep the sqlite fixtures for unit tests?")
    assert stated(run([question, ("user", "what would change"), ("user", "yes")])[0]) == []
    assert len(stated(run([question, ("user", "yes"), ("user", "yes")])[0])) == 1


def test_a_reason_in_the_next_sentence_stays_with_its_decision() -> None:
    facts = stated(
        run([("user", "We decided to vendor the parser. Otherwise the air-gapped build breaks. Look at the diff.")])[0]
    )
    assert [fact.text for fact in facts] == ["We decided to vendor the parser. Otherwise the air-gapped build breaks."]


def test_each_instruction_of_a_list_is_its_own_fact() -> None:
    text = "Some rules:\n- **never** commit to main\n- always run `make lint` first\n* [ ] don't use print for logging"
    assert [fact.text for fact in stated(run([("user", text)])[0])] == [
        "never commit to main",
        "always run `make lint` first",
        "don't use print for logging",
    ]


def test_instructions_are_kept_however_much_was_kept_before() -> None:
    messages = [
        ("user", f"Never rename the column number {n} of table {chr(97 + n)}{chr(98 + n)} in migrations.")
        for n in range(20)
    ]
    assert len(stated(run(messages)[0])) == 20


def test_the_same_words_again_are_not_a_second_fact() -> None:
    facts, _ = run([("user", "Never push directly to main."), ("user", "Please never push directly to main!")])
    assert len(facts) == 1


def test_words_of_other_programs_inside_a_message_are_cut_out_and_the_users_own_stay() -> None:
    text = (
        "<system-reminder>Never mention this reminder to the user.</system-reminder>\nAlways sign the commits with GPG."
    )
    assert [fact.text for fact in run([("user", text)])[0]] == ["Always sign the commits with GPG."]


def test_a_placeholder_in_angle_brackets_is_not_taken_for_a_tag() -> None:
    facts = stated(run([("user", "Always name branches feature/<ticket-id>-<short-name> in this repository.")])[0])
    assert facts[0].text == "Always name branches feature/<ticket-id>-<short-name> in this repository."


def test_a_pronoun_is_resolved_by_the_heading_above_it_or_the_line_is_dropped() -> None:
    under_heading = "## Deploy script\nIt must run on the bastion host because the firewall blocks everything else."
    alone = "It must run on the bastion host because the firewall blocks everything else."
    assert stated(run([("user", under_heading)])[0])[0].text == f"Deploy script: {under_heading[17:].strip()}"
    assert stated(run([("user", alone)])[0]) == []


def test_a_pasted_page_is_not_taken_for_the_users_own_rules() -> None:
    page = "The operator must always restart the pump. The valve is located in the basement. " * 60
    assert len(stated(run([("user", page)])[0])) <= 12


def test_the_share_of_a_conversation_that_is_kept_stays_bounded() -> None:
    sentence = (
        "The {0} module of the scheduler caches its {1} in `{0}_{1}.py`, because the importer reads it twice an hour. "
    )
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "omicron"]
    messages = [("assistant", "".join(sentence.format(a, b) for b in names)) for a in names]
    facts, progress = run(messages)
    assert facts
    assert sum(len(fact.text) for fact in facts) == progress.kept <= 0.12 * progress.said + 500


def test_facts_are_well_formed() -> None:
    facts, _ = run([*TALK, *[("user", case[0]) for case in STATED], *[("assistant", case[0]) for case in NOTED]])
    for fact in facts:
        assert fact.category in CATEGORIES
        assert fact.predicate in PREDICATES
        assert fact.confidence in (CONFIDENCE_RULE, CONFIDENCE_STATED)
        assert 0 < fact.importance <= 1
        assert len(fact.text) <= 300
        assert fact.text == " ".join(fact.text.split())
        assert fact.object == fact.object.lower()
        assert 1 <= len(fact.object.split("-")) <= 4
    by_text = {fact.text: fact for fact in facts}
    assert by_text["I prefer small pull requests over big ones."].subject == "user"
    assert by_text["We'll stick with REST, GraphQL would be overkill."].subject == "project"


def test_stated_facts_weigh_more_than_noted_ones_of_their_category() -> None:
    user = stated(
        run([("user", "We decided to keep the parser in `grammar.py` because the generated one is slow.")])[0]
    )[0]
    assistant = after_talk("assistant", NOTED[3][0])[0]
    assert (user.category, assistant.category) == ("decision", "decision")
    assert user.importance > assistant.importance
    assert user.confidence > assistant.confidence


WORDS = st.sampled_from(
    "always never use the scheduler importer `make test` because root cause: we decided Let me check. it "
    "fails on port 8080\n"
    "- item one\n ## Heading\n désormais je préfère Should we keep it? yes 1. the second".split(" ")
)
TALKS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "summary"]), st.lists(WORDS, max_size=60).map(" ".join)),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(TALKS, st.integers(min_value=0, max_value=12))
def test_in_two_steps_with_stored_progress_or_at_once_gives_the_same_facts(
    talk: list[tuple[str, str]], cut: int
) -> None:
    first, progress = run(talk[:cut])
    stored = Progress.from_json(json.loads(json.dumps(progress.to_json())))
    second, end = run(talk[cut:], stored)
    assert (first + second, end) == run(talk)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=2000), st.sampled_from(["user", "assistant", "summary"]))
def test_no_text_makes_it_fail(text: str, role: str) -> None:
    facts, progress = run([(role, text)])
    json.dumps(progress.to_json()).encode("utf-8")
    for fact in facts:
        fact.text.encode("utf-8")
        assert "\n" not in fact.text


@pytest.mark.parametrize(
    "text",
    [
        "Always use\x00 NUL-safe strings in the importer.",
        "Always keep the lone surrogate \ud800 out of the importer.",
        "Never trust \u202egnirts desrever\u202c in file names.",
        "تذكر دائما أن الخادم يعمل على المنفذ 8080 https://example.test",
        "🎉" * 500,
        "a" * 100_000,
        "- " * 50_000,
        "<a-b>" * 20_000,
        "**" * 50_000,
        "`" * 100_000,
        "# " * 40_000,
        "| a " * 30_000,
        ("never " * 30 + "\n") * 400,
        "word, " * 20_000,
        "x. " * 30_000,
        "(" * 60_000,
        "a/b.c_" * 15_000,
        "k=v " * 20_000,
        "to build " * 8_000,
        "we go " * 10_000 + "because",
        "le serveur est " * 5_000,
        "Still open: " + "-" * 40_000,
        "Still open: " + "the page, " * 6_000,
        "## Next steps\n" + "- the page (\n" * 4_000,
        "we will still " * 4_000 + "later",
        "let's put it " * 4_000,
        "the export is " * 4_000 + "done",
        "on ne fait plus " * 4_000,
        "on the 1 of " * 5_000,
        "1. A\n" * 20_000,
        "- Root cause: the importer is slow\n" * 1_500,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_read_in_bounded_work(text: str) -> None:
    begin = time.process_time()
    facts, progress = run([("user", text), ("assistant", text)])
    # Generous: quadratic work on these would take minutes.
    assert time.process_time() - begin < 20
    assert len(json.dumps(progress.to_json())) < 8_192
    assert all(len(fact.text) <= 300 for fact in facts)


def test_a_line_of_five_megabytes_costs_no_more_than_its_first_part() -> None:
    rule = "Never restart the importer by hand.\n\n"
    line = "The importer reads the queue twice an hour and writes `orders.csv` into the bucket. " * 62_500
    facts, progress = run([("user", rule + line)])
    assert "Never restart the importer by hand." in [fact.text for fact in facts]
    assert progress.said < 100_000


def test_progress_stays_small_however_long_the_conversation() -> None:
    progress = Progress()
    for number in range(300):
        text = " ".join(
            f"word{number * 40 + k}x module{k} decides because of `file_{number}_{k}.py`." for k in range(40)
        )
        _, progress = extract(said("assistant", text), progress)
    assert len(json.dumps(progress.to_json())) < 8_192


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"said": "x", "words": 3, "lines": "%%%", "usual": None, "offer": 5},
        {"words": [[1, 2], ["a", -1, "b"]], "lines": "AAA="},
    ],
)
def test_damaged_progress_starts_over(stored: dict[str, object]) -> None:
    progress = Progress.from_json(stored)
    assert (progress.said, progress.kept, progress.offer) == (0, 0, "")
    extract(said("user", "Never push directly to main."), progress)
