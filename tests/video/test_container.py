import socket
import threading
from pathlib import Path

import pytest

from stamina_video.semantics import UnreadableFile
from stamina_video.video.address import Address, parse
from stamina_video.video.container import ReadFailed, opened_address, opened_file
from tests.video.clips import make_clip, make_image, make_sound


def refusal(path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught, opened_file(path):
        pass
    message = str(caught.value)
    assert "\n" not in message
    assert repr(str(path)) in message
    return message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "absent.mp4")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    assert "directory" in refusal(tmp_path)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.mp4"
    path.touch()
    assert "the file is empty" in refusal(path)


@pytest.mark.parametrize("suffix", [".mp4", ".txt", ".avi", ".ts"])
def test_text_under_any_name_is_no_video(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"notes{suffix}"
    path.write_text("milk, bread \x1b[31m and a red mug\n" * 200)
    refusal(path)


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    assert "it holds audio but no moving picture" in refusal(make_sound(tmp_path / "song.mp4"))


def test_a_truncated_header_is_refused(tmp_path: Path) -> None:
    whole = make_clip(tmp_path / "whole.mp4").read_bytes()  # its index stands at the end
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    refusal(path)


def test_files_are_closed_after_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video")
    before = open_files()
    refusal(path)
    assert open_files() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n{other}\n#EXT-X-ENDLIST\n"),
        ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n{address}\n#EXT-X-ENDLIST\n"),
        ("list.ffconcat", "ffconcat version 1.0\nfile '{other}'\n"),
        ("list.ffconcat", "ffconcat version 1.0\nfile '{address}'\n"),
        (
            "call.sdp",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 26\n",
        ),
    ],
)
def test_a_playlist_opens_neither_files_nor_the_network(tmp_path: Path, name: str, text: str) -> None:
    make_clip(tmp_path / "other.ts")
    with Listener() as listener:
        path = tmp_path / name
        path.write_text(text.format(other="other.ts", address=listener.address))
        refusal(path)
        assert listener.calls == 0


def test_a_name_is_never_a_pattern_or_a_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_image(Path("shot1.png"), 1)
    make_clip(Path("real.ts"))
    for named in ("shot%d.png", "concat:real.ts", "file:real.ts"):
        refusal(Path(named))
    make_clip(Path("real.ts")).rename("concat:real.ts")
    with opened_file(Path("concat:real.ts")) as (_, stream):
        assert stream.width == 64


def test_a_refused_connection_hides_the_password() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = parse(f"http://user:secret@127.0.0.1:{unused.getsockname()[1]}/a?token=secret")
        assert isinstance(address, Address)
        with (
            pytest.raises(ReadFailed, match=r"^Connection refused$") as caught,
            opened_address(address, 5.0),
        ):
            pass
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None  # a traceback would print libav's own error


def test_a_camera_that_is_not_there_is_a_clear_line() -> None:
    address = parse("/dev/video987")
    assert isinstance(address, Address)
    with pytest.raises(ReadFailed, match=r"^No such file or directory$"), opened_address(address, 5.0):
        pass


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


class Listener:
    """Counts who calls."""

    def __enter__(self) -> "Listener":
        self.calls = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/a.ts"
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        return self

    def _listen(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                if connection.recv(1) == b"!":
                    return
                self.calls += 1

    def __exit__(self, *_: object) -> None:
        with socket.create_connection(self._socket.getsockname()) as last:
            last.sendall(b"!")
        self._thread.join()
        self._socket.close()
