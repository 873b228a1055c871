"""Whether a fact holds in every project: what the user says of himself, or of all projects in so many words.

Everything else stays with the project in which it was said: a note in the wrong project does more harm than one that
is missing there.
"""

from __future__ import annotations

import re

from memory_plugin.memory.fact import Candidate

_OF_THE_PERSON = frozenset(("identity", "health"))
_MANNERS = frozenset(("preference", "habit", "constraint", "procedure"))
_EVERY_PROJECT = re.compile(
    r"\b(?:all|both|every|each|any)(?: of)?(?: (?:my|our|the"
    r"|your))?(?: other)? (?:projects?|repos?|repositor(?:y|ies)|codebases?)\b"
    r"|\bwhatever the (?:project|repo)\b|\bin general,? whatever\b"
    r"|\b(?:tous|toutes|chaque|les deux|n'importe quel(?:le)?)(?: (?:mes"
    r"|nos|les|ces|tes|vos))? (?:projets?|d[ée]p[ôo]ts?|repos?)\b"
    r"|\bquel que soit le (?:projet|d[ée]p[ôo]t|repo)\b",
    re.I,
)
# How the assistant is to speak to this person.
_SPEECH = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|emojis?|small ?talk"
    r"|flattery)\b.{0,60}\b(?:short|brief|long|concise|terse|in (?:english|"
    r"french|german|spanish)|never|no\b|without|anywhere|step by step)"
    r"|\b(?:short|brief|concise|terse|no|without|fewer|keep"
    r"|give me)\b.{0,30}\b(?:answers?|repl(?:y|ies)|responses?|explanations?|emojis?)\b"
    r"|\b(?:answer|reply|respond|write to|talk to|speak to|call"
    r"|address) me\b|\b(?:answer|reply|respond) (?:in|with)\b"
    r"|\b(?:r[ée]ponds?|r[ée]pondez|r[ée]ponses?|tutoie|vouvoie"
    r"|appelle)[ -](?:moi\b|en\b|courte?s?\b|br[eè]ve?s?\b|toujours\b)"
    r"|\bme r[ée]pond(?:s|re|ez)\b|\b(?:pas|sans|jamais)(?: d['’e])? ?[ée]mojis?\b",
    re.I,
)
# What ties a sentence to the project at hand.
_OF_THE_PROJECT = re.compile(
    r"[`/\\]|\w\.\w{2,4}\b|\b(?:this|the|our) (?:project|repo|repository|codebase|api"
    r"|app|service|branch|endpoint|route|server|users?|clients?|customers?)\b|\bhere\b"
    r"|\b(?:ce|cette|cet|notre|du) (?:projet|d[ée]p[ôo]t|repo|appli\w*|service|api|branche)\b|\bici\b",
    re.I,
)


def holds_everywhere(candidate: Candidate) -> bool:
    """Whether what was said belongs to the person, or to all projects by name."""
    text = candidate.text
    if _EVERY_PROJECT.search(text):
        return candidate.category in _MANNERS or candidate.category in _OF_THE_PERSON
    if candidate.subject != "user" or _OF_THE_PROJECT.search(text):
        return False
    if candidate.category in _OF_THE_PERSON:
        return True
    return candidate.category in _MANNERS and bool(_SPEECH.search(text))
