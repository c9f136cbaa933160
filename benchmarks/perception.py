"""How long the frozen eyes take per frame, stage by stage. Decoding is not included."""

import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

import cv2
import numpy as np

from benchmarks.table import Row, markdown
from stamina_video.backbone.perception import Image, Perception
from stamina_video.backbone.perception.boxes import box_means, grid_boxes
from stamina_video.backbone.perception.colour import colour_field
from stamina_video.backbone.perception.motion import look
from stamina_video.backbone.perception.perception import shrunk
from stamina_video.backbone.perception.pretrained import THREADS, load_perception
from stamina_video.backbone.perception.proposals import moving_regions

FRAMES = 60
WARM_UP = 5
BAR = 5.0  # frames a second
STAGES = ("detector", "appearance", "motion and background", "moving regions", "colours")

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


def timed(call: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - start) * 1000


def stages(eyes: Perception, images: list[Image]) -> dict[str, float]:
    """Median milliseconds of each stage by itself, and of the whole step."""
    spent: dict[str, list[float]] = {stage: [] for stage in (*STAGES, "assembling", "whole")}
    glimpse = None
    for image in images:
        small = shrunk(image)
        (_, following), whole = timed(lambda: eyes.perceive(image, glimpse))  # noqa: B023  # called at once
        detections, detector = timed(lambda: eyes.detector(image))  # noqa: B023
        _, appearance = timed(lambda: eyes.encoder.encode(small))  # noqa: B023
        (motion, _), moving = timed(lambda: look(small, glimpse))  # noqa: B023
        _, regions = timed(lambda: moving_regions(motion, detections, eyes.regions))  # noqa: B023
        _, colours = timed(lambda: box_means(colour_field(small), grid_boxes(eyes.grid)))  # noqa: B023
        parts = (detector, appearance, moving, regions, colours)
        for stage, milliseconds in zip(spent, (*parts, max(whole - sum(parts), 0), whole), strict=True):
            spent[stage].append(milliseconds)
        glimpse = following
    return {stage: median(times[WARM_UP:]) for stage, times in spent.items()}


def rows() -> list[Row]:
    spent = stages(load_perception(), frames())
    rate = 1000 / spent["whole"]
    parts = [
        Row(f"perception: {stage}, ms a frame", f"{milliseconds:.1f}", "none", True)
        for stage, milliseconds in spent.items()
    ]
    return [
        *parts,
        Row(f"perception, frames a second, {THREADS} threads", f"{rate:.1f}", f"≥ {BAR:g}", rate >= BAR),
    ]


if __name__ == "__main__":
    print(markdown(rows()))
