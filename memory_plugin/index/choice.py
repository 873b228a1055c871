"""Who embeds: the user's setting, else whoever embedded the index so far, else Ollama, else the built-in model."""

from __future__ import annotations

from memory_plugin.index.embedding import Embedder, EmbedderUnavailable, Identity
from memory_plugin.memory.settings import Settings


def choose(settings: Settings, stored: Identity | None) -> Embedder | None:
    """The embedder for an index that `stored` has embedded (None: an index yet to be built).

    Without a setting the choice is made once: a stored identity stays, even while its embedder is away (it is
    then returned as it is, and raises when used). A setting that names a provider or a model switches.
    Returns None when embedding is switched off; raises EmbedderUnavailable when nobody can embed.
    """
    wanted = settings.embedding
    provider = "ollama" if wanted.provider == "auto" and wanted.model else wanted.provider
    if provider == "auto" and stored is not None and stored.provider in ("ollama", "builtin"):
        provider = stored.provider
    if provider == "none":
        return None
    # Imported late: each brings its engine or client, of which an index uses one.
    from memory_plugin.index.builtin import BuiltinEmbedder

    if provider == "builtin":
        return BuiltinEmbedder()
    from memory_plugin.index.ollama import OllamaEmbedder

    if provider == "ollama":
        return OllamaEmbedder.connect(wanted, stored)
    try:
        return OllamaEmbedder.connect(wanted, None)
    except EmbedderUnavailable as no_ollama:
        try:
            return BuiltinEmbedder()
        except EmbedderUnavailable as no_model:
            raise EmbedderUnavailable(f"{no_ollama} {no_model}") from no_model
