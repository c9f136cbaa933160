"""The labels a path sum accepts: in range, in order, with counts that never fall."""

from collections.abc import Callable

import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput

# B trajectories, J labels


def check_endpoints(endpoints_BJ: Tensor, counts_BJ: Tensor, batch: int, steps: int) -> None:
    check_times(endpoints_BJ, batch, steps)
    _check_whole("counts", counts_BJ, batch, like=endpoints_BJ)
    real_BJ = endpoints_BJ >= 0
    _refuse(real_BJ & (counts_BJ < 0), "endpoint", "a count from 0", _value(counts_BJ))
    falls_BJ = _after_real(real_BJ, counts_BJ) & (counts_BJ < counts_BJ.roll(1, 1))
    _refuse(falls_BJ, "endpoint", "a cumulative count no lower than the one before", _pair(counts_BJ))


def check_times(endpoints_BJ: Tensor, batch: int, steps: int) -> None:
    _check_whole("endpoints", endpoints_BJ, batch)
    _check_range("endpoint", endpoints_BJ, steps)
    falls_BJ = _after_real(endpoints_BJ >= 0, endpoints_BJ) & (endpoints_BJ < endpoints_BJ.roll(1, 1))
    _refuse(falls_BJ, "endpoint", "endpoints in ascending order", _pair(endpoints_BJ))


def check_intervals(starts_BJ: Tensor, ends_BJ: Tensor, gains_BJ: Tensor, batch: int, steps: int) -> None:
    """One chain of interval labels per trajectory: chronological, without overlap."""
    check_spans(starts_BJ, ends_BJ, batch, steps)
    _check_whole("increments", gains_BJ, batch, like=starts_BJ)
    real_BJ = ends_BJ >= 0
    overlaps_BJ = _after_real(real_BJ, ends_BJ) & (starts_BJ < ends_BJ.roll(1, 1))
    expected = "a start no earlier than the end before (overlapping labels are separate replays)"
    _refuse(overlaps_BJ, "interval", expected, _span(starts_BJ, ends_BJ))
    _refuse(real_BJ & (gains_BJ < 0), "interval", "an increment from 0", _value(gains_BJ))


def check_spans(starts_BJ: Tensor, ends_BJ: Tensor, batch: int, steps: int) -> None:
    _check_whole("interval starts", starts_BJ, batch)
    _check_whole("interval ends", ends_BJ, batch, like=starts_BJ)
    for bounds_BJ in (starts_BJ, ends_BJ):
        _check_range("interval", bounds_BJ, steps)
    got = _span(starts_BJ, ends_BJ)
    _refuse((ends_BJ >= 0) != (starts_BJ >= 0), "interval", "both ends, or -1 for both", got)
    _refuse(ends_BJ < starts_BJ, "interval", "an end no earlier than its start", got)


def _check_whole(what: str, values_BJ: Tensor, batch: int, like: Tensor | None = None) -> None:
    width = "any" if like is None else like.shape[1]
    if values_BJ.dim() != 2 or values_BJ.shape[0] != batch or width not in ("any", values_BJ.shape[1]):
        raise InvalidInput(f"expected {what} of shape ({batch}, {width}), got {tuple(values_BJ.shape)}")
    if values_BJ.is_floating_point() or values_BJ.dtype == torch.bool:
        raise InvalidInput(f"expected {what} as whole numbers, got {values_BJ.dtype}")


def _check_range(what: str, times_BJ: Tensor, steps: int) -> None:
    outside_BJ = (times_BJ < -1) | (times_BJ > steps)
    _refuse(outside_BJ, what, f"0 to {steps} observations consumed, or -1 to pad", _value(times_BJ))
    real_BJ = times_BJ >= 0
    resumed_BJ = real_BJ & ~real_BJ.roll(1, 1)
    resumed_BJ[:, :1] = False
    _refuse(resumed_BJ, what, "padding (-1) only after the last one", _value(times_BJ))


def _after_real(real_BJ: Tensor, values_BJ: Tensor) -> Tensor:
    """Real labels with a label before them."""
    first_BJ = torch.zeros_like(values_BJ, dtype=torch.bool)
    first_BJ[:, :1] = True
    return real_BJ & ~first_BJ


Describe = Callable[[int, int], object]


def _refuse(wrong_BJ: Tensor, what: str, expected: str, got: Describe) -> None:
    """Name the first wrong label, in trajectory order."""
    if wrong_BJ.any():
        row, column = wrong_BJ.nonzero()[0].tolist()
        raise InvalidInput(f"trajectory {row}, {what} {column}: expected {expected}, got {got(row, column)}")


def _value(values_BJ: Tensor) -> Describe:
    return lambda row, column: int(values_BJ[row, column])


def _pair(values_BJ: Tensor) -> Describe:
    return lambda row, column: f"{int(values_BJ[row, column - 1])} then {int(values_BJ[row, column])}"


def _span(starts_BJ: Tensor, ends_BJ: Tensor) -> Describe:
    return lambda row, column: f"{int(starts_BJ[row, column])} to {int(ends_BJ[row, column])}"
