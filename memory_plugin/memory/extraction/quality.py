"""The quality filter: whether a line is worth a place in a memory, whoever said it."""

from __future__ import annotations

import re

from memory_plugin.memory.extraction.language import PRONOUNS
from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.extraction.words import content_words, unspaced, words

MINIMUM_LENGTH = 15
_MINIMUM_WORDS = 3
_MINIMUM_DENSITY = 0.30
_DENSITIES = {1: 0.12, 2: 0.2}  # by the least number of content words: "we won't do the kiosk" says enough
_MAXIMUM_PRONOUNS = 0.34
# Letters and spaces, as a part of a line; one that names commands or paths has more marks.
_MINIMUM_LETTERS = 0.70
_MINIMUM_LETTERS_IN_CODE = 0.33
_LETTERS_AND_SPACES = bytes(code for code in range(128) if chr(code).isalpha() or chr(code).isspace())

# "IE", "CI": a name, though too short to be a content word.
_ACRONYM = Pattern(r"\b[A-Z][A-Z\d]\b")
_DATE = Pattern(r"\b\d{4}-\d\d-\d\d\b")
_QUESTION = Pattern(r"[?？]\W*$")
_LOG = Pattern(
    r"^\W*(?:[{\[]\"\w|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2},? \d\d:\d\d|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL|FAIL|PASS|"
    r"ok)\]?[ :]\s*\S+[/.:]|"
    r"(?:Traceback|at \S+\(|File \"|---|\+\+\+|@@|npm (?:ERR|WARN)|go: |error\[E\d|=== RUN|panic:|goroutine \d))"
)
# "level=info msg=started port=80": a structured log line.
_PAIRS = Pattern(r"(?:\b[\w.]+=\S+\s+){3}|(?:\"\w+\":\s?[\"{\[\d].{0,80}){3}")
_LISTING = Pattern(r"^\W*(?:[dl-][rwx-]{9}|total \d+$|[MADR?]{1,2}\s+\S+/\S+$)")
_PATH = Pattern(r"[`'\"(]?[\w.@~-]*[/\\][\w./\\@~:-]*[`'\"),;]*")
# A hint of the client's or a plugin's: "`/clear` first", "`/plan:next` to go on".
_SLASH_COMMAND = Pattern(r"(?:^|[\s`])/(?:clear|compact|resume|[a-z]+:[a-z]+(?:-[a-z]+)*)(?:[\s`]|$)")
_INTERRUPTION = Pattern(r"^\[(?:Request interrupted|Image|Pasted text|Tool )", re.IGNORECASE)
# Text that tries to command the model that will read it has no place in a memory (prompt injection). Small letters.
_INJECTION = Pattern(
    r"\b(?:ignore|disregard|forget|override|bypass|oublie[sz]?|ignore[sz]?)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|system|safety|pr[eé]c[eé]dent\w*|toutes?)\b"
    r".{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|consignes?|r[eè]gles?)\b|"
    r"\byou are (?:now |no longer )(?:a|an|in|bound)?\b|\b(?:system|developer) prompt\b.{0,30}\b(?:reveal|"
    r"print|show|repeat)|"
    r"\b(?:reveal|print|show|repeat)\b.{0,30}\b(?:system|developer) prompt\b|</?(?:system|assistant|user|"
    r"human)\b|\bjailbreak\b|"
    r"\bdo not (?:tell|inform) the user\b"
)
# Each such text holds one of these, which are found in a hundredth of the time.
_INJECTING = "ignore|disregard|forget|override|bypass|oublie|you are n| prompt|<|jailbreak|the user".split("|")


def injects(text: str) -> bool:
    """Whether a text tries to command the model that reads it."""
    lowered = text.lower()
    return any(word in lowered for word in _INJECTING) and _INJECTION.search(lowered) is not None


def asks(text: str) -> bool:
    """Whether a line is a question."""
    return ("?" in text or "？" in text) and _QUESTION.search(text) is not None


def hints(text: str) -> bool:
    """Whether a line offers a command of the client's."""
    return "/" in text and _SLASH_COMMAND.search(text) is not None


def marks(text: str) -> int:
    """How many characters are neither letters nor spaces."""
    if text.isascii():
        return len(text.encode().translate(None, _LETTERS_AND_SPACES))
    return len(text) - sum(map(str.isalpha, text)) - sum(map(str.isspace, text))


def machine_made(text: str) -> bool:
    """Whether a line was printed by a program or can be had again from the repository."""
    if any(pattern.match(text) for pattern in (_LOG, _LISTING, _INTERRUPTION)) or (
        (text.count("=") > 2 or text.count('":') > 2) and _PAIRS.search(text)
    ):
        return True
    return all(_PATH.fullmatch(token) for token in text.split())


def worth_keeping(text: str, minimum_words: int = _MINIMUM_WORDS) -> bool:
    """Whether a line passes the filter: long and dense enough, few pronouns and symbols, no question, no log, no
    injection.

    minimum_words is how many distinct content words it needs at least.
    """
    wide = unspaced(text)
    if len(text) + 2 * wide < MINIMUM_LENGTH or asks(text) or machine_made(text) or injects(text) or hints(text):
        return False
    if wide >= 6:
        return True
    if minimum_words < _MINIMUM_WORDS:
        text = _DATE.sub("Monday morning", text)  # "We released 1.4 on 2026-11-14." is no row of figures
    letters = len(text) - marks(text)
    technical = "`" in text or "/" in text
    if letters < len(text) * (_MINIMUM_LETTERS_IN_CODE if technical else _MINIMUM_LETTERS):
        return False
    everything = words(text)
    content = content_words(text)
    density = _DENSITIES.get(minimum_words, _MINIMUM_DENSITY)
    few = len(set(content)) < minimum_words - (minimum_words < _MINIMUM_WORDS and _ACRONYM.search(text) is not None)
    if few or len(content) < len(everything) * density:
        return False
    if 3 * sum(word.isdigit() for word in content) > 2 * len(content):
        return False
    return sum(word in PRONOUNS for word in everything) <= len(everything) * _MAXIMUM_PRONOUNS
