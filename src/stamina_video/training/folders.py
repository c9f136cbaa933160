"""Samples from folders: a world's, a pool's, or questions in SVCBench's format, each beside its videos."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from stamina_video.data.loaded import Loaded
from stamina_video.data.pool import ANNOTATIONS, TRAJECTORIES
from stamina_video.data.sources import load_source
from stamina_video.data.splits import DEVELOPMENT, split_of
from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile
from stamina_video.semantics.schedule import stream_indices
from stamina_video.training.recipe import Recipe
from stamina_video.training.sample import Sample
from stamina_video.training.supervision import Observed, supervised
from stamina_video.video import open_video

VIDEOS = "videos"


@dataclass(frozen=True, slots=True)
class Lectures:
    """What is learned from and what is held out; scenes and videos stay on one side."""

    learned: tuple[Sample, ...]
    held_out: tuple[Sample, ...]
    left_out: int  # trajectories that no file shows from its start on as it is


def lectures(folders: Sequence[Path], recipe: Recipe, seed: int) -> Lectures:
    """Every segment of the folders, observed on the recipe's Stream schedule."""
    segments: dict[tuple[Path, str], list[Trajectory]] = {}
    left_out = 0
    for folder in folders:
        for trajectory in _trajectories(folder):
            if trajectory.media_map.is_whole and trajectory.origin == 0:
                where = (folder / VIDEOS / trajectory.media.path, trajectory.segment)
                segments.setdefault(where, []).append(trajectory)
            else:
                left_out += 1
    splits = _splits([parts[0] for parts in segments.values()], seed)
    sides: dict[bool, list[Sample]] = {False: [], True: []}
    for ((path, _), parts), split in zip(segments.items(), splits, strict=True):
        sides[split == DEVELOPMENT] += _samples(path, parts, recipe, seed)
    if not sides[False]:
        # Too little to hold any of it out.
        sides = {False: sides[True], True: []}
    return Lectures(tuple(sides[False]), tuple(sides[True]), left_out)


def _trajectories(folder: Path) -> tuple[Trajectory, ...]:
    loaded = _loaded(folder)
    kept = tuple(trajectory for trajectory in loaded.trajectories if trajectory.supported)
    if not kept:
        raise InvalidInput(f"{folder}: expected supported count endpoints to learn from, got none")
    return kept


def _loaded(folder: Path) -> Loaded:
    if not folder.is_dir():
        raise UnreadableFile(f"{folder}: expected a folder of data, got none")
    if (folder / TRAJECTORIES).exists():
        return load_source(folder / TRAJECTORIES, folder / VIDEOS)
    if _is_world(folder) or not (folder / ANNOTATIONS).exists():
        return load_source(folder)
    return load_source(folder / ANNOTATIONS, folder / VIDEOS)


def _is_world(folder: Path) -> bool:
    try:
        return "split" in json.loads((folder / "recipe.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False


def _splits(trajectories: Sequence[Trajectory], seed: int) -> Iterable[str]:
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "parent": pl.String,
        "scene": pl.String,
        "ancestors": pl.List(pl.String),
    }
    rows = [(one.parent, one.scene, list(one.provenance.ancestors)) for one in trajectories]
    return split_of(pl.DataFrame(rows, schema, orient="row"), seed=seed) if rows else []


def _samples(path: Path, trajectories: Sequence[Trajectory], recipe: Recipe, seed: int) -> list[Sample]:
    end = trajectories[0].frame_map.duration
    with open_video(path) as video:
        times = [time for time in video.times() if time <= end]
    looked = tuple(times[place] for place in stream_indices(times, recipe.fps))
    seen = Observed(looked, partial(_observations, path, recipe.fps, end))
    return supervised(path.stem, seen, trajectories, recipe, seed)


def _observations(path: Path, fps: float, end: float) -> list[Observation]:
    """As deployment would look at it; gaps are facts of the ledger, not something to see."""
    with open_video(path, fps, until=end) as video:
        return [item for item in video if isinstance(item, Observation)]
