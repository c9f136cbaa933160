"""A stratified sample of labels for people to look at. Drawn without regard to whether a label is right."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import InvalidInput

Stratum = tuple[str, str]  # source group and operator


@dataclass(frozen=True, slots=True)
class AuditItem:
    """One record with one endpoint and one interval to judge."""

    trajectory: Trajectory
    time: float
    count: int
    since: float
    until: float
    increment: int

    @property
    def id(self) -> str:
        return self.trajectory.id

    @property
    def stratum(self) -> Stratum:
        return self.trajectory.provenance.group, str(self.trajectory.operator)


def draw_audit(trajectories: Iterable[Trajectory], per_stratum: int, seed: int = 0) -> list[AuditItem]:
    """Up to so many records of every source group and operator; equal counts stay eligible."""
    if per_stratum < 1:
        raise InvalidInput(f"expected at least one record a stratum, got {per_stratum}")
    strata: dict[Stratum, list[Trajectory]] = {}
    for trajectory in trajectories:
        if not trajectory.operator.windowed and len(trajectory.supported) > 1:
            key = trajectory.provenance.group, str(trajectory.operator)
            strata.setdefault(key, []).append(trajectory)
    items = []
    for key in sorted(strata):
        eligible = sorted(strata[key], key=lambda trajectory: trajectory.id)
        # Each stratum draws for itself: another source's records change nothing here.
        draw = random.Random(f"{seed} {key}")
        items += [_item(chosen, draw) for chosen in draw.sample(eligible, min(per_stratum, len(eligible)))]
    return items


def _item(trajectory: Trajectory, draw: random.Random) -> AuditItem:
    endpoint = draw.choice(trajectory.supported)
    left, right = draw.choice(list(pairwise(trajectory.supported)))
    assert endpoint.count is not None
    assert left.count is not None
    assert right.count is not None
    return AuditItem(
        trajectory, endpoint.time, endpoint.count, left.time, right.time, right.count - left.count
    )
