"""The most probable legal path that meets every endpoint (Viterbi).

Values are computed from the end, edges chosen from the start: among equally probable paths the one
that holds first wins, then the one earlier in template order, observation by observation.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.labels import check_endpoints
from stamina_video.transitions.paths.lattice import Move, leaving
from stamina_video.transitions.paths.part import Part
from stamina_video.transitions.paths.scores import IMPOSSIBLE, check_shapes, free_to_move, natural, prepared
from stamina_video.transitions.paths.segments import Segments

# B trajectories, T observations, M slots, E edges, J endpoints, S states, P joint phases, W ways on

TIE = 1e-9  # sums of the same terms in another order differ by less, different paths hardly ever


@dataclass(frozen=True)
class BestPath:
    edges_BTM: Tensor  # indices into graph.edges; -1 throughout where no path fits
    log_prob_B: Tensor


@torch.no_grad()
def most_probable_path(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> BestPath:
    """The best path over all T observations, among those with these counts at these endpoints."""
    check_shapes(log_probs_BTME, graph, present_BTM)
    batch, steps, slots, _ = log_probs_BTME.shape
    check_endpoints(endpoints_BJ, counts_BJ, batch, steps)
    segments = Segments.between_endpoints(endpoints_BJ, counts_BJ, slots).with_tail(steps)
    scores_BTME = prepared(log_probs_BTME, graph, free_to_move(log_probs_BTME, segments.last_B, present_BTM))
    walks, value_BP = _values(scores_BTME, graph, segments)
    edges_BTM = torch.full((batch, steps, slots), -1, device=scores_BTME.device)
    phase_B = torch.zeros(batch, dtype=torch.long, device=scores_BTME.device)
    for walk in walks:
        phase_B = walk.choose(edges_BTM, phase_B)
    possible_B = segments.possible_BK.all(1).to(value_BP.device)
    log_prob_B = natural(value_BP[:, 0].where(possible_B, IMPOSSIBLE))
    edges_BTM[log_prob_B.isinf()] = -1
    return BestPath(edges_BTM, log_prob_B.to(log_probs_BTME.dtype))


@dataclass(frozen=True)
class _Walk:
    """One segment of every trajectory, with the best value from every state after every move."""

    part: Part
    behind: dict[tuple[int, int], Tensor]

    def choose(self, edges_BTM: Tensor, phase_B: Tensor) -> Tensor:
        """Write the chosen edges; returns the joint phase each trajectory ends in."""
        lattice, chains, rows_I = self.part.lattice, self.part.chains, self.part.rows_I
        times_LI = chains.times_LI.to(phase_B.device)
        state_I = phase_B[rows_I]  # the count starts at zero
        for step, active in enumerate(chains.active):
            for slot in range(lattice.slots):
                edge_I, state_I[:active] = self._best(step, slot, state_I[:active])
                edges_BTM[rows_I[:active], times_LI[step, :active], slot] = edge_I
        return torch.empty_like(phase_B).scatter_(0, rows_I, state_I % lattice.phases)

    def _best(self, step: int, slot: int, state_I: Tensor) -> tuple[Tensor, Tensor]:
        """The first way on, in order of preference, that is as good as any: its edge and state."""
        _, phases, inner = self.part.lattice.fold(slot)
        phase_I = state_I // inner % phases
        moves = leaving(self.part.lattice, slot)
        edge_WI = torch.stack([move.edge_A.to(state_I.device)[phase_I] for move in moves])
        after_WI = torch.stack([_after(move, state_I) for move in moves])
        beyond_SI = pad(self.behind[step, slot][:, 0], (0, 0, 0, 1), value=IMPOSSIBLE)
        scores_EI = self.part.scores_LMEI[step, slot, :, : len(state_I)]
        value_WI = scores_EI.gather(0, edge_WI) + beyond_SI.gather(0, after_WI)
        best_I = value_WI.amax(0)
        worse_WI = value_WI < best_I - TIE * best_I.abs().clamp(min=1)
        first_1I = worse_WI.long().cumprod(0).sum(0, keepdim=True)
        return edge_WI.gather(0, first_1I)[0], after_WI.gather(0, first_1I)[0]


def _after(move: Move, state_I: Tensor) -> Tensor:
    return state_I if move.source_S is None else move.source_S.to(state_I.device)[state_I]


def _values(scores_BTME: Tensor, graph: EventGraph, segments: Segments) -> tuple[list[_Walk], Tensor]:
    """Each segment's best values, in order, and those of the whole by initial phase."""
    phases = len(graph.phases) ** scores_BTME.shape[2]
    value_BP = scores_BTME.new_zeros(scores_BTME.shape[0], phases)
    walks = []
    for column in reversed(range(len(segments.counted))):
        part = Part(scores_BTME, graph, segments, [column])
        behind, starts_PI = part.backward(value_BP[part.rows_I].T, torch.maximum)
        value_BP = part.by_row(starts_PI)
        walks.append(_Walk(part, behind))
    return walks[::-1], value_BP
