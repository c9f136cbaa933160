"""Scenes of the simulated world as trajectories: everything the world knows, verified by construction."""

from collections.abc import Sequence
from itertools import pairwise

from stamina_video.data.frame_map import FrameMap, Span
from stamina_video.data.trajectory import (
    IdentityTrack,
    Mask,
    Media,
    PhaseMark,
    Provenance,
    Supported,
    Trajectory,
    group_of,
)
from stamina_video.data.world import Scene
from stamina_video.data.world.counted import Counted
from stamina_video.semantics import Measure

EVERY = 1.0  # seconds between endpoints


def scene_trajectories(scene: Scene, video: str, sha256: str = "") -> list[Trajectory]:
    """One trajectory for each running number of a scene; changes over a window follow from two endpoints."""
    return [
        _trajectory(scene, counted, number, video, sha256)
        for number, counted in enumerate(scene.counted)
        if not counted.target.operator.windowed
    ]


def _trajectory(scene: Scene, counted: Counted, number: int, video: str, sha256: str) -> Trajectory:
    target, stem = counted.target, video.rsplit(".", 1)[0]
    event = target.operator.is_event
    tracks = () if event else _tracks(scene, counted)
    marks = _marks(scene, counted) if event else ()
    changes = _changes(scene, counted)
    stable = tuple(
        Span(left, right) for left, right in pairwise([0.0, *changes, scene.duration]) if right > left
    )
    masks = {Mask.COUNT, Mask.STABLE} | ({Mask.BOUNDARY} if marks else set())
    if not event:
        masks.add(Mask.IDENTITY)
    return Trajectory(
        id=f"world:{stem}-{number:02d}",
        parent=stem,
        scene=f"{scene.family}-{scene.seed}",
        media=Media(video, sha256),
        segment="whole",
        frame_map=FrameMap.whole(scene.duration),
        target=target,
        question=counted.question,
        provenance=Provenance("world", f"{scene.family}/{scene.seed}/{number}", group_of(target.operator)),
        aliases=counted.aliases,
        entities=tuple(f"entity {entity}" for entity in sorted(counted.entities)),
        endpoints=tuple(_endpoints(scene, counted, changes)),
        tracks=tracks,
        marks=marks,
        stable=stable,
        masks=frozenset(masks),
    )


def _tracks(scene: Scene, counted: Counted) -> tuple[IdentityTrack, ...]:
    return tuple(
        IdentityTrack(
            f"entity {presence.entity.id}", tuple(Span(start, end) for start, end in presence.intervals)
        )
        for presence in scene.truth.identities(counted.target)
    )


def _marks(scene: Scene, counted: Counted) -> tuple[PhaseMark, ...]:
    """Every phase change, or none where the event graph cannot follow all that completed."""
    edges = scene.truth.phase_edges(counted.target)
    if sum(edge.edge.increment for edge in edges) != len(scene.truth.events(counted.target)):
        return ()
    return tuple(PhaseMark(f"entity {edge.subject}", edge.time, edge.edge) for edge in edges)


def _changes(scene: Scene, counted: Counted) -> Sequence[float]:
    """Every moment at which the count, or what makes it up, changes."""
    times = set(scene.truth.occurrences(counted.target))
    if counted.target.operator.measure is Measure.VISIBLE:
        shown = scene.truth.identities(counted.target)
        times |= {end for presence in shown for _, end in presence.intervals}
    return sorted(time for time in times if 0 < time < scene.duration)


def _endpoints(scene: Scene, counted: Counted, changes: Sequence[float]) -> list[Supported]:
    grid = [step * EVERY for step in range(1, int(scene.duration / EVERY) + 1)]
    # Clear of the changes: a label on the very frame of a change is right and of little use.
    times = [at for at in grid if all(abs(at - change) > 0.05 for change in changes)]
    evidence = (f"truth of {scene.family}/{scene.seed}",)
    return [Supported(at, scene.truth.count(counted.target, at), evidence) for at in times]
