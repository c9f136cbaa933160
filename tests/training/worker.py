"""A training run of its own process: `python -m tests.training.worker RUN UPDATES [resume]`."""

import sys
from dataclasses import replace
from pathlib import Path

import torch

from stamina_video.training.loop import Plan, Run
from stamina_video.training.records import RunFolder, Update
from tests.training.toys import RECIPE, samples, tiny_model


def train(folder: Path, updates: int, resume: bool = False) -> list[Update]:
    """One thread: sums in another order would be other sums."""
    torch.set_num_threads(1)
    plan = Plan(replace(RECIPE, epochs=20), samples(), steps=updates)
    run = Run(plan, tiny_model(), RunFolder(folder))
    if resume:
        run.resume()
    else:
        run.begin()
    run.finish()
    return run.folder.rows()


if __name__ == "__main__":
    train(Path(sys.argv[1]), int(sys.argv[2]), "resume" in sys.argv[3:])
