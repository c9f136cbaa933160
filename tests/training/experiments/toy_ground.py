"""An experiment's ground with toy eyes and a tiny random model: real scenes, a few looks each."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception import Eyes
from stamina_video.runtime import Model
from stamina_video.training.experiments.ground import QUICK, Ground
from stamina_video.training.percepts import CachedEyes
from tests.backbone.fakes import toy_perception
from tests.runtime.tiny import tiny_model

SMALLEST = replace(QUICK, seconds=4.0)


def reading_percepts(model: Model) -> Model:
    backbone = model.backbone
    assert isinstance(backbone, CompactBackbone)
    cached = CompactBackbone(CachedEyes(backbone.eyes.layout), backbone.text, backbone.decoder)
    return Model(model.name, cached, model.heads)


def toy_ground(
    folder: Path, eyes: Callable[[], Eyes] = toy_perception, say: Callable[[str], None] = lambda _: None
) -> Ground:
    return Ground(reading_percepts(tiny_model()), eyes, folder, SMALLEST, say)
