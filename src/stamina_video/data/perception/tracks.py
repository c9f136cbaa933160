"""Follows boxes from one observation to the next. Stands in for truth where nobody drew boxes by hand."""

from dataclasses import dataclass

import numpy as np

from stamina_video.data.perception.stream import Ints, Stream, overlaps

SAME = 0.3  # overlap with where it was seen last
PATIENCE = 3  # observations a thing may stay unseen before its track ends
SURE = 0.4  # a score that a track of a real thing reaches once
SHORTEST = 5  # observations with a box


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One thing's boxes: the observations it was reported in, and the rows of its boxes."""

    frames_D: Ints
    rows_D: Ints


def follow(stream: Stream) -> list[Track]:
    """Every box in exactly one track; the greatest overlaps are joined first."""
    ended: list[tuple[list[int], list[int]]] = []
    going: list[tuple[list[int], list[int]]] = []
    starts_T = stream.starts_T
    for frame in range(len(stream)):
        alive = [track for track in going if frame - track[0][-1] <= PATIENCE]
        ended += [track for track in going if frame - track[0][-1] > PATIENCE]
        rows_K = starts_T[frame] + np.arange(stream.lengths_T[frame])
        last_A = np.array([track[1][-1] for track in alive], np.int64)
        overlap_AK = overlaps(stream.boxes_N4[last_A], stream.boxes_N4[rows_K])
        taken: set[int] = set()
        joined: set[int] = set()
        for flat in np.argsort(-overlap_AK, axis=None, kind="stable"):
            track, column = divmod(int(flat), len(rows_K))
            if overlap_AK[track, column] < SAME:
                break
            if track in joined or column in taken:
                continue
            joined.add(track)
            taken.add(column)
            alive[track][0].append(frame)
            alive[track][1].append(int(rows_K[column]))
        going = alive + [([frame], [int(row)]) for k, row in enumerate(rows_K) if k not in taken]
    return [Track(np.array(frames), np.array(rows)) for frames, rows in ended + going]


def sure(stream: Stream, tracks: list[Track]) -> list[Track]:
    """The tracks that are probably things: long enough, and once clearly seen."""
    return [
        track
        for track in tracks
        if len(track.rows_D) >= SHORTEST and stream.scores_N[track.rows_D].max() >= SURE
    ]
