"""The event head of a trained compact model, learned anew from other data: that stage of its recipe alone.

The decoder learns from simulated scenes and rests in this stage, so what a model owes to a part of the data
that teaches events, or would be without a clip, costs minutes and not a whole run.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from accelerate import Accelerator

from stamina_video.backbone.pulses import PULSES
from stamina_video.runtime import Model
from stamina_video.runtime.model import load_heads
from stamina_video.training.draws import Draws
from stamina_video.training.loop import Plan, Run
from stamina_video.training.recipe import Recipe
from stamina_video.training.records import RunFolder
from stamina_video.training.reflexes import REFLEXES
from stamina_video.training.resting import Reader
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.scaling import evened
from stamina_video.training.schedule import Stage
from stamina_video.transitions import Heads
from stamina_video.transitions.instincts import DOUBT, FAMILIAR


@dataclass(frozen=True, slots=True)
class Material:
    """What is learned from: scenes, other data that is mixed in, and how scenes vary."""

    learned: Sequence[Sample]
    others: Sequence[Sample]
    draws: Draws


@dataclass(frozen=True, slots=True)
class Rereading:
    """Heads are kept in a folder, under all that they follow from."""

    model: Model
    recipe: Recipe
    folder: Path
    seed: int = 0
    _reader: Reader = field(default_factory=Reader, init=False, repr=False, compare=False)

    def __call__(self, material: Material) -> Heads:
        """The batches are those of a whole run, so the recipe's own data gives the recipe's own head."""
        kept = self.folder / self._name(material)
        if not kept.exists():
            self._learn(material, kept)
        return load_heads(kept)

    def _learn(self, material: Material, kept: Path) -> None:
        plan = Plan(
            self.recipe, material.learned, (), self.seed, others=material.others, variation=material.draws
        )
        plan = replace(plan, steps=plan.schedule.end(Stage.REREADING))
        with TemporaryDirectory() as folder:
            run = Run(
                plan,
                evened(self.model),
                RunFolder(Path(folder)),
                accelerator=Accelerator(cpu=True),
                reader=self._reader,
            )
            run.begin(Stage.REREADING)
            learned = run.finish()
        kept.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept.parent) as draft:
            learned.save_pretrained(Path(draft) / kept.name)
            (Path(draft) / kept.name).replace(kept)

    def _name(self, material: Material) -> str:
        follows = [
            self.model.fingerprint,
            self.recipe.document(),
            self.seed,
            list(map(_told, material.learned)),
            list(map(_told, material.others)),
            dict(material.draws.other_words),
            [repr(one) for one in REFLEXES],
            [FAMILIAR, DOUBT, PULSES],
        ]
        return hashlib.sha256(json.dumps(follows).encode()).hexdigest()[:16]


def _told(sample: Sample) -> list[str]:
    """Its name and what is known of its events."""
    return [sample.id, *(_said(one) for one in sample.lessons if one.target.operator.is_event)]


def _said(lesson: Lesson) -> str:
    counts = lesson.completed
    told = [] if counts is None else [counts.ends_J.tolist(), counts.counts_J.tolist()]
    return f"{lesson.target} {told} {lesson.crossings}"
