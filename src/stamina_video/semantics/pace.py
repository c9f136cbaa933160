"""How often a target must be looked at: what its event graph asks for, at the pace of real events.

A slot walks one edge per observation, so an operator that takes `n` observations per completion and
meets `r` completions a second needs `n · r` observations a second (appendix, "Sampled time and
reachable counts"). `r` is a property of the world, not of the model: the table below states it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from stamina_video.semantics.capacity import observations_per_completion
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.targets import Target

# The fastest completions a second that one slot meets in practice.
FASTEST = {
    Operator.E1_ACTION: 2.0,  # hits, clicks, throws by one hand
    Operator.E1_TRANSIT: 2.0,  # cuts of a fast trailer
    Operator.E2_EPISODE: 1.0,  # something starts, lasts and ends: rarely in under a second
    Operator.E2_PERIODIC: 3.0,  # skipping a rope, drumming, running on the spot
}
OBJECTS = 2.0  # observations a second in which what walks or is carried through is not missed

_NOUNS = {
    Operator.E1_ACTION: "actions",
    Operator.E1_TRANSIT: "changes",
    Operator.E2_EPISODE: "episodes",
    Operator.E2_PERIODIC: "cycles",
}


@dataclass(frozen=True, slots=True)
class Pace:
    """Observations a second, and the reason for that many."""

    fps: float
    reason: str
    automatic: bool = True  # False: someone asked for exactly this


def pace_of(target: Target) -> Pace:
    """The rate one target needs."""
    operator = target.operator
    if not operator.is_event:
        return Pace(OBJECTS, f"{operator} needs {OBJECTS:g} looks a second at what comes and goes")
    looks, fastest = observations_per_completion(operator), FASTEST[operator]
    return Pace(
        looks * fastest,
        f"{operator} takes {looks} observations per completion, "
        f"and {_NOUNS[operator]} come up to {fastest:g} times a second",
    )


def pace_for(targets: Iterable[Target]) -> Pace:
    """The rate that serves every target: the highest any of them needs."""
    return max(map(pace_of, targets), key=lambda pace: pace.fps)
