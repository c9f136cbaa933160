"""A detector's habits as seen from outside: the same measures for a real stream and a simulated one.

Nobody drew boxes on the clips, so tracks of clearly seen things stand in for truth: a miss is an observation
between two boxes of a track, confusion a change of class along it, jitter its second difference.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.perception.stream import Ints, Stream, areas, logit, overlaps
from stamina_video.data.perception.tracks import SURE, Track, follow, sure

TWICE = (0.3, 0.6)  # overlap of a second box with the first; beyond, the detector keeps one
TOUCHING = 0.3

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A stream with its tracks, and which of its boxes are things, second boxes of things, or neither."""

    stream: Stream
    tracks: list[Track]
    thing_N: Flags
    second_N: Flags
    first_N: Ints  # of a second box: the row of the first

    @property
    def nothing_N(self) -> Flags:
        return ~self.thing_N & ~self.second_N


def followed(stream: Stream) -> Followed:
    tracks = sure(stream, follow(stream))
    thing_N = np.zeros(len(stream.scores_N), np.bool_)
    for track in tracks:
        thing_N[track.rows_D] = True
    second_N, first_N = np.zeros_like(thing_N), np.full(len(thing_N), -1)
    for start, length in zip(stream.starts_T, stream.lengths_T, strict=True):
        rows_K = np.arange(start, start + length)
        firsts, others = rows_K[thing_N[rows_K]], rows_K[~thing_N[rows_K]]
        if len(firsts) == 0 or len(others) == 0:
            continue
        overlap = overlaps(stream.boxes_N4[others], stream.boxes_N4[firsts])
        twice = (overlap.max(axis=1) > TWICE[0]) & (overlap.max(axis=1) <= TWICE[1])
        second_N[others[twice]] = True
        first_N[others[twice]] = firsts[overlap.argmax(axis=1)[twice]]
    return Followed(stream, tracks, thing_N, second_N, first_N)


def measures(parts: Sequence[Followed]) -> dict[str, float]:
    """Every statistic by its name; per observation means per observation at the streams' own rate."""
    return {**_scores(parts), **_gaps(parts), **_boxes(parts), **_names(parts), **_others(parts)}


def _scores(parts: Sequence[Followed]) -> dict[str, float]:
    tracks = [logit(part.stream.scores_N[track.rows_D]) for part in parts for track in part.tracks]
    joined = np.concatenate(tracks)
    means = np.array([track.mean() for track in tracks])
    wobble = [track - track.mean() for track in tracks]
    before, after = (np.concatenate([w[k : len(w) - 1 + k] for w in wobble]) for k in (0, 1))
    scores = 1 / (1 + np.exp(-joined))
    return {
        "things seen an observation": len(joined) / sum(len(part.stream) for part in parts),
        "median score of a thing": float(np.median(scores)),
        "share of its scores below 0.3": float((scores < 0.3).mean()),
        "share of its scores above 0.7": float((scores > 0.7).mean()),
        "score between things, sd in logits": float(means.std()),
        "score of one thing, sd in logits": float(np.concatenate(wobble).std()),
        "… correlation from one observation to the next": float((before * after).mean() / (before**2).mean()),
    }


def _gaps(parts: Sequence[Followed]) -> dict[str, float]:
    seen = missed = gaps = 0
    touching_seen = touching_missed = 0
    for part in parts:
        for track in part.tracks:
            steps = np.diff(track.frames_D)
            seen += len(steps)
            missed += int((steps - 1).sum())
            gaps += int((steps > 1).sum())
            touching_D = _touched(part, track)
            touching_seen += int(touching_D[:-1].sum())
            touching_missed += int(((steps - 1) * touching_D[:-1]).sum())
    return {
        "missed observations of a thing": missed / max(seen + missed, 1),
        "gaps that open at an observation": gaps / max(seen, 1),
        "length of a gap, observations": missed / max(gaps, 1),
        "missed where another thing of the class touches": touching_missed
        / max(touching_seen + touching_missed, 1),
    }


def _touched(part: Followed, track: Track) -> Flags:
    """In which of its observations a thing overlaps another thing of its class."""
    stream = part.stream
    touched = np.zeros(len(track.rows_D), np.bool_)
    starts_T = stream.starts_T
    for k, (frame, row) in enumerate(zip(track.frames_D, track.rows_D, strict=True)):
        rows = np.arange(starts_T[frame], starts_T[frame] + stream.lengths_T[frame])
        rows = rows[part.thing_N[rows] & (rows != row)]
        rows = rows[stream.classes_N2[rows, 0] == stream.classes_N2[row, 0]]
        touched[k] = bool((overlaps(stream.boxes_N4[[row]], stream.boxes_N4[rows]) > TOUCHING).any())
    return touched


def _boxes(parts: Sequence[Followed]) -> dict[str, float]:
    shaken, strong = [], []
    for part in parts:
        for track in part.tracks:
            next_D = np.diff(track.frames_D) == 1
            middle = np.flatnonzero(next_D[:-1] & next_D[1:]) + 1
            boxes_D4 = part.stream.boxes_N4[track.rows_D]
            bent_D4 = boxes_D4[middle] - (boxes_D4[middle - 1] + boxes_D4[middle + 1]) / 2
            size_D4 = np.tile(boxes_D4[middle, 2:] - boxes_D4[middle, :2], 2)
            shaken.append(np.abs(bent_D4) / np.maximum(size_D4, 1e-3) / np.sqrt(1.5))
            strong.append(part.stream.scores_N[track.rows_D[middle]] >= SURE)
    all_D4, sure_D = np.concatenate(shaken), np.concatenate(strong)
    return {
        "jitter of a sure box, share of its size": float(np.median(all_D4[sure_D])),
        "jitter of an unsure box": float(np.median(all_D4[~sure_D])),
        "jitter, 90th percentile": float(np.percentile(all_D4, 90)),
    }


def _names(parts: Sequence[Followed]) -> dict[str, float]:
    changes = steps = 0
    for part in parts:
        for track in part.tracks:
            best_D = part.stream.classes_N2[track.rows_D, 0]
            changes += int((best_D[1:] != best_D[:-1]).sum())
            steps += len(best_D) - 1
    rival = np.concatenate([part.stream.rival_N[part.thing_N] for part in parts])
    return {
        "changes of class, per step": changes / max(steps, 1),
        "the next class's score over the best": float(rival.mean()),
        "score of all other classes together": float(
            np.concatenate([part.stream.rest_N[part.thing_N] for part in parts]).mean()
        ),
    }


def _others(parts: Sequence[Followed]) -> dict[str, float]:
    things = sum(int(part.thing_N.sum()) for part in parts)
    second = sum(int(part.second_N.sum()) for part in parts)
    lower = [
        logit(part.stream.scores_N[part.first_N[part.second_N]]) - logit(part.stream.scores_N[part.second_N])
        for part in parts
    ]
    scores = np.concatenate([part.stream.scores_N[part.nothing_N] for part in parts])
    boxes = np.concatenate([part.stream.boxes_N4[part.nothing_N] for part in parts])
    sizes = np.log(np.maximum(areas(boxes), 1e-5))
    observations = sum(len(part.stream) for part in parts)
    stays = [stayed for part in parts for stayed in _stays(part.stream, part.nothing_N)]
    return {
        "second boxes per thing": second / max(things, 1),
        "… below the first, logits": float(np.concatenate(lower).mean()) if second else 0.0,
        "boxes on nothing an observation": len(scores) / max(observations, 1),
        "… median score": float(np.median(scores)),
        "… 90th percentile of their scores": float(np.percentile(scores, 90)),
        "… share there again at the next": float(np.mean(stays)),
        "… logarithm of their area": float(sizes.mean()),
        "… its sd": float(sizes.std()),
        "boxes an observation": sum(len(part.thing_N) for part in parts) / max(observations, 1),
    }


def _stays(stream: Stream, mask: Flags) -> list[bool]:
    """Of every box on nothing but the last observation's: whether one is there again."""
    starts_T, stayed = stream.starts_T, []
    for frame in range(len(stream) - 1):
        now, then = (np.arange(starts_T[f], starts_T[f] + stream.lengths_T[f]) for f in (frame, frame + 1))
        now = now[mask[now]]
        overlap = overlaps(stream.boxes_N4[now], stream.boxes_N4[then])
        stayed += list(overlap.max(axis=1, initial=0) > 0.5)
    return stayed
