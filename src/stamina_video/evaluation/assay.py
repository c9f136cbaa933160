"""The fixed-sensor assay: one estimator's counts read directly, through a ledger, and under controls.

Perception is held fixed, so what differs is only how well the read state is indexed (appendix,
"Count-State Readout").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from stamina_video.evaluation.controls import Reads
from stamina_video.ledger import Ledger
from stamina_video.semantics import Commit, InvalidInput, Kind, evidence_id

CONDITIONS = ("direct", "ledger", "cleared", "delayed", "swapped")
_TARGET = "cycle"


@dataclass(frozen=True, slots=True)
class AssayVideo:
    """One video's queries in order of time: the truth, and the sensor's prefix estimate at each."""

    name: str
    times: tuple[float, ...]
    truth: tuple[int, ...]
    estimates: tuple[int, ...]

    def __post_init__(self) -> None:
        if not len(self.times) == len(self.truth) == len(self.estimates):
            raise InvalidInput(f"{self.name}: expected a true count and an estimate for every query time")
        if any(later <= earlier for earlier, later in pairwise(self.times)):
            raise InvalidInput(f"{self.name}: expected query times in ascending order, got {self.times}")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a condition did over all queries."""

    exact: float
    mae: float


def assay(videos: Sequence[AssayVideo]) -> dict[str, Reading]:
    """Exactness and mean error of every condition; a swapped video reads the next one's ledger."""
    if len({video.name for video in videos}) < 2:
        raise InvalidInput(f"expected at least two videos to swap between, got {len(videos)}")
    with Ledger.open(":memory:") as ledger:
        states = [_committed(ledger, video) for video in videos]
    donors = [*states[1:], states[0]]
    answers: dict[str, list[Sequence[float]]] = {
        "direct": [video.estimates for video in videos],
        "ledger": [
            [state.at(time) for time in video.times] for video, state in zip(videos, states, strict=True)
        ],
        "cleared": [[0.0] * len(video.times) for video in videos],
        "delayed": [
            [state.before(time) for time in video.times] for video, state in zip(videos, states, strict=True)
        ],
        "swapped": [
            [donor.at(time) for time in video.times] for video, donor in zip(videos, donors, strict=True)
        ],
    }
    return {condition: _reading(videos, answers[condition]) for condition in CONDITIONS}


def _committed(ledger: Ledger, video: AssayVideo) -> Reads:
    """Commit each rise of the estimate; a falling estimate takes nothing back."""
    reads: dict[float, float] = {}
    count = 0
    for index, (time, estimate) in enumerate(zip(video.times, video.estimates, strict=True)):
        rise = estimate - count
        if rise > 0:
            edge = evidence_id(video.name, _TARGET, index, "sensor", "recurrence")
            seen = {"estimate": estimate}
            ledger.append(Commit(video.name, _TARGET, Kind.EVENT, rise, index, time, edge, seen))
            count = ledger.count(video.name, _TARGET, at=time)
        reads[time] = float(count)
    return Reads.of(reads)


def _reading(videos: Sequence[AssayVideo], answers: Sequence[Sequence[float]]) -> Reading:
    errors = [
        abs(answer - true)
        for video, given in zip(videos, answers, strict=True)
        for answer, true in zip(given, video.truth, strict=True)
    ]
    return Reading(sum(error == 0 for error in errors) / len(errors), sum(errors) / len(errors))
