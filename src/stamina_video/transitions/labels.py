"""What is verified about a trajectory. Labels that cannot be true are refused by trajectory and site."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph, InvalidInput
from stamina_video.transitions.outcome import ObjectOutcome

# B trajectories, J labels, T observations, M slots, E edges


@dataclass(frozen=True, eq=False, slots=True)
class CountLabels:
    """Counts of one trajectory after `ends_J` observations; with `starts_J`, changes since then."""

    ends_J: Tensor
    counts_J: Tensor
    starts_J: Tensor | None = None


@dataclass(frozen=True, slots=True)
class IdentityLabel:
    """A verified candidate: the accepted identity it is, or None at a verified first appearance."""

    observation: int
    candidate: int
    identity: int | None


@dataclass(frozen=True, slots=True)
class BoundarySite:
    """A verified edge (k, slot, a*, b*), as an index into the graph's edges."""

    observation: int
    slot: int
    edge: int


def check_likelihoods(log_p_B: Tensor, labelled_B: Tensor, family_B: Sequence[Hashable] | None) -> None:
    if log_p_B.ndim != 1:
        raise InvalidInput(f"expected one log likelihood per trajectory, got shape {tuple(log_p_B.shape)}")
    _check_mask("labelled trajectories", labelled_B, tuple(log_p_B.shape))
    if family_B is not None and len(family_B) != len(log_p_B):
        raise InvalidInput(f"expected a family for each of {len(log_p_B)} trajectories, got {len(family_B)}")
    for row, (value, labelled) in enumerate(zip(log_p_B.tolist(), labelled_B.tolist(), strict=True)):
        if labelled and not math.isfinite(value):
            raise InvalidInput(
                f"trajectory {row}: expected labels that some path reaches, got log likelihood {value}"
            )


def check_means(expected_BJ: Tensor, counts_BJ: Tensor, labelled_BJ: Tensor) -> None:
    shape = tuple(expected_BJ.shape)
    if len(shape) != 2 or tuple(counts_BJ.shape) != shape:
        raise InvalidInput(
            f"expected means and counts of one shape (trajectories, labels), "
            f"got {shape} and {tuple(counts_BJ.shape)}"
        )
    _check_mask("labelled sites", labelled_BJ, shape)
    for row, site in labelled_BJ.nonzero().tolist():
        where = f"trajectory {row}, label {site}"
        _check_count(where, counts_BJ[row, site].item())
        if not math.isfinite(expected_BJ[row, site].item()):
            raise InvalidInput(f"{where}: expected a finite mean, got {expected_BJ[row, site].item()}")


def check_counts(
    labels: CountLabels, observations: int, what: str, trajectory: Hashable, *, may_fall: bool
) -> None:
    """Only the change of a count that may fall can be negative."""
    number = labels.ends_J.numel()
    starts_J = torch.zeros_like(labels.ends_J) if labels.starts_J is None else labels.starts_J
    for name, values_J in (("ends", labels.ends_J), ("starts", starts_J), ("counts", labels.counts_J)):
        if tuple(values_J.shape) != (number,):
            raise InvalidInput(
                f"trajectory {trajectory}, {what} labels: expected {name} of shape ({number},), "
                f"got {tuple(values_J.shape)}"
            )
        if name != "counts" and (values_J.is_floating_point() or values_J.dtype == torch.bool):
            raise InvalidInput(
                f"trajectory {trajectory}, {what} labels: expected {name} as whole numbers, "
                f"got {values_J.dtype}"
            )
    sites = zip(starts_J.tolist(), labels.ends_J.tolist(), labels.counts_J.tolist(), strict=True)
    for site, (start, end, count) in enumerate(sites):
        where = f"trajectory {trajectory}, {what} label {site}"
        if not 0 <= start <= end <= observations:
            raise InvalidInput(
                f"{where}: expected 0 <= start <= end <= {observations} observations, got {start} and {end}"
            )
        _check_count(where, count, may_fall=may_fall and labels.starts_J is not None)


def check_identities(
    outcomes: Sequence[ObjectOutcome], labels: Sequence[IdentityLabel], trajectory: Hashable
) -> None:
    for site, label in enumerate(labels):
        where = f"trajectory {trajectory}, identity label {site}"
        _check_index(where, "an observation", label.observation, len(outcomes))
        outcome = outcomes[label.observation]
        _check_index(where, "a candidate", label.candidate, len(outcome.log_probs_CL))
        if label.identity is not None:
            _check_index(where, "an accepted identity", label.identity, outcome.resolution.known)


def check_boundaries(
    log_probs_TME: Tensor,
    graph: EventGraph,
    sites: Sequence[BoundarySite],
    present_TM: Tensor,
    trajectory: Hashable,
) -> None:
    edges = len(graph.edges)
    if log_probs_TME.ndim != 3 or log_probs_TME.shape[2] != edges:
        raise InvalidInput(
            f"trajectory {trajectory}: expected log probabilities of shape (observations, slots, {edges} "
            f"edges), got {tuple(log_probs_TME.shape)}"
        )
    steps, slots, _ = log_probs_TME.shape
    _check_mask(f"presence of trajectory {trajectory}", present_TM, (steps, slots))
    for place, site in enumerate(sites):
        where = f"trajectory {trajectory}, boundary {place}"
        _check_index(where, "an observation", site.observation, steps)
        _check_index(where, "a slot", site.slot, slots)
        _check_index(where, "an edge", site.edge, edges)
        value = log_probs_TME[site.observation, site.slot, site.edge].item()
        if present_TM[site.observation, site.slot] and not math.isfinite(value):
            raise InvalidInput(f"{where}: expected a finite log probability, got {value}")


def _check_mask(what: str, mask: Tensor, shape: tuple[int, ...]) -> None:
    # An integer mask would be an index, and a short one would drop rows.
    if mask.dtype != torch.bool or tuple(mask.shape) != shape:
        raise InvalidInput(
            f"expected {what} as booleans of shape {shape}, got {mask.dtype} of shape {tuple(mask.shape)}"
        )


def _check_index(where: str, what: str, index: int, size: int) -> None:
    # A negative index would be read from the end.
    if not 0 <= index < size:
        raise InvalidInput(f"{where}: expected {what} from 0 below {size}, got {index}")


def _check_count(where: str, count: float, *, may_fall: bool = False) -> None:
    if not float(count).is_integer() or (count < 0 and not may_fall):
        expected = "a whole number" if may_fall else "a count from 0"
        raise InvalidInput(f"{where}: expected {expected}, got {count}")
