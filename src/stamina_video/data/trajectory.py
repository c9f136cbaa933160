"""A count trajectory: one target of one segment, and everything that is known about its count.

The one record every source loads into. Times are seconds from the segment's start; what is not known is
left out, never written as zero.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from stamina_video.data.frame_map import JOIN, FrameMap, Span
from stamina_video.semantics import (
    Edge,
    InvalidInput,
    Operator,
    Role,
    Target,
    graph_for,
    seconds,
    target_name,
)


class Mask(StrEnum):
    """Supervision that may be used. Conflicting evidence disables a mask; algebra never enables one."""

    COUNT = "count"
    IDENTITY = "identity"
    BOUNDARY = "boundary"
    STABLE = "stable"


@dataclass(frozen=True, slots=True)
class Supported:
    """A count label at a time. Without a count or evidence it was looked at but is not supported.

    With `since` it is an interval-only label: what happened in (since, time].
    """

    time: float
    count: int | None
    evidence: tuple[str, ...] = ()
    since: float | None = None

    @property
    def holds(self) -> bool:
        return self.count is not None and bool(self.evidence)


@dataclass(frozen=True, slots=True)
class IdentityTrack:
    """A verified physical individual and when it was visible."""

    identity: str
    visible: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PhaseMark:
    """A verified change of phase of one subject."""

    subject: str
    time: float
    edge: Edge


@dataclass(frozen=True, slots=True)
class Media:
    """The parent's file, or a file of the segment alone. `sha256` is empty where nobody has seen it yet."""

    path: str
    sha256: str = ""
    of_segment: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a trajectory comes from: its source's name and record, its ancestors, what was done to it."""

    source: str
    record: str
    group: str  # spatial, natural, periodic or whatever the inventory shall tell apart
    derived_from: str = ""  # a trajectory's id
    steps: tuple[str, ...] = ()
    ancestors: tuple[str, ...] = ()  # media names or hashes this one was made from


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    id: str
    parent: str
    scene: str
    media: Media
    segment: str
    frame_map: FrameMap
    target: Target
    question: str
    provenance: Provenance
    aliases: tuple[str, ...] = ()
    possible_aliases: tuple[str, ...] = ()  # wordings that may mean the same; nobody has settled it
    origin: float = 0.0
    entities: tuple[
        str, ...
    ] = ()  # physical individuals or events counted here, by their names in the parent
    endpoints: tuple[Supported, ...] = ()
    tracks: tuple[IdentityTrack, ...] = ()
    marks: tuple[PhaseMark, ...] = ()
    stable: tuple[Span, ...] = ()
    masks: frozenset[Mask] = field(default_factory=lambda: frozenset({Mask.COUNT}))

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip():
            raise InvalidInput(f"expected a trajectory with an id, got {self.id!r}")
        try:
            self._check()
        except InvalidInput as error:
            raise InvalidInput(f"trajectory {self.id}: {error}") from None

    @property
    def operator(self) -> Operator:
        return self.target.operator

    @property
    def key(self) -> tuple[str, str, str, Operator, float]:
        """Parent, segment, canonical target, operator and count origin: what a count is relative to."""
        return self.parent, self.segment, self.target.description, self.operator, self.origin

    @property
    def media_map(self) -> FrameMap:
        """Which moment of the media file each moment of the segment shows."""
        return FrameMap.whole(self.frame_map.duration) if self.media.of_segment else self.frame_map

    @property
    def supported(self) -> tuple[Supported, ...]:
        return tuple(endpoint for endpoint in self.endpoints if endpoint.holds)

    @property
    def completions(self) -> tuple[float, ...]:
        return tuple(mark.time for mark in self.marks if mark.edge.role is Role.COMPLETE)

    def _check(self) -> None:
        for what, name in (("parent", self.parent), ("scene", self.scene), ("segment", self.segment)):
            if not name.strip():
                raise InvalidInput(f"expected the name of its {what}, got none")
        for alias in (*self.aliases, *self.possible_aliases):
            target_name(alias)
        seconds(self.origin, "a count origin")
        self._check_endpoints()
        self._check_evidence()

    def _check_endpoints(self) -> None:
        for endpoint in self.endpoints:
            seconds(endpoint.time, "an endpoint's time")
            self._check_inside(endpoint.time, "an endpoint")
            if (endpoint.since is not None) != self.operator.windowed:
                expected = "interval labels" if self.operator.windowed else "no interval label"
                raise InvalidInput(f"expected {expected} for {self.operator}, got since {endpoint.since!r}")
            # A window may reach back before the origin, where the state is empty.
            if endpoint.since is not None and not endpoint.since < endpoint.time:
                raise InvalidInput(f"expected since before {endpoint.time}, got {endpoint.since!r}")
            _check_count(endpoint, self.operator)
        for left, right in pairwise(self.endpoints):
            if not left.time < right.time:
                raise InvalidInput(f"expected ascending endpoints, got {left.time} then {right.time}")
        if self.operator.cumulative:
            _check_rising(self.supported, self.operator)

    def _check_evidence(self) -> None:
        for track in self.tracks:
            for span in track.visible:
                self._check_inside(span.end, f"the track of {track.identity}")
        for span in self.stable:
            self._check_inside(span.end, "a stable interval")
        if any(left.end > right.start + JOIN for left, right in pairwise(self.stable)):
            raise InvalidInput("expected stable intervals in ascending order and apart")
        if self.marks and not self.operator.is_event:
            raise InvalidInput(f"expected no phase marks for {self.operator}, got {len(self.marks)}")
        legal = graph_for(self.operator).edges if self.marks else ()
        for mark in self.marks:
            self._check_inside(seconds(mark.time, "a phase mark's time"), "a phase mark")
            if mark.edge not in legal:
                raise InvalidInput(f"expected a legal edge of {self.operator}, got {mark.edge}")
        if any(left.time > right.time for left, right in pairwise(self.marks)):
            raise InvalidInput("expected phase marks in ascending order")

    def _check_inside(self, time: float, what: str) -> None:
        if time > self.frame_map.duration + JOIN:
            raise InvalidInput(f"expected {what} within {self.frame_map.duration:g} s, got {time:g}")


def group_of(operator: Operator) -> str:
    """The inventory's group of a source that names none: as the paper divides its pool."""
    if operator is Operator.E2_PERIODIC:
        return "periodic"
    return "natural" if operator.is_event else "spatial"


def _check_count(endpoint: Supported, operator: Operator) -> None:
    count = endpoint.count
    if count is None:
        return
    if isinstance(count, bool) or not isinstance(count, int):
        raise InvalidInput(f"expected a whole count at {endpoint.time}, got {count!r}")
    if count < 0 and operator is not Operator.O1_DELTA:
        raise InvalidInput(f"expected a count from 0 at {endpoint.time}, got {count}")


def _check_rising(endpoints: tuple[Supported, ...], operator: Operator) -> None:
    for left, right in pairwise(endpoints):
        assert left.count is not None
        assert right.count is not None
        if right.count < left.count:
            raise InvalidInput(
                f"expected {operator} never to fall, got {left.count} at {left.time} "
                f"then {right.count} at {right.time}"
            )
