"""Trains event heads on frozen inputs, and says what they would have committed. Scores nothing.

The protocol of the appendix, "Transition-Learning Comparisons".
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import torch
from torch import Tensor, nn

from stamina_video.semantics import graph_for
from stamina_video.training.experiments.batches import Batch, batch, batches
from stamina_video.training.experiments.tracks import Track
from stamina_video.transitions import (
    HeadsConfig,
    LossTerms,
    LossWeights,
    combined,
    expected_counts,
    mean_loss,
    path_log_likelihood,
    trajectory_loss,
)
from stamina_video.transitions.scorer import EdgeScorer, greedy

# B tracks, T looks, M slots, E edges, J endpoints


class Objective(StrEnum):
    PATH = "path"
    MEAN = "mean"
    NOTHING = "nothing"  # boundaries alone, as in the warm-up


@dataclass(frozen=True, slots=True)
class Optimisation:
    """The paper's settings for heads but for the rate: at its 1e-4, heads this new stay where they began."""

    updates: int = 1000
    warmup: int = 256
    rate: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.95)
    decay: float = 0.01
    clip: float = 1.0


@dataclass(frozen=True, slots=True)
class Told:
    """What a head says of one track: accepted completions, counts read at the endpoints, its endpoint fit.

    `nll` is per endpoint that some path reaches; None where there is none, or the head has no paths.
    """

    trajectory: str
    commits: tuple[float, ...]
    hard: tuple[int, ...]
    nll: float | None = None


def warmed(config: HeadsConfig, tracks: Sequence[Track], settings: Optimisation, seed: int) -> EdgeScorer:
    """The common start of every condition: boundaries alone, where there are any."""
    torch.manual_seed(seed)
    scorer = EdgeScorer(config)
    verified = [one for one in tracks if one.sites]
    if verified:
        optimise(scorer, verified, Objective.NOTHING, settings, settings.warmup, seed)
    return scorer


def complete(config: HeadsConfig, tracks: Sequence[Track], settings: Optimisation, seed: int) -> EdgeScorer:
    """The whole rule: phase input and path likelihood after the common warm-up."""
    scorer = warmed(config, tracks, settings, seed)
    optimise(scorer, tracks, Objective.PATH, settings, settings.updates, seed)
    return scorer


def continued(start: EdgeScorer, config: HeadsConfig) -> EdgeScorer:
    """A scorer of its own with the start's parameters."""
    scorer = EdgeScorer(config)
    scorer.load_state_dict(start.state_dict())
    return scorer


def optimise(
    scorer: EdgeScorer,
    tracks: Sequence[Track],
    objective: Objective,
    settings: Optimisation,
    updates: int,
    seed: int,
) -> None:
    """Fresh AdamW, cosine to zero; the same seed gives the same batches whatever the condition."""
    order = batches(tracks, seed)
    for drawn in steps(scorer, settings, updates):
        one = batch(next(order))
        loss = combined(_terms(scorer, one, objective), LossWeights())
        if loss is not None:
            drawn(loss)


def steps(module: nn.Module, settings: Optimisation, updates: int) -> Iterator["Update"]:
    """One update after the other: call it with the loss."""
    optimiser = torch.optim.AdamW(
        module.parameters(), settings.rate, settings.betas, weight_decay=settings.decay
    )
    for number in range(updates):
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * (1 + math.cos(math.pi * number / updates)) / 2
        yield Update(module, optimiser, settings.clip)


@dataclass(frozen=True, eq=False, slots=True)
class Update:
    module: nn.Module
    optimiser: torch.optim.Optimizer
    clip: float

    def __call__(self, loss: Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch ships no types here
        nn.utils.clip_grad_norm_(self.module.parameters(), self.clip)
        self.optimiser.step()


def _terms(scorer: EdgeScorer, one: Batch, objective: Objective) -> LossTerms:
    log_probs_BTME: Tensor = scorer(one.inputs_BTMI, one.context_B11D, one.operator)
    supported = bool(one.weights_BTME.any())
    boundary = -(one.weights_BTME * log_probs_BTME).sum() if supported else None
    if objective is Objective.NOTHING:
        return LossTerms(boundary=boundary)
    if objective is Objective.PATH:
        log_p_B = path_log_likelihood(
            log_probs_BTME, one.graph, one.endpoints_BJ, one.counts_BJ, one.present_BTM
        )
        return LossTerms(path=trajectory_loss(log_p_B, one.labelled_B), boundary=boundary)
    expected_BJ = expected_counts(log_probs_BTME, one.graph, one.endpoints_BJ, one.present_BTM)
    labelled_BJ = one.endpoints_BJ >= 0
    return LossTerms(path=mean_loss(expected_BJ, one.counts_BJ.clamp(min=0), labelled_BJ), boundary=boundary)


@torch.no_grad()
def tell(scorer: EdgeScorer, one: Track) -> Told:
    """Greedy decoding from the initial phase, and the fit of the same probabilities to the endpoints."""
    graph = graph_for(one.operator)
    log_probs_TME: Tensor = scorer(one.inputs_TMI, one.target_D, one.operator)
    phases = (graph.initial,) * one.slots
    commits: list[int] = []
    for look, (log_probs_ME, present_M) in enumerate(
        zip(log_probs_TME, one.present_TM.tolist(), strict=True)
    ):
        edges = greedy(log_probs_ME, graph, phases, present_M)
        phases = tuple(edge.target for edge in edges)
        commits += [look] * sum(edge.increment for edge in edges)
    return told(one, commits, _nll(log_probs_TME, one))


def told(one: Track, commits: Sequence[int], nll: float | None = None) -> Told:
    times = one.trial.stretch.times
    return Told(
        one.trial.name,
        tuple(times[look] for look in commits),
        tuple(sum(look < end.observations for look in commits) for end in one.endpoints),
        nll,
    )


def _nll(log_probs_TME: Tensor, one: Track) -> float | None:
    if not one.kept:
        return None
    log_p_1 = path_log_likelihood(
        log_probs_TME[None],
        graph_for(one.operator),
        [[end.observations for end in one.kept]],
        [[end.count for end in one.kept]],
        one.present_TM[None],
    )
    return -log_p_1.item() / len(one.kept)
