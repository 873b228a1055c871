"""What the service will find when it starts: asked for while it does not run."""

from __future__ import annotations

from memory_plugin.memory.settings import Embedding


def installed_models(chosen: Embedding) -> tuple[str, frozenset[str], str]:
    """Where Ollama is asked, the models that it has, and why it does not answer ("" when it does)."""
    from memory_plugin.index.embedding import EmbedderUnavailable  # they bring numpy and the client
    from memory_plugin.index.ollama import OllamaServer

    server = OllamaServer(chosen.ollama_url, chosen.keep_alive)
    try:
        return server.url, frozenset(server.models()), ""
    except EmbedderUnavailable as error:
        return server.url, frozenset(), str(error)


def problem_of_tokens(state: str) -> str:
    """Why tokens cannot be counted by the table that is there; "" when they can, or it is not made yet."""
    from memory_plugin.index.tokens import problem_of_table

    return problem_of_table(state)
