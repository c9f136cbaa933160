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

Segments = dict[tuple[Path, str], list[Trajectory]]


@dataclass(frozen=True, slots=True)
class Lectures:
    """What is learned from and what is held out; scenes and videos stay on one side."""

    learned: tuple[Sample, ...]
    held_out: tuple[Sample, ...]
    left_out: int  # trajectories that no file shows from its start on as it is


def lectures(folders: Sequence[Path], recipe: Recipe, seed: int) -> Lectures:
    """Every segment of the folders, observed on the recipe's Stream schedule."""
    found, left_out = segments(folders)
    splits = _splits([parts[0] for parts in found.values()], seed)
    sides: dict[bool, list[Sample]] = {False: [], True: []}
    for ((path, _), parts), split in zip(found.items(), splits, strict=True):
        sides[split == DEVELOPMENT] += _samples(path, parts, recipe, seed)
    if not sides[False]:
        # Too little to hold any of it out.
        sides = {False: sides[True], True: []}
    return Lectures(tuple(sides[False]), tuple(sides[True]), left_out)


def segments(folders: Sequence[Path]) -> tuple[Segments, int]:
    """By file and name, and how many trajectories no file shows from its start on as it is."""
    found: Segments = {}
    left_out = 0
    for folder in folders:
        for trajectory in _trajectories(folder):
            if trajectory.media_map.is_whole and trajectory.origin == 0:
                where = (folder / VIDEOS / trajectory.media.path, trajectory.segment)
                found.setdefault(where, []).append(trajectory)
            else:
                left_out += 1
    return found, left_out


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
    rows = questions_file(folder)
    return load_source(folder) if rows is None else load_source(rows, folder / VIDEOS)


def questions_file(folder: Path) -> Path | None:
    """The file of questions beside videos that are no world's: of the usual name, or the only one."""
    found = sorted(folder.glob("*.jsonl"))
    if _is_world(folder) or not found:
        return None
    return folder / ANNOTATIONS if folder / ANNOTATIONS in found or len(found) > 1 else found[0]


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
    end = max(trajectory.frame_map.duration for trajectory in trajectories)
    seen = Observed(looks(path, recipe.fps, end), partial(observations, path, recipe.fps, end))
    return supervised(path.stem, seen, trajectories, recipe, seed)


def looks(path: Path, fps: float, end: float) -> tuple[float, ...]:
    """When a file is looked at, up to a time."""
    with open_video(path) as video:
        times = [time for time in video.times() if time <= end]
    return tuple(times[place] for place in stream_indices(times, fps))


def observations(path: Path, fps: float, end: float) -> list[Observation]:
    """As deployment would look at it; gaps are facts of the ledger, not something to see."""
    with open_video(path, fps, until=end) as video:
        return [item for item in video if isinstance(item, Observation)]
