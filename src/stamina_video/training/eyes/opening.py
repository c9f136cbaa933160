"""The eyes of a run: glances taken by all processes, lessons by the first; what is kept is not done again."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from accelerate import PartialState

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception.efficientdet import Retina
from stamina_video.backbone.perception.finder import WEIGHTS, TrainedEyes
from stamina_video.backbone.text import TextEncoder
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.fitting import Report
from stamina_video.training.eyes.glance import load_glances
from stamina_video.training.eyes.glancing import Glancing, readable, taught
from stamina_video.training.eyes.learning import learn_to_see
from stamina_video.training.folders import VIDEOS, segments
from stamina_video.training.recipe import Opening

GLANCES, EYES = "glances", "eyes"  # inside the run's folder
SPOTTER = "spotter.safetensors"  # inside that of the glances
ENDINGS = {".avi", ".mkv", ".mov", ".mp4", ".mpg", ".webm", ".wmv"}


def open_eyes(
    opening: Opening,
    folders: Sequence[Path],
    run: Path,
    seed: int,
    retina: Callable[[], Retina],
    text: TextEncoder,
    report: Report,
    say: Callable[[str], None],
) -> Path:
    """The folder of the trained eyes."""
    state, eyes = PartialState(), run / EYES
    if (eyes / WEIGHTS).exists():
        return eyes
    part = slice(state.process_index, None, state.num_processes)
    videos = readable(unannotated(folders), say if state.is_main_process else _nothing)

    def tell(what: str, done: int, of: int) -> None:
        if state.is_main_process:
            report(what, done, of)

    names = Names(text)
    glancing = Glancing(retina, names, run / GLANCES, lambda done, of: tell("glancing", done, of))
    glancing.clips(videos[part])
    glancing.scenes(range(opening.scenes)[part])
    state.wait_for_everyone()
    if state.is_main_process:
        _learn(glancing, names, opening, videos, eyes, seed, tell)
    while not (eyes / WEIGHTS).exists():  # longer than processes wait for each other
        time.sleep(1)
    state.wait_for_everyone()
    return eyes


def lend_eyes(lent: Path, run: Path) -> Path:
    """The folder of eyes that a run sees through without learning them; it never changes them on the way."""
    state, eyes = PartialState(), run / EYES
    given = TrainedEyes.from_pretrained(lent)
    if (eyes / WEIGHTS).exists():
        kept = TrainedEyes.from_pretrained(eyes)
        if kept.config != given.config or not _are_alike(kept, given):
            raise InvalidInput(f"{run}: expected the eyes it has seen through so far, got those of {lent}")
    elif state.is_main_process:
        given.save_pretrained(eyes)
    state.wait_for_everyone()
    return eyes


def _are_alike(one: TrainedEyes, other: TrainedEyes) -> bool:
    others = other.state_dict()
    return all(torch.equal(tensor, others[name]) for name, tensor in one.state_dict().items())


def _learn(
    glancing: Glancing,
    names: Names,
    opening: Opening,
    videos: Sequence[Path],
    eyes: Path,
    seed: int,
    report: Report,
) -> None:
    threads, cores = torch.get_num_threads(), os.cpu_count() or 1
    torch.set_num_threads(max(threads, cores))  # the other processes only wait
    scenes = [load_glances(path) for path in glancing.scenes(range(opening.scenes))]
    clips = [load_glances(path) for path in glancing.clips(videos)]
    seeing = learn_to_see(
        names.columns,
        [glancing.retina() for _ in range(cores)],
        taught(),
        scenes,
        clips,
        opening,
        seed,
        report,
        kept=glancing.folder / SPOTTER,
    )
    seeing.save_pretrained(eyes)
    torch.set_num_threads(threads)


def unannotated(folders: Sequence[Path]) -> list[Path]:
    """Videos below the folders of which nothing is told: eyes may look at them without knowing any answer."""
    told = {path.resolve() for path, _ in segments(folders)[0]}
    # Beside annotated videos may lie what they were made from.
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in ENDINGS
        and path.resolve() not in told
        and VIDEOS not in path.relative_to(folder).parts
    ]


def _nothing(said: str) -> None:
    del said
