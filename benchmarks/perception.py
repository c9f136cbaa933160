"""How long the frozen eyes take per frame, stage by stage, without decoding; and how much they find."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import cv2
import numpy as np
import torch

from benchmarks.table import Row, markdown
from stamina_video.backbone.perception import Glimpse, Image, Perception
from stamina_video.backbone.perception.boxes import box_means, grid_boxes
from stamina_video.backbone.perception.colour import colour_field
from stamina_video.backbone.perception.motion import look
from stamina_video.backbone.perception.perception import shrunk
from stamina_video.backbone.perception.pretrained import THREADS, load_perception
from stamina_video.backbone.perception.proposals import moving_regions
from stamina_video.data.world import make_scene
from stamina_video.data.world.videos import delivered
from stamina_video.data.world.visibility import ENTER, SMALLEST
from stamina_video.runtime.loading import SHIPPED
from stamina_video.training.matching import paired
from stamina_video.training.sample import Shown
from stamina_video.training.scenes import planned
from stamina_video.training.start import asked_seats
from stamina_video.transitions import HeadsConfig

FRAMES = 60
WARM_UP = 5
BAR = 5.0  # frames a second
SCENES, MOMENTS = 3, 4  # of every family, and of every scene

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
    spent = medians(load_perception(SHIPPED / "nano"), frames())
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
        _recall(),
    ]


def _recall() -> Row:
    """Of what can be seen in simulated scenes, how much has a box that the model may ask for."""
    eyes = load_perception(SHIPPED / "nano")
    asked = [seat for seat in asked_seats(HeadsConfig(1, 1).queries, eyes.layout) if seat < eyes.detections]
    found = seen = 0
    for take in (take for number in range(SCENES) for take in planned(1, first=number)):
        scene = make_scene(take.family, take.seed, take.split, take.seconds)
        times = take.times[:: len(take.times) // MOMENTS]
        for picture, time_of in zip(delivered(scene, times), times, strict=True):
            boxes = torch.from_numpy(eyes.detector(picture).best(len(asked)).boxes_K4)
            shown = [
                Shown(str(one.entity.id), one.box)
                for one in scene.boxes(time_of)
                if one.fraction >= ENTER and one.area >= SMALLEST
            ]
            found, seen = found + len(paired(boxes, shown)), seen + len(shown)
    what = f"visible entities of {SCENES * 6} simulated scenes with a box of their own among {len(asked)}"
    return Row(what, f"{found / seen:.2f} of {seen:,}", "none", True)


if __name__ == "__main__":
    print(markdown(rows()))
