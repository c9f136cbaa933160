"""Lessons from scenes of the simulated world: exact labels at the moments that were observed."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import torch

from stamina_video.data.world.counted import Counted
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.visibility import Sighting
from stamina_video.semantics import Operator
from stamina_video.training.sample import Crossing, Lesson, Shown
from stamina_video.transitions import CountLabels

EVERY = 1.0  # seconds between the endpoints of an event: a count trajectory, not a frame-by-frame script


def scene_lessons(
    scene: Scene, times: Sequence[float], sightings: Sequence[Sequence[Sighting]]
) -> tuple[Lesson, ...]:
    """One lesson for each thing that can be counted; `sightings` are the scene's boxes at `times`.

    What is visible and who was new are two numbers of one state, so they are one lesson.
    """
    return tuple(
        _event(scene, counted, times, sightings)
        if counted.event
        else _objects(scene, counted, times, sightings)
        for counted in scene.counted
        if counted.event or counted.target.operator is Operator.O2_UNIQUE
    )


def _objects(
    scene: Scene, counted: Counted, times: Sequence[float], sightings: Sequence[Sequence[Sighting]]
) -> Lesson:
    identities = scene.truth.identities(counted.target)
    visible = [[one.entity.id for one in identities if one.visible(time)] for time in times]
    unique = [sum(one.first <= time for one in identities) for time in times]
    shown = tuple(
        tuple(_shown(sighting) for sighting in seen if sighting.entity.id in here)
        for seen, here in zip(sightings, visible, strict=True)
    )
    ends_J = torch.arange(1, len(times) + 1)
    return Lesson(
        counted.target,
        visible=CountLabels(ends_J, torch.tensor([len(here) for here in visible])),
        unique=CountLabels(ends_J, torch.tensor(unique)),
        shown=shown,
    )


def _event(
    scene: Scene, counted: Counted, times: Sequence[float], sightings: Sequence[Sequence[Sighting]]
) -> Lesson:
    ends = [step * EVERY for step in range(1, int(times[-1] / EVERY) + 1)] + [times[-1]]
    completed = CountLabels(
        torch.tensor([bisect_right(times, end) for end in ends]),
        torch.tensor([scene.truth.count(counted.target, _seen_at(times, end)) for end in ends]),
    )
    subjects = [one for one in scene.truth.presences if one.entity.id in counted.entities]
    in_view = [sum(one.visible(time) for one in subjects) for time in times]
    return Lesson(
        counted.target,
        visible=CountLabels(torch.arange(1, len(times) + 1), torch.tensor(in_view)),
        completed=completed,
        shown=tuple(
            tuple(_shown(sighting) for sighting in seen if sighting.entity.id in counted.entities)
            for seen in sightings
        ),
        crossings=_crossings(scene, counted, times),
    )


def _seen_at(times: Sequence[float], end: float) -> float:
    """Labels hold at the last observation, so that what happened after it is not asked of it."""
    return times[bisect_right(times, end) - 1]


def _crossings(scene: Scene, counted: Counted, times: Sequence[float]) -> tuple[Crossing, ...] | None:
    """Every change of phase, or None where the event graph cannot follow all that completed."""
    edges = scene.truth.phase_edges(counted.target)
    if sum(edge.edge.increment for edge in edges) != len(scene.truth.events(counted.target)):
        return None
    return tuple(
        Crossing(f"entity {edge.subject}", bisect_left(times, edge.time), edge.edge)
        for edge in edges
        if edge.time <= times[-1]
    )


def _shown(sighting: Sighting) -> Shown:
    return Shown(f"entity {sighting.entity.id}", sighting.box)
