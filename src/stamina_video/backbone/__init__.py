"""Backbones: an observation → the features the transitions read."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stamina_video.backbone.compact import CompactBackbone
    from stamina_video.backbone.contract import Backbone
    from stamina_video.backbone.perception import Eyes, Glimpse, Percept, Perception, PerceptLayout
    from stamina_video.backbone.perception.pretrained import load_perception
    from stamina_video.backbone.text import TextEncoder, load_text_encoder

__all__ = [
    "Backbone",
    "CompactBackbone",
    "Eyes",
    "Glimpse",
    "Percept",
    "PerceptLayout",
    "Perception",
    "TextEncoder",
    "load_perception",
    "load_text_encoder",
]

# Resolved on first use: listing the weights must not cost the import of a model.
_HOMES = {
    "Backbone": "stamina_video.backbone.contract",
    "CompactBackbone": "stamina_video.backbone.compact",
    "Eyes": "stamina_video.backbone.perception",
    "Glimpse": "stamina_video.backbone.perception",
    "Percept": "stamina_video.backbone.perception",
    "PerceptLayout": "stamina_video.backbone.perception",
    "Perception": "stamina_video.backbone.perception",
    "TextEncoder": "stamina_video.backbone.text",
    "load_perception": "stamina_video.backbone.perception.pretrained",
    "load_text_encoder": "stamina_video.backbone.text",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
