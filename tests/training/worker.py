"""A training run of its own process: `python -m tests.training.worker RUN UPDATES [resume] [seeing]`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from stamina_video.training.held_out import Reading
from stamina_video.training.loop import Plan, Run
from stamina_video.training.recipe import Recipe, Seeing, World
from stamina_video.training.records import RunFolder, Update
from stamina_video.transitions import LossWeights
from tests.training.toys import RECIPE, samples, tiny_model

FIRST = Seeing(updates=4, batch=2, rate=1e-3, clip=2.0, weights=LossWeights(path=2.0, boundary=0.5))
SEEING = replace(RECIPE, seeing=FIRST, rise=2, world=World())


def train(folder: Path, updates: int, resume: bool = False, recipe: Recipe = RECIPE) -> list[Update]:
    """One thread: sums in another order would be other sums."""
    torch.set_num_threads(1)
    plan = Plan(replace(recipe, epochs=20), samples(), samples(2), steps=updates)
    run = Run(plan, tiny_model(), RunFolder(folder), _counted)
    if resume:
        run.resume()
    else:
        run.begin()
    run.finish()
    return run.folder.rows()


def _counted(readings: Sequence[Reading]) -> dict[str, float]:
    return {"counted": float(sum(sum(reading.counted) for reading in readings))}


if __name__ == "__main__":
    wished = SEEING if "seeing" in sys.argv[3:] else RECIPE
    train(Path(sys.argv[1]), int(sys.argv[2]), "resume" in sys.argv[3:], wished)
