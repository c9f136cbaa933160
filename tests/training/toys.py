"""Samples of coloured blobs with made-up truth, and the two tiny models that learn from them."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from stamina_video.runtime import Model
from stamina_video.semantics import Observation, Target
from stamina_video.training.recipe import Recipe
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import CountLabels, Heads
from tests.backbone.qwen import tiny as qwen
from tests.backbone.test_compact import a_picture
from tests.runtime.speaking import speaking_model
from tests.runtime.tiny import tiny_model

BLOBS, MOVES, SWING = (
    Target("red blobs", "O2-Unique"),
    Target("blob moved", "E1-Action"),
    Target("swing", "E2-Periodic"),
)
RECIPE = Recipe("toy", model="toy", warm_up=2, epochs=4, batch=2, new_rate=1e-3, saved_every=3)

__all__ = ["BLOBS", "MOVES", "RECIPE", "SWING", "qwen_sample", "samples", "speaking_model", "tiny_model"]


def labels(ends: Sequence[int], counts: Sequence[int]) -> CountLabels:
    return CountLabels(torch.tensor(ends), torch.tensor(counts))


def objects(length: int) -> Lesson:
    visible = labels(range(1, length + 1), [1 + number % 3 for number in range(length)])
    return Lesson(BLOBS, visible=visible, unique=labels([length], [3]))


def swings(length: int) -> Lesson:
    return Lesson(SWING, completed=labels([length // 2, length], [length // 4, length // 2]), crossings=())


def moves(length: int) -> Lesson:
    return Lesson(MOVES, completed=labels([length], [1]))


def sample(number: int, length: int = 4) -> Sample:
    """Every third tells of objects, swings or moves alone, so that terms have different contributors."""
    name = f"clip-{number}"
    lessons = [(objects(length),), (swings(length),), (objects(length), moves(length), swings(length))]
    return Sample(name, lambda: watched(name, number, length), lessons[number % 3], family="toy")


def samples(count: int = 6) -> list[Sample]:
    """Of different lengths."""
    return [sample(number, length=3 + number % 3) for number in range(count)]


def watched(name: str, number: int, length: int) -> list[Observation]:
    return [
        Observation(name, index, index / 2, a_picture(5 * number + index), index) for index in range(length)
    ]


def qwen_sample(number: int, length: int = 3) -> Sample:
    """The same truth over pictures of the size that the tiny Qwen3-VL sees."""
    name = f"clip-{number}"

    def read() -> list[Observation]:
        return [replace(qwen.observation(index, 7 * number + index), stream=name) for index in range(length)]

    return replace(sample(number, length), read=read)


def evened_model() -> Model:
    """The tiny model with heads that read events at a measured scale."""
    model = tiny_model()
    torch.manual_seed(0)
    return replace(model, heads=Heads(replace(model.heads.config, evened=True)).eval())


def a_model(kind: str) -> Model:
    return tiny_model() if kind == "compact" else speaking_model()


def a_sample(kind: str, number: int) -> Sample:
    return sample(number) if kind == "compact" else qwen_sample(number)
