"""Real video beside simulated scenes: looked at once through the eyes, told by its annotations."""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from stamina_video.backbone.perception import Eyes, Glimpse, load_percepts, save_percepts
from stamina_video.data.trajectory import Mask, Supported, Trajectory
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile
from stamina_video.semantics.pace import pace_for
from stamina_video.training.filming import Report
from stamina_video.training.folders import looks, segments
from stamina_video.training.recipe import Recipe
from stamina_video.training.sample import Sample
from stamina_video.training.supervision import Observed, supervised
from stamina_video.video import open_video

LONGEST = 420  # observations that are looked at: two minutes and more of people, one of exercise
EVERY = 1.0  # seconds between the endpoints that annotated completions support


@dataclass(frozen=True, slots=True)
class Clip:
    """A file, when it is looked at, and what is known about it until then."""

    path: Path
    fps: float
    times: tuple[float, ...]
    trajectories: tuple[Trajectory, ...]

    def file(self, folder: Path) -> Path:
        """Of its percepts. Two files of one name are two."""
        where = hashlib.sha256(str(self.path.resolve()).encode()).hexdigest()[:8]
        return folder / f"{self.path.stem}-{where}-{self.fps:g}fps-{len(self.times)}.safetensors"


def clips(folders: Sequence[Path], without: Collection[str] = ()) -> tuple[list[Clip], int]:
    """Looked at as often as deployment would; and how many trajectories no file shows as they are.

    `without` names videos to leave out, and with each all that was made from it.
    """
    found, left_out = segments(folders)
    videos = {one.parent for told in found.values() for one in told}
    if unknown := sorted(set(without) - videos):
        known = ", ".join(sorted(videos)) or "none"
        raise InvalidInput(f"expected videos of the data ({known}) to leave out, got {', '.join(unknown)}")
    kept = [
        _clip(path, told)
        for (path, _), told in found.items()
        if not any(one.parent in without for one in told)
    ]
    return kept, left_out


def watched(wanted: Sequence[Clip], eyes: Callable[[], Eyes], folder: Path, report: Report) -> None:
    """Percepts of every clip, looking at what is not kept yet."""
    looking: Eyes | None = None
    for number, clip in enumerate(wanted):
        if not clip.file(folder).exists():
            report(number, len(wanted))
            looking = looking or eyes()
            _keep(clip, looking, clip.file(folder))


def clip_samples(clip: Clip, folder: Path, recipe: Recipe, seed: int) -> list[Sample]:
    file = clip.file(folder)
    # A container may announce a last frame that does not decode.
    times = clip.times[: len(load_percepts(file))]

    def read() -> list[Observation]:
        pairs = zip(times, load_percepts(file), strict=True)
        return [
            Observation(file.stem, place, time, percept, place) for place, (time, percept) in enumerate(pairs)
        ]

    return supervised(file.stem, Observed(times, read), clip.trajectories, recipe, seed)


def _clip(path: Path, told: Sequence[Trajectory]) -> Clip:
    fps = pace_for(trajectory.target for trajectory in told).fps
    times = looks(path, fps, max(trajectory.frame_map.duration for trajectory in told))[:LONGEST]
    return Clip(path, fps, times, tuple(_until(times[-1] + 1 / fps, trajectory) for trajectory in told))


def _until(end: float, trajectory: Trajectory) -> Trajectory:
    """Annotated completions support a count wherever the annotator was sure, not only where one asked.

    They say when a cycle completed and not when the next one began, so they are no boundaries.
    """
    told = {point.time: point for point in chain(_between(trajectory), trajectory.endpoints)}
    endpoints = tuple(told[time] for time in sorted(told) if time < end)
    return replace(trajectory, endpoints=endpoints, masks=trajectory.masks - {Mask.BOUNDARY})


def _between(trajectory: Trajectory) -> list[Supported]:
    if not trajectory.operator.is_event or Mask.STABLE not in trajectory.masks:
        return []
    moments = (step * EVERY for step in range(1, int(trajectory.frame_map.duration / EVERY) + 1))
    return [
        Supported(moment, bisect_right(trajectory.completions, moment), ("annotated completions",))
        for moment in moments
        if any(span.start <= moment <= span.end for span in trajectory.stable)
    ]


def _keep(clip: Clip, eyes: Eyes, file: Path) -> None:
    glimpse: Glimpse | None = None
    percepts = []
    # One look further: which frame is the last of a stream depends on where the stream ends.
    with open_video(clip.path, clip.fps, until=clip.times[-1] + 1 / clip.fps) as video:
        seen = (item for item in video if isinstance(item, Observation))
        for observation in islice(seen, len(clip.times)):
            percept, glimpse = eyes.perceive(observation.image, glimpse)
            percepts.append(percept)
    if len(percepts) < len(clip.times) - 1:
        raise UnreadableFile(f"{clip.path}: expected {len(clip.times)} frames, got {len(percepts)}")
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".part")
    save_percepts(draft, percepts, half=True)
    draft.replace(file)
