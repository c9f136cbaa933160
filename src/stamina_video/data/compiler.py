"""Compiles supported endpoints into causal queries. What is not supported is left out, never a zero."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from stamina_video.data.frame_map import Span
from stamina_video.data.query import Query
from stamina_video.data.trajectory import Mask, Supported, Trajectory
from stamina_video.semantics import InvalidInput, Measure, Operator

# Which change two supported endpoints of a running number determine.
CHANGES = {Operator.O1_SNAP: Operator.O1_DELTA, Operator.O2_UNIQUE: Operator.O2_GAIN}

_WORDING = {
    Operator.O1_DELTA: "How many more {} are visible now, net of those that left, over the past {} seconds?",
    Operator.O2_GAIN: "How many new {} have appeared in the past {} seconds?",
}


def compile_queries(trajectories: Iterable[Trajectory]) -> Iterator[Query]:
    """Every trajectory's own queries, then the changes that two of its endpoints determine."""
    seen: set[str] = set()
    for trajectory in trajectories:
        if trajectory.id in seen:
            raise InvalidInput(f"trajectory {trajectory.id}: expected each id once, got it again")
        seen.add(trajectory.id)
        if Mask.COUNT in trajectory.masks:
            yield from _own(trajectory)
            yield from _changes(trajectory)


def _own(trajectory: Trajectory) -> Iterator[Query]:
    before = trajectory.origin
    for endpoint in trajectory.supported:
        assert endpoint.count is not None
        if endpoint.time < trajectory.origin:
            continue
        steady = _is_stable(trajectory, before if endpoint.since is None else endpoint.since, endpoint.time)
        yield _query(
            trajectory,
            trajectory.operator,
            trajectory.question,
            endpoint,
            endpoint.since,
            endpoint.count,
            steady,
        )
        before = endpoint.time


def _changes(trajectory: Trajectory) -> Iterator[Query]:
    operator = CHANGES.get(trajectory.operator)
    if operator is None:
        return
    inside = [endpoint for endpoint in trajectory.supported if endpoint.time >= trajectory.origin]
    for left, right in pairwise(inside):
        assert left.count is not None
        assert right.count is not None
        window = f"{right.time - left.time:.6f}".rstrip("0").rstrip(".")
        question = _WORDING[operator].format(trajectory.target.description, window)
        steady = _is_stable(trajectory, left.time, right.time)
        yield _query(trajectory, operator, question, right, left.time, right.count - left.count, steady)


def _is_stable(trajectory: Trajectory, since: float, at: float) -> bool:
    """Whether a verified stable interval covers the whole stretch; equal counts establish nothing."""
    if Mask.STABLE not in trajectory.masks:
        return False
    stretch = Span(max(since, 0.0), at)
    return stretch.length > 0 and any(span.holds(stretch) for span in trajectory.stable)


def _query(
    trajectory: Trajectory,
    operator: Operator,
    question: str,
    endpoint: Supported,
    since: float | None,
    answer: int,
    stable: bool,
) -> Query:
    group = _group(trajectory, operator, endpoint.time, since)
    return Query(
        id=f"{group}@{endpoint.time:.6f}",
        group=group,
        trajectory=trajectory.id,
        parent=trajectory.parent,
        scene=trajectory.scene,
        source=trajectory.provenance.group,
        media=trajectory.media.path,
        media_sha256=trajectory.media.sha256,
        operator=operator,
        target=trajectory.target.description,
        question=question,
        time=endpoint.time,
        since=since,
        scope_start=trajectory.origin,
        scope_end=endpoint.time,
        answer=answer,
        identity=_has_identities(trajectory, operator),
        boundary=operator.is_event and bool(trajectory.marks) and Mask.BOUNDARY in trajectory.masks,
        stable=stable,
    )


def _group(trajectory: Trajectory, operator: Operator, time: float, since: float | None) -> str:
    """A question is asked with one window; each window makes a group of its own."""
    if operator is trajectory.operator:
        return trajectory.id
    assert since is not None
    return f"{trajectory.id}#{operator}-{time - since:.6f}"


def _has_identities(trajectory: Trajectory, operator: Operator) -> bool:
    counts_objects = operator.measure is not Measure.COMPLETED
    return counts_objects and bool(trajectory.tracks) and Mask.IDENTITY in trajectory.masks
