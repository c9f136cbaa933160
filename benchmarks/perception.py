"""How long the frozen eyes take per frame, stage by stage. Decoding is not included."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import cv2
import numpy as np

from benchmarks.table import Row, markdown
from stamina_video.backbone.perception import Glimpse, Image, Perception
from stamina_video.backbone.perception.boxes import box_means, grid_boxes
from stamina_video.backbone.perception.colour import colour_field
from stamina_video.backbone.perception.motion import look
from stamina_video.backbone.perception.perception import shrunk
from stamina_video.backbone.perception.pretrained import THREADS, load_perception
from stamina_video.backbone.perception.proposals import moving_regions

FRAMES = 60
WARM_UP = 5
BAR = 5.0  # frames a second

Result = TypeVar("Result")


def frames(height: int = 720, width: int = 1280) -> list[Image]:
    """A textured street on which squares of many colours pass."""
    rng = np.random.default_rng(0)
    ground = cv2.resize(rng.integers(60, 180, (45, 80, 3)).astype(np.uint8), (width, height))
    images = []
    for step in range(FRAMES + WARM_UP):
        image = np.asarray(ground, np.uint8).copy()
        for square in range(6):
            left, top = (step * 9 + square * 210) % (width - 80), 40 + 110 * square
            image[top : top + 70, left : left + 80] = (40 * square, 255 - 40 * square, 120)
        images.append(image)
    return images


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds on the clock, and of processor time over all threads; neighbours disturb the first."""

    clock: float
    processor: float

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(max(self.clock - other.clock, 0), max(self.processor - other.processor, 0))


def timed(call: Callable[[], Result]) -> tuple[Result, Spent]:
    clock, processor = time.perf_counter(), time.process_time()
    result = call()
    return result, Spent((time.perf_counter() - clock) * 1000, (time.process_time() - processor) * 1000)


def look_at(eyes: Perception, image: Image, glimpse: Glimpse | None) -> tuple[Glimpse, dict[str, Spent]]:
    """One observation: the whole step, then every stage of it by itself."""
    small = shrunk(image)
    spent: dict[str, Spent] = {}
    detections, spent["detector"] = timed(lambda: eyes.detector(image))
    _, spent["appearance"] = timed(lambda: eyes.encoder.encode(small))
    (motion, _), spent["motion and background"] = timed(lambda: look(small, glimpse))
    _, spent["moving regions"] = timed(lambda: moving_regions(motion, detections, eyes.regions))
    _, spent["colours"] = timed(lambda: box_means(colour_field(small), grid_boxes(eyes.grid)))
    (_, following), whole = timed(lambda: eyes.perceive(image, glimpse))
    rest = whole
    for part in spent.values():
        rest -= part
    return following, {**spent, "assembling": rest, "whole": whole}


def medians(eyes: Perception, images: list[Image]) -> dict[str, Spent]:
    glimpse, observed = None, []
    for image in images:
        glimpse, spent = look_at(eyes, image, glimpse)
        observed.append(spent)
    return {
        stage: Spent(
            median(spent[stage].clock for spent in observed[WARM_UP:]),
            median(spent[stage].processor for spent in observed[WARM_UP:]),
        )
        for stage in observed[0]
    }


def rows() -> list[Row]:
    spent = medians(load_perception(), frames())
    rate = 1000 / spent["whole"].clock
    return [
        *(
            Row(
                f"{stage}, ms a frame (processor time)",
                f"{part.clock:.1f} ({part.processor:.1f})",
                "none",
                True,
            )
            for stage, part in spent.items()
        ),
        Row(f"frames a second with {THREADS} threads", f"{rate:.1f}", f"≥ {BAR:g}", rate >= BAR),
    ]


if __name__ == "__main__":
    print(markdown(rows()))
