"""Objectives, rollout over `step`, stages, loop and recipes: how the transitions are learned."""

from stamina_video.training.objective import terms
from stamina_video.training.recipe import Recipe
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Lesson, Sample

__all__ = ["Lesson", "Recipe", "Sample", "roll", "terms"]
