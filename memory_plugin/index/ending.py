"""Whether a text reports, in one of its clauses, that a task is done or given up: "Leak fixed, ship it on Friday"."""

from __future__ import annotations

import re

from memory_plugin.index import task_words
from memory_plugin.index.evidence import Rarity
from memory_plugin.index.wording import Word, found_in, read

_CLAUSE = re.compile(r"(?<=[.!?;:,])\s+")
_LONGEST = 10  # words that say something in a clause that reports an end
_SHORT = 5  # words of a clause that leaves the thing to its neighbours: "Merged, so we're on the new one"
_NAMED, _RARE, _ONE_OF_A_KIND = 0.7, 0.4, 0.6  # of its words, as many name the task; how rare one of them is
_DONE = re.compile(
    r"\b(?:done|finished|completed|merged|shipped|deployed|landed|released|published|solved|resolved|fixed|closed|live"
    r"|green|in place|(?:is|are) (?:in|out|up)(?=[,.!;]|$)|cross (?:it|that|this) off|fait|faite|fini|finie"
    r"|terminée?s?|réglée?s?|corrigée?s?|livrée?s?|en ligne|en place|fusionnée?s?)\b"
)
_DROPPED = re.compile(
    r"\b(?:drop(?:ped)?|off the (?:list|table)|won't (?:do|build|happen)|not (?:building|doing|going to)|scrap(?:ped)?"
    r"|cancell?ed|forget (?:about )?the|no longer needed|will not be (?:built|done)|laisse tomber|abandonne|abandonnée?"
    r"|annulée?|on ne (?:le|la|les) fera pas|tombe à l'eau)\b"
)
_OPEN = tuple(re.compile(row) for row in (*task_words.UNFINISHED, *task_words.AGAIN))
_NOT = re.compile(r"n't\b|\b(?:not|never|until|when|if|pas|jamais|quand|si)\b")


def ending(task: str, later: str, rarity: Rarity) -> str:
    """What `later` says has become of the task: "done", "dropped", or "" when it does not say."""
    object_ = read(task).content
    whole = read(later).content
    named = any(word.name and found_in(word, object_) and rarity(word.root) >= _ONE_OF_A_KIND for word in whole)
    before = False  # whether the clause before is all about the task: "The dark mode, we drop it"
    for clause in _CLAUSE.split(later):
        wording = read(clause)
        outcome = _outcome(wording.text)
        about = _names(read(_DROPPED.sub(" ", _DONE.sub(" ", wording.text))).content, object_, rarity)
        leaning = (named or before) and len(wording.words) <= _SHORT
        if outcome and len(wording.content) <= _LONGEST and (about or leaning):
            return outcome
        before = about
    return ""


def _outcome(clause: str) -> str:
    dropped, done = _DROPPED.search(clause), _DONE.search(clause)
    if dropped and not (done and done.start() < dropped.start()):
        return "dropped"
    return "done" if done and not _NOT.search(clause) and not any(row.search(clause) for row in _OPEN) else ""


def _names(words: list[Word], task: list[Word], rarity: Rarity) -> bool:
    """Whether what the clause speaks of is the task's object."""
    said = {word.root: rarity(word.root) for word in words}
    shared = {word.root: rarity(word.root) for word in words if found_in(word, task)}
    if not shared or max(shared.values()) < _RARE:
        return False
    return sum(shared.values()) >= _NAMED * sum(said.values())
