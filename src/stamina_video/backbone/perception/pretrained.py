"""The eyes of the compact backbone with their pretrained weights, fetched on first use."""

from stamina_video.backbone.perception.efficientdet import SETTINGS, EfficientDet
from stamina_video.backbone.perception.perception import Perception
from stamina_video.backbone.perception.tinyvit import TinyViT
from stamina_video.backbone.text import load_text_encoder
from stamina_video.backbone.weights import fetch, hashes_of

THREADS = 2  # stated, so that a replay on another machine shares the work in the same way


def load_perception(threads: int = THREADS) -> Perception:
    return Perception(
        detector=EfficientDet(fetch("efficientdet-lite2"), threads),
        encoder=TinyViT(fetch("tiny-vit-5m"), threads),
        text=load_text_encoder(),
        # What the same weights report depends on how far down their list is read.
        fingerprint=f"{hashes_of('efficientdet-lite2', 'tiny-vit-5m')}+{SETTINGS}",
    )


def class_names() -> tuple[str, ...]:
    """What the detector can name."""
    return EfficientDet(fetch("efficientdet-lite2"), threads=1).vocabulary
