from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_plugin.memory.extraction.languages.english import ENGLISH
from memory_plugin.memory.extraction.languages.french import FRENCH
from memory_plugin.memory.extraction.languages.other import OTHER
from memory_plugin.memory.extraction.languages.table import LanguageCues
from memory_plugin.memory.extraction.pattern import Pattern, any_of

ROOT = Path(__file__).parents[3]

# Prints the sources that extraction has compiled, each as a line of its own, after it has heard what the user says.
COMPILED = """
import re, sys
sys.path.insert(0, sys.argv[1])
from memory_plugin.memory import fact, transcript
compiled, compile = [], re.compile
re.compile = lambda source, flags=0: compiled.append(source) or compile(source, flags)
from memory_plugin.memory.extraction import Progress, extract
progress = Progress()
for text in sys.argv[2:]:
    _, progress = extract(transcript.Message("user", text, "", "", "", 0), progress)
print("\\n".join(repr(source) for source in compiled))
"""


def compiled_by(*messages: str) -> set[str]:
    command = [sys.executable, "-S", "-I", "-c", COMPILED, str(ROOT), *messages]
    output = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return set(output.splitlines())


def sources(table: LanguageCues) -> set[str]:
    return {repr(any_of(table.narration))}


def test_to_import_extraction_compiles_nothing() -> None:
    assert compiled_by() == {""}


def test_a_sentence_compiles_no_cue_of_which_it_holds_no_word() -> None:
    compiled = compiled_by("Blue birds sang near Paris.")
    cues = {repr(cue.pattern) for table in (ENGLISH, FRENCH, OTHER) for cue in (*table.stated, *table.noted)}
    assert not compiled & cues


def test_an_english_message_compiles_the_tables_of_no_other_language() -> None:
    compiled = compiled_by("Nothing of this is any rule at all, but it is said by me.")
    assert sources(ENGLISH) <= compiled
    assert not compiled & (sources(FRENCH) | sources(OTHER))


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("Rien de tout cela n'est une règle, mais il faut le dire.", FRENCH),
        ("Nichts davon ist eine Regel, aber wir sagen es.", OTHER),
        ("以后再看这个项目。", OTHER),
        ("всё это не имеет значения", OTHER),
    ],
)
def test_a_message_in_another_language_is_read_by_its_table(text: str, table: LanguageCues) -> None:
    assert compiled_by(text) & sources(table)


def test_a_pattern_answers_as_the_expression_it_holds() -> None:
    pattern = Pattern("b+", 0)
    assert pattern.search("abbc") is not None
    assert pattern.match("abbc") is None
    assert pattern.fullmatch("bb") is not None
    assert pattern.sub("-", "abbc") == "a-c"
    assert pattern.split("abbc") == ["a", "c"]
    assert pattern.findall("abbcb") == ["bb", "b"]


def test_no_sources_match_nothing() -> None:
    assert Pattern(any_of([])).search("") is None
    assert Pattern(any_of(["a|b", "c"])).fullmatch("c") is not None
