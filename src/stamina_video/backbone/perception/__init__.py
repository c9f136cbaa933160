"""The frozen eyes: an image and a glimpse of the past → a bounded set of tokens."""

from stamina_video.backbone.perception.detector import Detections, Detector, Image, labelled
from stamina_video.backbone.perception.encoder import Encoder
from stamina_video.backbone.perception.glimpse import Glimpse
from stamina_video.backbone.perception.percept import Percept, PerceptLayout, TokenKind
from stamina_video.backbone.perception.perception import Eyes, Perception
from stamina_video.backbone.perception.storage import load_percepts, save_percepts

__all__ = [
    "Detections",
    "Detector",
    "Encoder",
    "Eyes",
    "Glimpse",
    "Image",
    "Percept",
    "PerceptLayout",
    "Perception",
    "TokenKind",
    "labelled",
    "load_percepts",
    "save_percepts",
]
