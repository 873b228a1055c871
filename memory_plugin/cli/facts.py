"""What a person does to a fact: correct, confirm, forget, restore, pin, unpin, promote, undo."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

import click

from memory_plugin.cli.naming import (
    amending,
    fact_argument,
    named_elsewhere,
    namespaces,
    nothing_fits,
    only,
    replaced_by,
    standing,
    told_replaced,
    where,
)
from memory_plugin.cli.purging import CONSENT, purge_fact
from memory_plugin.cli.shared import json_option, memory_home, print_json, project_option
from memory_plugin.memory import amendments, clock, journal
from memory_plugin.memory.fact import clean
from memory_plugin.memory.journal import Held
from memory_plugin.memory.redaction import redact


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done to a fact. said: a sentence about it; back: how to take it back, "" where no command does.

    replaced: what it had replaced, and what does not hold again now that it is gone.
    """

    held: Held
    said: str
    back: str
    replaced: tuple[Held, ...] = ()


def correct_fact(wanted: str, text: str, project: str | None) -> Outcome:
    """Give a fact other words."""
    held, text = standing(wanted, project), clean(redact(text))
    whole = journal.is_whole_item(held)
    before = held.words if whole else held.fact.text
    if not text:
        raise click.ClickException("there are no new words: say what is right")
    if text == before:
        return Outcome(held, f"{held.fact.id} says so already: {text}", "")
    with amending(held) as home:
        amendments.correct(home, held, text)
    below = f"\n  what stands below that line stays: {held.more}" if held.more and not whole else ""
    return Outcome(held, f"Corrected {held.fact.id}: {text}\n  before: {before}{below}",
                   f"memory-plugin correct {held.fact.id} {shlex.quote(before)}")  # fmt: skip


def confirm_fact(wanted: str, project: str | None) -> Outcome:
    """Make a fact surer."""
    held = _active(standing(wanted, project))
    with amending(held) as home:
        fact = amendments.confirm(home, held, seen=f"{clock.today():%Y-%m-%d}", how="by command")
    said = f"Confirmed {fact.id}, now {fact.confidence:.2f} sure, said {fact.support} times: {held.words}"
    return Outcome(held, said, "")


def forget_fact(wanted: str, project: str | None) -> Outcome:
    """Take a fact back."""
    held = standing(wanted, project)
    replaced = replaced_by(held, project)
    with amending(held) as home:
        amendments.retract(home, held)
    said = [f"Forgot {held.fact.id}: {held.words}", f"  struck through in {where(held)}", *told_replaced(replaced)]
    return Outcome(held, "\n".join(said), f"memory-plugin restore {held.fact.id}", tuple(replaced))


def restore_fact(wanted: str, project: str | None) -> Outcome:
    """Let a fact stand again."""
    found = amendments.find_taken_back(memory_home(), wanted, namespaces(project))
    if not found:
        held = standing(wanted, project)
        raise click.ClickException(f"{held.fact.id} stands already: {held.words}")
    held = only(found)
    with amending(held) as home:
        amendments.restore(home, held)
    return Outcome(held, f"Restored {held.fact.id}: {held.words}", f"memory-plugin forget {held.fact.id}")


def pin_fact(wanted: str, project: str | None) -> Outcome:
    """Keep a fact in every session's start."""
    held = _active(standing(wanted, project))
    if held.fact.pinned:
        return Outcome(held, f"{held.fact.id} is pinned already: {held.words}", "")
    with amending(held) as home:
        amendments.pin(home, held, pinned=True)
    return Outcome(held, f"Pinned {held.fact.id}: {held.words}", f"memory-plugin unpin {held.fact.id}")


def unpin_fact(wanted: str, project: str | None) -> Outcome:
    """Let a pinned fact grow old again."""
    held = standing(wanted, project)
    if not held.fact.pinned:
        return Outcome(held, f"{held.fact.id} is not pinned: {held.words}", "")
    with amending(held) as home:
        amendments.pin(home, held, pinned=False)
    return Outcome(held, f"Unpinned {held.fact.id}: {held.words}", f"memory-plugin pin {held.fact.id}")


def promote_fact(wanted: str, project: str | None) -> Outcome:
    """Move a fact to its category's topic file."""
    held = _active(standing(wanted, project))
    with amending(held) as home:
        file = amendments.promote(home, held)
    if file == held.file:
        return Outcome(held, f"{held.fact.id} stands in {file} already: {held.words}", "")
    return Outcome(held, f"Moved {held.fact.id} from {held.file} to {file}: {held.words}",
                   f"move its line back to {held.path}")  # fmt: skip


def undo_fact(wanted: str, project: str | None) -> Outcome:
    """Take back what a reconciliation did to a fact, whichever side of it is named."""
    home = memory_home()
    others = list(amendments.held_in(home, namespaces(project)))
    found = amendments.find(home, wanted, namespaces(project))
    if not found and (held_elsewhere := named_elsewhere(wanted, project)):
        found = [held_elsewhere]
    if not found:
        raise nothing_fits(wanted)
    merged = {each.fact.id for each in others if each.fact.by} | {each.fact.by for each in others}
    held = only([each for each in found if each.fact.id in merged] or found)
    with amending(held):
        parted = amendments.undo(home, held, others)
        if not parted and held.fact.status != "active":  # what took its place is gone
            amendments.reopen(home, held, how="undone by command")
            parted = [held]
    if not parted:
        raise click.ClickException(
            f"nothing was merged with {held.fact.id} or replaced by it: {held.words}\n"
            f"`memory-plugin trace {held.fact.id}` shows what became of it"
        )
    texts = "".join(f"\n  {each.fact.id}: {each.words}" for each in parted)
    said = f"Undone; these hold again, and are not merged with {_other(held, parted)} again:{texts}"
    return Outcome(held, said, "")


def _other(held: Held, parted: list[Held]) -> str:
    return held.fact.by if any(each.fact.id == held.fact.id for each in parted) and held.fact.by else held.fact.id


def _active(held: Held) -> Held:
    fact = held.fact
    if fact.status != "active":
        what = f"{fact.status}{' by ' + fact.by if fact.by else ''}{' since ' + fact.until if fact.until else ''}"
        raise click.ClickException(
            f"{fact.id} does not hold any more ({what}): {held.words}\n"
            f"`memory-plugin undo {fact.id}` lets it hold again"
        )
    return held


SIMPLE: dict[str, Callable[[str, str | None], Outcome]] = {
    "confirm": confirm_fact,
    "forget": forget_fact,
    "restore": restore_fact,
    "pin": pin_fact,
    "unpin": unpin_fact,
    "promote": promote_fact,
    "undo": undo_fact,
}


def _tell(outcome: Outcome, as_json: bool) -> None:
    if as_json:
        fact = outcome.held.fact
        found = {"id": fact.id, "namespace": outcome.held.namespace, "said": outcome.said, "back": outcome.back}
        replaced = [{"id": each.fact.id, "text": each.fact.text} for each in outcome.replaced]
        print_json({**found, **({"replaced": replaced} if replaced else {})})
        return
    click.echo(outcome.said)
    if outcome.back:
        click.echo(f"To take that back: {outcome.back}")


@click.command()
@click.argument("fact")
@click.argument("words", nargs=-1, required=True)
@project_option
@json_option
def correct(fact: str, words: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Give a fact other words.

    FACT is its id, the beginning of it, or some of its words in quotes. Secrets are masked.

    \b
    Examples:
      memory-plugin correct 7k2m9qab "Staging listens on port 9090."
      memory-plugin correct "staging port" "Staging listens on port 9090."
    """
    _tell(correct_fact(fact, " ".join(words), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def confirm(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Say that a fact still holds.

    It becomes surer, and young again.

    \b
    Example:
      memory-plugin confirm staging port
    """
    _tell(confirm_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def restore(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Let a forgotten fact stand again.

    One that was struck through by hand or deleted too.

    \b
    Example:
      memory-plugin restore 7k2m9qab
    """
    _tell(restore_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def pin(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Keep a fact in MEMORY.md, however old.

    Every session of the project starts with what is pinned.

    \b
    Example:
      memory-plugin pin "release branch"
    """
    _tell(pin_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def unpin(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Let a pinned fact grow old again.

    \b
    Example:
      memory-plugin unpin "release branch"
    """
    _tell(unpin_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def promote(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Move a fact to its topic file.

    From the day's log to `topics/<category>.md`, where long-lived knowledge stands.

    \b
    Example:
      memory-plugin promote 7k2m
    """
    _tell(promote_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@project_option
@json_option
def undo(fact: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Part two facts that were merged wrongly.

    Name either; both hold again and are never merged again.

    \b
    Example:
      memory-plugin undo 7k2m9qab
    """
    _tell(undo_fact(" ".join(fact), project), as_json)


@click.command()
@fact_argument
@click.option("--purge", "purged", is_flag=True, help="Remove its words from everything of ours; cannot be undone.")
@click.option(
    "--yes",
    is_flag=True,
    help=f"With --purge: ask nothing. Either way a purge needs a terminal, or the variable {CONSENT}=1.",
)
@project_option
@json_option
def forget(fact: tuple[str, ...], purged: bool, yes: bool, project: str | None, as_json: bool) -> None:
    """Take a fact back.

    Its line is struck through: it is not recalled, and not captured again from the same words. --purge deletes it
    from the files, the events, the index and the state of this machine.

    \b
    Examples:
      memory-plugin forget the staging port
      memory-plugin forget --purge 7k2m9qab
    """
    if purged:
        purge_fact(" ".join(fact), project, yes, as_json)
    else:
        _tell(forget_fact(" ".join(fact), project), as_json)
