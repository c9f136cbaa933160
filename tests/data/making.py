"""Small trajectories for the tests of the data package."""

from collections.abc import Sequence
from typing import Any

from stamina_video.data.frame_map import FrameMap, Span
from stamina_video.data.trajectory import (
    IdentityTrack,
    Mask,
    Media,
    PhaseMark,
    Provenance,
    Supported,
    Trajectory,
)
from stamina_video.semantics import Operator, Role, Target, graph_for

Points = Sequence[tuple[float, int | None]]


def make(
    id_: str = "t",
    words: str = "red mugs",
    operator: str = "O2-Unique",
    points: Points = ((2.0, 1), (6.0, 3), (9.0, 3)),
    *,
    parent: str = "kitchen",
    duration: float = 10.0,
    **changed: Any,
) -> Trajectory:
    fields: dict[str, Any] = {
        "id": id_,
        "parent": parent,
        "scene": f"scene of {parent}",
        "media": Media(f"{parent}.mp4", ""),
        "segment": "whole",
        "frame_map": FrameMap.whole(duration),
        "target": Target(words, operator),
        "question": f"How many {words} so far?",
        "provenance": Provenance("test", id_, "spatial"),
        "endpoints": tuple(Supported(time, count, ("seen",)) for time, count in points),
    }
    return Trajectory(**(fields | changed))


def edge(operator: str, role: Role) -> Any:
    return next(edge for edge in graph_for(operator).edges if edge.role is role)


def cycling(
    starts_and_ends: Sequence[tuple[float, float]],
    duration: float,
    id_: str = "cycles",
    every: float = 1.0,
    **changed: Any,
) -> Trajectory:
    """A periodic motion with verified starts and completions, and an endpoint every so many seconds."""
    marks = []
    for start, end in starts_and_ends:
        marks += [
            PhaseMark("0", start, edge("E2-Periodic", Role.START)),
            PhaseMark("0", end, edge("E2-Periodic", Role.COMPLETE)),
        ]
    ends = [end for _, end in starts_and_ends]
    times = [step * every for step in range(1, int(duration / every) + 1)]
    points = [(at, sum(end <= at for end in ends)) for at in times]
    return make(
        id_,
        "squats",
        str(Operator.E2_PERIODIC),
        points,
        duration=duration,
        marks=tuple(marks),
        masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
        **changed,
    )


def tracked(id_: str = "tracked", **changed: Any) -> Trajectory:
    """Visible mugs with their identities and the stretches in which nothing changes."""
    tracks = (
        IdentityTrack("mug 1", (Span(1.0, 5.0), Span(7.0, 10.0))),
        IdentityTrack("mug 2", (Span(3.0, 10.0),)),
    )
    return make(
        id_,
        "mugs",
        "O1-Snap",
        ((2.0, 1), (4.0, 2), (6.0, 1), (6.5, 1), (8.0, 2)),
        tracks=tracks,
        stable=(Span(1.0, 3.0), Span(3.0, 5.0), Span(5.0, 7.0), Span(7.0, 10.0)),
        masks=frozenset({Mask.COUNT, Mask.IDENTITY, Mask.STABLE}),
        **changed,
    )
