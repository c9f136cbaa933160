"""Some segments of every trajectory as chains on one lattice, swept forward and backward."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from stamina_video.transitions.paths.behind import Behind
from stamina_video.transitions.paths.lattice import Lattice, entering
from stamina_video.transitions.paths.problem import Problem
from stamina_video.transitions.paths.scores import IMPOSSIBLE, finite_or_zero, log2sumexp2
from stamina_video.transitions.paths.segments import Chains
from stamina_video.transitions.paths.sweep import Combine, Sweep, first

# B trajectories, C columns of segments, I chains, P joint phases, S states, R entries, L steps,
# M slots, E edges, A phases

BLOCK = 2**15 - 1  # states summed at once: just below the size at which torch wakes its threads


class Part:
    """Columns of the segments that are all counted or all free."""

    def __init__(self, problem: Problem, columns: Sequence[int]) -> None:
        scores_BTME, segments = problem.scores_BTME, problem.segments
        device = scores_BTME.device
        self.chains = Chains.of(segments, columns)
        self.rows_I = self.chains.rows_I.to(device)
        self.columns_I = self.chains.columns_I.to(device)
        self.gains_I = self.chains.gains_I.to(device)
        self.scores_LMEI = self.chains.scores(scores_BTME)
        counted = segments.counted[columns[0]]
        self.lattice = Lattice(problem.graph, scores_BTME.shape[2], self.chains.counts, blind=not counted)

    def forward(self, entries_PRI: Tensor) -> Tensor:
        """Log mass at each chain's wanted count, by exit phase, from these entry messages."""
        return self._from_count(self._sweep(entries_PRI).run(), self.gains_I)

    def behind(
        self, exits_PI: Tensor, combine: Combine = torch.logaddexp2, level: bool = False
    ) -> tuple[Behind, Tensor]:
        """The backward messages from these exits, and the one at the start by entry phase."""
        message_SRI = self._at_count(exits_PI[:, None], self.gains_I)
        behind = Behind(self.lattice, self.scores_LMEI, self.chains.active, message_SRI, combine, level)
        return behind, self._from_count(behind.starts_SRI, torch.zeros_like(self.gains_I))[:, 0]

    def add_usage(self, usage_BTME: Tensor, entries_BKP: Tensor, exits_BKP: Tensor) -> Tensor:
        """Write how often each edge is used; returns the message at the starts, normalised, by chain."""
        entries_PI, exits_PI = self.by_chain(entries_BKP), self.by_chain(exits_BKP)
        behind, starts_PI = self.behind(exits_PI)
        total_I = finite_or_zero(log2sumexp2(entries_PI + starts_PI, 0))
        usage_LMEI = self._usage(entries_PI - total_I, behind)
        running_LI = self.chains.running_LI.to(usage_BTME.device)
        times_LI = self.chains.times_LI.to(usage_BTME.device)
        rows_LI = self.rows_I.expand_as(times_LI)
        usage_BTME[rows_LI[running_LI], times_LI[running_LI]] = usage_LMEI.permute(0, 3, 1, 2)[running_LI]
        return starts_PI - total_I

    def by_chain(self, values_BKP: Tensor) -> Tensor:
        return values_BKP[self.rows_I, self.columns_I].T

    def by_row(self, values_PI: Tensor) -> Tensor:
        """One value per trajectory, for a part of a single column."""
        return values_PI.T[self.rows_I.argsort()]

    def _sweep(self, entries_PRI: Tensor) -> Sweep:
        message_SRI = self._at_count(entries_PRI, torch.zeros_like(self.gains_I))
        return Sweep(self.lattice, self.scores_LMEI, self.chains.active, message_SRI)

    def _usage(self, entries_PI: Tensor, behind: Behind) -> Tensor:
        usage_LMEI = torch.zeros_like(self.scores_LMEI)
        sweep = self._sweep(entries_PI[:, None])
        for run, messages in behind.along():
            for block, through in self._blocks(run):
                places = zip(*[log_usage.flatten(0, 1).unbind() for log_usage in through], strict=True)
                for (step, slot), places_SRI in zip(sweep.steps(block), places, strict=True):
                    proposals, behind_SRI = sweep.propose(step, slot), messages[step, slot]
                    for proposal, place_SRI in zip(proposals, places_SRI, strict=False):
                        torch.add(proposal, behind_SRI, out=first(place_SRI, sweep.width))
                    sweep.accept(proposals)
                self._add_by_edge(usage_LMEI[block.start : block.stop], through)
        return usage_LMEI

    def _blocks(self, run: range) -> Iterator[tuple[range, list[Tensor]]]:
        """A run of steps in blocks, each with room for the log usage of every way into every state.

        Where a chain ends within a block its room is left as it was: only running chains are read.
        """
        active, slots, states = self.chains.active, self.lattice.slots, self.lattice.states
        ways = max(len(entering(self.lattice, slot)) for slot in range(slots))
        largest = max(BLOCK, slots * states * active[run.start])
        rooms = [self.scores_LMEI.new_empty(largest) for _ in range(ways)]
        start = run.start
        while start < run.stop:
            size = slots * states * active[start]
            stop = min(start + max(1, BLOCK // size), run.stop)
            shape = stop - start, slots, states, 1, active[start]
            yield range(start, stop), [room[: (stop - start) * size].view(shape) for room in rooms]
            start = stop

    def _add_by_edge(self, usage_LMEI: Tensor, through: Sequence[Tensor]) -> None:
        for slot in range(self.lattice.slots):
            for move, log_usage_LMSRI in zip(entering(self.lattice, slot), through, strict=False):
                steps, width = log_usage_LMSRI.shape[0], log_usage_LMSRI.shape[-1]
                folded = log_usage_LMSRI[:, slot].view(steps, *self.lattice.fold(slot), width).exp2_()
                edge_A = move.edge_A.to(folded.device)
                usage_LMEI[:, slot, :, :width].index_add_(1, edge_A, folded.sum((1, 3)))

    def _at_count(self, values_PRI: Tensor, count_I: Tensor) -> Tensor:
        """A message that is `values` at each chain's count and impossible elsewhere."""
        message = values_PRI.new_full((self.lattice.counts, *values_PRI.shape), IMPOSSIBLE)
        message.scatter_(0, count_I.expand(1, *values_PRI.shape), values_PRI[None])
        return message.flatten(0, 1)

    def _from_count(self, message_SRI: Tensor, count_I: Tensor) -> Tensor:
        message = message_SRI.view(self.lattice.counts, self.lattice.phases, *message_SRI.shape[1:])
        return message.gather(0, count_I.expand(1, *message.shape[1:]))[0]
