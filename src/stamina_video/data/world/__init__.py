"""A simulated world: rendered scenes with exact truth for every operator at every moment."""

from stamina_video.data.world.families import FAMILIES, SPLITS, family_names, make_scene
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.truth import PhaseEdge, Truth
from stamina_video.data.world.visibility import Presence, Sighting

__all__ = [
    "FAMILIES",
    "SPLITS",
    "PhaseEdge",
    "Presence",
    "Scene",
    "Sighting",
    "Truth",
    "family_names",
    "make_scene",
]
