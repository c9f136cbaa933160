"""The backward messages of a lattice: all of them kept where they fit, else swept again run by run."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from stamina_video.transitions.paths.lattice import Lattice
from stamina_video.transitions.paths.scores import finite_or_zero
from stamina_video.transitions.paths.sweep import Combine, Sweep

# S states, R right-hand sides, I chains, L steps, M slots, E edges

KEPT = 2**25  # numbers kept at most (256 MiB) before sweeping twice is preferred

Messages = dict[tuple[int, int], Tensor]  # by (step, slot), of the chains that run there


class Behind:
    """What lies behind every (step, slot), seen from there: the sum or the best of all ways on.

    A levelled message is relative to its best state, lest a huge common part swallow differences.
    """

    def __init__(
        self,
        lattice: Lattice,
        scores_LMEI: Tensor,
        active: Sequence[int],
        exits_SRI: Tensor,
        combine: Combine = torch.logaddexp2,
        level: bool = False,
    ) -> None:
        self.lattice, self.scores_LMEI, self.active = lattice, scores_LMEI, active
        self.combine, self.level = combine, level
        self.runs = self._runs()
        self.ends_SRI: dict[range, Tensor] = {}
        self.first: Messages = {}
        for run in reversed(self.runs):
            self.ends_SRI[run] = exits_SRI
            # The first run is read first: what was just swept need not be swept again.
            exits_SRI = self._sweep(run, self.first if run == self.runs[0] else None)
        self.starts_SRI = exits_SRI

    def along(self) -> Iterator[tuple[range, Messages]]:
        """Runs of steps from first to last, each with the messages behind its steps."""
        for run in self.runs:
            messages = self.first if run == self.runs[0] else {}
            if not messages:
                self._sweep(run, messages)
            yield run, messages

    def _runs(self) -> list[range]:
        steps, slots = len(self.active), self.lattice.slots
        size = max(1, steps)
        if sum(self.active) * slots * self.lattice.states > KEPT:
            size = max(1, math.isqrt(steps // slots))  # as many messages at run ends as within a run
        return [range(start, min(start + size, steps)) for start in range(0, steps, size)]

    def _sweep(self, run: range, messages: Messages | None) -> Tensor:
        """Sweep back over one run, noting its messages if asked; returns the one at its start."""
        scores_LMEI, active = self.scores_LMEI[run.start : run.stop], self.active[run.start : run.stop]
        end_SRI = self.ends_SRI[run]
        sweep = Sweep(self.lattice, scores_LMEI, active, end_SRI, backward=True, combine=self.combine)
        for step, slot in sweep.steps(reversed(range(len(run)))):
            if messages is not None:
                messages[run.start + step, slot] = sweep.running.clone()
            sweep.accept(sweep.propose(step, slot))
            if self.level:
                sweep.running.sub_(finite_or_zero(sweep.running.amax(0, keepdim=True)))
        return sweep.message
