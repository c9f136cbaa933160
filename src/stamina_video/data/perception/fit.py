"""Fits a detector's statistics to real streams, and says how well simulated ones agree.

What can be read off is read off. The rest is found by simulating over the real tracks and moving each number
until the measure it governs agrees: the same measure on both sides makes up for what tracks cannot show.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stamina_video.data.perception.measure import Followed, followed, measures
from stamina_video.data.perception.simulate import REFERENCE_AREA, simulate
from stamina_video.data.perception.statistics import Statistics
from stamina_video.data.perception.stream import Floats, Stream, areas, logit, overlaps
from stamina_video.data.perception.things import Things, covered, things_followed
from stamina_video.semantics import InvalidInput

ROUNDS = 14
SEED = 101  # of the rounds; agreement is judged with another
FEWEST = 20  # tracks; fewer say nothing about a detector
RIVALS = 4  # kept of every class


@dataclass(frozen=True, slots=True)
class Agreement:
    """One measure of the real streams and of simulated ones."""

    name: str
    measured: float
    simulated: float

    @property
    def difference(self) -> float:
        return self.simulated - self.measured


@dataclass(frozen=True, slots=True)
class Fit:
    statistics: Statistics
    agreements: tuple[Agreement, ...]
    streams: int
    observations: int
    tracks: int


@dataclass(frozen=True, slots=True)
class Knob:
    """A number of the statistics, the measure it governs, and how it moves: added to, or multiplied."""

    field: str
    measure: str
    gain: float
    low: float
    high: float
    factor: bool = True

    def turned(self, value: float, measured: float, simulated: float) -> float:
        if self.factor:
            ratio = max(measured, 1e-4) / max(simulated, 1e-4)
            value *= min(max(ratio**self.gain, 0.6), 1.6)
        else:
            value += self.gain * (measured - simulated)
        return min(max(value, self.low), self.high)


KNOBS = (
    Knob("score_mean", "median score of a thing", 2.0, -4, 6, factor=False),
    Knob("score_spread", "score between things, sd in logits", 0.7, 0.05, 4),
    Knob("score_wobble", "score of one thing, sd in logits", 0.7, 0.05, 3),
    Knob("score_persistence", "… correlation from one observation to the next", 0.5, 0.0, 0.97, factor=False),
    Knob("blink", "gaps that open at an observation", 0.6, 1e-4, 0.4),
    Knob("blink_back", "length of a gap, observations", -0.8, 0.1, 0.98),
    Knob("merge", "missed where another thing of the class touches", 0.5, 1e-3, 0.9),
    Knob("jitter", "jitter of a sure box, share of its size", 0.8, 1e-4, 0.2),
    Knob("jitter_weak", "jitter of an unsure box", 0.8, 1e-4, 0.4),
    Knob("jitter_tail", "jitter, 90th percentile", 0.8, 1.0, 12.0),
    Knob("rival_gap", "the next class's score over the best", -0.7, 0.1, 6.0),
    Knob("rival_spread", "changes of class, per step", 0.3, 0.05, 6.0),
    Knob("duplicate", "second boxes per thing", 0.6, 1e-3, 0.95),
    Knob("duplicate_cost", "… below the first, logits", 0.6, 0.05, 4.0),
    Knob("clutter", "boxes on nothing an observation", 0.6, 1e-3, 20.0),
    Knob("clutter_mean", "… median score", 6.0, -5, 1, factor=False),
    Knob("clutter_spread", "… 90th percentile of their scores", 1.0, 0.05, 3.0),
    Knob("clutter_stays", "… share there again at the next", 0.5, 0.02, 0.97, factor=False),
    Knob("rest", "score of all other classes together", 0.8, 1e-3, 3.0),
)


def _silence(line: str) -> None:
    """Say nothing."""


def fit_statistics(streams: Sequence[Stream], progress: Callable[[str], None] = _silence) -> Fit:
    """The statistics of a detector from its streams of real video, observed five times a second."""
    parts = [followed(stream) for stream in streams if len(stream) > 1]
    tracks = sum(len(part.tracks) for part in parts)
    if tracks < FEWEST:
        raise InvalidInput(f"expected at least {FEWEST} tracks of clearly seen things, got {tracks}")
    measured = measures(parts)
    things = [things_followed(part.stream, part.tracks) for part in parts]
    statistics = _read_off(parts, things)
    best, best_error = statistics, np.inf
    for number in range(ROUNDS):
        simulated = _simulated(things, statistics, SEED)
        error = sum(_apart_by(measured[knob.measure], simulated[knob.measure]) for knob in KNOBS)
        if error < best_error:
            best, best_error = statistics, error
        progress(f"round {number + 1} of {ROUNDS}: mean log ratio {error / len(KNOBS):.3f}")
        turned: dict[str, Any] = {
            knob.field: knob.turned(
                getattr(statistics, knob.field), measured[knob.measure], simulated[knob.measure]
            )
            for knob in KNOBS
        }
        statistics = replace(statistics, **turned)
    rounded = _rounded(best)
    simulated = _simulated(things, rounded, SEED + 1)
    return Fit(
        rounded,
        tuple(Agreement(name, value, simulated[name]) for name, value in measured.items()),
        len(parts),
        sum(len(part.stream) for part in parts),
        tracks,
    )


def _apart_by(measured: float, simulated: float) -> float:
    """The logarithm of their ratio, whichever is greater."""
    return abs(float(np.log(max(simulated, 1e-3) / max(measured, 1e-3))))


def _simulated(things: Iterable[Things], statistics: Statistics, seed: int) -> dict[str, float]:
    return measures([followed(simulate(part, statistics, seed)) for part in things])


def _read_off(parts: Sequence[Followed], things: Sequence[Things]) -> Statistics:
    streams = [part.stream for part in parts]
    per_size, hidden = _score_slopes(parts, things)
    sizes, names = _clutter_of(parts)
    gain, noise = _flow_slopes(parts)
    return Statistics(
        vocabulary=streams[0].vocabulary,
        floor=float(min(stream.scores_N.min(initial=1) for stream in streams)),
        most=int(max(stream.lengths_T.max(initial=1) for stream in streams)),
        apart=_apart(streams),
        score_mean=0.5, score_per_size=per_size, score_spread=0.7, score_wobble=0.6, score_persistence=0.7,
        hidden_cost=hidden, blink=0.03, blink_back=0.6, merge=0.1, jitter=0.02, jitter_weak=0.03,
        jitter_tail=3.0, rival_gap=2.0, rival_spread=1.0, rest=0.3, duplicate=0.2, duplicate_cost=1.0,
        clutter=1.0, clutter_stays=0.6, clutter_mean=-1.6, clutter_spread=0.4,
        clutter_size=float(sizes.mean()), clutter_size_spread=float(sizes.std()),
        flow_gain=gain, flow_noise=noise,
        difference=_photometric(parts, 10), standing_out=_photometric(parts, 11),
        rivals=_rivals(parts), clutter_classes=names,
    )  # fmt: skip


def _apart(streams: Sequence[Stream]) -> float:
    """The greatest overlap of two boxes that were both reported."""
    greatest = 0.0
    for stream in streams:
        for start, length in zip(stream.starts_T, stream.lengths_T, strict=True):
            boxes = stream.boxes_N4[start : start + length]
            overlap = overlaps(boxes, boxes)
            np.fill_diagonal(overlap, 0)
            greatest = max(greatest, float(overlap.max(initial=0)))
    return greatest


def _score_slopes(parts: Sequence[Followed], things: Sequence[Things]) -> tuple[float, float]:
    """How a thing's score falls with its size (between things) and with what covers it (of one thing)."""
    sizes, levels, hidden, dips = [], [], [], []
    for part, thing in zip(parts, things, strict=True):
        hidden_TE = covered(thing.boxes_TE4, thing.shown_TE > 0)
        for e, track in enumerate(part.tracks):
            scores_D = logit(part.stream.scores_N[track.rows_D])
            sizes.append(np.log(areas(part.stream.boxes_N4[track.rows_D]).mean() / REFERENCE_AREA))
            levels.append(scores_D.mean())
            hidden.append(hidden_TE[track.frames_D, e] - hidden_TE[track.frames_D, e].mean())
            dips.append(scores_D - scores_D.mean())
    cover, dip = np.concatenate(hidden), np.concatenate(dips)
    cost = -float((cover * dip).sum() / max(float((cover * cover).sum()), 1e-6))
    return float(np.polyfit(sizes, levels, 1)[0]), max(cost, 0.0)


def _flow_slopes(parts: Sequence[Followed]) -> tuple[float, float]:
    """How much of a box's displacement its mean flow shows, and what is left over."""
    moved, shown = [], []
    for part in parts:
        for track in part.tracks:
            steady = np.flatnonzero(np.diff(track.frames_D) == 1) + 1
            boxes_D4 = part.stream.boxes_N4[track.rows_D]
            centres_D2 = (boxes_D4[:, :2] + boxes_D4[:, 2:]) * 50
            moved.append((centres_D2[steady] - centres_D2[steady - 1])[:, 0])
            shown.append(part.stream.motion_NM[track.rows_D[steady], 1])
    x, y = np.concatenate(moved), np.concatenate(shown)
    near = np.abs(x) < 5  # a box that jumps farther has changed its mind, not its place
    gain = float((x[near] * y[near]).sum() / max(float((x[near] ** 2).sum()), 1e-6))
    return min(max(gain, 0.05), 1.0), float(np.median(np.abs(y[near] - gain * x[near])) / 0.6745)


def _photometric(parts: Sequence[Followed], channel: int) -> tuple[float, float]:
    speed = np.concatenate([part.stream.motion_NM[part.thing_N, 7] for part in parts])
    value = np.concatenate([part.stream.motion_NM[part.thing_N, channel] for part in parts])
    slope, rest = np.polyfit(speed, value, 1)
    return round(float(rest), 3), round(float(slope), 3)


def _rivals(parts: Sequence[Followed]) -> dict[str, dict[str, float]]:
    words = parts[0].stream.vocabulary
    counts: dict[str, Counter[str]] = {}
    for part in parts:
        for best, rival in part.stream.classes_N2[part.thing_N]:
            counts.setdefault(words[best], Counter())[words[rival]] += 1
    return {word: _shares(counts[word], RIVALS) for word in sorted(counts)}


def _clutter_of(parts: Sequence[Followed]) -> tuple[Floats, dict[str, float]]:
    words, counts, sizes = parts[0].stream.vocabulary, Counter[str](), []
    for part in parts:
        counts.update(words[best] for best in part.stream.classes_N2[part.nothing_N, 0])
        sizes.append(np.log(np.maximum(areas(part.stream.boxes_N4[part.nothing_N]), 1e-5)))
    return np.concatenate(sizes), _shares(counts, len(words))


def _shares(counts: Counter[str], most: int) -> dict[str, float]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    total = sum(count for _, count in ordered)
    return {word: round(count / total, 4) for word, count in ordered if count / total >= 0.0005}


def _rounded(statistics: Statistics) -> Statistics:
    """Four digits: more would say that we know more."""
    numbers: dict[str, Any] = {
        name: float(f"{value:.4g}")
        for name in Statistics.__dataclass_fields__
        if isinstance(value := getattr(statistics, name), float)
    }
    return replace(statistics, **numbers)
