"""A training rollout: the step of deployment, observation by observation, with gradients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from torch import Tensor

from stamina_video.runtime import Model, step
from stamina_video.runtime.state import StreamState
from stamina_video.semantics import Observation
from stamina_video.training.sample import Sample
from stamina_video.transitions import Outcome


@runtime_checkable
class Tutored(Protocol):
    """A backbone whose language decoder can be taught answers."""

    def answer_loss(self, state: Any, question: str, answer: str) -> Tensor: ...


@dataclass(frozen=True, eq=False, slots=True)
class Rolled:
    """Every decision of a rollout: `outcomes[k][n]` is target n's at observation k."""

    observations: tuple[Observation, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    answers: tuple[Tensor, ...] = ()  # the losses of what was asked

    def of(self, number: int) -> list[Outcome]:
        return [outcomes[number] for outcomes in self.outcomes]


def roll(model: Model, sample: Sample, stride: int = 12) -> Rolled:
    """Advance the predicted state from the origin to the end; no label enters.

    Gradients through the backbone's memory end every `stride` observations; its values persist.
    """
    observations = tuple(sample.read())
    state = StreamState.initial(model, observations[0].stream, [lesson.target for lesson in sample.lessons])
    outcomes, answers = [], list[Tensor]()
    for number, observation in enumerate(observations):
        if number and number % stride == 0:
            state = replace(state, backbone=model.backbone.detached(state.backbone))
        state, decided = step(model, state, observation)
        outcomes.append(decided)
        if isinstance(model.backbone, Tutored):
            answers += [
                model.backbone.answer_loss(state.backbone, asked.question, asked.answer)
                for asked in sample.asked
                if asked.observations == number + 1
            ]
    return Rolled(observations, tuple(outcomes), tuple(answers))


def times(observations: Sequence[Observation]) -> list[float]:
    return [observation.time for observation in observations]
