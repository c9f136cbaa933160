"""The joint log probability of count labels over all legal paths, with its exact gradient."""

from typing import Any

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.engine import edge_usage, forward
from stamina_video.transitions.paths.labels import Given
from stamina_video.transitions.paths.problem import Problem
from stamina_video.transitions.paths.scores import IMPOSSIBLE, natural

# B trajectories, T observations, M slots, E edges in template order, J labels (-1 pads), K segments


def path_log_likelihood(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Given,
    counts_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """log P(every cumulative count at its endpoint), eq. trajectory; -inf where no path fits.

    An endpoint is the number of observations consumed, 0 being the empty initial state. A trajectory
    that no path fits gives no gradient; one without endpoints has probability one.
    """
    problem = Problem.of_endpoints(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    return _log_likelihood(log_probs_BTME, problem)


def interval_log_likelihood(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    starts_BJ: Given,
    ends_BJ: Given,
    increments_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """log P(the completions inside each interval); what happens before and between them is free.

    The count starts at zero at each interval's left end, in whatever phase the observations before
    it and the earlier intervals of this chain leave. Intervals that overlap are separate replays:
    put them in separate rows (see `replays`).
    """
    problem = Problem.of_intervals(log_probs_BTME, graph, starts_BJ, ends_BJ, increments_BJ, present_BTM)
    return _log_likelihood(log_probs_BTME, problem)


@torch.no_grad()
def endpoint_nll(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Given,
    counts_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """-log P(count at each endpoint | the counts before it); zero at padding. Rows sum to the NLL."""
    problem = Problem.of_endpoints(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    return _nll(problem).to(problem.answer)


@torch.no_grad()
def nll_per_endpoint(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Given,
    counts_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """The joint NLL over the number of endpoints, as reported; zero for a trajectory without any."""
    problem = Problem.of_endpoints(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM)
    nll_B = _nll(problem).sum(1)
    return (nll_B / problem.ends.number_B.clamp(min=1).to(nll_B)).to(problem.answer)


@torch.no_grad()
def posterior_edges(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    endpoints_BJ: Given,
    counts_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """P(edge at each observation | all endpoints); sums to one over edges, zero if nothing fits."""
    problem = Problem.of_endpoints(log_probs_BTME, graph, endpoints_BJ, counts_BJ, present_BTM, tail=True)
    usage_BTME = edge_usage(problem, forward(problem))
    return (usage_BTME * problem.possible_B[:, None, None, None])[..., :-1].to(problem.answer)


def _nll(problem: Problem) -> Tensor:
    return -natural(forward(problem).factors_BK.where(problem.possible_BK, IMPOSSIBLE))


def _log_likelihood(log_probs_BTME: Tensor, problem: Problem) -> Tensor:
    log_p_B: Tensor = _PathSum.apply(log_probs_BTME, problem)  # type: ignore[no-untyped-call]  # torch ships no types here
    return log_p_B


class _PathSum(torch.autograd.Function):
    """The gradient of log P by an edge's log probability is that edge's posterior usage."""

    @staticmethod
    def forward(ctx: Any, log_probs_BTME: Tensor, problem: Problem) -> Tensor:
        done = forward(problem)
        log_p_B = natural(done.factors_BK.sum(1).where(problem.possible_B, IMPOSSIBLE))
        ctx.problem, ctx.done, ctx.dtype, ctx.fits_B = problem, done, log_probs_BTME.dtype, log_p_B.isfinite()
        return log_p_B.to(problem.answer)

    @staticmethod
    def backward(ctx: Any, grad_B: Tensor) -> tuple[Tensor, None]:
        if torch.is_grad_enabled():  # create_graph: the usage below would pass for a constant
            raise RuntimeError("expected first derivatives only, got create_graph=True through a path sum")
        usage_BTME = edge_usage(ctx.problem, ctx.done)[..., :-1]
        # Even an infinite incoming gradient stops at a trajectory without a path.
        grad_B = grad_B.double().where(ctx.fits_B, 0)
        grad_BTM = grad_B[:, None, None] * ctx.problem.moves_BTM
        return (usage_BTME * grad_BTM[..., None]).to(ctx.dtype), None
