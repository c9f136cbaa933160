"""Questions about held-out scenes, and what was read there as trajectories to score."""

from collections.abc import Sequence
from random import Random

from stamina_video.data.world import family_names
from stamina_video.evaluation import Run, Trajectory
from stamina_video.training.draws import judged
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.held_out import Reading
from stamina_video.training.sample import Sample
from stamina_video.training.scenes import scene_sample

OBJECTS, EVENTS = "things", "events"


def questions(ground: Ground) -> list[Sample]:
    numbers = range(min(ground.extent.diagnostic, ground.extent.tokens))
    footages = [one for family in family_names("train") for one in ground.footage(family, numbers)]
    return [judged(scene_sample(one), Random(one.take.name)) for one in footages]


def pairs(readings: Sequence[Reading]) -> list[tuple[Trajectory, Run]]:
    told = []
    for number, one in enumerate(readings):
        moments = tuple(map(float, range(1, len(one.true) + 1)))  # only their order matters
        group = EVENTS if one.operator.is_event else OBJECTS
        trajectory = Trajectory(f"{one.sample} {number}", one.sample, group, moments, one.true, moments)
        told.append((trajectory, Run("0", tuple(map(float, one.counted)))))
    return told
