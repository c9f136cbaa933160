"""The labels a path sum accepts: in range, in order, with counts that never fall."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stamina_video.semantics import InvalidInput

# B trajectories, J labels

Given: TypeAlias = Tensor | NDArray[np.integer] | Sequence[Sequence[int]]


@dataclass(frozen=True)
class Ends:
    """Where each label ends, so that whatever else is wrong can say which label it concerns."""

    what: str
    ends_BJ: Tensor  # -1 pads

    @property
    def number_B(self) -> Tensor:
        return (self.ends_BJ >= 0).sum(1)

    def concerned(self, row: int, step: int) -> str:
        """The first label that this observation belongs to or precedes."""
        later = (self.ends_BJ[row] > step).nonzero().flatten().tolist()
        return f", {self.what} {later[0]}" if later else ""


def check_endpoints(endpoints: Given, counts: Given, batch: int, steps: int) -> tuple[Tensor, Tensor]:
    endpoints_BJ = check_times(endpoints, batch, steps)
    counts_BJ = _whole("counts", counts, batch, like=endpoints_BJ)
    real_BJ = endpoints_BJ >= 0
    _refuse(real_BJ & (counts_BJ < 0), "endpoint", "a count from 0", _value(counts_BJ))
    falls_BJ = _after_real(real_BJ, counts_BJ) & (counts_BJ < counts_BJ.roll(1, 1))
    _refuse(falls_BJ, "endpoint", "a cumulative count no lower than the one before", _pair(counts_BJ))
    return endpoints_BJ, counts_BJ


def check_times(endpoints: Given, batch: int, steps: int) -> Tensor:
    endpoints_BJ = _whole("endpoints", endpoints, batch)
    _check_range("endpoint", endpoints_BJ, steps)
    falls_BJ = _after_real(endpoints_BJ >= 0, endpoints_BJ) & (endpoints_BJ < endpoints_BJ.roll(1, 1))
    _refuse(falls_BJ, "endpoint", "endpoints in ascending order", _pair(endpoints_BJ))
    return endpoints_BJ


def check_intervals(
    starts: Given, ends: Given, gains: Given, batch: int, steps: int
) -> tuple[Tensor, Tensor, Tensor]:
    """One chain of interval labels per trajectory: chronological, without overlap."""
    starts_BJ, ends_BJ = check_spans(starts, ends, batch, steps)
    gains_BJ = _whole("increments", gains, batch, like=starts_BJ)
    real_BJ = ends_BJ >= 0
    overlaps_BJ = _after_real(real_BJ, ends_BJ) & (starts_BJ < ends_BJ.roll(1, 1))
    expected = "a start no earlier than the end before (overlapping labels are separate replays)"
    _refuse(overlaps_BJ, "interval", expected, _span(starts_BJ, ends_BJ))
    _refuse(real_BJ & (gains_BJ < 0), "interval", "an increment from 0", _value(gains_BJ))
    return starts_BJ, ends_BJ, gains_BJ


def check_spans(starts: Given, ends: Given, batch: int, steps: int) -> tuple[Tensor, Tensor]:
    starts_BJ = _whole("interval starts", starts, batch)
    ends_BJ = _whole("interval ends", ends, batch, like=starts_BJ)
    for bounds_BJ in (starts_BJ, ends_BJ):
        _check_range("interval", bounds_BJ, steps)
    got = _span(starts_BJ, ends_BJ)
    _refuse((ends_BJ >= 0) != (starts_BJ >= 0), "interval", "both ends, or -1 for both", got)
    _refuse(ends_BJ < starts_BJ, "interval", "an end no earlier than its start", got)
    return starts_BJ, ends_BJ


def _whole(what: str, given: Given, batch: int, like: Tensor | None = None) -> Tensor:
    """64-bit labels of the right shape: narrower types wrap around, and unsigned ones know no -1."""
    values_BJ = _tensor(what, given)
    width = "any" if like is None else like.shape[1]
    shape = tuple(values_BJ.shape)
    if len(shape) != 2 or shape[0] != batch or width not in ("any", shape[1]):
        raise InvalidInput(
            f"expected {what} of shape ({batch}, {width}), got {shape}{_missing(shape, batch, like)}"
        )
    whole = not (values_BJ.is_floating_point() or values_BJ.is_complex() or values_BJ.dtype == torch.bool)
    if values_BJ.numel() and not whole:  # an empty list has no type of its own
        raise InvalidInput(f"expected {what} as whole numbers, got {values_BJ.dtype}")
    return values_BJ.long() if like is None else values_BJ.long().to(like.device)


def _tensor(what: str, given: Given) -> Tensor:
    try:
        return torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InvalidInput(
            _ragged(what, given) or f"expected {what} as whole numbers, got {type(given).__name__}"
        ) from error


def _ragged(what: str, given: object) -> str | None:
    """The first trajectory that has more or fewer labels than the first."""
    rows = given if isinstance(given, Sequence) else []
    widths = [len(row) if isinstance(row, Sequence) else 0 for row in rows]
    odd = next((row for row, width in enumerate(widths) if width != widths[0]), None)
    if odd is None:
        return None
    return f"trajectory {odd}: expected {widths[0]} {what} as in trajectory 0 (-1 pads), got {widths[odd]}"


def _missing(shape: tuple[int, ...], batch: int, like: Tensor | None) -> str:
    """Which trajectory, or which label of the first one, has nothing."""
    if len(shape) == 2 and shape[0] < batch:
        return f": trajectory {shape[0]} has none"
    if len(shape) == 2 and shape[0] == batch and like is not None and shape[1] < like.shape[1]:
        return f": trajectory 0 has none for label {shape[1]}"
    return ""


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
