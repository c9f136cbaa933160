"""A decoder of any size that learns to see, as nano's does, from a few scenes and for a few updates."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from accelerate import Accelerator

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception.pretrained import class_names
from stamina_video.runtime import Model
from stamina_video.training.draws import Draws, Shares
from stamina_video.training.footage import Footage
from stamina_video.training.loop import Plan, Run
from stamina_video.training.recipes import nano
from stamina_video.training.recolouring import Recolouring
from stamina_video.training.records import RunFolder
from stamina_video.training.renaming import Renaming
from stamina_video.training.resting import compact
from stamina_video.training.scaling import evened, scale_events
from stamina_video.training.scenes import other_words, scene_sample
from stamina_video.training.schedule import Stage


def that_sees(start: Model, footages: Sequence[Footage], updates: int, seed: int = 0) -> Model:
    """A copy of the start that has learned. Things keep their names and colours: there are few scenes."""
    backbone = compact(start)
    recipe = nano()
    assert recipe.seeing is not None, "nano's decoder begins with nothing"
    recipe = replace(recipe, naming=None, seeing=replace(recipe.seeing, updates=updates), rereading=None)
    samples = [scene_sample(one) for one in footages]
    shares = Shares(renamed=0.0, recoloured=0.0)
    draws = Draws(
        other_words(footages), Renaming(class_names(), backbone.text), Recolouring.of_survey(), shares
    )
    own = CompactBackbone(backbone.eyes, backbone.text, deepcopy(backbone.decoder))
    model = evened(replace(start, backbone=own))
    scale_events(model, samples)
    plan = Plan(recipe, samples, (), seed, variation=draws)
    with TemporaryDirectory() as folder:
        plan = replace(plan, steps=plan.schedule.end(Stage.SEEING))
        run = Run(plan, model, RunFolder(Path(folder)), accelerator=Accelerator(cpu=True))
        run.begin()
        return run.finish()
