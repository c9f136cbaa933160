"""Expected counts from unconditioned phase marginals: what the "mean" control is trained on.

Expectation is linear, so each slot is followed on its own, whatever the others do.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad

from stamina_video.semantics import EventGraph
from stamina_video.transitions.paths.labels import Ends, Given, check_spans, check_times
from stamina_video.transitions.paths.scores import answer_type, check_shapes, free_to_move, prepared

# B trajectories, T observations, M slots, E edges, A phases, J endpoints (-1 pads)


def expected_counts(
    log_probs_BTME: Tensor, graph: EventGraph, endpoints_BJ: Given, present_BTM: Tensor | None = None
) -> Tensor:
    """The mean completed count after each endpoint's observations (μ of the appendix); 0 at padding."""
    check_shapes(log_probs_BTME, graph, present_BTM)
    endpoints_BJ = check_times(endpoints_BJ, *log_probs_BTME.shape[:2])
    return _expected(log_probs_BTME, graph, endpoints_BJ, Ends("endpoint", endpoints_BJ), present_BTM)


def expected_increments(
    log_probs_BTME: Tensor,
    graph: EventGraph,
    starts_BJ: Given,
    ends_BJ: Given,
    present_BTM: Tensor | None = None,
) -> Tensor:
    """The difference of the two unconditioned means of each interval; intervals may overlap."""
    check_shapes(log_probs_BTME, graph, present_BTM)
    starts_BJ, ends_BJ = check_spans(starts_BJ, ends_BJ, *log_probs_BTME.shape[:2])
    bounds_BJ = torch.cat([starts_BJ, ends_BJ], 1)
    means_BJ = _expected(log_probs_BTME, graph, bounds_BJ, Ends("interval", ends_BJ), present_BTM)
    starts, ends = means_BJ.chunk(2, 1)
    return ends - starts


def _expected(
    log_probs_BTME: Tensor, graph: EventGraph, times_BJ: Tensor, ends: Ends, present_BTM: Tensor | None
) -> Tensor:
    times_BJ = times_BJ.to(log_probs_BTME.device).clamp(min=0)
    used_B = times_BJ.max(1).values if times_BJ.shape[1] else times_BJ.new_zeros(len(times_BJ))
    moves_BTM = free_to_move(log_probs_BTME, used_B, present_BTM)
    probs_BTME = prepared(log_probs_BTME, graph, moves_BTM, ends)[..., :-1].exp2()
    completed_BT = _completions(probs_BTME, graph).cumsum(1)
    totals_BT = pad(completed_BT, (1, 0))  # nothing has completed at the origin
    return totals_BT.gather(1, times_BJ).to(answer_type(log_probs_BTME))


def _completions(probs_BTME: Tensor, graph: EventGraph) -> Tensor:
    """The mean number of completions at each observation."""
    numbers = {phase: number for number, phase in enumerate(graph.phases)}
    phases = len(numbers)
    steps_BTMAA = probs_BTME.new_zeros(*probs_BTME.shape[:3], phases, phases)
    sources = [numbers[edge.source] for edge in graph.edges]
    targets = [numbers[edge.target] for edge in graph.edges]
    steps_BTMAA[..., sources, targets] = probs_BTME
    after_BTMA = _running_products(steps_BTMAA)[..., 0, :]
    start_A = torch.eye(phases, dtype=probs_BTME.dtype, device=probs_BTME.device)[0]
    before_BTMA = torch.cat([start_A.expand_as(after_BTMA[:, :1]), after_BTMA[:, :-1]], 1)
    increments_E = probs_BTME.new_tensor(graph.increments)
    return (before_BTMA[..., sources] * probs_BTME * increments_E).sum((2, 3))


def _running_products(steps_BTMAA: Tensor) -> Tensor:
    """The matrix product of the first 1..T steps, by halves: 2T products in log T rounds."""
    length = steps_BTMAA.shape[1]
    if length <= 1:
        return steps_BTMAA
    at_odd = _running_products(_products(steps_BTMAA[:, : length - 1 : 2], steps_BTMAA[:, 1::2]))
    at_even = _products(at_odd[:, : (length - 1) // 2], steps_BTMAA[:, 2::2])
    products_BTMAA = torch.empty_like(steps_BTMAA)
    products_BTMAA[:, 0] = steps_BTMAA[:, 0]
    products_BTMAA[:, 1::2] = at_odd
    products_BTMAA[:, 2::2] = at_even
    return products_BTMAA


def _products(left: Tensor, right: Tensor) -> Tensor:
    # Phases are few: multiplying out beats thousands of tiny matrix calls.
    return (left[..., :, :, None] * right[..., None, :, :]).sum(-2)
