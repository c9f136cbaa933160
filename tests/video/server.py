"""A small HTTP server on loopback that streams bytes and can be killed in the middle."""

import socket
import struct
import threading


class StreamServer:
    """Sends `data` to whoever calls, then holds the line, as a camera does whose picture froze."""

    def __init__(
        self, data: bytes, port: int = 0, *, length: int | None = None, hang_up: bool = False
    ) -> None:
        self._data = data
        self._length = length
        self._hang_up = hang_up
        self._killed = threading.Event()
        self._lines: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", port))
        self._listening.settimeout(0.05)
        self.port: int = self._listening.getsockname()[1]
        self.calls = 0
        self.sent = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://user:secret@127.0.0.1:{self.port}/live.ts?token=secret"

    def kill(self) -> None:
        """As a process dies: no goodbye, every line reset."""
        self._killed.set()
        self._thread.join()
        self._listening.close()
        for line in self._lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()

    def __enter__(self) -> "StreamServer":
        return self

    def __exit__(self, *_: object) -> None:
        if not self._killed.is_set():
            self.kill()

    def _serve(self) -> None:
        while not self._killed.is_set():
            try:
                line, _ = self._listening.accept()
            except TimeoutError:
                continue
            self._lines.append(line)
            self.calls += 1
            self._answer(line)

    def _answer(self, line: socket.socket) -> None:
        try:
            line.settimeout(5.0)
            line.recv(65536)
            length = "" if self._length is None else f"Content-Length: {self._length}\r\n"
            head = f"HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n{length}\r\n"
            line.sendall(head.encode() + self._data)
            self.sent.set()
            if self._hang_up:
                line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the caller left first
