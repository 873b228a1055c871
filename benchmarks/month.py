"""A month of somebody's conversations, lived through the real hooks: `python -m benchmarks.month [--show]`

Forty conversations in two projects, by a developer who changes his mind, is corrected, and finishes, drops and reopens
tasks. Each is written as the client writes it and handed to the hook processes at its own time of a set clock, with
the real service beside them and the review at the end of each day. In between, sixty questions are asked in
conversations of their own; the context that SessionStart and UserPromptSubmit inject is judged.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memory_plugin.service import client, control

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(__file__).with_name("data") / "month.json"
# A note that says what was, what is done, or what another one replaced.
_FORMER = re.compile(r" \(Before, .*?\)(?= \[)")
_ENDED = re.compile(
    r"^- (?:[\d-]+ )?(?:task (?:done|dropped)|[\w ]+, (?:superseded|contradicted|no longer held|older))"
)


@dataclass(frozen=True)
class Verdict:
    """What came of one question. right: what it asks for is in the context; stale: what is not true any more is shown
    as if it were."""

    question: Mapping[str, Any]
    right: bool
    stale: bool
    context: str


@dataclass
class Life:
    """One user's folders, clock, service and two projects."""

    folder: Path
    provider: str = "builtin"
    projects: dict[str, Path] = field(default_factory=dict)

    def __enter__(self) -> Life:
        self._before = dict(os.environ)
        os.environ |= {
            "HOME": str(self.folder),
            "TZ": "UTC",
            "MEMORY_PLUGIN_HOME": str(self.folder / "memory"),
            "MEMORY_PLUGIN_STATE": str(self.folder / "state"),
            "MEMORY_PLUGIN_SETTINGS": str(self.folder / "settings.json"),
            "MEMORY_PLUGIN_ENV": sys.prefix,
            "MEMORY_PLUGIN_CLOCK": str(self.folder / "clock"),
            "CLAUDE_CONFIG_DIR": str(self.folder / "client"),
        }
        (self.folder / "settings.json").write_text(json.dumps({"embedding": {"provider": self.provider}}))
        return self

    def __exit__(self, *_: object) -> None:
        control.stop()
        os.environ.clear()
        os.environ.update(self._before)

    def project(self, name: str) -> Path:
        """The folder of a project, a git repository with a remote of its own."""
        if name not in self.projects:
            folder = self.folder / "code" / name
            (folder / ".git").mkdir(parents=True)
            remote = f'[remote "origin"]\n\turl = git@example.org:team/{name}.git\n'
            (folder / ".git" / "config").write_text(remote)
            (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
            self.projects[name] = folder
        return self.projects[name]

    def set_clock(self, moment: datetime) -> None:
        """Let it be this moment, in UTC."""
        (self.folder / "clock.new").write_text(f"{moment.isoformat()}+00:00")
        os.replace(self.folder / "clock.new", self.folder / "clock")

    def hook(self, name: str, project: str, session: str, transcript: Path, **more: str) -> str:
        """Run a hook as the client does; its context, or ""."""
        event = {
            "session_id": session,
            "transcript_path": str(transcript),
            "cwd": str(self.project(project)),
            **more,
        }
        done = subprocess.run(
            ["sh", str(ROOT / "hooks" / "run"), name],
            input=json.dumps(event).encode() + b"\n",
            capture_output=True,
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(self.project(project))},
            check=True,
        )
        if not done.stdout.startswith(b"{"):
            return ""
        output = json.loads(done.stdout).get("hookSpecificOutput", {})
        return str(output.get("additionalContext", ""))

    def settle(self) -> None:
        """Wait until all that was said is indexed, embedded and reconciled."""
        assert control.ensure_started(60.0)
        self.command("flush", "--all")
        client.call("/search", {"query": "anything", "project": str(next(iter(self.projects.values())))})

    def command(self, *arguments: str) -> str:
        """Run the command line."""
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", str(ROOT / "memory_plugin" / "__main__.py"), *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        return done.stdout

    def talk(self, conversation: Mapping[str, Any]) -> None:
        """Hold one conversation: every prompt through the hook, then its end or its compaction."""
        project, moment = conversation["project"], _moment(conversation)
        session = _session(conversation["id"])
        transcript = self.transcript(project, session)
        self.set_clock(moment)
        self.hook("session_start", project, session, transcript, source="startup")
        for number, turn in enumerate(conversation["turns"]):
            moment += timedelta(minutes=1)
            self.set_clock(moment)
            if turn["role"] == "user":
                self.hook("user_prompt_submit", project, session, transcript, prompt=turn["text"])
            self.append(transcript, project, session, turn["role"], turn["text"], moment, number)
        if conversation["ends"] == "compact":
            self.hook("pre_compact", project, session, transcript, trigger="manual")
            number, moment = len(conversation["turns"]), moment + timedelta(minutes=1)
            self.append(
                transcript, project, session, "user", conversation["summary"], moment, number, isCompactSummary=True
            )
            self.set_clock(moment)
            self.hook("session_start", project, session, transcript, source="compact")
        self.hook("session_end", project, session, transcript, reason="other")
        self.settle()

    def transcript(self, project: str, session: str) -> Path:
        """Where the client would keep a conversation."""
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.project(project)))
        return self.folder / "client" / "projects" / slug / f"{session}.jsonl"

    def append(
        self,
        transcript: Path,
        project: str,
        session: str,
        role: str,
        text: str,
        moment: datetime,
        number: int,
        **more: Any,
    ) -> None:
        """Write one entry of a transcript."""
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        entry = {
            "parentUuid": None,
            "isSidechain": False,
            "cwd": str(self.project(project)),
            "sessionId": session,
            "version": "2.1.332",
            "type": role,
            "message": {"role": role, "content": content},
            "uuid": f"{number:08x}-{session[9:]}",
            "timestamp": f"{moment.isoformat()}.000Z",
            **more,
        }
        transcript.parent.mkdir(parents=True, exist_ok=True)
        with transcript.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")

    def ask(self, question: Mapping[str, Any]) -> Verdict:
        """Ask in a conversation of its own, and judge what is injected."""
        session = _session(question["id"])
        transcript = self.transcript(question["project"], session)
        context = self.hook("session_start", question["project"], session, transcript, source="startup")
        context += "\n" + self.hook(
            "user_prompt_submit", question["project"], session, transcript, prompt=question["prompt"]
        )
        return judged(question, context)


def play(life: Life, data: Mapping[str, Any]) -> Iterator[Verdict]:
    """Live the month and answer its questions, each after its conversation."""
    conversations = data["conversations"]
    for number, conversation in enumerate(conversations):
        life.talk(conversation)
        for question in data["questions"]:
            if question["after"] == conversation["id"]:
                yield life.ask(question)
        following = conversations[number + 1]["date"] if number + 1 < len(conversations) else None
        if conversation["date"] != following:
            life.command("review", "--all")


def judged(question: Mapping[str, Any], context: str) -> Verdict:
    """Whether the right answer stands in what was injected, and whether a stale one stands there as current."""
    text = context.casefold()
    right = all(any(one.casefold() in text for one in group) for group in question["right"])
    if question["kind"] == "open":
        right = right and _state(question, context) == question["state"]
    current = [_FORMER.sub("", line) for line in context.splitlines() if not _ENDED.match(line)]
    stale = any(
        one.casefold() in line.casefold() and not _says_right(question, line)
        for line in current
        for one in question["stale"]
    )
    return Verdict(question, right, stale, context)


def _says_right(question: Mapping[str, Any], line: str) -> bool:
    """Whether a line tells of the change: it names the new value beside the old one, or says that it changed."""
    if question["kind"] == "former":
        return bool(_CHANGE.search(line)) or any(one.casefold() in line.casefold() for one in question["now"])
    return all(any(one.casefold() in line.casefold() for one in group) for group in question["right"])


# What a sentence says that tells of a change itself.
_CHANGE = re.compile(
    r"\b(?:from|instead|not|no longer|any ?more|left|leave|before|previously|former|earlier|old|until|replac\w+|mov\w+"
    r"|switch\w+|migrat\w+|took over|renam\w+|swap\w+|now|drop\w*|over|goodbye"
    r"|plutôt|au lieu|avant|désormais|maintenant|remplac\w+|pass\w+|quitt\w+|ancien\w*|jusqu|plus|abandonn\w+|terminé"
    r"|fini|adieu|chang\w+)\b",
    re.I,
)
_TASK = re.compile(r"- (?P<day>[\d-]+ )?(?:(?P<open>open task)|task (?P<closed>done|dropped) (?P<until>[\d-]+))")


def _state(question: Mapping[str, Any], context: str) -> str:
    """The state of a task as the notes that name it say: the latest of them."""
    words = question["task"].casefold().split()
    states = list[tuple[str, str]]()
    for line in context.splitlines():
        if line.startswith("- ") and all(word in line.casefold() for word in words):
            found = _TASK.match(line)
            if found:
                states.append(((found["until"] or found["day"] or "").strip(), found["closed"] or "open"))
    return max(states)[1] if states else ""


def _moment(conversation: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(f"{conversation['date']}T{conversation['time']}:00")


def _session(name: str) -> str:
    return f"{name.replace('q', 'e'):0>8}-0000-4000-8000-000000000000"


def main() -> None:
    """Print how many questions were answered, by kind; with --show, the others with what was injected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what the wrongly answered questions got")
    parser.add_argument("--keep", help="keep everything in this folder")
    parser.add_argument("--provider", default="builtin", choices=("builtin", "none"))
    arguments = parser.parse_args()
    data = json.loads(DATA.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        with Life(folder, arguments.provider) as life:
            verdicts = list(play(life, data))
    print_table(verdicts)
    for each in verdicts if arguments.show else ():
        if not each.right or each.stale:
            print(f"\n=== {each.question['id']} {each.question['kind']} {'STALE' if each.stale else 'WRONG'}")
            wanted = {
                name: each.question.get(name) for name in ("after", "project", "prompt", "right", "state", "stale")
            }
            print(json.dumps(wanted, ensure_ascii=False))
            print(each.context)


def print_table(verdicts: list[Verdict]) -> None:
    """One line a kind of question."""
    asked = Counter(each.question["kind"] for each in verdicts)
    right = Counter(each.question["kind"] for each in verdicts if each.right)
    for kind, count in asked.items():
        print(f"{kind:10} {right[kind]:3} of {count}")
    stale = sum(each.stale for each in verdicts)
    print(f"{'all':10} {sum(right.values()):3} of {len(verdicts)}; stale shown as current: {stale}")


if __name__ == "__main__":
    main()
