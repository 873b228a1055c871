"""Answers of a few words: "90 degrees then.", « va pour la page 18 ». Alone they say nothing; with what they answer they are
a decision."""

# ruff: noqa: E501 -- a line of a pattern is one kind of word, however long

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.quality import asks, worth_keeping
from memory_plugin.memory.extraction.statements import STATEMENT_LIMIT, sentences
from memory_plugin.memory.extraction.words import content_words, slug, stem
from memory_plugin.memory.fact import CATEGORIES, CONFIDENCE_STATED, Candidate

_LONGEST = 60
_SUBJECT_LIMIT = 200
_LEAD = (
    r"(?:(?:right|ok|okay|yes|yep|no|fine|good|great|well|then|so|hm+|let'?s (?:say|take|go with|go for|use|make it|do)|make it|say|"
    r"we(?:'ll| will)? (?:take|use|go with)|i(?:'ll| will|'d) (?:take|say|go with)|take|use|pick|choose|go with|go for|it'?s|"
    r"va pour|prends|prenons|on prend|on part sur|partons sur|disons|alors|donc|d'accord|oui|bon|on met|mets|on dit|ce sera)[,:.!]?\s+)"
)
_VALUE = Pattern(
    rf"(?P<lead>{_LEAD}*)(?:the |le |la |les |l')?(?P<value>\d[\d.,:]*(?: ?%| ?[^\W\d]+)?|[^\W\d][\w.+#/-]*(?: [\w.+#/-]+)?)"
    r"(?P<tail>(?:,? (?:then|it is|please|sounds (?:right|good|fine)|is fine|alors|donc|plut[oô]t|instead|stp|c'est bien))*)[.!]?",
    re.IGNORECASE,
)
_GOES_ON = Pattern(r",\s|\s[–—-]\s|\.\s")
_TAKES = Pattern(
    r"(?:(?:yes|yeah|ok|okay|sure|good|great|fine|i'm sold|sold|oui|d'accord|parfait)[,.!]? )*"
    r"(?:(?:go|go ahead|do (?:it|that|so)|take (?:it|that|this|both|them)|let'?s (?:take|do|use) (?:it|that|this|both|them)|"
    r"(?:let'?s )?go with (?:it|that)|fais (?:[cç]a|-le)|fais-le|vas-y|on (?:prend|fait) [cç]a|prends[- ](?:le|la|[cç]a))[,.! ]*)+"
    r"(?:please|then|alors|stp)?[.!]*",
    re.IGNORECASE,
)
_PROPOSES = Pattern(
    r"^(?:proposal|suggestion|proposition)\b|\b(?:i'd|i would|i propose|i suggest|i recommend|my (?:proposal|suggestion)|"
    r"je (?:te |vous )?(?:propose|sugg[eè]re|recommande|conseille)|je (?:le |la |les )?\w+rais)\b(?! (?:not|need|have to|pas)\b)|"
    r"(?:^|\s)`?[\w.-]+`? (?:would do|would work|ferait l'affaire)\b",
    re.IGNORECASE,
)
_NUMBER = Pattern(r"(?:option |n[°o] ?|#)?\d\W*", re.IGNORECASE)
_SMALL = frozenset(
    "none nothing nope later perhaps maybe both all fine good great thanks merci rien aucun sure right leave keep same "
    "laisse garde deux toutes tous pareil done stop wait go".split()
)
_POINTS = Pattern(r"\b(?:it|that|this|them|both|[cç]a|les deux)\b", re.IGNORECASE)
_LABELLED = Pattern(
    r"^(?:(?:my )?(?:proposal|suggestion)|proposition) ?:\s*|^(?:i'd|i would|i (?:propose|suggest|recommend)(?: to| that we)?|"
    r"je (?:te |vous )?(?:propose|sugg[eè]re|recommande|conseille)(?: de| d'| que l'on| qu'on)?)\s*",
    re.IGNORECASE,
)
_LEANS = Pattern(r"\b(?:it|that|this|there|[cç]a)\b", re.IGNORECASE)
_UNFINISHED = Pattern(r"\b(?:by|with|to|par|avec|de|:)\W*$", re.IGNORECASE)
# What a question asks for says what its answer is.
_KINDS = (
    (Pattern(r"\bwho\b|\bqui\b", re.IGNORECASE), "relationship", "is"),
    (
        Pattern(r"\bhow do\b|\bcommands?\b|\bcomment\b|\bcommandes?\b|\bweekday\b|\bquel jour\b", re.IGNORECASE),
        "procedure",
        "runs",
    ),
    (Pattern(r"\bports?\b|\bwhere\b|\baddress\b|\burl\b|\bo[uù]\b|\badresse\b", re.IGNORECASE), "reference", "located"),
)


def answer(text: str, told: str, asked: str, options: bool, speech: Speech) -> list[Candidate]:
    """What a message that begins with a short answer decides: at most one decision, with what it answers.

    told is how the assistant's last message ended, asked how the user's own last one did; options: it listed some, by
    number.
    """
    first = straight(next(iter(sentences(text[:300].split("\n")[0])), ""))
    if not first or asks(first) or not (told or asked):
        return []
    if options and _NUMBER.fullmatch(first):
        return []
    line = _proposed(first, told, asked, speech) if _TAKES.fullmatch(first) else _valued(first, told, asked, speech)
    if not line or not worth_keeping(line, 2):
        return []
    kind = next((rest for pattern, *rest in _KINDS if pattern.search(line[: -len(first)])), ["decision", "decided"])
    importance = CATEGORIES[kind[0]][1]
    return [Candidate(line, kind[0], kind[1], "project", slug(line), importance, CONFIDENCE_STATED)]


def ended(said: Sequence[str], limit: int) -> str:
    """How a message of the user's ended: its last two sentences, three where they lean on the one before."""
    last = said[-3:] if len(said) > 2 and _LEANS.search(said[-2]) else said[-2:]
    while len(last) > 1 and len(content_words(last[0])) < 2:  # not "Morning."
        last = last[1:]
    return end(last, limit)


def end(said: Sequence[str], limit: int) -> str:
    """The last sentences that fit in so many characters."""
    kept = ""
    for sentence in reversed(said):
        if len(kept) + len(sentence) >= limit:
            break
        kept = f"{sentence} {kept}" if kept else sentence
    return kept


def completed(answered: list[Candidate], found: list[Candidate], text: str) -> list[Candidate]:
    """An answer and what else the message states, the sentence that both hold once."""
    if not answered:
        return found
    first = straight(next(iter(sentences(text[:300].split("\n")[0])), ""))
    about = answered[0].text[: -len(first)]
    for index, fact in enumerate(found):
        words = first.rstrip(".!").lower()
        if words in fact.text.lower() or fact.text.rstrip(".!").lower() in words:
            whole = f"{about}{fact.text}" if len(about) + len(fact.text) <= STATEMENT_LIMIT else fact.text
            return [*found[:index], replace(fact, text=whole), *found[index + 1 :]]
    return [*answered, *found]


def _valued(first: str, told: str, asked: str, speech: Speech) -> str:
    """The answer after its question; nothing when it names no value that the question could mean."""
    said = _GOES_ON.split(first)[0] if len(first) > _LONGEST else first
    match = _VALUE.fullmatch(said) or _VALUE.fullmatch(_GOES_ON.split(said)[0])
    if match is None or len(match.group()) > _LONGEST:
        return ""
    value = match["value"].lower()
    if value[0].isdigit():
        fits = any(map(str.isdigit, told + asked)) or "?" in told + asked
    else:
        words = content_words(value)
        offered = {stem(word) for word in content_words(told)}
        fits = (
            bool(words)
            and not _POINTS.search(value)
            and _SMALL.isdisjoint(words)
            and all(stem(word) in offered for word in words)
        )
        fits = fits and bool(match["lead"] or match["tail"] or "?" in told + asked) and not speech.agrees(said)
    subject = _subject(value, told, asked, speech) if fits else ""
    return f"{subject} {first[:1].upper()}{first[1:]}" if subject else ""


def _subject(value: str, told: str, asked: str, speech: Speech) -> str:
    """What an answer is about: the assistant's question, else the user's own last words, with the value until now."""
    questions = [each for each in sentences(told)[-2:] if asks(each)]
    subject = questions[-1] if questions and len(content_words(questions[-1])) > 1 else asked
    if len(content_words(subject)) < 1 or speech.narrates(subject):
        return ""
    unit = re.sub(r"[\d.,:\s]", "", value)
    if subject is asked and unit and value[0].isdigit():
        before = next((each for each in sentences(told) if re.search(rf"\d ?{re.escape(unit)}", each)), "")
        last = sentences(asked)[-1]
        if before and len(last) + len(before) < _SUBJECT_LIMIT:
            subject = f"{last} {before}"
    return _closed(subject)


def _proposed(first: str, told: str, asked: str, speech: Speech) -> str:
    """What a yes takes up: the proposal, after what it is a proposal for where it does not say so itself."""
    proposal = next((each for each in reversed(sentences(told)) if _PROPOSES.search(each) and not asks(each)), "")
    proposal = _LABELLED.sub("", straight(proposal))
    if len(content_words(proposal)) < 3 or _UNFINISHED.search(proposal):
        return ""
    label = "Décidé" if re.search(r"\b(?:le|la|les|un|une|des|du)\b", proposal, re.IGNORECASE) else "Decided"
    about = f"{asked} " if asked and len(asked) + len(proposal) < STATEMENT_LIMIT - 20 else ""
    return f"{about}{label}: {proposal}"[:STATEMENT_LIMIT]


def _closed(subject: str) -> str:
    """A subject with the mark that leads on to its answer."""
    subject = subject.strip()
    return subject if subject.endswith(("?", ":")) else f"{subject.rstrip(' .!;,')}:"
