"""Event trajectories on frozen inputs: what the edge scorer reads at each look, its slots, and its labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.runtime import Model
from stamina_video.semantics import Observation, Operator, graph_for
from stamina_video.semantics.capacity import Endpoint
from stamina_video.training.experiments.catalogue import Trial
from stamina_video.training.objective import boundary_sites
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Sample
from stamina_video.transitions import BoundarySite, EventOutcome, Outcome, reachable_endpoints

# T looks, W width, M slots, P pulses, V = W + P, I = V + W event input, D target width, J endpoints


@dataclass(frozen=True, eq=False, slots=True)
class Track:
    """One trajectory. `kept` are the endpoints that some legal path reaches with these slots."""

    trial: Trial
    means_TV: Tensor  # the mean visual vector of every look, and its pulses
    inputs_TMI: Tensor
    present_TM: Tensor
    target_D: Tensor
    sites: tuple[BoundarySite, ...]
    endpoints: tuple[Endpoint, ...]
    kept: tuple[Endpoint, ...]

    @property
    def operator(self) -> Operator:
        return self.trial.aim.target.operator

    @property
    def slots(self) -> int:
        return self.present_TM.shape[1]


@torch.no_grad()
def tracked(model: Model, trial: Trial, observations: Sequence[Observation], boundaries: bool) -> Track:
    """Roll the frozen model over kept looks; association and slots are decided here, once for all heads."""
    lesson = trial.stretch.event_lesson(trial.aim, boundaries)
    rolled = roll(model, Sample(trial.name, lambda: observations, (lesson,)))
    outcomes = rolled.of(0)
    events = list(_events(outcomes))
    graph = graph_for(lesson.target.operator)
    sites = boundary_sites(outcomes, lesson, lesson.crossings, graph) if lesson.crossings is not None else ()
    present_TM = torch.tensor([event.seating.present for event in events])
    used = max(int(present_TM.any(0).sum()), 1)  # slots open in order
    endpoints = tuple(map(Endpoint, trial.stretch.ends, trial.stretch.counts(trial.aim)))
    present_TM = present_TM[:, :used]
    return Track(
        trial,
        torch.stack([observation.image.mean_D for observation in observations]),
        torch.stack([event.inputs_MI for event in events])[:, :used],
        present_TM,
        model.target_vector(lesson.target),
        tuple(site for site in sites if present_TM[site.observation, site.slot]),
        endpoints,
        reachable_endpoints(graph, present_TM.tolist(), endpoints, trial.name).kept,
    )


def _events(outcomes: Sequence[Outcome]) -> Iterator[EventOutcome]:
    for outcome in outcomes:
        assert outcome.events is not None, "an event target"
        yield outcome.events
