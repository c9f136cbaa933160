"""Decisions that hang on a count: a fixed threshold, judged afterwards or watched live."""

import math
import operator
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stamina_video.semantics import InvalidInput, Measure

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_MEASURES = {"N": Measure.VISIBLE, "U": Measure.UNIQUE, "C": Measure.COMPLETED}
_WRITTEN = re.compile(r"\s*([NUC])\s*(>=|<=|==|>|<)\s*(\d+)\s*")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A count compared with a threshold, such as N >= 4."""

    measure: Measure
    comparison: str
    threshold: int

    @classmethod
    def parse(cls, text: str) -> "Predicate":
        found = _WRITTEN.fullmatch(text.replace("≥", ">=").replace("≤", "<="))
        if found is None:
            raise InvalidInput(f"expected a predicate such as 'N >= 4' (N, U or C), got {text!r}")
        return cls(_MEASURES[found[1]], found[2], int(found[3]))

    def __call__(self, count: float) -> bool:
        return _COMPARISONS[self.comparison](count, self.threshold)

    def __str__(self) -> str:
        letter = next(letter for letter, measure in _MEASURES.items() if measure is self.measure)
        return f"{letter} {self.comparison} {self.threshold}"


ROUTINES = {
    "inventory": Predicate.parse("N >= 4"),
    "handover": Predicate.parse("C >= 1"),
    "restocking": Predicate.parse("N <= 2"),
    "repetition": Predicate.parse("C >= 5"),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """An eligibility decision at one time: the verified count and the given one, None if there was none."""

    video: str
    time: float
    truth: int
    count: float | None


def is_right(predicate: Predicate, decision: Decision) -> bool:
    """A count that is missing or no count decides wrongly, whatever the truth."""
    count = decision.count
    if count is None or isinstance(count, bool) or not math.isfinite(count) or count < 0:
        return False
    return predicate(count) == predicate(decision.truth)


def accuracy(predicate: Predicate, decisions: Sequence[Decision]) -> float:
    """The share of right decisions, pooled; as many must be eligible as not."""
    eligible = sum(predicate(decision.truth) for decision in decisions)
    if not decisions or 2 * eligible != len(decisions):
        raise InvalidInput(
            f"expected as many decisions with {predicate} as without, got {eligible} of {len(decisions)}"
        )
    return sum(is_right(predicate, decision) for decision in decisions) / len(decisions)


def balanced(
    predicate: Predicate, candidates: Sequence[Decision], per_video: int = 5, seed: int = 0
) -> list[Decision]:
    """Choose `per_video` decisions from each video so that half of all are eligible.

    The choice looks at the truth and a seed, never at a prediction.
    """
    yes, no = _by_video(candidates, predicate, True), _by_video(candidates, predicate, False)
    videos = list(dict.fromkeys(candidate.video for candidate in candidates))
    fewest = {video: max(per_video - len(no[video]), 0) for video in videos}
    most = {video: min(per_video, len(yes[video])) for video in videos}
    half, odd = divmod(per_video * len(videos), 2)
    feasible = all(fewest[video] <= most[video] for video in videos)
    if odd or not feasible or not sum(fewest.values()) <= half <= sum(most.values()):
        raise InvalidInput(
            f"expected {per_video} decisions in each of {len(videos)} videos, half of all with {predicate}, "
            f"got candidates that cannot give them"
        )
    draw = random.Random(seed)
    room = [video for video in videos for _ in range(most[video] - fewest[video])]
    eligible = Counter(fewest) + Counter(draw.sample(room, half - sum(fewest.values())))
    chosen: list[Decision] = []
    for video in videos:
        chosen += draw.sample(yes[video], eligible[video])
        chosen += draw.sample(no[video], per_video - eligible[video])
    return sorted(chosen, key=lambda decision: (decision.video, decision.time))


def _by_video(
    candidates: Sequence[Decision], predicate: Predicate, holds: bool
) -> defaultdict[str, list[Decision]]:
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    for candidate in candidates:
        if predicate(candidate.truth) is holds:
            found[candidate.video].append(candidate)
    return found


class Watch:
    """The same predicate live: says when it begins and when it ceases to hold."""

    def __init__(self, predicate: Predicate) -> None:
        self.predicate = predicate
        self.holds: bool | None = None

    def update(self, count: float) -> bool | None:
        """True or False where the decision turns (the first counts as turning), None where it stays."""
        now = self.predicate(count)
        turned = now is not self.holds
        self.holds = now
        return now if turned else None
