import numpy as np

from stamina_video.data.perception.stream import Stream, stream_of
from stamina_video.data.perception.tracks import PATIENCE, follow, sure


def seen(*lefts: list[float], score: float = 0.9) -> Stream:
    """Boxes by their left edges, one list an observation."""
    boxes = [np.array([[x, 0.2, x + 0.2, 0.6] for x in part], np.float32).reshape(-1, 4) for part in lefts]
    labels = [np.full((len(part), 2), (score, 0.01), np.float32) for part in lefts]
    motion = [np.zeros((len(part), 12), np.float32) for part in lefts]
    return stream_of(("cup", "bowl"), [k / 5 for k in range(len(lefts))], boxes, labels, motion)


def test_a_thing_is_followed_over_a_gap_but_not_for_ever() -> None:
    gap: list[list[float]] = [[]] * (PATIENCE - 1)
    assert [list(track.frames_D) for track in follow(seen([0.1], *gap, [0.12]))] == [[0, PATIENCE]]
    long: list[list[float]] = [[]] * PATIENCE
    assert len(follow(seen([0.1], *long, [0.12]))) == 2


def test_every_box_is_in_one_track() -> None:
    tracks = follow(seen([0.1, 0.6], [0.61, 0.12], [0.62, 0.14]))
    assert sorted(row for track in tracks for row in track.rows_D) == list(range(6))
    assert [list(track.rows_D) for track in tracks] == [[0, 3, 5], [1, 2, 4]]


def test_only_clear_and_lasting_tracks_are_things() -> None:
    clear, weak = seen(*[[0.1]] * 6), seen(*[[0.1]] * 6, score=0.2)
    assert len(sure(clear, follow(clear))) == 1
    assert sure(weak, follow(weak)) == []
    short = seen([0.1], [0.1])
    assert sure(short, follow(short)) == []
