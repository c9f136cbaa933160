"""`identity`: the object branch with and without the verified identity term."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

from stamina_video.cli.experiments.page import Finding, Page
from stamina_video.cli.experiments.scored import contrast
from stamina_video.evaluation import (
    OVERALL,
    Birth,
    Identity,
    Result,
    Run,
    Trajectory,
    diagnose,
)
from stamina_video.evaluation.diagnostic_tables import diagnostic_tables
from stamina_video.runtime import Model
from stamina_video.training.experiments.catalogue import Trial
from stamina_video.training.experiments.fit import fit
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.objects import (
    IDENTITY_VERIFIED,
    SOURCES,
    ToldObjects,
    object_sample,
    object_trials,
    tell_objects,
)
from stamina_video.training.parameters import ASSOCIATION
from stamina_video.training.resting import begin_anew, compact
from stamina_video.training.start import associate
from stamina_video.transitions import LossWeights

WITHOUT, COMPLETE = "λᵢ = 0", "Complete"
AS_IT_IS = "The model as it is, unseen nouns and colours"
WEIGHTS = {WITHOUT: replace(LossWeights(), identity=0.0), COMPLETE: LossWeights()}
# Figures that the identity term should lower, and by what name the paper reports them.
LOWERED = {
    "hard_mae": "error of the hard unique count",
    "hard_gain_mae": "error of the hard gain",
    "reentry_double_counts": "double counts per re-entry",
    "unresolved": "unresolved identities",
}


def run(ground: Ground) -> Page:
    first, extent = ground.extent.diagnostic, ground.extent
    training = _trials(ground, range(first, first + extent.training))
    diagnostic = _trials(ground, range(first))
    results = {
        name: diagnose(
            [
                (_trajectory(trial), _run(told, seed, trial.stratum))
                for seed in range(extent.seeds)
                for trial, told in zip(
                    diagnostic, _told(ground, training, diagnostic, weights, seed), strict=True
                )
            ],
            name,
        )
        for name, weights in WEIGHTS.items()
    }
    unseen = _trials(ground, range(extent.unseen), "unseen")
    as_it_is = diagnose(
        [
            (_trajectory(trial), _run(told, 0, trial.stratum))
            for trial, told in zip(unseen, _told_by(ground, ground.model, unseen), strict=True)
        ],
        AS_IT_IS,
    )
    return Page(
        "identity",
        "Identity: verified identities against counts alone",
        tuple(_lowered(metric, words, results) for metric, words in LOWERED.items()),
        tuple(diagnostic_tables([*results.values(), as_it_is])),
        {
            "model": ground.model.name,
            "training": f"{len(training)} trajectories",
            "diagnostic": f"{len(diagnostic)} trajectories",
            "unseen": f"{len(unseen)} trajectories of the split that no training scene is from",
            "seeds": extent.seeds,
            "updates": extent.fitting.updates,
            "rate": extent.fitting.rate,
        },
        ("The association begins at its informed start and learns alone, on frozen looks; pooling stays.",),
    )


def _trials(ground: Ground, numbers: Sequence[int], split: str = "train") -> list[Trial]:
    return [
        trial
        for family, stratum in SOURCES.items()
        for footage in ground.footage(family, numbers, split)
        for trial in object_trials(footage, stratum)
    ]


def _told(
    ground: Ground, training: Sequence[Trial], diagnostic: Sequence[Trial], weights: LossWeights, seed: int
) -> list[ToldObjects]:
    """Each condition begins its association anew and rolls its own registry, in training and after it."""
    still = ground.still(ground.model, *(trial.aim for trial in training))
    model = Model(still.name, still.backbone, deepcopy(still.heads))
    begin_anew(model, ASSOCIATION, seed)
    associate(model.heads.association, compact(ground.model).decoder, seed)
    samples = [object_sample(trial, ground.looks(trial.stretch, ground.model)) for trial in training]
    fit(model, model.heads.association, samples, weights, ground.extent.fitting, seed, ground.say)
    return _told_by(ground, model, diagnostic)


def _told_by(ground: Ground, model: Model, trials: Sequence[Trial]) -> list[ToldObjects]:
    """What a model with the ground's decoder says."""
    still = ground.still(ground.model, *(trial.aim for trial in trials))
    speaking = Model(model.name, still.backbone, model.heads)
    return [
        tell_objects(speaking, trial.stretch, trial.aim, ground.looks(trial.stretch, ground.model))
        for trial in trials
    ]


def _trajectory(trial: Trial) -> Trajectory:
    stretch = trial.stretch
    times, lesson = stretch.times, stretch.object_lesson(trial.aim, identities=True)
    assert lesson.unique is not None
    return Trajectory(
        trial.name,
        stretch.parent,
        trial.stratum,
        tuple(times[end - 1] for end in stretch.ends),
        tuple(lesson.unique.counts_J.tolist()),
        times,
        identities=_identities(trial) if trial.stratum == IDENTITY_VERIFIED else None,
    )


def _identities(trial: Trial) -> tuple[Identity, ...]:
    """When each individual came into view: absent at one look is gone at the next."""
    times = trial.stretch.times
    seen: dict[str, list[float]] = {}
    before: set[str] = set()
    for time, look in zip(times, trial.stretch.shown(trial.aim), strict=True):
        now = {one.identity for one in look}
        for name in sorted(now - before):
            seen.setdefault(name, []).append(time)
        before = now
    return tuple(Identity(name, tuple(moments)) for name, moments in seen.items())


def _run(told: ToldObjects, seed: int, stratum: str) -> Run:
    births = tuple(Birth(born.time, born.shows) for born in told.births)
    return Run(
        str(seed),
        tuple(map(float, told.unique)),
        births=births if stratum == IDENTITY_VERIFIED else None,
        soft=told.soft_unique,
    )


def _lowered(metric: str, words: str, results: dict[str, Result]) -> Finding:
    figures = {name: result.figures()[OVERALL][metric] for name, result in results.items()}
    change = contrast(results[WITHOUT], results[COMPLETE], metric)
    if change.difference is None or change.low is None or change.high is None:
        return Finding(f"It lowers the {words}.", "Nothing was eligible.", agrees=False)
    return Finding(
        f"It lowers the {words}.",
        f"From {figures[WITHOUT]:.3f} to {figures[COMPLETE]:.3f}, "
        f"a change of {change.difference:+.3f} ({change.low:+.3f} to {change.high:+.3f}).",
        change.high < 0,
    )
