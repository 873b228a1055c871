"""What a file of the user's may hold, however it came to be so."""

from __future__ import annotations

from memory_plugin.memory.pointers import MARK_END, MARK_START

NONSENSE = [
    b"",
    b"\n",
    b"no final newline",
    b"\xef\xbb\xbf# with a mark\n",
    b"# windows\r\n\r\n- mine\r\n",
    b"\x00\x01\xff\xfe binary \x80",
    "# UTF-16\n".encode("utf-16"),
    b"```\nan open fence\n",
    b"<!-- an open comment\n",
    b"<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> other\n",
    MARK_START.encode(),
    MARK_END.encode() + b"\nbetween\n" + MARK_START.encode() + b"\n",
    b"before\n" + MARK_START.encode() + b"\nmine, inside\n" + MARK_END.encode() + b"\nafter",
    (MARK_START.encode() + b"\n" + MARK_END.encode() + b"\nbetween\n") * 2,
    (MARK_START + MARK_END).encode(),
    f"x {MARK_START} y {MARK_END} z".encode(),
    (MARK_START + "\n").encode() * 3 + (MARK_END + "\n").encode() * 3,
]
