"""Training and development splits: whatever shares a scene, a video or an ancestor stays together."""

import hashlib

import polars as pl

from stamina_video.data.families import families
from stamina_video.semantics import InvalidInput

TRAIN, DEVELOPMENT = "train", "development"


def split_of(trajectories: pl.DataFrame, share: float = 0.1, seed: int = 0) -> pl.Series:
    """The split of each trajectory. A group's split depends on its own names and the seed alone."""
    if not 0 <= share < 1:
        raise InvalidInput(f"expected a development share from 0 to below 1, got {share!r}")
    names = trajectories.select(
        pl.concat_list(
            pl.format("video {}", "parent"),
            pl.format("scene {}", "scene"),
            pl.col("ancestors").list.eval(pl.format("video {}", pl.element())),
        )
    ).to_series()
    grouped = pl.DataFrame({"group": families(names), "parent": trajectories["parent"]})
    first = grouped.select(pl.col("parent").min().over("group")).to_series()
    drawn = {name: DEVELOPMENT if _draw(name, seed) < share else TRAIN for name in first.unique()}
    return first.replace_strict(drawn, return_dtype=pl.String).rename("split")


def _draw(name: str, seed: int) -> float:
    """A number from 0 to 1 that any machine draws for this name."""
    digest = hashlib.sha256(f"{seed}\t{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
