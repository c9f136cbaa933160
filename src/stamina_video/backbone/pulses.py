"""Plain measures of how a picture changes over seconds: cuts, beats and comings and goings.

Nothing here is learned, and nothing knows what it looks at. An event head reads them beside the decoder's
mean state: what a cut or a cycle looks like need not be learned anew for every scene.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.names import WORDS
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.backbone.perception.percept import Floats, Percept, TokenKind
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.semantics import InvalidInput

# G grid cells, L looks, V numbers of a view, P pulses

SPANS = (12, 48)  # looks that are taken together; the pace of looking follows that of the events
FORGETS = 15.0  # seconds after which a third of the widest swing is left as the measure
SHADES = 32  # numbers that stand for the appearance of a cell
FARTHEST = 3.0  # standard deviations from the middle of a swing
CROSSED = 0.3  # beyond the middle by this much, a swing is on the other side
FEWEST = 6  # looks that a swing is told from: of fewer, whatever changes first would pass for a cycle
CUT = 0.38  # more unlike than the looks before it by this much, a look shows another scene
SURE = 0.04  # around that much, one may doubt it
RECENT = 2  # looks whose change is change as usual
CLEAR = 0.3  # score of a detection that counts as something there

VIEWS = ("appearance", "colour", "standing_out", "own_motion")
MOVING = ("foreground", "moving", "standing_out")  # of the grid's channels
TIDES = (*MOVING, "detected", "away", "body")
CROWDS = ("people", "things", "regions")
PULSES = (
    *("changed", "sudden", "cut", "beat"),
    *(f"{view}_{part}_{span}" for view in VIEWS for span in SPANS for part in ("level", "step", "crossed")),
    *(f"{tide}_{part}" for tide in TIDES for part in ("level", "step", "crossed")),
    *(f"{crowd}_{part}" for crowd in CROWDS for part in GAIT),
)
PERSON = list(WORDS).index("person")


@dataclass(frozen=True, slots=True, eq=False)
class Swing:
    """Along which line a view swings, how wide it swung (slowly forgotten), and on which side it was last."""

    axis_V: Floats
    peak: float = 0.0
    side: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Tide:
    """How much there is, the least and the most there was (slowly forgotten), and the side it was last on."""

    amount: float
    least: float
    most: float
    side: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """What is kept to feel the next pulse. A value: fork it, save it, send it."""

    time: float
    changes: tuple[float, ...]  # of the last looks, each against the one before it
    views: Mapping[str, Floats]  # (1 + L, V): the first look of the scene, then the last ones
    swings: Mapping[str, tuple[Swing, ...]]  # of each view, one for each span
    tides: tuple[Tide, ...]

    def arrays(self) -> dict[str, NDArray[Any]]:
        named: dict[str, NDArray[Any]] = {
            "time": np.array([self.time]),
            "changes": np.array(self.changes),
            "tides": np.array([(tide.amount, tide.least, tide.most, tide.side) for tide in self.tides]),
        }
        for view, swings in self.swings.items():
            named[f"views.{view}"] = self.views[view]
            named[f"axes.{view}"] = np.stack([swing.axis_V for swing in swings])
            named[f"swings.{view}"] = np.array([(swing.peak, swing.side) for swing in swings])
        return named

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Past":
        """Undo `arrays`, as after loading a snapshot."""

        def swings(view: str) -> tuple[Swing, ...]:
            pairs = zip(arrays[f"axes.{view}"], arrays[f"swings.{view}"].tolist(), strict=True)
            return tuple(Swing(axis_V, *wide) for axis_V, wide in pairs)

        try:
            return cls(
                float(arrays["time"][0]),
                tuple(arrays["changes"].tolist()),
                {view: arrays[f"views.{view}"] for view in VIEWS},
                {view: swings(view) for view in VIEWS},
                tuple(Tide(*row) for row in arrays["tides"].tolist()),
            )
        except KeyError as error:
            raise InvalidInput(f"expected the past of pulses, got nothing for {error}") from None


def feel(percept: Percept, time: float, past: Past | None) -> tuple[Floats, Past]:
    """The pulses of one look, and what to keep for the next."""
    now = _views(percept)
    changes = (
        () if past is None else (*past.changes, _unlike(past.views["appearance"][-1], now["appearance"]))
    )
    sudden = changes[-1] - max(changes[:-1], default=0.0) if changes else 0.0
    if past is None or sudden > CUT:
        past = _nothing_yet(now, _amounts(percept, now["appearance"], now["appearance"]), time)
    amounts = _amounts(percept, now["appearance"], past.views["appearance"][0])
    kept = math.exp(-max(time - past.time, 0.0) / FORGETS)
    cut = 1 / (1 + math.exp((CUT - sudden) / SURE))
    pulses, views, swings = [5 * changes[-1] if changes else 0.0, 5 * sudden, 2 * cut, _beat(percept)], {}, {}
    for name in VIEWS:
        first_V, recent_LV = past.views[name][0], past.views[name][1:]
        recent_LV = np.concatenate([recent_LV, now[name][None]])[-max(SPANS) :]
        views[name] = np.concatenate([first_V[None], recent_LV])
        felt = [
            _swung(recent_LV[-span:], first_V, swing, kept)
            for span, swing in zip(SPANS, past.swings[name], strict=True)
        ]
        swings[name] = tuple(swing for swing, _ in felt)
        pulses += [number for _, told in felt for number in told]
    risen = [_risen(amount, tide, kept) for amount, tide in zip(amounts, past.tides, strict=True)]
    pulses += [number for _, told in risen for number in told]
    pulses += _crowds(percept)
    return np.array(pulses, np.float32), Past(
        time, changes[-RECENT:], views, swings, tuple(tide for tide, _ in risen)
    )


def _nothing_yet(now: Mapping[str, Floats], amounts: Sequence[float], time: float) -> Past:
    return Past(
        time,
        (),
        {name: view_V[None] for name, view_V in now.items()},
        {name: tuple(Swing(np.zeros_like(view_V)) for _ in SPANS) for name, view_V in now.items()},
        tuple(Tide(amount, amount, amount) for amount in amounts),
    )


def _views(percept: Percept) -> dict[str, Floats]:
    """The grid's cells under each view: looks are compared place by place, whatever stands there."""
    cells = percept.of_kind(TokenKind.GRID)
    appearance_GP, motion_GM = percept.appearance_NP[cells], percept.motion_NM[cells]
    length_G1 = np.maximum(np.linalg.norm(appearance_GP, axis=1, keepdims=True), 1e-6)
    views = {
        "appearance": appearance_GP / length_G1 @ _shades(appearance_GP.shape[1]),
        "colour": percept.colour_NC[cells],
        "standing_out": _channels(motion_GM, "standing_out"),
        "own_motion": _channels(motion_GM, "own_dx", "own_dy"),
    }
    return {name: np.ascontiguousarray(view.ravel(), np.float32) for name, view in views.items()}


def _amounts(percept: Percept, looks_V: Floats, first_V: Floats) -> list[float]:
    """How much of each tide there is; `first_V` is how the scene looked at first."""
    motion_GM = percept.motion_NM[percept.of_kind(TokenKind.GRID)]
    things = percept.of_kind(TokenKind.DETECTION)
    scores, boxes_K4 = percept.scores_N[things], percept.boxes_N4[things]
    heights = percept.names_NS[things, PERSON] * (boxes_K4[:, 3] - boxes_K4[:, 1])
    return [
        *(float(_channels(motion_GM, name).sum()) / max(len(motion_GM), 1) for name in MOVING),
        float(scores[scores > CLEAR].sum()),
        float(_unlike_G(first_V, looks_V).mean()) if looks_V.size else 0.0,
        float(heights.max(initial=0)),
    ]


def _crowds(percept: Percept) -> list[float]:
    """How all people, all things and all regions move, each taken together."""
    if percept.life_NL.shape[1] != len(LIFE_CHANNELS):
        return [0.0] * len(CROWDS) * len(GAIT)
    things, regions = percept.of_kind(TokenKind.DETECTION), percept.of_kind(TokenKind.REGION)
    weights = (
        (things, percept.names_NS[things, PERSON]),
        (things, percept.scores_N[things]),
        (regions, np.ones(len(regions), np.float32)),
    )
    gathered = [
        weight_K @ percept.life_NL[rows, -len(GAIT) :] / math.sqrt(1 + weight_K.sum())
        for rows, weight_K in weights
    ]
    return [float(number) for gathered_G in gathered for number in gathered_G]


def _beat(percept: Percept) -> float:
    """Where the one that sways most widely stands along its way."""
    if percept.life_NL.shape[1] != len(LIFE_CHANNELS):
        return 0.0
    sways_N, beats_N = (percept.life_NL[:, LIFE_CHANNELS.index(name)] for name in ("sway", "beat"))
    return float(beats_N[sways_N.argmax()]) if len(sways_N) else 0.0


def _channels(motion_GM: Floats, *names: str) -> Floats:
    columns = [MOTION_CHANNELS.index(name) for name in names]
    return motion_GM[:, [column for column in columns if column < motion_GM.shape[1]]]


@cache
def _shades(width: int) -> Floats:
    """A few cosines, square to each other: as good as a random projection, and the same everywhere."""
    waves_S = 1 + np.arange(SHADES) * max((width - 1) // SHADES, 1)
    angles_PS = np.pi * (np.arange(width)[:, None] + 0.5) / width * waves_S
    return np.asarray(math.sqrt(2 / SHADES) * np.cos(angles_PS), np.float32)


def _unlike(before_V: Floats, after_V: Floats) -> float:
    """How unlike two looks are: one less the cosine, in the middle of all places."""
    return float(np.median(_unlike_G(before_V, after_V))) if after_V.size else 0.0


def _unlike_G(before_V: Floats, after_V: Floats) -> Floats:
    before_GS, after_GS = before_V.reshape(-1, SHADES), after_V.reshape(-1, SHADES)
    lengths_G = np.linalg.norm(before_GS, axis=1) * np.linalg.norm(after_GS, axis=1)
    return np.asarray(1 - (before_GS * after_GS).sum(1) / np.maximum(lengths_G, 1e-6), np.float32)


Told = tuple[float, float, float]  # level, step, crossed


def _swung(view_LV: Floats, first_V: Floats, before: Swing, kept: float) -> tuple[Swing, Told]:
    """Where the last look stands along the line on which these looks vary the most.

    In standard deviations, less where the swing is small against the widest seen: noise does not beat. The
    scene's first look stands low; whether the swing crossed its middle does not depend on that.
    """
    peak = kept * before.peak
    if len(view_LV) < FEWEST:
        return replace(before, peak=peak), (0.0, 0.0, 0.0)
    middle_V = view_LV.mean(0, dtype=np.float64)
    varied_LV = view_LV - middle_V
    variances_L, lines_LL = np.linalg.eigh(varied_LV @ varied_LV.T)
    if variances_L[-1] <= 1e-12:
        return replace(before, peak=peak), (0.0, 0.0, 0.0)
    line_L = lines_LL[:, -1]  # where each look stands, up to sign and scale
    axis_V = varied_LV.T @ line_L
    if axis_V @ before.axis_V < 0:
        line_L, axis_V = -line_L, -axis_V
    deviation = math.sqrt(variances_L[-1] / len(view_LV))
    peak = max(peak, deviation)
    places_L = line_L * math.sqrt(len(view_LV)) * (deviation / peak)
    level, step = (_bounded(one) for one in (places_L[-1], places_L[-1] - places_L[-2]))
    side = _side(level, before.side)
    up = -1.0 if (first_V - middle_V) @ axis_V > 0 else 1.0
    swing = Swing(np.asarray(axis_V / np.linalg.norm(axis_V), np.float32), peak, side)
    return swing, (up * level, up * step, float(side * before.side < 0))


def _risen(amount: float, before: Tide, kept: float) -> tuple[Tide, Told]:
    """How much there is between the least and the most there was lately, and its rise."""
    middle = (before.least + before.most) / 2
    least = min(amount, middle + kept * (before.least - middle))
    most = max(amount, middle + kept * (before.most - middle))
    reach = most - least
    if reach <= 0:
        return Tide(amount, least, most, before.side), (-1.0, 0.0, 0.0)
    level = 2 * (amount - least) / reach - 1
    side = _side(level, before.side)
    told = (level, 2 * (amount - before.amount) / reach, side if side * before.side < 0 else 0.0)
    return Tide(amount, least, most, side), told


def _bounded(number: float) -> float:
    return float(np.clip(number, -FARTHEST, FARTHEST))


def _side(level: float, before: float) -> float:
    """Of the middle; near it, the side that it came from."""
    return math.copysign(1.0, level) if abs(level) > CROSSED else before
