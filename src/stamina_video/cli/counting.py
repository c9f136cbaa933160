"""Counts a video as asked: one session in Stream access, a fresh one per query in Full. Prints nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stamina_video.cli.driving import Drive, Listener, Seen
from stamina_video.cli.request import Request
from stamina_video.runtime import Model, Session
from stamina_video.semantics import Commit, Operator, Target
from stamina_video.video import Recording, Video


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer; `entries` is the other read of O1-Delta."""

    at: float
    count: int
    since: float | None = None
    entries: int | None = None


@dataclass(frozen=True, slots=True)
class TargetCount:
    target: Target
    readings: tuple[Reading, ...]
    commits: tuple[Commit, ...]
    facts: tuple[Commit, ...]  # gaps, overflows and misses
    capacity: int | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """Commits, facts and capacity are those of the last pass, readings those of all."""

    targets: tuple[TargetCount, ...]
    observations: int
    end: float
    interrupted: bool = False


def run_count(model: Model, request: Request, listeners: Sequence[Listener] = ()) -> Counted:
    """Count until the video, the last query time or an interrupt ends it."""
    passes: list[Counted] = []
    for at in request.passes():
        passes.append(_pass(model, request, at, listeners))
        if passes[-1].interrupted:
            break
    targets = [_joined(request, parts) for parts in zip(*(part.targets for part in passes), strict=True)]
    return replace(passes[-1], targets=tuple(targets))


def _pass(model: Model, request: Request, at: tuple[float, ...], listeners: Sequence[Listener]) -> Counted:
    with request.open(at) as video, Drive(model, request, at, video, listeners) as drive:
        seen = drive.run()
        session, length = drive.session, _length(video)
        if not seen.interrupted:
            ends = [end for end in (max(at, default=None), length) if end is not None]
            seen.end = max(seen.end, min(ends, default=0.0))
        targets = [_read(session, request, target, at, seen, length) for target in request.targets]
        return Counted(tuple(targets), seen.observations, seen.end, seen.interrupted)


def _length(video: Video) -> float | None:
    """Where the video ends, where that is known."""
    if video.duration is None and isinstance(video.source, Recording):
        return video.times()[-1]
    return video.duration


def _read(
    session: Session,
    request: Request,
    target: Target,
    at: tuple[float, ...],
    seen: Seen,
    length: float | None,
) -> TargetCount:
    if target not in session.targets:
        return TargetCount(target, (), (), (), None, ("stopped before it was counted from the start",))
    moments = _moments(at, seen)
    last = max(moments)
    since = request.since if target.operator.windowed else None
    readings = [_reading(session, target, moment, since) for moment in moments if moment >= (since or 0.0)]
    answer = session.explain(target.description, last, operator=target.operator)
    return TargetCount(
        target,
        tuple(readings),
        answer.commits,
        answer.facts,
        session.capacity(target.description, target.operator),
        (*_out_of_range(at, seen, length), *answer.warnings),
    )


def _moments(at: tuple[float, ...], seen: Seen) -> tuple[float, ...]:
    """When to read: as asked, or as far as it came."""
    if not seen.interrupted:
        return at or (seen.end,)
    reached = tuple(moment for moment in at if moment <= seen.end)
    return reached if at and len(reached) == len(at) else (*reached, seen.end)


def _reading(session: Session, target: Target, at: float, since: float | None) -> Reading:
    name, operator = target.description, target.operator
    if since is None:
        return Reading(at, session.count(name, at, operator))
    change = session.change(name, since, at, operator)
    if operator is not Operator.O1_DELTA:
        return Reading(at, change, since)
    stream = None if session.state is None else session.state.stream
    entries = 0 if stream is None else session.ledger.entries(stream, name, since, at)
    return Reading(at, change, since, entries)


def _out_of_range(at: tuple[float, ...], seen: Seen, length: float | None) -> list[str]:
    if seen.interrupted:
        missed = ", ".join(f"{moment:g} s" for moment in at if moment > seen.end)
        return [f"stopped at {seen.end:g} s" + (f": {missed} was not reached" if missed else "")]
    if length is None:
        return []
    end = max(length, seen.end)
    return [
        f"{moment:g} s is beyond the end of the video at {end:g} s: the count is that of the end"
        for moment in at
        if moment > end
    ]


def _joined(request: Request, parts: Sequence[TargetCount]) -> TargetCount:
    """One target over all passes: its readings in the order they were asked for."""
    readings = {reading.at: reading for part in parts for reading in part.readings}
    asked = [readings[at] for at in request.at if at in readings]
    others = [reading for at, reading in readings.items() if at not in request.at]
    warnings = dict.fromkeys(warning for part in parts for warning in part.warnings)
    return replace(parts[-1], readings=(*asked, *others), warnings=tuple(warnings))
