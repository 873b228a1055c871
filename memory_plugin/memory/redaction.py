"""Masking what has the shape of a secret, before it is written and again before it is injected."""

from __future__ import annotations

import math
import re
from collections import Counter

MASK = "[masked]"

# Every pattern is tried at each character of a pasted log of megabytes: each run in one is bounded or begins at a word
# of its own, so that the time stays in proportion to the text.
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.I | re.S)
# Shapes that the providers document for their own keys.
_SHAPES = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|\Z)|\b(?:"
    # each begins with letters of its own, by which the engine passes over the rest at once
    + "|".join(
        (
            r"A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}\b",
            r"sk-(?:ant-|proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{20,}",
            r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}",
            r"gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{18,}",
            r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
            r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
            r"AIza[0-9A-Za-z_-]{35,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,}",
            r"sk_(?:live|test)_[0-9A-Za-z]{16,}|rk_(?:live|test)_[0-9A-Za-z]{16,}|pk_(?:live|test)_[0-9A-Za-z]{16,}",
            r"whsec_[0-9A-Za-z]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|r8_[A-Za-z0-9]{30,}",
            r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|dop_v1_[a-f0-9]{40,}|hv[sb]\.[A-Za-z0-9_-]{20,}",
            r"dapi[a-f0-9]{32}\b|glsa_[A-Za-z0-9_]{30,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}|AccountKey=[A-Za-z0-9+/=]{40,}",
            r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
            r"https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{5,25}/[A-Za-z0-9_-]{20,}",
            r"(?<!-)eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        )
    )
    + ")",
    re.S,
)
# A signed URL's signature; `curl -u user:password`.
_SIGNATURE = re.compile(r"([?&](?:sig|signature|X-Amz-Signature)=)[A-Za-z0-9%+/=_-]{16,}", re.I)
_USER_OPTION = re.compile(r"(\s(?:-u|--user)[ =][^\s:]{1,60}:)([^\s\"'`]{4,})")
_AUTHORIZATION = re.compile(r"(?i)(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{16,})")
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,100}:)([^\s/]{1,200})(@)", re.I)
_ASSIGNMENT = re.compile(
    r"(?i)(?P<name>password|passwd|passphrase|pwd|_pass|secret(?:[_-]?key)?|token|api[_ -]?key|access[_-]?key"
    r"|private[_-]?key|credentials?|mot de passe|mdp)"
    r"(?P<between>[\"'`*]{0,3}\s{0,20}(?:[:=]{1,2}>?|\bis\b|\best\b)\s{0,20}\*{0,2})(?P<quote>[\"'`]?)"
    r"(?P<value>[^\s\"'`,;*]{6,})"
)
# "the password of the staging server is …"
_SPOKEN = re.compile(
    r"(?i)(?P<name>(?:password|passphrase|mot de passe|mdp|api[ _-]?key)\s"
    r"(?:of|for|to|on|de|du|des|pour|sur)\s[^\n=:]{1,60}?)"
    r"(?P<between>(?:\s(?:is|est)|\s?[:=])\s)(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;]{6,})"
)
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "mdp")  # one is in every name of the two above
_PLACEHOLDER = re.compile(r"(?i)(?:[$<{\[(*%].*|x{4,}|\.{3,}|your[_-].*|changeme|example.*|null|none|true|false)")
_CODE = re.compile(r"[A-Za-z_][\w.:]*[(\[{<].*")  # a call, an index, a type
_MOST_ROUNDS = 5
_TRAILING = ".!?)]}>"


def redact(text: str) -> str:
    """The text with secrets masked and `<private>…</private>` left out."""
    for _ in range(_MOST_ROUNDS):
        masked = _masked_once(text)
        if masked == text:
            break
        text = masked  # a mask may lay bare the shape of what stood right beside it
    return text


def _masked_once(text: str) -> str:
    # A text is looked through for a pattern only when it holds letters without which the pattern finds nothing: that
    # is several times faster, and few texts do.
    folded = text.casefold()
    if "<private>" in folded:
        text = _PRIVATE.sub(" ", text)
    text = _SHAPES.sub(MASK, text)
    if "://" in text and "@" in text:
        text = _URL_PASSWORD.sub(_mask_password, text)
    if "sig" in folded and "=" in text:
        text = _SIGNATURE.sub(lambda found: found[1] + MASK, text)
    if "-u" in text:
        text = _USER_OPTION.sub(_mask_option, text)
    if "bearer" in folded or "basic" in folded:
        text = _AUTHORIZATION.sub(lambda found: found[1] + (MASK if _random(found[2]) else found[2]), text)
    if any(word in folded for word in _NAMES):
        text = _SPOKEN.sub(_mask_assignment, _ASSIGNMENT.sub(_mask_assignment, text))
    return text


def _mask_password(found: re.Match[str]) -> str:
    return found[0] if _PLACEHOLDER.fullmatch(found[2]) else found[1] + MASK + found[3]


def _mask_option(found: re.Match[str]) -> str:
    # digits alone are a group's number, as in `docker run -u 1000:1000`
    return found[0] if _PLACEHOLDER.fullmatch(found[2]) or found[2].isdecimal() else found[1] + MASK


def _mask_assignment(found: re.Match[str]) -> str:
    quoted, value = bool(found["quote"]), found["value"]
    bare = value.rstrip(_TRAILING)
    named = _PLACEHOLDER.fullmatch(bare) or (not quoted and _CODE.fullmatch(bare))
    if named or not bare or not _secret_value(bare, quoted=quoted):
        return found[0]
    return found["name"] + found["between"] + found["quote"] + MASK + value[len(bare) :]


def _secret_value(value: str, *, quoted: bool) -> bool:
    """Digits or symbols among letters, as a password has and a word, a path or a version has not."""
    if re.fullmatch(r"[A-Za-z0-9+/=]{30,}", value) and _random(value):  # base 64 may hold slashes, as an AWS key does
        return True
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
