"""Everything that a run with a world of its own learns from: filmed where it is missing, by all processes."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from accelerate import PartialState

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.names import Names
from stamina_video.backbone.perception import Eyes, PerceptLayout
from stamina_video.training.clips import Clip, clip_samples, clips, watched
from stamina_video.training.draws import Draws, judged
from stamina_video.training.filming import film
from stamina_video.training.footage import Footage, Take, kept
from stamina_video.training.recipe import Recipe, World
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Sample
from stamina_video.training.scenes import other_words, planned, scene_sample
from stamina_video.training.simulated import simulated_sample
from stamina_video.training.takes import DIAGNOSED

SIMULATED = 1_000  # the number of the first scene perceived without pictures
FOOTAGE, PERCEPTS = "footage", "percepts"  # inside the run's folder

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Crew:
    """The processes of a run: each does its part of what is slow, then all wait for all."""

    eyes: Callable[[], Eyes]
    report: Callable[[str, int, int], None]  # what, how much of it is done, of how much

    def film(self, takes: Sequence[Take], folder: Path) -> None:
        film(self._part(takes), self.eyes, folder, partial(self._tell, "filming scenes"))
        PartialState().wait_for_everyone()

    def watch(self, wanted: Sequence[Clip], folder: Path) -> None:
        watched(self._part(wanted), self.eyes, folder, partial(self._tell, "looking at clips"))
        PartialState().wait_for_everyone()

    def _part(self, work: Sequence[Item]) -> Sequence[Item]:
        state = PartialState()
        return work[state.process_index :: state.num_processes]

    def _tell(self, what: str, done: int, of: int) -> None:
        if PartialState().is_main_process:
            self.report(what, done, of)


@dataclass(frozen=True, slots=True)
class Gathered:
    learned: tuple[Sample, ...]
    held_out: tuple[Sample, ...]
    others: tuple[Sample, ...]  # of the folders, those with events
    draws: Draws
    left_out: int  # trajectories of the folders


def gather(
    recipe: Recipe,
    folders: Sequence[Path],
    run: Path,
    seed: int,
    crew: Crew,
    scenes: int | None = None,
    without: Collection[str] = (),
) -> Gathered:
    """The first scene of every family is held out; a trial of so many `scenes` in all holds out none.

    `without` names videos of the folders to leave out.
    """
    assert recipe.world is not None, "a recipe that films"
    found, left_out = clips(folders, without)
    # Things and who they are are learned from scenes: of clips only events are.
    real = [one for one in found if any(told.operator.is_event for told in one.trajectories)]
    takes = planned(recipe.world.scenes, first=DIAGNOSED)[:scenes]
    tests = planned(1) if scenes is None else []
    crew.film([*takes, *tests], run / FOOTAGE)
    crew.watch(real, run / PERCEPTS)
    learned, held_out = (kept_footage(part, run / FOOTAGE) for part in (takes, tests))
    draws = Draws(
        other_words([*learned, *held_out]),
        Renaming(Names(load_text_encoder()).columns),
        *(() if recipe.rereading is None else (recipe.rereading.blind,)),
    )
    return Gathered(
        (*map(scene_sample, learned), *_simulated(recipe.world, seed)),
        # The same few questions every time: a scene can be asked about dozens of things.
        tuple(judged(scene_sample(one), Random(one.take.name)) for one in held_out),
        tuple(
            sample
            for clip in real
            for sample in clip_samples(clip, run / PERCEPTS, recipe, seed)
            if any(lesson.target.operator.is_event for lesson in sample.lessons)
        ),
        draws,
        left_out,
    )


def _simulated(world: World, seed: int) -> list[Sample]:
    """Scenes beyond those that are filmed; nothing of them is kept, they cost less than reading would."""
    if not world.simulated:
        return []
    names, layout = Names(load_text_encoder()), PerceptLayout()
    takes = planned(world.simulated, first=SIMULATED)
    return [simulated_sample(take, seed, names, layout) for take in takes]


def kept_footage(takes: Sequence[Take], folder: Path) -> list[Footage]:
    found = [kept(take, folder) for take in takes]
    return [footage for footage in found if footage is not None]
