"""An event lesson told of the scene as a whole: one stream for all whom it may happen to."""

from dataclasses import replace

from stamina_video.semantics import Phase, Scope, Target, graph_for
from stamina_video.training.objective import SCENE
from stamina_video.training.sample import Crossing, Lesson


def as_one_stream(lesson: Lesson) -> Lesson:
    """The same counts; crossings only where one walk through the graph completes all that was completed."""
    target = Target(lesson.target.description, lesson.target.operator, Scope.GLOBAL)
    crossings = None if lesson.crossings is None else _merged(lesson, lesson.crossings)
    return replace(lesson, target=target, visible=None, shown=None, crossings=crossings)


def _merged(lesson: Lesson, crossings: tuple[Crossing, ...]) -> tuple[Crossing, ...] | None:
    graph = graph_for(lesson.target.operator)
    phase: Phase = graph.initial
    merged = []
    for crossing in sorted(crossings, key=lambda one: one.observation):
        edge = next((one for one in graph.outgoing(phase) if one.role is crossing.edge.role), None)
        if edge is not None:
            merged.append(Crossing(SCENE, crossing.observation, edge))
            phase = edge.target
    followed = sum(one.edge.increment for one in merged) == sum(one.edge.increment for one in crossings)
    return tuple(merged) if followed else None
