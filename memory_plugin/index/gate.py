"""Which prompts are worth a search, and which ask for the memory itself."""

from __future__ import annotations

import re
from typing import Literal

from memory_plugin.index.languages import PROMPT_WORDS, STOP_WORDS
from memory_plugin.index.terms import is_name, query_terms

Asks = Literal["surely", "perhaps", ""]  # for what was said or settled, or is so here

_MACHINE_MADE = re.compile(r"^\s*<(?:task-notification|[a-z]+(?:-[a-z]+)+|bash-(?:input|stdout|stderr))\b", re.I)
_COMMAND = re.compile(r"^\s*/[\w:.-]+(?:\s|$)")
NOT_SPOKEN = frozenset(("slash command", "made by a machine"))  # what `refusal` says of what is no person's prompt
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


# A question about what is so here: "which port does our API …", « qui relit nos … ? ».
_ASKING_WORD = (
    r"(?:(?:in|at|on|from|since|to|for|with|by|until) )?"
    r"(?:what|which|who|whom|whose|where|when|why|how (?:many|much|long|often|big|far|old|high|large))(?:'s|'re|'d)?"
)
_OURS = (
    r"(?:we|our|ours|us|my|mine|this (?:repo|repository|project|one|server|service|codebase|site|team)|used to"
    r"|these days|at the moment|currently|nowadays|any ?more|so far)"
)
# What a question about anything may hold, too.
_PERHAPS_OURS = (
    r"(?:me|here|this app|right now|again|(?:was|were) (?:it|that)|back then|before|still|yet|last|ago|since|\w+ed)"
)
_ASKING_WORD_FRENCH = (
    r"(?:qu(?:e|oi|i|and|el(?:le)?s?)|qu['’]|où|pourquoi|combien|comment|lequel|laquelle"
    r"|c['’](?:était|est) (?:quoi|qui|quand|où|quel(?:le)?))"
)
_OURS_FRENCH = (
    r"(?:nous|notre|nos|mon|ma|mes|chez nous|ce (?:projet|dépôt|repo|service|serveur)|cette (?:appli|application|base)"
    r"|en ce moment)"
)
_PERHAPS_OURS_FRENCH = r"(?:on|ici|maintenant|actuellement|déjà|encore|avant|toujours|depuis)"


def _question(ours: str, ours_french: str) -> str:
    return (
        rf"(?:^|[.,:;!?\n]\s*|\b(?:and|but|so|to know|wants? to know|asks?|wonders?|et|mais|dis|sait)\s+)"
        rf"{_ASKING_WORD}\b[^.!?\n]*\b{ours}\b"
        rf"|\b{_ASKING_WORD_FRENCH}\b[^.!?\n]*\b{ours_french}\b"
        rf"|\b{ours_french}\b[^.!?\n]{{0,40}}\b{_ASKING_WORD_FRENCH}\b"
    )


_ABOUT_OURS = re.compile(
    rf"{_question(_OURS, _OURS_FRENCH)}|\bdo i (?:still )?have to\b|\bhow (?:do|did) we\b"
    rf"|^{_ASKING_WORD}\b[^.!?\n]*\b(?:was|were|did|had)\b[^.!?\n]*\b(?:before|back then)\b"
    r"|\bhow do i (?:run|start|deploy|build|test|release|ship) (?:the|our|my)\b"
    r"|\bwhom? do i (?:have to )?(?:ask|ping|talk to)\b|\bc['’]était (?:quel jour|quand)\b",
    re.I,
)
_PERHAPS_ABOUT_OURS = re.compile(
    rf"{_question(_PERHAPS_OURS, _PERHAPS_OURS_FRENCH)}"
    r"|^(?:when|since when|from what|on (?:which|what)|who|whom|until when)\b.{3,80}\?\s*$"
    r"|\b(?:on|from) (?:what|which) date\b",
    re.I,
)
# How a task stands.
_STILL_OPEN = re.compile(
    r"\b(?:(?:is|are|was|were|do|does|did|have|has|had)\b.{0,60}"
    r"\b(?:still|yet|already|done|finished|left|ever|any ?more)"
    r"|still (?:to do|open|on my|to be)|est-ce (?:que|qu['’]).{0,50}(?:déjà|encore|fini|fait)"
    r"|(?:encore|toujours|reste)\b.{0,25}(?:à faire|ouvert)|c['’]est (?:fait|réglé|fini)"
    r"|on en est où|où en (?:est|sont|sommes))\b",
    re.I,
)
# What anybody may be asked, whatever was said before.
_OF_ANYBODY = re.compile(
    r"\b(?:how (?:do i (?!(?:run|start|deploy|build|test|release|ship) (?:the|our|my)\b)|can|could|should|would|to)"
    r"|what (?:should|would|could|does this|is this|happens if)"
    r"|what's (?:this|the (?:difference|best|purpose|point|time))"
    r"|why (?:does|is|do|are) (?:this|it|my|the)|who would|can you|could you|comment (?:faire|on fait|je)"
    r"|c['’]est quoi (?:la diff|le mieux|un|une)|quelle est la (?:différence|meilleure))\b",
    re.I,
)
_LONGEST_QUESTION = 400  # characters; in a longer prompt a question is one of many things


# A mark with spaces on both sides is code (`x ? a : b`), unless a sentence of its own follows, as in French.
_QUESTION = re.compile(r"\S\?(?=[\s\"'”’»)\]*]|$)|\s\?(?=[ \t]*(?:$|\n|[A-ZÀ-Ý\"”»)]))|？|か。?$", re.M)


def asks_memory(prompt: str) -> Asks:
    """Whether a prompt asks for what was said or settled, or for what is so here: then less in common is enough."""
    if _ASKS_MEMORY.search(prompt):
        return "surely"
    if len(prompt) > _LONGEST_QUESTION:
        return ""
    of_anybody = _OF_ANYBODY.search(prompt)
    if _ABOUT_OURS.search(prompt) and not of_anybody:
        return "surely"
    return "perhaps" if _STILL_OPEN.search(prompt) or (_PERHAPS_ABOUT_OURS.search(prompt) and not of_anybody) else ""


_ASKS_FORMER = re.compile(
    r"\b(?:before|previous(?:ly)?|former(?:ly)?|used to|earlier|old|originally|back then|until (?:now|then)"
    r"|avant|anciens?|anciennes?|auparavant|précédente?|d['’]abord|autrefois|à l['’]époque)\b",
    re.I,
)


def asks_former(prompt: str) -> bool:
    """Whether a prompt asks how something was before."""
    return bool(_ASKS_FORMER.search(prompt))


_ASKS_TASKS = re.compile(
    r"\bwhat(?:'s| is| are)?(?: (?:there|we|i|you))? (?:still )?"
    r"(?:open|to do|left(?: (?:open|to do))?|pending|outstanding)\b"
    r"|\bwhat (?:do|did|should) (?:we|i) still (?:have|need)\b|\bwhat remains\b"
    r"|\b(?:open|pending|outstanding|remaining) (?:tasks?|todos?|items?|work)\b|\btodo list\b"
    r"|\b(?:reste|restait)(?:[- ]t[- ]il)? (?:encore )?(?:à|a) faire\b|\bqu['’]est-ce qu['’]il (?:nous |me )?reste\b"
    r"|\btâches? (?:ouvertes?|en cours|restantes?|à faire)\b",
    re.I,
)
_LONGEST_ABOUT_TASKS = 80  # characters: a longer one asks about more than what is open


def asks_tasks(prompt: str) -> bool:
    """Whether a prompt asks what is still to be done, whatever it is."""
    return len(prompt) <= _LONGEST_ABOUT_TASKS and bool(_ASKS_TASKS.search(prompt))


def asks_anything(prompt: str) -> bool:
    """Whether a prompt is a question or holds one: an order ("rename this") needs nothing of what was once said."""
    return bool(_QUESTION.search(prompt))


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
    # "which CI do we use?": CI is no small French word here.
    named = any(map(is_name, _WORD.findall(prompt)[1:]))
    if len(words) <= _LONGEST_TRIVIAL and all(word in _TRIVIAL for word in words) and not asking and not named:
        return "says only to go on"
    if not query_terms(prompt):
        return "nothing to search for"
    return None
