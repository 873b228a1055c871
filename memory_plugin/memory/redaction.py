"""Masking what has the shape of a secret, before it is written and again before it is injected."""

from __future__ import annotations

import math
import re
from collections import Counter

MASK = "[masked]"

_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.I | re.S)
# Shapes that the providers document for their own keys.
_SHAPES = re.compile(
    "|".join(
        (
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)",
            r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
            r"\bsk-(?:ant-|proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{20,}",
            r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
            r"\bgl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{18,}",
            r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}",
            r"\bhttps://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
            r"\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}",
            r"\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,}|\bwhsec_[0-9A-Za-z]{20,}",
            r"\bhf_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{40,}|\br8_[A-Za-z0-9]{30,}",
            r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bdop_v1_[a-f0-9]{40,}|\bhv[sb]\.[A-Za-z0-9_-]{20,}",
            r"\bdapi[a-f0-9]{32}\b|\bglsa_[A-Za-z0-9_]{30,}|\bAGE-SECRET-KEY-1[A-Z0-9]{50,}|\bAccountKey=[A-Za-z0-9+/=]{40,}",
            r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}",
            r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        )
    ),
    re.S,
)
_AUTHORIZATION = re.compile(r"(?i)(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{16,})")
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]*:)([^\s/@]+)(@)", re.I)
_ASSIGNMENT = re.compile(
    r"(?i)(?P<name>(?:[a-z0-9]+[_.-])*(?:password|passwd|passphrase|pwd"
    r"|secret(?:[_-]?key)?|token|api[_ -]?key|access[_-]?key|private[_-]?key"
    r"|client[_-]?secret|credentials?|mot de passe|mdp))"
    r"(?P<between>[\"'`]?\s*(?:[:=]{1,2}>?|\bis\b|\best\b)\s*)(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;]{6,200})"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:[$<{\[(*%].*|x{4,}|\.{3,}|.*[(){}<>].*|your[_-].*|changeme|example.*|null|none|true|false)$"
)


def redact(text: str) -> str:
    """The text with secrets masked and `<private>…</private>` left out."""
    text = _PRIVATE.sub(" ", text)
    text = _SHAPES.sub(MASK, text)
    text = _URL_PASSWORD.sub(_mask_password, text)
    text = _AUTHORIZATION.sub(lambda found: found[1] + (MASK if _random(found[2]) else found[2]), text)
    return _ASSIGNMENT.sub(_mask_assignment, text)


def _mask_password(found: re.Match[str]) -> str:
    return found[0] if _PLACEHOLDER.match(found[2]) else found[1] + MASK + found[3]


def _mask_assignment(found: re.Match[str]) -> str:
    value = found["value"]
    if value.startswith(MASK) or _PLACEHOLDER.match(value) or not _secret_value(value, quoted=bool(found["quote"])):
        return found[0]
    return found["name"] + found["between"] + found["quote"] + MASK


def _secret_value(value: str, *, quoted: bool) -> bool:
    """Digits or symbols among letters, as a password has and a word, a path or a version has not."""
    value = value.rstrip(".!?)")
    if re.fullmatch(r"[\w.-]*/[\w./-]*|v?\d+(?:\.\d+)*|[A-Za-z_]+(?:\.[A-Za-z_]\w*)+|\d+", value):
        return False
    mixed = bool(re.search(r"\d", value)) and bool(re.search(r"[^\W\d_]", value))
    symbols = bool(re.search(r"[!@#$%^&*+=?~]", value))
    return (mixed or symbols) and len(value) >= 6 and (quoted or _random(value) or symbols or len(value) <= 24)


def _random(value: str) -> bool:
    """Shannon entropy above 3 bits a character with a digit or both cases: no word of a language reaches it."""
    counts = Counter(value)
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    varied = bool(re.search(r"\d", value)) or (value.lower() != value and value.upper() != value)
    return entropy > 3.0 and varied
