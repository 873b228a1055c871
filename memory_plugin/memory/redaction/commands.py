"""Passwords that a command or a statement is given: `mysql -pHunter2`, `curl -u ada:…`, IDENTIFIED BY '…'."""

from __future__ import annotations

from memory_plugin.memory.extraction.pattern import Pattern
from memory_plugin.memory.redaction.secrecy import bare, is_given

Span = tuple[int, int]

_TAKEN = r"[^\n|;]{0,200}?\s"
_ENDED = r"(?=\s*(?:\n|\Z|[|;>&\"'`]))"
_GIVEN = r"(?P<value>\S{3,80})"
_PIPED = r"\b(?:echo|printf)\s(?:-\w\s)?[\"']?"
_P_OF_ITS_OWN = Pattern(
    r"\b(?:docker|podman|helm|az|npm|twine|mongo(?:sh|dump|restore)?|unzip|zip|7z)"
    rf"\s(?:{_TAKEN})?-p\s(?P<value>\S{{4,80}})"
)
_P_AT_ONCE = Pattern(rf"\b(?:mysql|mysqldump|mysqladmin|mariadb|7z)\s(?:{_TAKEN})?-p(?P<value>[^\s-]\S{{2,80}})")
_USER = Pattern(r"(?:\s|\A)(?:-u|--(?:proxy-)?user)[ =]{0,2}[\"']?[^\s:\"'/]{1,60}:(?P<value>[^\s\"'`]{4,80})")
# Each by letters without which the pattern finds nothing: what a command is given by an option, …
_OPTIONS = (
    *((name, _P_AT_ONCE) for name in ("mysql", "mariadb", "7z ")),
    *((name, _P_OF_ITS_OWN) for name in ("docker", "podman", "helm ", "mongo", "zip ", "7z ", "npm ", "az ", "twine")),
    ("sshpass", Pattern(rf"\bsshpass\s{{1,3}}-p\s{{0,3}}{_GIVEN}")),
    ("ssh-keygen", Pattern(rf"\bssh-keygen\s(?:{_TAKEN})?-n\s{_GIVEN}")),
    ("openssl enc", Pattern(rf"\bopenssl enc\s{_TAKEN}-(?:k|pass)\s{_GIVEN}")),
    ("redis-cli", Pattern(rf"\bredis-cli\s(?:{_TAKEN})?-a\s{_GIVEN}")),
    ("ldap", Pattern(rf"\bldap(?:search|modify|add)\s(?:{_TAKEN})?-w\s{_GIVEN}")),
    ("pass:", Pattern(rf"-pass(?:in|out)?\s{{1,3}}pass:{_GIVEN}")),
    (
        "htpasswd",
        Pattern(rf"\bhtpasswd\s(?:-\w{{1,6}}\s){{1,3}}(?:[^\s-]\S{{0,80}}\s){{1,2}}?(?P<value>[^\s|;>&-][^\s|;>&]{{3,80}}){_ENDED}"),
    ),
    ("smbclient", Pattern(rf"\bsmbclient\s{_TAKEN}-u\s[\w.\\-]{{1,40}}%{_GIVEN}")),
    (" -u", _USER),
    ("-user", _USER),
)  # fmt: skip
# … and what stands in its words.
_WORDS = (
    *(
        (pipe, Pattern(_PIPED + r"(?P<value>[^\s\"'|]{3,80})[\"']?\s?\|\s?(?:sudo -s|docker login|passwd)"))
        for pipe in ("| sudo -s", "| docker login", "| passwd")
    ),
    ("chpasswd", Pattern(_PIPED + r"[\w.-]{1,40}:(?P<value>[^\s\"'|]{3,80})[\"']?\s?\|")),
    (" /p:", Pattern(rf"\s/p:{_GIVEN}")),
    ("net use", Pattern(r"\bnet use\s[^\n]{0,200}?/user:\S{1,60}\s(?P<value>[^\s/]\S{2,80})")),
    ("requirepass", Pattern(rf"requirepass\s{_GIVEN}")),
    ("identified", Pattern(r"identified\s(?:with\s\w{1,40}\s)?by\s[\"'](?P<value>[^\n\"']{3,200})(?=[\"'])")),
    ("password '", Pattern(r"password\s'(?P<value>[^\n']{3,200})(?=')")),
)
_OPTION = Pattern(r" -(?:[apuwnk]|-(?:proxy-)?user)|htpasswd ")


def spans(text: str, folded: str) -> list[Span]:
    """Where passwords lie that a command or a statement is given. folded: the text in small letters, of the same
    length."""
    spans = list[Span]()
    forms = (*_OPTIONS, *_WORDS) if " -" in folded and _OPTION.search(folded) else _WORDS
    for literal, pattern in forms:
        if literal in folded:
            for found in pattern.compiled.finditer(folded):
                value, span = bare(text, found)
                # digits alone are a port's, as in `docker run -p 8080:80`, or a group's, as in `-u 1000:1000`
                if is_given(value) and not value.replace(":", "").replace(".", "").isdecimal():
                    spans.append(span)
    return spans
