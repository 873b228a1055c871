"""Writing into the memory: add and flush."""

from __future__ import annotations

import errno
import os
from dataclasses import asdict, dataclass
from datetime import date

import click

from memory_plugin.cli import backlog
from memory_plugin.cli.backlog import Waiting
from memory_plugin.cli.naming import amending, tell_service
from memory_plugin.cli.shared import (
    counted,
    json_option,
    memory_home,
    namespace,
    print_json,
    progress_bar,
    project_option,
)
from memory_plugin.memory import amendments, clock, namespaces, places, settings, spool, watermark
from memory_plugin.memory import flush as flushing
from memory_plugin.memory.extraction import Progress, extract
from memory_plugin.memory.fact import (
    CATEGORIES,
    CONFIDENCE_STATED,
    DEFAULT_CATEGORY,
    SEVERITIES,
    Candidate,
    Fact,
    clean,
    make,
    slug,
)
from memory_plugin.memory.flush import Receipt
from memory_plugin.memory.journal import Held
from memory_plugin.memory.redaction import MASK, redact
from memory_plugin.memory.transcript import Message

_LESSON = "lesson"


_LONGEST = 600  # characters


def _as_day(context: click.Context, option: click.Parameter, value: str | None) -> date | None:
    """The day that an option names."""
    try:
        return date.fromisoformat(value) if value else None
    except ValueError as error:
        raise click.BadParameter(f"“{value}” is no day; say a day as 2026-11-30", context, option) from error


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--category", type=click.Choice(list(CATEGORIES)), help="Its kind (default: by its words).")
@click.option("--severity", type=click.Choice(SEVERITIES), help="How much a lesson matters (it is then one).")
@click.option(
    "--day", callback=_as_day, metavar="DAY", help="When it happened or was decided, as 2026-11-30 (default: today)."
)
@click.option("--global", "everywhere", is_flag=True, help="It holds in every project.")
@project_option
@json_option
def add(
    text: tuple[str, ...],
    category: str | None,
    severity: str | None,
    day: date | None,
    everywhere: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """Write one fact into today's log.

    Say it as a sentence that a stranger would understand in a month. Secrets are masked.

    \b
    Examples:
      memory-plugin add "Staging is deployed from the release branch only."
      memory-plugin add --severity high "Never run the import twice: it doubles every booking."
      memory-plugin add --day 2026-11-14 "Version 1.4 was released."
    """
    if severity and category not in (None, _LESSON):
        raise click.UsageError("only a lesson has a severity")
    if day and day > clock.today():
        raise click.UsageError("the day is still to come")
    given = Given(category, severity or "", f"{day:%Y-%m-%d}" if day else "", everywhere)
    added = add_fact(" ".join(text), given, project)
    fact = added.fact
    if as_json:
        found = {"id": fact.id, "text": fact.text, "category": fact.category, "severity": fact.severity}
        print_json({**found, "day": fact.day, "written": added.written, "amended": added.amended})
    else:
        masked = ", with a secret masked" if MASK in fact.text else ""
        click.echo(f"{added.said}{masked}: {fact.category}: {fact.text} ({fact.id})")
        if given.day not in ("", fact.day):
            click.echo(
                f"  its day stays {fact.day}: `memory-plugin trace {fact.id}` names its line, which you can move"
            )


@dataclass(frozen=True, slots=True)
class Given:
    """What a user says of a fact beside its words: its category, severity ("" for none), day ("": today), and whether
    it holds in every project."""

    category: str | None = None
    severity: str = ""
    day: str = ""
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a fact that a user stated. fact: as it stands now; written: it is new, or holds again; amended: it
    stood already, and is now of the kind and severity that were given."""

    fact: Fact
    written: bool
    amended: bool = False

    @property
    def said(self) -> str:
        """In a word or two."""
        known = f"Known already, now a {self.fact.severity} lesson" if self.fact.severity else "Known already, changed"
        return "Noted" if self.written else known if self.amended else "Known already"


def add_fact(text: str, given: Given, project: str | None) -> Added:
    """Write a fact, or let it stand or hold again. Raises ClickException when it is empty or cannot be written."""
    text = clean(redact(text))
    if not text:
        raise click.ClickException("there is nothing to remember: say it in a sentence")
    if len(text) > _LONGEST:
        raise click.ClickException(
            f"a fact is a sentence or two, at most {_LONGEST} characters; this has {len(text)}. A longer text can be a"
            " Markdown file of its own in the memory folder: it is found there, too"
        )
    place, home, now = namespaces.everywhere() if given.everywhere else namespace(project), memory_home(), clock.now()
    fact = make(_candidate(text, given), place.name, given.day or f"{now:%Y-%m-%d}", f"{now:%H:%M}", "added")
    try:
        struck = [each for each in amendments.taken_back_in(home, [place.name]) if each.fact.id == fact.id]
        back = bool(struck and struck[0].line)
        if back:
            amendments.restore(home, struck[0], how="said again by command")
        elif flushing.remember(fact, place, home):
            tell_service()
            return Added(fact, True)
        held = amendments.find(home, fact.id, [place.name])[0]
        if held.fact.status != "active":
            amendments.reopen(home, held, how="said again by command", seen=f"{now:%Y-%m-%d}")
            back = True
    except OSError as error:
        raise click.ClickException(f"the memory home cannot be written: {error}") from error
    return _as_given(held, given, back)


def _as_given(held: Held, given: Given, back: bool) -> Added:
    """Make a fact that stood already what the user says that it is; `back`: it holds again by that."""
    category = given.category or (_LESSON if given.severity else "")
    other = bool(category and category != held.fact.category) or given.severity not in ("", held.fact.severity)
    if other:
        with amending(held) as home:
            amendments.recast(home, held, category=category, severity=given.severity)
    elif back:
        tell_service()
    now = amendments.find(memory_home(), held.fact.id, [held.namespace])[0]
    return Added(now.fact, back, other)


def _candidate(text: str, given: Given) -> Candidate:
    """The user's words as they are, of the kind that extraction would give them."""
    found, _ = extract(Message("user", text, "", "", "", 0), Progress())
    guess = found[0] if found else None
    kind = given.category or (_LESSON if given.severity else guess.category if guess else DEFAULT_CATEGORY)
    return Candidate(
        text=text,
        category=kind,
        predicate=guess.predicate if guess else "is",
        subject=guess.subject if guess else "project",
        object=guess.object if guess else slug(text),
        importance=CATEGORIES[kind][1],
        confidence=CONFIDENCE_STATED,
        severity=given.severity or (guess.severity if guess and kind == _LESSON else ""),
    )


@click.command()
@click.argument("transcripts", nargs=-1, type=click.Path(path_type=str))
@click.option("--session", help="The session with this id.")
@click.option("--all", "everything", is_flag=True, help="Every transcript that Claude Code still has, of all projects.")
@click.option("--except", "left_out", multiple=True, metavar="PROJECT", help="With --all: leave this project out.")
@click.option("--dry-run", is_flag=True, help="Only say what there is to read, and about how long it takes.")
@project_option
@json_option
def flush(
    transcripts: tuple[str, ...],
    session: str | None,
    everything: bool,
    left_out: tuple[str, ...],
    dry_run: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """Write conversations and the facts in them down.

    Those of this project that were never flushed, unless transcripts, a session or --all are named. The newest come
    first, and what was stopped goes on where it was.

    \b
    Examples:
      memory-plugin flush                       what this project has not flushed yet
      memory-plugin flush --session 6d9ab8bf-1c2d-4e5f-8a9b-0c1d2e3f4a5b
      memory-plugin flush --all --except ~/work/secret-project
    """
    if left_out and not everything:
        raise click.UsageError("--except goes with --all")
    state, receipts, failures = places.state_folder(), list[Receipt](), list[str]()
    if not transcripts and session is None and not dry_run:
        receipts += spool.drain(state)
    chosen = _chosen(transcripts, session, everything, left_out, project)
    if (everything and chosen) or dry_run:
        click.echo(backlog.estimate(chosen) if chosen else "There is nothing to read.", err=not dry_run)
    if dry_run:
        return
    sizes = {each.path: each.size for each in chosen}
    with progress_bar(sum(sizes.values()), "Reading") as bar:
        for path, size in sizes.items():
            try:
                receipts.append(_flushed(path, project))
            except OSError as error:
                failures.append(f"{path}: {error.strerror or error}")
            bar.update(size)
    if as_json:
        print_json({"flushed": [asdict(receipt) for receipt in receipts], "failed": failures})
    else:
        for receipt in receipts:
            if receipt.facts:
                click.echo(
                    f"{len(receipt.facts):>4} facts  {receipt.namespace}  {os.path.basename(receipt.transcript)}"
                )
        facts = sum(len(receipt.facts) for receipt in receipts)
        if receipts:
            click.echo(f"{counted(facts, 'new fact')} from {counted(len(receipts), 'transcript')}.")
        elif not failures:
            click.echo("Nothing to flush: every transcript is read up to its end.")
    if failures:
        raise click.ClickException("not flushed:\n  " + "\n  ".join(failures))


def _flushed(path: str, project: str | None) -> Receipt:
    """Flush a file that is a transcript by its looks. Raises OSError."""
    with open(path, "rb") as stream:
        head = stream.read(4096).lstrip()
    if head and not head.removeprefix(b"\xef\xbb\xbf").startswith(b"{"):
        raise OSError(errno.EINVAL, "this is no transcript of Claude Code (JSON Lines)")
    return flushing.flush_transcript(path, trigger="command", project=project)


def _chosen(
    transcripts: tuple[str, ...], session: str | None, everything: bool, left_out: tuple[str, ...], project: str | None
) -> list[Waiting]:
    if sum((bool(transcripts), session is not None, everything)) > 1:
        raise click.UsageError("name transcripts, or --session, or --all: one of the three")
    if transcripts:
        return [_named(os.path.abspath(path)) for path in transcripts]
    folders = backlog.client_projects()
    if session is not None:
        found = [
            path
            for folder in folders
            if os.path.isfile(path := os.path.join(folder, f"{os.path.basename(session)}.jsonl"))
        ]
        if not found:
            raise click.ClickException(f"no transcript of session {session} below {places.client_folder()}/projects")
        return [_named(path) for path in found]
    if not everything:
        root = os.path.realpath(project or os.getcwd())
        folders = [folder for folder in folders if os.path.basename(folder) == places.client_slug(root)]
        if not settings.load(root)[0].capture.enabled:
            raise click.ClickException(
                "capture is off here (the setting capture.enabled); name the transcripts to flush"
            )
    return backlog.waiting(folders, left_out)


def _named(path: str) -> Waiting:
    try:
        return Waiting(path, watermark.pending(places.state_folder(), path), "")
    except OSError:
        return Waiting(path, 0, "")
