"""The lists played: said in a conversation through the real hooks and service, and looked for in what is written."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import lancedb

from tests.safety.cases import Case, traces
from tests.support.patience import PATIENCE, eventually
from tests.support.service import Sandbox
from tests.support.transcripts import SESSION, entry, lines
from tests.support.world import RUN

_NOT_BY_CHANCE = 7  # characters; what is shorter may stand in any id or time, so it is looked for with its sentence
_BEFORE = 16


def said(cases: Iterable[Case], folder: Path) -> list[dict[str, Any]]:
    """Entries of a transcript in which the user, the assistant and tools say each of them, alone and in a sentence that
    is kept as a fact; at the end the client's summary lists some."""
    found = list[dict[str, Any]]()

    def add(content: Any, **fields: Any) -> None:
        found.append(entry(content, len(found), cwd=str(folder), **fields))

    for case in cases:
        line = case.text.split("\n")[0]
        call = f"toolu_{case.at}"
        add(case.text)
        add(f"From now on, always remember for the importer of {case.at}: {line}")
        add([{"type": "text", "text": f"Noted.\n\n{case.text}"}], role="assistant")
        add(
            [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"echo {case.text}"}}],
            role="assistant",
        )
        add([{"type": "tool_result", "tool_use_id": call, "is_error": bool(case.at % 2), "content": case.text}])
    facts = "\n".join(f"- decision: the exporter of {case.at} has {case.text}" for case in cases)
    add(f"This session is being continued.\n\nSummary:\nWe talked.\n\n## Durable facts\n{facts}", isCompactSummary=True)
    return found


def write(folder: Path, entries: Iterable[dict[str, Any]]) -> Path:
    """The transcript that holds them."""
    path = folder / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(entries))
    return path


def hook(sandbox: Sandbox, name: str, transcript: Path, **fields: Any) -> str:
    """What a hook prints, run by its launcher."""
    event = {
        "session_id": SESSION,
        "transcript_path": str(transcript),
        "cwd": str(sandbox.project),
        "source": "startup",
        "trigger": "manual",
        **fields,
    }
    done = subprocess.run(
        ["sh", str(RUN), name],
        input=json.dumps(event).encode(),
        capture_output=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(sandbox.project)},
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def flushed(sandbox: Sandbox, transcript: Path) -> None:
    """Wait until nothing of a transcript is owed."""
    assert eventually(lambda: not list((sandbox.state / "spool").glob("*.json")))


def written(*folders: Path) -> dict[str, str]:
    """Every file below some folders, and the rows of the index in words."""
    found = {
        str(path): path.read_bytes().decode("utf-8", "replace")
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "tiktoken"  # its tables come with the package
    }
    for folder in folders:
        for index in folder.rglob("index.lance"):
            rows = lancedb.connect(str(index)).open_table("chunks").to_arrow().to_pylist()
            found["rows of the index"] = "\n".join(str(value) for row in rows for value in row.values() if value)
    return found


def leaks(cases: Iterable[Case], texts: dict[str, str]) -> Iterator[str]:
    """A line for each secret that stands in one of the texts."""
    for case in cases:
        for secret in case.secrets:
            wanted = [each for each in traces(secret) if len(each) >= _NOT_BY_CHANCE]
            at = case.text.index(secret)
            wanted = wanted or [(case.text[max(at - _BEFORE, 0) : at] + secret).split("\n")[-1]]
            for place, text in texts.items():
                if any(each in text for each in wanted):
                    yield f"{case.at}: {wanted[0]} of {case.text!r} in {place}"
