"""A very small RTSP server on loopback: one caller, MPEG-TS in RTP over the same TCP line."""

import socket
import struct
import threading
from contextlib import suppress

SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=door\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track\r\n"
REPLIES = {
    "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n",
    "DESCRIBE": f"Content-Type: application/sdp\r\nContent-Length: {len(SDP)}\r\n\r\n{SDP}",
    "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n\r\n",
    "PLAY": "Session: 1\r\n\r\n",
}
TRANSPORT_PACKETS = 7 * 188  # in one RTP packet


class RtspServer:
    """Plays `data` to everyone who calls, one after the other, and then hangs up."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0.05)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self.address = f"rtsp://127.0.0.1:{self._listening.getsockname()[1]}/door"

    def __enter__(self) -> "RtspServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while not self._stopping.is_set():
            try:
                line, _ = self._listening.accept()
            except TimeoutError:
                continue
            with line, suppress(OSError):  # the caller may leave first
                line.settimeout(5.0)
                self._talk(line)

    def _talk(self, line: socket.socket) -> None:
        with line.makefile("rb") as requests:
            while method := requests.readline().partition(b" ")[0].decode():
                headers = iter(requests.readline, b"\r\n")
                number = next(header for header in headers if header.startswith(b"CSeq")).decode()
                list(headers)
                line.sendall(f"RTSP/1.0 200 OK\r\n{number}{REPLIES[method]}".encode())
                if method == "PLAY":
                    self._play(line)
                    return

    def _play(self, line: socket.socket) -> None:
        for count, start in enumerate(range(0, len(self._data), TRANSPORT_PACKETS)):
            payload = self._data[start : start + TRANSPORT_PACKETS]
            header = struct.pack(">BBHII", 0x80, 33, count, count * 900, 7)
            line.sendall(struct.pack(">cBH", b"$", 0, len(header) + len(payload)) + header + payload)
