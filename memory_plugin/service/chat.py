"""The two models that may read a conversation when the user says so: one of the user's Ollama, and `claude -p`.

Either gets an instruction, a text and the JSON schema of the answer. What comes back is text: whoever asked checks it.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
import ollama

from memory_plugin.index.embedding import EmbedderUnavailable
from memory_plugin.index.ollama import OllamaServer
from memory_plugin.memory.settings import Embedding, Settings

MOST_ANSWERED = 1_500  # tokens
_CONTEXT = 8_192  # tokens; the default of many models is less than a request
_ANSWER_SECONDS = 600.0  # a small model on a busy processor
_CONNECT_SECONDS = 2.0
_OF_THE_QUESTION = frozenset((400, 413, 422, 500))  # 500 is also a runner that a text has brought down
_OF_THE_MODEL = (
    r"does not support|memory|not found|no such|load|timed out|busy|pull|version|template|unauthori[sz]ed|disk"
)


class ChatUnavailableError(Exception):
    """The model gave no answer; the text says what to do. spent: the tokens it cost; None: nobody knows."""

    def __init__(self, text: str, spent: int | None = 0) -> None:
        super().__init__(text)
        self.spent = spent


class ChatRefusedError(ChatUnavailableError):
    """The model is there, and gave no answer to this very question: the next one may have one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote, and the tokens of question and answer by its own count."""

    text: str
    tokens: int


class Chat(Protocol):
    """A model that can be asked. Its methods may be called from any thread."""

    @property
    def name(self) -> str:
        """Provider and model, for people."""

    def cost(self, instruction: str, text: str, schema: dict[str, Any]) -> int:
        """The most tokens that a question and its answer can cost."""

    def ask(self, instruction: str, text: str, schema: dict[str, Any], attempt: int) -> Answer:
        """The answer to a question; attempt counts from 0. Raises ChatUnavailableError, or ChatRefusedError when it
        is the question that gets none."""

    def stop(self) -> None:
        """Give up the question that waits, if any, for good: the service ends."""


class OllamaChat:
    """A chat model of the Ollama server that the settings of embedding name."""

    def __init__(self, model: str | None, server: Embedding) -> None:
        self.name = f"ollama {model}"
        self._model = model
        self._settings = server

    def cost(self, instruction: str, text: str, schema: dict[str, Any]) -> int:
        """The most tokens that a question and its answer can cost."""
        # The schema is a grammar to Ollama and costs nothing.
        return estimate(instruction + text) + MOST_ANSWERED

    def ask(self, instruction: str, text: str, schema: dict[str, Any], attempt: int) -> Answer:
        """The answer, which can't but fit the schema unless it was cut off. Raises ChatUnavailableError."""
        url = self._reachable()
        timeout = httpx.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS)
        # As sure as can be at first; an answer that was of no use would come again, word for word.
        options = {"temperature": 0.3 * attempt, "num_ctx": _CONTEXT, "num_predict": MOST_ANSWERED}
        try:
            with ollama.Client(url, follow_redirects=False, trust_env=False, timeout=timeout) as client:
                answer = client.chat(
                    self._model or "",
                    [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
                    think=False,
                    format=schema,
                    options=options,
                    keep_alive=self._settings.keep_alive,
                )
        except ollama.ResponseError as error:
            said = error.error.strip() or str(error.status_code)
            kind = ChatRefusedError if _is_of_the_question(error.status_code, said) else ChatUnavailableError
            raise kind(f"{self.name} refused: {said}.") from error
        except (httpx.HTTPError, ConnectionError) as error:
            raise ChatUnavailableError(
                f"{self.name} gave no answer ({error or type(error).__name__}).", None
            ) from error
        except (ValueError, AttributeError, TypeError) as error:
            text = f"What answers at {url} does not speak Ollama's protocol ({error!s:.100})."
            raise ChatUnavailableError(text, None) from error
        tokens = (answer.prompt_eval_count or 0) + (answer.eval_count or 0)
        return Answer(answer.message.content or "", tokens or self.cost(instruction, text, schema))

    def stop(self) -> None:
        """Nothing: the question ends with the process."""

    def _reachable(self) -> str:
        """The server's address, once it has said that it has the model."""
        try:
            server = OllamaServer(self._settings.ollama_url, self._settings.keep_alive)
            installed = server.models()
        except EmbedderUnavailable as error:
            raise ChatUnavailableError(str(error)) from error
        known = ", ".join(installed) or "none"
        if not self._model:
            raise ChatUnavailableError(f"extraction.model names no model; installed in Ollama: {known}.")
        if not {self._model, f"{self._model}:latest"} & installed.keys():
            advice = f"`ollama pull {self._model}` installs it; installed now: {known}."
            raise ChatUnavailableError(f"Ollama at {server.url} has no model {self._model!r}. {advice}")
        return server.url


def _is_of_the_question(status: int, said: str) -> bool:
    """Whether Ollama refused a question for what it holds; what it says of the model it says to every question."""
    return status in _OF_THE_QUESTION and not re.search(_OF_THE_MODEL, said, re.I)


def choose(settings: Settings, state: str) -> Chat | None:
    """The model that the settings name, or None."""
    from memory_plugin.service.claude import ClaudeChat

    asked = settings.extraction
    if asked.provider == "ollama":
        return OllamaChat(asked.model, settings.embedding)
    return ClaudeChat(asked.model, state) if asked.provider == "claude" else None


def estimate(text: str) -> int:
    """At least as many tokens as a text has: punctuation makes one of two characters, a small model's vocabulary two
    of one that isn't ASCII."""
    beyond = sum(character > "\x7f" for character in text)
    return math.ceil((len(text) - beyond) / 2) + 2 * beyond


def as_text(schema: dict[str, Any]) -> str:
    """A JSON schema as text."""
    return json.dumps(schema, separators=(",", ":"))
