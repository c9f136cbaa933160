"""Messages over a lattice, advanced in place for many chains at once, one slot at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import torch
from torch import Tensor

from stamina_video.transitions.paths.lattice import Lattice, Move, entering, leaving
from stamina_video.transitions.paths.scores import IMPOSSIBLE

# S states, R right-hand sides (entry phases, or one), I chains, L steps, M slots, E edges, A phases

Combine = Callable[..., Tensor]  # torch.logaddexp2 sums paths, torch.maximum keeps the best


class Sweep:
    """One pass, forward along the edges into each state or backward along those out of it.

    `active` says how many chains, the longest first, still run at each step: the others keep the
    message they ended with (forward) or wait with the one they start from (backward).
    """

    def __init__(
        self,
        lattice: Lattice,
        scores_LMEI: Tensor,
        active: Sequence[int],
        message_SRI: Tensor,
        backward: bool = False,
        combine: Combine = torch.logaddexp2,
    ) -> None:
        self.lattice, self.active, self.backward, self.combine = lattice, active, backward, combine
        moves = [(leaving if backward else entering)(lattice, slot) for slot in range(lattice.slots)]
        device = message_SRI.device
        self.sources = [
            [move.source_S.to(device) for move in of if move.source_S is not None] for of in moves
        ]
        self.weights = [
            [_weights(scores_LMEI[:, slot], move) for move in of] for slot, of in enumerate(moves)
        ]
        # The extra state is never reached: edges that leave the lattice point there.
        self.padded = message_SRI.new_full((lattice.states + 1, *message_SRI.shape[1:]), IMPOSSIBLE)
        self.padded[:-1] = message_SRI
        self.scratch = [torch.empty_like(message_SRI) for _ in range(max(map(len, self.sources)))]
        self._narrow(message_SRI.shape[-1])

    @property
    def message(self) -> Tensor:
        """The message of every chain."""
        return self.padded[:-1]

    @property
    def running(self) -> Tensor:
        """The message of the chains that run at the current step."""
        return self.proposals[0][0]

    def run(self) -> Tensor:
        for step, slot in self.steps(range(len(self.active))):
            self.accept(self.propose(step, slot))
        return self.message

    def steps(self, order: Iterable[int]) -> Iterator[tuple[int, int]]:
        """(step, slot) one by one, narrowed to the chains that run at that step."""
        slots = range(self.lattice.slots)
        for step in order:
            if self.active[step] != self.width:
                self._narrow(self.active[step])
            for slot in reversed(slots) if self.backward else slots:
                yield step, slot

    def propose(self, step: int, slot: int) -> list[Tensor]:
        """What every way of moving brings to each state: hold first, in place of the message."""
        proposals = self.proposals[slot]
        for source, moved in zip(self.sources[slot], proposals[1:], strict=True):
            torch.index_select(self.here, 0, source, out=moved)
        for view, weight in zip(self.folded[slot], self.weights[slot], strict=True):
            view.add_(first(weight[step], self.width))
        return proposals

    def accept(self, proposals: Sequence[Tensor]) -> None:
        body, *others = proposals
        for moved in others:
            self.combine(body, moved, out=body)

    def _narrow(self, width: int) -> None:
        """Views of the first chains: slicing again at every step would cost more than the arithmetic."""
        self.width = width
        self.here = first(self.padded, width)
        moved = [first(scratch, width) for scratch in self.scratch]
        self.proposals = [[self.here[:-1], *moved[: len(sources)]] for sources in self.sources]
        self.folded = [
            [view.view(*self.lattice.fold(slot), *view.shape[1:]) for view in views]
            for slot, views in enumerate(self.proposals)
        ]


def first(values: Tensor, width: int) -> Tensor:
    return values if values.shape[-1] == width else values[..., :width]


def _weights(scores_LEI: Tensor, move: Move) -> tuple[Tensor, ...]:
    """This move's score by phase at each step, shaped to add to a folded message."""
    return scores_LEI.index_select(1, move.edge_A.to(scores_LEI.device))[:, :, None, None].unbind(0)
