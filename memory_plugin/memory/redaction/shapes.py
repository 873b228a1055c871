"""Secrets that are known by their own form: keys of providers, tokens, what a URL or a header carries."""

from __future__ import annotations

import base64
import binascii
import re

from memory_plugin.memory.extraction.pattern import Pattern, any_of
from memory_plugin.memory.redaction.secrecy import MASK, is_placeholder, is_random, is_reference

_SHORTEST = 20  # characters of the shortest form below
# As the providers document them, or as their keys are seen. Every run is bounded or begins at a word of its own, so
# that the time stays in proportion to the text.
_OF_PROVIDERS = r"""
    AKIA[0-9A-Z]{16} ASIA[0-9A-Z]{16} ABIA[0-9A-Z]{16} ACCA[0-9A-Z]{16} ABSK[A-Za-z0-9+/=]{60,} LTAI[A-Za-z0-9]{16,}
    AKID[A-Za-z0-9]{28,} AIza[0-9A-Za-z_-]{35,} ya29\.[0-9A-Za-z_-]{20,} GOCSPX-[0-9A-Za-z_-]{20,}
    1//0[0-9A-Za-z_-]{30,} sk-(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{20,}
    (?:gsk_|xai-|pplx-|pcsk_|r8_|fw_|tvly-|jina_|nvapi-|csk-|e2b_|fc-|tgp_v1_|pa-)(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{24,}
    gh[pousr]_[A-Za-z0-9]{30,} github_pat_[A-Za-z0-9_]{30,} v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}
    gl(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{18,} ATATT3[A-Za-z0-9_=-]{40,}
    ATCTT3[A-Za-z0-9_=-]{20,} ATBB[A-Za-z0-9_=-]{20,} xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{15,}
    xapp-[A-Za-z0-9-]{15,} xwfp-[A-Za-z0-9-]{15,} mfa\.[A-Za-z0-9_-]{60,}
    https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}
    https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{5,25}/[A-Za-z0-9_-]{20,}
    https://[\w-]{1,40}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}
    https://hooks\.zapier\.com/hooks/catch/[0-9]{3,12}/[A-Za-z0-9]{5,} [spr]k_(?:live|test|prod)_[0-9A-Za-z]{16,}
    sk_[a-f0-9]{40,} whsec_[0-9A-Za-z+/=]{20,} hf_[A-Za-z0-9]{30,} npm_[A-Za-z0-9]{30,} pypi-[A-Za-z0-9_-]{40,}
    rubygems_[a-f0-9]{40,} oy2[a-z0-9]{43} dckr_[po]at_[A-Za-z0-9_-]{20,} AKCp[A-Za-z0-9]{40,} CLOJARS_[a-z0-9]{50,}
    cio[A-Za-z0-9]{32}(?![A-Za-z0-9]) SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} key-[a-f0-9]{32}
    SK[a-f0-9]{32}(?![A-Za-z0-9]) re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{18,} mlsn\.[a-f0-9]{40,}
    xkeysib-[a-f0-9]{40,}[A-Za-z0-9-]* do[opr]_v1_[a-f0-9]{40,} hv[sbr]\.[A-Za-z0-9_-]{20,} pul-[a-f0-9]{40}
    cf(?:at|ut|k)_[A-Za-z0-9_-]{36,} tskey-[a-z]{3,10}-[A-Za-z0-9-]{16,} fm[12]_[A-Za-z0-9+/=]{40,}
    fo1_[A-Za-z0-9_-]{30,} dapi[a-f0-9]{32} glsa_[A-Za-z0-9_]{30,} glc_[A-Za-z0-9+/=]{30,}
    AGE-SECRET-KEY-1[A-Z0-9]{50,} dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._]{36,} shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}
    PMAK-[a-f0-9]{24}-[a-f0-9]{34} lin_(?:api|oauth)_[A-Za-z0-9]{30,} ntn_[A-Za-z0-9]{40,} secret_[A-Za-z0-9]{43}
    figd_[A-Za-z0-9_-]{36,} CFPAT-[A-Za-z0-9_-]{40,} pat[A-Za-z0-9]{14}\.[a-f0-9]{64} rdme_[a-z0-9]{60,}
    tfp_[A-Za-z0-9_.-]{40,} NRAK-[A-Z0-9]{27} NRJS-[a-f0-9]{19} sntry[su]_[A-Za-z0-9+/=_-]{40,}
    HRKU-[A-Za-z0-9_-]{30,} rnd_[A-Za-z0-9]{30,} sb_secret_[A-Za-z0-9_-]{20,} sbp_[a-f0-9]{40}
    pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,} nfp_[A-Za-z0-9]{36,} vcp_[A-Za-z0-9]{24,}
    lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10} sq0(?:atp|csp)-[A-Za-z0-9_-]{20,} EAAA[A-Za-z0-9_-]{56,}
    EAA[A-Z][A-Za-z0-9]{80,} access_token\$production\$[a-z0-9]{10,}\$[a-f0-9]{30,} sl\.[A-Za-z0-9_-]{100,}
    sq[pua]_[a-f0-9]{40} access-(?:sandbox|development|production)-[a-f0-9-]{36} dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}
    ops_eyJ[A-Za-z0-9_=-]{100,} A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-){4}[A-Z0-9]{5} FLWSECK[_-][A-Za-z0-9-]{30,}
    [0-9]{6}(?:-[0-9]{6}){7}
    [MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}
    eyJ(?<![-_]eyJ)[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]{0,600}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,})\.[A-Za-z0-9_-]*
    otpauth://[^\s\"'<>]{20,} \$2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{53} \$argon2id?\$[^\s\"']{30,}
    \$(?:apr1|[156y])\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{1,30}\$[./A-Za-z0-9$]{20,86}
""".split()
_PROVIDERS = Pattern(r"(?<![A-Za-z0-9])" + f"(?:{any_of(_OF_PROVIDERS)})")
# Those that begin with anything, by letters that they hold.
_LITERALS = tuple(
    (literal, Pattern(source))
    for literal, source in (
        (":AA", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"),
        ("-us", r"(?<![a-f0-9])[a-f0-9]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
        (".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
        ("Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    )
)
_URL_PASSWORD = Pattern(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}:)([^\s/\"'<>]{1,200})(@)", re.I)
_URL_TOKEN = Pattern(r"(\b[a-z][a-z0-9+.-]{1,20}://)([A-Za-z0-9_.~-]{16,200})(?=@)", re.I)
_URL_SIGNATURE = Pattern(
    r"([?&#](?:sig|signature|x-amz-(?:signature|security-token)|x-goog-signature)=|\bsignature=)([A-Za-z0-9%+/=_-]{16,})",
    re.I,
)
_CONNECTION = Pattern(
    any_of((
        # user:password@tcp(host), user/password@//host, user/password@name, each a driver's own way to write it
        r"(\b[\w.-]{1,60}:)([^\s:@\"'`]{1,100})(?=@(?:tcp|unix)\()",
        r"((?:thin:|sqlplus(?: -\w)?\s|expdp\s|rman target\s)[\w.-]{1,60}/)([^\s@/\"'`]{1,100})(?=@)",
        r"((?:\A|(?<=[\n \"'`]))[^\s:\"'`]{1,100}:5432:[^\s:\"'`]{1,60}:[^\s:\"'`]{1,60}:)"
        r"([^\s:\"'`]{4,100})(?=[\s\"'`]|\Z)",
        r"(\b(?:AccountKey|SharedAccessKey)=)([A-Za-z0-9+/=]{30,})",
    ))
)  # fmt: skip
_IN_CONNECTIONS = ("@tcp(", "@unix(", "thin:", "sqlplus", "expdp", "rman ", ":5432:", "AccountKey=", "SharedAccessKey=")
_AUTHORIZATION = Pattern(
    r"(\b(?:proxy-)?authorization[\"'`]{0,2}\s{0,3}[:=,]\s{0,3}[\"'`]{0,2}(?:[A-Za-z][\w-]{1,20} )?)"
    r"([^\s\"'`,<>]{6,})",
    re.I,
)
_SCHEME = Pattern(r"(\b(?:bearer|basic|ssws|apikey)\s{1,3})([A-Za-z0-9._~+/=:-]{8,})", re.I)
_COOKIES = Pattern(r"(\b(?:set-)?cookie[\"'`]{0,2}\s{0,3}[:=]\s{0,3})([^\n]{1,4000})", re.I)
_COOKIE = Pattern(r"([\w.-]{1,60}=)([^\s;,\"']{12,})")


def masked(text: str, folded: str) -> str:
    """The text with what has such a form masked. folded: the text in small letters.

    A text is looked through for a form only when it holds letters without which the form is not there: that is several
    times faster, and few texts do.
    """
    long = "\n".join([word for word in text.split() if len(word) >= _SHORTEST])
    if long:
        if _PROVIDERS.search(long):
            text = _PROVIDERS.compiled.sub(MASK, text)
        for literal, pattern in _LITERALS:
            if literal in long:
                text = pattern.compiled.sub(MASK, text)
        if "@" in long or ":5432:" in long or "Key=" in long:
            text = _connections(text)
    if "sig=" in folded or "signature=" in folded or "-token=" in folded:
        text = _URL_SIGNATURE.compiled.sub(lambda found: found[1] + (MASK if is_random(found[2]) else found[2]), text)
    if "authorization" in folded:
        text = _AUTHORIZATION.compiled.sub(_header, text)
    if "bearer" in folded or "basic " in folded or "ssws " in folded or "apikey " in folded:
        text = _SCHEME.compiled.sub(_scheme, text)
    if "cookie" in folded:
        text = _COOKIES.compiled.sub(lambda found: found[1] + _COOKIE.compiled.sub(_cookie, found[2]), text)
    return text


def _connections(text: str) -> str:
    if "://" in text:
        text = _URL_PASSWORD.compiled.sub(_password, text)
        text = _URL_TOKEN.compiled.sub(lambda found: found[1] + (MASK if is_random(found[2]) else found[2]), text)
    if any(sign in text for sign in _IN_CONNECTIONS):
        text = _CONNECTION.compiled.sub(_connection, text)
    return text


def _password(found: re.Match[str]) -> str:
    value = found[2]
    known = is_placeholder(value) or value.lower() in ("password", "pass", "pwd", "passwd")
    return found[0] if known else found[1] + MASK + found[3]


def _connection(found: re.Match[str]) -> str:
    before, value = next((found[n], found[n + 1]) for n in range(1, len(found.groups()), 2) if found[n] is not None)
    return found[0] if is_placeholder(value) or is_reference(value) else before + MASK


def _header(found: re.Match[str]) -> str:
    value = found[2]
    if is_placeholder(value) or is_reference(value) or not re.search(r"\d|[A-Z].*[a-z].*[A-Z]", value):
        return found[0]
    return found[1] + MASK


def _scheme(found: re.Match[str]) -> str:
    value = found[2]
    named = found[1].lower().startswith("basic") and _is_pair(value)
    return found[1] + MASK if named or (len(value) >= 16 and is_random(value)) else found[0]


def _cookie(found: re.Match[str]) -> str:
    return found[1] + MASK if is_random(found[2]) else found[0]


def _is_pair(value: str) -> bool:
    """Whether it is a name and a password as basic authentication writes them: joined by a colon, in base 64."""
    try:
        said = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in said and said.isprintable()
