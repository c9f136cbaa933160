"""What a viewer should see at each moment of a counted video. Knows nothing of pixels."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from stamina_video.cli.counting import Counted, TargetCount
from stamina_video.cli.driving import Listener
from stamina_video.cli.wording import in_short
from stamina_video.runtime import Session
from stamina_video.semantics import Commit, Decision, Observation, Target
from stamina_video.transitions import Outcome, TargetState

FLASH = 1.0  # seconds for which a commit stands out

Box = tuple[float, float, float, float]  # left, top, right, bottom as fractions of the picture


@dataclass(frozen=True, slots=True)
class Place:
    """Something visible: an identity, a slot, or a candidate not yet told apart."""

    subject: str
    box: Box
    label: str


@dataclass(frozen=True, slots=True)
class Look:
    """One target at one observation."""

    places: tuple[Place, ...] = ()
    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One target at one moment: its number, what is followed, and what has just changed."""

    label: str
    count: int
    look: Look
    fresh: tuple[Commit, ...]


class Recorder(Listener):
    """Notes while counting what a ledger does not keep: phases, and who is visible where."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._times: list[float] = []
        self._looks: list[dict[Target, Look]] = []

    def observed(self, session: Session, observation: Observation, decisions: Sequence[Decision]) -> None:
        if observation.index == 0:
            self._begin()  # a fresh replay
        if not decisions:
            return  # the state is that of a later moment
        assert session.state is not None, "an observation was made"
        self._times.append(observation.time)
        self._looks.append(
            {
                state.target: _look(state, outcome)
                for state, outcome in zip(session.state.targets, session.outcomes, strict=True)
            }
        )

    def overlay(self, counted: Counted) -> "Overlay":
        return Overlay([_Track.of(row) for row in counted.targets], self._times, self._looks)


class Overlay:
    """What to show at any time: the latest observation, and the commits up to then."""

    def __init__(
        self, tracks: "Sequence[_Track]", times: Sequence[float], looks: Sequence[dict[Target, Look]]
    ) -> None:
        self._tracks = tracks
        self._times = times
        self._looks = looks

    def at(self, time: float) -> list[Row]:
        seen = bisect_right(self._times, time)
        looks = self._looks[seen - 1] if seen else {}
        return [track.row(time, looks.get(track.target, Look())) for track in self._tracks]


@dataclass(frozen=True, slots=True)
class _Track:
    """The commits of one target, ready to be read as of any time."""

    target: Target
    commits: tuple[Commit, ...]
    times: tuple[float, ...]
    counts: tuple[int, ...]  # one more than commits: before the first, then after each

    @classmethod
    def of(cls, row: TargetCount) -> "_Track":
        counts = accumulate((commit.delta for commit in row.commits), initial=0)
        return cls(row.target, row.commits, tuple(commit.time for commit in row.commits), tuple(counts))

    def row(self, time: float, look: Look) -> Row:
        until = bisect_right(self.times, time)
        fresh = self.commits[bisect_right(self.times, time - FLASH) : until]
        return Row(in_short(self.target), self.counts[until], look, fresh)


def subject_of(commit: Commit) -> str | None:
    """Whom a commit speaks of, in the words of a place."""
    for kind in ("identity", "slot"):
        if commit.evidence.get(kind) is not None:
            return f"{kind}:{commit.evidence[kind]}"
    return None


def box_of(commit: Commit) -> Box | None:
    """Where it happened, where the evidence says so."""
    box = commit.evidence.get("box")
    return None if box is None else (box[0], box[1], box[2], box[3])


def _look(state: TargetState, outcome: Outcome) -> Look:
    phases = tuple(phase.value.lower() for phase in state.slots.phases)
    if outcome.boxes_J4 is None:
        return Look((), phases)
    boxes = outcome.boxes_J4.tolist()
    return Look(
        tuple(
            Place(subject, tuple(boxes[vector]), label) for subject, vector, label in _who(outcome, phases)
        ),
        phases,
    )


def _who(outcome: Outcome, phases: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Each visible candidate with the visual vector it looks at most, and what to call it."""
    if outcome.objects is not None:
        candidates = outcome.objects.candidates
        for candidate, identity in enumerate(outcome.objects.resolution.identities):
            subject, label = (
                ("candidate", "?") if identity is None else (f"identity:{identity}", f"#{identity + 1}")
            )
            yield subject, candidates.looks_at(candidate)[0], label
    elif outcome.events is not None and outcome.events.candidates is not None:
        for slot, seated in enumerate(outcome.events.seating.candidates):
            if seated is not None:
                vector = outcome.events.candidates.looks_at(seated)[0]
                yield f"slot:{slot}", vector, f"{slot + 1} {phases[slot]}"
