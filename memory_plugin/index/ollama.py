"""The Ollama embedder: the official client, the user's own server, the user's own models."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import httpx
import numpy as np
import ollama

from memory_plugin.index.embedding import (
    PROFILES,
    EmbedderChanged,
    EmbedderUnavailable,
    Identity,
    Vectors,
    clean,
    clip,
    profile_of,
)
from memory_plugin.memory.settings import Embedding

DEFAULT_URL = "http://127.0.0.1:11434"
_PULL = "`ollama pull bge-m3` installs one that knows most languages."
# Listing models takes milliseconds on a live server; a hung one must not hold anybody up.
_LIST_SECONDS = 2.0
# A cold model takes 7 to 15 s to load, more on a busy machine.
_EMBED_SECONDS = 120.0
# Ollama embeds one request at a time, so a query waits for the batch before it.
_BATCH = 8
# A model can be pulled anew while we run; for so many seconds a digest, once seen, is taken as read.
_TRUSTED_SECONDS = 60.0
# Two errors lie in one text and not in the server. From 0.13.5 on, a text can be refused as too long even with
# `truncate` (ollama/ollama#14186); bge-m3 makes NaN of some texts (ollama/ollama#15582).
_REFUSALS = ("context length", "unsupported value: NaN")
_SHORTEST = 64


class OllamaServer:
    """One Ollama server, spoken to without proxies and redirects. Whatever fails is an EmbedderUnavailable."""

    def __init__(self, url: str | None, keep_alive: str) -> None:
        """Take the URL of the settings, else OLLAMA_HOST as every Ollama client does, else the default."""
        # OLLAMA_HOST=0.0.0.0 tells a server to listen everywhere; as a destination it means this machine.
        self.url = (url or os.environ.get("OLLAMA_HOST") or DEFAULT_URL).replace("0.0.0.0", "127.0.0.1")
        self._keep_alive = keep_alive
        self._lister = self._client(_LIST_SECONDS)
        self._embedder = self._client(_EMBED_SECONDS)

    def models(self) -> dict[str, str]:
        """The digest of every installed model by its full name (`all-minilm:latest`), in the server's order."""
        with self._failures_explained():
            return {each.model: each.digest or "" for each in self._lister.list().models if each.model}

    def says_it_embeds(self, model: str) -> bool:
        """Whether the server counts embedding among the model's capabilities. Older servers name none."""
        with self._failures_explained(model):
            return "embedding" in (self._lister.show(model).capabilities or ())

    def embed(self, model: str, texts: Sequence[str]) -> list[Sequence[float]]:
        """The raw vectors of texts, none of them empty. A text the model can't take at any length gives []."""
        with self._failures_explained(model):
            return self._embed(model, texts)

    def _embed(self, model: str, texts: Sequence[str]) -> list[Sequence[float]]:
        try:
            found = self._embedder.embed(model, texts, truncate=True, keep_alive=self._keep_alive).embeddings
        except ollama.ResponseError as error:
            if not any(refusal in error.error for refusal in _REFUSALS):
                raise
            if len(texts) > 1:
                return [vector for text in texts for vector in self._embed(model, [text])]
            half = texts[0][: len(texts[0]) // 2].strip()
            return self._embed(model, [half]) if len(half) >= _SHORTEST else [[]]
        if len(found) != len(texts):
            raise ValueError(f"{len(found)} vectors for {len(texts)} texts")
        return list(found)

    def _client(self, seconds: float) -> ollama.Client:
        timeout = httpx.Timeout(seconds, connect=_LIST_SECONDS)
        # On loopback a new connection costs less than one that the server has closed in the meantime.
        limits = httpx.Limits(max_keepalive_connections=0)
        try:
            return ollama.Client(self.url, follow_redirects=False, trust_env=False, timeout=timeout, limits=limits)
        except (ValueError, httpx.InvalidURL) as error:
            raise EmbedderUnavailable(f"{self.url!r} is not the address of an Ollama server ({error}).") from error

    @contextmanager
    def _failures_explained(self, model: str = "") -> Iterator[None]:
        try:
            yield
        except ollama.ResponseError as error:
            if error.status_code == 404 and model:
                text = f"Ollama at {self.url} has no model {model!r}. `ollama pull {model}` installs it."
            else:
                text = f"Ollama at {self.url} refused: {error.error.strip() or error.status_code}."
            raise EmbedderUnavailable(text) from error
        except httpx.TimeoutException as error:
            raise EmbedderUnavailable(f"Ollama at {self.url} took too long to answer. Is it overloaded?") from error
        except ConnectionError as error:
            raise EmbedderUnavailable(f"Ollama does not answer at {self.url}. `ollama serve` starts it.") from error
        except httpx.UnsupportedProtocol as error:
            raise EmbedderUnavailable(f"{self.url!r} is not the address of an Ollama server ({error}).") from error
        except httpx.HTTPError as error:
            raise EmbedderUnavailable(f"Ollama at {self.url} broke off half-way ({error}). Start it anew.") from error
        except (ValueError, AttributeError, TypeError) as error:
            text = f"What answers at {self.url} does not speak Ollama's protocol ({error!s:.100}). Check the address."
            raise EmbedderUnavailable(text) from error


class OllamaEmbedder:
    """Embeds with one model of one server. `connect` makes it."""

    def __init__(self, server: OllamaServer, identity: Identity) -> None:
        self.identity = identity
        self.profile = profile_of(identity.model)
        self._server = server
        self._seen = float("-inf")
        self._loading = threading.Lock()

    @classmethod
    def connect(cls, wanted: Embedding, stored: Identity | None) -> OllamaEmbedder:
        """The embedder that the settings ask for, else the stored one, else the best installed one.

        A model not met before is tried on one word, which loads it (7 to 15 s when cold). The stored one is
        returned without a trial, even while its server or model is away.
        """
        server = OllamaServer(wanted.ollama_url, wanted.keep_alive)
        known = stored if stored and stored.provider == "ollama" else None
        name = wanted.model or (known.model if known else None)
        stays = known is not None and name in (known.model, known.model.removesuffix(":latest"))
        try:
            installed = server.models()
        except EmbedderUnavailable:
            if stays and known:
                return cls(server, known)
            raise
        if name is None:
            return cls(server, _best(server, installed))
        full_name = name if name in installed else f"{name}:latest"
        if stays and known and installed.get(full_name, known.digest) == known.digest:
            return cls(server, known)
        if full_name not in installed:
            raise EmbedderUnavailable(
                f"Ollama at {server.url} has no model {name!r}. `ollama pull {name}` installs it; "
                f"installed now: {', '.join(installed) or 'none'}."
            )
        return cls(server, _tried(server, full_name, installed[full_name]))

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Rows for the texts, eight to a request; EmbedderChanged if the model is no longer the same."""
        self._verify(0.0)
        return self._rows(self.profile.document_prefix, texts)

    def query(self, text: str, timeout: float | None = None) -> Vectors:
        """The vector of a query. A request that outlasts `timeout` goes on behind, so that a cold model loads.

        While one does, further queries with a timeout are refused at once.
        """
        if timeout is None:
            return self._query(text)
        if not self._loading.acquire(blocking=False):
            raise EmbedderUnavailable(self._slow())
        found = list[Vectors | EmbedderUnavailable]()
        thread = threading.Thread(target=self._query_behind, args=(text, found), daemon=True, name="ollama-query")
        thread.start()
        thread.join(timeout)
        if not found:
            raise EmbedderUnavailable(self._slow())
        if isinstance(found[0], EmbedderUnavailable):
            raise found[0]
        return found[0]

    def _query_behind(self, text: str, found: list[Vectors | EmbedderUnavailable]) -> None:
        try:
            found.append(self._query(text))
        except EmbedderUnavailable as error:
            found.append(error)
        finally:
            self._loading.release()

    def _query(self, text: str) -> Vectors:
        self._verify(_TRUSTED_SECONDS)
        row: Vectors = self._rows(self.profile.query_prefix, [text])[0]
        return row

    def _rows(self, prefix: str, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        ready = {position: self._ready(prefix, text) for position, text in enumerate(texts)}
        filled = [position for position, text in ready.items() if text]
        for start in range(0, len(filled), _BATCH):
            batch = filled[start : start + _BATCH]
            found = self._server.embed(self.identity.model, [ready[position] for position in batch])
            for position, vector in zip(batch, found, strict=True):
                rows[position] = self._normalised(vector)
        return rows

    def _ready(self, prefix: str, text: str) -> str:
        """The text as the model wants it, or "" when there is nothing in it."""
        # Sixteen characters a token is beyond any prose; the bound spares a 50 MB line the regular expression.
        text = clip(clean(text[: self.profile.max_tokens * 16]), self.profile.max_tokens)
        return prefix + text if text else ""

    def _normalised(self, vector: Sequence[float]) -> Vectors:
        row = np.asarray(vector or np.zeros(self.identity.dimension), dtype=np.float32)
        if row.shape != (self.identity.dimension,):
            raise EmbedderChanged(
                f"{self.identity.model} gives {row.size} dimensions where the index has {self.identity.dimension}. "
                "`memory-plugin reindex` embeds anew."
            )
        length = float(np.linalg.norm(row))
        return row / np.float32(length) if length > 0 and np.isfinite(length) else np.zeros_like(row)

    def _verify(self, trusted_seconds: float) -> None:
        """See that the name still stands for the model that embedded the index."""
        if time.monotonic() - self._seen < trusted_seconds:
            return
        digest = self._server.models().get(self.identity.model)
        if digest is None:
            raise EmbedderUnavailable(
                f"Ollama at {self._server.url} no longer has {self.identity.model}, which embedded the index. "
                f"`ollama pull {self.identity.model}` brings it back; "
                "`memory-plugin reindex --embedder builtin` switches."
            )
        if digest != self.identity.digest:
            raise EmbedderChanged(
                f"{self.identity.model} is not the model it was when the index was built. "
                "`memory-plugin reindex` embeds anew."
            )
        self._seen = time.monotonic()

    def _slow(self) -> str:
        return f"Ollama is still loading {self.identity.model}. Until it has, search goes by keywords only."


def _best(server: OllamaServer, installed: dict[str, str]) -> Identity:
    """The best installed model that embeds when tried: by the table, then by what the server says of it."""
    # A cloud model would send the notes to another machine.
    local = [name for name in installed if not name.endswith("cloud")]
    known = [name for profile in PROFILES for name in local if profile_of(name) is profile]
    others = (name for name in local if name not in known and server.says_it_embeds(name))
    for name in [*known, *others]:
        with suppress(EmbedderUnavailable):
            return _tried(server, name, installed[name])
    raise EmbedderUnavailable(f"Ollama at {server.url} has no embedding model. {_PULL}")


def _tried(server: OllamaServer, model: str, digest: str) -> Identity:
    try:
        vector = server.embed(model, ["dimension"])[0]
    except EmbedderUnavailable as error:
        raise EmbedderUnavailable(f"{model} does not embed: {error} {_PULL}") from error
    if not vector:
        raise EmbedderUnavailable(f"{model} does not embed: it gave an empty vector. {_PULL}")
    return Identity("ollama", model, digest, len(vector))
