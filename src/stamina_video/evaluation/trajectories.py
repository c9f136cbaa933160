"""One target in one video, as it was and as a counter told it. The records diagnostics compare."""

from collections.abc import Sequence
from dataclasses import dataclass

from stamina_video.semantics import InvalidInput


@dataclass(frozen=True, slots=True)
class Mark:
    """A completion that happened, or one that was committed, in seconds; `slot` tells instances apart."""

    time: float
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """An individual and when it came into view: first seen, then each re-entry."""

    name: str
    seen: tuple[float, ...]

    @property
    def first_seen(self) -> float:
        return self.seen[0]

    @property
    def reentries(self) -> tuple[float, ...]:
        return self.seen[1:]


@dataclass(frozen=True, slots=True)
class Birth:
    """An accepted NEW identity; `matched` names the individual it depicts, None if it depicts none."""

    time: float
    matched: str | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What happened: counts at endpoints, and, where annotated, completions or identities.

    `observed` are the sampling times; `verified` bounds the stretches whose stability was checked, None for
    all of it. The stratum says which supervision its source could give, never what is scored.
    """

    id: str
    parent: str
    stratum: str
    endpoints: tuple[float, ...]
    counts: tuple[int, ...]
    observed: tuple[float, ...] = ()
    completions: tuple[Mark, ...] | None = None
    identities: tuple[Identity, ...] | None = None
    verified: tuple[tuple[float, float], ...] | None = None

    def __post_init__(self) -> None:
        if len(self.endpoints) != len(self.counts):
            raise InvalidInput(
                f"{self.id}: expected a count per endpoint, "
                f"got {len(self.counts)} for {len(self.endpoints)} endpoints"
            )
        if any(later < earlier for earlier, later in zip(self.endpoints, self.endpoints[1:], strict=False)):
            raise InvalidInput(f"{self.id}: expected endpoints in order of time, got {self.endpoints}")


@dataclass(frozen=True, slots=True)
class Run:
    """What a counter told about one trajectory under one seed.

    `hard` and `soft` are its accepted and its differentiable count at each endpoint, NaN where it gave none;
    `nll` is the joint negative log-likelihood of all endpoints.
    """

    seed: str
    hard: tuple[float, ...]
    commits: tuple[Mark, ...] = ()
    births: tuple[Birth, ...] | None = None  # None: nobody said whom its identities depict
    soft: tuple[float, ...] | None = None
    nll: float | None = None
    retrieval_misses: int | None = None


def counted(times: Sequence[float], endpoints: Sequence[float]) -> tuple[float, ...]:
    """How many of these times each endpoint has passed."""
    return tuple(float(sum(time <= endpoint for time in times)) for endpoint in endpoints)
