"""One labelled batch, checked and ready to sweep: where every reading of the lattice begins."""

from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.labels import Ends, Given, check_endpoints, check_intervals
from stamina_video.transitions.paths.scores import answer_type, check_shapes, free_to_move, prepared
from stamina_video.transitions.paths.segments import Segments

# B trajectories, T observations, M slots, E edges in template order, J labels (-1 pads)


@dataclass(frozen=True)
class Problem:
    graph: EventGraph
    segments: Segments
    ends: Ends
    moves_BTM: Tensor  # where a slot is present and a label still follows
    scores_BTME: Tensor
    answer: torch.dtype

    @classmethod
    def of_endpoints(
        cls,
        log_probs_BTME: Tensor,
        graph: EventGraph,
        endpoints_BJ: Given,
        counts_BJ: Given,
        present_BTM: Tensor | None,
        tail: bool = False,
    ) -> "Problem":
        """Up to each trajectory's last endpoint, or with a tail up to its last observation."""
        check_shapes(log_probs_BTME, graph, present_BTM)
        batch, steps, slots, _ = log_probs_BTME.shape
        endpoints_BJ, counts_BJ = check_endpoints(endpoints_BJ, counts_BJ, batch, steps)
        segments = Segments.between_endpoints(endpoints_BJ, counts_BJ, graph, slots)
        segments = segments.with_tail(steps) if tail else segments
        return cls._of(log_probs_BTME, graph, segments, Ends("endpoint", endpoints_BJ), present_BTM)

    @classmethod
    def of_intervals(
        cls,
        log_probs_BTME: Tensor,
        graph: EventGraph,
        starts_BJ: Given,
        ends_BJ: Given,
        gains_BJ: Given,
        present_BTM: Tensor | None,
    ) -> "Problem":
        check_shapes(log_probs_BTME, graph, present_BTM)
        batch, steps, slots, _ = log_probs_BTME.shape
        starts_BJ, ends_BJ, gains_BJ = check_intervals(starts_BJ, ends_BJ, gains_BJ, batch, steps)
        segments = Segments.of_intervals(starts_BJ, ends_BJ, gains_BJ, graph, slots)
        return cls._of(log_probs_BTME, graph, segments, Ends("interval", ends_BJ), present_BTM)

    @classmethod
    @torch.no_grad()
    def _of(
        cls,
        log_probs_BTME: Tensor,
        graph: EventGraph,
        segments: Segments,
        ends: Ends,
        present_BTM: Tensor | None,
    ) -> "Problem":
        moves_BTM = free_to_move(log_probs_BTME, segments.last_B, present_BTM)
        scores_BTME = prepared(log_probs_BTME, graph, moves_BTM, ends)
        return cls(graph, segments, ends, moves_BTM, scores_BTME, answer_type(log_probs_BTME))

    @property
    def possible_BK(self) -> Tensor:
        """False where a segment's completions are out of reach whatever the scores say."""
        return self.segments.possible_BK.to(self.scores_BTME.device)

    @property
    def possible_B(self) -> Tensor:
        return self.possible_BK.all(1)
