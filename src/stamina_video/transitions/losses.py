"""What the transitions are trained on. Every loss is masked: without a supported site it is None.

Sites average within a trajectory, then trajectories that contribute average with each other; a term
that is missing everywhere adds nothing and dilutes nothing. The path likelihood stays a joint NLL.
"""

import logging
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import EventGraph, InvalidInput, Role
from stamina_video.transitions.identity import NEW
from stamina_video.transitions.labels import (
    BoundarySite,
    CountLabels,
    IdentityLabel,
    check_boundaries,
    check_counts,
    check_identities,
    check_likelihoods,
    check_means,
)
from stamina_video.transitions.outcome import ObjectOutcome

# B trajectories, J labels, T observations, P = T + 1 prefixes, M slots, E edges

log = logging.getLogger(__name__)


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
    check_likelihoods(log_p_B, labelled_B, family_B)
    families: dict[Hashable, list[Tensor | None]] = {}
    for row in labelled_B.nonzero().flatten().tolist():
        families.setdefault(row if family_B is None else family_B[row], []).append(-log_p_B[row])
    return averaged(averaged(replays) for replays in families.values())


def mean_loss(expected_BJ: Tensor, counts_BJ: Tensor, labelled_BJ: Tensor) -> Tensor | None:
    """Squared error of expected counts or increments: the control for the path likelihood."""
    check_means(expected_BJ, counts_BJ, labelled_BJ)
    return averaged(
        squared_error(expected_J[labelled_J], counts_J[labelled_J])
        for expected_J, counts_J, labelled_J in zip(expected_BJ, counts_BJ, labelled_BJ, strict=True)
    )


def squared_error(soft_J: Tensor, counts_J: Tensor) -> Tensor | None:
    return (soft_J - counts_J.to(soft_J)).square().mean() if len(soft_J) else None


@dataclass(frozen=True, eq=False, slots=True)
class SoftTotals:
    """Ñ_k and Ũ_k of eq. softobjects after 0..T observations from one count origin."""

    visible_P: Tensor
    unique_P: Tensor

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
    totals: SoftTotals,
    visible: CountLabels | None = None,
    unique: CountLabels | None = None,
    trajectory: Hashable = 0,
) -> Tensor | None:
    """One trajectory's squared errors of soft visible and soft unique totals, each averaged."""
    observations, errors = len(totals.visible_P) - 1, []
    if visible is not None:
        check_counts(visible, observations, "visible", trajectory, may_fall=True)
        errors.append(squared_error(_read(totals.visible_P, visible), visible.counts_J))
    if unique is not None:
        check_counts(unique, observations, "unique", trajectory, may_fall=False)
        errors.append(squared_error(_read(totals.unique_P, unique), unique.counts_J))
    present = [error for error in errors if error is not None]
    return torch.stack(present).sum() if present else None


def _read(total_P: Tensor, labels: CountLabels) -> Tensor:
    read_J = total_P[labels.ends_J.long()]
    return read_J if labels.starts_J is None else read_J - total_P[labels.starts_J.long()]


@dataclass(frozen=True, eq=False, slots=True)
class IdentitySites:
    """The labels that can supervise, by column of the association, and those that cannot."""

    columns: tuple[tuple[IdentityLabel, int], ...]
    misses: tuple[IdentityLabel, ...] = ()  # the verified identity is not in the shortlist
    ambiguous: tuple[IdentityLabel, ...] = ()  # two labels claim one candidate, or one identity


def identity_sites(
    outcomes: Sequence[ObjectOutcome], labels: Iterable[IdentityLabel], trajectory: Hashable = 0
) -> IdentitySites:
    """A first appearance is NEW; a known identity must be unique and in the shortlist."""
    labels = tuple(labels)
    check_identities(outcomes, labels, trajectory)
    claims = Counter(claim for label in labels for claim in _claims(label))
    columns, misses, ambiguous = [], [], []
    for label in labels:
        shortlist = outcomes[label.observation].shortlist
        column = NEW if label.identity is None else shortlist.column_of(label.candidate, label.identity)
        if any(claims[claim] > 1 for claim in _claims(label)):
            ambiguous.append(label)
        elif column is None:
            misses.append(label)
        else:
            columns.append((label, column))
    if misses or ambiguous:
        log.warning(
            "trajectory %s: of %d identity labels %d are retrieval misses and %d ambiguous",
            trajectory,
            len(labels),
            len(misses),
            len(ambiguous),
        )
    return IdentitySites(tuple(columns), tuple(misses), tuple(ambiguous))


def _claims(label: IdentityLabel) -> list[tuple[str, int, int]]:
    """What no other label may speak of; several candidates may appear for the first time at once."""
    claims = [("candidate", label.observation, label.candidate)]
    return claims if label.identity is None else [*claims, ("identity", label.observation, label.identity)]


def identity_loss(outcomes: Sequence[ObjectOutcome], sites: IdentitySites) -> Tensor | None:
    """One trajectory's cross-entropy of verified candidates; a miss is never NEW nor DEFER."""
    return averaged(
        -outcomes[label.observation].log_probs_CL[label.candidate, column] for label, column in sites.columns
    )


def boundary_loss(
    log_probs_TME: Tensor,
    graph: EventGraph,
    sites: Sequence[BoundarySite],
    present_TM: Tensor,
    trajectory: Hashable = 0,
) -> Tensor | None:
    """One trajectory's edge cross-entropy; holds together weigh as much as changes together."""
    check_boundaries(log_probs_TME, graph, sites, present_TM, trajectory)
    holds: list[Tensor] = []
    changes: list[Tensor] = []
    for site in sites:
        if present_TM[site.observation, site.slot]:  # an absent slot holds by rule and shows nothing
            is_hold = graph.edges[site.edge].role is Role.HOLD
            (holds if is_hold else changes).append(-log_probs_TME[site.observation, site.slot, site.edge])
    return averaged([averaged(holds), averaged(changes)])
