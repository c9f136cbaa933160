"""How a detector behaves, in a few numbers: a small JSON file that the simulation reads."""

import json
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from stamina_video.semantics import InvalidInput, UnreadableFile

SHIPPED = "efficientdet-lite2.json"
RATE = 5.0  # observations a second at which probabilities "per observation" hold


@dataclass(frozen=True, slots=True)
class Statistics:
    """A detector's habits. Scores are in logits; jitter is in shares of a box's size."""

    vocabulary: tuple[str, ...]
    floor: float  # nothing below this score is reported
    most: int  # boxes an observation
    apart: float  # a better box silences others that overlap it more
    score_mean: float  # of a thing that fills a hundredth of the image
    score_per_size: float  # by the logarithm of the area
    score_spread: float  # between things
    score_wobble: float  # of one thing over time
    score_persistence: float  # how much of the wobble stays to the next observation
    hidden_cost: float  # what a thing loses that is covered altogether
    blink: float  # chance that a reported thing goes missing
    blink_back: float  # chance that it comes back
    merge: float  # chance that one of two overlapping things of a class is not reported apart
    jitter: float
    jitter_weak: float  # added as the score falls from one to nought
    jitter_tail: float  # how much wider the occasional jump is
    rival_gap: float  # by how much, in logits, the best class leads the next
    rival_spread: float
    rest: float  # what all other classes score together
    duplicate: float  # chance of a second box on a thing
    duplicate_cost: float  # logits below the first
    clutter: float  # boxes on nothing that appear, per observation
    clutter_stays: float  # chance that one is there again
    clutter_mean: float
    clutter_spread: float
    clutter_size: float  # logarithm of the area
    clutter_size_spread: float
    flow_gain: float  # share of a box's displacement that its mean flow shows
    flow_noise: float  # hundredths of the longer side
    difference: tuple[float, float]  # at rest, and per hundredth of own speed
    standing_out: tuple[float, float]
    rivals: dict[str, dict[str, float]]  # which classes come second to a class, and how often
    clutter_classes: dict[str, float]

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")


def read_statistics(path: Path) -> Statistics:
    try:
        return _statistics(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise UnreadableFile(f"{path}: expected a detector's statistics, got {error}") from None


@cache
def shipped_statistics() -> Statistics:
    """EfficientDet-Lite2, as fitted on real clips; the world's page says how."""
    return _statistics(json.loads(files(__package__).joinpath(SHIPPED).read_text("utf-8")))


def _statistics(document: dict[str, Any]) -> Statistics:
    wanted = {field.name for field in fields(Statistics)}
    if set(document) != wanted:
        odd = ", ".join(sorted(wanted.symmetric_difference(document)))
        raise InvalidInput(f"expected the fields of a detector's statistics, got a difference in {odd}")
    pairs = {name: tuple(document[name]) for name in ("vocabulary", "difference", "standing_out")}
    return Statistics(**document | pairs)
