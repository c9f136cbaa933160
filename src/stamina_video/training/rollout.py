"""A training rollout: the step of deployment, observation by observation, with gradients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stamina_video.runtime import Model, step
from stamina_video.runtime.state import StreamState
from stamina_video.semantics import Observation
from stamina_video.training.sample import Sample
from stamina_video.transitions import Outcome


@dataclass(frozen=True, eq=False, slots=True)
class Rolled:
    """Every decision of a rollout: `outcomes[k][n]` is target n's at observation k."""

    observations: tuple[Observation, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]

    def of(self, number: int) -> list[Outcome]:
        return [outcomes[number] for outcomes in self.outcomes]


def roll(model: Model, sample: Sample, stride: int = 12) -> Rolled:
    """Advance the predicted state from the origin to the end; no label enters.

    Gradients through the backbone's memory end every `stride` observations; its values persist.
    """
    observations = tuple(sample.read())
    state = StreamState.initial(model, observations[0].stream, [lesson.target for lesson in sample.lessons])
    outcomes = []
    for number, observation in enumerate(observations):
        if number and number % stride == 0:
            state = replace(state, backbone=model.backbone.detached(state.backbone))
        state, decided = step(model, state, observation)
        outcomes.append(decided)
    return Rolled(observations, tuple(outcomes))


def times(observations: Sequence[Observation]) -> list[float]:
    return [observation.time for observation in observations]
