"""Which endpoints any legal path reaches, found before training so that no loss meets an impossible one."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from stamina_video.semantics import EventGraph
from stamina_video.semantics.capacity import Endpoint, Presence, first_unreachable, most_completions

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Excluded:
    """An endpoint that no path reaches, by its place among those given."""

    index: int
    endpoint: Endpoint
    reason: str


@dataclass(frozen=True, slots=True)
class Support:
    kept: tuple[Endpoint, ...]
    excluded: tuple[Excluded, ...]


def reachable_endpoints(
    graph: EventGraph, present: Presence, endpoints: Sequence[Endpoint], name: str = "trajectory"
) -> Support:
    """Keep the endpoints a legal path can meet together; log and exclude each that breaks them.

    `present` has one row per observation and one flag per slot; `name` is for the log.
    """
    kept, excluded = list(enumerate(endpoints)), []
    while (place := first_unreachable(graph, present, [endpoint for _, endpoint in kept])) is not None:
        index, endpoint = kept.pop(place)
        reason = _reason(graph, present, endpoint, kept[place - 1][1] if place else None)
        log.warning("%s: endpoint %d excluded: %s", name, index, reason)
        excluded.append(Excluded(index, endpoint, reason))
    return Support(tuple(endpoint for _, endpoint in kept), tuple(excluded))


def _reason(graph: EventGraph, present: Presence, endpoint: Endpoint, before: Endpoint | None) -> str:
    ceiling = [0, *most_completions(graph, present[: endpoint.observations])][-1]
    wanted = f"{endpoint.count} completions after {endpoint.observations} observations"
    if endpoint.count > ceiling:
        return f"{wanted}, at most {ceiling} reachable"
    earlier = f"{before.count} after {before.observations}" if before else "none at the origin"
    return f"{wanted}, not reachable from {earlier}"
