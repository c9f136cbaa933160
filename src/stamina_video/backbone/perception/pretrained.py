"""The eyes of the compact backbone with their pretrained weights, fetched on first use."""

import hashlib
from pathlib import Path

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception.efficientdet import SETTINGS, EfficientDet
from stamina_video.backbone.perception.finder import WEIGHTS, Finder, TrainedEyes
from stamina_video.backbone.perception.perception import Perception
from stamina_video.backbone.text import load_text_encoder
from stamina_video.backbone.weights import fetch, hashes_of

THREADS = 2  # stated, so that a replay on another machine shares the work in the same way


def load_perception(folder: Path, threads: int = THREADS) -> Perception:
    """Eyes with the trained parts that a model's folder keeps."""
    trained = TrainedEyes.from_pretrained(folder)
    # What the same weights report depends on how far down their list is read.
    frozen = f"{hashes_of('efficientdet-lite2')}+{SETTINGS}"
    ours = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    return Perception(
        detector=Finder(load_retina(threads), trained),
        names=Names(load_text_encoder()),
        linker=trained.linker,
        fields=trained.config.fields,
        embedding=trained.config.looks,
        fingerprint=f"{frozen}+{ours}",
    )


def load_retina(threads: int = THREADS) -> EfficientDet:
    return EfficientDet(fetch("efficientdet-lite2"), threads)


def class_names() -> tuple[str, ...]:
    """What the detector can name."""
    return load_retina(threads=1).vocabulary
