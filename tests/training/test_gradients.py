from collections.abc import Sequence

import pytest
import torch
from accelerate import Accelerator
from torch import Tensor

from stamina_video.runtime import Model
from stamina_video.training.gradients import Batches
from stamina_video.training.objective import terms
from stamina_video.training.parameters import groups
from stamina_video.training.sample import Sample
from stamina_video.training.trainee import Objective, Trainee
from stamina_video.transitions import LossTerms, LossWeights, combined
from stamina_video.transitions.losses import averaged
from tests.training.toys import RECIPE, samples, tiny_model

WEIGHTS = {"answer": 1.0, "path": 1.0, "object": 1.0, "identity": 0.2, "boundary": 0.2}
NAMES = ("answer", "path", "object", "identity", "boundary")


def learned(batch: Sequence[Sample], objective: Objective) -> tuple[list[Tensor], dict[str, float], int]:
    model = tiny_model()
    parameters = list(groups(model, RECIPE).trained.values())
    result = Batches(Trainee(model, objective), Accelerator()).learn(batch, WEIGHTS, parameters)
    return [one.grad for one in parameters if one.grad is not None], result.terms, result.passes


def reference(batch: Sequence[Sample], objective: Objective) -> tuple[list[Tensor], dict[str, float]]:
    """Eq. loss of the whole batch in one graph."""
    model = tiny_model()
    parameters = list(groups(model, RECIPE).trained.values())
    each = [objective(model, sample) for sample in batch]
    means = {name: averaged(getattr(one, name) for one in each) for name in NAMES}
    loss = combined(LossTerms(**means), LossWeights())
    assert loss is not None
    gradients = torch.autograd.grad(loss, parameters, materialize_grads=True)
    return list(gradients), {name: mean.item() for name, mean in means.items() if mean is not None}


def masked(model: Model, sample: Sample) -> LossTerms:
    """A rollout in which one of the claimed terms finds no site."""
    found = terms(model, sample)
    return LossTerms(path=found.path, object=found.object) if sample.id == "clip-1" else found


@pytest.mark.parametrize(("objective", "passes"), [(terms, 1), (masked, 2)])
def test_a_pass_per_trajectory_gives_the_gradient_of_the_batch(objective: Objective, passes: int) -> None:
    batch = samples(4)
    gradients, means, made = learned(batch, objective)
    expected, expected_means = reference(batch, objective)
    assert made == passes
    assert means == pytest.approx(expected_means, rel=1e-6)
    for got, wanted in zip(gradients, expected, strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-4, atol=1e-5)
