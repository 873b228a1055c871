from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator")

# Sixteen threads allocate at once; prints how many arenas glibc has made.
THREADS = """
import ctypes, sys, threading
sys.path.insert(0, sys.argv[1])
from memory_plugin.service import allocation
library = ctypes.CDLL(None)
library.malloc.restype = library.fopen.restype = ctypes.c_void_p
if sys.argv[3] == "shared":
    allocation.share_arenas()
together = threading.Barrier(16)
def allocate():
    together.wait()
    library.malloc(1000)
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
stream = ctypes.c_void_p(library.fopen(sys.argv[2].encode(), b"w"))
library.malloc_info(0, stream)
library.fclose(stream)
print(open(sys.argv[2]).read().count("<heap nr="))
"""

# Frees two hundred megabytes below a piece that is still held; prints the megabytes held before and after giving back.
FREED = """
import ctypes, resource, sys
sys.path.insert(0, sys.argv[1])
from memory_plugin.service import allocation, lifecycle
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
pieces = [library.malloc(100_000) for _ in range(2000)]
for piece in pieces:
    ctypes.memset(ctypes.c_void_p(piece), 1, 100_000)
for piece in pieces[:-1]:
    library.free(ctypes.c_void_p(piece))
before = lifecycle.memory_in_use()
allocation.give_back()
print(before >> 20, lifecycle.memory_in_use() >> 20)
"""
ROOT = str(Path(__file__).parents[2])


def printed(code: str, *arguments: str) -> list[int]:
    command = [sys.executable, "-c", code, ROOT, *arguments]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [int(number) for number in output.split()]


def test_all_threads_allocate_from_two_arenas(tmp_path: Path) -> None:
    file = str(tmp_path / "info.xml")
    if printed(THREADS, file, "as it is")[0] <= 2:
        pytest.skip("another C library")
    assert printed(THREADS, file, "shared")[0] <= 2


def test_what_was_freed_goes_back_to_the_system() -> None:
    before, after = printed(FREED)
    assert before > 150
    assert after < before - 150
