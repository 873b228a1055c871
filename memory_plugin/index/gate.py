"""Which prompts are worth a search, and which ask for the memory itself."""

from __future__ import annotations

import re

from memory_plugin.index.languages import PROMPT_WORDS, STOP_WORDS
from memory_plugin.index.terms import query_terms

_MACHINE_MADE = re.compile(r"^\s*<(?:task-notification|[a-z]+(?:-[a-z]+)+|bash-(?:input|stdout|stderr))\b", re.I)
_COMMAND = re.compile(r"^\s*/[\w:.-]+(?:\s|$)")
_WORD = re.compile(r"\w+")
# What says "carry on" and names nothing. Chat and stop words are trivial already.
_CARRY_ON = frozenset(
    """
    ack agreed again allez alright amazing apply awesome better commit continue continuer continuez correct
    cool accord daccord exact exactly excellent fais fix fixe génial great ja lance lgtm looks merge next nice
    nickel nope oops okay ouais parfait perfect proceed push redo refais resume retry revert roger run same
    sí stop suite suivant super test tests undo uh vas vasy wait weiter wow y yeah yep yup
    """.split()
)
# "How do I run the tests?" is made of the same words as "run the tests", and asks for what memory holds.
_ASKING = frozenset(
    "how where which who whom whose when why comment où quel quelle quels quelles qui quand pourquoi".split()
)
_TRIVIAL = PROMPT_WORDS | _CARRY_ON | frozenset().union(*STOP_WORDS.values())
_LONGEST_TRIVIAL = 8  # words


# What asks for something said or settled before, whatever it is about.
_ASKS_MEMORY = re.compile(
    r"\b(?:"
    r"(?:did|had|have|were) (?:we|i|you and i)|do we (?:have|use|keep|store|run|deploy)"
    r"|(?:we|i|you)(?:'ve|'d| have| had)? (?:ever |already )?"
    r"(?:decided?|agreed?|chose|chosen|settled|picked|said|told|discussed|named|noted|measured|wrote)"
    r"|(?:what|which|who|where|when|how)(?:'s| is| was| are| were)? (?:our|my)"
    r"|remind me|remember|recall|last time|as usual"
    r"|(?:avait|avions|a|as|ai)[- ](?:t[- ])?(?:on|je|tu)|avons[- ]nous|est-ce qu['’]on a"
    r"|on (?:a|avait) (?:déjà |bien |finalement )?"
    r"(?:dit|mis|choisi|décidé|retenu|convenu|prévu|noté|visé|démarré|pris)"
    r"|chez nous|rappelle[sz]?|souvien[ts]|la dernière fois|comme d['’]habitude"
    r"|(?:haben|hatten) wir|erinner\w*|letztes mal"
    r"|decidimos|elegimos|quedamos|rec(?:ué|ue)rda\w*|la última vez"
    r")\b|我们|咱们|上次|记得|前回|決めた|決めまし|覚えて|でしたっけ",
    re.I,
)


def asks_memory(prompt: str) -> bool:
    """Whether a prompt asks for what was said or settled before: then less in common is enough."""
    return bool(_ASKS_MEMORY.search(prompt))


def refusal(prompt: str) -> str | None:
    """Why a prompt gets no search at all, in a few words; None when it gets one."""
    if not prompt.strip():
        return "empty"
    if _COMMAND.match(prompt):
        return "slash command"
    if _MACHINE_MADE.match(prompt):
        return "made by a machine"
    words = _WORD.findall(prompt.casefold())
    asking = not _ASKING.isdisjoint(words) and not _CARRY_ON.isdisjoint(words)
    if len(words) <= _LONGEST_TRIVIAL and all(word in _TRIVIAL for word in words) and not asking:
        return "says only to go on"
    if not query_terms(prompt):
        return "nothing to search for"
    return None
