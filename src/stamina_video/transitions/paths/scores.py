"""The edge scores a path sum accepts: shapes that fit, probabilities that sum to one.

Inside, logarithms are to base 2 and an impossible event has a huge finite one: exp2 and logaddexp2
have no slow path for tiny numbers, and no difference of infinities can become NaN.
"""

import math

import torch
from torch import Tensor
from torch.nn.functional import pad

from stamina_video.semantics import MAX_SLOTS, EventGraph, InvalidInput, Role
from stamina_video.transitions.paths.labels import Ends

# B trajectories, T observations, M slots, E edges

IMPOSSIBLE = -1e30


def free_to_move(log_probs_BTME: Tensor, used_B: Tensor, present_BTM: Tensor | None) -> Tensor:
    """A slot moves where it is present and a label still follows.

    Elsewhere its scores may be anything: they are neither checked nor given a gradient.
    """
    steps_T = torch.arange(log_probs_BTME.shape[1], device=log_probs_BTME.device)
    labelled_BT1 = (steps_T < used_B.to(steps_T.device)[:, None])[..., None]
    return (
        labelled_BT1.expand(log_probs_BTME.shape[:3]) if present_BTM is None else labelled_BT1 & present_BTM
    )


def answer_type(log_probs_BTME: Tensor) -> torch.dtype:
    """What is read off the lattice is never narrower than single precision."""
    return torch.promote_types(log_probs_BTME.dtype, torch.float32)


def prepared(log_probs_BTME: Tensor, graph: EventGraph, moves_BTM: Tensor, ends: Ends) -> Tensor:
    """Checked base-2 scores in double precision, plus an impossible edge; what cannot move, holds."""
    _check_normalised(log_probs_BTME, graph, moves_BTM, ends)
    holds_E = torch.tensor([edge.role is Role.HOLD for edge in graph.edges], device=moves_BTM.device)
    certain_E = torch.where(holds_E, 0.0, IMPOSSIBLE).double()
    given_BTME = (log_probs_BTME.double() / math.log(2)).clamp(min=IMPOSSIBLE)
    scores_BTME = torch.where(moves_BTM[..., None], given_BTME, certain_E)
    return pad(scores_BTME, (0, 1), value=IMPOSSIBLE)


def is_possible(scores: Tensor) -> Tensor:
    """A sum with any impossible part is impossible."""
    return scores > IMPOSSIBLE / 2


def natural(scores: Tensor) -> Tensor:
    """Natural logarithms, -inf for the impossible."""
    return (scores * math.log(2)).where(is_possible(scores), -math.inf)


def finite_or_zero(scores: Tensor) -> Tensor:
    """A shift to subtract: where there is no mass at all, no shift."""
    return scores.where(is_possible(scores), 0)


def log2sumexp2(scores: Tensor, dim: int) -> Tensor:
    largest = scores.amax(dim, keepdim=True)
    return (scores - largest).exp2().sum(dim).log2() + largest.squeeze(dim)


def check_shapes(log_probs_BTME: Tensor, graph: EventGraph, present_BTM: Tensor | None) -> None:
    if not isinstance(graph, EventGraph):
        raise InvalidInput(f"expected an event graph, as graph_for returns, got {graph!r}")
    if not isinstance(log_probs_BTME, Tensor):
        raise InvalidInput(f"expected log probabilities as a tensor, got {type(log_probs_BTME).__name__}")
    if not isinstance(present_BTM, Tensor | None):
        raise InvalidInput(f"expected presence as a tensor, got {type(present_BTM).__name__}")
    shape = tuple(log_probs_BTME.shape)
    if len(shape) != 4 or shape[3] != len(graph.edges):
        raise InvalidInput(
            f"expected log probabilities of shape (trajectories, observations, slots, "
            f"{len(graph.edges)} edges), got {shape}"
        )
    if not log_probs_BTME.is_floating_point():
        raise InvalidInput(f"expected log probabilities as floats, got {log_probs_BTME.dtype}")
    if not 1 <= shape[2] <= MAX_SLOTS:
        raise InvalidInput(f"expected 1 to {MAX_SLOTS} slots, got {shape[2]}")
    if present_BTM is not None and (present_BTM.dtype != torch.bool or tuple(present_BTM.shape) != shape[:3]):
        raise InvalidInput(
            f"expected presence as booleans of shape {shape[:3]}, "
            f"got {present_BTM.dtype} of shape {tuple(present_BTM.shape)}"
        )


def _check_normalised(log_probs_BTME: Tensor, graph: EventGraph, moves_BTM: Tensor, ends: Ends) -> None:
    """Each phase's outgoing edges share a total of one."""
    sources_EA = torch.tensor([[edge.source == phase for phase in graph.phases] for edge in graph.edges])
    probs_BTME = log_probs_BTME.detach().exp().double()
    totals_BTMA = probs_BTME @ sources_EA.to(probs_BTME)
    tolerance = _tolerance(log_probs_BTME.dtype)
    wrong_BTMA = moves_BTM[..., None] & ~((totals_BTMA - 1).abs() <= tolerance)  # NaN is wrong too
    if wrong_BTMA.any():
        row, step, slot, phase = wrong_BTMA.nonzero()[0].tolist()
        total = float(totals_BTMA[row, step, slot, phase])
        raise InvalidInput(
            f"trajectory {row}{ends.concerned(row, step)}, observation {step}, slot {slot}: expected the "
            f"probabilities of the edges leaving {graph.phases[phase]} to sum to one, got {total:.6g}"
        )


def _tolerance(dtype: torch.dtype) -> float:
    """Well above what rounding a log softmax costs; a fault this large at every step would show."""
    eps = torch.finfo(dtype).eps
    # Rounded to half precision, an unlikely edge is off by a few percent.
    return 5e-2 if eps > 1e-6 else 1e-4 if eps > 1e-10 else 1e-5
