"""The compact model made small again and again, each time without one part of its data or of what it sees."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from stamina_video.backbone.perception import Percept, TokenKind
from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.draws import Draws, Shares
from stamina_video.training.held_out import Reading, read_counts
from stamina_video.training.loop import Plan, Run
from stamina_video.training.recipe import Recipe
from stamina_video.training.recipes import nano
from stamina_video.training.records import RunFolder
from stamina_video.training.sample import Sample
from stamina_video.training.scaling import scale_events
from stamina_video.transitions import Heads

Look = Callable[[Percept], Percept]


@dataclass(frozen=True, slots=True)
class Part:
    """What is left out: of the scenes, of how they vary, or of every look."""

    name: str
    scenes: float = 1.0  # the share that is left
    shares: Shares = field(default_factory=Shares)
    look: Look | None = None


def _without_tokens(kind: TokenKind) -> Look:
    def look(percept: Percept) -> Percept:
        kept_N = percept.kind_N != kind
        return Percept(**{name: array[kept_N] for name, array in percept.arrays().items()})

    return look


def _without(array: str) -> Look:
    def look(percept: Percept) -> Percept:
        return replace(percept, **{array: np.zeros_like(getattr(percept, array))})

    return look


COMPLETE = Part("nothing")
PARTS = (
    COMPLETE,
    Part("half of the scenes", scenes=0.5),
    Part("scenes in a mirror", shares=Shares(mirrored=0.0)),
    Part("other names and colours", shares=Shares(renamed=0.0, recoloured=0.0)),
    Part("detections", look=_without_tokens(TokenKind.DETECTION)),
    Part("moving regions", look=_without_tokens(TokenKind.REGION)),
    Part("the grid", look=_without_tokens(TokenKind.GRID)),
    Part("names", look=_without("names_NS")),
    Part("appearance", look=_without("appearance_NP")),
    Part("colour", look=_without("colour_NC")),
    Part("motion", look=_without("motion_NM")),
)


@dataclass(frozen=True, slots=True)
class Small:
    """How little of the real recipe is run."""

    looking: int = 100  # updates on stills
    rereading: int = 60  # updates on trajectories
    batch: int = 8

    def recipe(self) -> Recipe:
        whole = nano()
        assert whole.looking is not None and whole.rereading is not None, "it has both stages"  # noqa: PT018
        return replace(
            whole,
            name="parts",
            looking=replace(whole.looking, updates=self.looking, batch=self.batch),
            seeing=None,
            meeting=None,
            naming=None,
            rereading=replace(whole.rereading, updates=self.rereading, batch=self.batch),
            world=None,
        )


def made_without(
    part: Part, start: Model, samples: Sequence[Sample], draws: Draws, small: Small, folder: Path, seed: int
) -> Model:
    """What the start learns without the part."""
    recipe = small.recipe()
    kept = [seen_without(part, one) for one in samples[: max(1, round(part.scenes * len(samples)))]]
    model = _scaled(start, kept)
    plan = Plan(recipe, kept, seed=seed, variation=replace(draws, shares=part.shares))
    run = Run(plan, model, RunFolder(folder))
    run.begin()
    return run.finish()


def seen_without(part: Part, sample: Sample) -> Sample:
    look = part.look
    if look is None:
        return sample

    def read() -> list[Observation]:
        return [replace(one, image=look(one.image)) for one in sample.read()]

    return replace(sample, read=read)


def counted_without(part: Part, model: Model, samples: Sequence[Sample]) -> list[Reading]:
    return read_counts(model, [seen_without(part, one) for one in samples])


def _scaled(start: Model, samples: Sequence[Sample]) -> Model:
    """A copy whose event head reads at a measured scale."""
    heads = Heads(replace(start.heads.config, evened=True)).eval()
    heads.load_state_dict(start.heads.state_dict(), strict=False)  # the scale itself is not there yet
    model = Model(start.name, deepcopy(start.backbone), heads)
    scale_events(model, samples)
    return model
