"""Pretrained files: a manifest, and a way to bring each onto this machine. Needs no model library."""

from stamina_video.backbone.weights.cache import hand_path, kept_path, weights_folder
from stamina_video.backbone.weights.fetching import fetch
from stamina_video.backbone.weights.manifest import (
    MANIFEST,
    Carrier,
    Conversion,
    Registry,
    Weight,
    hashes_of,
    weight_of,
)

__all__ = [
    "MANIFEST",
    "Carrier",
    "Conversion",
    "Registry",
    "Weight",
    "fetch",
    "hand_path",
    "hashes_of",
    "kept_path",
    "weight_of",
    "weights_folder",
]
