"""Families of scenes. Each module stages one; the table names them."""

from collections.abc import Callable

from stamina_video.data.world.builder import Builder
from stamina_video.data.world.families import (
    conveyor,
    doorway,
    exercise,
    handover,
    packing,
    pendulum,
    shelf,
    tour,
)
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import InvalidInput, seconds

# The order numbers the families' random streams: append, never reorder.
FAMILIES: dict[str, Callable[[Builder], Scene]] = {
    "packing": packing.stage,
    "shelf": shelf.stage,
    "conveyor": conveyor.stage,
    "doorway": doorway.stage,
    "exercise": exercise.stage,
    "tour": tour.stage,
    "handover": handover.stage,
    "pendulum": pendulum.stage,
}
UNSEEN_FAMILIES = frozenset({"handover", "pendulum"})
# varied: the nouns of train in all colours that people name; assorted: further kinds of things besides.
SPLITS = ("train", "varied", "unseen", "assorted")
SHORTEST = 4.0  # seconds; nothing can be staged in less


def family_names(split: str) -> list[str]:
    """Families of a split; the unseen one adds held-out families, and has held-out nouns and colours."""
    if split not in SPLITS:
        raise InvalidInput(f"expected a split ({', '.join(SPLITS)}), got {split!r}")
    return [name for name in FAMILIES if split == "unseen" or name not in UNSEEN_FAMILIES]


def make_scene(family: str, seed: int, split: str = "train", duration: float = 30.0) -> Scene:
    """The scene of a family that a seed stands for."""
    if family not in family_names(split):
        names = ", ".join(family_names(split))
        raise InvalidInput(f"expected a family of the {split} split ({names}), got {family!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidInput(f"expected a whole seed from 0, got {seed!r}")
    if seconds(duration, "a duration") < SHORTEST:
        raise InvalidInput(f"expected a duration from {SHORTEST:g} s, got {duration:g}")
    number = list(FAMILIES).index(family)
    return FAMILIES[family](Builder(family, seed, split, float(duration), number))
