"""A plain loop over the masked losses, for the heads of a model whose backbone is frozen."""

import random
from collections.abc import Callable, Iterable, Sequence

from torch import nn

from stamina_video.runtime import Model
from stamina_video.training.experiments.event_heads import Optimisation, steps
from stamina_video.training.objective import terms
from stamina_video.training.sample import Sample
from stamina_video.transitions import LossTerms, LossWeights, combined
from stamina_video.transitions.losses import averaged

BATCH = 4


def fit(
    model: Model,
    head: nn.Module,
    samples: Sequence[Sample],
    weights: LossWeights,
    settings: Optimisation,
    seed: int,
    report: Callable[[str], None],
) -> None:
    """Moves one of its heads in place; the same seed gives the same batches whatever the weights."""
    draw = random.Random(seed)
    for number, update in enumerate(steps(head, settings, settings.updates)):
        chosen = draw.sample(samples, min(BATCH, len(samples)))
        loss = combined(_averaged(terms(model, sample) for sample in chosen), weights)
        if loss is not None and loss.requires_grad:
            update(loss)
        if number % 50 == 0:
            report(f"update {number} of {settings.updates}")


def _averaged(found: Iterable[LossTerms]) -> LossTerms:
    """Every term over the trajectories that contribute to it."""
    each = list(found)
    return LossTerms(
        path=averaged(one.path for one in each),
        object=averaged(one.object for one in each),
        identity=averaged(one.identity for one in each),
        boundary=averaged(one.boundary for one in each),
    )
