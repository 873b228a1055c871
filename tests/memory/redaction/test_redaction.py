"""What must be masked, and what must survive."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_plugin.memory.redaction import MASK, redact, redact_lines
from tests.safety.cases import MUST_MASK, MUST_SURVIVE, Case, traces

# Built from parts, so that no scanner takes this file for a leak.
SECRETS = {
    "aws key id": "AKIA" + "IOSFODNN7EXAMPL3",
    "anthropic": "sk-" + "ant-api03-" + "aB3" * 12,
    "openai project": "sk-" + "proj-" + "aB3_" * 12,
    "github": "gh" + "p_" + "aB3d" * 9,
    "github fine-grained": "github" + "_pat_" + "aB3d_" * 9,
    "gitlab": "gl" + "pat-" + "aB3d" * 6,
    "slack bot": "xo" + "xb-" + "1234567890-abcdef",
    "slack hook": "https://hooks." + "slack.com/services/" + "T0000/B0000/" + "x1" * 12,
    "google": "AI" + "za" + "aB3d_" * 7,
    "stripe": "sk" + "_live_" + "aB3d" * 6,
    "hugging face": "h" + "f_" + "aBcd" * 9,
    "npm": "np" + "m_" + "aB3d" * 9,
    "pypi": "py" + "pi-" + "aB3d" * 12,
    "sendgrid": "SG" + "." + "aB3d" * 5 + "." + "aB3d" * 10,
    "telegram": "123456789" + ":AA" + "aB3d_" * 8,
    "vault": "hv" + "s." + "aB3d" * 8,
    "token of three parts": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + ".c2lnbmF0dXJl",
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIabc\nxyz\n-----END RSA " + "PRIVATE KEY-----",
    "torn private key": "-----BEGIN " + "PRIVATE KEY-----\nMIIabc\nxyz",
}
ASSIGNED = [
    ("DB_PASS={}", "Yh6Tg5Rf4E"),
    ("**password**: **{}**", "Vv5Bb4Nn3Mm"),
    ("curl -u deploy:{} https://ci.example.net", "Wm4nB8vC2x"),
    ("https://blob.example.net/a?sv=2024&sig={}", "aB3dE5fG7hJ9kL1m"),
    ("https://discord.com/api/webhooks/123456789012345678/{}", "aB3dE5fG7hJ9kL1mN3pQ5"),
    ("password: {}", "hunter22"),
    ("The password is {}.", "Tr0ub4dor&3"),
    ("(the password is {}!)", "hunter22"),
    ('DB_PASSWORD="{}"', "s3cr3t(with}braces"),
    ("the password of the staging server is {}", "hunter22"),
    ("le mot de passe du routeur est {}", "azerty12!"),
    ("the API key for the mailer: {}", "q1w2e3r4t5"),
    ("dbpassword={}", "s3cr3tw0rd"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKY"),
    ("API_KEY={}", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
    ("api key: {}", "q1w2e3r4t5"),
    ("TOKEN='{}'", "q1w2" * 100),
    ("le mot de passe est {}", "azerty12!"),
    ("Authorization: Bearer {}", "aB3dEf6hIj9kLmN0pQrS"),
    ("postgres://app:{}@db.internal:5432/shop", "p4ss"),
    ("https://user:{}@host.example/x", "p@ss:w0rd"),
    ("<private>{}</private>", "my own affair"),
    ("<private>{}", "never closed"),
]
SURVIVE = [
    "bypass=12345abc and compass: N12E34xyz",
    "docker run -u 1000:1000 image",
    "curl -u $USER:$TOKEN https://ci.example.net",
    "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
    "sha256:3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea",
    "6d9ab8bf-1c2d-4e5f-8a9b-0c1d2e3f4a5b",
    "/home/zoe/projects/shop/src/token_bucket.py",
    "C:\\Users\\Zoe\\secrets\\readme.md",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "The password is stored in the keychain.",
    "The password of the staging server is stored in 1Password.",
    "The password for each user is hashed with bcrypt.",
    "token: str = field(default='')",
    "password = get_password()",
    "token = os.environ[name]",
    "secret: ${SECRET_FROM_CI}",
    "api_key: <your key>",
    "password: changeme",
    "password=xxxxxxxx",
    "max_tokens: 2000",
    "token: 0.12.4",
    "token: src/auth/token.py",
    "https://example.org:8080/path?x=1",
    "mail zoe@example.org at http://localhost:11434",
    "basic understanding of the parser",
    "The bearer of this token may enter.",
    "task-list-with-a-long-hyphenated-name-of-things",
    "disk-usage-of-the-build-folder-in-the-pipeline",
    "été, naïve, 日本語のテキスト",
]


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_of_a_known_shape_is_masked(secret: str) -> None:
    for text in (secret, f"Use {secret} for it.", f'"{secret}"', f"({secret})", f"x={secret}\nnext"):
        masked = redact(text)
        assert secret not in masked
        assert MASK in masked


@pytest.mark.parametrize(("sentence", "secret"), ASSIGNED)
def test_a_value_that_is_called_a_secret_is_masked(sentence: str, secret: str) -> None:
    masked = redact(f"First, {sentence.format(secret)} and then more.")
    assert secret not in masked
    assert secret[-4:] not in masked
    assert masked.startswith("First, ")
    assert masked.endswith(" and then more.") or sentence == "<private>{}"


@pytest.mark.parametrize("text", SURVIVE)
def test_what_only_looks_like_one_survives(text: str) -> None:
    assert redact(text) == text
    assert redact(f"Then {text} again") == f"Then {text} again"


@pytest.mark.parametrize("case", MUST_MASK, ids=lambda case: str(case.at))
def test_what_must_be_masked_is(case: Case) -> None:
    assert case.secrets
    for text in (case.text, f"Note this:\n{case.text}\nand go on.", f"{case.text}\r\n"):
        masked = redact(text)
        assert MASK in masked
        assert not [trace for secret in case.secrets for trace in traces(secret) if trace in masked]
        assert redact(masked) == masked


@pytest.mark.parametrize("case", MUST_SURVIVE, ids=lambda case: str(case.at))
def test_what_must_survive_does(case: Case) -> None:
    for text in (case.text, f"Then {case.text} again", f"Note this:\n{case.text}\nand go on."):
        assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a <private>b</private> c", "a   c"),
        ("a <private>b <private>c</private> d</private> e", "a   e"),
        ("a <private>b <private>c</private> d", "a  "),
        ("a <private>b", "a  "),
        ("a <PRIVATE>b</Private > c", "a   c"),
        ("a <private>b</private><private>c</private> d", "a    d"),
        ("a <private>b\n\n```\n</private>\n``` c", "a  \n``` c"),
        ("b, begun in an earlier message</private> c", "  c"),
        ("a `<private>` tag opens it", "a `<private>` tag opens it"),
        ("the `</private>` tag ends it", "the `</private>` tag ends it"),
        ("a `<private>`b`</private>` c", "a ` ` c"),
        ("`<private>` is a tag: a <private>b</private> c", "`<private>` is a tag: a   c"),
        ("a private matter", "a private matter"),
        ("<privately>kept</privately>", "<privately>kept</privately>"),
    ],
)
def test_what_is_private_goes_up_to_the_tag_that_ends_it(text: str, rest: str) -> None:
    assert redact(text) == rest


def test_a_key_whose_beginning_was_cut_off_is_masked() -> None:
    lines = "\n".join(("MIIabc0" * 9 + "Q", "xyz123" * 10))
    assert redact(f"Here it ends:\n{lines}\n-----END RSA " + "PRIVATE KEY-----\nok") == f"Here it ends:{MASK}\nok"


@pytest.mark.parametrize("letter", ["İ", "ẞ"])
def test_letters_that_grow_when_they_are_small_move_no_mask(letter: str) -> None:
    assert redact(f"{letter * 9} password: hunter22 {letter}") == f"{letter * 9} password: {MASK} {letter}"


pieces = st.sampled_from(
    [
        *SECRETS.values(),
        *(sentence.format(secret) for sentence, secret in ASSIGNED),
        *SURVIVE,
        *(case.text for case in (*MUST_MASK, *MUST_SURVIVE)),
        "<private>",
        "</private>",
        MASK,
        " ",
        "\n",
        "=",
        ":",
        '"',
        "password",
    ]
)


@given(st.lists(pieces | st.text(max_size=12), max_size=12).map("".join))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@given(st.lists(pieces | st.text(max_size=12), max_size=12).map("".join))
def test_every_line_can_stay_where_it_was(text: str) -> None:
    assert redact_lines(text).count("\n") == text.count("\n")


def test_a_line_below_a_secret_of_several_lines_keeps_its_number() -> None:
    key = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIabc\nxyz\n-----END RSA " + "PRIVATE KEY-----"
    lines = redact_lines(f"one\n{key}\nsix\n<private>\neight\n</private>\nten").split("\n")
    assert (lines[0], lines[1], lines[5], lines[9]) == ("one", MASK, "six", "ten")
    assert "".join(lines[2:5] + lines[6:9]).strip() == ""


def processor_time(text: str) -> float:
    """Seconds that masking takes this process, however busy the machine is."""
    start = time.process_time()
    redact(text)
    return time.process_time() - start


@pytest.mark.parametrize(
    "run",
    [
        "a",
        "a_",
        "a.",
        "A1",
        "eyJ-",
        "eyJa.",
        "SG.",
        "x-",
        "a://",
        "bearer ",
        "-----BEGIN ",
        "password",
        "<private",
        " ",
        "token =",
        "password of ",
        "password is a",
        "passphrase ",
        'password: "',
        "secret_key_",
        "key=a.",
        "_key: a-",
        "is the password ",
        "log in a/",
        "user a ",
        "admin:",
        "code 1",
        "pin one ",
        "mysql -p -u ",
        "curl -u a:",
        "identified by 'a",
        "cookie: a=b;",
        "authorization: ",
        "://a@",
        "sk-_",
        "eyJ_",
        "$2b$",
        "-----END PRIVATE KEY-----",
        "A1b2C3d4/",
        "<private>",
        "</private>",
        "`<private>`",
        "|password|",
        "|password|x1y2z3|\n",
        "a,token\n",
        "pass 1a",
        "my @ / a@b.c / ",
        "the combination of the safe ",
        "<a <a ",
    ],
)
def test_time_stays_in_proportion_to_the_text(run: str) -> None:
    short, long = (run * (size // len(run)) for size in (10_000, 160_000))
    # sixteen times the text: sixteen times as long, or 256 times where anything is quadratic in it
    assert min(processor_time(long) for _ in range(2)) < 64 * min(processor_time(short) for _ in range(3))
