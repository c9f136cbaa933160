"""Every operator's true count at every moment: from visibility and the script, never from pixels."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stamina_video.data.world.counted import Counted
from stamina_video.data.world.script import Occurrence
from stamina_video.data.world.visibility import Presence
from stamina_video.semantics import (
    Edge,
    InvalidInput,
    Measure,
    Operator,
    Phase,
    Role,
    Scope,
    Target,
    graph_for,
    seconds,
)


@dataclass(frozen=True, slots=True)
class PhaseEdge:
    """A subject's legal change of phase at a time; a global target has one subject for all."""

    subject: int
    time: float
    edge: Edge


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect observer of the whole scene knows. Reads at t use nothing later than t."""

    duration: float
    presences: tuple[Presence, ...]
    script: tuple[Occurrence, ...]
    counted: tuple[Counted, ...]

    def resolve(self, target: Target) -> Counted:
        """The scene's own record of a target, by its description or another wording of it."""
        for counted in self.counted:
            same = counted.target.operator is target.operator
            if same and target.description in (counted.target.description, *counted.aliases):
                return counted
        raise InvalidInput(f"expected a target of this scene, got {target.description!r} ({target.operator})")

    def identities(self, target: Target) -> tuple[Presence, ...]:
        """Each physical identity with every interval of its visibility, in the order of first appearance."""
        wanted = self.resolve(target).entities
        return tuple(presence for presence in self.presences if presence.entity.id in wanted)

    def events(self, target: Target) -> tuple[float, ...]:
        """Completion times within the video, in order."""
        return tuple(
            sorted(
                o.completion
                for o in self._occurrences(target)
                if _counts(o, self.duration) and o.completion is not None
            )
        )

    def occurrences(self, target: Target) -> tuple[float, ...]:
        """When the running number of a target grows: entries, first appearances or completions."""
        measure = self.resolve(target).target.operator.measure
        if measure is Measure.COMPLETED:
            return self.events(target)
        identities = self.identities(target)
        if measure is Measure.UNIQUE:
            return tuple(sorted(presence.first for presence in identities))
        return tuple(sorted(start for presence in identities for start, _ in presence.intervals))

    def count(self, target: Target, at: float) -> int:
        """The running number at a time: visible now, seen so far, or completed so far."""
        at = seconds(at, "a time")
        if self.resolve(target).target.operator.measure is Measure.VISIBLE:
            return sum(presence.visible(min(at, self._last)) for presence in self.identities(target))
        return bisect_right(self.occurrences(target), at)

    def counts(self, target: Target, times: Iterable[float], window: float | None = None) -> list[int]:
        """Counts at times; with a window, the change over it as a benchmark asks: entries for O1-Delta."""
        if window is None:
            return [self.count(target, at) for at in times]
        read = self.entries if target.operator is Operator.O1_DELTA else self.change
        return [read(target, at - window, at) for at in times]

    def change(self, target: Target, since: float, at: float) -> int:
        """N(t) − N(s), U(t) − U(s) or C(t) − C(s); before the first frame nothing has been seen."""
        return self.count(target, at) - (self.count(target, since) if since >= 0 else 0)

    def entries(self, target: Target, since: float, at: float) -> int:
        """How often a target came into view in (since, at]; what was there at the start entered at zero."""
        entered = self.occurrences(target)
        return bisect_right(entered, at) - bisect_right(entered, since)

    def phase_edges(self, target: Target) -> tuple[PhaseEdge, ...]:
        """The legal edges of every subject in time order. Giving up is no edge: the phase stays active."""
        graph = graph_for(target.operator)
        steps: list[tuple[float, int, Role]] = []
        for occurrence in self._occurrences(target):
            steps += _steps(occurrence, graph.edges, self.duration)
        shared = self.resolve(target).target.scope is Scope.GLOBAL
        phases: dict[int, Phase] = {}
        edges = []
        for time, owner, role in sorted(steps, key=lambda step: step[0]):
            subject = 0 if shared else owner
            phase = phases.get(subject, graph.initial)
            edge = next((edge for edge in graph.outgoing(phase) if edge.role is role), None)
            if edge is not None:
                phases[subject] = edge.target
                edges.append(PhaseEdge(subject, time, edge))
        return tuple(edges)

    @property
    def _last(self) -> float:
        # A question at the very end asks about the last frame.
        return self.duration - 1e-6

    def _occurrences(self, target: Target) -> Sequence[Occurrence]:
        counted = self.resolve(target)
        if not counted.event:
            raise InvalidInput(f"expected an event target, got {target.description!r} ({target.operator})")
        return [o for o in self.script if o.event == counted.event and o.subject in counted.entities]


def _counts(occurrence: Occurrence, duration: float) -> bool:
    return occurrence.completion is not None and 0 <= occurrence.completion <= duration


def _steps(occurrence: Occurrence, edges: Sequence[Edge], duration: float) -> list[tuple[float, int, Role]]:
    """When this occurrence starts, completes and re-arms, as far as the video shows it."""
    roles = {edge.role for edge in edges}
    if occurrence.completion is not None and occurrence.completion < 0:
        return []
    moments = (
        (Role.START, None if occurrence.start is None else max(occurrence.start, 0.0)),
        (Role.COMPLETE, occurrence.completion),
        (Role.RESET, occurrence.reset),
    )
    return [
        (time, occurrence.subject, role)
        for role, time in moments
        if time is not None and time <= duration and role in roles
    ]
