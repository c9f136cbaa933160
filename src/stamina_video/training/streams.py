"""An event lesson told of the scene as a whole: one stream for all whom it may happen to."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from stamina_video.semantics import Edge, EventGraph, Phase, Role, Scope, Target, graph_for
from stamina_video.training.objective import SCENE
from stamina_video.training.sample import Crossing, Lesson


def as_one_stream(lesson: Lesson) -> Lesson:
    """The same counts; crossings only where one walk through the graph completes all that was completed."""
    target = Target(lesson.target.description, lesson.target.operator, Scope.GLOBAL)
    crossings = None if lesson.crossings is None else _one_walk(lesson, lesson.crossings)
    return replace(lesson, target=target, visible=None, shown=None, crossings=crossings)


def _one_walk(lesson: Lesson, crossings: tuple[Crossing, ...]) -> tuple[Crossing, ...] | None:
    """The scene is active while anybody is, and ready again as soon as it may: others have not waited."""
    graph = graph_for(lesson.target.operator)
    roles = {
        look: [(one.subject, one.edge.role) for one in together]
        for look, together in groupby(
            sorted(crossings, key=attrgetter("observation")), attrgetter("observation")
        )
    }
    phase, active, walked, completed = graph.initial, set[str](), [], 0
    for look in range(_looks(lesson)):
        for subject, role in roles.get(look, ()):
            completed += role is Role.COMPLETE
            if role is Role.START:
                active.add(subject)
            elif role is Role.COMPLETE:
                active.discard(subject)
        edge = _next(graph, phase, [role for _, role in roles.get(look, ())], bool(active))
        if edge is not None:
            walked.append(Crossing(SCENE, look, edge))
            phase = edge.target
    return tuple(walked) if sum(one.edge.increment for one in walked) == completed else None


def _next(graph: EventGraph, phase: Phase, roles: list[Role], is_active: bool) -> Edge | None:
    edges = {edge.role: edge for edge in graph.outgoing(phase)}
    for role in _wanted(roles, is_active):
        if role in edges:
            return edges[role]
    return None


def _wanted(roles: list[Role], is_active: bool) -> Iterator[Role]:
    if Role.COMPLETE in roles:
        yield Role.COMPLETE
    if is_active:
        yield Role.START
    yield Role.RESET


def _looks(lesson: Lesson) -> int:
    told = [labels.ends_J for labels in (lesson.visible, lesson.completed) if labels is not None]
    return max((int(ends_J.max()) for ends_J in told if len(ends_J)), default=0)
