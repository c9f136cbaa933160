"""What the transitions are trained on. Every loss is masked: without a supported site it is None.

Sites average within a trajectory, then trajectories that contribute average with each other; a term
that is missing everywhere adds nothing and dilutes nothing. The path likelihood stays a joint NLL.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph, InvalidInput, Role
from stamina_video.transitions.identity import NEW
from stamina_video.transitions.outcome import ObjectOutcome

# B trajectories, J labels, T observations, M slots, E edges


@dataclass(frozen=True, slots=True)
class LossWeights:
    """λ of eq. loss; the answer term has weight one."""

    path: float = 1.0
    object: float = 1.0
    identity: float = 0.2
    boundary: float = 0.2


@dataclass(frozen=True, eq=False, slots=True)
class LossTerms:
    """One batch, averaged; None where nothing supports a term. `path` is either event objective."""

    answer: Tensor | None = None
    path: Tensor | None = None
    object: Tensor | None = None
    identity: Tensor | None = None
    boundary: Tensor | None = None


def combined(terms: LossTerms, weights: LossWeights | None = None) -> Tensor | None:
    """Eq. loss over the terms that are there; None if none is."""
    weights = weights or LossWeights()
    weighted = [
        weight * term
        for weight, term in (
            (1.0, terms.answer),
            (weights.path, terms.path),
            (weights.object, terms.object),
            (weights.identity, terms.identity),
            (weights.boundary, terms.boundary),
        )
        if term is not None
    ]
    return torch.stack(weighted).sum() if weighted else None


def averaged(terms: Iterable[Tensor | None]) -> Tensor | None:
    """The mean over the trajectories that contribute."""
    present = [term for term in terms if term is not None]
    return torch.stack(present).mean() if present else None


def trajectory_loss(
    log_p_B: Tensor, labelled_B: Tensor, family_B: Sequence[Hashable] | None = None
) -> Tensor | None:
    """Joint NLL of each labelled trajectory; rows of one family are replays that share its weight."""
    families: dict[Hashable, list[Tensor | None]] = {}
    for row in labelled_B.nonzero().flatten().tolist():
        if log_p_B[row] == -math.inf:
            raise InvalidInput(
                f"trajectory {row}: expected labels that some path reaches, got probability zero"
            )
        families.setdefault(row if family_B is None else family_B[row], []).append(-log_p_B[row])
    return averaged(averaged(replays) for replays in families.values())


def mean_loss(expected_BJ: Tensor, counts_BJ: Tensor, labelled_BJ: Tensor) -> Tensor | None:
    """Squared error of expected counts or increments: the control for the path likelihood."""
    return averaged(
        squared_error(expected_J[labelled_J], counts_J[labelled_J])
        for expected_J, counts_J, labelled_J in zip(expected_BJ, counts_BJ, labelled_BJ, strict=True)
    )


def squared_error(soft_J: Tensor, counts_J: Tensor) -> Tensor | None:
    return (soft_J - counts_J.to(soft_J)).square().mean() if len(soft_J) else None


@dataclass(frozen=True, eq=False, slots=True)
class CountLabels:
    """Counts of one trajectory after `ends_J` observations; with `starts_J`, changes since then."""

    ends_J: Tensor
    counts_J: Tensor
    starts_J: Tensor | None = None


@dataclass(frozen=True, eq=False, slots=True)
class SoftTotals:
    """Ñ_k and Ũ_k of eq. softobjects after 0..T observations from one count origin."""

    visible_T: Tensor
    unique_T: Tensor

    @classmethod
    def since_origin(cls, outcomes: Sequence[ObjectOutcome]) -> "SoftTotals":
        """Before the first observation nothing is visible and nothing was born."""
        if not outcomes:
            raise InvalidInput("expected at least one observation since the count origin, got none")
        visible = torch.stack([outcome.soft_visible for outcome in outcomes])
        births = torch.stack([outcome.soft_births for outcome in outcomes])
        nothing = torch.zeros_like(visible[:1])
        return cls(torch.cat([nothing, visible]), torch.cat([nothing, births]).cumsum(0))


def object_loss(
    totals: SoftTotals, visible: CountLabels | None = None, unique: CountLabels | None = None
) -> Tensor | None:
    """One trajectory's squared errors of soft visible and soft unique totals, each averaged."""
    errors = [
        squared_error(_read(total_T, labels), labels.counts_J)
        for total_T, labels in ((totals.visible_T, visible), (totals.unique_T, unique))
        if labels is not None
    ]
    present = [error for error in errors if error is not None]
    return torch.stack(present).sum() if present else None


def _read(total_T: Tensor, labels: CountLabels) -> Tensor:
    for times_J in (labels.ends_J, labels.starts_J):
        if (
            times_J is not None
            and len(times_J)
            and not 0 <= int(times_J.min()) <= int(times_J.max()) < len(total_T)
        ):
            raise InvalidInput(
                f"expected labels after 0 to {len(total_T) - 1} observations, got {times_J.tolist()}"
            )
    read_J = total_T[labels.ends_J]
    return read_J if labels.starts_J is None else read_J - total_T[labels.starts_J]


@dataclass(frozen=True, slots=True)
class IdentityLabel:
    """A verified candidate: the accepted identity it is, or None at a verified first appearance."""

    observation: int
    candidate: int
    identity: int | None


@dataclass(frozen=True, eq=False, slots=True)
class IdentitySites:
    """The labels that can supervise, by column of the association, and the retrieval misses."""

    columns: tuple[tuple[IdentityLabel, int], ...]
    misses: tuple[IdentityLabel, ...]


def identity_sites(outcomes: Sequence[ObjectOutcome], labels: Iterable[IdentityLabel]) -> IdentitySites:
    """A first appearance is NEW; a known identity must be in the shortlist, else it is a miss."""
    columns, misses = [], []
    for label in labels:
        shortlist = outcomes[label.observation].shortlist
        column = NEW if label.identity is None else shortlist.column_of(label.candidate, label.identity)
        if column is None:
            misses.append(label)
        else:
            columns.append((label, column))
    return IdentitySites(tuple(columns), tuple(misses))


def identity_loss(outcomes: Sequence[ObjectOutcome], sites: IdentitySites) -> Tensor | None:
    """One trajectory's cross-entropy of verified candidates; a miss is never NEW nor DEFER."""
    return averaged(
        -outcomes[label.observation].log_probs_CL[label.candidate, column] for label, column in sites.columns
    )


@dataclass(frozen=True, slots=True)
class BoundarySite:
    """A verified edge (k, slot, a*, b*), as an index into the graph's edges."""

    observation: int
    slot: int
    edge: int


def boundary_loss(log_probs_TME: Tensor, graph: EventGraph, sites: Sequence[BoundarySite]) -> Tensor | None:
    """One trajectory's edge cross-entropy; holds together weigh as much as changes together."""
    holds: list[Tensor] = []
    changes: list[Tensor] = []
    for site in sites:
        is_hold = graph.edges[site.edge].role is Role.HOLD
        (holds if is_hold else changes).append(-log_probs_TME[site.observation, site.slot, site.edge])
    return averaged([averaged(holds), averaged(changes)])
