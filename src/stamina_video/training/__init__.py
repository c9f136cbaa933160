"""Objectives, rollout over `step`, stages, loop and recipes: how the transitions are learned."""
