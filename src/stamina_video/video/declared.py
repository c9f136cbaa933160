"""What a container says of its video before anything is decoded."""

import re
from fractions import Fraction

import av
from av.container import InputContainer
from av.video.stream import VideoStream


def declared_rate(stream: VideoStream) -> Fraction | None:
    """The average rate; without timestamps libav averages a default, and the codec's own word is better."""
    if stream.start_time is None:
        return stream.guessed_rate or stream.average_rate or None
    return stream.average_rate or stream.guessed_rate or None


def declared_end(container: InputContainer, stream: VideoStream) -> int | None:
    """The timestamp at which the container says this stream ends."""
    if stream.duration:
        return (stream.start_time or 0) + stream.duration
    if not stream.time_base:
        return None
    seconds = _tagged_end(stream)
    if seconds is None and container.duration and len(container.streams) == 1:
        # Matroska and Flash both mean the time of the end, not the time since the start.
        seconds = Fraction(container.duration, av.time_base)
    return None if seconds is None else round(seconds / stream.time_base)


def _tagged_end(stream: VideoStream) -> Fraction | None:
    """Matroska writes the end of each stream as a tag like 00:00:02.400000000."""
    tag = re.fullmatch(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)", stream.metadata.get("DURATION", ""))
    if tag is None:
        return None
    hours, minutes, seconds = map(Fraction, tag.groups())
    return hours * 3600 + minutes * 60 + seconds
