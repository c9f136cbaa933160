"""Judges accepted identities: were they new, how late, who was counted twice, who is still unresolved.

Definitions of the appendix, "Diagnostic populations and commitment".
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from stamina_video.evaluation.trajectories import Birth, Identity


@dataclass(frozen=True, slots=True)
class IdentityTally:
    """Numerators and denominators to be pooled over trajectories and seeds."""

    accepted: int  # true identities with a birth: the first birth of each is right
    births: int
    identities: int
    double_counts: int  # re-entry encounters in which the identity was born again
    reentries: int
    unresolved: int  # seen but unaccepted identities, summed over queries
    exposures: int  # seen identities, summed over queries
    delay: float  # acceptance minus first seen, summed over accepted identities


def tally_identities(
    identities: Sequence[Identity], births: Sequence[Birth], queries: Sequence[float]
) -> IdentityTally:
    known = {identity.name: identity for identity in identities}
    born: defaultdict[str, list[float]] = defaultdict(list)
    for birth in sorted(births, key=lambda birth: birth.time):
        # Nobody can be recognised before being seen: such a birth depicts something else.
        if birth.matched in known and birth.time >= known[birth.matched].first_seen:
            born[birth.matched].append(birth.time)
    accepted = {name: times[0] for name, times in born.items()}
    seen = [identity for query in queries for identity in identities if identity.first_seen <= query]
    resolved = sum(
        identity.name in accepted and accepted[identity.name] <= query
        for query in queries
        for identity in identities
        if identity.first_seen <= query
    )
    return IdentityTally(
        accepted=len(accepted),
        births=len(births),
        identities=len(identities),
        double_counts=sum(_double_counts(identity, born[identity.name][1:]) for identity in identities),
        reentries=sum(len(identity.reentries) for identity in identities),
        unresolved=len(seen) - resolved,
        exposures=len(seen),
        delay=sum(time - known[name].first_seen for name, time in accepted.items()),
    )


def _double_counts(identity: Identity, repeated: Sequence[float]) -> int:
    """The re-entry encounters that a repeated birth falls into; each counts once."""
    encounters = {bisect_right(identity.seen, time) - 1 for time in repeated}
    return len(encounters - {0})  # born again before it ever left is a false birth, not a re-entry
