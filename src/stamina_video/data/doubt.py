"""Wordings that may mean the same as a held-out target: excluded rather than told apart by spelling."""

from collections.abc import Iterator, Sequence
from itertools import product

import polars as pl

from stamina_video.data.links import content_words, homes_of
from stamina_video.data.trajectory import Trajectory

ALIKE = 0.4  # shared letter triples of two words from which nobody should call them different things


def doubtful_links(trajectories: pl.DataFrame, held_out: Sequence[Trajectory]) -> Iterator[tuple[int, str]]:
    """Extra links wherever two wordings look alike; held-out targets are numbered after the trajectories."""
    by_home: dict[str, set[int]] = {}
    for number, trajectory in enumerate(held_out):
        for home in homes_of(trajectory):
            by_home.setdefault(home, set()).add(number)
    homes = pl.concat_list("parent", "media_sha256", "ancestors").list.set_intersection(sorted(by_home))
    shared = (
        trajectories.with_row_index("row")
        .select("row", homes.alias("homes"), pl.concat_list("target", "aliases", "possible_aliases"))
        .filter(pl.col("homes").list.len() > 0)
    )
    for row, met, wordings in shared.iter_rows():
        for number in sorted(set().union(*(by_home[home] for home in met))):
            if any(_look_alike(ours, theirs) for ours in wordings for theirs in _wordings(held_out[number])):
                link = f"in doubt {number}"
                yield row, link
                yield trajectories.height + number, link


def _wordings(trajectory: Trajectory) -> tuple[str, ...]:
    return (trajectory.target.description, *trajectory.aliases, *trajectory.possible_aliases)


def _look_alike(first: str, second: str) -> bool:
    return any(_likeness(a, b) >= ALIKE for a, b in product(content_words(first), content_words(second)))


def _likeness(first: str, second: str) -> float:
    a, b = _triples(first), _triples(second)
    return len(a & b) / len(a | b)


def _triples(word: str) -> set[str]:
    padded = f" {word} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
