"""The settings, and every way to get them wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_plugin.memory import settings
from memory_plugin.memory.settings import Settings, as_json, load


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's settings file, which isn't there yet."""
    path = tmp_path / "settings.json"
    monkeypatch.setenv("MEMORY_PLUGIN_SETTINGS", str(path))
    return path


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    assert load() == (Settings(), [])


def test_what_is_set_holds_and_the_rest_stays(file: Path) -> None:
    file.write_text(json.dumps({"recall": {"max_notes": 2}, "embedding": {"model": "bge-m3"}}))
    found, problems = load()
    assert problems == []
    assert (found.recall.max_notes, found.recall.max_tokens, found.embedding.model) == (2, 500, "bge-m3")


def test_the_defaults_written_out_are_the_defaults(file: Path) -> None:
    file.write_text(json.dumps(as_json(Settings())))
    assert load() == (Settings(), [])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe\x00",
        b"{} trailing",
        b"[" * 100_000,
        b'{"recall": ' * 100_000,
        b'{"recall": {"max_notes": ' + b"9" * 5000 + b"}}",
    ],
)
def test_a_broken_file_is_named_and_not_in_force(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    found, problems = load()
    assert found == Settings()
    assert len(problems) == 1
    assert problems[0].startswith(f"{file}: ")
    assert problems[0].endswith("not in force") or "must lie between" in problems[0]


def test_a_folder_in_its_place(file: Path) -> None:
    file.mkdir()
    found, problems = load()
    assert found == Settings()
    assert "not readable as JSON" in problems[0]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"recal": {}}, "unknown section 'recal'"),
        ({"recall": []}, "'recall' must be an object"),
        ({"recall": {"max_note": 1}}, "recall.max_note: unknown setting"),
        ({"recall": {"max_notes": "4"}}, "recall.max_notes: must be a whole number, not '4'; 4 stays in force"),
        ({"recall": {"max_notes": True}}, "must be a whole number, not True"),
        ({"recall": {"max_notes": 4.0}}, "must be a whole number, not 4.0"),
        ({"recall": {"max_notes": None}}, "must be a whole number, not None"),
        ({"recall": {"max_notes": 0}}, "must lie between 1 and 20, not 0"),
        ({"briefing": {"max_characters": 99_999}}, "must lie between 200 and 9500"),
        ({"capture": {"enabled": 1}}, "must be true or false, not 1"),
        ({"capture": {"enabled": {"deep": [[[[]]]]}}}, "must be true or false, not a dict"),
        ({"embedding": {"provider": "openai"}}, "must be one of auto, ollama, builtin, none, not 'openai'"),
        ({"extraction": {"provider": "openai"}}, "must be one of none, ollama, claude, not 'openai'"),
        ({"extraction": {"daily_tokens": 0}}, "must lie between 20000 and 10000000, not 0"),
        ({"embedding": {"model": 5}}, "must be null or a text, not 5"),
    ],
)
def test_a_wrong_value_is_named_and_the_default_stays(file: Path, content: Any, problem: str) -> None:
    file.write_text(json.dumps(content))
    found, problems = load()
    assert found == Settings()
    assert len(problems) == 1
    assert problem in problems[0]


def test_a_value_nested_almost_too_deep_for_json_is_a_complaint(file: Path) -> None:
    for depth in range(900, 1000, 7):
        file.write_text('{"capture": {"enabled": ' + "[" * depth + "]" * depth + "}}")
        found, problems = load()
        assert found == Settings()
        assert len(problems) == 1


def test_a_byte_order_mark_does_no_harm(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + b'{"recall": {"enabled": false}}')
    assert load()[0].recall.enabled is False


def test_a_project_may_be_quieter_but_not_send_notes_elsewhere(file: Path, tmp_path: Path) -> None:
    file.write_text('{"recall": {"max_notes": 3, "max_tokens": 300}}')
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / settings.PROJECT_FILE).write_text(
        '{"recall": {"max_notes": 1}, "embedding": {"ollama_url": "http://elsewhere"}, "service": {"idle_minutes": 1},'
        ' "extraction": {"provider": "claude"}}'
    )
    found, problems = load(str(project))
    assert (found.recall.max_notes, found.recall.max_tokens) == (1, 300)
    assert (found.embedding, found.service) == (Settings().embedding, Settings().service)
    assert found.extraction == Settings().extraction
    assert [problem.split("'")[1] for problem in problems] == ["embedding", "service", "extraction"]


def test_a_project_folder_with_an_impossible_name_is_a_problem_not_an_error(file: Path) -> None:
    assert load("nul\0in it")[0] == Settings()
