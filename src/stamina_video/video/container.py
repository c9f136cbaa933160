"""Opening media with libav: errors in one line, nothing opened but what was named."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import av
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from stamina_video.semantics import UnreadableFile
from stamina_video.video.address import Address

# Demuxers that turn words into pictures: a text file is not a video.
_TEXT_FORMATS = frozenset({"tty", "bin", "xbin", "adf", "idf"})


class ReadFailed(Exception):
    """The source itself gave out: a broken disk or connection, not broken data."""


@contextmanager
def opened_file(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    """The container at `path` and its video stream."""
    with ExitStack() as stack:
        reason = ""
        try:
            # Handing libav an open file keeps it from reading the name as a protocol or a pattern;
            # the empty whitelist keeps a playlist from opening anything else.
            file = stack.enter_context(path.open("rb"))
            container = stack.enter_context(av.open(file, "r", options={"protocol_whitelist": "none"}))
        except (av.FFmpegError, OSError) as error:
            reason = "the file is empty" if _is_empty(path) else plain(error)
        if reason:
            raise UnreadableFile(f"expected a video file, got {str(path)!r}: {reason}")
        yield container, video_stream(container, str(path))


@contextmanager
def opened_address(address: Address, timeout: float) -> Iterator[tuple[InputContainer, VideoStream]]:
    """A live source and its video stream; connecting and each read take `timeout` seconds at most."""
    with ExitStack() as stack:
        reason = ""
        try:
            container = stack.enter_context(
                av.open(address.url, "r", address.format, dict(address.options), timeout=timeout)
            )
        except (av.FFmpegError, OSError) as error:
            reason = plain(error)
        if reason:
            # Raised here, outside the handler: libav's own error quotes the address with its password.
            raise ReadFailed(reason)
        yield container, video_stream(container, address.name)


def video_stream(container: InputContainer, name: str) -> VideoStream:
    """The first moving picture; the cover of a song is not one."""
    if container.format.name in _TEXT_FORMATS:
        raise UnreadableFile(f"expected a video file, got {name!r}: it holds text")
    for stream in container.streams.video:
        if not stream.disposition & Disposition.attached_pic and stream.codec_context is not None:
            stream.thread_type = "AUTO"
            return stream
    held = " and ".join(sorted({stream.type for stream in container.streams} - {"video"})) or "nothing"
    raise UnreadableFile(f"expected a video file, got {name!r}: it holds {held} but no moving picture")


def plain(error: BaseException) -> str:
    """What went wrong, in libav's words without the address."""
    if isinstance(error, av.error.ExitError):
        return "no answer in time"
    return getattr(error, "strerror", None) or type(error).__name__


def _is_empty(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == 0
