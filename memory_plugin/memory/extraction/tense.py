"""Whether a sentence looks back or ahead where it names a day: "Friday" alone fits every week.

The word nearest to the day decides: a past tense, a "since", a done-word looks back; a will, a plan, an order, a
"goes live" looks ahead; a plain present ("Monday is the day", « on livre le mardi ») does neither.
"""

# ruff: noqa: E501 -- a line of a pattern is one kind of word, however long

from __future__ import annotations

import re

from memory_plugin.memory.extraction.pattern import Pattern

_REACH = 120  # characters of a sentence, either side of the day
_SOON = 60
_SENTENCE_END = Pattern(r"[.!?;](?=\s)|\n")
_ORDERS = (
    r"ship|send|release|deploy|publish|do|make|start|stop|finish|move|push|merge|launch|run|call|ask|check|remind|plan|"
    r"schedule|book|order|keep|put|set|switch|upgrade|rotate|renew|restart|delete|remove|add|fix|write|prepare|announce|"
    r"close|open|cancel|pay|tell|meet|bring|wait|leave it|livre|envoie|publie|fais|lance|arr[eê]te|fusionne|appelle|"
    r"demande|v[eé]rifie|pr[eé]pare|annonce|supprime|ajoute|corrige|red[eé]marre"
)
_AHEAD = (
    r"\b(?:will|shall|would|going to|gonna|must|due|deadline|plan(?:s|ned|ning)? (?:to|for|on)|planned|schedul\w+|expires?|upcoming|"
    r"should|ha(?:s|ve) to|need(?:s|ed)? to|want to|let'?s|remind\w*|todo|postponed|pushed back|pushed|brought forward|rescheduled|delayed|"
    r"go(?:es|ing)? live|go-live|launches|arrives|joins|lands|returns|comes back|"
    r"(?:is|are|'s|'re|am|'m|stays?) (?:back|off|away|out|on leave|closed|leaving|coming|arriving|moving|starting|joining|"
    r"launching|shipping|releasing|deploying|flying)|"
    r"(?:gets?|be|being) \w+(?:ed|t|n)|(?:starts|begins|ends|leaves|closes|opens|visits|happens|takes place|comes)(?=(?: on)? *$)|sera|seront|"
    r"doi(?:t|vent|s)|devr\w+|faudra\w*|faut|va|vais|vont|allons|allez|[eé]ch[eé]ance|pr[eé]vue?s?|[aà] faire|rappelle\w*|"
    r"repouss\w+|report[eé]\w*|d[eé]cal[eé]\w*|aura lieu|arrive|commence|d[eé]marre|part|revient|"
    r"(?!\w*(?:mo|op|ad)ira\b)\w{2,}(?:era|erons|eront|erez|irons|iront|dra|drons|dront))\b|\w'll\b|"
    rf"(?:^|[,:–—(]\s*|\b(?:and|then|please|et|puis)\s+)(?:(?:{_ORDERS})\b(?!\s+(?:is|are|was|were|has|failed)\b)|"
    r"(?!\w+(?:ed|s)\b)\w{3,} (?:it|them)\b)"
)
_IS_ON = (
    r"(?:\b(?:is|are|est|sont)|'s)(?: set for| scheduled for| planned for| due| on| for| le| fix[eé]e? au)?\s*$|"
    r"\b(?:by|until|till|due|before|starting|d'ici|jusqu'(?:au?|[aà])|avant|pour|[aà] partir d[eu]|d[eè]s)\s+"
    r"(?:on |the |le |la )?$"
)
_BACK = (
    r"\b(?:was|were|had|did|went|got|came|took|made|broke|fell|sent|left|met|lost|found|built|ran|began|told|said|wrote|saw|"
    r"spent|cut|put|kept|held|paid|sold|shut|gave|grew|knew|thought|chose|been|done|gone|"
    r"(?!need|feed|speed|seed|embed|exceed|proceed|succeed|hundred|indeed|based|limited|shared)\w{2,}ed|ago|since|as of|"
    r"(?:(?:ai|as|a|avons|avez|ont|est|sont|suis|sommes|[eé]t[eé])(?: \w+)? )\w*(?:[eé]e?s?|is|it|ite|ert|int|u|us|ue|ues)|"
    r"(?!fait|sait|lait|trait|extrait|parfait|souhait|portrait)\w{2,}ait|(?!vraient)\w{2,}aient|depuis)\b|\w've\b"
)
_NEITHER = r"\b(?:is|are|am|do|does|has|have|goes|go|get|gets|est|sont|ont|fait|c'est|every|always|usually|nobody|never|chaque|toujours)\b|'s\b"
_VERB = Pattern(rf"(?P<ahead>{_AHEAD})|(?P<back>{_BACK})|(?P<neither>{_NEITHER})", re.IGNORECASE)
_ADJACENT = Pattern(rf"(?P<back>\b(?:since|as of|depuis)\s+(?:on |the |le )?$)|(?P<ahead>{_IS_ON})", re.IGNORECASE)
_LEAD = Pattern(r"(?P<back>since|as of|depuis)\b|(?P<ahead>by|due|until|till|pour|avant)\b", re.IGNORECASE)


def looks_ahead(text: str, start: int, end: int) -> bool | None:
    """True when the sentence around a day looks ahead there, False when it looks back, None when it does not say."""
    before = _SENTENCE_END.split(text[max(0, start - _REACH) : start].replace("’", "'"))[-1]
    beside = _LEAD.match(text[start:end]) or _ADJACENT.search(before)
    if beside is not None:
        return beside["ahead"] is not None
    if text[start:end].lower().startswith("on "):
        before += "on "
    verbs = list(_VERB.compiled.finditer(before))
    after = _SENTENCE_END.split(text[end : end + _SOON].replace("’", "'"))[0]
    nearest = verbs[-1] if verbs else _VERB.search(after)
    if nearest is None or nearest["neither"]:
        return None
    return nearest["ahead"] is not None
