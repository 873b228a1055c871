"""What stands where the service would listen, and answers as a test wants."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_plugin.memory import places


@contextmanager
def service_that_says(state: Path, answer: bytes | None) -> Iterator[list[bytes]]:
    """Something on the socket that answers every request with these bytes (None: with nothing); what it was asked."""
    requests: list[bytes] = []
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(state / places.SOCKET_NAME))
    listener.listen()
    done = threading.Event()

    def serve() -> None:
        while True:
            try:
                connection = listener.accept()[0]
            except OSError:
                return
            with connection:
                head, _, body = connection.recv(1 << 20).partition(b"\r\n\r\n")
                size = int(head.rpartition(b"content-length: ")[2] or 0)
                while len(body) < size:
                    body += connection.recv(1 << 20)
                requests.append(head + b"\r\n\r\n" + body)
                if answer is None:
                    done.wait(60)
                else:
                    with suppress(BrokenPipeError):
                        connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield requests
    finally:
        done.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def response(body: bytes, status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 " + status + b"\r\ncontent-length: %d\r\n\r\n" % len(body) + body
