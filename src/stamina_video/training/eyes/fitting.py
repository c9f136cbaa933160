"""One course of updates, whatever learns. Knows nothing of eyes."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from stamina_video.semantics import InvalidInput
from stamina_video.training.recipe import Course

RISE = 50  # updates in which rates rise
CLIP = 5.0
DECAY = 0.01

Report = Callable[[str, int, int], None]


def fit(module: nn.Module, course: Course, loss: Callable[[], Tensor], what: str, report: Report) -> None:
    optimiser = torch.optim.AdamW(module.parameters(), course.rate, weight_decay=DECAY)
    for update in range(course.updates):
        rising, falling = min(1.0, (update + 1) / RISE), math.cos(math.pi * update / course.updates)
        for group in optimiser.param_groups:
            group["lr"] = course.rate * rising * (1 + falling) / 2
        error = loss()
        if not torch.isfinite(error):
            raise InvalidInput(f"{what}, update {update + 1}: expected a finite loss, got {error.item()}")
        optimiser.zero_grad()
        error.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        nn.utils.clip_grad_norm_(module.parameters(), CLIP)
        optimiser.step()
        report(what, update, course.updates)
