"""Why a prompt got what it got, and how a note fared with the last prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click

from memory_plugin.cli import trace
from memory_plugin.cli.naming import SeveralFit, namespaces
from memory_plugin.cli.shared import ask, counted, json_option, memory_home, namespace, print_json, project_option
from memory_plugin.memory import accounts, amendments, excerpt, injected, places
from memory_plugin.memory.accounts import Account, Considered, Figures
from memory_plugin.memory.ledger import Ledger

_NUMBERS = "No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve".split()
_LONGEST_LINE = 72  # characters of a note's first words
_MOST_FARED = 10  # prompts
_MOST_LISTED = 12
_ASKS = {
    "surely": "It asks for what was said or settled, or is so here, so less in common is enough",
    "perhaps": "It may ask for what was said or settled, so a little less in common is enough",
    "": "It does not ask for what was said before, so only what is clearly about it may come",
}
_HEAD = "     score  nearness  keyword  note"


@dataclass(frozen=True, slots=True)
class Told:
    """A note that prompts may be given. state: how it stands, shown: whether a prompt gets it, in a sentence; prompts:
    how many are on record; fared: those that considered it, the last first, each with what it made of it."""

    id: str
    text: str
    place: str
    state: str
    shown: str
    prompts: int
    fared: tuple[tuple[Account, Considered], ...]


@click.command()
@click.argument("note", default="", metavar="[ID]")
@click.option("--last", type=click.IntRange(1), help="Go back so many prompts: 1 is the last, 2 the one before it.")
@click.option("--session", default="", help="The prompts of this conversation: its id, or the beginning of it.")
@click.option("--prompt", default="", help="Explain this prompt as if it came now; nothing is injected.")
@project_option
@json_option
def why(note: str, last: int | None, session: str, prompt: str, project: str | None, as_json: bool) -> None:
    """Explain what the last prompt got, or a note.

    Which notes were considered, with their figures, and what let each one in or kept it out. With the id of a note:
    where it stands, whether a prompt can get it, and how it fared with the last prompts.

    \b
    Examples:
      memory-plugin why
      memory-plugin why --last 2
      memory-plugin why 7k2m9qab
      memory-plugin why --prompt "which port does staging listen on?"
    """
    if (bool(note) + bool(prompt) + bool(last)) > 1 or (note and session):
        raise click.UsageError("an ID, --prompt, or --last with --session: one of the three")
    if note:
        found = of_note(note, project)
        fared = [{**asdict(each), "at": account.at, "prompt": account.prompt} for account, each in found.fared]
        plain, said = {**asdict(found), "fared": fared}, told(found)
    else:
        account = _now(prompt, project, session) if prompt else of_prompt(project, session, last or 1)
        plain, said = asdict(account), explained(account)
    if as_json:
        print_json(plain)
    else:
        click.echo(said)


def of_prompt(project: str | None, session: str = "", last: int = 1) -> Account:
    """The account of a prompt of this project, 1: the last that a person wrote. Raises ClickException."""
    known = accounts.read(places.state_folder(), namespace(project).name)
    asked = [each for each in known if each.spoken and each.session.startswith(session)]
    if len(asked) >= last:
        return asked[-last]
    conversation = f" of the conversation {session}" if session else " of this project"
    raise click.ClickException(
        f"{counted(len(asked), 'prompt') if asked else 'no prompt'}{conversation} on record; "
        '`memory-plugin why --prompt "…"` explains one that was never asked'
    )


def _now(prompt: str, project: str | None, session: str) -> Account:
    """What recall would do with a prompt now; session: the conversation whose notes are not shown again, or ""."""
    answer = ask("/recall", {"prompt": prompt, "project": namespace(project).root, "session": session})
    return accounts.parsed(answer["account"])


def explained(account: Account) -> str:
    """An account for a person: what came of it in a sentence, the prompt, the bar, and a table of the notes."""
    shown = sum(each.reason == "in" for each in account.considered)
    first = f"{_number(shown, 'note') if shown else 'Notes were'} shown ({account.tokens} tokens)."
    first = first if account.tokens else f"Nothing was shown: {account.reason}."
    looked = f" {_number(account.looked_at, 'note' if not account.tokens else '')} considered."
    lines = [first + (looked if account.looked_at else ""), _asked(account)]
    if account.together:
        lines.append("It was too short to stand alone, so it was read with the prompt before it.")
    if account.degraded:
        lines.append("By keyword only: there were no vectors to compare (`memory-plugin status` says why).")
    if account.considered:
        bar = next((each for each in account.considered if each.reason == "in"), account.considered[0]).figures
        enough = f": a score of {bar.least:.2f}, and of {bar.clear:.2f} for the best note"
        lines += [f"{_ASKS[account.asks]}{enough if bar.clear > bar.least else f': a score of {bar.least:.2f}'}.", ""]
        lines += [_HEAD, *(line for each in account.considered for line in _row(each))]
        if account.looked_at > len(account.considered):
            lines.append(f"     … and {account.looked_at - len(account.considered)} more, none of them better")
    elif account.looked_at:
        lines.append("Which ones is not kept: capture.enabled is false, or one of them was purged.")
    return "\n".join(lines)


def _asked(account: Account) -> str:
    session = f", conversation {account.session[:8]}" if account.session else ""
    return f"“{account.prompt or '(not kept)'}” ({account.at[:16].replace('T', ' ')}{session})"


def _number(number: int, noun: str) -> str:
    """`Two notes were`, `One was`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    plural = number != 1
    return f"{word}{f' {noun}' if noun else ''}{'s' if noun and plural else ''} {'were' if plural else 'was'}"


def _row(note: Considered) -> tuple[str, str]:
    near = "–" if note.figures.nearness is None else f"{round(note.figures.nearness, 2) + 0.0:.2f}"  # no -0.00
    mark, text = "in " if note.reason == "in" else "out", excerpt.beginning(note.text, _LONGEST_LINE)
    return (
        f"{mark}  {note.score:5.2f}  {near:>8}  {note.keyword:7.2f}  {note.id}  {note.label}: {text}",
        f"     {verdict(note)}",
    )


def verdict(note: Considered) -> str:
    """What let a note in or kept it out, in plain words with the figures."""
    figures = note.figures
    say = _VERDICTS.get(note.reason)
    said = say(note, figures) if say else note.reason
    made = f"importance {figures.importance:.2f}, confidence {figures.confidence:.2f}, recency {figures.recency:.2f}"
    gave = f", a better one beside it gave {figures.beside:.2f}" if figures.beside else ""
    took = f", likeness to a better one took {figures.diversity:.2f}" if figures.diversity else ""
    return f"{said} ({made}{gave}{took})"


def _in(note: Considered, figures: Figures) -> str:
    if figures.nearness is None and not note.words:
        return "shown: asked for by its day, or as what is still to be done"
    if figures.nearness is None:
        return f"shown: {_common(note)}"
    return f"shown: its score reaches {figures.least:.2f}, and with {_common(note)} {figures.wanted:.2f} is near enough"


def _too_little(note: Considered, figures: Figures) -> str:
    if figures.nearness is None:
        return f"too little in common: {_common(note)}, no vector to compare, and none of the words rare enough"
    return f"too little in common: with {_common(note)} it had to be {figures.wanted:.2f} near"


def _common(note: Considered) -> str:
    return f"{', '.join(f'“{word}”' for word in note.words)} in common" if note.words else "no word in common"


_VERDICTS: dict[str, Callable[[Considered, Figures], str]] = {
    "in": _in,
    "too little in common": _too_little,
    "shown before": lambda note, figures: (
        "it stands in the conversation already"
        + ("" if note.score >= figures.least else f", and its score had to be {figures.least:.2f}")
    ),
    "not relevant enough": lambda note, figures: f"its score had to be {figures.least:.2f}; {_common(note)}",
    "no note is clearly relevant": lambda note, figures: (
        f"good enough, but no note reached the {figures.clear:.2f} that the best one must; {_common(note)}"
    ),
    "says the same as another": lambda note, figures: "says the same as a better one",
    "over the token budget": lambda note, figures: "good enough, but the budget of tokens was full",
    "enough without it": lambda note, figures: "good enough, but a prompt gets no more notes, and others were better",
}


def of_note(wanted: str, project: str | None) -> Told:
    """The note with this id, or the only one whose id begins so. Raises ClickException; SeveralFit with the list."""
    home, names, wanted = memory_home(), namespaces(project), wanted.strip().lower()
    known = accounts.read(places.state_folder(), names[0])
    held = [*amendments.held_in(home, names), *amendments.taken_back_in(home, names)]
    facts = {each.fact.id: each.words for each in held}
    for (name, identity), entry in Ledger(home).refresh().entries.items():
        if entry.purged and name in names:
            facts.setdefault(identity, "(purged)")
    if identity := _only(wanted, facts):
        fact = next(each for each in trace.history(home, identity, names) if each.id == identity)
        place, state = fact.place, f"{fact.category}, {fact.state}"
        shown = _by_state(fact.state) or _in_conversation(identity, known)
        text = fact.text
    else:
        indexed = {
            each["id"]: each for each in ask("/note", {"id": wanted, "project": namespace(project).root})["notes"]
        }
        seen = {each.id: each for account in known for each in account.considered}
        texts = {
            **{name: each.text for name, each in seen.items()},
            **{name: each["text"] for name, each in indexed.items()},
        }
        if not (identity := _only(wanted, texts)):
            raise click.ClickException(
                f"no note of this project has an id that begins with “{wanted}”, and no prompt considered one;"
                " `memory-plugin search` shows what there is, with the ids"
            )
        note, text = indexed.get(identity), texts[identity]
        place, state = (
            (f"{note['path']}#L{note['line']}", note["kind"])
            if note
            else (seen[identity].source, "not in the index any more")
        )
        shown = _by_index(note) or _in_conversation(identity, known)
    fared = [(account, each) for account in reversed(known) for each in account.considered if each.id == identity]
    return Told(identity, text, place, state, shown, len(known), tuple(fared))


def _only(wanted: str, texts: Mapping[str, str]) -> str:
    """The id that is meant among those of some notes, or ""."""
    found = [wanted] if wanted in texts else [each for each in texts if wanted and each.startswith(wanted)]
    if len(found) > 1:
        few = [f"  {each}  {excerpt.beginning(texts[each], _LONGEST_LINE)}" for each in sorted(found)[:_MOST_LISTED]]
        raise SeveralFit("several notes have an id that begins so; give more of it:\n" + "\n".join(few))
    return found[0] if found else ""


def _by_state(state: str) -> str:
    """Whether a prompt may get a fact, by what trace says of it; "" when it may."""
    if state in ("taken back", "purged"):
        return f"No prompt gets it: it was {state}."
    if state.startswith(("replaced", "contradicted")):
        return "No prompt gets it alone: what took its place is shown, with what it was before."
    if state.startswith("says the same"):
        return "No prompt gets it: the one that says the same is shown in its place."
    return ""


def _by_index(note: Mapping[str, Any] | None) -> str:
    if note is None:
        return "No prompt gets it: it is not in the index any more."
    return "No prompt gets it: Claude Code loads this file by itself." if note["resident"] else ""


def _in_conversation(identity: str, known: Sequence[Account]) -> str:
    session = known[-1].session if known else ""
    if session and identity in injected.shown(session):
        return (
            f"It stands in the last conversation ({session[:8]}) already, from its start or a prompt: no other prompt"
            " there gets it until a compaction."
        )
    return "A prompt that it answers gets it."


def told(note: Told) -> str:
    """A note for a person: where it stands, whether a prompt gets it, how it fared."""
    indent = " " * (len(note.id) + 2)
    lines = [
        f"{note.id}  {excerpt.beginning(note.text, _LONGEST_LINE) or '(its words are gone)'}",
        *(f"{indent}{each}" for each in (note.state, note.place) if each),
    ]
    lines.append(note.shown)
    if not note.fared:
        lines.append(
            f"No prompt on record (of {note.prompts}) considered it; `memory-plugin search` finds it by its words."
        )
        return "\n".join(lines)
    lines += [f"Of {counted(note.prompts, 'prompt')} on record it was considered by {len(note.fared)}:", _HEAD]
    for account, each in note.fared[:_MOST_FARED]:
        figures, said = _row(each)
        lines += [figures.partition(each.id)[0] + _asked(account), said]
    return "\n".join(lines)
