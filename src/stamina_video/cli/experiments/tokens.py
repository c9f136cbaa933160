"""`tokens`: what a trained model owes to each kind of token and to each property of tokens."""

from collections.abc import Sequence
from random import Random

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.data.world import family_names
from stamina_video.evaluation import OVERALL, Run, Trajectory, diagnose, percent
from stamina_video.evaluation.tables import MEASURED, NOTHING, Table
from stamina_video.training.draws import judged
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.tokens import LOOKS, WHOLE, counted
from stamina_video.training.held_out import Reading
from stamina_video.training.sample import Sample
from stamina_video.training.scenes import scene_sample

OBJECTS, EVENTS = "things", "events"


def run(ground: Ground) -> Page:
    samples = _questions(ground)
    results = {}
    for name, look in LOOKS.items():
        results[name] = diagnose(_pairs(counted(ground.model, samples, look)), name)
        ground.say(f"counted without {name}")
    rows = []
    for name, result in results.items():
        figures = result.figures()
        groups = (
            percent(figures[group]["gpa"]) if group in figures else NOTHING
            for group in (OVERALL, OBJECTS, EVENTS)
        )
        lost = "" if name == WHOLE else points(contrast(results[WHOLE], result))
        rows.append((name, MEASURED, *groups, lost))
    header = ("Without", "Source", "GPA", OBJECTS, EVENTS, "change (95 % over scenes)")
    return Page(
        "tokens",
        "Tokens: what a trained model owes to each",
        (),
        (Table(header, tuple(rows), words=2, title="GPA on held-out scenes"),),
        {
            "model": ground.model.name,
            "scenes": f"{len(samples)}, held out from training",
            "intervals": "95 %, percentile bootstrap over scenes",
        },
        (
            "Nothing is trained again: a model that never missed a kind of token could lose less, had it "
            "learned without it.",
            "Of every scene some visible and some distinct things and some events are asked for.",
        ),
    )


def _questions(ground: Ground) -> list[Sample]:
    numbers = range(min(ground.extent.diagnostic, ground.extent.tokens))
    footages = [one for family in family_names("train") for one in ground.footage(family, numbers)]
    return [judged(scene_sample(one), Random(one.take.name)) for one in footages]


def _pairs(readings: Sequence[Reading]) -> list[tuple[Trajectory, Run]]:
    pairs = []
    for number, one in enumerate(readings):
        moments = tuple(map(float, range(1, len(one.true) + 1)))  # only their order matters
        group = EVENTS if one.operator.is_event else OBJECTS
        trajectory = Trajectory(f"{one.sample} {number}", one.sample, group, moments, one.true, moments)
        pairs.append((trajectory, Run("0", tuple(map(float, one.counted)))))
    return pairs
