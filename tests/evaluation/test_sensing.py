from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from stamina_video.evaluation.sensing import periodic, sense
from stamina_video.semantics import InvalidInput, Operator, Question, UnreadableFile

RATE, PERIOD = 20, 1.0


def swing(path: Path, seconds: float) -> Path:
    """A bright square that swings from side to side once a second."""
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=RATE, options={"preset": "ultrafast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        for number in range(round(seconds * RATE)):
            image = np.zeros((96, 128, 3), np.uint8)
            left = round(50 + 40 * np.cos(2 * np.pi * number / RATE / PERIOD))
            image[30:60, left : left + 20] = 255
            frame = av.VideoFrame.from_ndarray(image, "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    return path


def question(times: Sequence[float], id_: str = "q", operator: str = "E2-Periodic") -> Question:
    counts = tuple(int(time / PERIOD) for time in times)
    return Question(
        id_, "a.mp4", "How many swings so far?", Operator(operator), tuple(times), counts, "swing"
    )


def test_estimates_know_nothing_after_their_query(tmp_path: Path) -> None:
    swing(tmp_path / "a.mp4", 9.0)
    long = sense(question((8.4, 4.4)), tmp_path, RATE)
    short = sense(question((4.4,)), tmp_path, RATE)
    assert (long.times, long.truth) == ((4.4, 8.4), (4, 8))
    assert long.estimates == (4, 8)
    assert short.estimates == (4,)


def test_one_question_about_cycles_per_video() -> None:
    first, second, other = question((1.0,)), question((2.0,), "r"), question((1.0,), "s", "E1-Action")
    assert periodic([other, first, second]) == ([first], [second])


def test_what_cannot_be_sensed_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"a\.mp4: expected the video of a question"):
        sense(question((1.0,)), tmp_path, RATE)
    swing(tmp_path / "a.mp4", 1.0)
    with pytest.raises(InvalidInput, match="expected each query time once"):
        sense(question((0.5, 0.5)), tmp_path, RATE)
