"""Samples of coloured blobs with made-up truth, and the two tiny models that learn from them."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception.files import KEPT
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.runtime import Model
from stamina_video.semantics import Observation, Target
from stamina_video.training.recipe import Recipe
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.start import inform
from stamina_video.transitions import CountLabels, Heads, HeadsConfig
from tests.backbone.fakes import ToyText, toy_perception
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


def feeling_model() -> Model:
    """An informed model that feels pulses and how its candidates move, and whose event head hears both."""
    torch.manual_seed(0)
    eyes = toy_perception()
    memory = DeltaConfig(heads=2, head_width=8, chunk=16)
    config = DecoderConfig(eyes.layout, width=128, blocks=2, heads=2, window=3, memory=memory, pulses=True)
    backbone = CompactBackbone(eyes, ToyText(), CompactDecoder(config).eval())
    heads = HeadsConfig(
        backbone.width,
        backbone.target_width,
        hidden=16,
        attention=128,
        queries=6,
        pulses=backbone.pulses,
        gathered=len(GAIT),
        gathered_before=eyes.layout.seats,
        missed=3,
        forgiven=1 / KEPT,
    )
    model = Model("feeling", backbone, Heads(heads).eval())
    inform(model, 0)
    context = model.heads.events.context
    assert context.from_pulses_HP is not None
    assert context.deeds is not None
    for weight in (context.from_pulses_HP, context.deeds.told.weight):
        torch.nn.init.normal_(weight, std=0.3)
    return model


def hears_no_deeds(model: Model) -> None:
    """In place: as if nobody had been gathered."""
    deeds = model.heads.events.context.deeds
    assert deeds is not None
    torch.nn.init.zeros_(deeds.told.weight)


def a_model(kind: str) -> Model:
    return tiny_model() if kind == "compact" else speaking_model()


def a_sample(kind: str, number: int) -> Sample:
    return sample(number) if kind == "compact" else qwen_sample(number)
