"""The joint log probability of count labels over all legal paths, with its exact gradient."""

from typing import Any

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.engine import edge_usage, forward
from stamina_video.transitions.paths.labels import check_endpoints, check_intervals
from stamina_video.transitions.paths.scores import IMPOSSIBLE, check_shapes, free_to_move, natural, prepared
from stamina_video.transitions.paths.segments import Segments

# B trajectories, T observations, M slots, E edges in template order, J labels (-1 pads), K segments


def path_log_likelihood(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """log P(every cumulative count at its endpoint), eq. trajectory; -inf where no path fits.

    An endpoint is the number of observations consumed, 0 being the empty initial state. A trajectory
    that no path fits gives no gradient; one without endpoints has probability one.
    """
    segments = _endpoint_segments(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    return _log_likelihood(log_probs_BTME, graph, segments, present_BTM)


def interval_log_likelihood(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    starts_BJ: Tensor,
    ends_BJ: Tensor,
    increments_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """log P(the completions inside each interval); what happens before and between them is free.

    The count starts at zero at each interval's left end, in whatever phase the observations before
    it and the earlier intervals of this chain leave. Intervals that overlap are separate replays:
    put them in separate rows (see `replays`).
    """
    check_shapes(log_probs_BTME, graph, present_BTM)
    batch, steps, slots, _ = log_probs_BTME.shape
    check_intervals(starts_BJ, ends_BJ, increments_BJ, batch, steps)
    segments = Segments.of_intervals(starts_BJ, ends_BJ, increments_BJ, slots)
    return _log_likelihood(log_probs_BTME, graph, segments, present_BTM)


@torch.no_grad()
def endpoint_nll(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """-log P(count at each endpoint | the counts before it); zero at padding. Rows sum to the NLL."""
    segments = _endpoint_segments(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    scores_BTME = prepared(log_probs_BTME, graph, free_to_move(log_probs_BTME, segments.last_B, present_BTM))
    factors_BJ = forward(scores_BTME, graph, segments).factors_BK
    impossible_BJ = ~segments.possible_BK.to(factors_BJ.device)
    return -natural(factors_BJ.masked_fill(impossible_BJ, IMPOSSIBLE)).to(log_probs_BTME.dtype)


def nll_per_endpoint(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """The joint NLL over the number of endpoints, as reported; zero for a trajectory without any."""
    nll_BJ = endpoint_nll(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    return nll_BJ.sum(1) / (endpoints_BJ >= 0).sum(1).clamp(min=1).to(nll_BJ)


@torch.no_grad()
def posterior_edges(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """P(edge at each observation | all endpoints); sums to one over edges, zero if nothing fits."""
    segments = _endpoint_segments(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    steps = log_probs_BTME.shape[1]
    whole = segments.with_tail(steps)
    scores_BTME = prepared(log_probs_BTME, graph, free_to_move(log_probs_BTME, whole.last_B, present_BTM))
    usage_BTME = edge_usage(scores_BTME, graph, whole, forward(scores_BTME, graph, whole))
    possible_B = whole.possible_BK.all(1).to(usage_BTME.device)
    return (usage_BTME * possible_B[:, None, None, None])[..., :-1].to(log_probs_BTME.dtype)


def _endpoint_segments(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Tensor,
    counts_BJ: Tensor,
    present_BTM: Tensor | None,
) -> Segments:
    check_shapes(log_probs_BTME, graph, present_BTM)
    batch, steps, slots, _ = log_probs_BTME.shape
    check_endpoints(endpoints_BJ, counts_BJ, batch, steps)
    return Segments.between_endpoints(endpoints_BJ, counts_BJ, slots)


def _log_likelihood(
    log_probs_BTME: Tensor, graph: EventGraph, segments: Segments, present_BTM: Tensor | None
) -> Tensor:
    moves_BTM = free_to_move(log_probs_BTME, segments.last_B, present_BTM)
    log_p_B: Tensor = _PathSum.apply(log_probs_BTME, moves_BTM, graph, segments)  # type: ignore[no-untyped-call]  # torch ships no types here
    return log_p_B


class _PathSum(torch.autograd.Function):
    """The gradient of log P by an edge's log probability is that edge's posterior usage."""

    @staticmethod
    def forward(
        ctx: Any, log_probs_BTME: Tensor, moves_BTM: Tensor, graph: EventGraph, segments: Segments
    ) -> Tensor:
        scores_BTME = prepared(log_probs_BTME, graph, moves_BTM)
        done = forward(scores_BTME, graph, segments)
        possible_B = segments.possible_BK.all(1).to(scores_BTME.device)
        log_p_B = natural(done.factors_BK.sum(1).where(possible_B, IMPOSSIBLE))
        ctx.save_for_backward(scores_BTME, moves_BTM, log_p_B)
        ctx.graph, ctx.segments, ctx.done, ctx.dtype = graph, segments, done, log_probs_BTME.dtype
        return log_p_B.to(torch.promote_types(log_probs_BTME.dtype, torch.float32))

    @staticmethod
    def backward(ctx: Any, grad_B: Tensor) -> tuple[Tensor, None, None, None]:
        if torch.is_grad_enabled():  # create_graph: the usage below would pass for a constant
            raise RuntimeError("expected first derivatives only, got create_graph=True through a path sum")
        scores_BTME, moves_BTM, log_p_B = ctx.saved_tensors
        usage_BTME = edge_usage(scores_BTME, ctx.graph, ctx.segments, ctx.done)[..., :-1]
        # Even an infinite incoming gradient stops at a trajectory without a path.
        grad_B = grad_B.double().where(log_p_B.isfinite(), 0)
        grad_BTM = grad_B[:, None, None] * moves_BTM
        return (usage_BTME * grad_BTM[..., None]).to(ctx.dtype), None, None, None
