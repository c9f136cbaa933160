"""Finds out what kind of source a path is, and loads its trajectories."""

import json
from pathlib import Path

from stamina_video.data.hashing import MediaHashes
from stamina_video.data.loaded import Loaded, accepted
from stamina_video.data.questions import load_questions
from stamina_video.data.storage import read_trajectories
from stamina_video.data.trajectory import Trajectory
from stamina_video.data.world.families import make_scene
from stamina_video.data.world.maker import Recipe, plans
from stamina_video.data.worlds import scene_trajectories
from stamina_video.semantics import InvalidInput, UnreadableFile


def load_source(path: Path, videos: Path | None = None) -> Loaded:
    """A folder of the simulated world, trajectories in Parquet, or questions in SVCBench's format."""
    if path.is_dir():
        return _load_world(path)
    if path.suffix == ".parquet":
        return _with_their_files(read_trajectories(path), MediaHashes(videos))
    return load_questions(path, videos)


def _with_their_files(loaded: Loaded, hashes: MediaHashes) -> Loaded:
    """Refuse trajectories of a file that has other content than it had."""

    def same_content(trajectory: Trajectory) -> Trajectory:
        claimed, found = trajectory.media.sha256, hashes(trajectory.media.path)
        if claimed and found and claimed != found:
            raise InvalidInput(
                f"trajectory {trajectory.id}: expected {trajectory.media.path} "
                f"with sha256 {claimed[:12]}…, got {found[:12]}…"
            )
        return trajectory

    kept, refused = accepted(loaded.trajectories, lambda trajectory: trajectory.id, same_content)
    return Loaded(tuple(kept), (*loaded.refused, *refused))


def _load_world(folder: Path) -> Loaded:
    """The scenes are staged anew from their recipe: the folder's rows are only what was asked of them."""
    try:
        recipe = Recipe(**json.loads((folder / "recipe.json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise UnreadableFile(
            f"{folder}: expected a folder made by `stamina world make`, got another"
        ) from None
    made = len(list((folder / "questions").glob("*.jsonl")))
    hashes = MediaHashes(folder / "videos")
    trajectories = []
    for plan in plans(recipe, made, folder) if made else []:
        if plan.done:
            scene = make_scene(plan.family, plan.seed, plan.split, plan.seconds)
            trajectories += scene_trajectories(scene, plan.video.name, hashes(plan.video.name))
    return Loaded(tuple(trajectories))
