"""The most probable legal path that meets every endpoint (Viterbi).

Values are computed from the end, edges chosen from the start: among equally probable paths the one
that holds first wins, then the one earlier in template order, observation by observation.
"""

import itertools
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.behind import Behind
from stamina_video.transitions.paths.labels import Given
from stamina_video.transitions.paths.lattice import Move, leaving
from stamina_video.transitions.paths.part import Part
from stamina_video.transitions.paths.problem import Problem
from stamina_video.transitions.paths.scores import IMPOSSIBLE, is_possible, natural

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
    endpoints_BJ: Given,
    counts_BJ: Given,
    present_BTM: Tensor | None = None,
) -> BestPath:
    """The best path over all T observations, among those with these counts at these endpoints."""
    problem = Problem.of_endpoints(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM, tail=True)
    scores_BTME = problem.scores_BTME
    walks, value_BP = _values(problem)
    edges_BTM = torch.full(scores_BTME.shape[:3], -1, device=scores_BTME.device)
    phase_B = torch.zeros(len(scores_BTME), dtype=torch.long, device=scores_BTME.device)
    for walk in walks:
        phase_B = walk.choose(edges_BTM, phase_B)
    fits_B = problem.possible_B & is_possible(value_BP[:, 0])
    edges_BTM[~fits_B] = -1
    taken_B = scores_BTME.gather(3, edges_BTM.clamp(min=0)[..., None]).sum((1, 2, 3))
    return BestPath(edges_BTM, natural(taken_B.where(fits_B, IMPOSSIBLE)).to(problem.answer))


@dataclass(frozen=True)
class _Walk:
    """One segment of every trajectory, with the best value from every state after every move."""

    part: Part
    behind: Behind

    def choose(self, edges_BTM: Tensor, phase_B: Tensor) -> Tensor:
        """Write the chosen edges; returns the joint phase each trajectory ends in."""
        lattice, chains, rows_I = self.part.lattice, self.part.chains, self.part.rows_I
        times_LI = chains.times_LI.to(phase_B.device)
        state_I = phase_B[rows_I]  # the count starts at zero
        for run, messages in self.behind.along():
            for step, slot in itertools.product(run, range(lattice.slots)):
                active = chains.active[step]
                edge_I, after_I = self._best(step, slot, state_I[:active], messages[step, slot])
                edges_BTM[rows_I[:active], times_LI[step, :active], slot] = edge_I
                state_I[:active] = after_I
        return torch.empty_like(phase_B).scatter_(0, rows_I, state_I % lattice.phases)

    def _best(self, step: int, slot: int, state_I: Tensor, behind_SRI: Tensor) -> tuple[Tensor, Tensor]:
        """The first way on, in order of preference, that is as good as any: its edge and state."""
        _, phases, inner = self.part.lattice.fold(slot)
        phase_I = state_I // inner % phases
        moves = leaving(self.part.lattice, slot)
        edge_WI = torch.stack([move.edge_A.to(state_I.device)[phase_I] for move in moves])
        after_WI = torch.stack([_after(move, state_I) for move in moves])
        beyond_SI = pad(behind_SRI[:, 0], (0, 0, 0, 1), value=IMPOSSIBLE)
        scores_EI = self.part.scores_LMEI[step, slot, :, : len(state_I)]
        value_WI = scores_EI.gather(0, edge_WI) + beyond_SI.gather(0, after_WI)
        best_I = value_WI.amax(0)
        worse_WI = value_WI < best_I - TIE
        first_1I = worse_WI.long().cumprod(0).sum(0, keepdim=True)
        return edge_WI.gather(0, first_1I)[0], after_WI.gather(0, first_1I)[0]


def _after(move: Move, state_I: Tensor) -> Tensor:
    return state_I if move.source_S is None else move.source_S.to(state_I.device)[state_I]


def _values(problem: Problem) -> tuple[list[_Walk], Tensor]:
    """Each segment's best values, in order, and those of the whole by initial phase."""
    batch, _, slots, _ = problem.scores_BTME.shape
    value_BP = problem.scores_BTME.new_zeros(batch, len(problem.graph.phases) ** slots)
    walks = []
    for column, empty in reversed(list(enumerate(problem.segments.empty))):
        if empty:
            continue
        part = Part(problem, [column])
        behind, starts_PI = part.behind(value_BP[part.rows_I].T, torch.maximum, level=True)
        value_BP = part.by_row(starts_PI)
        walks.append(_Walk(part, behind))
    return walks[::-1], value_BP
