"""A trajectory cut into stretches of observations, each with the completions it must contain."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph
from stamina_video.semantics.capacity import observations_between

# B trajectories, K segments, I chains (a segment of a trajectory), T observations, M slots, E edges


@dataclass(frozen=True)
class Segments:
    """Consecutive stretches; in a free one any number of completions may happen."""

    starts_BK: Tensor
    stops_BK: Tensor
    gains_BK: Tensor  # completions a counted stretch contains; 0 in a free one
    counted: tuple[bool, ...]
    possible_BK: Tensor  # False where a gain exceeds what the slots could do from any phase

    @classmethod
    def build(
        cls, stops_BK: Tensor, gains_BK: Tensor, counted: Sequence[bool], most_BK: Tensor
    ) -> "Segments":
        # An impossible gain must not decide how wide the count axis is.
        fits_BK = gains_BK <= most_BK
        return cls(before(stops_BK), stops_BK, gains_BK.where(fits_BK, 0), tuple(counted), fits_BK)

    @classmethod
    def between_endpoints(
        cls, endpoints_BJ: Tensor, counts_BJ: Tensor, graph: EventGraph, slots: int
    ) -> "Segments":
        """From each endpoint to the next; padding becomes empty stretches at the end."""
        stops, totals = carried(endpoints_BJ), carried(counts_BJ.where(endpoints_BJ >= 0, 0))
        gains, most = totals - before(totals), most_gained(stops - before(stops), graph, slots)
        return cls.build(stops, gains, [True] * stops.shape[1], most)

    @classmethod
    def of_intervals(
        cls, starts_BJ: Tensor, ends_BJ: Tensor, gains_BJ: Tensor, graph: EventGraph, slots: int
    ) -> "Segments":
        """A free stretch up to each interval, then the interval, whose count starts at zero."""
        stops = carried(torch.stack([starts_BJ, ends_BJ], -1).flatten(1))
        gains_BJ = gains_BJ.where(ends_BJ >= 0, 0).cpu()
        gains = torch.stack([torch.zeros_like(gains_BJ), gains_BJ], -1).flatten(1)
        most = most_gained(stops - before(stops), graph, slots)
        return cls.build(stops, gains, [False, True] * ends_BJ.shape[1], most)

    def with_tail(self, steps: int) -> "Segments":
        """The same with a free stretch from the last label to the last observation."""
        last_B1 = self.last_B[:, None]
        return Segments(
            torch.cat([self.starts_BK, last_B1], 1),
            torch.cat([self.stops_BK, torch.full_like(last_B1, steps)], 1),
            torch.cat([self.gains_BK, torch.zeros_like(last_B1)], 1),
            (*self.counted, False),
            torch.cat([self.possible_BK, torch.ones_like(last_B1, dtype=torch.bool)], 1),
        )

    @property
    def last_B(self) -> Tensor:
        """Observations used by each trajectory's labels."""
        batch = self.stops_BK.shape[0]
        return self.stops_BK[:, -1] if self.counted else self.stops_BK.new_zeros(batch)

    @property
    def empty(self) -> list[bool]:
        """The columns in which no trajectory has an observation."""
        return (self.stops_BK == self.starts_BK).all(0).tolist()

    def columns(self, counted: bool) -> list[int]:
        return [column for column, kind in enumerate(self.counted) if kind is counted]


def most_gained(lengths_BK: Tensor, graph: EventGraph, slots: int) -> Tensor:
    """The most completions in so many observations, if every slot enters in its best phase."""
    lap = observations_between(graph)
    return slots * ((lengths_BK + lap - 1) // lap)


def carried(values_BK: Tensor) -> Tensor:
    """Padding (-1) replaced by the value before it, or by zero; segments are planned off the device."""
    return values_BK.cpu().clamp(min=0).cummax(1).values if values_BK.numel() else values_BK.cpu()


def before(values_BK: Tensor) -> Tensor:
    """Each value's predecessor in its row; zero before the first."""
    return torch.cat([torch.zeros_like(values_BK[:, :1]), values_BK[:, :-1]], 1)


@dataclass(frozen=True)
class Chains:
    """The segments of some columns side by side, longest first: finished ones drop off the end."""

    rows_I: Tensor
    columns_I: Tensor
    starts_I: Tensor
    lengths_I: Tensor
    gains_I: Tensor
    active: list[int]  # chains still running at each step

    @classmethod
    def of(cls, segments: Segments, columns: Sequence[int]) -> "Chains":
        chosen = torch.tensor(columns)
        lengths_BC = (segments.stops_BK - segments.starts_BK)[:, chosen]
        order_I = lengths_BC.flatten().argsort(descending=True, stable=True)
        rows_I = torch.div(order_I, len(columns), rounding_mode="floor")
        columns_I = chosen[order_I % len(columns)]
        lengths_I = lengths_BC.flatten()[order_I]
        ended = torch.bincount(lengths_I, minlength=1).cumsum(0)
        active = (len(lengths_I) - ended).tolist()[:-1]
        return cls(
            rows_I,
            columns_I,
            segments.starts_BK[rows_I, columns_I],
            lengths_I,
            segments.gains_BK[rows_I, columns_I],
            active,
        )

    @property
    def counts(self) -> int:
        """The width of the count axis these chains need."""
        return max(self.gains_I.tolist(), default=0) + 1

    @property
    def times_LI(self) -> Tensor:
        """The observation each chain takes at each step; past its end, any valid one."""
        steps_L1 = torch.arange(len(self.active))[:, None]
        return self.starts_I + torch.minimum(steps_L1, (self.lengths_I - 1).clamp(min=0))

    @property
    def running_LI(self) -> Tensor:
        return torch.arange(len(self.active))[:, None] < self.lengths_I

    def scores(self, scores_BTME: Tensor) -> Tensor:
        """Every step's edge scores, chains last: (L, M, E, I)."""
        device = scores_BTME.device
        times_LI = self.times_LI.clamp(max=scores_BTME.shape[1] - 1)  # an empty chain may start at the end
        gathered_LIME = scores_BTME[self.rows_I.to(device), times_LI.to(device)]
        return gathered_LIME.permute(0, 2, 3, 1).contiguous()
