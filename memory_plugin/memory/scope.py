"""Whether a fact holds in every project: what the user says of himself, or of all projects in so many words.

Everything else stays with the project in which it was said: a note in the wrong project does more harm than one that
is missing there.
"""

from __future__ import annotations

import re

from memory_plugin.memory.fact import Candidate

_OF_THE_PERSON = frozenset(("identity", "health"))
_MANNERS = frozenset(("preference", "habit", "constraint", "procedure"))
# What may follow "every project" where it means one: of "every project file" it is no more than a part.
_ENDS = (
    r"(?=\W*$|['’]s\b|\s*[.,;:!?()–—]|\s+(?:of|i|we|you|that|which|where|must|should|shall|can|may|will|has|is|uses?|gets|"
    r"needs|does|runs|keeps|starts|works|and|or|but|in|on|at|for|with|without|from|to|by|as|when|if|unless|the|an?|my|our|"
    r"please|too|alike|never|always|only|before|after|so|no|not|also|because|since|like)\b)"
)
_EVERY_PROJECT = re.compile(
    r"\b(?:all|both|every|each|any)(?: one)?(?: of)?(?: (?:my|our|the"
    r"|your))?(?: other)? (?:projects|repos|repositories|codebases)\b"
    rf"|\b(?:every|each|any)(?: other| single)? (?:project|repo|repository|codebase)\b{_ENDS}"
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
    r"|app|service|branch|endpoint|route|server|users?|clients?|customers?|frontend|backend|handler|controller|upstream"
    r"|webhook|bot|chatbot)\b|\bhere\b"
    r"|\b(?:in|of|within|across) (?:the|this|our|one|an?) (?:\w+ )?solution\b"
    r"|\b(?:the|this|our|one|a) (?:\w+ )?(?:mono-?repo|workspace)\b"
    r"|\bin (?:the|our) (?:ui|interface|readme|docs|documentation|changelog|logs?|e-?mails?|templates?)\b"
    r"|\b(?:ce|cette|cet|notre|du) (?:projet|d[ée]p[ôo]t|repo|appli\w*|service|api|branche|serveur|bot|mono-?repo"
    r"|workspace)\b|\b(?:de|dans) (?:la|cette|notre|une) solution\b|\b(?:le|un) (?:mono-?repo|workspace)\b|\bici\b",
    re.I,
)
# How a summary or a model speaks of the person; any other "the user" is one of the program.
_THE_PERSON = re.compile(
    r"^the user(?:'s name| (?:\w+ly |always |never |also )?(?:wants?|prefers?|likes?|dislikes|hates|asks?|expects"
    r"|speaks|writes|lives|works|is (?:an?|called|named|from|based)))\b",
    re.I,
)
# Answers that a program gives.
_OF_A_PROGRAM = re.compile(
    r"\b(?:error|https?|api|json|xml|rest|graphql|grpc|server|endpoint|mock|mocked|cached?|support|customer|quiz|faq|webhook|bot"
    r"|form|survey|successful|failed|empty|null) (?:answers?|repl(?:y|ies)|responses?|explanations?)\b"
    r"|\b(?:answer|reply|respond)s?(?: (?:only|always))? (?:in|with) (?:an? |the |only )?"
    r"(?:\d|json|xml|html|https?|status|error|empty|problem\b|null|(?:\w+ )?(?:code|status|header|body|payload)s?\b)"
    r"|\br[ée]pon\w+(?: \w+){0,3} (?:\d{3}|json|xml|html|http)\b"
    r"|\br[ée]ponses? (?:d['’]erreur|http|json|de l['’]api|du serveur)",
    re.I,
)
# Repositories that are classes of a program.
_CLASSES = re.compile(
    r"^(?=.*(?<!my )\brepositor(?:y|ies)\b).*\b(?:class(?:es)?|interfaces?|extends?|inherits?|implements?|mock\w*"
    r"|stub\w*|inject\w*|entit(?:y|ies)|controllers?|database|transactions?|layer|methods?|unit tests?|async"
    r"|quer(?:y|ies)|\w+repository)\b",
    re.I | re.S,
)


def holds_everywhere(candidate: Candidate) -> bool:
    """Whether what was said belongs to the person, or to all projects by name."""
    text = candidate.text
    rest, named = _EVERY_PROJECT.subn("", _THE_PERSON.sub("", text))
    if _OF_THE_PROJECT.search(rest):
        return False
    if named:
        return (candidate.category in _MANNERS or candidate.category in _OF_THE_PERSON) and not _CLASSES.search(text)
    if candidate.subject != "user":
        return False
    if candidate.category in _OF_THE_PERSON:
        return True
    return candidate.category in _MANNERS and bool(_SPEECH.search(text)) and not _OF_A_PROGRAM.search(text)
