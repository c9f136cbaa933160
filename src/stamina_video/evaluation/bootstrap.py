"""Intervals by resampling parents: all rows of a video, every trajectory and seed, are drawn together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stamina_video.evaluation.results import Result, figure_names, figure_table, parent_sums
from stamina_video.semantics import InvalidInput

RESAMPLES = 10_000
CONFIDENCE = 0.95

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contrast:
    """One figure of two runs, and what B adds to A with its interval; None where nothing was eligible."""

    name: str
    metric: str
    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a run with its interval; None where nothing was eligible."""

    name: str
    metric: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the same units, resampled with the same parents."""

    parents: int
    resamples: int
    contrasts: tuple[Contrast, ...]


def intervals(result: Result, resamples: int = RESAMPLES, seed: int = 0) -> tuple[Figure, ...]:
    """Every figure of one run with its percentile interval."""
    sums_2PGM = parent_sums(result, result.parents, result.groups)
    value_NM = figure_table(result, sums_2PGM.sum(1))
    figures_RNM = _figures(result, sums_2PGM, drawn(len(result.parents), resamples, seed))
    cells_3NM = np.stack([value_NM, *interval(figures_RNM)])
    return tuple(
        Figure(name, metric, *map(_number, cells_3NM[:, n, m]))
        for n, name in enumerate(figure_names(result))
        for m, metric in enumerate(result.metrics)
    )


def compare_results(a: Result, b: Result, resamples: int = RESAMPLES, seed: int = 0) -> Comparison:
    """The paired percentile bootstrap of every figure's difference, B minus A."""
    _check_paired(a, b)
    if resamples < 1:
        raise InvalidInput(f"expected at least one resample, got {resamples}")
    parents = a.parents
    everything = np.ones((1, len(parents)))
    times_RP = drawn(len(parents), resamples, seed)
    sums = [parent_sums(result, parents, a.groups) for result in (a, b)]
    a_NM, b_NM = (_figures(a, one, everything)[0] for one in sums)
    a_RNM, b_RNM = (_figures(a, one, times_RP) for one in sums)
    cells_5NM = np.stack([a_NM, b_NM, b_NM - a_NM, *interval(b_RNM - a_RNM)])
    contrasts = tuple(
        Contrast(name, metric, *map(_number, cells_5NM[:, n, m]))
        for n, name in enumerate(figure_names(a))
        for m, metric in enumerate(a.metrics)
    )
    return Comparison(len(parents), resamples, contrasts)


def drawn(parents: int, resamples: int, seed: int) -> Floats:
    """How often each parent occurs in each resample (R resamples, P parents)."""
    generator = np.random.default_rng(seed)
    return generator.multinomial(parents, np.full(parents, 1 / parents), size=resamples).astype(float)


def interval(samples_RNM: Floats, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
    """Percentile bounds over resamples; those without an eligible unit do not count."""
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    bounds = np.full((2, *samples_RNM.shape[1:]), np.nan)
    for cell in np.ndindex(*samples_RNM.shape[1:]):
        samples_R = samples_RNM[(slice(None), *cell)]
        eligible = samples_R[~np.isnan(samples_R)]
        if eligible.size:
            bounds[(slice(None), *cell)] = np.quantile(eligible, tails)
    return bounds[0], bounds[1]


def _figures(result: Result, sums_2PGM: Floats, times_RP: Floats) -> Floats:
    """Every figure in every resample: (resamples, figures, metrics)."""
    sums_2RGM = np.tensordot(times_RP, sums_2PGM, axes=(1, 1)).swapaxes(0, 1)
    return figure_table(result, sums_2RGM)


def _check_paired(a: Result, b: Result) -> None:
    if (a.benchmark, a.metrics) != (b.benchmark, b.metrics):
        raise InvalidInput(f"expected two results of one benchmark, got {a.benchmark} and {b.benchmark}")
    unlike = {(row.id, row.parent, row.group) for row in a.rows} ^ {
        (row.id, row.parent, row.group) for row in b.rows
    }
    if unlike:
        raise InvalidInput(
            f"expected the same scored units in both results, got {len(unlike)} in one only, "
            f"the first {min(unlike)[0]!r}"
        )


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
