"""How much of an annotated set an observation budget could reach at best: the capacity table."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from stamina_video.semantics.annotations import Question
from stamina_video.semantics.capacity import ceiling, lowest_rate, most_slots, observations_needed
from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.schedule import check_rate, ticks_until

EVENT_OPERATORS = tuple(operator for operator in Operator if operator.is_event)


@dataclass(frozen=True, slots=True)
class EndpointCapacity:
    """One event endpoint against the ceilings of both access modes."""

    question: str
    operator: Operator
    at: float
    count: int
    stream_ceiling: int
    full_ceiling: int
    frames_needed: int
    lowest_fps: float | None  # None where no rate reaches it

    @property
    def in_stream(self) -> bool:
        return self.count <= self.stream_ceiling

    @property
    def in_full(self) -> bool:
        return self.count <= self.full_ceiling


@dataclass(frozen=True, slots=True)
class CapacityRow:
    """An operator's share of endpoints within the ceilings, as fractions of one."""

    operator: Operator
    endpoints: int
    full: float
    stream: float
    lowest_fps: float | None  # reaches every endpoint of the operator; None where no rate does


def endpoint_capacities(
    questions: Iterable[Question], fps: float = 1.0, frames: int = 64
) -> list[EndpointCapacity]:
    """Every event endpoint of the set with its ceilings; object counts have none."""
    check_rate(fps)
    if frames < 1:
        raise InvalidInput(f"expected a frame budget from 1, got {frames}")
    return [
        _endpoint(question, at, count, fps, frames)
        for question in questions
        if question.operator.is_event
        for at, count in zip(question.times, question.counts, strict=True)
    ]


def capacity_table(endpoints: Iterable[EndpointCapacity]) -> list[CapacityRow]:
    """One row per event operator that occurs, in the paper's order."""
    by_operator: dict[Operator, list[EndpointCapacity]] = {}
    for endpoint in endpoints:
        by_operator.setdefault(endpoint.operator, []).append(endpoint)
    return [_row(operator, by_operator[operator]) for operator in EVENT_OPERATORS if operator in by_operator]


def _endpoint(question: Question, at: float, count: int, fps: float, frames: int) -> EndpointCapacity:
    operator = question.operator
    slots = most_slots(operator)  # an upper bound: every slot present from the origin
    return EndpointCapacity(
        question.id,
        operator,
        at,
        count,
        ceiling(operator, ticks_until(at, fps, origin=0.0), slots),
        ceiling(operator, frames, slots),
        observations_needed(operator, count, slots),
        lowest_rate(operator, count, at, slots),
    )


def _row(operator: Operator, endpoints: list[EndpointCapacity]) -> CapacityRow:
    rates = [math.inf if endpoint.lowest_fps is None else endpoint.lowest_fps for endpoint in endpoints]
    return CapacityRow(
        operator,
        len(endpoints),
        sum(endpoint.in_full for endpoint in endpoints) / len(endpoints),
        sum(endpoint.in_stream for endpoint in endpoints) / len(endpoints),
        None if math.isinf(max(rates)) else max(rates),
    )
