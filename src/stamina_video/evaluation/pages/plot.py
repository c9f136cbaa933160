"""Counts over time as an inline SVG drawing. Colours come from the page's style sheet."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 720, 190
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 14, 34

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points; stepped ones hold their count until the next point."""

    look: str  # a class of the style sheet: truth, a or b
    points: Sequence[Point]
    stepped: bool = False
    dotted: bool = True  # mark every point


@dataclass(frozen=True, slots=True)
class Miss:
    """An answer that is not the truth; None where there was no valid one."""

    time: float
    truth: float
    answer: float | None


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over a shared clock; commits as ticks below, misses in red, unseen stretches in grey."""

    curves: Sequence[Curve]
    end: float
    misses: Sequence[Miss] = ()
    commits: Sequence[tuple[str, float, int]] = ()  # look, time, increment
    unseen: Sequence[tuple[float, float]] = ()
    label: str = "counts over time"

    def svg(self) -> Markup:
        """The drawing. Its only words that are not numbers are the label's, which are escaped."""
        scale = _Scale(self.end or 1.0, *self._range())
        parts = (
            *(_unseen(scale, start, end) for start, end in self.unseen),
            *_axes(scale),
            *(_curve(scale, curve) for curve in self.curves),
            *(_miss(scale, miss) for miss in self.misses),
            *(_commit(scale, *commit) for commit in self.commits),
        )
        opening = (
            f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(self.label)}">'
        )
        return Markup(f"{opening}{''.join(parts)}</svg>")

    def _range(self) -> tuple[float, float]:
        counts = [count for curve in self.curves for _, count in curve.points]
        counts += [miss.answer for miss in self.misses if miss.answer is not None]
        return min(0.0, *counts), max(1.0, *counts)


@dataclass(frozen=True, slots=True)
class _Scale:
    end: float
    low: float
    high: float

    def x(self, time: float) -> float:
        share = min(max(time / self.end, 0.0), 1.0)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, count: float) -> float:
        share = (count - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _axes(scale: _Scale) -> Iterator[str]:
    for count in ticks(scale.low, scale.high, 5, whole=True):
        y = scale.y(count)
        yield f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield f'<text text-anchor="end" x="{LEFT - 7}" y="{y + 4}">{count:g}</text>'
    for time in ticks(0.0, scale.end, 8):
        yield f'<text text-anchor="middle" x="{scale.x(time)}" y="{HEIGHT - 4}">{time:g} s</text>'


def ticks(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    """Round values within a range, at most about so many."""
    rough = max((high - low) / most, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    step = max(step, 1.0) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _curve(scale: _Scale, curve: Curve) -> str:
    corners = [(scale.x(time), scale.y(count)) for time, count in curve.points]
    leg = "H{}V{}" if curve.stepped else "L{} {}"
    path = "".join(leg.format(x, y) if index else f"M{x} {y}" for index, (x, y) in enumerate(corners))
    radius = 4.5 if curve.look == "truth" else 3
    dots = (
        f'<circle cx="{x}" cy="{y}" r="{radius}"><title>{count:g} at {time:g} s</title></circle>'
        for (x, y), (time, count) in zip(corners, curve.points, strict=True)
        if curve.dotted
    )
    return f'<g class="{curve.look}"><path d="{path}"/>{"".join(dots)}</g>'


def _miss(scale: _Scale, miss: Miss) -> str:
    x, truth = scale.x(miss.time), scale.y(miss.truth)
    moment = f"at {miss.time:g} s, truth {miss.truth:g}"
    if miss.answer is None:
        cross = f"M{x - 5} {truth - 5}l10 10m0 -10l-10 10"
        return f'<path class="miss" d="{cross}"><title>no valid answer {moment}</title></path>'
    answer = scale.y(miss.answer)
    return (
        f'<path class="miss" d="M{x} {truth}V{answer}"/>'
        f'<circle class="miss" cx="{x}" cy="{answer}" r="5.5">'
        f"<title>answered {miss.answer:g} {moment}</title></circle>"
    )


def _commit(scale: _Scale, look: str, time: float, delta: int) -> str:
    """A triangle under the axis, up for what came and down for what went."""
    base, tip = (HEIGHT - BOTTOM + 12, -7) if delta > 0 else (HEIGHT - BOTTOM + 5, 7)
    corners = f"M{scale.x(time) - 4} {base}h8l-4 {tip}z"
    return (
        f'<path class="commit {look}" d="{corners}"><title>committed {delta:+d} at {time:g} s</title></path>'
    )


def _unseen(scale: _Scale, start: float, end: float) -> str:
    x = scale.x(start)
    return (
        f'<rect class="unseen" x="{x}" y="{TOP}" width="{max(scale.x(end) - x, 2)}" '
        f'height="{HEIGHT - TOP - BOTTOM}"><title>not observed from {start:g} to {end:g} s</title></rect>'
    )
