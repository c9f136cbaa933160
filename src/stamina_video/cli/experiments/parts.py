"""`parts`: what each part of the training data and each kind of token gives."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.data.world import family_names
from stamina_video.evaluation import OVERALL, Run, Trajectory, diagnose, percent
from stamina_video.evaluation.tables import MEASURED, Table
from stamina_video.semantics import Operator
from stamina_video.training.draws import Draws
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.parts import (
    COMPLETE,
    PARTS,
    Part,
    counted_without,
    made_without,
)
from stamina_video.training.footage import Footage
from stamina_video.training.held_out import Reading
from stamina_video.training.recolouring import Recolouring
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Sample
from stamina_video.training.scenes import other_words, scene_sample

SCORED = tuple(one for one in Operator if one.is_event or one is Operator.O1_SNAP)
OBJECTS, EVENTS = "things in view", "events"


def run(ground: Ground) -> Page:
    extent = ground.extent
    first = extent.diagnostic
    learned = _footage(ground, range(first, first + extent.parts_training))
    tested = _footage(ground, range(min(first, extent.parts_tested)))
    draws = Draws(
        other_words([*learned, *tested]),
        Renaming(ground.words, ground.model.backbone.text),  # type: ignore[attr-defined]  # a compact one
        Recolouring.of_survey(),
    )
    samples = [scene_sample(one) for one in learned]
    questions = [draws.judged(scene_sample(one), Random(one.take.name)) for one in tested]
    results = {
        part.name: diagnose(_pairs(_told(ground, part, samples, questions, draws)), part.name)
        for part in PARTS
    }
    rows = []
    for name, result in results.items():
        figures = result.figures()
        lost = "" if name == COMPLETE.name else points(contrast(results[COMPLETE.name], result))
        groups = (percent(figures[group]["gpa"]) for group in (OBJECTS, EVENTS) if group in figures)
        rows.append((name, MEASURED, percent(figures[OVERALL]["gpa"]), *groups, lost))
    present = [group for group in (OBJECTS, EVENTS) if group in results[COMPLETE.name].figures()]
    header = ("Without", "Source", "GPA", *present, "change (95 % over scenes)")
    return Page(
        "parts",
        "Parts: what data and tokens give",
        (),
        (Table(header, tuple(rows), words=2, title="GPA on held-out scenes"),),
        {
            "model": ground.model.name,
            "training": f"{len(samples)} scenes",
            "held out": f"{len(questions)} scenes",
            "updates": f"{extent.small.looking} of looking, {extent.small.rereading} of rereading",
            "batch": extent.small.batch,
            "seed": 0,
            "intervals": "95 %, percentile bootstrap over scenes",
        },
        (
            "Each row is a model of its own, made from the start on simulated scenes with a fraction of the "
            "recipe's scenes and updates: the rows compare with each other, not with the shipped model.",
            "Counts are those of sessions on whole scenes; who is who is not learned here and not scored.",
        ),
    )


def _footage(ground: Ground, numbers: Sequence[int]) -> list[Footage]:
    """Families take turns, so that any first part of the list has them all."""
    families = [ground.footage(family, numbers) for family in family_names("train")]
    return [footage for turn in zip(*families, strict=True) for footage in turn]


def _told(
    ground: Ground, part: Part, samples: Sequence[Sample], questions: Sequence[Sample], draws: Draws
) -> list[Reading]:
    with TemporaryDirectory() as folder:
        model = made_without(
            part, ground.model, samples, draws, ground.extent.small, Path(folder) / "run", seed=0
        )
    ground.say(f"made without {part.name}")
    return counted_without(part, model, questions)


def _pairs(readings: Sequence[Reading]) -> list[tuple[Trajectory, Run]]:
    pairs = []
    for number, one in enumerate(readings):
        if one.operator not in SCORED:
            continue
        moments = tuple(map(float, range(1, len(one.true) + 1)))
        group = EVENTS if one.operator.is_event else OBJECTS
        trajectory = Trajectory(f"{one.sample} {number}", one.sample, group, moments, one.true, moments)
        pairs.append((trajectory, Run("0", tuple(map(float, one.counted)))))
    return pairs
