"""Short scenes that several tests look at; each is staged and looked through once."""

from functools import lru_cache

from stamina_video.data.world import FAMILIES, Scene, make_scene
from stamina_video.data.world.families import UNSEEN_FAMILIES

SECONDS = 14.0


def split_of(family: str) -> str:
    return "unseen" if family in UNSEEN_FAMILIES else "train"


@lru_cache(maxsize=64)
def scene(family: str, seed: int = 3) -> Scene:
    return make_scene(family, seed, split_of(family), SECONDS)


@lru_cache(maxsize=32)
def with_twin(family: str, *twins: str) -> Scene:
    """The first seed whose scene carries these nuisances."""
    for seed in range(200):
        made = make_scene(family, seed, split_of(family), SECONDS)
        if made.twins.issuperset(twins):
            return made
    raise AssertionError(f"no {family} scene carries {twins}")


ALL = tuple(FAMILIES)
