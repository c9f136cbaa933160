from pathlib import Path

import pytest

from stamina_video.semantics import InvalidInput
from stamina_video.video.address import Address, parse, printable


@pytest.mark.parametrize(
    ("named", "name"),
    [
        ("rtsp://user:secret@cam.local:554/door?token=secret#secret", "rtsp://cam.local:554/door"),
        ("https://cam.local/live.m3u8", "https://cam.local/live.m3u8"),
        ("http://secret@[::1]:8080/a", "http://[::1]:8080/a"),
        ("rtsps://user:sec@ret@cam/x", "rtsps://cam/x"),
    ],
)
def test_an_address_has_a_name_without_credentials(named: str, name: str) -> None:
    address = parse(named)
    assert isinstance(address, Address)
    assert (address.url, address.name) == (named, name)
    assert "secret" not in repr(address)


@pytest.mark.parametrize("named", [0, "0", "/dev/video0"])
def test_a_camera_is_a_number_or_a_device(named: int | str) -> None:
    assert parse(named) == Address("/dev/video0", "camera-0", "v4l2")


@pytest.mark.parametrize(
    "named", ["clip.mp4", "a:b.mp4", "concat:a.ts|b.ts", "pipe:0", "file:a.mp4", "subfile,,start,0:a", "-i"]
)
def test_anything_without_a_scheme_is_a_path(named: str) -> None:
    assert parse(named) == Path(named)


def test_a_file_called_like_a_number_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("7").touch()
    assert parse("7") == Path("7")


@pytest.mark.parametrize(
    "named",
    [
        "ftp://u:secret@h/a",
        "file:///etc/passwd",
        "concat://secret",
        "tcp://h:1",
        "lavfi://x",
        "crypto+http://h/x",
    ],
)
def test_other_schemes_are_refused(named: str) -> None:
    with pytest.raises(InvalidInput, match=r"rtsp, rtsps, http, https") as caught:
        parse(named)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "named", ["http://", "http://u:secret@h:pass/", "http://[secret/", "http://u:secret@/x"]
)
def test_an_address_that_cannot_be_parsed_is_not_repeated(named: str) -> None:
    with pytest.raises(InvalidInput, match="expected an address like") as caught:
        parse(named)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("named", ["", "a\0b", -1, True, None, 1.5])
def test_what_is_no_source_at_all_is_refused(named: object) -> None:
    with pytest.raises(InvalidInput, match="expected a path, a camera number or an address"):
        parse(named)  # type: ignore[arg-type]  # what callers without a type checker do


def test_names_are_printable() -> None:
    assert printable("a\nb\x1b") == "a\ufffdb\ufffd"
