"""Temporal transformations of annotated events: speed, pause, repeat, reverse, crop.

Each edits the frame map and carries the completion boundaries through it. Only a whole action that is
shown again raises the count.
"""

import dataclasses
from collections.abc import Iterator, Sequence

from stamina_video.data.frame_map import JOIN, FrameMap, Piece, Span
from stamina_video.data.trajectory import Mask, PhaseMark, Provenance, Supported, Trajectory
from stamina_video.semantics import Edge, InvalidInput, Operator, Phase, Role, graph_for


def sped(trajectory: Trajectory, factor: float) -> Trajectory:
    """Played faster (above one) or slower."""
    if not 0 < factor < float("inf"):
        raise InvalidInput(f"expected a speed above zero, got {factor!r}")
    whole = trajectory.frame_map.duration
    return _edited(trajectory, (Piece(0.0, whole / factor, 0.0, whole),), f"speed {factor:g}")


def paused(trajectory: Trajectory, at: float, length: float) -> Trajectory:
    """Standing still at a moment for some seconds; nothing completes meanwhile."""
    whole = trajectory.frame_map.duration
    if not 0 < at < whole or not 0 < length < float("inf"):
        raise InvalidInput(f"expected a pause above zero within {whole:g} s, got {length!r} s at {at!r}")
    if any(abs(mark.time - at) <= JOIN for mark in trajectory.marks):
        raise InvalidInput(f"expected a pause clear of every phase change, got one at {at!r}")
    pieces = (
        Piece(0.0, at, 0.0, at),
        Piece(at, at + length, at, at),
        Piece(at + length, whole + length, at, whole),
    )
    return _edited(trajectory, pieces, f"pause {length:g} at {at:g}")


def repeated(trajectory: Trajectory, cycle: int, times: int) -> Trajectory:
    """One whole action shown this many times more; each showing counts."""
    spans = cycles(trajectory)
    if not 0 <= cycle < len(spans) or times < 1:
        raise InvalidInput(f"expected one of {len(spans)} cycles and a repetition, got {cycle} and {times}")
    whole, span = trajectory.frame_map.duration, spans[cycle]
    shown = [(0.0, span.end), *[(span.start, span.end)] * times, (span.end, whole)]
    return _edited(trajectory, _spliced(shown), f"repeat cycle {cycle} ×{times}")


def reversed_(trajectory: Trajectory) -> Trajectory:
    """Played backwards. Legal for periodic motion with verified starts: a cycle backwards is a cycle."""
    if trajectory.operator is not Operator.E2_PERIODIC:
        raise InvalidInput(f"expected E2-Periodic to play backwards, got {trajectory.operator}")
    if not _starts_are_known(trajectory):
        raise InvalidInput(
            "expected a verified start for every cycle played backwards, got completions alone"
        )
    whole = trajectory.frame_map.duration
    return _edited(trajectory, (Piece(0.0, whole, whole, 0.0),), "reverse")


def cropped(trajectory: Trajectory, start: float, end: float) -> Trajectory:
    """A stretch of the segment; the count begins anew at its start."""
    whole = trajectory.frame_map.duration
    if not 0 <= start < end <= whole:
        raise InvalidInput(f"expected a crop within {whole:g} s, got {start!r} to {end!r}")
    return _edited(trajectory, (Piece(0.0, end - start, start, end),), f"crop {start:g} to {end:g}")


def cycles(trajectory: Trajectory) -> list[Span]:
    """Each whole action: from rest, through its completion, to the reset where one was seen.

    What is under way at the segment's start is not whole: shown again, no rest would part the two.
    """
    _check(trajectory)
    if len({mark.subject for mark in trajectory.marks}) > 1:
        raise InvalidInput("expected one subject whose cycles are told apart, got several")
    rest, rested, spans = 0.0, True, []
    for mark in trajectory.marks:
        if mark.edge.role is Role.START:
            rested = mark.time > rest
        elif mark.edge.role is Role.COMPLETE and rested:
            spans.append(Span(rest, mark.time))
        elif mark.edge.role is Role.RESET and rested and spans:
            spans[-1] = Span(spans[-1].start, mark.time)
        if mark.edge.role is not Role.START:
            rest = mark.time
    return spans


def _edited(trajectory: Trajectory, pieces: Sequence[Piece], step: str) -> Trajectory:
    _check(trajectory)
    edit = FrameMap(tuple(piece for piece in pieces if piece.end - piece.start > JOIN))
    marks = _marks(trajectory, edit)
    done = [mark.time for mark in marks if mark.edge.role is Role.COMPLETE]
    endpoints = {
        at: Supported(at, sum(time <= at + JOIN for time in done), (*endpoint.evidence, f"frame map: {step}"))
        for endpoint in trajectory.supported
        for at in _times(endpoint.time, edit)
    }
    name = f"{trajectory.id}/{step.replace(' ', '-')}"
    return dataclasses.replace(
        trajectory,
        id=name,
        segment=f"{trajectory.segment}/{step.replace(' ', '-')}",
        frame_map=trajectory.frame_map.then(edit),
        origin=0.0,
        endpoints=tuple(endpoints[at] for at in sorted(endpoints)),
        tracks=(),
        marks=marks,
        stable=tuple(_stable(trajectory.stable, edit)),
        provenance=_derived(trajectory, step),
    )


def _check(trajectory: Trajectory) -> None:
    if not trajectory.operator.is_event or Mask.BOUNDARY not in trajectory.masks:
        raise InvalidInput(
            f"trajectory {trajectory.id}: expected verified completion boundaries to transform, got none"
        )
    if trajectory.origin:
        raise InvalidInput(
            f"trajectory {trajectory.id}: expected a count from the segment's start to transform, "
            f"got one from {trajectory.origin:g} s"
        )


def _derived(trajectory: Trajectory, step: str) -> Provenance:
    past = trajectory.provenance
    return dataclasses.replace(past, derived_from=trajectory.id, steps=(*past.steps, step))


def _spliced(shown: Sequence[tuple[float, float]]) -> tuple[Piece, ...]:
    pieces, at = [], 0.0
    for start, end in shown:
        pieces.append(Piece(at, at + end - start, start, end))
        at += end - start
    return tuple(pieces)


def _marks(trajectory: Trajectory, edit: FrameMap) -> tuple[PhaseMark, ...]:
    """Phase changes as the edited segment shows them; one under way at a crop's start begins there."""
    carried = list(_under_way(trajectory, edit.pieces[0]))
    for piece in edit.pieces:
        moving = [mark for mark in trajectory.marks if piece.speed and _belongs(mark, piece)]
        for mark in moving if piece.speed > 0 else reversed(moving):
            shown = mark if piece.speed > 0 else dataclasses.replace(mark, edge=_backwards(mark.edge))
            carried.append(dataclasses.replace(shown, time=piece.from_source(mark.time)))
    return tuple(_after_a_completion(carried))


def _belongs(mark: PhaseMark, piece: Piece) -> bool:
    """A start belongs to the stretch it opens; what ends something, to the stretch that leads to it."""
    shows, starts = piece.shows, mark.edge.role is Role.START
    if piece.speed < 0:
        return shows.start < mark.time < shows.end
    if starts:
        return shows.start <= mark.time < shows.end
    return shows.start < mark.time <= shows.end or shows.start == 0 == mark.time


def _under_way(trajectory: Trajectory, first: Piece) -> Iterator[PhaseMark]:
    """The start, at time zero, of what the first frame finds begun."""
    start = next((edge for edge in graph_for(trajectory.operator).edges if edge.role is Role.START), None)
    if start is None:
        return
    phases: dict[str, Phase] = {}
    for mark in trajectory.marks:
        ended = first.speed > 0 and mark.time == first.source_start and mark.edge.role is not Role.START
        if mark.time < first.source_start or ended:
            phases[mark.subject] = mark.edge.target
    for subject, phase in phases.items():
        if phase is start.target:
            yield PhaseMark(subject, 0.0, start)


def _after_a_completion(marks: Sequence[PhaseMark]) -> Iterator[PhaseMark]:
    """Leave out the reset of what was completed before the segment began: here it starts ready."""
    completed: set[str] = set()
    for mark in marks:
        if mark.edge.role is Role.COMPLETE:
            completed.add(mark.subject)
        if mark.edge.role is not Role.RESET or mark.subject in completed:
            yield mark


def _backwards(edge: Edge) -> Edge:
    """READY → AWAY seen backwards is AWAY → READY, a completion; and the other way round."""
    other = next(
        other
        for other in graph_for(Operator.E2_PERIODIC).edges
        if (other.source, other.target) == (edge.target, edge.source)
    )
    assert other.role is not Role.HOLD
    return other


def _starts_are_known(trajectory: Trajectory) -> bool:
    roles = [mark.edge.role for mark in trajectory.marks]
    return all(
        index and roles[index - 1] is Role.START for index, role in enumerate(roles) if role is Role.COMPLETE
    )


def _times(source: float, edit: FrameMap) -> Iterator[float]:
    """When the edited segment shows a moment; several times if it is repeated, and not while it rests."""
    for piece in edit.pieces:
        if piece.speed and piece.shows.start < source <= piece.shows.end:
            yield piece.from_source(source)


def _stable(spans: Sequence[Span], edit: FrameMap) -> Iterator[Span]:
    for piece in edit.pieces:
        if not piece.speed:
            yield Span(piece.start, piece.end)  # one frame held: nothing can change
            continue
        for span in spans if piece.speed > 0 else reversed(spans):
            low, high = max(span.start, piece.shows.start), min(span.end, piece.shows.end)
            if high - low > JOIN:
                yield Span(*sorted((piece.from_source(low), piece.from_source(high))))
